package dev.plumbline.recall;

import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Edges;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What the cells of a suite are asked: the engine of this program under one run config, or a server elsewhere. Thread-safe. */
public interface CellTarget extends AutoCloseable {

    /** What answers. */
    TargetRecord about();

    /** Every flag in force, by key; empty if none are known. */
    Map<String, String> flags();

    /** Where the model changes what it attends to. */
    Edges edges();

    /** How prompts are measured. */
    PromptCodec codec();

    /** Names how prompts are measured: equal measures give equal prompts. */
    String measure();

    /** How many cells may be asked at once, at least 1. */
    int parallel();

    /**
     * Asks for the most probable answer, of at most {@link CellRunner#ANSWER_TOKENS} tokens.
     *
     * @return never fails because of what the target does or does not do: that is {@link CellAnswer.Unanswered}
     */
    CompletableFuture<CellAnswer> ask(SuitePrompt prompt);

    @Override
    void close();
}
