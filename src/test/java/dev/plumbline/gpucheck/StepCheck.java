package dev.plumbline.gpucheck;

import dev.plumbline.engine.GenerationRequest;
import dev.plumbline.engine.SamplingParameters;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
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
    private static final int CHUNK = 64;
    private static final int SCORED = 8;

    /** On both sides of a page of entries and of an entry, and of a chunk. */
    private static final List<Integer> BEGINNINGS = List.of(63, 64, 65, 127, 128, 129, 255, 256, 257, 1022);

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
        Generated tokens = new Generated();
        target.engine().submit(new GenerationRequest(prompt, TOKENS, sampling, Set.of(), 0), tokens);
        return tokens.end();
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

    /** Going on behind a known beginning, and cutting the prompt otherwise, changes no bit of an answer. */
    void prefixes() {
        PartialProfile cut = PartialProfile.of(Flag.PREFILL_CHUNK, CHUNK);
        PartialProfile kept = PartialProfile.of(Flag.PREFIX_CACHE, "on").over(cut);
        long hotEqual = 0;
        long reused = 0;
        long cutEqual = 0;
        try (NativeTarget whole = Loaded.on("cuda", null, 4);
                NativeTarget cold = Loaded.on(Loaded.MODEL, "cuda", cut, 4, 1);
                NativeTarget hot = Loaded.on(Loaded.MODEL, "cuda", kept, 4, 1)) {
            for (int length : BEGINNINGS) {
                int[] prompt = new Random(length).ints(length + 100, 10, 3000).toArray();
                scored(hot, Arrays.copyOf(prompt, length));
                Generated behind = scored(hot, prompt);
                Generated plain = scored(cold, prompt);
                hotEqual += behind.scores().equals(plain.scores()) && plain.cached() == 0 ? 1 : 0;
                reused += behind.cached() == length ? 1 : 0;
                cutEqual += scored(whole, prompt).scores().equals(plain.scores()) ? 1 : 0;
            }
        }
        long all = BEGINNINGS.size();
        String unit = "of " + all;
        report.row("flags.prefix_cache=on.reused_whole_beginning", reused, unit, "all", reused == all);
        report.row("flags.prefix_cache=on.equal_log_probabilities", hotEqual, unit, "all", hotEqual == all);
        report.row("flags.prefill_chunk=" + CHUNK + ".equal_log_probabilities", cutEqual, unit, "all", cutEqual == all);
    }

    private static Generated scored(NativeTarget target, int[] prompt) {
        Generated generated = new Generated();
        int alternatives = GenerationRequest.MAX_TOP_LOG_PROBABILITIES;
        target.engine()
                .submit(
                        new GenerationRequest(
                                prompt, SCORED, SamplingParameters.greedy(), Set.of(), 0, alternatives, null),
                        generated);
        generated.end().join();
        return generated;
    }
}
