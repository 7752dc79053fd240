package dev.plumbline.model;

import java.util.ArrayList;
import java.util.List;

/** Reads which kind every layer has, from {@code compress_ratios} or from {@code layer_types} (spec section 1.1). */
final class LayerPlan {
    private static final String SLIDING = "sliding_attention";
    private static final String CSA = "compressed_sparse_attention";
    private static final String HCA = "heavily_compressed_attention";
    private static final int MAX_RATIO = 1 << 20;

    private final ConfigFields fields;
    private final int layers;
    private final int csaRatio;
    private final int hcaRatio;

    private LayerPlan(ConfigFields fields, int layers) {
        this.fields = fields;
        this.layers = layers;
        ConfigFields rates = fields.nested("compress_rates");
        this.csaRatio = rate(rates, CSA, "compress_rate_csa", 4);
        this.hcaRatio = rate(rates, HCA, "compress_rate_hca", 128);
    }

    static List<LayerSpec> read(ConfigFields fields, int layers) {
        LayerPlan plan = new LayerPlan(fields, layers);
        List<AttentionKind> attention = plan.attention();
        List<Boolean> hashRouted = plan.hashRouted();
        List<LayerSpec> specs = new ArrayList<>();
        for (int i = 0; i < Math.min(attention.size(), hashRouted.size()); i++) {
            AttentionKind kind = attention.get(i);
            specs.add(new LayerSpec(kind, plan.ratio(kind), hashRouted.get(i)));
        }
        return specs;
    }

    private int rate(ConfigFields rates, String type, String flatName, int fallback) {
        int flat = fields.integerOr(fallback, flatName, 1, MAX_RATIO);
        return rates == null ? flat : rates.integerOr(flat, type, 1, MAX_RATIO);
    }

    private int ratio(AttentionKind kind) {
        return switch (kind) {
            case SLIDING -> 0;
            case CSA -> csaRatio;
            case HCA -> hcaRatio;
        };
    }

    private List<AttentionKind> attention() {
        if (fields.has("layer_types")) {
            return fromTypes(longEnough("layer_types", fields.strings("layer_types")));
        }
        if (fields.has("compress_ratios")) {
            return fromRatios(longEnough("compress_ratios", fields.integers("compress_ratios")));
        }
        return defaultPattern();
    }

    private List<AttentionKind> fromTypes(List<String> types) {
        List<AttentionKind> kinds = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            switch (types.get(i)) {
                case SLIDING -> kinds.add(AttentionKind.SLIDING);
                case CSA -> kinds.add(AttentionKind.CSA);
                case HCA -> kinds.add(AttentionKind.HCA);
                default -> fields.invalid("layer_types[" + i + "]", types.get(i), SLIDING + ", " + CSA + ", " + HCA);
            }
        }
        return kinds;
    }

    private List<AttentionKind> fromRatios(List<Integer> ratios) {
        if (csaRatio == hcaRatio) {
            fields.invalid(
                    "compress_rates",
                    "the same (" + csaRatio + ") for CSA and HCA",
                    "two different rates beside compress_ratios; name the kinds in layer_types");
            return List.of();
        }
        List<AttentionKind> kinds = new ArrayList<>();
        for (int i = 0; i < ratios.size(); i++) {
            int ratio = ratios.get(i);
            if (ratio == 0) {
                kinds.add(AttentionKind.SLIDING);
            } else if (ratio == csaRatio) {
                kinds.add(AttentionKind.CSA);
            } else if (ratio == hcaRatio) {
                kinds.add(AttentionKind.HCA);
            } else {
                fields.invalid(
                        "compress_ratios[" + i + "]",
                        ratio,
                        "0 (sliding), " + csaRatio + " (CSA), " + hcaRatio
                                + " (HCA); other ratios need compress_rates");
            }
        }
        return kinds;
    }

    /** The pattern of V4-Pro, which transformers assumes when a file names none. */
    private List<AttentionKind> defaultPattern() {
        List<AttentionKind> kinds = new ArrayList<>();
        for (int i = 0; i < layers; i++) {
            kinds.add(i >= 2 && i % 2 == 1 ? AttentionKind.CSA : AttentionKind.HCA);
        }
        return kinds;
    }

    private List<Boolean> hashRouted() {
        List<Boolean> hashed = new ArrayList<>();
        if (fields.has("mlp_layer_types")) {
            List<String> types = longEnough("mlp_layer_types", fields.strings("mlp_layer_types"));
            for (int i = 0; i < types.size(); i++) {
                String type = types.get(i);
                if (!type.equals("hash_moe") && !type.equals("moe")) {
                    fields.invalid("mlp_layer_types[" + i + "]", type, "hash_moe, moe");
                }
                hashed.add(type.equals("hash_moe"));
            }
            return hashed;
        }
        int count = fields.integer("num_hash_layers", 0, layers);
        for (int i = 0; i < layers; i++) {
            hashed.add(i < count);
        }
        return hashed;
    }

    /** Entries past the last layer describe multi-token-prediction layers, which are not served. */
    private <T> List<T> longEnough(String name, List<T> values) {
        if (values == null) {
            return List.of();
        }
        if (values.size() < layers) {
            fields.invalid(name, "a list of " + values.size(), "at least num_hidden_layers = " + layers + " entries");
            return List.of();
        }
        return values.subList(0, layers);
    }
}
