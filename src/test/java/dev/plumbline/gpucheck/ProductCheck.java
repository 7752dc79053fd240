package dev.plumbline.gpucheck;

import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.cuda.ProductTiming;
import java.util.List;
import java.util.Locale;

/** The backend's matrix product in a prefill step beside cuBLASLt's, at shapes of real layers. */
final class ProductCheck {
    private static final int ROWS = 512;
    private static final double AGREE = 1e-6;

    private record Shape(String name, int outputs, int inputs, boolean bf16) {}

    /** Layers of DeepSeek-V4-Flash and of needle-mini. */
    private static final List<Shape> SHAPES = List.of(
            new Shape("v4_flash.query_down", 1024, 4096, true),
            new Shape("v4_flash.query_up", 32_768, 1024, true),
            new Shape("v4_flash.output_up", 4096, 8192, true),
            new Shape("v4_flash.shared_gate_up", 4096, 4096, true),
            new Shape("v4_flash.shared_down", 4096, 2048, true),
            new Shape("v4_flash.query_up", 32_768, 1024, false),
            new Shape("needle_mini.query_down", 192, 256, true),
            new Shape("needle_mini.query_up", 1024, 192, true),
            new Shape("needle_mini.head", 3072, 256, true),
            new Shape("needle_mini.query_up", 1024, 192, false));

    private final CheckReport report;

    ProductCheck(CheckReport report) {
        this.report = report;
    }

    void run() {
        try (ProductTiming timing = new ProductTiming()) {
            report.tell("product.cublaslt", timing.version(), "version of the library");
            for (Shape shape : SHAPES) {
                measure(shape, timing);
            }
        } catch (LinkageError | KernelException e) {
            report.tell("product.cublaslt", "refused, not run: " + e, "");
        }
    }

    private void measure(Shape shape, ProductTiming timing) {
        ProductTiming.Result result = timing.measure(ROWS, shape.outputs(), shape.inputs(), shape.bf16());
        String name = "product." + shape.name() + "." + (shape.bf16() ? "bf16" : "fp32");
        String size = "µs for " + ROWS + " rows of " + shape.inputs() + " to " + shape.outputs();
        report.tell(name + ".ours", micros(result.ours()), size);
        report.tell(name + ".cublaslt", micros(result.theirs()), size + ", " + result.algorithm());
        String lengths = "of " + result.lengths() + " shorter steps";
        report.row(name + ".same_bits.ours", result.own(), lengths, "all", result.own() == result.lengths());
        report.tell(name + ".same_bits.cublaslt_pinned", result.pinned(), lengths);
        report.tell(name + ".same_bits.cublaslt_chosen", result.chosen(), lengths);
        report.row(name + ".nmse", result.nmse(), "", "at most " + AGREE, result.nmse() <= AGREE);
    }

    private static String micros(double seconds) {
        return String.format(Locale.ROOT, "%.1f", seconds * 1e6);
    }
}
