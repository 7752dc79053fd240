package dev.plumbline.cli;

import dev.plumbline.recall.Cell;
import dev.plumbline.recall.CellResult;
import dev.plumbline.recall.CellRunner;
import java.util.ArrayList;
import java.util.List;

/** Asks cells one after the other under a progress bar. */
final class CellLoop {
    private CellLoop() {}

    static List<CellResult> run(CellRunner runner, List<Cell> cells, String task) {
        List<CellResult> results = new ArrayList<>();
        int passed = 0;
        long tokens = cells.stream().mapToLong(Cell::length).sum();
        try (Progress progress = Progress.of(task, tokens, System.err)) {
            for (Cell cell : cells) {
                CellResult result = runner.run(cell);
                results.add(result);
                passed += result.score().passed() ? 1 : 0;
                progress.done(cell.length(), passed + "/" + results.size() + " right");
            }
        }
        return results;
    }
}
