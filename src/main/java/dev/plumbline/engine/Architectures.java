package dev.plumbline.engine;

import dev.plumbline.model.AttentionKind;
import dev.plumbline.model.LayerSpec;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.precision.Architecture;

/** What the arithmetic of memory needs to know of a checkpoint. */
public final class Architectures {
    private Architectures() {}

    /** The numbers of a model under the name that people call it by. */
    public static Architecture of(String name, ModelConfig config) {
        return new Architecture(
                name,
                layers(config, AttentionKind.SLIDING),
                layers(config, AttentionKind.CSA),
                layers(config, AttentionKind.HCA),
                config.headDim(),
                config.ropeDims(),
                config.slidingWindow(),
                ratio(config, AttentionKind.CSA),
                ratio(config, AttentionKind.HCA),
                config.indexHeadDim(),
                config.indexTopk());
    }

    private static int layers(ModelConfig config, AttentionKind kind) {
        return (int) config.layers().stream()
                .filter(layer -> layer.attention() == kind)
                .count();
    }

    /** Tokens per entry of a kind of layer, the same in all of them; 0 without such layers. */
    static int ratio(ModelConfig config, AttentionKind kind) {
        return config.layers().stream()
                .filter(layer -> layer.attention() == kind)
                .mapToInt(LayerSpec::ratio)
                .findFirst()
                .orElse(0);
    }
}
