package dev.plumbline.recall;

import dev.plumbline.model.ChatMessage;
import java.util.List;

/**
 * A cell, ready to be asked.
 *
 * @param cell the test
 * @param turns the messages
 * @param tokens the messages as the model reads them; exactly as many as the cell's length
 * @param expected values the answer must hold, in this order; none when the text does not say
 * @param others values that are in the text but not asked for
 * @param rounds how often the filler had to be used to fill the length; 1 when no line came twice
 */
public record Prompt(
        Cell cell, List<ChatMessage> turns, int[] tokens, List<String> expected, List<String> others, int rounds) {}
