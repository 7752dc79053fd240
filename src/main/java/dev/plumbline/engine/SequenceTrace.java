package dev.plumbline.engine;

import dev.plumbline.model.AttentionKind;
import dev.plumbline.model.LayerSpec;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.trace.CoveredEntry;
import dev.plumbline.trace.QueryTrace;
import dev.plumbline.trace.Stage;
import dev.plumbline.trace.TokenSpan;
import dev.plumbline.trace.TraceRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** What one sequence's selections are asked about, which rows of the present step that concerns, and what was found. */
final class SequenceTrace {
    private static final Comparator<QueryTrace> IN_ORDER =
            Comparator.comparingInt(QueryTrace::position).thenComparingInt(QueryTrace::layer);

    private final TraceRequest request;
    private final List<List<CoveredEntry>> watched;
    private final EntryRows entries = new EntryRows();
    private List<QueryTrace> found = new ArrayList<>();
    private SequenceCache cache;
    private Stage stage;
    private int from;
    private int to;
    private int positionOfRowZero;

    private SequenceTrace(TraceRequest request, int ratio) {
        this.request = request;
        this.watched = request.watches().stream()
                .map(spans -> CoveredEntry.of(spans, ratio))
                .toList();
    }

    /**
     * The trace of a generation, or null when none is asked for.
     *
     * @throws IllegalArgumentException naming what the model or the prompt does not have
     */
    static SequenceTrace of(GenerationRequest request, ModelConfig config) {
        TraceRequest trace = request.trace();
        if (trace == null) {
            return null;
        }
        List<Integer> layers = csaLayers(config);
        if (layers.isEmpty()) {
            throw new IllegalArgumentException("a trace is asked for; the model has no layer that selects entries");
        }
        for (int layer : trace.layers()) {
            if (!layers.contains(layer)) {
                throw new IllegalArgumentException("layers has " + layer + "; allowed: " + layers);
            }
        }
        int prompt = request.prompt().length;
        for (List<TokenSpan> spans : trace.watches()) {
            for (TokenSpan span : spans) {
                if (span.to() > prompt) {
                    throw new IllegalArgumentException("a watched text ends at token " + span.to()
                            + "; allowed: up to the end of the prompt, " + prompt);
                }
            }
        }
        return new SequenceTrace(trace, config.layers().get(layers.get(0)).ratio());
    }

    /** The layers that select entries. */
    static List<Integer> csaLayers(ModelConfig config) {
        List<LayerSpec> layers = config.layers();
        return IntStream.range(0, layers.size())
                .filter(i -> layers.get(i).attention() == AttentionKind.CSA)
                .boxed()
                .toList();
    }

    /** Notes the rows that the next step computes for this sequence. */
    void next(SequenceCache room, Stage of, int firstRow, int rows, int firstPosition) {
        cache = room;
        stage = of;
        positionOfRowZero = firstPosition - firstRow;
        boolean asked = request.stages().contains(of);
        int first = Math.max(firstPosition, request.from());
        int end = Math.min(firstPosition + rows, request.to());
        from = asked ? first - positionOfRowZero : 0;
        to = asked ? Math.max(from, end - positionOfRowZero) : 0;
    }

    /** Whether the trace asks about a row of the step. */
    boolean active() {
        return to > from;
    }

    boolean wants(int layer) {
        return active() && request.wants(layer);
    }

    /** First row of the step asked about. */
    int from() {
        return from;
    }

    /** One more than the last row of the step asked about. */
    int to() {
        return to;
    }

    int position(int row) {
        return positionOfRowZero + row;
    }

    Stage stage() {
        return stage;
    }

    SequenceCache cache() {
        return cache;
    }

    /** Entries of each watched text. */
    List<List<CoveredEntry>> watched() {
        return watched;
    }

    /** Whether the ids of all selected entries are asked for. */
    boolean wantsEntries() {
        return request.entries();
    }

    /** Watched entries that were read before. */
    EntryRows entries() {
        return entries;
    }

    void found(QueryTrace query) {
        found.add(query);
    }

    /** What was found since the last call, by position and layer. */
    List<QueryTrace> take() {
        List<QueryTrace> taken = found;
        found = new ArrayList<>();
        taken.sort(IN_ORDER);
        return taken;
    }
}
