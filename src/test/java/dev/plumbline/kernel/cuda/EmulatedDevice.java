package dev.plumbline.kernel.cuda;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The kernels compiled for the host (native/cuda/emulation), a fiber a thread: what they compute, and where they read and
 * write, is the same as on a GPU; buffers end at memory that cannot be touched.
 */
final class EmulatedDevice implements Device {
    private static final Path SOURCES = Path.of("native/cuda");
    private static final Path FOLDER = Path.of("target/cuda-emulation");
    private static final int SHARED_LIMIT = 95 * 1024;

    /** The outcome of the one build; a class initialiser makes it happen once. */
    private static final class Library {
        static final Optional<String> FAILURE = load();
    }

    /** Why kernels cannot be emulated here, or nothing. */
    static Optional<String> unavailableReason() {
        return Library.FAILURE;
    }

    private static Optional<String> load() {
        try {
            Path library = FOLDER.resolve("kernels-" + hash() + ".so").toAbsolutePath();
            String failure = build(library);
            if (failure != null) {
                return Optional.of("the kernels did not compile for the emulation: " + failure);
            }
            System.load(library.toString());
            return Optional.empty();
        } catch (IOException | UnsatisfiedLinkError e) {
            return Optional.of("the kernels cannot be emulated here: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("the build of the emulation was interrupted");
        }
    }

    /** Builds a library that is not there; what went wrong, or null. Of several test processes one builds, the others wait. */
    private static String build(Path library) throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        try (FileChannel channel =
                FileChannel.open(FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            if (Files.exists(library)) {
                return null;
            }
            Process build = new ProcessBuilder(
                            "sh",
                            SOURCES.resolve("emulation/build.sh").toString(),
                            library.toString(),
                            System.getProperty("java.home"))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(build.getInputStream().readAllBytes());
            return build.waitFor() == 0 ? null : output;
        }
    }

    private static String hash() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            List<Path> sorted = files.filter(Files::isRegularFile).sorted().toList();
            for (Path file : sorted) {
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A backend on an emulated device with that many bytes. */
    static CudaKernels kernels(long budget) {
        return new CudaKernels(new EmulatedDevice(), budget);
    }

    static CudaKernels kernels() {
        return kernels(Long.MAX_VALUE);
    }

    @Override
    public String description() {
        return "emulated on the host";
    }

    @Override
    public String architecture() {
        return "emulated";
    }

    @Override
    public int sharedLimit() {
        return SHARED_LIMIT;
    }

    @Override
    public long totalBytes() {
        return 1L << 36;
    }

    @Override
    public long freeBytes() {
        return 0;
    }

    @Override
    public long allocate(long bytes) {
        return mapMemory(bytes);
    }

    @Override
    public void free(long address, long bytes) {
        unmapMemory(address, bytes);
    }

    private record Function(long kernel) implements DeviceFunction {}

    @Override
    public DeviceFunction function(String source, String expression) {
        long kernel = find(expression);
        if (kernel == 0) {
            throw new IllegalStateException("variants.txt lacks " + source + " " + expression);
        }
        return new Function(kernel);
    }

    @Override
    public DeviceStream openStream() {
        return new EmulatedStream();
    }

    private static final class EmulatedStream implements DeviceStream {
        private List<Launch> recording;

        private void requireNoCapture() {
            if (recording != null) {
                throw new IllegalStateException("a transfer while launches are captured");
            }
        }

        @Override
        public void zero(long address, long bytes) {
            requireNoCapture();
            // Fresh mappings are zero, and touching a large one would take its memory.
            if (bytes < 1 << 20) {
                zeroMemory(address, bytes);
            }
        }

        @Override
        public void toDevice(long target, ByteBuffer source, int bytes) {
            requireNoCapture();
            copyToDevice(target, source, bytes);
        }

        @Override
        public void toHost(ByteBuffer target, long source, int bytes) {
            requireNoCapture();
            copyToHost(target, source, bytes);
        }

        @Override
        public void launch(
                DeviceFunction function, Shape shape, int dynamicShared, ByteBuffer slots, int[] offsets, int count) {
            long kernel = ((Function) function).kernel();
            if (recording == null) {
                new Launch(kernel, shape, dynamicShared, slots, offsets, count).run();
                return;
            }
            ByteBuffer copy = ByteBuffer.allocateDirect(slots.capacity()).order(slots.order());
            copy.put(slots.duplicate().clear()).clear();
            recording.add(new Launch(kernel, shape, dynamicShared, copy, offsets.clone(), count));
        }

        @Override
        public void synchronize() {}

        @Override
        public void beginCapture() {
            recording = new ArrayList<>();
        }

        @Override
        public void abandonCapture() {
            recording = null;
        }

        @Override
        public DeviceGraph endCapture() {
            List<Launch> launches = recording;
            recording = null;
            return new DeviceGraph() {
                @Override
                public void launch() {
                    launches.forEach(Launch::run);
                }

                @Override
                public void close() {
                    launches.clear();
                }
            };
        }

        @Override
        public void close() {}
    }

    private record Launch(
            long kernel, DeviceStream.Shape shape, int shared, ByteBuffer slots, int[] offsets, int count) {
        void run() {
            EmulatedDevice.run(kernel, shape.x(), shape.y(), shape.z(), shape.threads(), shared, slots, offsets, count);
        }
    }

    private static native long mapMemory(long bytes);

    private static native void unmapMemory(long address, long bytes);

    private static native void zeroMemory(long address, long bytes);

    private static native void copyToDevice(long target, ByteBuffer source, int bytes);

    private static native void copyToHost(ByteBuffer target, long source, int bytes);

    private static native long find(String expression);

    private static native void run(
            long kernel, int x, int y, int z, int threads, int shared, ByteBuffer slots, int[] offsets, int count);
}
