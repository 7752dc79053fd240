package dev.plumbline.recall.judge;

import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.verdict.RunOutcomes;
import java.util.List;

/** Whether two runs had the same checkpoint, where targets need not tell. */
final class Models {
    private Models() {}

    /** Outcomes of the candidate; of another target that hides its checkpoint the baseline's is assumed, with a note. */
    static RunOutcomes aligned(RunRecord baseline, RunRecord candidate, List<String> notes) {
        TargetRecord one = baseline.target();
        TargetRecord other = candidate.target();
        RunOutcomes outcomes = candidate.outcomes();
        boolean known = !one.modelHash().isEmpty() && !other.modelHash().isEmpty();
        if (known || one.comparable().equals(other.comparable())) {
            return outcomes;
        }
        TargetRecord silent = one.modelHash().isEmpty() ? one : other;
        notes.add("The target " + silent.name() + " does not tell its checkpoint: that " + one.model() + " and "
                + other.model() + " are the same model is not checked.");
        return new RunOutcomes(baseline.outcomes().model(), outcomes.suite(), outcomes.scorer(), outcomes.cells());
    }
}
