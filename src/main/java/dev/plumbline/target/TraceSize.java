package dev.plumbline.target;

import dev.plumbline.trace.Stage;
import dev.plumbline.trace.TokenSpan;
import java.util.List;

/**
 * How large a trace can become, as JSON; more than it ever takes.
 *
 * @param promptQueries queries of the prompt asked about
 * @param answerQueries queries of the answer asked about, if it becomes as long as it may
 * @param layers layers asked about
 * @param choices answers
 * @param queryBytes bytes of a query in a layer, without ids
 * @param idBytes bytes of the ids of a query's selected entries; 0 if they are not asked for
 * @param placeBytes bytes of the places of the watched texts, told once
 */
record TraceSize(
        long promptQueries,
        long answerQueries,
        int layers,
        int choices,
        long queryBytes,
        long idBytes,
        long placeBytes) {
    /** Most bytes of a trace. */
    static final long MOST = 32L << 20;

    private static final int QUERY = 300;
    private static final int TEXT = 110;
    private static final int ENTRY = 200;
    private static final int SPAN = 32;
    private static final int ID = 8;
    /** Of a watched text itself, every character escaped. */
    private static final int CHARACTER = 6;

    static TraceSize of(
            ChatPrompt chat,
            int promptTokens,
            TokenSpan queries,
            int layersOfModel,
            int tokensPerEntry,
            List<WatchedText> watched,
            int budget,
            int maxContext) {
        SelectionOptions options = chat.selection();
        int room = maxContext - promptTokens;
        int answer = Math.max(0, Math.min(chat.maxTokens(), room));
        boolean prefill = options.stages().contains(Stage.PREFILL);
        boolean decode = options.stages().contains(Stage.DECODE);
        int mostEntries = (promptTokens + answer) / tokensPerEntry;
        int ids = options.entries() ? Math.min(budget, mostEntries) : 0;
        return new TraceSize(
                prefill ? Math.max(0, Math.min(queries.to(), promptTokens) - queries.from()) : 0,
                decode ? answer : 0,
                options.layers().isEmpty() ? layersOfModel : options.layers().size(),
                chat.choices(),
                QUERY
                        + watched.stream()
                                .mapToLong(text ->
                                        TEXT + (long) ENTRY * text.entries().size())
                                .sum(),
                (long) ids * (String.valueOf(mostEntries).length() + 1),
                watched.stream().mapToLong(TraceSize::placeBytes).sum());
    }

    private static long placeBytes(WatchedText text) {
        return TEXT
                + (long) CHARACTER * text.text().length()
                + (long) SPAN * text.spans().size()
                + (long) ID * text.entries().size();
    }

    long bytes() {
        return (promptQueries + answerQueries) * layers * choices * (queryBytes + idBytes) + placeBytes;
    }

    /** Refuses what is too large, with the numbers and the field that makes it so. */
    void require() {
        if (bytes() > MOST) {
            String field = toNarrow();
            throw new SelectionException(
                    field,
                    "'selection' asks for up to " + (promptQueries + answerQueries) + " queries × " + layers
                            + " layers × " + choices + " answers × " + (queryBytes + idBytes) + " bytes + " + placeBytes
                            + " bytes for the places of the texts = " + bytes() + " bytes; allowed: " + MOST
                            + ". Narrow '" + field + "'" + hint(field) + ".");
        }
    }

    /** The first of these fields with which alone the trace would fit. */
    private String toNarrow() {
        if (with(answerQueries, layers, queryBytes, 0).bytes() <= MOST) {
            return "selection.entries";
        }
        if (new TraceSize(promptQueries, answerQueries, layers, choices, QUERY, idBytes, 0).bytes() <= MOST) {
            return "selection.watch";
        }
        if (with(answerQueries, 1, queryBytes, idBytes).bytes() <= MOST) {
            return "selection.layers";
        }
        if (with(1, layers, queryBytes, idBytes).bytes() <= MOST) {
            return "max_completion_tokens";
        }
        return "selection.queries";
    }

    private TraceSize with(long answer, int onlyLayers, long query, long ids) {
        return new TraceSize(promptQueries, answer, onlyLayers, choices, query, ids, placeBytes);
    }

    private String hint(String field) {
        return switch (field) {
            case "selection.entries" -> " to false: the ids take " + idBytes + " bytes a query";
            case "selection.watch" -> ": the watched entries take " + (queryBytes - QUERY) + " bytes a query";
            case "max_completion_tokens" -> ": the answer may have " + answerQueries + " queries";
            default -> "";
        };
    }
}
