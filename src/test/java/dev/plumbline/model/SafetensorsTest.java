package dev.plumbline.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SafetensorsTest {
    private static final String GOOD = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}";

    @TempDir
    Path directory;

    @Test
    void readsBackWhatWasWritten() throws IOException {
        // given
        Path file = directory.resolve("t.safetensors");
        new SafetensorsWriter()
                .metadata("made", "by hand")
                .float32("logits", new long[] {2, 2}, new float[] {1, -2.5f, Float.NaN, Float.NEGATIVE_INFINITY})
                .int32("ids", new long[] {3}, new int[] {7, -1, Integer.MAX_VALUE})
                .int64("wide", new long[] {2}, new long[] {5, 1L << 40})
                .float32("scalar", new long[] {}, new float[] {42})
                .float32("none", new long[] {0, 4}, new float[0])
                .write(file);

        // when
        try (SafetensorsFile opened = SafetensorsFile.open(file)) {
            // then
            assertThat(opened.names()).containsExactlyInAnyOrder("logits", "ids", "wide", "scalar", "none");
            assertThat(opened.tensor("logits").shape()).containsExactly(2, 2);
            assertThat(floats(opened.tensor("logits"))).containsExactly(1, -2.5f, Float.NaN, Float.NEGATIVE_INFINITY);
            assertThat(ints(opened.tensor("ids"))).containsExactly(7, -1, Integer.MAX_VALUE);
            assertThat(floats(opened.tensor("scalar"))).containsExactly(42);
            assertThat(floats(opened.tensor("none"))).isEmpty();
            int[] target = new int[1];
            opened.tensor("wide").read(0, target, 0, 1);
            assertThat(target).containsExactly(5);
            assertThatThrownBy(() -> opened.tensor("wide").read(1, target, 0, 1))
                    .isInstanceOf(ArithmeticException.class);
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).as("no temporary file is left").containsExactly(file);
        }
    }

    @Test
    void widensEveryHalfAndBrainFloatExactly() throws IOException {
        // given all 65,536 patterns of both types
        short[] patterns = new short[1 << 16];
        for (int i = 0; i < patterns.length; i++) {
            patterns[i] = (short) i;
        }
        Path file = directory.resolve("t.safetensors");
        new SafetensorsWriter()
                .bits16("half", "F16", new long[] {1 << 16}, patterns)
                .bits16("brain", "BF16", new long[] {1 << 16}, patterns)
                .write(file);

        // when
        try (SafetensorsFile opened = SafetensorsFile.open(file)) {
            float[] half = floats(opened.tensor("half"));
            float[] brain = floats(opened.tensor("brain"));

            // then
            for (int i = 0; i < patterns.length; i++) {
                int exponent = i >> 10 & 31;
                int fraction = i & 1023;
                double magnitude = exponent == 31
                        ? (fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN)
                        : exponent == 0
                                ? fraction * Math.pow(2, -24)
                                : (1 + fraction / 1024.0) * Math.pow(2, exponent - 15);
                assertThat(half[i]).isEqualTo(Float.valueOf((float) (i < 0x8000 ? magnitude : -magnitude)));
                assertThat(Float.floatToRawIntBits(brain[i])).isEqualTo(i << 16);
            }
        }
    }

    @Test
    void readsAcrossMappingWindowsAtAnyAlignment() throws IOException {
        // given a header that leaves the data misaligned to the windows of 16 bytes
        float[] values = new float[50];
        for (int i = 0; i < values.length; i++) {
            values[i] = i * 1.25f;
        }
        ByteBuffer data = ByteBuffer.allocate(200).order(ByteOrder.LITTLE_ENDIAN);
        data.asFloatBuffer().put(values);
        for (int padding = 0; padding < 16; padding++) {
            String header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[50],\"data_offsets\":[0,200]}}" + " ".repeat(padding);
            Path file = write(header.length(), header, data.array());

            // when
            try (SafetensorsFile opened = SafetensorsFile.open(file, 16)) {
                // then
                assertThat(floats(opened.tensor("a"))).containsExactly(values);
                float[] one = new float[3];
                opened.tensor("a").read(17, one, 1, 1);
                assertThat(one).containsExactly(0, 17 * 1.25f, 0);
            }
        }
    }

    @Test
    void reachesTensorsBeyondTwoGibibytes() throws IOException {
        // given a sparse file of 2.5 GiB whose one bf16 tensor exceeds 2 GiB
        long elements = (5L << 29) / 2;
        String header =
                "{\"a\":{\"dtype\":\"BF16\",\"shape\":[" + elements + "],\"data_offsets\":[0," + 2 * elements + "]}}";
        Path file = write(header.length(), header, new byte[0]);
        try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(8 + header.length() + 2 * elements);
            sparse.seek(8 + header.length() + 2 * (elements - 1));
            sparse.write(new byte[] {(byte) 0x80, 0x3f});
        }

        // when
        try (SafetensorsFile opened = SafetensorsFile.open(file)) {
            float[] last = new float[2];
            opened.tensor("a").read(elements - 2, last, 0, 2);

            // then
            assertThat(last).containsExactly(0, 1);
        }
    }

    @Test
    void neverReadsOutsideATensor() throws IOException {
        // given
        try (SafetensorsFile opened = SafetensorsFile.open(write(GOOD.length(), GOOD, new byte[8]))) {
            StoredTensor tensor = opened.tensor("a");

            // then
            assertThatThrownBy(() -> tensor.read(1, new float[2], 0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> tensor.read(-1, new float[2], 0, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> tensor.read(0, new float[1], 0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> tensor.read(0, new int[1], 0, 1)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void refusesReadsAfterClosing() throws IOException {
        // given
        SafetensorsFile opened = SafetensorsFile.open(write(GOOD.length(), GOOD, new byte[8]));
        StoredTensor tensor = opened.tensor("a");

        // when
        opened.close();

        // then
        assertThatThrownBy(() -> tensor.read(0, new float[1], 0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("length beyond the file", 1000L, GOOD, 8, "header length 1000 is wrong"),
                Arguments.of("length past the file by one", GOOD.length() + 9L, GOOD, 8, "is wrong"),
                Arguments.of("absurd length", Long.MAX_VALUE, GOOD, 8, "is wrong"),
                Arguments.of("negative length", -1L, GOOD, 8, "header length 18446744073709551615 is wrong"),
                Arguments.of("length 0", 0L, GOOD, 8, "is wrong"),
                Arguments.of("length inside the JSON", GOOD.length() - 3L, GOOD, 8, "not valid JSON"),
                fault("no JSON", "hello world", 8, "not valid JSON"),
                fault("no object", "[1, 2]", 8, "JSON object"),
                fault("endless nesting", "{\"a\":" + "[".repeat(5000), 8, "not valid JSON"),
                fault("two values", GOOD + GOOD, 8, "not valid JSON"),
                fault("truncated data", GOOD, 7, "past the 7 bytes of data (is the file truncated?)"),
                fault("trailing data", GOOD, 9, "cover 8 of 9 bytes"),
                fault("end before begin", tensor("a", "F32", "[2]", "[8,0]"), 8, "ends at 0 before it begins at 8"),
                fault("negative begin", tensor("a", "F32", "[2]", "[-8,0]"), 8, "are needed"),
                fault("size of another shape", tensor("a", "F32", "[3]", "[0,8]"), 8, "8 bytes do not hold [3] x F32"),
                fault("size of another dtype", tensor("a", "BF16", "[2]", "[0,8]"), 8, "do not hold [2] x BF16"),
                fault(
                        "overflowing shape",
                        tensor("a", "F32", "[4294967296,4294967296,2]", "[0,8]"),
                        8,
                        "bytes do not hold"),
                fault("negative dimension", tensor("a", "F32", "[-2]", "[0,8]"), 8, "are needed"),
                fault("fractional dimension", tensor("a", "F32", "[2.0]", "[0,8]"), 8, "are needed"),
                fault("offsets beyond 64 bits", tensor("a", "F32", "[2]", "[0,99999999999999999999]"), 8, "are needed"),
                fault("three offsets", tensor("a", "F32", "[2]", "[0,8,8]"), 8, "are needed"),
                fault("no dtype", "{\"a\":{\"shape\":[2],\"data_offsets\":[0,8]}}", 8, "are needed"),
                fault("entry is no object", "{\"a\":5}", 8, "are needed"),
                fault(
                        "overlap",
                        two(tensor("a", "F32", "[2]", "[0,8]"), tensor("b", "F32", "[2]", "[4,12]")),
                        12,
                        "inside another tensor"),
                fault(
                        "same bytes twice",
                        two(tensor("a", "F32", "[2]", "[0,8]"), tensor("b", "F32", "[2]", "[0,8]")),
                        8,
                        "inside another tensor"),
                fault(
                        "hole",
                        two(tensor("a", "F32", "[2]", "[0,8]"), tensor("b", "F32", "[2]", "[12,20]")),
                        20,
                        "after a hole"),
                fault(
                        "duplicate name",
                        two(tensor("a", "F32", "[2]", "[0,8]"), tensor("a", "F32", "[2]", "[8,16]")),
                        16,
                        "not valid JSON"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void refusesALyingHeader(String what, long length, String header, int dataBytes, String expected)
            throws IOException {
        // given
        Path file = write(length, header, new byte[dataBytes]);

        // then
        assertThatThrownBy(() -> SafetensorsFile.open(file))
                .isInstanceOf(InvalidModelException.class)
                .hasMessageContaining("t.safetensors")
                .hasMessageContaining(expected);
    }

    @Test
    void refusesEveryTruncationOfAGoodFile() throws IOException {
        // given
        byte[] whole = Files.readAllBytes(write(GOOD.length(), GOOD, new byte[8]));
        Path file = directory.resolve("t.safetensors");
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));

            // then
            assertThatThrownBy(() -> SafetensorsFile.open(file)).isInstanceOf(InvalidModelException.class);
        }
    }

    @Test
    void opensOrRefusesAnyDamagedHeaderButNeverReadsPastTheFile() throws IOException {
        // given a small file whose header gets random bytes overwritten, inserted or repeated
        Random random = new Random(17);
        Path file = directory.resolve("t.safetensors");
        new SafetensorsWriter()
                .float32("a", new long[] {2, 3}, new float[6])
                .int64("b", new long[] {4}, new long[4])
                .write(file);
        byte[] good = Files.readAllBytes(file);
        int opened = 0;
        for (int round = 0; round < 3000; round++) {
            byte[] bad = good.clone();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                String likely = "0123456789[]{},:\"-eEab";
                int at = random.nextInt(good.length - 56);
                bad[at] = (byte) (at < 8 ? random.nextInt(256) : likely.charAt(random.nextInt(likely.length())));
            }
            Files.write(file, bad);

            // when
            try (SafetensorsFile damaged = SafetensorsFile.open(file)) {
                for (String name : damaged.names()) {
                    if (damaged.dtypeProblem(name).isEmpty()) {
                        floats(damaged.tensor(name));
                    }
                }
                opened++;
            } catch (InvalidModelException expected) {
                // then any other exception fails the test
                assertThat(expected.problems()).isNotEmpty();
            }
        }
        assertThat(opened).as("harmless damage").isLessThan(1500);
    }

    @Test
    void readsTheGoldenActivations() {
        // when
        try (SafetensorsFile golden = SafetensorsFile.open(Golden.directory().resolve("activations.safetensors"))) {
            // then
            assertThat(golden.tensor("logits").shape()).containsExactly(1, 300, 128);
            assertThat(Arrays.stream(ints(golden.tensor("input_ids"))))
                    .hasSize(300)
                    .allMatch(id -> id >= 0 && id < 128);
            assertThat(ints(golden.tensor("layer1.topk_idx"))).contains(-1);
        }
    }

    @Test
    void refusesInvalidUtf8AndUtf16Headers() throws IOException {
        // given
        Path file = directory.resolve("t.safetensors");
        for (byte[] header :
                new byte[][] {{'{', '"', (byte) 0xff, '"', ':', '1', '}'}, GOOD.getBytes(StandardCharsets.UTF_16LE)}) {
            ByteBuffer bytes = ByteBuffer.allocate(16 + header.length).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putLong(header.length).put(header);
            Files.write(file, bytes.array());

            // then
            assertThatThrownBy(() -> SafetensorsFile.open(file)).isInstanceOf(InvalidModelException.class);
        }
    }

    @Test
    void namesTensorAndDtypeThatAreNotSupported() throws IOException {
        // given
        Path file = directory.resolve("t.safetensors");
        new SafetensorsWriter()
                .bits8("packed", "F8_E4M3", new long[] {4}, new byte[4])
                .write(file);

        // when
        try (SafetensorsFile opened = SafetensorsFile.open(file)) {
            // then
            assertThatThrownBy(() -> opened.tensor("packed"))
                    .isInstanceOf(InvalidModelException.class)
                    .hasMessageContaining("packed has dtype F8_E4M3")
                    .hasMessageContaining("FP8/FP4/NVFP4 releases are not supported yet");
            assertThatThrownBy(() -> opened.tensor("other")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void keepsTheOldFileWhenWritingFails() throws IOException {
        // given
        Path missing = directory.resolve("no/such/t.safetensors");

        // then
        assertThatThrownBy(() -> new SafetensorsWriter().write(missing)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> new SafetensorsWriter().float32("a", new long[] {3}, new float[2]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SafetensorsWriter()
                        .float32("a", new long[] {0}, new float[0])
                        .float32("a", new long[] {0}, new float[0]))
                .hasMessageContaining("taken");
    }

    private Path write(long length, String header, byte[] data) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(8 + json.length + data.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(length).put(json).put(data);
        return Files.write(directory.resolve("t.safetensors"), bytes.array());
    }

    private static Arguments fault(String what, String header, int dataBytes, String expected) {
        return Arguments.of(what, (long) header.length(), header, dataBytes, expected);
    }

    private static String tensor(String name, String dtype, String shape, String offsets) {
        return "{\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets
                + "}}";
    }

    private static String two(String first, String second) {
        return first.substring(0, first.length() - 1) + "," + second.substring(1);
    }

    private static float[] floats(StoredTensor tensor) {
        float[] values = new float[(int) tensor.elements()];
        tensor.read(0, values, 0, values.length);
        return values;
    }

    private static int[] ints(StoredTensor tensor) {
        int[] values = new int[(int) tensor.elements()];
        tensor.read(0, values, 0, values.length);
        return values;
    }
}
