/**
 * Suites: which cells a run asks, written in YAML. A suite has strata, each of which is judged by itself and is a grid of
 * lengths, haystacks and questions. Knows no prompts; {@code dev.plumbline.recall} builds them.
 */
package dev.plumbline.recall.suite;
