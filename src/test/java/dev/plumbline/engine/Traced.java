package dev.plumbline.engine;

import dev.plumbline.trace.QueryTrace;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** Collects a generation with its trace. */
final class Traced extends Collected {
    private final List<QueryTrace> queries = new CopyOnWriteArrayList<>();
    private final List<Integer> tokensBefore = new CopyOnWriteArrayList<>();
    private final int[] prompt;

    private Traced(int[] prompt) {
        this.prompt = prompt;
    }

    static Traced submit(Engine engine, GenerationRequest request) {
        Traced traced = new Traced(request.prompt());
        engine.submit(request, traced);
        return traced;
    }

    /** Submits and waits for the end. */
    static Traced run(Engine engine, GenerationRequest request) throws Exception {
        Traced traced = submit(engine, request);
        traced.reason();
        return traced;
    }

    List<QueryTrace> queries() {
        return List.copyOf(queries);
    }

    /** How many tokens had come before each report. */
    List<Integer> tokensBefore() {
        return List.copyOf(tokensBefore);
    }

    /** The first {@code promptTokens} of the prompt and the answer. */
    int[] everyToken(int promptTokens) {
        return IntStream.concat(
                        IntStream.of(prompt).limit(promptTokens),
                        tokens().stream().mapToInt(Integer::intValue))
                .toArray();
    }

    @Override
    public void onSelection(List<QueryTrace> found) {
        queries.addAll(found);
        tokensBefore.add(tokens().size());
    }
}
