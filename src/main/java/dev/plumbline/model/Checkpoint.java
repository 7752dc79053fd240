package dev.plumbline.model;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An opened model folder: {@code config.json} and the safetensors files beside it, with or without an
 * {@link Overlay}. Every tensor the configuration calls
 * for is present with the right shape; all are known by the release's original names, whatever style the files use.
 * Safe for concurrent reading.
 */
public final class Checkpoint implements AutoCloseable {
    private final ModelConfig config;
    private final List<TensorFiles> files;
    private final Map<String, MappedTensor> tensors;
    private String contentHash;

    private Checkpoint(ModelConfig config, List<TensorFiles> files, Map<String, MappedTensor> tensors) {
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
            return new Checkpoint(config, List.of(files), TensorBinding.bind(config, files, subject));
        } catch (RuntimeException e) {
            files.close();
            throw e;
        }
    }

    /**
     * Opens a model folder with the tensors of an overlay in the place of its own.
     *
     * @param base the model folder that the overlay names; it is read whole, to know that it is the right one
     * @param directory the overlay's folder
     * @throws InvalidModelException listing everything that is missing, superfluous or wrong in one of the two folders,
     *     or if the base is not the one that the overlay was made for
     */
    public static Checkpoint open(Path base, Path directory) {
        Overlay overlay = Overlay.read(directory);
        Checkpoint below = open(base);
        TensorFiles above = null;
        try {
            String subject = String.valueOf(directory.getFileName());
            above = TensorFiles.open(directory);
            Map<String, MappedTensor> tensors = new LinkedHashMap<>(below.tensors);
            tensors.putAll(TensorBinding.bind(below.config, overlay, above, subject));
            if (!below.contentHash().equals(overlay.baseHash())) {
                throw new InvalidModelException(
                        subject,
                        "was made for a base with content hash " + overlay.baseHash() + "; " + base.getFileName()
                                + " has " + below.contentHash(),
                        null);
            }
            return new Checkpoint(below.config, List.of(below.files.get(0), above), tensors);
        } catch (RuntimeException e) {
            if (above != null) {
                above.close();
            }
            below.close();
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
        files.forEach(TensorFiles::close);
    }
}
