package dev.plumbline.recall;

import dev.plumbline.recall.result.NeedleTrace;
import java.util.List;

/** What a target made of a cell's prompt. */
public sealed interface CellAnswer {

    /**
     * An answer.
     *
     * @param text what was said, without reasoning
     * @param finishReason why it ended, as the target names it
     * @param truncated whether it hit its token limit
     * @param promptTokens tokens of the prompt as the target counts them; 0 if it does not tell
     * @param answerTokens tokens of the answer as the target counts them; 0 if it does not tell
     * @param firstTokenMillis from asking to the first token; NaN without one
     * @param totalMillis from asking to the end
     * @param needle what the indexer did with the expected values; empty if the target does not tell
     */
    record Answered(
            String text,
            String finishReason,
            boolean truncated,
            int promptTokens,
            int answerTokens,
            double firstTokenMillis,
            double totalMillis,
            List<NeedleTrace> needle)
            implements CellAnswer {

        /** Copies the list. */
        public Answered {
            needle = List.copyOf(needle);
        }
    }

    /**
     * No answer, or one that broke off: says nothing about recall.
     *
     * @param error what happened, in a sentence
     */
    record Unanswered(String error) implements CellAnswer {}
}
