package dev.plumbline.recall.report;

import dev.plumbline.recall.judge.Judgement;

/**
 * A comparison, ready to be written.
 *
 * @param judgement the runs and what they say
 * @param command one command that judges the same again, for a POSIX shell
 */
public record ComparisonReport(Judgement judgement, String command) {

    /** Everything the judgement rests on but the cells that both sides passed. */
    public String json() {
        return RecordJson.pretty(ComparisonJson.of(this));
    }

    /**
     * Red if and only if the verdict is not SAFE: a suite {@code verdict} with a case per required stratum, then a suite per
     * stratum with a case per cell. A lost cell is a failure in a stratum that is a regression, and is skipped elsewhere; so
     * are cells that do not count.
     */
    public String junit() {
        return ComparisonJUnit.of(judgement);
    }

    /** A page for people. */
    public String markdown() {
        return ComparisonMarkdown.of(this);
    }
}
