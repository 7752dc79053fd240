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
 */
record TraceSize(long promptQueries, long answerQueries, int layers, int choices, long queryBytes, long idBytes) {
    /** Most bytes of a trace. */
    static final long MOST = 32L << 20;

    private static final int QUERY = 300;
    private static final int TEXT = 110;
    private static final int ENTRY = 200;

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
                (long) ids * (String.valueOf(mostEntries).length() + 1));
    }

    long bytes() {
        return (promptQueries + answerQueries) * layers * choices * (queryBytes + idBytes);
    }

    /** Refuses what is too large, with the numbers and the field that makes it so. */
    void require() {
        if (bytes() > MOST) {
            String field = toNarrow();
            throw new SelectionException(
                    field,
                    "'selection' asks for up to " + (promptQueries + answerQueries) + " queries × " + layers
                            + " layers × " + choices + " answers × " + (queryBytes + idBytes) + " bytes = " + bytes()
                            + " bytes; allowed: " + MOST + ". Narrow '" + field + "'" + hint(field) + ".");
        }
    }

    private String toNarrow() {
        if (new TraceSize(promptQueries, answerQueries, layers, choices, queryBytes, 0).bytes() <= MOST) {
            return "selection.entries";
        }
        if (new TraceSize(promptQueries, answerQueries, layers, choices, QUERY, idBytes).bytes() <= MOST) {
            return "selection.watch";
        }
        if (new TraceSize(promptQueries, answerQueries, 1, choices, queryBytes, idBytes).bytes() <= MOST) {
            return "selection.layers";
        }
        if (new TraceSize(promptQueries, 1, layers, choices, queryBytes, idBytes).bytes() <= MOST) {
            return "max_completion_tokens";
        }
        return "selection.queries";
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
