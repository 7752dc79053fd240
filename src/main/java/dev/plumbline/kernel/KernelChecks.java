package dev.plumbline.kernel;

import static dev.plumbline.kernel.ShapeChecks.ANY;
import static dev.plumbline.kernel.ShapeChecks.atLeastOne;
import static dev.plumbline.kernel.ShapeChecks.floatType;
import static dev.plumbline.kernel.ShapeChecks.floats;
import static dev.plumbline.kernel.ShapeChecks.fp32;
import static dev.plumbline.kernel.ShapeChecks.given;
import static dev.plumbline.kernel.ShapeChecks.int32;
import static dev.plumbline.kernel.ShapeChecks.same;
import static dev.plumbline.kernel.ShapeChecks.shape;
import static dev.plumbline.kernel.ShapeChecks.type;
import static dev.plumbline.kernel.ShapeChecks.wrong;

import dev.plumbline.precision.AttentionDecode;
import dev.plumbline.precision.PageFormat;
import java.util.Arrays;
import java.util.List;

/**
 * Shape and type checks shared by the backends, so that a wrong call gets the same sentence everywhere:
 * {@code linear: y is fp32 [3, 64], expected fp32 [3, 128]}. Nothing is built unless a check fails.
 */
public final class KernelChecks {

    private KernelChecks() {}

    /**
     * Checks {@link Tensor#reshape}.
     *
     * @throws IllegalArgumentException if the tensor has not exactly the elements of that shape
     */
    public static void reshape(Tensor tensor, long... dims) {
        long left = tensor.elements();
        boolean possible = dims.length > 0;
        boolean none = false;
        for (long dim : dims) {
            possible &= dim >= 0;
            none |= dim == 0;
        }
        if (possible && none) {
            possible = left == 0;
        } else if (possible) {
            for (long dim : dims) {
                possible &= left % dim == 0;
                left /= dim;
            }
            possible &= left == 1;
        }
        if (!possible) {
            throw new IllegalArgumentException("cannot reshape " + tensor + " to " + Arrays.toString(dims));
        }
    }

    /**
     * Checks a transfer between an array and a tensor.
     *
     * @param array element type of the array: FP32 for fp32 and bf16 tensors, INT32 or BYTE
     */
    public static void transfer(
            String what, DType array, int arrayLength, int offset, int length, Tensor tensor, long at) {
        DType held = tensor.dtype() == DType.BF16 ? DType.FP32 : tensor.dtype();
        if (held != array) {
            throw new KernelException(what + ": tensor is " + tensor + ", the array holds " + ShapeChecks.name(array));
        }
        if (offset < 0 || length < 0 || offset > arrayLength - length) {
            throw new KernelException(what + ": elements " + offset + " to " + ((long) offset + length)
                    + " of an array of " + arrayLength);
        }
        if (at < 0 || at > tensor.elements() - length) {
            throw new KernelException(what + ": elements " + at + " to " + (at + length) + " of " + tensor);
        }
    }

    /** Checks {@link Kernels#embed}. */
    public static void embed(Batch batch, Tensor table, Tensor streams) {
        String kernel = "embed";
        batch(kernel, batch);
        floats(kernel, "table", table, ANY, ANY);
        fp32(kernel, "streams", streams, batch.rows(), ANY, table.dim(1));
    }

    /** Checks {@link Kernels#angles}. */
    public static void angles(Batch batch, Tensor frequencies, Tensor table) {
        String kernel = "angles";
        batch(kernel, batch);
        fp32(kernel, "frequencies", frequencies, ANY);
        fp32(kernel, "table", table, batch.rows(), 2 * frequencies.dim(0));
    }

    /** Checks {@link Kernels#visible}. */
    public static void visible(Batch batch, int ratio, Tensor counts) {
        batch("visible", batch);
        atLeastOne("visible", "ratio", ratio);
        int32("visible", "counts", counts, batch.rows());
    }

    /** Checks {@link Kernels#mix}. */
    public static void mix(Tensor streams, HyperWeights weights, Tensor post, Tensor comb, Tensor collapsed) {
        String kernel = "mix";
        fp32(kernel, "streams", streams, ANY, ANY, ANY);
        long rows = streams.dim(0);
        long h = streams.dim(1);
        long d = streams.dim(2);
        atLeastOne(kernel, "number of streams", h);
        given(kernel, "weights", weights);
        floats(kernel, "fn", weights.fn(), (2 + h) * h, h * d);
        fp32(kernel, "base", weights.base(), (2 + h) * h);
        fp32(kernel, "scale", weights.scale(), 3);
        atLeastOne(kernel, "iterations", weights.iterations());
        fp32(kernel, "post", post, rows, h);
        fp32(kernel, "comb", comb, rows, h, h);
        fp32(kernel, "collapsed", collapsed, rows, d);
    }

    /** Checks {@link Kernels#unmix}. */
    public static void unmix(Tensor y, Tensor post, Tensor comb, Tensor streams) {
        String kernel = "unmix";
        fp32(kernel, "streams", streams, ANY, ANY, ANY);
        long rows = streams.dim(0);
        long h = streams.dim(1);
        atLeastOne(kernel, "number of streams", h);
        fp32(kernel, "y", y, rows, streams.dim(2));
        fp32(kernel, "post", post, rows, h);
        fp32(kernel, "comb", comb, rows, h, h);
    }

    /** Checks {@link Kernels#collapse}. */
    public static void collapse(Tensor streams, HyperWeights weights, Tensor collapsed) {
        String kernel = "collapse";
        fp32(kernel, "streams", streams, ANY, ANY, ANY);
        long h = streams.dim(1);
        atLeastOne(kernel, "number of streams", h);
        given(kernel, "weights", weights);
        floats(kernel, "fn", weights.fn(), h, h * streams.dim(2));
        fp32(kernel, "base", weights.base(), h);
        fp32(kernel, "scale", weights.scale(), 1);
        fp32(kernel, "collapsed", collapsed, streams.dim(0), streams.dim(2));
    }

    /** Checks {@link Kernels#rmsNorm}. */
    public static void rmsNorm(Tensor x, Tensor weight, Tensor y) {
        String kernel = "rmsNorm";
        given(kernel, "x", x);
        type(kernel, "x", x, DType.FP32);
        long[] shape = x.shape();
        type(kernel, "y", y, DType.FP32);
        same(kernel, "y", y, shape);
        if (weight != null) {
            fp32(kernel, "weight", weight, shape[shape.length - 1]);
        }
    }

    /** Checks {@link Kernels#linear}. */
    public static void linear(Tensor x, LinearWeight weight, Tensor y) {
        String kernel = "linear";
        given(kernel, "weight", weight);
        fp32(kernel, "x", x, ANY, weight.inputs());
        fp32(kernel, "y", y, x.dim(0), weight.outputs());
    }

    /** Checks {@link Kernels#groupedLinear}. */
    public static void groupedLinear(Tensor x, List<? extends LinearWeight> weights, Tensor y) {
        String kernel = "groupedLinear";
        alike(kernel, "weights", weights);
        LinearWeight first = weights.get(0);
        long groups = weights.size();
        fp32(kernel, "x", x, ANY, groups * first.inputs());
        fp32(kernel, "y", y, x.dim(0), groups * first.outputs());
    }

    /** Checks {@link Kernels#rope}. */
    public static void rope(Tensor x, Tensor table) {
        fp32("rope", "x", x, ANY, ANY, ANY);
        rotation("rope", table, x.dim(0), x.dim(2));
    }

    /** Checks {@link Kernels#transform}. */
    public static void transform(Tensor x, KeyTransform transform) {
        String kernel = "transform";
        given(kernel, "x", x);
        type(kernel, "x", x, DType.FP32);
        long[] shape = x.shape();
        if (transform == KeyTransform.FP8_BLOCKS) {
            throw new KernelException("transform: FP8_BLOCKS is done by windowKeys and compress");
        }
        PoolChecks.transform(kernel, transform, shape[shape.length - 1]);
    }

    /** Checks {@link Kernels#windowKeys}. */
    public static void windowKeys(Tensor x, Tensor weight, Tensor table, KeyTransform transform, Tensor out) {
        String kernel = "windowKeys";
        if (transform != KeyTransform.NONE && transform != KeyTransform.FP8_BLOCKS) {
            throw new KernelException("windowKeys: transform is " + transform + ", expected NONE or FP8_BLOCKS");
        }
        fp32(kernel, "x", x, ANY, ANY);
        fp32(kernel, "weight", weight, x.dim(1));
        rotation(kernel, table, x.dim(0), x.dim(1));
        floats(kernel, "out", out, x.dim(0), x.dim(1));
    }

    /** Checks {@link Kernels#appendRing}. */
    public static void appendRing(Batch batch, Tensor source, Pool ring) {
        String kernel = "appendRing";
        batch(kernel, batch);
        floats(kernel, "source", source, batch.rows(), ANY);
        PoolChecks.keyValues(kernel, "ring", ring, ANY, source.dim(1));
        PoolChecks.ringOf(kernel, "source", source, ring);
    }

    /** Checks {@link Kernels#compress}. */
    public static void compress(
            Batch batch,
            CompressorWeights weights,
            Tensor projected,
            Tensor state,
            Tensor pages,
            Pool pool,
            KeyTransform transform,
            Tensor shadow) {
        String kernel = "compress";
        batch(kernel, batch);
        given(kernel, "weights", weights);
        atLeastOne(kernel, "ratio", weights.ratio());
        atLeastOne(kernel, "headDim", weights.headDim());
        fp32(kernel, "ape", weights.ape(), weights.ratio(), weights.series() * weights.headDim());
        fp32(kernel, "norm", weights.norm(), weights.headDim());
        fp32(kernel, "frequencies", weights.frequencies(), ANY);
        if (2 * weights.frequencies().dim(0) > weights.headDim()) {
            throw new KernelException("compress: frequencies rotate "
                    + 2 * weights.frequencies().dim(0) + " dims of a head of " + weights.headDim());
        }
        fp32(kernel, "projected", projected, batch.rows(), weights.projectedWidth());
        fp32(kernel, "state", state, ANY, weights.stateTokens(), weights.projectedWidth());
        int32(kernel, "pages", pages, batch.sequences(), ANY);
        PoolChecks.entries(kernel, "pool", pool, weights.headDim());
        PoolChecks.transform(kernel, transform, weights.headDim());
        int rotated = Math.toIntExact(2 * weights.frequencies().dim(0));
        if (pool.format().layout() == PageFormat.Layout.KV_FP8 && pool.format().rotated() != rotated) {
            throw new KernelException("compress: pages set " + pool.format().rotated()
                    + " rotated dims apart, frequencies rotate " + rotated);
        }
        if (shadow != null) {
            shape(kernel, "shadow", shadow, DType.FP32, pool.pages(), Kernels.PAGE_ENTRIES, weights.headDim());
        }
    }

    /** Checks {@link Kernels#indexScores}. */
    public static void indexScores(
            Batch batch,
            int rowFrom,
            Tensor q,
            Tensor headWeights,
            Pool keys,
            Tensor pages,
            Tensor counts,
            IndexScoring scoring,
            Tensor scores) {
        String kernel = "indexScores";
        batch(kernel, batch);
        fp32(kernel, "q", q, batch.rows(), ANY, ANY);
        atLeastOne(kernel, "number of heads", q.dim(1));
        atLeastOne(kernel, "width of a head", q.dim(2));
        fp32(kernel, "headWeights", headWeights, batch.rows(), q.dim(1));
        PoolChecks.indexKeys(kernel, "keys", keys, q.dim(2));
        given(kernel, "scoring", scoring);
        if (scoring.scoreType() != DType.FP32 && scoring.scoreType() != DType.BF16) {
            throw new KernelException("indexScores: scores are " + scoring.scoreType() + ", expected FP32 or BF16");
        }
        if (scoring.gathered() != null) {
            PoolChecks.indexKeys(kernel, "gathered", scoring.gathered(), q.dim(2));
            atLeastOne(kernel, "number of gathered pages", scoring.gathered().pages());
            if (!scoring.gathered().format().equals(keys.format())) {
                throw new KernelException("indexScores: gathered pages are of "
                        + scoring.gathered().format() + ", expected " + keys.format());
            }
        }
        int32(kernel, "pages", pages, batch.sequences(), ANY);
        int32(kernel, "counts", counts, batch.rows());
        fp32(kernel, "scores", scores, ANY, ANY);
        if (rowFrom < 0 || rowFrom + scores.dim(0) > batch.rows()) {
            throw new KernelException("indexScores: rows " + rowFrom + " to " + (rowFrom + scores.dim(0))
                    + " of a step of " + batch.rows());
        }
    }

    /** Checks {@link Kernels#topK}. */
    public static void topK(Tensor scores, Tensor counts, Tensor ids, Tensor found) {
        String kernel = "topK";
        fp32(kernel, "scores", scores, ANY, ANY);
        int32(kernel, "counts", counts, scores.dim(0));
        int32(kernel, "ids", ids, scores.dim(0), ANY);
        int32(kernel, "found", found, scores.dim(0));
    }

    /** Checks {@link Kernels#attention}. */
    public static void attention(
            Batch batch,
            Tensor q,
            Tensor keys,
            Pool ring,
            Entries entries,
            Tensor sinks,
            AttentionDecode decode,
            Tensor out,
            Tensor logSumExp) {
        String kernel = "attention";
        batch(kernel, batch);
        long rows = batch.rows();
        fp32(kernel, "q", q, rows, ANY, ANY);
        long heads = q.dim(1);
        long d = q.dim(2);
        atLeastOne(kernel, "number of heads", heads);
        atLeastOne(kernel, "width of a head", d);
        floats(kernel, "keys", keys, rows, d);
        PoolChecks.keyValues(kernel, "ring", ring, ANY, d);
        PoolChecks.ringOf(kernel, "keys", keys, ring);
        given(kernel, "decode", decode);
        if (entries != null) {
            PoolChecks.keyValues(kernel, "entries.pool", entries.pool(), Kernels.PAGE_ENTRIES, d);
            int32(kernel, "entries.pages", entries.pages(), batch.sequences(), ANY);
            if (entries.ids() != null) {
                int32(kernel, "entries.ids", entries.ids(), rows, ANY);
            }
            int32(kernel, "entries.counts", entries.counts(), rows);
        }
        fp32(kernel, "sinks", sinks, heads);
        fp32(kernel, "out", out, rows, heads, d);
        if (logSumExp != null) {
            fp32(kernel, "logSumExp", logSumExp, rows, heads);
        }
    }

    /** Checks {@link Kernels#route}. */
    public static void route(Batch batch, Tensor logits, Tensor bias, Tensor table, Tensor ids, Tensor weights) {
        String kernel = "route";
        batch(kernel, batch);
        fp32(kernel, "logits", logits, batch.rows(), ANY);
        long experts = logits.dim(1);
        if (bias != null) {
            fp32(kernel, "bias", bias, experts);
        }
        int32(kernel, "ids", ids, batch.rows(), ANY);
        long k = ids.dim(1);
        atLeastOne(kernel, "number of choices", k);
        if (table != null) {
            int32(kernel, "table", table, ANY, k);
        }
        if (k > experts) {
            throw new KernelException("route: ids hold " + k + " choices of " + experts + " experts");
        }
        fp32(kernel, "weights", weights, batch.rows(), k);
    }

    /** Checks {@link Kernels#experts}. */
    public static void experts(
            Batch batch,
            Tensor x,
            Tensor ids,
            Tensor weights,
            List<? extends LinearWeight> gateUp,
            List<? extends LinearWeight> down,
            Tensor y) {
        String kernel = "experts";
        batch(kernel, batch);
        fp32(kernel, "x", x, batch.rows(), ANY);
        int32(kernel, "ids", ids, batch.rows(), ANY);
        atLeastOne(kernel, "number of choices", ids.dim(1));
        fp32(kernel, "weights", weights, batch.rows(), ids.dim(1));
        alike(kernel, "gateUp", gateUp);
        alike(kernel, "down", down);
        if (gateUp.size() != down.size()) {
            throw new KernelException("experts: down holds " + down.size() + " experts, gateUp " + gateUp.size());
        }
        long d = x.dim(1);
        long inner = down.get(0).inputs();
        matrix(kernel, "gateUp", gateUp.get(0), 2 * inner, d);
        matrix(kernel, "down", down.get(0), d, inner);
        fp32(kernel, "y", y, batch.rows(), d);
    }

    /** Checks {@link Kernels#swiglu}. */
    public static void swiglu(Tensor gateUp, Tensor h) {
        fp32("swiglu", "h", h, ANY, ANY);
        fp32("swiglu", "gateUp", gateUp, h.dim(0), 2 * h.dim(1));
    }

    /** Checks {@link Kernels#gatherRows}. */
    public static void gatherRows(Tensor x, Tensor rows, Tensor out) {
        String kernel = "gatherRows";
        int32(kernel, "rows", rows, ANY);
        boolean bytes = x != null && x.dtype() == DType.BYTE;
        type(kernel, "x", x, bytes ? DType.BYTE : floatType(x));
        long[] expected = x.shape();
        if (bytes && expected[0] != 0 && x.elements() / expected[0] % 2 != 0) {
            throw wrong(kernel, "x", x, DType.BYTE, ANY, 2);
        }
        expected[0] = rows.dim(0);
        type(kernel, "out", out, x.dtype());
        same(kernel, "out", out, expected);
    }

    /** Checks {@link Kernels#sample}. */
    public static void sample(Tensor logits, Sampling sampling, Tensor ids) {
        String kernel = "sample";
        fp32(kernel, "logits", logits, ANY, ANY);
        if (logits.dim(1) < 1) {
            throw wrong(kernel, "logits", logits, DType.FP32, ANY, 1);
        }
        long rows = logits.dim(0);
        given(kernel, "sampling", sampling);
        int32(kernel, "adjustmentStart", sampling.adjustmentStart(), rows + 1);
        int32(kernel, "adjustmentToken", sampling.adjustmentToken(), ANY);
        fp32(
                kernel,
                "adjustment",
                sampling.adjustment(),
                sampling.adjustmentToken().dim(0));
        fp32(kernel, "temperature", sampling.temperature(), rows);
        fp32(kernel, "topP", sampling.topP(), rows);
        int32(kernel, "seed", sampling.seed(), rows, 2);
        int32(kernel, "choice", sampling.choice(), rows);
        int32(kernel, "position", sampling.position(), rows);
        int32(kernel, "ids", ids, rows);
    }

    /** Checks {@link Kernels#logProbabilities}. */
    public static void logProbabilities(Tensor logits, Tensor ids, Tensor chosen, Tensor topIds, Tensor top) {
        String kernel = "logProbabilities";
        fp32(kernel, "logits", logits, ANY, ANY);
        long rows = logits.dim(0);
        int32(kernel, "ids", ids, rows);
        fp32(kernel, "chosen", chosen, rows);
        int32(kernel, "topIds", topIds, rows, ANY);
        fp32(kernel, "top", top, rows, topIds.dim(1));
        if (topIds.dim(1) > logits.dim(1)) {
            throw wrong(kernel, "topIds", topIds, DType.INT32, rows, logits.dim(1));
        }
    }

    private static void batch(String kernel, Batch batch) {
        given(kernel, "batch", batch);
        long rows = batch.rows();
        long sequences = batch.sequences();
        if (rows < 0 || sequences < 0) {
            throw new KernelException(
                    kernel + ": batch has " + rows + " rows and " + sequences + " sequences, expected at least 0");
        }
        int32(kernel, "batch.tokens", batch.tokens(), rows);
        int32(kernel, "batch.positions", batch.positions(), rows);
        int32(kernel, "batch.sequenceOf", batch.sequenceOf(), rows);
        int32(kernel, "batch.firstRow", batch.firstRow(), sequences + 1);
        int32(kernel, "batch.slots", batch.slots(), sequences);
        int32(kernel, "batch.stages", batch.stages(), rows);
    }

    private static void rotation(String kernel, Tensor table, long rows, long headDim) {
        fp32(kernel, "table", table, rows, ANY);
        long rotated = table.dim(1);
        if (rotated > headDim || (rotated & 1) != 0) {
            throw new KernelException(kernel + ": table rotates " + rotated + " dims of a head of " + headDim
                    + ", expected an even part");
        }
    }

    private static void alike(String kernel, String argument, List<? extends LinearWeight> weights) {
        if (weights == null || weights.isEmpty()) {
            throw new KernelException(kernel + ": " + argument + " is empty, expected at least one matrix");
        }
        LinearWeight first = weights.get(0);
        for (int i = 1; i < weights.size(); i++) {
            matrix(kernel, argument, weights.get(i), first.outputs(), first.inputs());
        }
    }

    private static void matrix(String kernel, String argument, LinearWeight weight, long outputs, long inputs) {
        if (weight == null || weight.outputs() != outputs || weight.inputs() != inputs) {
            throw new KernelException(kernel + ": " + argument + " is "
                    + (weight == null ? "null" : "[" + weight.outputs() + ", " + weight.inputs() + "]") + ", expected ["
                    + outputs + ", " + inputs + "]");
        }
    }
}
