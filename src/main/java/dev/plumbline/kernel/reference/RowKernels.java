package dev.plumbline.kernel.reference;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Variant;

/** Kernels that copy or fill rows. */
final class RowKernels {
    private static final Variant EMBED = new Variant("embed.fp32.java");
    private static final Variant ANGLES = new Variant("angles.fp32.java");
    private static final Variant VISIBLE = new Variant("visible.int32.java");
    private static final Variant GATHER = new Variant("gatherRows.java");
    private static final Variant SWIGLU = new Variant("swiglu.fp32.java");

    private final Workers workers;

    RowKernels(Workers workers) {
        this.workers = workers;
    }

    Variant embed(Batch batch, HostTensor table, HostTensor streams) {
        Step step = new Step("embed", batch);
        HostTensor tokens = HostTensor.of(batch.tokens());
        int h = streams.size(1);
        int d = streams.size(2);
        workers.each(step.rows(), (long) h * d, t -> {
            float[] row = new float[d];
            if (!step.isPadding(t)) {
                int token = tokens.intAt(t);
                if (token < 0 || token >= table.dim(0)) {
                    throw new KernelException(
                            "embed: tokens[" + t + "] is " + token + ", allowed: 0 to " + (table.dim(0) - 1));
                }
                table.read((long) token * d, row, 0, d);
            }
            for (int j = 0; j < h; j++) {
                streams.write(row, 0, d, ((long) t * h + j) * d);
            }
        });
        return EMBED;
    }

    Variant angles(Batch batch, HostTensor frequencies, HostTensor table) {
        HostTensor positions = HostTensor.of(batch.positions());
        int pairs = frequencies.size(0);
        float[] own = frequencies.copy(0, pairs);
        workers.each(batch.rows(), 40L * pairs, t -> {
            float[] row = new float[2 * pairs];
            NormKernels.turn(positions.intAt(t), own, row, 0);
            table.write(row, 0, row.length, (long) t * row.length);
        });
        return ANGLES;
    }

    Variant visible(Batch batch, int ratio, HostTensor counts) {
        Step step = new Step("visible", batch);
        for (int t = 0; t < step.rows(); t++) {
            counts.setInt(t, step.isPadding(t) ? 0 : (step.position(t) + 1) / ratio);
        }
        return VISIBLE;
    }

    Variant appendRing(Batch batch, HostTensor source, PoolRows ring) {
        Step step = new Step("appendRing", batch);
        int length = ring.format().rows();
        int width = ring.format().width();
        float[] row = new float[width];
        for (int t = 0; t < step.rows(); t++) {
            if (step.isPadding(t)) {
                continue;
            }
            int slot = step.slot(step.sequence(t), ring.pages());
            source.read((long) t * width, row, 0, width);
            ring.write(slot, step.position(t) % length, row);
        }
        return new Variant("appendRing." + ring.name() + ".java");
    }

    Variant gatherRows(HostTensor x, HostTensor rows, HostTensor out) {
        int n = rows.size(0);
        int width = x.dim(0) == 0 ? 0 : Math.toIntExact(x.elements() / x.dim(0));
        boolean bytes = x.dtype() == DType.BYTE;
        float[] row = new float[bytes ? 0 : width];
        byte[] byteRow = new byte[bytes ? width : 0];
        for (int i = 0; i < n; i++) {
            int from = rows.intAt(i);
            if (from < 0 || from >= x.dim(0)) {
                throw new KernelException(
                        "gatherRows: rows[" + i + "] is " + from + ", allowed: 0 to " + (x.dim(0) - 1));
            }
            if (bytes) {
                x.read((long) from * width, byteRow, 0, width);
                out.write(byteRow, 0, width, (long) i * width);
            } else {
                x.read((long) from * width, row, 0, width);
                out.write(row, 0, width, (long) i * width);
            }
        }
        return GATHER;
    }

    Variant swiglu(HostTensor gateUp, float limit, HostTensor h) {
        int inner = h.size(1);
        workers.each(h.size(0), 20L * inner, t -> {
            float[] both = gateUp.copy(2L * t * inner, 2 * inner);
            float[] row = new float[inner];
            for (int i = 0; i < inner; i++) {
                row[i] = swiglu(both[i], both[inner + i], limit);
            }
            h.write(row, 0, inner, (long) t * inner);
        });
        return SWIGLU;
    }

    private static float swiglu(float gate, float up, float limit) {
        float g = Math.min(gate, limit);
        float u = Math.max(-limit, Math.min(up, limit));
        return (float) (g / (1 + Math.exp(-g))) * u;
    }
}
