package dev.plumbline.runconfig;

import java.util.EnumMap;
import java.util.Map;

/**
 * What whoever started this server decided about its flags, whatever is activated later.
 *
 * @param commandLine flags given as options
 * @param environment flags given as variables
 * @param config the run config to serve instead of the one that is active in the database; null follows that
 */
public record Pins(ConfigProfile commandLine, ConfigProfile environment, PinnedConfig config) {
    /** Nothing: the server follows the database. */
    public static final Pins NONE = new Pins(ConfigProfile.EMPTY, ConfigProfile.EMPTY, null);

    /** All flags that are pinned. */
    ConfigProfile flags() {
        return commandLine.over(environment);
    }

    /** The pinned flags over those of a run config. */
    Map<Origin, ConfigProfile> over(ConfigProfile config) {
        Map<Origin, ConfigProfile> layers = new EnumMap<>(Origin.class);
        layers.put(Origin.COMMAND_LINE, commandLine);
        layers.put(Origin.ENVIRONMENT, environment);
        layers.put(Origin.RUN_CONFIG, config);
        return layers;
    }
}
