package dev.plumbline.cli;

import dev.plumbline.engine.LaneKey;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.Flag;
import dev.plumbline.precision.PartialProfile;
import dev.plumbline.precision.PrecisionProfile;
import dev.plumbline.target.TargetOptions;
import java.util.List;

/**
 * Lanes that recall is measured on: flags of the command line, and over them those of a run config. Prompts share beginnings, which
 * changes no result, unless somebody says otherwise.
 */
record RecallLanes(TargetOptions options) {

    LaneKey of(ConfigArgument config, ModelConfig model) {
        PrecisionProfile base = PrecisionProfile.baseline(model.indexTopk())
                .with(options.flags().over(PartialProfile.of(Flag.PREFIX_CACHE, "on")));
        return config.lane(base, model);
    }

    List<LaneKey> of(List<ConfigArgument> configs, ModelConfig model) {
        return configs.stream().map(config -> of(config, model)).toList();
    }
}
