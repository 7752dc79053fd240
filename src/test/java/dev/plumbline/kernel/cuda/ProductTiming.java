package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.cuda.CublasLt.Algorithm;
import dev.plumbline.kernel.cuda.CublasLt.Product;
import java.util.Arrays;
import java.util.Random;

/**
 * The linear of this backend beside cuBLASLt's on the same GPU: time of a call, and whether a row keeps its bits in steps
 * of other lengths. cuBLASLt gets its input in the weight's type already, while ours rounds it on the way.
 */
public final class ProductTiming implements AutoCloseable {
    private static final int WARM_UP = 5;
    private static final int CALLS = 40;
    private static final int RUNS = 3;

    /** Rows of steps that a prompt may be cut into. */
    private static final int[] LENGTHS = {511, 300, 64, 17, 1};

    private final CudaKernels kernels = CudaKernels.create();
    private final CublasLt library;

    /**
     * Opens both.
     *
     * @throws LinkageError if cuBLASLt cannot be loaded
     * @throws dev.plumbline.kernel.KernelException if it does not start
     */
    public ProductTiming() {
        // Binds the context to this thread before the library looks for it.
        kernels.synchronize();
        try {
            library = new CublasLt();
        } catch (RuntimeException | LinkageError e) {
            kernels.close();
            throw e;
        }
    }

    /** Version of the library, as it tells it. */
    public long version() {
        return CublasLt.version();
    }

    /**
     * What was measured.
     *
     * @param ours seconds of a call of this backend
     * @param theirs seconds of a call of cuBLASLt with the algorithm that it chose for these rows
     * @param algorithm which one
     * @param nmse normalised squared difference of the results
     * @param pinned of {@code lengths} other lengths, those whose rows have the same bits with that one algorithm
     * @param chosen those whose rows have the same bits with the algorithm that the library chooses for them
     * @param own those whose rows have the same bits with this backend
     */
    public record Result(
            double ours, double theirs, String algorithm, double nmse, int pinned, int chosen, int own, int lengths) {}

    /** Measures one product. */
    public Result measure(int rows, int outputs, int inputs, boolean bf16) {
        DType form = bf16 ? DType.BF16 : DType.FP32;
        float[] values = new float[Math.multiplyExact(rows, inputs)];
        Random random = new Random(1);
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat() - 0.5f;
        }
        try (CudaLinearWeight weight = weight(outputs, inputs, form);
                Tensor x = kernels.allocate(DType.FP32, rows, inputs);
                Tensor rounded = kernels.allocate(form, rows, inputs);
                Tensor y = kernels.allocate(DType.FP32, rows, outputs);
                Tensor other = kernels.allocate(DType.FP32, rows, outputs)) {
            kernels.upload(values, 0, values.length, x, 0);
            kernels.upload(values, 0, values.length, rounded, 0);
            kernels.synchronize();
            Product product = library.new Product(weight, rounded, other);
            Algorithm pinned = product.choose();
            double ours = time(() -> kernels.linear(x, weight, y), kernels::synchronize);
            double theirs = time(() -> product.run(pinned), library::synchronize);
            float[] expected = read(y);
            float[] actual = read(other);
            int samePinned = 0;
            int sameChosen = 0;
            int sameOwn = 0;
            for (int length : LENGTHS) {
                Tensor shortInput = rounded.rows(0, length);
                Tensor shortOutput = other.rows(0, length);
                Product part = library.new Product(weight, shortInput, shortOutput);
                samePinned += sameBits(part, pinned, shortOutput, actual) ? 1 : 0;
                sameChosen += sameBits(part, part.choose(), shortOutput, actual) ? 1 : 0;
                kernels.linear(x.rows(0, length), weight, y.rows(0, length));
                sameOwn += beginning(read(y.rows(0, length)), expected) ? 1 : 0;
            }
            return new Result(
                    ours,
                    theirs,
                    pinned.description(),
                    nmse(expected, actual),
                    samePinned,
                    sameChosen,
                    sameOwn,
                    LENGTHS.length);
        }
    }

    private boolean sameBits(Product part, Algorithm algorithm, Tensor output, float[] whole) {
        part.run(algorithm);
        library.synchronize();
        return beginning(read(output), whole);
    }

    private static boolean beginning(float[] part, float[] whole) {
        return Arrays.equals(part, Arrays.copyOf(whole, part.length));
    }

    private CudaLinearWeight weight(int outputs, int inputs, DType form) {
        Random random = new Random(2);
        float[] pattern = new float[1 << 16];
        for (int i = 0; i < pattern.length; i++) {
            pattern[i] = random.nextFloat() - 0.5f;
        }
        return (CudaLinearWeight) kernels.linearWeight(
                (offset, target, at, length) -> {
                    for (int i = 0; i < length; i++) {
                        // A stride that is no divisor of a row's length, so that rows differ.
                        target[at + i] = pattern[(int) ((offset + i) * 40_503L >>> 3 & pattern.length - 1)];
                    }
                },
                outputs,
                inputs,
                form);
    }

    private static double time(Runnable call, Runnable wait) {
        for (int i = 0; i < WARM_UP; i++) {
            call.run();
        }
        wait.run();
        double best = Double.MAX_VALUE;
        for (int run = 0; run < RUNS; run++) {
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                call.run();
            }
            wait.run();
            best = Math.min(best, (System.nanoTime() - start) / 1e9 / CALLS);
        }
        return best;
    }

    private float[] read(Tensor tensor) {
        float[] values = new float[Math.toIntExact(tensor.elements())];
        kernels.download(tensor, 0, values, 0, values.length);
        return values;
    }

    private static double nmse(float[] expected, float[] actual) {
        double difference = 0;
        double power = 0;
        for (int i = 0; i < expected.length; i++) {
            difference += Math.pow((double) actual[i] - expected[i], 2);
            power += (double) expected[i] * expected[i];
        }
        return difference / power;
    }

    @Override
    public void close() {
        library.close();
        kernels.close();
    }
}
