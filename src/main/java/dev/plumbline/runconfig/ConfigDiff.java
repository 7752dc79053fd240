package dev.plumbline.runconfig;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Two run configs side by side, for one model.
 *
 * @param one the first
 * @param other the second
 * @param flags every flag, in the order of the flag table
 * @param sampling the sampling fields that one of them sets
 */
public record ConfigDiff(RunConfig one, RunConfig other, List<FlagPair> flags, List<SamplingPair> sampling) {

    /** A flag in both. */
    public record FlagPair(Effective.Value one, Effective.Value other) {
        /** Whether the two mean different things; where a value comes from makes no difference. */
        public boolean differs() {
            return !one.value().equals(other.value());
        }
    }

    /** A sampling field in both; null where it is left to the request. */
    public record SamplingPair(String field, Number one, Number other) {
        /** Whether the two differ. */
        public boolean differs() {
            return one == null ? other != null : !one.equals(other);
        }
    }

    /**
     * Compares.
     *
     * @param checkpointTopk budget of the model's checkpoint
     * @throws dev.plumbline.precision.ProfileException if one of them makes no sense for the model
     */
    public static ConfigDiff of(RunConfig one, RunConfig other, int checkpointTopk) {
        List<Effective.Value> left = effective(one, checkpointTopk);
        List<Effective.Value> right = effective(other, checkpointTopk);
        List<FlagPair> flags = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            flags.add(new FlagPair(left.get(i), right.get(i)));
        }
        return new ConfigDiff(one, other, List.copyOf(flags), sampling(one.sampling(), other.sampling()));
    }

    private static List<Effective.Value> effective(RunConfig config, int checkpointTopk) {
        return Effective.of(checkpointTopk, Map.of(Origin.RUN_CONFIG, config.profile()))
                .flags();
    }

    private static List<SamplingPair> sampling(SamplingDefaults one, SamplingDefaults other) {
        Map<String, Number> left = new LinkedHashMap<>(one.fields());
        Map<String, Number> right = other.fields();
        Set<String> names = new LinkedHashSet<>(left.keySet());
        names.addAll(right.keySet());
        return names.stream()
                .map(name -> new SamplingPair(name, left.get(name), right.get(name)))
                .toList();
    }
}
