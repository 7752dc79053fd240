package dev.plumbline.precision;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Some flags of a profile: what a stored config, a command line or a request asks for. Immutable; each value is allowed
 * for its flag, whether they go together is asked by {@link PrecisionProfile#with}.
 *
 * @param values value of each flag that is set, in the order of the flag table
 */
public record PartialProfile(Map<Flag, String> values) {

    /**
     * Copies and checks.
     *
     * @throws ProfileException if a value is not allowed for its flag
     */
    public PartialProfile {
        List<ProfileException.Fault> faults = new ArrayList<>();
        Map<Flag, String> read = new EnumMap<>(Flag.class);
        // An EnumMap of its own first, so that faults come in the order of the flag table.
        Map<Flag, String> ordered = new EnumMap<>(Flag.class);
        ordered.putAll(values);
        ordered.forEach((flag, value) -> flag.read(value, faults).ifPresent(known -> read.put(flag, known)));
        if (!faults.isEmpty()) {
            throw new ProfileException(faults);
        }
        values = Collections.unmodifiableMap(read);
    }

    /** No flag at all. */
    public static PartialProfile empty() {
        return new PartialProfile(Map.of());
    }

    /** One flag. */
    public static PartialProfile of(Flag flag, Object value) {
        return parse(Map.of(flag.key(), value));
    }

    /**
     * Reads flags as people write them, in YAML, JSON or on a command line.
     *
     * @param raw value of each flag by its key
     * @throws ProfileException listing every flag that is unknown or has a value that is not allowed
     */
    public static PartialProfile parse(Map<String, ?> raw) {
        List<ProfileException.Fault> faults = new ArrayList<>();
        Map<Flag, Object> known = new EnumMap<>(Flag.class);
        raw.forEach((key, value) ->
                Flag.byKey(key).ifPresentOrElse(flag -> known.put(flag, value), () -> faults.add(unknown(key))));
        Map<Flag, String> read = new EnumMap<>(Flag.class);
        known.forEach((flag, value) -> flag.read(value, faults).ifPresent(text -> read.put(flag, text)));
        if (!faults.isEmpty()) {
            throw new ProfileException(faults);
        }
        return new PartialProfile(read);
    }

    private static ProfileException.Fault unknown(String key) {
        String echo = Spelling.echo(key);
        return new ProfileException.Fault(echo, echo + " is not a flag; allowed: " + Flag.keys());
    }

    /** These flags, and where this sets none those of {@code lower}. */
    public PartialProfile over(PartialProfile lower) {
        Map<Flag, String> merged = new EnumMap<>(Flag.class);
        merged.putAll(lower.values);
        merged.putAll(values);
        return new PartialProfile(merged);
    }

    /** The set flags by key, in the order of the flag table. */
    public Map<String, String> flags() {
        Map<String, String> flags = new LinkedHashMap<>();
        values.forEach((flag, value) -> flags.put(flag.key(), value));
        return Collections.unmodifiableMap(flags);
    }
}
