package dev.plumbline.engine;

import dev.plumbline.engine.EngineStatus.PoolStatus;
import dev.plumbline.kernel.Kernels;
import dev.plumbline.model.ModelConfig;
import dev.plumbline.model.StoredTensor;
import dev.plumbline.precision.PrecisionProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What a lane will take, found by building it on a backend without memory.
 *
 * @param weights every weight, in the order of the forward pass
 * @param memory the tensors of its pools and activations, in the order in which it asks for them
 * @param poolBytes bytes of its pools
 * @param workingBytes bytes of activations and buffers
 */
record LanePlan(
        List<WeightPlan.Part<?>> weights, List<MeasuringKernels.Allocation> memory, long poolBytes, long workingBytes) {

    /** Finds it; from any thread. */
    static LanePlan of(
            ModelConfig config,
            PrecisionProfile profile,
            Kernels kernels,
            Function<String, StoredTensor> checkpoint,
            EngineLimits limits) {
        MeasuringKernels measuring = new MeasuringKernels(kernels);
        MeasuringKernels memory = new MeasuringKernels(kernels);
        WeightPlan weights = new WeightPlan(checkpoint, measuring);
        SubBatch built = assemble(config, profile, measuring.kernels(), memory.kernels(), weights, limits);
        long pools = built.lane().status().stream()
                .mapToLong(PoolStatus::allocatedBytes)
                .sum();
        List<WeightPlan.Part<?>> parts = new ArrayList<>(weights.parts());
        long weightBytes = parts.stream().mapToLong(WeightPlan.Part::bytes).sum();
        long all = measuring.bytes() + memory.bytes();
        return new LanePlan(parts, memory.allocations(), pools, all - weightBytes - pools);
    }

    /**
     * A lane and its part of a step, on whatever backend.
     *
     * @param memory allocates pools and activations
     */
    static SubBatch assemble(
            ModelConfig config,
            PrecisionProfile profile,
            Kernels kernels,
            Kernels memory,
            Weights weights,
            EngineLimits limits) {
        ProfileCheck.requireNumbers(profile, config);
        int rows = Math.addExact(limits.maxSequences(), profile.prefillChunk());
        Lane lane = new Lane(config, profile, kernels, memory, weights, limits, rows, limits.maxSequences());
        try {
            return new SubBatch(lane, limits.maxSequences());
        } catch (RuntimeException | Error e) {
            lane.close();
            throw e;
        }
    }

    /** Takes the weights that are there, so that nothing frees them meanwhile. */
    void reserve(WeightStore store, Weights lane) {
        weights.stream().filter(part -> store.has(part.key())).forEach(part -> part.take(lane));
    }

    /** The weights that are not there. */
    List<WeightPlan.Part<?>> missing(WeightStore store) {
        return weights.stream().filter(part -> !store.has(part.key())).toList();
    }

    /** Bytes beyond what is there. */
    LaneBytes needed(WeightStore store) {
        long bytes = missing(store).stream().mapToLong(WeightPlan.Part::bytes).sum();
        return new LaneBytes(bytes, poolBytes, workingBytes);
    }
}
