package dev.plumbline.recall.verdict;

/**
 * How often a configuration disagrees with itself. Measured by running it twice over the same cells; an engine whose
 * answers never vary has 0.
 *
 * @param discordant pairs that passed one time only
 * @param pairs all pairs; 0 if nothing could be measured
 */
public record NoiseFloor(int discordant, int pairs) {

    /** Checks the counts. */
    public NoiseFloor {
        if (discordant < 0 || discordant > pairs) {
            throw new IllegalArgumentException(discordant + " of " + pairs + " is no share of discordant pairs");
        }
    }

    /** Whether there is anything to hold a loss against. */
    public boolean measured() {
        return pairs > 0;
    }

    /** Share of discordant pairs, 0 to 1; 0 if nothing was measured. */
    public double rate() {
        return measured() ? (double) discordant / pairs : 0;
    }

    /** Whether a loss is larger than it would be if all this noise went in one direction. False if not measured. */
    boolean isBelow(double loss) {
        return measured() && loss > rate();
    }
}
