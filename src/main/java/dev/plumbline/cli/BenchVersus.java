package dev.plumbline.cli;

import dev.plumbline.engine.LaneFacts;
import dev.plumbline.engine.LaneKey;
import dev.plumbline.target.NativeTarget;
import java.util.ArrayList;
import java.util.List;

/** Measures two run configs in turns, so that what else the machine does meets both. */
final class BenchVersus {
    private static final int WARM_UP = 512;

    private final NativeTarget target;
    private final LaneFacts a;
    private final LaneFacts b;

    /** Opens both lanes, with pools for every batch. */
    BenchVersus(NativeTarget target, LaneKey a, LaneKey b) {
        this.target = target;
        this.a = target.activate(a).block();
        this.b = target.activate(b).block();
    }

    LaneFacts a() {
        return a;
    }

    LaneFacts b() {
        return b;
    }

    /** A row per batch size and length; who begins takes turns too. */
    List<VersusRow> measure(List<Integer> lengths, List<Integer> batches, int runs) {
        BenchRun onA = new BenchRun(target, a.key());
        BenchRun onB = new BenchRun(target, b.key());
        int warmUp = Math.min(WARM_UP, lengths.get(0));
        onA.run(warmUp, 1);
        onB.run(warmUp, 1);
        List<VersusRow> rows = new ArrayList<>();
        long tokens = 2L
                * runs
                * batches.stream().mapToLong(Integer::longValue).sum()
                * lengths.stream().mapToLong(Integer::longValue).sum();
        try (Progress progress = Progress.of("bench", tokens, System.err)) {
            for (int batch : batches) {
                for (int length : lengths) {
                    List<BenchSample> ofA = new ArrayList<>();
                    List<BenchSample> ofB = new ArrayList<>();
                    for (int run = 0; run < runs; run++) {
                        if (run % 2 == 0) {
                            ofA.add(onA.run(length, batch));
                        }
                        ofB.add(onB.run(length, batch));
                        if (run % 2 == 1) {
                            ofA.add(onA.run(length, batch));
                        }
                        progress.done(2L * length * batch, length + " tokens, batch " + batch);
                    }
                    rows.add(VersusRow.of(length, batch, ofA, ofB));
                }
            }
        }
        return rows;
    }
}
