package dev.plumbline.recall.table;

import dev.plumbline.recall.Rate;
import dev.plumbline.recall.verdict.CellState;
import dev.plumbline.recall.verdict.StratumFinding;
import dev.plumbline.recall.verdict.VerdictRule;
import java.util.List;

/**
 * One stratum under one run config.
 *
 * @param config the run config
 * @param stratum the stratum
 * @param required whether a verdict depends on it
 * @param planned cells of the suite in it
 * @param cells those that are done
 * @param seconds how long they took together
 * @param finding against the baseline; null for the baseline itself and where it cannot be compared
 */
record StratumRow(
        String config,
        String stratum,
        boolean required,
        int planned,
        List<KeptCell> cells,
        double seconds,
        StratumFinding finding) {

    /** Cells with a complete answer. */
    int scored() {
        return (int) cells.stream().filter(cell -> cell.state().scored()).count();
    }

    /** Cells with an answer that was cut, or with none. */
    int unscored() {
        return cells.size() - scored();
    }

    /** Recall; null without answers. */
    Rate rate() {
        int passed = (int)
                cells.stream().filter(cell -> cell.state() == CellState.PASSED).count();
        return scored() == 0 ? null : new Rate(passed, scored());
    }

    /** Cells whose needle was selected in no layer; -1 if nothing was traced. */
    int neverSelected() {
        if (cells.stream().allMatch(cell -> cell.layers() == 0)) {
            return -1;
        }
        return (int) cells.stream().filter(KeptCell::neverSelected).count();
    }

    /** What the rule says of this stratum alone. */
    String verdict(VerdictRule rule) {
        if (finding == null) {
            return "";
        }
        if (finding.safe(rule)) {
            return "safe";
        }
        return finding.suspicious(rule) ? "LOST" : "open";
    }
}
