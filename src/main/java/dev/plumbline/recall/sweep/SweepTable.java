package dev.plumbline.recall.sweep;

import dev.plumbline.recall.CellResult;
import dev.plumbline.recall.Depth;
import dev.plumbline.recall.Rate;
import dev.plumbline.recall.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A sweep as a table for people. */
public final class SweepTable {
    private static final int MOST_MISSES = 8;
    private static final int LONGEST_ANSWER = 80;

    private SweepTable() {}

    /** The whole report. */
    public static String render(SweepResult sweep) {
        StringBuilder out = new StringBuilder();
        int width =
                sweep.about().keySet().stream().mapToInt(String::length).max().orElse(1);
        sweep.about()
                .forEach(
                        (name, value) -> out.append(String.format(Locale.ROOT, "%-" + width + "s  %s%n", name, value)));
        out.append('\n').append(table(sweep).render());
        misses(sweep, out);
        int rounds = sweep.results().stream().mapToInt(CellResult::rounds).max().orElse(1);
        if (rounds > 1) {
            out.append(String.format(
                    Locale.ROOT, "%nThe text was repeated up to %d times to fill the longest prompts.%n", rounds));
        }
        return out.toString();
    }

    private static TextTable table(SweepResult sweep) {
        List<String> header = new ArrayList<>(List.of("length"));
        sweep.grid().depths().forEach(depth -> header.add(depth.label()));
        header.addAll(List.of("recall", "95 % interval", "n", "prefill tok/s", "decode tok/s"));
        TextTable table = new TextTable(header);
        for (int length : sweep.grid().lengths()) {
            List<String> row = new ArrayList<>(List.of(String.valueOf(length)));
            for (Depth depth : sweep.grid().depths()) {
                Rate rate = sweep.group(length, depth).rate();
                row.add(rate.passed() + "/" + rate.asked());
            }
            row.addAll(summary(sweep.group(length)));
            table.row(row);
        }
        if (sweep.grid().lengths().size() > 1) {
            List<String> row = new ArrayList<>(List.of("all"));
            sweep.grid().depths().forEach(depth -> row.add(""));
            row.addAll(summary(sweep.all()).subList(0, 3));
            table.row(row);
        }
        return table;
    }

    private static List<String> summary(CellGroup group) {
        Rate rate = group.rate();
        return List.of(
                percent(rate.value()),
                percent(rate.low()) + " to " + percent(rate.high()),
                String.valueOf(rate.asked()),
                speed(group.prefillTokensPerSecond()),
                speed(group.decodeTokensPerSecond()));
    }

    private static void misses(SweepResult sweep, StringBuilder out) {
        List<CellResult> misses = sweep.misses();
        if (misses.isEmpty()) {
            return;
        }
        out.append(String.format(Locale.ROOT, "%n%d missed:%n", misses.size()));
        for (CellResult miss : misses.subList(0, Math.min(MOST_MISSES, misses.size()))) {
            String expected =
                    miss.expected().isEmpty() ? "that the text does not say" : String.join(", ", miss.expected());
            out.append(String.format(
                    Locale.ROOT,
                    "  %s: expected %s, got %s (%d off)%n",
                    miss.cell().id(),
                    expected,
                    shortened(miss.answer()),
                    miss.score().distance()));
        }
        if (misses.size() > MOST_MISSES) {
            out.append(String.format(Locale.ROOT, "  and %d more%n", misses.size() - MOST_MISSES));
        }
    }

    private static String shortened(String answer) {
        // A model may well answer with control characters; a terminal would obey them.
        String line = answer.strip().replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "?");
        if (line.isEmpty()) {
            return "nothing";
        }
        return line.length() <= LONGEST_ANSWER ? line : line.substring(0, LONGEST_ANSWER) + " ...";
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share * 100);
    }

    private static String speed(double tokensPerSecond) {
        return Double.isFinite(tokensPerSecond) ? String.format(Locale.ROOT, "%.0f", tokensPerSecond) : "-";
    }
}
