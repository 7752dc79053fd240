package dev.plumbline.runconfig;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A whole profile and where each of its flags comes from.
 *
 * @param profile what a lane is built with
 * @param flags every flag, in the order of the flag table
 */
public record Effective(PrecisionProfile profile, List<Value> flags) {

    /**
     * One flag.
     *
     * @param flag which
     * @param value what it is
     * @param origin who said so
     */
    public record Value(Flag flag, String value, Origin origin) {}

    /** Copies the list. */
    public Effective {
        flags = List.copyOf(flags);
    }

    /**
     * Puts layers over the defaults of a model.
     *
     * @param checkpointTopk the checkpoint's budget
     * @param layers what each origin says, in any order
     * @throws dev.plumbline.precision.ProfileException if the result makes no sense
     */
    static Effective of(int checkpointTopk, Map<Origin, ConfigProfile> layers) {
        PartialProfile merged = PartialProfile.empty();
        Map<Flag, Origin> origins = new EnumMap<>(Flag.class);
        // From the strongest to the weakest.
        Map<Origin, ConfigProfile> ordered = new EnumMap<>(Origin.class);
        ordered.putAll(layers);
        for (Map.Entry<Origin, ConfigProfile> layer : ordered.entrySet()) {
            merged = merged.over(layer.getValue().at(checkpointTopk));
            layer.getValue().written().keySet().forEach(flag -> origins.putIfAbsent(flag, layer.getKey()));
        }
        PrecisionProfile defaults = PrecisionProfile.baseline(checkpointTopk);
        PrecisionProfile profile = defaults.with(merged);
        List<Value> flags = new ArrayList<>();
        Map<String, String> values = profile.flags();
        for (Flag flag : Flag.values()) {
            String value = values.get(flag.key());
            flags.add(new Value(flag, value, origin(flag, value, defaults, origins)));
        }
        return new Effective(profile, flags);
    }

    private static Origin origin(Flag flag, String value, PrecisionProfile defaults, Map<Flag, Origin> origins) {
        Origin said = origins.get(flag);
        if (said != null) {
            return said;
        }
        if (!value.equals(defaults.flags().get(flag.key()))) {
            // Nobody set it: numerics=qat brings its rotation along.
            return origins.getOrDefault(Flag.NUMERICS, Origin.DEFAULT);
        }
        return flag == Flag.INDEX_TOPK ? Origin.CHECKPOINT : Origin.DEFAULT;
    }
}
