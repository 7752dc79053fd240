package dev.plumbline.kernel.cuda;

import dev.plumbline.kernel.KernelException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The kernels' source text out of the class path, folder cuda. */
final class KernelSources {
    /** Every header, in the order in which the compiler gets them. */
    static final List<String> HEADERS =
            List.of("common.cuh", "formats.cuh", "hyper.cuh", "gemm.cuh", "mma.cuh", "select.cuh", "block_sort.cuh");

    private KernelSources() {}

    /** A kernel variant: its source file without the ending, and its C++ name. */
    record Variant(String source, String expression) {}

    /** The text of a file. */
    static String read(String file) {
        try (InputStream in = KernelSources.class.getResourceAsStream("/cuda/" + file)) {
            if (in == null) {
                throw new KernelException("this build lacks the kernel source cuda/" + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cuda/" + file + " cannot be read", e);
        }
    }

    /** Every variant that there is, as variants.txt lists them. */
    static List<Variant> variants() {
        List<Variant> variants = new ArrayList<>();
        for (String line : read("variants.txt").lines().toList()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                int blank = line.indexOf(' ');
                variants.add(new Variant(line.substring(0, blank), line.substring(blank + 1)));
            }
        }
        return variants;
    }
}
