package dev.plumbline.target;

import dev.plumbline.engine.EngineStatus;
import dev.plumbline.model.AttentionKind;
import dev.plumbline.model.LayerSpec;
import dev.plumbline.model.Tokenizer;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.trace.CoveredEntry;
import dev.plumbline.trace.TextSpans;
import dev.plumbline.trace.TokenSpan;
import dev.plumbline.trace.TraceRequest;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * What a request's {@code selection} means for its prompt.
 *
 * @param prompt the prompt with the places of the watched texts
 * @param request what to ask the engine
 * @param bytes most bytes of the trace
 */
record SelectionPlan(TracedPrompt prompt, TraceRequest request, long bytes) {

    /**
     * Plans before anything is computed.
     *
     * @param userTurn id of the token that begins a user's text
     * @param profile of the lane that answers
     * @throws SelectionException naming the field, if the model, the prompt or the size of the trace rules it out
     */
    static SelectionPlan of(
            ChatPrompt chat,
            int[] tokens,
            Tokenizer tokenizer,
            int userTurn,
            PrecisionProfile profile,
            EngineStatus status) {
        SelectionOptions options = chat.selection();
        List<LayerSpec> specs = status.config().layers();
        List<Integer> layers = IntStream.range(0, specs.size())
                .filter(i -> specs.get(i).attention() == AttentionKind.CSA)
                .boxed()
                .toList();
        requireLayers(options, layers);
        int ratio = specs.get(layers.get(0)).ratio();
        TokenSpan queries = queries(options.queries(), tokens, tokenizer, userTurn);
        TextSpans text =
                new TextSpans(Arrays.stream(tokens).mapToObj(tokenizer::bytes).toArray(byte[][]::new));
        List<WatchedText> watched = options.watch().stream()
                .map(wanted -> watched(wanted, text, ratio))
                .toList();
        TraceSize size = TraceSize.of(
                chat, tokens.length, queries, layers.size(), ratio, watched, profile.indexTopk(), status.maxContext());
        size.require();
        return new SelectionPlan(
                new TracedPrompt(tokens.length, ratio, watched),
                new TraceRequest(
                        queries.from(),
                        queries.to(),
                        options.stages(),
                        options.layers(),
                        watched.stream().map(WatchedText::spans).toList(),
                        options.entries()),
                size.bytes());
    }

    private static void requireLayers(SelectionOptions options, List<Integer> layers) {
        if (layers.isEmpty()) {
            throw new SelectionException(
                    "selection", "Invalid value for 'selection': this model has no layer that selects entries.");
        }
        for (int layer : new TreeSet<>(options.layers())) {
            if (!layers.contains(layer)) {
                throw new SelectionException(
                        "selection.layers",
                        "Invalid value for 'selection.layers': " + layer + "; allowed: the layers that select entries, "
                                + layers + ".");
            }
        }
    }

    private static TokenSpan queries(
            SelectionOptions.Queries queries, int[] tokens, Tokenizer tokenizer, int userTurn) {
        return switch (queries) {
            case QUESTION -> question(tokens, tokenizer, userTurn);
            case LAST -> new TokenSpan(tokens.length - 1, tokens.length);
            case ANSWER -> new TokenSpan(tokens.length, TraceRequest.UNTIL_END);
            case ALL -> new TokenSpan(0, TraceRequest.UNTIL_END);
        };
    }

    /** What follows the last user turn's opening token, up to the next special token. */
    private static TokenSpan question(int[] tokens, Tokenizer tokenizer, int userTurn) {
        int from = tokens.length;
        while (from > 0 && tokens[from - 1] != userTurn) {
            from--;
        }
        int to = from;
        while (from > 0 && to < tokens.length && !tokenizer.isSpecial(tokens[to])) {
            to++;
        }
        if (to == from) {
            throw new SelectionException(
                    "selection.queries",
                    "Invalid value for 'selection.queries': \"question\"; the prompt has no text of a user; allowed: "
                            + "answer, last, all.");
        }
        return new TokenSpan(from, to);
    }

    private static WatchedText watched(String wanted, TextSpans text, int ratio) {
        List<TokenSpan> spans = text.find(wanted);
        List<Integer> entries =
                CoveredEntry.of(spans, ratio).stream().map(CoveredEntry::entry).toList();
        return new WatchedText(wanted, spans, entries);
    }
}
