package dev.plumbline.recall.suite;

import java.util.List;
import java.util.Locale;

/**
 * One test of a suite. Cells that agree in all but the question ask about one text.
 *
 * @param stratum name of its stratum
 * @param task what is asked
 * @param length tokens of the whole prompt, chat tokens included
 * @param haystack number of the text within the stratum
 * @param seed of the run; another seed gives other haystacks and other needles
 * @param text number of the text with needles, among those made of the haystack
 * @param question number of the question about the haystack
 * @param needles where the needles stand that are asked about in this text, one question each
 * @param asked index of the needle that this cell asks about
 */
public record SuiteCell(
        String stratum,
        Task task,
        int length,
        int haystack,
        long seed,
        int text,
        int question,
        List<Placement> needles,
        int asked) {

    /** Copies the list. */
    public SuiteCell {
        needles = List.copyOf(needles);
    }

    /** Where the needle asked about stands. */
    public Placement placement() {
        return needles.get(asked);
    }

    /** Length mod 4. */
    public int phase() {
        return length % Phase.COUNT;
    }

    /** Name within every run of every suite; equal for equal tests. */
    public String id() {
        return String.format(
                Locale.ROOT,
                "%s/%d/%s/h%02d/q%02d/%d",
                task.label(),
                length,
                placement().label(),
                haystack,
                question,
                seed);
    }

    /** Name of the text that the needles are hidden in, equal in all strata: the cluster of the statistics. */
    public String haystackId() {
        return String.format(Locale.ROOT, "h%02d/%d", haystack, seed);
    }

    /** Name of the text with its needles; cells of equal ones share all but the end of their prompts. */
    public String textId() {
        return String.format(
                Locale.ROOT,
                "%s/%d/%s/h%02d/t%02d of %d/%d",
                task.label(),
                length,
                needles.get(0).label(),
                haystack,
                text,
                needles.size(),
                seed);
    }
}
