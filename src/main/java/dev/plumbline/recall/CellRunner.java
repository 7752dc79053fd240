package dev.plumbline.recall;

/** Builds, asks and scores cells, one at a time, so that every time taken is a single sequence's. */
public final class CellRunner {
    /** Room for three values and some words around them. */
    public static final int ANSWER_TOKENS = 128;

    private final PromptBuilder builder;
    private final PromptCodec codec;
    private final Asker asker;
    private final Scorer scorer = Scorer.standard();

    /** Asks through {@code asker} what {@code builder} builds. */
    public CellRunner(PromptBuilder builder, PromptCodec codec, Asker asker) {
        this.builder = builder;
        this.codec = codec;
        this.asker = asker;
    }

    /**
     * Runs a cell.
     *
     * @throws PromptLengthException if the cell cannot be built
     */
    public CellResult run(Cell cell) {
        Prompt prompt = builder.build(cell);
        Reply reply = asker.ask(prompt.tokens(), ANSWER_TOKENS);
        String answer = codec.decode(reply.tokens());
        return new CellResult(cell, scorer.score(prompt, answer), prompt.expected(), answer, reply, prompt.rounds());
    }
}
