package dev.plumbline.engine;

/**
 * What a sequence needs to go on behind a beginning that another one has computed.
 *
 * @param tokens the beginning
 * @param row where the rings' content lies
 * @param csaPages pages of its entries, the last one perhaps in part
 * @param hcaPages likewise
 */
record Snapshot(int[] tokens, int row, int[] csaPages, int[] hcaPages) {
    int length() {
        return tokens.length;
    }
}
