package dev.plumbline.runconfig;

import dev.plumbline.engine.EngineStatus;
import dev.plumbline.engine.LaneFacts;
import dev.plumbline.target.NativeTarget;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a server knows of the lane that serves a run config, as JSON; docs/api.md has the fields. */
final class Proof {
    private Proof() {}

    static String of(NativeTarget target, Served served, LaneFacts facts) {
        EngineStatus status = target.status();
        ObjectNode proof = JsonNodeFactory.instance.objectNode().put("run_config", served.config());
        ObjectNode overridden = proof.putObject("overridden");
        served.overridden().forEach(overridden::put);
        proof.put("system_fingerprint", target.fingerprint(served.lane()));
        BuildInfo.current().describe(proof.putObject("build"));
        proof.putObject("model")
                .put("name", target.name())
                .put("sha256", target.model().hash());
        proof.putObject("backend").put("name", status.backend()).put("runs_on", status.description());
        flags(proof.putArray("flags"), served, facts.flags());
        ArrayNode kernels = proof.putArray("kernels");
        facts.variants().forEach(kernels::add);
        ArrayNode code = proof.putArray("code");
        facts.code()
                .forEach(
                        (object, hash) -> code.addObject().put("object", object).put("sha256", hash));
        proof.putObject("smoke")
                .put("run", !facts.variants().isEmpty())
                .put("kernels", facts.variants().size());
        proof.putObject("memory")
                .put("weights_bytes", facts.bytes().weights())
                .put("pools_bytes", facts.bytes().pools())
                .put("working_bytes", facts.bytes().working())
                .put("max_sequences", facts.maxSequences())
                .put("tensors_read", facts.tensorReads());
        return proof.put("lane_ms", facts.took().toMillis()).toString();
    }

    /** Values as the lane has them, which must be those that were asked for. */
    private static void flags(ArrayNode flags, Served served, Map<String, String> readBack) {
        for (Effective.Value flag : served.effective().flags()) {
            flags.addObject()
                    .put("name", flag.flag().key())
                    .put("value", readBack.get(flag.flag().key()))
                    .put("asked", flag.value())
                    .put("origin", flag.origin().text());
        }
    }
}
