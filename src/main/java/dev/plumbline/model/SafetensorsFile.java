package dev.plumbline.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/** One safetensors file, memory-mapped; files and tensors may exceed 2 GiB. Safe for concurrent reading. */
public final class SafetensorsFile implements AutoCloseable {
    private final MappedFile file;
    private final SafetensorsHeader header;

    private SafetensorsFile(MappedFile file, SafetensorsHeader header) {
        this.file = file;
        this.header = header;
    }

    /**
     * Maps a file and checks its header.
     *
     * @throws InvalidModelException if the file is missing, truncated, or its header contradicts itself or the file
     */
    public static SafetensorsFile open(Path path) {
        return open(path, MappedFile.WINDOW);
    }

    /** With a chosen mapping window, so that tests can cross one without gigabytes. */
    static SafetensorsFile open(Path path, long window) {
        String subject = String.valueOf(path.getFileName());
        if (!Files.isRegularFile(path)) {
            throw new InvalidModelException(subject, "file not found: " + path, null);
        }
        try {
            MappedFile file = MappedFile.open(path, window);
            return new SafetensorsFile(file, SafetensorsHeader.read(file));
        } catch (IOException e) {
            throw new InvalidModelException(subject, "cannot be read: " + e.getMessage(), e);
        }
    }

    /** Names of all tensors, in the order of the header. */
    public Set<String> names() {
        return Collections.unmodifiableSet(header.entries().keySet());
    }

    /**
     * A tensor by the name it has in this file.
     *
     * @throws IllegalArgumentException if there is none
     * @throws InvalidModelException if its dtype is not supported
     */
    public StoredTensor tensor(String name) {
        return mapped(name);
    }

    MappedTensor mapped(String name) {
        SafetensorsHeader.Entry entry = entry(name);
        StoredType type = type(entry.dtype())
                .orElseThrow(() -> new InvalidModelException(fileName(), unsupported(name, entry.dtype()), null));
        return new MappedTensor(file, name, type, entry.shape(), header.dataStart() + entry.begin());
    }

    /** What is wrong with the dtype of a tensor, if anything. */
    Optional<String> dtypeProblem(String name) {
        String dtype = entry(name).dtype();
        return type(dtype).isPresent() ? Optional.empty() : Optional.of(unsupported(name, dtype));
    }

    String fileName() {
        return String.valueOf(file.path().getFileName());
    }

    /** Makes further reads fail; the mapping itself goes with the next garbage collection. */
    @Override
    public void close() {
        file.close();
    }

    private SafetensorsHeader.Entry entry(String name) {
        SafetensorsHeader.Entry entry = header.entries().get(name);
        if (entry == null) {
            throw new IllegalArgumentException("no tensor " + name + " in " + fileName());
        }
        return entry;
    }

    private static String unsupported(String name, String dtype) {
        return "tensor " + name + " has dtype " + dtype
                + "; allowed: F32, BF16, F16, I32, I64 (FP8/FP4/NVFP4 releases are not supported yet)";
    }

    private static Optional<StoredType> type(String dtype) {
        return Optional.ofNullable(
                switch (dtype) {
                    case "F32" -> StoredType.FP32;
                    case "BF16" -> StoredType.BF16;
                    case "F16" -> StoredType.FP16;
                    case "I32" -> StoredType.INT32;
                    case "I64" -> StoredType.INT64;
                    default -> null;
                });
    }
}
