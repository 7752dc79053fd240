package dev.plumbline.gpucheck;

import dev.plumbline.engine.FinishReason;
import dev.plumbline.engine.GenerationListener;
import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.target.NativeTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Captured steps give the tokens of steps that are not, and what does not fit is refused while the rest goes on. */
final class StepCheck {
    private static final int PROMPTS = 12;
    private static final int TOKENS = 64;

    private final CheckReport report;

    StepCheck(CheckReport report) {
        this.report = report;
    }

    void graphs() {
        List<List<Integer>> off = generate("off");
        List<List<Integer>> on = generate("on");
        long equal = 0;
        for (int i = 0; i < PROMPTS; i++) {
            equal += on.get(i).equals(off.get(i)) && on.get(i).size() == TOKENS ? 1 : 0;
        }
        report.row("graphs.equal_generations", equal, "of " + PROMPTS, "all", equal == PROMPTS);
        long alone = 0;
        try (NativeTarget target = Loaded.on("cuda", "on", 16)) {
            for (int i = 0; i < PROMPTS; i++) {
                alone += submit(target, i).join().equals(off.get(i)) ? 1 : 0;
            }
        }
        report.row("batch.equal_alone_and_together", alone, "of " + PROMPTS, "all", alone == PROMPTS);
    }

    private static List<List<Integer>> generate(String graphs) {
        try (NativeTarget target = Loaded.on("cuda", graphs, 16)) {
            List<CompletableFuture<List<Integer>>> running = new ArrayList<>();
            for (int i = 0; i < PROMPTS; i++) {
                running.add(submit(target, i));
            }
            return running.stream().map(CompletableFuture::join).toList();
        }
    }

    private static CompletableFuture<List<Integer>> submit(NativeTarget target, int i) {
        int[] prompt = new Random(i).ints(30 + 171L * i, 10, 3000).toArray();
        SamplingParameters sampling = i % 3 == 0
                ? SamplingParameters.greedy()
                : new SamplingParameters(0.8f, 0.95f, i, 0.1f, 0.1f, Map.of(11, -1f));
        Tokens tokens = new Tokens();
        target.engine().submit(new GenerationRequest(prompt, TOKENS, sampling, Set.of(), 0), tokens);
        return tokens.end;
    }

    void memory() {
        String refusal = "nothing was refused";
        try (NativeTarget target = Loaded.on("cuda", "on", 60_000)) {
            refusal = "loaded " + target.name();
        } catch (RuntimeException e) {
            refusal = e.getMessage();
        }
        report.row(
                "memory.refusal",
                refusal,
                "",
                "says what is needed, free and held",
                refusal.contains("needs") && refusal.contains("free") && refusal.contains("holds"));
        try (NativeTarget target = Loaded.on("cuda", "on", 4)) {
            int tokens = submit(target, 3).join().size();
            report.row("memory.works_afterwards", tokens, "tokens", String.valueOf(TOKENS), tokens == TOKENS);
        }
    }

    private static final class Tokens implements GenerationListener {
        private final List<Integer> tokens = new ArrayList<>();
        private final CompletableFuture<List<Integer>> end = new CompletableFuture<>();

        @Override
        public void onToken(int token) {
            tokens.add(token);
        }

        @Override
        public void onFinished(FinishReason reason) {
            end.complete(List.copyOf(tokens));
        }

        @Override
        public void onFailed(RuntimeException failure) {
            end.completeExceptionally(failure);
        }

        @Override
        public String toString() {
            return Arrays.toString(tokens.toArray());
        }
    }
}
