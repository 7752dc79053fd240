package dev.plumbline.recall.suite;

/** A length mod 4: how much of the last compressed entry is open when the answer begins. */
final class Phase {
    static final int COUNT = 4;

    private Phase() {}

    /** The first length from {@code length} on that has the phase. */
    static int moved(int length, int phase) {
        return length + Math.floorMod(phase - length, COUNT);
    }
}
