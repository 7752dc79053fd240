package dev.plumbline.cli;

import dev.plumbline.recall.Asker;
import dev.plumbline.recall.Cell;
import dev.plumbline.recall.CellRunner;
import dev.plumbline.recall.Family;
import dev.plumbline.recall.ModelCodec;
import dev.plumbline.recall.PromptBuilder;
import dev.plumbline.recall.Scorer;
import dev.plumbline.recall.sweep.CellGroup;
import dev.plumbline.recall.sweep.Promise;
import dev.plumbline.recall.sweep.VerifyReport;
import dev.plumbline.recall.sweep.VerifyRow;
import dev.plumbline.target.NativeTarget;
import java.util.List;
import java.util.Set;

/** Measures the rows of a report on one loaded model; a row that an earlier run measured may stand for its question. */
final class VerifyRun {
    private final CellRunner runner;
    private final int budget;
    private final int cells;
    private final long seed;
    private final Reuse reuse;

    /** Which rows of earlier runs stand for their question. */
    enum Reuse {
        NONE,
        SAME_COMMIT,
        ANY_COMMIT
    }

    VerifyRun(NativeTarget target, int cells, long seed, Scorer scorer, Reuse reuse) {
        ModelCodec codec = new ModelCodec(target.tokenizer(), target.encoding());
        Asker asker = new Asker(target.engine(), Set.of(target.encoding().endOfSentence()));
        this.runner = new CellRunner(PromptBuilder.inHeldOutTexts(codec), codec, asker, scorer);
        this.budget = target.status().profile().indexTopk();
        this.cells = cells;
        this.seed = seed;
        this.reuse = reuse;
    }

    /** The row of the report that answers this, else one measured now. */
    VerifyRow row(VerifyReport report, Family family, int length, Promise promise) {
        if (reuse == Reuse.NONE) {
            return measure(family, length, promise);
        }
        String commit = reuse == Reuse.SAME_COMMIT ? Machine.commit() : null;
        return report.row(family, length, budget, cells, commit).orElseGet(() -> measure(family, length, promise));
    }

    private VerifyRow measure(Family family, int length, Promise promise) {
        CellGroup group = ask(family, length);
        String date = Machine.now();
        return VerifyRow.of(family, length, budget, group, promise, Machine.commit(), date);
    }

    private CellGroup ask(Family family, int length) {
        List<Cell> all = VerifyRow.cells(family, length, cells, seed);
        return new CellGroup(CellLoop.run(runner, all, family.label() + " " + length + " at " + budget));
    }
}
