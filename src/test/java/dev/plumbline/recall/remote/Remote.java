package dev.plumbline.recall.remote;

import dev.plumbline.database.Database;
import dev.plumbline.recall.CellTarget;
import dev.plumbline.recall.SuitePrompt;
import dev.plumbline.recall.SuitePromptBuilder;
import dev.plumbline.recall.suite.Placement;
import dev.plumbline.recall.suite.SuiteCell;
import dev.plumbline.recall.suite.Task;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetSlot;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** Targets of a test, which fail fast. */
final class Remote implements AutoCloseable {
    static final String KEY = "sk-secret-4492";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Targets targets;

    /** @param hosted null for none */
    Remote(Database database, NativeTarget hosted) {
        this(database, hosted, TargetNetworks.PRIVATE);
    }

    Remote(Database database, NativeTarget hosted, TargetNetworks networks) {
        TargetSlot slot = new TargetSlot();
        if (hosted != null) {
            slot.fill(hosted);
        }
        targets = new Targets(database, slot, networks, new Backoff(3, Duration.ofMillis(10), Duration.ofSeconds(2)));
    }

    Targets targets() {
        return targets;
    }

    /** Timeouts that a test can wait for, but a busy machine may exceed. */
    static final Map<String, Object> IMPATIENT =
            Map.of("timeouts", Map.of("connect_seconds", 2, "silence_seconds", 1, "answer_seconds", 3));

    /** A document of a target with a name of its own. */
    static Map<String, Object> document(String url, Map<String, Object> more) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", "t-" + UUID.randomUUID());
        document.put("kind", "openai");
        document.put("url", url);
        document.put("key", KEY);
        document.put("model", "m");
        document.put("edges", Map.of("window", 128, "budget", 256));
        document.put("timeouts", Map.of("silence_seconds", 30, "answer_seconds", 60));
        document.putAll(more);
        return document;
    }

    RemoteTarget create(String url, Map<String, Object> more) {
        return targets.create(NewTarget.of(document(url, more)), "tester").block(PATIENCE);
    }

    CellTarget open(String url, Map<String, Object> more) {
        return open(create(url, more), null);
    }

    CellTarget open(RemoteTarget target, String measure) {
        return targets.open(target.name(), measure).block(PATIENCE);
    }

    TargetCheck check(RemoteTarget target) {
        return targets.check(target.id().toString()).block(PATIENCE);
    }

    /** A prompt as the target's codec measures it. */
    static SuitePrompt prompt(CellTarget target, int length) {
        return prompts(target, length, 1).get(0);
    }

    /** Prompts about different texts. */
    static List<SuitePrompt> prompts(CellTarget target, int length, int count) {
        SuitePromptBuilder builder = SuitePromptBuilder.inHeldOutTexts(target.codec());
        Placement middle = new Placement("middle", 0.5, Placement.Kind.ONCE);
        return IntStream.range(0, count)
                .mapToObj(haystack ->
                        builder.build(new SuiteCell("all", Task.SINGLE, length, haystack, 7, 0, 0, List.of(middle), 0)))
                .toList();
    }

    @Override
    public void close() {
        targets.close();
    }
}
