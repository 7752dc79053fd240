package dev.plumbline.cli;

import dev.plumbline.recall.Asker;
import dev.plumbline.recall.Cell;
import dev.plumbline.recall.CellGroup;
import dev.plumbline.recall.CellRunner;
import dev.plumbline.recall.Family;
import dev.plumbline.recall.ModelCodec;
import dev.plumbline.recall.Promise;
import dev.plumbline.recall.PromptBuilder;
import dev.plumbline.recall.VerifyReport;
import dev.plumbline.recall.VerifyRow;
import dev.plumbline.target.NativeTarget;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;

/** Measures the rows of a report on one loaded model; a row that is there already is kept. */
final class VerifyRun {
    private final CellRunner runner;
    private final int budget;
    private final int cells;
    private final long seed;

    VerifyRun(NativeTarget target, int cells, long seed) {
        ModelCodec codec = new ModelCodec(target.tokenizer(), target.encoding());
        Asker asker = new Asker(target.engine(), Set.of(target.encoding().endOfSentence()));
        this.runner = new CellRunner(PromptBuilder.inHeldOutTexts(codec), codec, asker);
        this.budget = target.status().profile().indexTopk();
        this.cells = cells;
        this.seed = seed;
    }

    /** The report with this row, measured now if it was missing. */
    VerifyReport complete(VerifyReport report, Family family, int length, Promise promise) {
        if (report.row(family, length, budget, cells).isPresent()) {
            return report;
        }
        CellGroup group = ask(family, length);
        String date = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        return report.with(VerifyRow.of(family, length, budget, group, promise, Machine.commit(), date));
    }

    private CellGroup ask(Family family, int length) {
        List<Cell> all = VerifyRow.cells(family, length, cells, seed);
        return new CellGroup(CellLoop.run(runner, all, family.label() + " " + length + " at " + budget));
    }
}
