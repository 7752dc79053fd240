package dev.plumbline.recall.run;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.plumbline.recall.suite.SuiteCell;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** The cells of runs in their order, as their suites list them; those used last are kept. */
@Component
final class Plans {
    private static final int MOST_CELLS = 300_000;

    private final Cache<UUID, List<SuiteCell>> kept = Caffeine.newBuilder()
            .maximumWeight(MOST_CELLS)
            .weigher((UUID run, List<SuiteCell> cells) -> cells.size())
            .build();

    /** The cells of a run. */
    List<SuiteCell> of(StoredRun run) {
        return kept.get(run.id(), id -> run.suite().cells(run.edges(), run.seeds()));
    }

    /**
     * A cell of a plan.
     *
     * @throws OtherPlanException if the database has another one there: another version of this program made the run
     */
    static SuiteCell at(List<SuiteCell> plan, int ordinal, String id) {
        if (ordinal >= plan.size() || !plan.get(ordinal).id().equals(id)) {
            throw new OtherPlanException(ordinal, id);
        }
        return plan.get(ordinal);
    }
}
