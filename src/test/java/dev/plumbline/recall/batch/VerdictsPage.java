package dev.plumbline.recall.batch;

import dev.plumbline.recall.judge.Judgement;
import dev.plumbline.recall.result.CellRecord;
import dev.plumbline.recall.result.RunRecord;
import dev.plumbline.recall.verdict.CellState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The verdicts that the long checks came to, as a page. */
final class VerdictsPage {
    private final List<String> verdicts = new ArrayList<>();
    private final List<String> recall = new ArrayList<>();

    void add(Judgement judgement, String model) {
        verdicts.add("| " + model + " | " + judgement.baseline().suite().label() + " | "
                + judgement.baseline().seeds().get(0) + " | "
                + judgement.baseline().runConfig() + " | "
                + judgement.candidate().runConfig() + " | "
                + judgement.title() + " | " + judgement.sentence() + " |");
    }

    /** Recall of every stratum of a run. */
    void add(RunRecord run, String model) {
        Map<String, int[]> counts = new LinkedHashMap<>();
        for (CellRecord cell : run.cells()) {
            int[] count = counts.computeIfAbsent(cell.cell().stratum(), name -> new int[2]);
            count[0] += cell.state() == CellState.PASSED ? 1 : 0;
            count[1]++;
        }
        counts.forEach((stratum, count) -> recall.add("| " + model + " | " + run.runConfig() + " | " + stratum + " | "
                + String.format(Locale.ROOT, "%.1f %%", 100.0 * count[0] / count[1]) + " | " + count[1] + " |"));
    }

    void write(Path file, String commit, String device) throws IOException {
        String page = """
                # What the gate says of the embedded models

                Written by `GateVerdictsTest`, which `./plumbline verify` runs and which asserts what must be so: no storage is a
                REGRESSION of `needle-mini`, no config is one against itself, and of the twin that was made to lose its recall, fp8
                keys are. Commit %s, %s, %s.

                | model | suite | seed | baseline | candidate | verdict | why |
                |---|---|---|---|---|---|---|
                %s

                ## What a doubled budget does to a lost recall

                | model | run config | cells of `story` | recall | n |
                |---|---|---|---|---|
                %s
                """.formatted(
                commit, LocalDate.now(ZoneOffset.UTC), device, String.join("\n", verdicts), String.join("\n", recall));
        Files.writeString(file, page);
    }
}
