package dev.plumbline.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/** Collects tensors and writes them as one safetensors file. Arrays are not copied; not thread-safe. */
public final class SafetensorsWriter {
    private static final int CHUNK = 1 << 20;

    private final List<Item> items = new ArrayList<>();
    private final Set<String> names = new HashSet<>(Set.of("__metadata__"));
    private final Map<String, String> metadata = new TreeMap<>();

    private record Item(String name, String dtype, int width, long[] shape, int length, Source source) {}

    /** Puts elements [from, from + count) into a buffer. */
    private interface Source {
        void put(ByteBuffer target, int from, int count);
    }

    /** Adds a line to the file's metadata. */
    public SafetensorsWriter metadata(String key, String value) {
        metadata.put(key, value);
        return this;
    }

    /**
     * Adds an fp32 tensor.
     *
     * @param shape its product is the length of {@code values}
     * @throws IllegalArgumentException if the name is taken or the shape does not match
     */
    public SafetensorsWriter float32(String name, long[] shape, float[] values) {
        return add(name, "F32", 4, shape, values.length, (target, from, count) -> {
            target.asFloatBuffer().put(values, from, count);
            target.position(target.position() + count * 4);
        });
    }

    /** Adds an int32 tensor; see {@link #float32}. */
    public SafetensorsWriter int32(String name, long[] shape, int[] values) {
        return add(name, "I32", 4, shape, values.length, (target, from, count) -> {
            target.asIntBuffer().put(values, from, count);
            target.position(target.position() + count * 4);
        });
    }

    /** Adds an int64 tensor; see {@link #float32}. */
    public SafetensorsWriter int64(String name, long[] shape, long[] values) {
        return add(name, "I64", 8, shape, values.length, (target, from, count) -> {
            target.asLongBuffer().put(values, from, count);
            target.position(target.position() + count * 8);
        });
    }

    /** Adds 16-bit elements of a given dtype as they are. */
    SafetensorsWriter bits16(String name, String dtype, long[] shape, short[] values) {
        return add(name, dtype, 2, shape, values.length, (target, from, count) -> {
            target.asShortBuffer().put(values, from, count);
            target.position(target.position() + count * 2);
        });
    }

    /** Adds 8-bit elements of a given dtype as they are. */
    SafetensorsWriter bits8(String name, String dtype, long[] shape, byte[] values) {
        return add(name, dtype, 1, shape, values.length, (target, from, count) -> target.put(values, from, count));
    }

    /**
     * Writes the file. A reader sees the old file or the whole new one: the data goes to a temporary file beside the
     * target, is forced to disk and then moved.
     *
     * @throws IOException if the target's folder does not exist or cannot be written
     */
    public void write(Path file) throws IOException {
        Path target = file.toAbsolutePath();
        Path temporary = Files.createTempFile(target.getParent(), ".safetensors", ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                writeTo(channel);
                channel.force(true);
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private SafetensorsWriter add(String name, String dtype, int width, long[] shape, int length, Source source) {
        long product = 1;
        for (long dim : shape) {
            product = Math.multiplyExact(product, dim);
        }
        if (product != length) {
            throw new IllegalArgumentException(name + ": shape of " + product + " elements for " + length + " values");
        }
        if (!names.add(name)) {
            throw new IllegalArgumentException("tensor name is taken: " + name);
        }
        items.add(new Item(name, dtype, width, shape.clone(), length, source));
        return this;
    }

    private void writeTo(FileChannel channel) throws IOException {
        // Widest first keeps every tensor aligned to its element.
        List<Item> ordered = new ArrayList<>(items);
        ordered.sort(Comparator.comparingInt(Item::width).reversed());
        byte[] header = header(ordered);
        ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(header.length);
        drain(buffer, channel);
        writeFully(channel, ByteBuffer.wrap(header));
        for (Item item : ordered) {
            for (int from = 0; from < item.length; ) {
                int count = Math.min(item.length - from, CHUNK / item.width);
                item.source.put(buffer, from, count);
                drain(buffer, channel);
                from += count;
            }
        }
    }

    private byte[] header(List<Item> ordered) {
        ObjectNode root = Json.MAPPER.createObjectNode();
        if (!metadata.isEmpty()) {
            ObjectNode node = root.putObject("__metadata__");
            metadata.forEach(node::put);
        }
        long begin = 0;
        for (Item item : ordered) {
            long end = begin + (long) item.length * item.width;
            ObjectNode node = root.putObject(item.name).put("dtype", item.dtype);
            var dims = node.putArray("shape");
            for (long dim : item.shape) {
                dims.add(dim);
            }
            node.putArray("data_offsets").add(begin).add(end);
            begin = end;
        }
        String json = root.toString();
        int length = json.getBytes(StandardCharsets.UTF_8).length;
        return (json + " ".repeat((8 - length % 8) % 8)).getBytes(StandardCharsets.UTF_8);
    }

    private static void drain(ByteBuffer buffer, FileChannel channel) throws IOException {
        writeFully(channel, buffer.flip());
        buffer.clear();
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
