package dev.plumbline.kernel;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PrecisionProfile;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which values of the flags a backend has kernels for; immutable. */
public final class FlagSupport {
    private final String backend;
    private final Map<Flag, List<String>> missing;

    private FlagSupport(String backend, Map<Flag, List<String>> missing) {
        this.backend = backend;
        this.missing = missing;
    }

    /** A backend that has a kernel for every value. */
    public static FlagSupport everythingOn(String backend) {
        return new FlagSupport(backend, Map.of());
    }

    /** The same without some values of a flag. */
    public FlagSupport except(Flag flag, String... values) {
        if (!flag.choices().containsAll(List.of(values))) {
            throw new IllegalArgumentException(flag.key() + " has no value " + String.join(", ", values));
        }
        Map<Flag, List<String>> fewer = new EnumMap<>(Flag.class);
        fewer.putAll(missing);
        fewer.put(flag, List.of(values));
        return new FlagSupport(backend, Collections.unmodifiableMap(fewer));
    }

    /** See {@link Kernels#refusal}. */
    public Optional<String> refusal(PrecisionProfile profile) {
        return missing.entrySet().stream()
                .filter(entry -> entry.getValue().contains(profile.value(entry.getKey())))
                .map(entry -> sentence(entry.getKey(), profile.value(entry.getKey()), entry.getValue()))
                .findFirst();
    }

    private String sentence(Flag flag, String value, List<String> without) {
        List<String> allowed = flag.choices().stream()
                .filter(choice -> !without.contains(choice))
                .toList();
        return flag.key() + " is " + value + ", which the backend " + backend + " has no kernel for; allowed: "
                + String.join(", ", allowed);
    }
}
