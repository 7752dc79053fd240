package dev.plumbline.runconfig;

import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.ProfileException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The flags that a run config sets, as they were written. A budget may be relative: {@code index_topk: 2x} means twice
 * what the checkpoint says, whatever that is for the model at hand.
 *
 * @param written value by flag, in the order of the flag table
 */
public record ConfigProfile(Map<Flag, String> written) {
    /** Sets nothing. */
    public static final ConfigProfile EMPTY = new ConfigProfile(Map.of());

    /** How a relative budget is written, in words. */
    public static final String RELATIVE = "a multiple of the checkpoint's budget from 2x to 999x";

    private static final Pattern MULTIPLE = Pattern.compile("(?!1x)[1-9][0-9]{0,2}x");
    private static final String BUDGET = Flag.INDEX_TOPK.key();

    /** Copies the map. */
    public ConfigProfile {
        Map<Flag, String> copy = new LinkedHashMap<>();
        for (Flag flag : Flag.values()) {
            if (written.containsKey(flag)) {
                copy.put(flag, written.get(flag));
            }
        }
        written = Collections.unmodifiableMap(copy);
    }

    /**
     * Reads flags by key.
     *
     * @throws ProfileException naming flags, values and what is allowed
     */
    public static ConfigProfile parse(Map<?, ?> raw) {
        Map<String, Object> absolute = new LinkedHashMap<>();
        raw.forEach((key, value) -> absolute.put(String.valueOf(key), value));
        String multiple = absolute.get(BUDGET) instanceof String text
                        && MULTIPLE.matcher(text).matches()
                ? text
                : null;
        if (multiple != null) {
            absolute.remove(BUDGET);
        }
        Map<Flag, String> written = new LinkedHashMap<>(parsed(absolute).values());
        if (multiple != null) {
            written.put(Flag.INDEX_TOPK, multiple);
        }
        return new ConfigProfile(written);
    }

    private static PartialProfile parsed(Map<String, Object> absolute) {
        try {
            return PartialProfile.parse(absolute);
        } catch (ProfileException e) {
            if (!BUDGET.equals(e.field())) {
                throw e;
            }
            throw new ProfileException(e.field(), e.getMessage() + ", or " + RELATIVE);
        }
    }

    /**
     * The flags for a model.
     *
     * @param checkpointTopk what the checkpoint says of the budget
     * @throws ProfileException if the budget becomes larger than a number can be
     */
    public PartialProfile at(int checkpointTopk) {
        String budget = written.get(Flag.INDEX_TOPK);
        if (budget == null || !MULTIPLE.matcher(budget).matches()) {
            return new PartialProfile(written);
        }
        long entries = Long.parseLong(budget.substring(0, budget.length() - 1)) * checkpointTopk;
        if (entries > Integer.MAX_VALUE) {
            throw new ProfileException(
                    BUDGET,
                    BUDGET + " is " + budget + " of " + checkpointTopk + "; allowed: at most " + Integer.MAX_VALUE);
        }
        Map<Flag, String> absolute = new LinkedHashMap<>(written);
        absolute.put(Flag.INDEX_TOPK, String.valueOf(entries));
        return new PartialProfile(absolute);
    }

    /** These flags, and those of {@code lower} that are not set here. */
    public ConfigProfile over(ConfigProfile lower) {
        Map<Flag, String> both = new LinkedHashMap<>(lower.written);
        both.putAll(written);
        return new ConfigProfile(both);
    }

    /** Value by key, in the order of the flag table. */
    public Map<String, String> flags() {
        Map<String, String> flags = new LinkedHashMap<>();
        written.forEach((flag, value) -> flags.put(flag.key(), value));
        return Collections.unmodifiableMap(flags);
    }
}
