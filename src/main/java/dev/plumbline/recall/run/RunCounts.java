package dev.plumbline.recall.run;

/**
 * Cells of a run by what became of them.
 *
 * @param cells all that were planned
 * @param passed whose answer is right
 * @param failed whose answer is complete and wrong
 * @param truncated whose answer hit its token limit
 * @param errors that could not be asked, or whose answer broke off
 */
public record RunCounts(int cells, int passed, int failed, int truncated, int errors) {

    /** Those with a result. */
    public int done() {
        return passed + failed + truncated + errors;
    }

    /** Those without one. */
    public int missing() {
        return cells - done();
    }
}
