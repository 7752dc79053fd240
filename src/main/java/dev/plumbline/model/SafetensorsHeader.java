package dev.plumbline.model;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The header of a safetensors file, checked against the size of the file before anything else is read: 8 bytes length,
 * JSON, then data that the tensors must cover without overlap and without holes.
 *
 * @param dataStart file offset of the data
 * @param entries by name
 */
record SafetensorsHeader(long dataStart, Map<String, Entry> entries) {
    /** The bound of the format's reference implementation. */
    private static final long MAX_LENGTH = 100_000_000;

    private static final Map<String, Integer> BITS = Map.ofEntries(
            Map.entry("BOOL", 8),
            Map.entry("U8", 8),
            Map.entry("I8", 8),
            Map.entry("F8_E5M2", 8),
            Map.entry("F8_E4M3", 8),
            Map.entry("F8_E8M0", 8),
            Map.entry("F4", 4),
            Map.entry("I16", 16),
            Map.entry("U16", 16),
            Map.entry("F16", 16),
            Map.entry("BF16", 16),
            Map.entry("I32", 32),
            Map.entry("U32", 32),
            Map.entry("F32", 32),
            Map.entry("I64", 64),
            Map.entry("U64", 64),
            Map.entry("F64", 64));

    /** A tensor's type as spelled in the file, its shape, and its bytes [begin, end) within the data. */
    record Entry(String name, String dtype, long[] shape, long begin, long end) {}

    static SafetensorsHeader read(MappedFile file) {
        String subject = String.valueOf(file.path().getFileName());
        if (file.size() < 10) {
            throw new InvalidModelException(
                    subject, "is truncated: " + file.size() + " bytes hold no safetensors header", null);
        }
        long length = file.at(0, 8, 8).getLong();
        if (length < 2 || length > MAX_LENGTH || length > file.size() - 8) {
            throw new InvalidModelException(
                    subject,
                    "header length " + Long.toUnsignedString(length) + " is wrong; allowed: 2 to "
                            + Math.min(MAX_LENGTH, file.size() - 8),
                    null);
        }
        JsonNode json = Json.parseObject(subject + " header", copy(file, 8, (int) length));
        List<String> problems = new ArrayList<>();
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> property : json.properties()) {
            if (!property.getKey().equals("__metadata__")) {
                Entry entry = entry(property.getKey(), property.getValue(), problems);
                if (entry != null) {
                    entries.put(entry.name(), entry);
                }
            }
        }
        if (problems.isEmpty()) {
            checkCoverage(entries, file.size() - 8 - length, problems);
        }
        InvalidModelException.throwIfAny(subject, problems);
        return new SafetensorsHeader(8 + length, entries);
    }

    private static ByteBuffer copy(MappedFile file, long from, int length) {
        ByteBuffer copy = ByteBuffer.allocate(length);
        while (copy.hasRemaining()) {
            copy.put(file.at(from + copy.position(), 1, copy.remaining()));
        }
        return copy.flip();
    }

    private static Entry entry(String name, JsonNode node, List<String> problems) {
        JsonNode dtype = node.path("dtype");
        long[] shape = longs(node.path("shape"));
        long[] offsets = longs(node.path("data_offsets"));
        if (!dtype.isString() || shape == null || offsets == null || offsets.length != 2) {
            problems.add("tensor " + name + ": dtype, shape and two data_offsets are needed, found " + brief(node));
            return null;
        }
        Entry entry = new Entry(name, dtype.stringValue(), shape, offsets[0], offsets[1]);
        if (entry.end() < entry.begin()) {
            problems.add("tensor " + name + ": ends at " + entry.end() + " before it begins at " + entry.begin());
            return null;
        }
        Integer bits = BITS.get(entry.dtype());
        if (bits != null && !sizeMatches(entry, bits)) {
            problems.add("tensor " + name + ": " + (entry.end() - entry.begin()) + " bytes do not hold "
                    + brief(node.path("shape")) + " x " + entry.dtype());
            return null;
        }
        return entry;
    }

    private static boolean sizeMatches(Entry entry, int bits) {
        try {
            long needed = bits;
            for (long dim : entry.shape()) {
                needed = Math.multiplyExact(needed, dim);
            }
            return needed % 8 == 0 && needed / 8 == entry.end() - entry.begin();
        } catch (ArithmeticException overflow) {
            return false;
        }
    }

    /** Sorted by place, every tensor must begin where the one before ended, and the last must end with the file. */
    private static void checkCoverage(Map<String, Entry> entries, long dataSize, List<String> problems) {
        List<Entry> sorted = new ArrayList<>(entries.values());
        sorted.sort(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end));
        long covered = 0;
        for (Entry entry : sorted) {
            if (entry.end() > dataSize) {
                problems.add("tensor " + entry.name() + ": ends at " + entry.end() + ", past the " + dataSize
                        + " bytes of data (is the file truncated?)");
                return;
            }
            if (entry.begin() != covered) {
                problems.add("tensor " + entry.name() + ": begins at " + entry.begin()
                        + (entry.begin() < covered ? ", inside another tensor" : ", after a hole")
                        + "; expected " + covered);
                return;
            }
            covered = entry.end();
        }
        if (covered != dataSize) {
            problems.add("the tensors cover " + covered + " of " + dataSize + " bytes of data");
        }
    }

    /** Non-negative integers, or null. */
    private static long[] longs(JsonNode node) {
        if (!node.isArray()) {
            return null;
        }
        long[] values = new long[node.size()];
        for (int i = 0; i < values.length; i++) {
            JsonNode element = node.get(i);
            if (!element.isIntegralNumber() || !element.canConvertToLong() || element.longValue() < 0) {
                return null;
            }
            values[i] = element.longValue();
        }
        return values;
    }

    private static String brief(JsonNode node) {
        String text = node.toString();
        return text.length() <= 200 ? text : text.substring(0, 200) + "...";
    }
}
