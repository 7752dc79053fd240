package dev.plumbline.kernel.cuda;

import static org.bytedeco.cuda.global.cublas.CUBLASLT_ALGO_CONFIG_ID;
import static org.bytedeco.cuda.global.cublas.CUBLASLT_ALGO_CONFIG_SPLITK_NUM;
import static org.bytedeco.cuda.global.cublas.CUBLASLT_MATMUL_DESC_TRANSA;
import static org.bytedeco.cuda.global.cublas.CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES;
import static org.bytedeco.cuda.global.cublas.CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK;
import static org.bytedeco.cuda.global.cublas.CUBLASLT_REDUCTION_SCHEME_NONE;
import static org.bytedeco.cuda.global.cublas.CUBLAS_COMPUTE_32F;
import static org.bytedeco.cuda.global.cublas.CUBLAS_OP_T;
import static org.bytedeco.cuda.global.cublas.cublasLtCreate;
import static org.bytedeco.cuda.global.cublas.cublasLtDestroy;
import static org.bytedeco.cuda.global.cublas.cublasLtGetStatusString;
import static org.bytedeco.cuda.global.cublas.cublasLtGetVersion;
import static org.bytedeco.cuda.global.cublas.cublasLtMatmul;
import static org.bytedeco.cuda.global.cublas.cublasLtMatmulAlgoConfigGetAttribute;
import static org.bytedeco.cuda.global.cublas.cublasLtMatmulAlgoGetHeuristic;
import static org.bytedeco.cuda.global.cublas.cublasLtMatmulDescInit;
import static org.bytedeco.cuda.global.cublas.cublasLtMatmulDescSetAttribute;
import static org.bytedeco.cuda.global.cublas.cublasLtMatmulPreferenceInit;
import static org.bytedeco.cuda.global.cublas.cublasLtMatmulPreferenceSetAttribute;
import static org.bytedeco.cuda.global.cublas.cublasLtMatrixLayoutInit;
import static org.bytedeco.cuda.global.cudart.CUDA_R_16BF;
import static org.bytedeco.cuda.global.cudart.CUDA_R_32F;
import static org.bytedeco.cuda.global.cudart.cuStreamSynchronize;

import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Tensor;
import org.bytedeco.cuda.cublas.cublasLtContext;
import org.bytedeco.cuda.cublas.cublasLtMatmulAlgo_t;
import org.bytedeco.cuda.cublas.cublasLtMatmulDescOpaque_t;
import org.bytedeco.cuda.cublas.cublasLtMatmulHeuristicResult_t;
import org.bytedeco.cuda.cublas.cublasLtMatmulPreferenceOpaque_t;
import org.bytedeco.cuda.cublas.cublasLtMatrixLayoutOpaque_t;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.SizeTPointer;

/**
 * NVIDIA's product for comparison: y = x Wᵀ with fp32 sums, without workspace, so without split sums, and without TF32.
 * An algorithm is chosen for a number of rows and may then be used for others.
 */
final class CublasLt implements AutoCloseable {
    /** Words of 64 bits that describe an algorithm. */
    private static final int ALGORITHM_WORDS = 8;

    private final cublasLtContext handle = new cublasLtContext();
    private final cublasLtMatmulDescOpaque_t operation = new cublasLtMatmulDescOpaque_t();
    private final cublasLtMatmulPreferenceOpaque_t preference = new cublasLtMatmulPreferenceOpaque_t();
    private final CUstream_st stream = new CUstream_st();
    private final FloatPointer one = new FloatPointer(1f);
    private final FloatPointer zero = new FloatPointer(0f);

    CublasLt() {
        check(cublasLtCreate(handle), "cublasLtCreate");
        check(cublasLtMatmulDescInit(operation, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescInit");
        try (IntPointer transposed = new IntPointer(1).put(CUBLAS_OP_T);
                LongPointer workspace = new LongPointer(1).put(0L);
                IntPointer reduction = new IntPointer(1).put(CUBLASLT_REDUCTION_SCHEME_NONE)) {
            check(
                    cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, transposed, Integer.BYTES),
                    "cublasLtMatmulDescSetAttribute");
            check(cublasLtMatmulPreferenceInit(preference), "cublasLtMatmulPreferenceInit");
            check(
                    cublasLtMatmulPreferenceSetAttribute(
                            preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace, Long.BYTES),
                    "cublasLtMatmulPreferenceSetAttribute of the workspace");
            check(
                    cublasLtMatmulPreferenceSetAttribute(
                            preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reduction, Integer.BYTES),
                    "cublasLtMatmulPreferenceSetAttribute of the reduction");
        }
    }

    static long version() {
        return cublasLtGetVersion();
    }

    /** An algorithm, and how it is told. */
    record Algorithm(cublasLtMatmulAlgo_t handle, String description) {}

    /** A product of x [rows, inputs], of the weight's type, and y [rows, outputs] in fp32. */
    final class Product {
        private final cublasLtMatrixLayoutOpaque_t weightLayout = new cublasLtMatrixLayoutOpaque_t();
        private final cublasLtMatrixLayoutOpaque_t inputLayout = new cublasLtMatrixLayoutOpaque_t();
        private final cublasLtMatrixLayoutOpaque_t outputLayout = new cublasLtMatrixLayoutOpaque_t();
        private final Pointer weight;
        private final Pointer input;
        private final Pointer output;

        Product(CudaLinearWeight weight, Tensor x, Tensor y) {
            int type = weight.form() == DType.BF16 ? CUDA_R_16BF : CUDA_R_32F;
            long rows = x.dim(0);
            // The library counts by columns: a matrix by rows is the transposed one.
            layout(weightLayout, type, weight.inputs(), weight.outputs(), weight.stride());
            layout(inputLayout, type, weight.inputs(), rows, weight.inputs());
            layout(outputLayout, CUDA_R_32F, weight.outputs(), rows, weight.outputs());
            this.weight = at(weight.address());
            this.input = at(CudaTensor.of(x).address());
            this.output = at(CudaTensor.of(y).address());
        }

        private static void layout(
                cublasLtMatrixLayoutOpaque_t layout, int type, long rows, long columns, long stride) {
            check(cublasLtMatrixLayoutInit(layout, type, rows, columns, stride), "cublasLtMatrixLayoutInit");
        }

        /** The library's first choice that splits no sum. */
        Algorithm choose() {
            int most = 16;
            cublasLtMatmulHeuristicResult_t found = new cublasLtMatmulHeuristicResult_t(most);
            int[] count = new int[1];
            check(
                    cublasLtMatmulAlgoGetHeuristic(
                            handle,
                            operation,
                            weightLayout,
                            inputLayout,
                            outputLayout,
                            outputLayout,
                            preference,
                            most,
                            found,
                            count),
                    "cublasLtMatmulAlgoGetHeuristic");
            for (int i = 0; i < count[0]; i++) {
                cublasLtMatmulHeuristicResult_t result = found.getPointer(i);
                if (result.state() == 0 && attribute(result.algo(), CUBLASLT_ALGO_CONFIG_SPLITK_NUM) <= 1) {
                    return new Algorithm(
                            copy(result.algo()), "algorithm " + attribute(result.algo(), CUBLASLT_ALGO_CONFIG_ID));
                }
            }
            throw new KernelException("cuBLASLt has no algorithm without split sums for this product");
        }

        /** Enqueues the product. */
        void run(Algorithm algorithm) {
            check(
                    cublasLtMatmul(
                            handle,
                            operation,
                            one,
                            weight,
                            weightLayout,
                            input,
                            inputLayout,
                            zero,
                            output,
                            outputLayout,
                            output,
                            outputLayout,
                            algorithm.handle(),
                            null,
                            0,
                            stream),
                    "cublasLtMatmul");
        }
    }

    /** The results' memory goes when they do. */
    private static cublasLtMatmulAlgo_t copy(cublasLtMatmulAlgo_t found) {
        cublasLtMatmulAlgo_t own = new cublasLtMatmulAlgo_t();
        for (int i = 0; i < ALGORITHM_WORDS; i++) {
            own.data(i, found.data(i));
        }
        return own;
    }

    private static int attribute(cublasLtMatmulAlgo_t algorithm, int attribute) {
        try (IntPointer value = new IntPointer(1);
                SizeTPointer written = new SizeTPointer(1)) {
            check(
                    cublasLtMatmulAlgoConfigGetAttribute(algorithm, attribute, value, Integer.BYTES, written),
                    "cublasLtMatmulAlgoConfigGetAttribute");
            return value.get();
        }
    }

    private static Pointer at(long deviceAddress) {
        return new Pointer((Pointer) null) {
            {
                address = deviceAddress;
            }
        };
    }

    void synchronize() {
        Cuda.check(cuStreamSynchronize(stream), "cuStreamSynchronize");
    }

    private static void check(int status, String call) {
        if (status != 0) {
            throw new KernelException(
                    call + ": " + cublasLtGetStatusString(status).getString());
        }
    }

    @Override
    public void close() {
        cublasLtDestroy(handle);
    }
}
