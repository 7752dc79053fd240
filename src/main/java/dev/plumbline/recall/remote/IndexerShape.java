package dev.plumbline.recall.remote;

/**
 * How a server lays out what its indexer selected: for every token one row, with the ids of every layer's selected entries
 * in a row, −1 behind the last.
 *
 * @param layers layers that select
 * @param topk most entries that a query may select
 * @param ratio tokens of an entry's own window
 */
record IndexerShape(int layers, int topk, int ratio) {

    /** Ids of one token's row. */
    int stride() {
        return Math.multiplyExact(layers, topk);
    }

    /** Entries that a query can see. */
    int candidates(int position) {
        return (position + 1) / ratio;
    }

    /** Most bytes that an answer with so many tokens can have, with the base64 of a third more and room for the rest. */
    long mostBytes(int tokens) {
        return 2L * tokens * stride() * Integer.BYTES + ServerClient.MOST_BYTES;
    }

    /**
     * Finds the shape in what a short prompt gave. A query sees an entry once its window is complete, and while there are
     * fewer than the budget selects all of them. So the first row that has any entry has one a layer, and its number is the
     * ratio.
     *
     * @param ids all rows of the prompt, and perhaps of the answer
     * @param promptTokens tokens of the prompt, fewer than entries that a query may select
     * @param answerTokens tokens of the answer
     * @throws ServerFailure if they have no such shape
     */
    static IndexerShape of(int[] ids, int promptTokens, int answerTokens) {
        // The answer's last token was never a query; by another reading it has a row too.
        int rows = promptTokens + answerTokens - 1;
        if (rows < 1 || ids.length % rows != 0) {
            rows++;
        }
        if (ids.length == 0 || ids.length % rows != 0) {
            throw odd(ids.length + " ids for a prompt of " + promptTokens + " tokens");
        }
        int stride = ids.length / rows;
        int first = 0;
        while (first < ids.length && ids[first] < 0) {
            first++;
        }
        if (first == ids.length) {
            throw odd("no id in all of its " + rows + " rows");
        }
        int row = first / stride;
        int layers = count(ids, row, stride);
        if (stride % layers != 0) {
            throw odd(stride + " ids a token, of " + layers + " layers");
        }
        IndexerShape shape = new IndexerShape(layers, stride / layers, row + 1);
        for (int token = row; token < promptTokens; token++) {
            shape.requireAll(ids, token);
        }
        return shape;
    }

    private static int count(int[] ids, int row, int stride) {
        int count = 0;
        for (int i = row * stride; i < (row + 1) * stride; i++) {
            count += ids[i] >= 0 ? 1 : 0;
        }
        return count;
    }

    /** As long as there are fewer entries than may be selected, every layer selects all. */
    private void requireAll(int[] ids, int token) {
        int due = Math.min(topk, candidates(token));
        for (int layer = 0; layer < layers; layer++) {
            int from = token * stride() + layer * topk;
            int found = 0;
            for (int i = from; i < from + topk; i++) {
                if (ids[i] >= candidates(token)) {
                    throw odd("the entry " + ids[i] + " for token " + token);
                }
                found += ids[i] >= 0 ? 1 : 0;
            }
            if (found != due) {
                throw odd(found + " entries for token " + token + ", which sees " + due + " (layer " + layer + " of "
                        + layers + ", " + topk + " at most)");
            }
        }
    }

    private static ServerFailure odd(String found) {
        return ServerFailure.lasting("its indexer_topk has no known layout: " + found);
    }
}
