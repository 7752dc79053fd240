package dev.plumbline.recall.run;

/**
 * Which cells of a run a list is to have; what is null leaves all.
 *
 * @param stratum name of the stratum
 * @param state {@code waiting}, {@code claimed}, {@code passed}, {@code failed}, {@code truncated} or {@code error}
 * @param shortest fewest tokens of the prompt
 * @param longest most tokens of the prompt
 * @param phase tokens of the prompt mod 4
 * @param placement label of where the needle stands
 */
public record CellFilter(
        String stratum, String state, Integer shortest, Integer longest, Integer phase, String placement) {
    /** Every cell. */
    public static final CellFilter ALL = new CellFilter(null, null, null, null, null, null);
}
