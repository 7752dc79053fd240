package dev.plumbline.runconfig;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.engine.ProfileCheck;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.ProfileException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A run config as this server serves it.
 *
 * @param config {@code name@version}
 * @param source who decided for it
 * @param activation what made it the active one; null if nothing did, or if it is not the database that decides
 * @param sampling what requests get that leave it out
 * @param effective its flags and those that are pinned here
 * @param overridden value by flag where a pinned flag says something else than the config
 * @param lane what answers; its label has the config and what is overridden
 */
public record Served(
        String config,
        Source source,
        UUID activation,
        SamplingDefaults sampling,
        Effective effective,
        Map<String, String> overridden,
        LaneKey lane) {

    /** Stands in a lane's label before each flag that is overridden. */
    public static final String OVERRIDE = "+";

    /**
     * What becomes of a config here.
     *
     * @param model the model that is served
     * @throws ProfileException if the flags make no sense for the model
     */
    static Served of(
            String config,
            ConfigProfile profile,
            SamplingDefaults sampling,
            Source source,
            UUID activation,
            Pins pins,
            ModelConfig model) {
        Effective effective = Effective.of(model.indexTopk(), pins.over(profile));
        ProfileCheck.requireNumbers(effective.profile(), model);
        Map<String, String> overridden = overridden(effective, profile, pins, model.indexTopk());
        String label = overridden.entrySet().stream()
                .map(flag -> OVERRIDE + flag.getKey() + "=" + flag.getValue())
                .collect(Collectors.joining("", config, ""));
        LaneKey lane = new LaneKey(label, effective.profile());
        return new Served(config, source, activation, sampling, effective, overridden, lane);
    }

    /** The active config of a database. */
    static Served active(ActiveConfig active, Pins pins, ModelConfig model) {
        RunConfig config = active.config();
        return of(config.id(), config.profile(), config.sampling(), Source.DATABASE, active.activation(), pins, model);
    }

    /** What a request names: exactly that, whatever is pinned. */
    static LaneKey asked(RunConfig config, ModelConfig model) {
        Effective effective = Effective.of(model.indexTopk(), Map.of(Origin.REQUEST, config.profile()));
        ProfileCheck.requireNumbers(effective.profile(), model);
        return new LaneKey(config.id(), effective.profile());
    }

    private static Map<String, String> overridden(
            Effective effective, ConfigProfile profile, Pins pins, int checkpointTopk) {
        Map<String, String> alone = alone(profile, checkpointTopk);
        Map<String, String> overridden = new LinkedHashMap<>();
        for (Effective.Value flag : effective.flags()) {
            boolean pinned = pins.flags().written().containsKey(flag.flag());
            if (pinned && !flag.value().equals(alone.get(flag.flag().key()))) {
                overridden.put(flag.flag().key(), flag.value());
            }
        }
        return Collections.unmodifiableMap(overridden);
    }

    /** The config's flags as they would be without pins; none if it makes no sense without them. */
    private static Map<String, String> alone(ConfigProfile profile, int checkpointTopk) {
        try {
            return Effective.of(checkpointTopk, Map.of(Origin.RUN_CONFIG, profile))
                    .profile()
                    .flags();
        } catch (ProfileException e) {
            return Map.of();
        }
    }
}
