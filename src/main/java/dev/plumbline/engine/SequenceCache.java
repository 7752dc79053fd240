package dev.plumbline.engine;

/**
 * The room of one sequence.
 *
 * @param slot its row in every ring
 * @param csaPages page ids, in order of entries
 * @param hcaPages page ids, in order of entries
 * @param tokens tokens that it holds already
 */
record SequenceCache(int slot, int[] csaPages, int[] hcaPages, int tokens) {}
