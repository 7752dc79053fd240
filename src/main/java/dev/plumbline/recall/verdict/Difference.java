package dev.plumbline.recall.verdict;

/**
 * Something that two runs must have in common and have not.
 *
 * @param what the thing
 * @param baseline as the baseline has it
 * @param candidate as the candidate has it
 */
public record Difference(Kind what, String baseline, String candidate) {

    /** What may differ. */
    public enum Kind {
        /** The checkpoint. */
        MODEL("model"),
        /** The suite or its version. */
        SUITE("suite"),
        /** The scorer or its version. */
        SCORER("scorer"),
        /** The planned cells. */
        CELLS("cells"),
        /** The prompt of a cell. */
        PROMPT("prompt"),
        /** Where a cell belongs. */
        GROUP("stratum and haystack");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** As sentences spell it. */
        public String label() {
            return label;
        }
    }

    /** The difference in words. */
    public String sentence() {
        return "the runs differ in " + what.label() + ": " + baseline + " in the baseline, " + candidate
                + " in the candidate";
    }
}
