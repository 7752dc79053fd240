package dev.plumbline.model;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;

/**
 * An opened model folder: {@code config.json} and the safetensors files beside it. Every tensor the configuration calls
 * for is present with the right shape; all are known by the release's original names, whatever style the files use.
 * Safe for concurrent reading.
 */
public final class Checkpoint implements AutoCloseable {
    private final ModelConfig config;
    private final TensorFiles files;
    private final Map<String, MappedTensor> tensors;
    private String contentHash;

    private Checkpoint(ModelConfig config, TensorFiles files, Map<String, MappedTensor> tensors) {
        this.config = config;
        this.files = files;
        this.tensors = tensors;
    }

    /**
     * Opens and checks a model folder; maps the files, reads only their headers.
     *
     * @throws InvalidModelException listing everything that is missing, superfluous or wrong
     */
    public static Checkpoint open(Path directory) {
        ModelConfig config = ConfigReader.read(directory.resolve("config.json"));
        TensorFiles files = TensorFiles.open(directory);
        try {
            String subject = String.valueOf(directory.getFileName());
            return new Checkpoint(config, files, TensorBinding.bind(config, files, subject));
        } catch (RuntimeException e) {
            files.close();
            throw e;
        }
    }

    /** The architecture. */
    public ModelConfig config() {
        return config;
    }

    /**
     * A tensor by its original name. Experts stored fused come as one tensor per matrix.
     *
     * @throws IllegalArgumentException if the architecture has no such tensor
     */
    public StoredTensor tensor(String originalName) {
        MappedTensor tensor = tensors.get(originalName);
        if (tensor == null) {
            throw new IllegalArgumentException("this model has no tensor " + originalName);
        }
        return tensor;
    }

    /** Original names of all tensors, in the order of the forward pass. */
    public Set<String> names() {
        return Collections.unmodifiableSet(tensors.keySet());
    }

    /**
     * SHA-256 of configuration and tensors as 64 hex digits: equal for equal models, whatever their spelling, naming
     * style or sharding. The first call reads every byte of the model.
     */
    public synchronized String contentHash() {
        if (contentHash == null) {
            contentHash = ContentHash.of(config, tensors.values());
        }
        return contentHash;
    }

    /** Weights of all tensors, those of every expert included. */
    public long parameters() {
        return tensors.values().stream().mapToLong(MappedTensor::elements).sum();
    }

    /** Makes further reads fail; the mappings themselves go with the next garbage collection. */
    @Override
    public void close() {
        files.close();
    }
}
