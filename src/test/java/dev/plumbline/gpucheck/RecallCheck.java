package dev.plumbline.gpucheck;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.recall.Family;
import dev.plumbline.recall.ModelCodec;
import dev.plumbline.recall.Prompt;
import dev.plumbline.recall.PromptBuilder;
import dev.plumbline.recall.sweep.VerifyRow;
import dev.plumbline.target.NativeTarget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The embedded model's recall on two backends, cell by cell, under every storage; and that of its twin. */
final class RecallCheck {
    private static final int CELLS = 100;
    private static final int LENGTH = 4096;
    private static final String MODEL = Loaded.MODEL;
    private static final String TWIN = "needle-mini-cone";

    /** The backend cpu leaves some cores to the threads that drive a GPU at the same time. */
    private static final int THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() - 2);

    /** Recall of the twin with fp8 index keys, at most. */
    private static final int LOST = 60;

    private final CheckReport report;
    private final String tested;
    private final Map<String, List<Prompt>> prompts = new HashMap<>();

    /** Compares the backend {@code tested} with the backend cpu. */
    RecallCheck(CheckReport report, String tested) {
        this.report = report;
        this.tested = tested;
    }

    /** Every family under the defaults. */
    void families() {
        compare(Family.SINGLE, LENGTH, "", PartialProfile.empty());
        compare(Family.of("many-keys"), 1024, "", PartialProfile.empty());
        compare(Family.of("several-values"), 1024, "", PartialProfile.empty());
        compare(Family.of("absent"), 1024, "", PartialProfile.empty());
    }

    /** Every storage of index keys, keys and values but the defaults, which {@link #families} has. */
    void storages() {
        for (String type : List.of("fp32", "fp8", "mxfp4")) {
            compare(Flag.INDEX_KEY_DTYPE, type);
        }
        for (String type : List.of("fp32", "fp8")) {
            compare(Flag.KV_DTYPE, type);
        }
    }

    /** The twin loses its recall with fp8 index keys, and with no other. */
    void twin() {
        Map<String, Integer> passed = new HashMap<>();
        for (String type : List.of("fp32", "bf16", "fp8")) {
            Answers answers =
                    answers(TWIN, tested, Family.SINGLE, LENGTH, PartialProfile.of(Flag.INDEX_KEY_DTYPE, type));
            passed.put(type, answers.passed());
        }
        String name = "recall.twin.single." + LENGTH + ".index_key_dtype=";
        report.tell(name + "fp32." + tested, passed.get("fp32"), "of " + CELLS);
        report.row(
                name + "bf16." + tested,
                passed.get("bf16"),
                "of " + CELLS,
                "within 1 of fp32's " + passed.get("fp32"),
                Math.abs(passed.get("bf16") - passed.get("fp32")) <= 1);
        report.row(
                name + "fp8." + tested,
                passed.get("fp8"),
                "of " + CELLS,
                "at most " + LOST,
                passed.get("fp8") <= LOST && passed.get("fp32") > LOST);
    }

    private void compare(Flag flag, String value) {
        compare(Family.SINGLE, LENGTH, "." + flag.key() + "=" + value, PartialProfile.of(flag, value));
    }

    private void compare(Family family, int length, String suffix, PartialProfile flags) {
        CompletableFuture<Answers> other =
                CompletableFuture.supplyAsync(() -> answers(MODEL, "cpu", family, length, flags));
        Answers own = answers(MODEL, tested, family, length, flags);
        Answers expected = other.join();
        String name = "recall." + family.label() + "." + length + suffix;
        report.tell(name + ".cpu", expected.passed(), "of " + CELLS);
        report.row(
                name + "." + tested,
                own.passed(),
                "of " + CELLS,
                "within 1 of cpu's " + expected.passed(),
                Math.abs(own.passed() - expected.passed()) <= 1);
        report.tell(name + ".equal_answers", own.equalTo(expected), "of " + CELLS);
    }

    private Answers answers(String model, String backend, Family family, int length, PartialProfile flags) {
        try (NativeTarget target = Loaded.on(model, backend, flags, 16, THREADS)) {
            List<Prompt> asked = prompts(target, family, length);
            long start = System.nanoTime();
            Answers answers = Answers.of(target, asked);
            report.say(model + " " + flags.flags() + " on " + backend + " answered " + asked.size() + " cells of "
                    + family.label() + " " + length + " in " + (System.nanoTime() - start) / 1_000_000 + " ms");
            return answers;
        }
    }

    /** The prompts of a row, made once: both models have one tokenizer and one chat encoding. */
    private synchronized List<Prompt> prompts(NativeTarget target, Family family, int length) {
        return prompts.computeIfAbsent(family.label() + length, any -> {
            PromptBuilder builder = PromptBuilder.inHeldOutTexts(new ModelCodec(target.tokenizer(), target.encoding()));
            return VerifyRow.cells(family, length, CELLS, 1).parallelStream()
                    .map(builder::build)
                    .toList();
        });
    }
}
