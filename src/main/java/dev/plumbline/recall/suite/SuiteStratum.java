package dev.plumbline.recall.suite;

import dev.plumbline.document.DocumentException;
import java.util.List;

/**
 * A grid of cells that is judged by itself: lengths × haystacks × questions, for every seed of a run. Question q of a haystack
 * has placement q mod their number; haystack h has phase h mod their number.
 *
 * @param name as verdicts say it, such as {@code 4K tokens}
 * @param required whether a verdict depends on it; the others are only shown
 * @param task what is asked
 * @param lengths tokens of the prompts
 * @param placements where the needles asked about stand
 * @param phases lengths mod 4 that the haystacks take in turn, each length moved up to the next one of the phase; empty to
 *     leave the lengths as they are
 * @param haystacks texts, which are the clusters of the statistics
 * @param questions cells of each haystack and length
 */
public record SuiteStratum(
        String name,
        boolean required,
        Task task,
        List<Length> lengths,
        List<Placement> placements,
        List<Integer> phases,
        int haystacks,
        int questions) {

    /** Copies the lists and checks that every phase and every placement gets as many cells. */
    public SuiteStratum {
        lengths = List.copyOf(lengths);
        placements = List.copyOf(placements);
        phases = List.copyOf(phases);
        check(!lengths.isEmpty(), name, "lengths", "is empty; at least one is needed");
        check(!placements.isEmpty(), name, "placements", "is empty; at least one is needed");
        check(haystacks >= 1, name, "haystacks", "is " + haystacks + "; allowed: 1 and more");
        check(questions >= 1, name, "questions", "is " + questions + "; allowed: 1 and more");
        check(
                questions % placements.size() == 0,
                name,
                "questions",
                "is " + questions + "; allowed: a multiple of the " + placements.size() + " placements");
        check(
                task == Task.SINGLE
                        || task.sharesTexts()
                        || placements.stream().allMatch(placement -> placement.kind() == Placement.Kind.ONCE),
                name,
                "placements",
                "has in-window or repeated; allowed with tasks single, multikey and config-file only");
        check(
                phases.isEmpty() || haystacks % phases.size() == 0,
                name,
                "haystacks",
                "is " + haystacks + "; allowed: a multiple of the " + phases.size() + " phases");
        check(
                phases.stream().distinct().count() == phases.size()
                        && phases.stream().allMatch(phase -> phase >= 0 && phase < Phase.COUNT),
                name,
                "phases",
                "is " + phases + "; allowed: different numbers from 0 to 3");
    }

    /** Cells of one seed. */
    public long cells() {
        return Math.multiplyExact((long) lengths.size() * haystacks, questions);
    }

    private static void check(boolean right, String stratum, String field, String fault) {
        if (!right) {
            throw new DocumentException(field, "In stratum '" + stratum + "', '" + field + "' " + fault + ".");
        }
    }
}
