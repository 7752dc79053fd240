package dev.plumbline.recall.run;

/**
 * Which cells of a run a list is to have; what is null leaves all.
 *
 * @param stratum name of the stratum
 * @param state {@code waiting}, {@code claimed}, {@code passed}, {@code failed}, {@code truncated} or {@code error}
 * @param length tokens of the prompt
 */
public record CellFilter(String stratum, String state, Integer length) {
    /** Every cell. */
    public static final CellFilter ALL = new CellFilter(null, null, null);
}
