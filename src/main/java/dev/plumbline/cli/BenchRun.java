package dev.plumbline.cli;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.recall.Asker;
import dev.plumbline.recall.Cell;
import dev.plumbline.recall.Depth;
import dev.plumbline.recall.Family;
import dev.plumbline.recall.ModelCodec;
import dev.plumbline.recall.PromptBuilder;
import dev.plumbline.recall.Reply;
import dev.plumbline.target.NativeTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Runs batches of prompts that differ from one another and from run to run. */
final class BenchRun {
    /** Tokens decoded while the whole batch decodes. */
    static final int DECODED = 64;

    private static final Depth DEPTH = Depth.of("middle");

    private final PromptBuilder builder;
    private final Asker asker;
    private final int chunk;
    private long seed;

    /** On the lane that is active when it begins. */
    BenchRun(NativeTarget target) {
        this(target, target.active());
    }

    /** On a lane that is open. */
    BenchRun(NativeTarget target, LaneKey lane) {
        this.builder = PromptBuilder.inHeldOutTexts(new ModelCodec(target.tokenizer(), target.encoding()));
        // Without stop tokens every answer has the length that the measurement needs.
        this.asker = new Asker(target.engine(), Set.of(), lane);
        this.chunk = lane.profile().prefillChunk();
    }

    /** One batch, prepared before its time is taken. */
    BenchSample run(int length, int batch) {
        List<int[]> prompts = prompts(length, batch);
        int answer = answerTokens(length, batch, chunk);
        List<CompletableFuture<Reply>> replies = new ArrayList<>();
        prompts.forEach(prompt -> replies.add(asker.submit(prompt, answer)));
        return BenchSample.of(replies.stream().map(CompletableFuture::join).toList());
    }

    /** The next prompts, each unlike all before. */
    List<int[]> prompts(int length, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> builder.build(new Cell(Family.SINGLE, length, DEPTH, seed++))
                        .tokens())
                .toList();
    }

    /** Long enough that the first sequence still decodes when the last one begins to. */
    static int answerTokens(int length, int batch, int chunk) {
        int chunks = (length + chunk - 1) / chunk;
        return DECODED + 1 + (batch - 1) * (chunks + 1);
    }
}
