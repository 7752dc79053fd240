package dev.plumbline.gpucheck;

import dev.plumbline.recall.Asker;
import dev.plumbline.recall.Cell;
import dev.plumbline.recall.CellResult;
import dev.plumbline.recall.CellRunner;
import dev.plumbline.recall.Family;
import dev.plumbline.recall.ModelCodec;
import dev.plumbline.recall.PromptBuilder;
import dev.plumbline.recall.Scorer;
import dev.plumbline.recall.VerifyRow;
import dev.plumbline.target.NativeTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The embedded model's recall on two backends, cell by cell. */
final class RecallCheck {
    private static final int CELLS = 100;

    private final CheckReport report;

    RecallCheck(CheckReport report) {
        this.report = report;
    }

    void run() {
        compare(Family.SINGLE, 4096);
        compare(Family.of("many-keys"), 1024);
        compare(Family.of("several-values"), 1024);
        compare(Family.of("absent"), 1024);
    }

    private void compare(Family family, int length) {
        List<CellResult> cuda = answers("cuda", family, length);
        List<CellResult> cpu = answers("cpu", family, length);
        String name = "recall." + family.label() + "." + length;
        int same = 0;
        for (int i = 0; i < CELLS; i++) {
            same += cuda.get(i).answer().equals(cpu.get(i).answer()) ? 1 : 0;
        }
        int onCuda = passed(cuda);
        int onCpu = passed(cpu);
        report.tell(name + ".cpu", onCpu, "of " + CELLS);
        report.row(name + ".cuda", onCuda, "of " + CELLS, "within 1 of cpu's " + onCpu, Math.abs(onCuda - onCpu) <= 1);
        report.tell(name + ".equal_answers", same, "of " + CELLS);
    }

    private List<CellResult> answers(String backend, Family family, int length) {
        try (NativeTarget target = Loaded.on(backend, null, 16)) {
            ModelCodec codec = new ModelCodec(target.tokenizer(), target.encoding());
            Asker asker = new Asker(target.engine(), Set.of(target.encoding().endOfSentence()));
            CellRunner runner = new CellRunner(PromptBuilder.inHeldOutTexts(codec), codec, asker, Scorer.exact());
            List<CellResult> results = new ArrayList<>();
            long start = System.nanoTime();
            for (Cell cell : VerifyRow.cells(family, length, CELLS, 1)) {
                results.add(runner.run(cell));
            }
            report.say(backend + " answered " + CELLS + " cells of " + family.label() + " " + length + " in "
                    + (System.nanoTime() - start) / 1_000_000 + " ms");
            return results;
        }
    }

    private static int passed(List<CellResult> results) {
        return (int) results.stream().filter(result -> result.score().passed()).count();
    }
}
