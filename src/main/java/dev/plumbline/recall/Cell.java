package dev.plumbline.recall;

import java.util.Random;

/**
 * One test. Equal cells over equal texts give equal prompts, on every machine.
 *
 * @param family what is asked
 * @param length tokens of the whole prompt, chat tokens included
 * @param depth where the fact asked about is
 * @param seed distinguishes cells that agree in the rest
 */
public record Cell(Family family, int length, Depth depth, long seed) {

    /** Length mod 4: how much of the last compressed entry is open when the answer begins. */
    public int phase() {
        return length % 4;
    }

    /** A name unique within a run. */
    public String id() {
        return family.label() + "/" + length + "/" + depth.label() + "/" + seed;
    }

    /** A fresh generator; its algorithm is fixed by the Java specification. */
    Random random() {
        // The label is how the depth was spelled; the fraction is what it means.
        return NamedRandom.of(family.label() + "/" + length + "/" + depth.fraction() + "/" + seed);
    }
}
