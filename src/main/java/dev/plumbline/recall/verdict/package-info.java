/**
 * Decides whether a candidate configuration recalls less than a baseline. Both answered the same cells; only the pairs
 * count, never two averages. Plain arithmetic over outcomes: asks nothing, stores nothing.
 *
 * <p>Words: a pair is one cell under both. A pair is <em>lost</em> when only the baseline passed it (b), <em>gained</em>
 * when only the candidate did (c). The <em>loss</em> is (b - c) / n. A stratum is a group of cells that is judged by
 * itself, such as one length; a suite names its strata before it is run.
 */
package dev.plumbline.recall.verdict;
