package dev.plumbline.recall.verdict;

/**
 * Probabilities of so uneven a result if nothing had changed.
 *
 * @param oneSided McNemar's exact test against a loss
 * @param adjusted the same, adjusted by Benjamini and Hochberg over the family
 * @param signFlip one-sided sign-flip test over haystacks
 * @param twoSided McNemar's exact test against any change, shown only
 * @param midP its mid-p variant, shown only
 * @param haystacks clusters of the sign-flip test
 * @param family strata that were tested together
 */
public record StratumTests(
        double oneSided, double adjusted, double signFlip, double twoSided, double midP, int haystacks, int family) {}
