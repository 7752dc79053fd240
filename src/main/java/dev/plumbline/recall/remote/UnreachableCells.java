package dev.plumbline.recall.remote;

import dev.plumbline.recall.CellAnswer;
import dev.plumbline.recall.CellTarget;
import dev.plumbline.recall.PromptCodec;
import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.recall.result.TargetRecord;
import dev.plumbline.recall.suite.Edges;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A server that could not even be measured when a run was to begin: every cell is an error that says why. */
record UnreachableCells(RemoteTarget target, PromptMeasure prompts) implements CellTarget {

    @Override
    public TargetRecord about() {
        return RemoteCells.about(target, Map.of("server", prompts.failure()));
    }

    @Override
    public Map<String, String> flags() {
        return Map.of();
    }

    @Override
    public Edges edges() {
        return target.edges();
    }

    @Override
    public PromptCodec codec() {
        return prompts.codec();
    }

    @Override
    public String measure() {
        return prompts.name();
    }

    @Override
    public int parallel() {
        return target.parallel();
    }

    @Override
    public CompletableFuture<CellAnswer> ask(SuitePrompt prompt) {
        return CompletableFuture.completedFuture(new CellAnswer.Unanswered(
                "target " + target.name() + " could not be measured when the run began: " + prompts.failure()));
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
