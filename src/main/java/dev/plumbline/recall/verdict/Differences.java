package dev.plumbline.recall.verdict;

import dev.plumbline.recall.verdict.Difference.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Looks for what makes two runs incomparable. */
final class Differences {
    private Differences() {}

    /** Every kind of difference once, with the first example. */
    static List<Difference> between(RunOutcomes baseline, RunOutcomes candidate) {
        List<Difference> found = new ArrayList<>();
        compare(found, Kind.MODEL, baseline.model(), candidate.model());
        compare(found, Kind.SUITE, baseline.suite(), candidate.suite());
        compare(found, Kind.SCORER, baseline.scorer(), candidate.scorer());
        Map<String, CellOutcome> first = baseline.byId();
        Map<String, CellOutcome> second = candidate.byId();
        List<String> onlyFirst = lacking(first, second);
        List<String> onlySecond = lacking(second, first);
        if (!onlyFirst.isEmpty() || !onlySecond.isEmpty()) {
            found.add(new Difference(Kind.CELLS, alone(onlyFirst), alone(onlySecond)));
        }
        compareCells(found, Kind.PROMPT, first, second, CellOutcome::promptHash);
        compareCells(found, Kind.GROUP, first, second, cell -> cell.stratum() + " / " + cell.haystack());
        return found;
    }

    private static void compare(List<Difference> found, Kind kind, String first, String second) {
        if (!first.equals(second)) {
            found.add(new Difference(kind, first, second));
        }
    }

    private static void compareCells(
            List<Difference> found,
            Kind kind,
            Map<String, CellOutcome> first,
            Map<String, CellOutcome> second,
            Function<CellOutcome, String> property) {
        for (CellOutcome cell : first.values()) {
            CellOutcome other = second.get(cell.cell());
            if (other == null) {
                continue;
            }
            String one = property.apply(cell);
            String two = property.apply(other);
            // A cell that could not be asked may have no prompt; it is left out of the pairs.
            if (!one.equals(two) && !one.isEmpty() && !two.isEmpty()) {
                found.add(new Difference(kind, one + " (cell " + cell.cell() + ")", two));
                return;
            }
        }
    }

    private static List<String> lacking(Map<String, CellOutcome> some, Map<String, CellOutcome> others) {
        return some.keySet().stream().filter(cell -> !others.containsKey(cell)).toList();
    }

    private static String alone(List<String> cells) {
        return switch (cells.size()) {
            case 0 -> "none of its own";
            case 1 -> cells.get(0);
            default -> cells.get(0) + " and " + (cells.size() - 1) + " more";
        };
    }
}
