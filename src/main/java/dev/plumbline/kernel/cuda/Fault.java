package dev.plumbline.kernel.cuda;

/** What a kernel reports when an argument would lead it outside; the order is that of common.cuh. */
enum Fault {
    FIRST_ROW_ZERO("firstRow[0] is {0}, allowed: 0"),
    SEQUENCE("sequenceOf[{0}] is {1}, allowed: -1 to {2}"),
    POSITION("positions[{0}] is {1}, allowed: 0 to {2}"),
    FIRST_ROW("firstRow[{0}] is {1}, allowed: 0 to {2}"),
    POSITION_GAP("positions[{0}] is {1}, allowed: {2}"),
    SLOT("slots[{0}] is {1}, allowed: 0 to {2}"),
    TOKEN("tokens[{0}] is {1}, allowed: 0 to {2}"),
    PAGE("pages[{0}, {1}] is {2}, allowed: 0 to {3}, because an entry of it is used"),
    ENTRY("entry {1} of sequence {0} lies beyond its {2} pages of 64"),
    COUNT("counts[{0}] is {1}, allowed: 0 to {2}"),
    EXPERT("ids[{0}, {1}] is {2}, allowed: 0 to {3}"),
    TABLE_EXPERT("table[{0}] holds expert {1}, allowed: 0 to {2}"),
    ROW("rows[{0}] is {1}, allowed: 0 to {2}"),
    ADJUSTMENTS("adjustments of row {0} are {1} to {2}, allowed: ascending, at most {3}"),
    ADJUSTMENT_TOKEN("adjustmentToken[{0}] is {1}, allowed: 0 to {2}"),
    SAMPLED("ids[{0}] is {1}, allowed: 0 to {2}");

    private final String sentence;

    Fault(String sentence) {
        this.sentence = sentence;
    }

    /** The sentence with the numbers of one report. */
    String describe(long... values) {
        String result = sentence;
        for (int i = 0; i < values.length; i++) {
            result = result.replace("{" + i + "}", String.valueOf(values[i]));
        }
        return result;
    }
}
