package dev.plumbline.recall.run;

import dev.plumbline.recall.CellAnswer;
import dev.plumbline.recall.CellTarget;
import dev.plumbline.recall.PromptCodec;
import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Edges;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Asks a target prompts that were measured otherwise: the same messages, in the target's own tokens.
 *
 * @param cells the target
 * @param codec how the prompts are measured
 * @param measure its name
 */
record Reencoded(CellTarget cells, PromptCodec codec, String measure) implements CellTarget {

    @Override
    public TargetRecord about() {
        return cells.about();
    }

    @Override
    public Map<String, String> flags() {
        return cells.flags();
    }

    @Override
    public Edges edges() {
        return cells.edges();
    }

    @Override
    public int parallel() {
        return cells.parallel();
    }

    @Override
    public CompletableFuture<CellAnswer> ask(SuitePrompt prompt) {
        int[] tokens = cells.codec().encode(prompt.turns());
        return cells.ask(new SuitePrompt(prompt.cell(), prompt.turns(), tokens, prompt.expected(), prompt.others()));
    }

    @Override
    public void close() {
        cells.close();
    }
}
