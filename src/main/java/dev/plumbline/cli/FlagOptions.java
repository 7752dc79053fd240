package dev.plumbline.cli;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Precision flags on a command line. A flag that is not given is left to the model and the command. */
final class FlagOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--linear-dtype", paramLabel = "TYPE", description = "fp32 or bf16.")
    private String linearDtype;

    @Option(names = "--index-key-dtype", paramLabel = "TYPE", description = "fp32, bf16, fp8 or mxfp4.")
    private String indexKeyDtype;

    @Option(names = "--kv-dtype", paramLabel = "TYPE", description = "fp32, bf16 or fp8.")
    private String kvDtype;

    @Option(names = "--topk-backend", paramLabel = "NAME", description = "radix or sort.")
    private String topkBackend;

    @Option(names = "--index-topk", paramLabel = "N", description = "Entries a query selects (default: the model's).")
    private String indexTopk;

    @Option(names = "--prefill-chunk", paramLabel = "N", description = "Prompt tokens of a step (default: 512).")
    private String prefillChunk;

    @Option(
            names = "--graphs",
            paramLabel = "on|off",
            description = "Capture decode steps and repeat them; the backend cuda does (default: on).")
    private String graphs;

    @Option(
            names = "--override",
            paramLabel = "FLAG=VALUE",
            description = "Any flag of the flag table, such as index_rotation=hadamard; repeatable.")
    private List<String> overrides = new ArrayList<>();

    /**
     * The flags that were given.
     *
     * @throws ParameterException if a flag is given twice, or an override is not FLAG=VALUE
     * @throws dev.plumbline.precision.ProfileException naming every flag that is unknown or has a wrong value
     */
    PartialProfile given() {
        Map<String, String> given = new LinkedHashMap<>();
        put(given, Flag.LINEAR_DTYPE, linearDtype);
        put(given, Flag.INDEX_KEY_DTYPE, indexKeyDtype);
        put(given, Flag.KV_DTYPE, kvDtype);
        put(given, Flag.TOPK_BACKEND, topkBackend);
        put(given, Flag.INDEX_TOPK, indexTopk);
        put(given, Flag.PREFILL_CHUNK, prefillChunk);
        put(given, Flag.GRAPHS, graphs);
        for (String override : overrides) {
            int equals = override.indexOf('=');
            if (equals < 1) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--override is " + override + "; allowed: FLAG=VALUE, FLAG one of " + Flag.keys());
            }
            String key = override.substring(0, equals).strip();
            if (given.put(key, override.substring(equals + 1)) != null) {
                throw new ParameterException(
                        spec.commandLine(), key + " is given twice; allowed: once, by its own option or by --override");
            }
        }
        return PartialProfile.parse(given);
    }

    private static void put(Map<String, String> given, Flag flag, String value) {
        if (value != null) {
            given.put(flag.key(), value);
        }
    }
}
