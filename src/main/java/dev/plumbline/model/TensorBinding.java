package dev.plumbline.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds every expected tensor in the files, whatever its stored name, and notes everything that does not fit. */
final class TensorBinding {
    private final ModelConfig config;
    private final Map<String, ExpectedTensor> expected;
    private final Map<String, String> storedNames = new LinkedHashMap<>();
    private final Map<String, MappedTensor> bound = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();

    private final String foreign;

    private TensorBinding(ModelConfig config, Map<String, ExpectedTensor> expected, String foreign) {
        this.config = config;
        this.expected = expected;
        this.foreign = foreign;
    }

    /**
     * The expected tensors by original name, in the order of the forward pass.
     *
     * @throws InvalidModelException listing all missing, extra, wrongly shaped or typed tensors
     */
    static Map<String, MappedTensor> bind(ModelConfig config, TensorFiles files, String subject) {
        return new TensorBinding(config, Inventory.of(config), "not part of this architecture").bind(files, subject);
    }

    /**
     * The tensors that an overlay holds, in the order of the forward pass.
     *
     * @throws InvalidModelException listing all missing, extra, wrongly shaped or typed tensors
     */
    static Map<String, MappedTensor> bind(ModelConfig config, Overlay overlay, TensorFiles files, String subject) {
        Map<String, ExpectedTensor> replaced = new LinkedHashMap<>(Inventory.of(config));
        replaced.keySet().retainAll(overlay.replacedOf(replaced.keySet()));
        String foreign = "not among those that the overlay replaces: " + String.join(", ", overlay.replaces());
        return new TensorBinding(config, replaced, foreign).bind(files, subject);
    }

    private Map<String, MappedTensor> bind(TensorFiles files, String subject) {
        files.byName().forEach((stored, file) -> {
            if (!TensorNames.isIgnored(stored)) {
                add(stored, file);
            }
        });
        Map<String, MappedTensor> inOrder = new LinkedHashMap<>();
        for (ExpectedTensor tensor : expected.values()) {
            if (!storedNames.containsKey(tensor.name())) {
                problems.add("tensor " + tensor.name() + " " + Arrays.toString(tensor.shape()) + " is missing");
            }
            inOrder.put(tensor.name(), bound.get(tensor.name()));
        }
        InvalidModelException.throwIfAny(subject, problems);
        return inOrder;
    }

    private void add(String stored, SafetensorsFile file) {
        String name = TensorNames.original(stored);
        if (name.endsWith(".ffn.experts.gate_up_proj")) {
            long wide = 2L * config.moeIntermediate();
            addFused(stored, file, name, wide, config.hiddenSize(), "w1", "w3");
        } else if (name.endsWith(".ffn.experts.down_proj")) {
            addFused(stored, file, name, config.hiddenSize(), config.moeIntermediate(), "w2");
        } else if (!expected.containsKey(name)) {
            problems.add(file.dtypeProblem(stored).orElse("tensor " + stored + " is " + foreign));
        } else if (claim(name, stored)
                && typeFits(stored, file, expected.get(name).integer())) {
            MappedTensor tensor = file.mapped(stored);
            if (shapeFits(stored, tensor, expected.get(name).shape())) {
                bound.put(name, tensor.named(name));
            }
        }
    }

    /** Splits [experts, rows, columns] into the experts' matrices; {@code leaves} share the rows evenly. */
    private void addFused(String stored, SafetensorsFile file, String name, long rows, long columns, String... leaves) {
        String prefix = name.substring(0, name.lastIndexOf('.') + 1);
        boolean known = true;
        for (int e = 0; e < config.routedExperts(); e++) {
            for (String leaf : leaves) {
                String part = prefix + e + "." + leaf + ".weight";
                known &= expected.containsKey(part) && claim(part, stored);
            }
        }
        if (!known) {
            problems.add("tensor " + stored + " is " + foreign + ", or doubles other tensors");
            return;
        }
        if (!typeFits(stored, file, false)) {
            return;
        }
        MappedTensor fused = file.mapped(stored);
        if (!shapeFits(stored, fused, config.routedExperts(), rows, columns)) {
            return;
        }
        long[] shape = {rows / leaves.length, columns};
        for (int e = 0; e < config.routedExperts(); e++) {
            for (int i = 0; i < leaves.length; i++) {
                String part = prefix + e + "." + leaves[i] + ".weight";
                bound.put(part, fused.part(part, (e * rows + i * shape[0]) * columns, shape));
            }
        }
    }

    /** Notes two stored tensors that stand for the same one. */
    private boolean claim(String name, String stored) {
        String other = storedNames.putIfAbsent(name, stored);
        if (other != null) {
            problems.add("tensors " + other + " and " + stored + " both stand for " + name);
        }
        return other == null;
    }

    private boolean typeFits(String stored, SafetensorsFile file, boolean integer) {
        var unsupported = file.dtypeProblem(stored);
        if (unsupported.isPresent()) {
            problems.add(unsupported.get());
            return false;
        }
        StoredType type = file.mapped(stored).type();
        if (integer != (type == StoredType.INT32 || type == StoredType.INT64)) {
            problems.add("tensor " + stored + " holds " + type + "; allowed: "
                    + (integer ? "INT32, INT64" : "FP32, BF16, FP16"));
            return false;
        }
        return true;
    }

    private boolean shapeFits(String stored, MappedTensor tensor, long... shape) {
        if (!Arrays.equals(tensor.shape(), shape)) {
            problems.add("tensor " + stored + " has shape " + Arrays.toString(tensor.shape()) + "; allowed: "
                    + Arrays.toString(shape));
            return false;
        }
        return true;
    }
}
