package dev.plumbline.engine;

import dev.plumbline.kernel.Kernels;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.trace.EntryTrace;
import dev.plumbline.trace.QueryTrace;
import dev.plumbline.trace.ScoreRow;
import dev.plumbline.trace.WatchTrace;
import java.util.ArrayList;
import java.util.List;

/**
 * Observes a step for the sequences that ask for a trace: reads the rows they ask about of what the kernels have written
 * for attention, neighbouring rows in one transfer. Changes nothing and takes no memory while nobody asks.
 */
final class StepTracer implements TapListener {
    private final Kernels kernels;
    private final CachePools pools;
    private final int budget;
    private final AttentionWeights weights;
    private final TracedRows scores = new TracedRows();
    private final TracedRows ids = new TracedRows();
    private List<SequenceTrace> active = List.of();
    /** Queries of the present layer that wait for the attention they gave. */
    private final List<Unweighed> unweighed = new ArrayList<>();

    private record Unweighed(SequenceTrace trace, int row, QueryTrace query) {}

    StepTracer(Kernels kernels, CachePools pools, PrecisionProfile profile, int headDim) {
        this.kernels = kernels;
        this.pools = pools;
        this.budget = profile.indexTopk();
        this.weights = new AttentionWeights(kernels, headDim, profile.attentionDecode());
    }

    /** What is to observe a step of these sequences; {@link TapListener#NONE} if none of them asks about a row of it. */
    TapListener of(List<SequenceTrace> traces) {
        unweighed.clear();
        if (traces.isEmpty()) {
            active = List.of();
            return TapListener.NONE;
        }
        active = traces.stream().filter(SequenceTrace::active).toList();
        return active.isEmpty() ? TapListener.NONE : this;
    }

    @Override
    public boolean wants(Tap tap, int layer) {
        return switch (tap) {
            case SCORES, SELECTION -> active.stream().anyMatch(trace -> trace.wants(layer));
            case LOG_SUM_EXP, ATTENTION_QUERY -> !unweighed.isEmpty();
            default -> false;
        };
    }

    @Override
    public void onTap(Tap tap, int layer, int firstRow, Tensor value) {
        switch (tap) {
            case SCORES -> scores.readFloats(kernels, wanting(layer), firstRow, value);
            case SELECTION -> {
                ids.readInts(kernels, wanting(layer), firstRow, value);
                select(layer, firstRow, (int) value.dim(0));
            }
            case LOG_SUM_EXP -> weights.readDenominators(value, rowOf(0), rowOf(unweighed.size() - 1));
            case ATTENTION_QUERY -> weigh(layer, value);
            default -> throw new IllegalArgumentException(tap + " was not asked for");
        }
    }

    private List<SequenceTrace> wanting(int layer) {
        return active.stream().filter(trace -> trace.wants(layer)).toList();
    }

    private int rowOf(int index) {
        return unweighed.get(index).row();
    }

    private void select(int layer, int firstRow, int rows) {
        for (SequenceTrace trace : wanting(layer)) {
            int end = Math.min(trace.to(), firstRow + rows);
            for (int row = Math.max(trace.from(), firstRow); row < end; row++) {
                QueryTrace query = query(trace, layer, row);
                boolean attended = query.watches().stream().anyMatch(watch -> watch.selected() > 0);
                if (attended) {
                    unweighed.add(new Unweighed(trace, row, query));
                } else {
                    trace.found(query);
                }
            }
        }
    }

    private QueryTrace query(SequenceTrace trace, int layer, int row) {
        int position = trace.position(row);
        int candidates = (position + 1) / pools.csaRatio();
        ScoreRow found =
                new ScoreRow(scores.floats(), scores.at(row), candidates, ids.ints(), ids.at(row), ids.width(), budget);
        return new QueryTrace(
                layer,
                position,
                trace.stage(),
                budget,
                candidates,
                found.selected(),
                found.lowestSelected(),
                found.counts(),
                trace.watched().stream().map(found::watch).toList(),
                trace.wantsEntries() ? found.selectedIds() : null);
    }

    /** After attention: gives the queries of a layer what attention gave to their watched entries. */
    private void weigh(int layer, Tensor query) {
        Pool pool = pools.layer(layer).entries();
        for (int i = 0; i < unweighed.size(); i++) {
            Unweighed one = unweighed.get(i);
            weights.query(query, one.row(), rowOf(unweighed.size() - 1));
            List<WatchTrace> watches = one.query().watches().stream()
                    .map(watch -> weighed(one.trace(), watch, layer, pool))
                    .toList();
            one.trace().found(one.query().withWatches(watches));
        }
        unweighed.clear();
    }

    private WatchTrace weighed(SequenceTrace trace, WatchTrace watch, int layer, Pool pool) {
        List<EntryTrace> entries = new ArrayList<>(watch.entries().size());
        for (EntryTrace entry : watch.entries()) {
            if (entry.selected()) {
                float[] values =
                        trace.entries().read(kernels, layer, pool, trace.cache().csaPages(), entry.entry());
                entries.add(weights.weigh(entry, values, trace.stage()));
            } else {
                entries.add(entry);
            }
        }
        return new WatchTrace(entries);
    }
}
