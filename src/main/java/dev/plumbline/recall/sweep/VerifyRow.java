package dev.plumbline.recall.sweep;

import dev.plumbline.recall.Cell;
import dev.plumbline.recall.CellResult;
import dev.plumbline.recall.Depth;
import dev.plumbline.recall.Family;
import dev.plumbline.recall.Rate;
import java.util.ArrayList;
import java.util.List;

/**
 * Recall of one family at one length.
 *
 * @param family label of the family
 * @param length longest prompt of the row; the others are up to three tokens shorter, so that all four phases occur
 * @param indexTopk budget
 * @param passed right answers
 * @param n cells
 * @param low95 lower end of the Wilson interval
 * @param high95 upper end of the Wilson interval
 * @param promised bounds that the recall must keep
 * @param prefillTokS prompt tokens per second
 * @param commit of the program that asked
 * @param date when it asked
 * @param misses the cells that failed
 */
public record VerifyRow(
        String family,
        int length,
        int indexTopk,
        int passed,
        int n,
        double low95,
        double high95,
        Promise promised,
        double prefillTokS,
        String commit,
        String date,
        List<Miss> misses) {
    private static final int FEWEST_TO_JUDGE = 100;

    /** A cell that failed, with what it expected and got. */
    public record Miss(String cell, List<String> expected, String answer, int distance, String reason) {}

    /** The cells of a row: depths spread evenly, phases in turn. */
    public static List<Cell> cells(Family family, int length, int n, long seed) {
        List<Cell> cells = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            double fraction = (i + 0.5) / n;
            cells.add(new Cell(family, length - i % 4, new Depth(String.valueOf(fraction), fraction), seed + i));
        }
        return cells;
    }

    /** The row of a group's results. */
    public static VerifyRow of(
            Family family, int length, int indexTopk, CellGroup group, Promise promised, String commit, String date) {
        Rate rate = group.rate();
        return new VerifyRow(
                family.label(),
                length,
                indexTopk,
                rate.passed(),
                rate.asked(),
                rate.low(),
                rate.high(),
                promised,
                group.prefillTokensPerSecond(),
                commit,
                date,
                group.results().stream()
                        .filter(result -> !result.score().passed())
                        .map(VerifyRow::miss)
                        .toList());
    }

    /** The share that passed. */
    public double recall() {
        return (double) passed / n;
    }

    /** Whether the promise is kept; it says little while there are not {@link #enough} cells. */
    public boolean kept() {
        return promised.keptBy(recall());
    }

    /** Whether there are so many cells that the promise can be judged. */
    public boolean enough() {
        return n >= FEWEST_TO_JUDGE;
    }

    private static Miss miss(CellResult result) {
        return new Miss(
                result.cell().id(),
                result.expected(),
                result.answer(),
                result.score().distance(),
                result.score().reason());
    }
}
