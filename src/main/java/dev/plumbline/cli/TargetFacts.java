package dev.plumbline.cli;

import dev.plumbline.engine.EngineStatus;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.target.NativeTarget;
import dev.plumbline.target.TargetOptions;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a measurement ran: the model, the backend and the flags as the running engine tells them. */
final class TargetFacts {
    private TargetFacts() {}

    static Map<String, String> of(NativeTarget target, TargetOptions options) {
        EngineStatus status = target.status();
        PrecisionProfile profile = status.profile();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("model", target.name());
        facts.put("backend", status.backend());
        facts.put("isa", status.description());
        facts.put("threads", String.valueOf(options.threads()));
        facts.put("linear_dtype", spelled(profile.linear()));
        facts.put("index_key_dtype", spelled(profile.indexKeys()));
        facts.put("kv_dtype", spelled(profile.kv()));
        facts.put("topk_backend", spelled(profile.topk()));
        facts.put("index_topk", String.valueOf(profile.indexTopk()));
        facts.put("prefill_chunk", String.valueOf(profile.prefillChunk()));
        facts.put("commit", Machine.commit());
        return facts;
    }

    private static String spelled(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
