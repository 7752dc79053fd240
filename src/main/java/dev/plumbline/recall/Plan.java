package dev.plumbline.recall;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.model.ChatMessage.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything about a cell's prompt but the filler.
 *
 * @param needles lines to plant, the first one at the cell's depth
 * @param before first message, up to the text
 * @param after first message, from the text on
 * @param later the turns after the first
 * @param expected values the answer must hold, in this order; none when the text does not say
 * @param others values that are in the text but not asked for
 */
record Plan(
        List<PlantedNeedle> needles,
        String before,
        String after,
        List<ChatMessage> later,
        List<String> expected,
        List<String> others) {

    /** A line and the fraction of the text that comes before it. */
    record PlantedNeedle(double depth, String line) {}

    /** The plan with a text that already holds the needles, before what is still to be filled. */
    Plan behind(String text) {
        return new Plan(List.of(), before + text, after, later, expected, others);
    }

    /** The messages around a text that already holds the needles. */
    List<ChatMessage> turns(String text) {
        List<ChatMessage> turns = new ArrayList<>();
        turns.add(new ChatMessage(Role.USER, before + text + after));
        turns.addAll(later);
        return turns;
    }
}
