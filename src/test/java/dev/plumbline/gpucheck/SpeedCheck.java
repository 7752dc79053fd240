package dev.plumbline.gpucheck;

import dev.plumbline.recall.Asker;
import dev.plumbline.recall.Reply;
import dev.plumbline.target.NativeTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** First timings: prefill and decode of the embedded model, the better of two runs after one to warm up. */
final class SpeedCheck {
    private static final int DECODED = 128;
    private static final int RUNS = 3;
    private static final double NANOS = 1e9;

    private final CheckReport report;

    SpeedCheck(CheckReport report) {
        this.report = report;
    }

    void run() {
        for (String graphs : new String[] {"on", "off"}) {
            try (NativeTarget target = Loaded.on("cuda", graphs, 16)) {
                measure("cuda.graphs_" + graphs, target, 1024, 1);
                measure("cuda.graphs_" + graphs, target, 16_384, 1);
                measure("cuda.graphs_" + graphs, target, 1024, 8);
            }
        }
        try (NativeTarget target = Loaded.on("cpu", null, 16)) {
            measure("cpu", target, 1024, 1);
        }
    }

    private void measure(String name, NativeTarget target, int length, int batch) {
        Asker asker = new Asker(target.engine(), Set.of());
        double prefill = 0;
        double decode = 0;
        for (int run = 0; run < RUNS; run++) {
            List<CompletableFuture<Reply>> running = new ArrayList<>();
            for (int i = 0; i < batch; i++) {
                int[] prompt = new Random(run * 100L + i).ints(length, 10, 3000).toArray();
                running.add(asker.submit(prompt, DECODED + 1));
            }
            List<Reply> replies = running.stream().map(CompletableFuture::join).toList();
            long start = replies.stream().mapToLong(Reply::submittedNanos).min().orElseThrow();
            long all = replies.stream().mapToLong(Reply::firstNanos).max().orElseThrow();
            long end = replies.stream().mapToLong(Reply::lastNanos).max().orElseThrow();
            if (run > 0) {
                prefill = Math.max(prefill, (double) length * batch * NANOS / (all - start));
                decode = Math.max(decode, (double) DECODED * batch * NANOS / (end - all));
            }
        }
        String row = "speed." + name + "." + length + "x" + batch;
        report.tell(row + ".prefill", Math.round(prefill), "tokens/s");
        report.tell(row + ".decode", Math.round(decode), "tokens/s");
    }
}
