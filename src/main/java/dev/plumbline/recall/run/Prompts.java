package dev.plumbline.recall.run;

import dev.plumbline.recall.PromptLengthException;
import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.recall.remote.PromptMeasure;
import dev.plumbline.recall.remote.TargetException;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.target.TargetSlot;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Builds prompts of stored cells again: the database keeps their hashes only. */
@Component
public final class Prompts {
    private final TargetSlot slot;
    private final RunStore store;

    Prompts(TargetSlot slot, RunStore store) {
        this.slot = slot;
        this.store = store;
    }

    /**
     * The prompt of a cell; empty if this server measures prompts otherwise than the run did, or if it has none. Takes
     * some tenths of a second.
     *
     * @param texts whether prompts in a user's own text are wanted too; without them such a cell has none
     */
    public Mono<SuitePrompt> of(StoredRun run, SuiteCell cell, boolean texts) {
        return Mono.defer(() -> store.haystack(run.id()).defaultIfEmpty(""))
                .filter(text -> texts || text.isEmpty())
                .publishOn(Schedulers.boundedElastic())
                .mapNotNull(text -> build(run.measure(), text.isEmpty() ? null : text, cell));
    }

    private SuitePrompt build(String measure, String haystack, SuiteCell cell) {
        try {
            PromptMeasure named = PromptMeasure.named(measure, slot.target().orElse(null));
            return PromptBuilders.of(named.codec(), haystack).build(cell);
        } catch (TargetException | PromptLengthException e) {
            return null;
        }
    }
}
