package dev.plumbline.recall;

import dev.plumbline.engine.FinishReason;

/** Builds, asks and scores cells, one at a time, so that every time taken is a single sequence's. */
public final class CellRunner {
    /** Room for three values and some words around them. */
    public static final int ANSWER_TOKENS = 128;

    private final PromptBuilder builder;
    private final ModelCodec codec;
    private final Asker asker;
    private final Scorer scorer;

    /** Asks through {@code asker} what {@code builder} builds. */
    public CellRunner(PromptBuilder builder, ModelCodec codec, Asker asker, Scorer scorer) {
        this.builder = builder;
        this.codec = codec;
        this.asker = asker;
        this.scorer = scorer;
    }

    /**
     * Runs a cell.
     *
     * @throws PromptLengthException if the cell cannot be built
     * @throws IllegalStateException if the answer was cut before it had all its tokens: that is no miss of the model
     */
    public CellResult run(Cell cell) {
        Prompt prompt = builder.build(cell);
        Reply reply = asker.ask(prompt.tokens(), ANSWER_TOKENS);
        String answer = codec.decode(reply.tokens());
        Score score = scorer.score(prompt, answer);
        if (reply.reason() == FinishReason.LENGTH) {
            if (reply.tokens().length < ANSWER_TOKENS) {
                throw new IllegalStateException("the answer to " + cell.id() + " was cut after " + reply.tokens().length
                        + " tokens; the context must have room for " + ANSWER_TOKENS);
            }
            score = score.passed() ? new Score(false, score.distance(), "does not end") : score;
        }
        return new CellResult(cell, score, prompt.expected(), answer, reply, prompt.rounds());
    }
}
