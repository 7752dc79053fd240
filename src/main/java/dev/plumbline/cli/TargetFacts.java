package dev.plumbline.cli;

import dev.plumbline.engine.EngineStatus;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetOptions;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a measurement ran: the model, the backend and the flags as the running engine tells them. */
final class TargetFacts {
    private TargetFacts() {}

    static Map<String, String> of(NativeTarget target, TargetOptions options) {
        EngineStatus status = target.status();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("model", target.name());
        if (!target.model().description().isEmpty()) {
            facts.put("model_description", target.model().description());
        }
        facts.put("backend", status.backend());
        facts.put("isa", status.description());
        facts.put("threads", String.valueOf(options.threads()));
        facts.putAll(status.profile().flags());
        facts.put("commit", Machine.commit());
        return facts;
    }
}
