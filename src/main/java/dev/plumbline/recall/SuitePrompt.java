package dev.plumbline.recall;

import dev.plumbline.model.ChatMessage;
import dev.plumbline.recall.suite.SuiteCell;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A suite's cell, ready to be asked.
 *
 * @param cell the test
 * @param turns the messages
 * @param tokens the messages as the model reads them; exactly as many as the cell's length
 * @param expected values the answer must hold, in this order
 * @param others values that are in the text but not asked for
 */
public record SuitePrompt(
        SuiteCell cell, List<ChatMessage> turns, int[] tokens, List<String> expected, List<String> others) {

    /** SHA-256 of the messages: equal for equal questions, whatever the tokenizer. */
    public String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (ChatMessage turn : turns) {
                digest.update((turn.role().name() + "\0" + turn.content() + "\0").getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
