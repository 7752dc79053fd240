package dev.plumbline.recall;

import dev.plumbline.recall.CellAnswer.Answered;
import dev.plumbline.recall.CellAnswer.Unanswered;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.verdict.CellState;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Builds, asks and scores the cells of suites. Thread-safe. */
public final class CellExecutor {
    private final SuitePrompts prompts;
    private final Scorer scorer;
    private final CellTarget target;

    /** Asks {@code target}, with whose codec the prompts should be built. */
    public CellExecutor(SuitePrompts prompts, Scorer scorer, CellTarget target) {
        this.prompts = prompts;
        this.scorer = scorer;
        this.target = target;
    }

    /**
     * Builds the prompt in the caller's thread and asks it.
     *
     * @return a record of any state but missing; a prompt that cannot be built is an error of its cell
     */
    public CompletableFuture<CellRecord> run(SuiteCell cell) {
        SuitePrompt prompt;
        try {
            prompt = prompts.build(cell);
        } catch (PromptLengthException e) {
            return CompletableFuture.completedFuture(CellRecord.error(cell, "", List.of(), e.getMessage()));
        }
        return target.ask(prompt).thenApply(answer -> record(prompt, answer));
    }

    private CellRecord record(SuitePrompt prompt, CellAnswer given) {
        if (given instanceof Unanswered none) {
            return CellRecord.error(prompt.cell(), prompt.hash(), prompt.expected(), none.error());
        }
        Answered answer = (Answered) given;
        Score score = scorer.score(prompt, answer.text());
        CellState scored = score.passed() ? CellState.PASSED : CellState.FAILED;
        return new CellRecord(
                prompt.cell(),
                answer.truncated() ? CellState.TRUNCATED : scored,
                prompt.hash(),
                prompt.expected(),
                answer.text(),
                score.distance(),
                answer.truncated() ? "the answer hit its token limit" : score.reason(),
                answer.finishReason(),
                answer.promptTokens(),
                answer.answerTokens(),
                answer.firstTokenMillis(),
                answer.totalMillis(),
                answer.needle());
    }
}
