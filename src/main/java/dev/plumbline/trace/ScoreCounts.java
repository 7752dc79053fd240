package dev.plumbline.trace;

/**
 * Scores of a query's candidates that tell of a failing indexer.
 *
 * @param zero that are +0 or −0
 * @param nan that are no number; the selection takes them for −∞
 * @param negativeInfinity that are −∞
 * @param tiedAtCut candidates that have exactly the lowest selected score, if one of them was not selected: which of
 *     them were is a matter of their ids; 0 when the cut separates different scores or nothing was cut
 */
public record ScoreCounts(int zero, int nan, int negativeInfinity, int tiedAtCut) {}
