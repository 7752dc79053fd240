package dev.plumbline.recall;

import java.util.List;

/**
 * One cell, asked and scored.
 *
 * @param cell the test
 * @param score what the answer is worth
 * @param expected values the answer had to hold
 * @param answer the answer's text
 * @param reply the answer's tokens and times
 * @param rounds how often the filler had to be used
 */
public record CellResult(Cell cell, Score score, List<String> expected, String answer, Reply reply, int rounds) {}
