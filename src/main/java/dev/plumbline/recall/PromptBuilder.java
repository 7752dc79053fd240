package dev.plumbline.recall;

import java.util.Random;

/** Builds prompts of exactly the cell's length; never of about that length. */
public final class PromptBuilder {
    private final Haystack haystack;
    private final PromptCodec codec;
    private final FillerSource filler;

    PromptBuilder(Haystack haystack, PromptCodec codec, FillerSource filler) {
        this.haystack = haystack;
        this.codec = codec;
        this.filler = filler;
    }

    /** Plants into a user's own text. */
    public static PromptBuilder in(FillerSource filler, PromptCodec codec) {
        return new PromptBuilder(Haystack.load(), codec, filler);
    }

    /** Plants into the built-in texts that the embedded model never met. */
    public static PromptBuilder inHeldOutTexts(PromptCodec codec) {
        Haystack haystack = Haystack.load();
        return new PromptBuilder(haystack, codec, FillerSource.heldOut(haystack));
    }

    /**
     * The prompt of a cell.
     *
     * @throws PromptLengthException if the length is too small for needles and question, or cannot be hit to the token
     */
    public Prompt build(Cell cell) {
        Random random = cell.random();
        Plan plan = new CellPlanner(haystack, codec, cell, random).plan();
        FillerStream stream = new FillerStream(filler, codec::countTokens, random);
        PromptFitter.Fitted fitted =
                new PromptFitter(codec, cell.length(), cell.family().label(), cell.id(), plan).fit(stream);
        return new Prompt(
                cell, fitted.turns(), fitted.tokens(), plan.expected(), plan.others(), stream.rounds(fitted.pieces()));
    }
}
