package dev.plumbline.model;

/** Reads both rotary frequency sets, in the release's spelling or in that of transformers (spec sections 1.1, 1.3). */
final class RopeFields {
    private final ConfigFields root;
    private final ConfigFields main;
    private final ConfigFields compress;
    private final int headDim;

    RopeFields(ConfigFields root, int headDim) {
        this.root = root;
        this.headDim = headDim;
        ConfigFields parameters = root.nested("rope_parameters");
        boolean nested = parameters != null && (parameters.has("main") || parameters.has("compress"));
        this.main = nested ? parameters.nested("main") : null;
        // A flat rope_parameters is what transformers 5 makes of rope_scaling.
        this.compress =
                nested ? parameters.nested("compress") : parameters != null ? parameters : root.nested("rope_scaling");
        if (main != null) {
            String type = type(main);
            if (!type.equals("default")) {
                main.invalid("rope_type", type, "default");
            }
        }
    }

    /** The number of rotated dims, given directly or as a part of the head. */
    int dims() {
        int fromFactor = dimsFromFactor();
        if (!root.has("qk_rope_head_dim") && fromFactor > 0) {
            return fromFactor;
        }
        int dims = root.integer("qk_rope_head_dim", 2, headDim);
        if (fromFactor > 0 && fromFactor != dims) {
            root.invalid("partial_rotary_factor", "giving " + fromFactor + " dims", "qk_rope_head_dim = " + dims);
        }
        return dims;
    }

    RopeSpec main(int dims) {
        double theta = main != null && main.has("rope_theta") ? main.positive("rope_theta") : theta("rope_theta");
        return new RopeSpec(dims, theta, null);
    }

    RopeSpec compress(int dims) {
        // In the flat form rope_theta is the main base; only the nested form names the compressed one there.
        boolean own = compress != null && main != null && compress.has("rope_theta");
        double theta = own ? compress.positive("rope_theta") : theta("compress_rope_theta");
        return new RopeSpec(dims, theta, yarn());
    }

    private double theta(String name) {
        double theta = root.positive(name);
        if (theta <= 1) {
            root.invalid(name, theta, "a number above 1");
        }
        return theta;
    }

    private RopeSpec.Yarn yarn() {
        if (compress == null) {
            return null;
        }
        String type = type(compress);
        if (type.equals("default")) {
            return null;
        }
        if (!type.equals("yarn")) {
            compress.invalid("rope_type", type, "yarn, default");
            return null;
        }
        double factor = compress.positive("factor");
        int original = compress.integer("original_max_position_embeddings", 1, Integer.MAX_VALUE);
        double fast = compress.positiveOr(32, "beta_fast");
        double slow = compress.positiveOr(1, "beta_slow");
        if (fast < slow) {
            compress.invalid("beta_fast", fast, "at least beta_slow = " + slow);
        }
        return new RopeSpec.Yarn(factor, original, fast, slow);
    }

    private static String type(ConfigFields rope) {
        String type = rope.has("rope_type") ? rope.text("rope_type") : rope.text("type");
        return type == null ? "default" : type;
    }

    private int dimsFromFactor() {
        ConfigFields holder = root.has("partial_rotary_factor") ? root : main;
        if (holder == null || !holder.has("partial_rotary_factor")) {
            return 0;
        }
        double dims = holder.positive("partial_rotary_factor") * headDim;
        if (dims > headDim || Math.abs(dims - Math.rint(dims)) > 1e-6 * headDim) {
            holder.invalid(
                    "partial_rotary_factor", dims / headDim, "a part of head_dim = " + headDim + " in whole dims");
            return 0;
        }
        return (int) Math.rint(dims);
    }
}
