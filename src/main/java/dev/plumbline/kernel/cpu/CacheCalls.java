package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.CompressorWeights;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Entries;
import dev.plumbline.kernel.IndexScoring;
import dev.plumbline.kernel.KernelChecks;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.KeyTransform;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.Variant;
import dev.plumbline.precision.AttentionDecode;

/** Calls of the kernels that write and read caches; arguments have been checked. */
final class CacheCalls {
    private final CpuContext context;

    CacheCalls(CpuContext context) {
        this.context = context;
    }

    Variant windowKeys(Tensor x, Tensor weight, float eps, Tensor table, KeyTransform transform, Tensor out) {
        requireNone("windowKeys", transform);
        return context.variant(Native.windowKeys(
                context.call(),
                x.dim(0),
                x.dim(1),
                table.dim(1),
                context.address(x),
                context.address(weight),
                eps,
                context.address(table),
                out.dtype().ordinal(),
                context.address(out)));
    }

    Variant appendRing(Batch batch, Tensor source, Pool pool) {
        Tensor ring = pool.plain("appendRing");
        return context.variant(Native.appendRing(
                context.call(),
                context.batch(batch),
                source.dtype().ordinal(),
                source.dim(1),
                ring.dim(1),
                ring.dim(0),
                context.address(source),
                context.address(ring)));
    }

    Variant compress(
            Batch batch,
            CompressorWeights weights,
            Tensor projected,
            Tensor state,
            Tensor pages,
            Pool entries,
            KeyTransform transform,
            Tensor shadow) {
        Tensor pool = entries.plain("compress");
        requireNone("compress", transform);
        if (shadow != null) {
            throw KernelChecks.noKernel("compress", "a shadow of what is stored");
        }
        return context.variant(Native.compress(
                context.call(),
                context.batch(batch),
                weights.ratio(),
                weights.overlapping(),
                weights.headDim(),
                2 * weights.frequencies().dim(0),
                context.address(weights.ape()),
                context.address(weights.norm()),
                weights.eps(),
                context.address(weights.frequencies()),
                context.address(projected),
                context.address(state),
                state.dim(0),
                context.address(pages),
                pages.dim(1),
                pool.dtype().ordinal(),
                context.address(pool),
                pool.dim(0)));
    }

    Variant indexScores(
            Batch batch,
            int rowFrom,
            Tensor q,
            Tensor headWeights,
            Pool pool,
            Tensor pages,
            Tensor counts,
            IndexScoring scoring,
            Tensor scores) {
        Tensor keys = pool.plain("indexScores");
        if (scoring.scoreType() != DType.FP32 || scoring.gathered() != null) {
            throw KernelChecks.noKernel("indexScores", scoring.gathered() == null ? "bf16 scores" : "gathered keys");
        }
        return context.variant(Native.indexScores(
                context.call(),
                context.batch(batch),
                rowFrom,
                scores.dim(0),
                q.dim(1),
                q.dim(2),
                context.address(q),
                context.address(headWeights),
                keys.dtype().ordinal(),
                context.address(keys),
                keys.dim(0),
                context.address(pages),
                pages.dim(1),
                context.address(counts),
                context.address(scores),
                scores.dim(1)));
    }

    Variant attention(
            Batch batch,
            Tensor q,
            Tensor keys,
            Pool window,
            Entries entries,
            Tensor sinks,
            float scale,
            AttentionDecode decode,
            Tensor out,
            Tensor logSumExp) {
        Tensor ring = window.plain("attention");
        if (decode != AttentionDecode.SCALAR) {
            throw KernelChecks.noKernel("attention", "decode rows rounded to bf16");
        }
        if (entries != null && entries.pool().data().dtype() != keys.dtype()) {
            throw new KernelException("attention: entries are "
                    + entries.pool().data().dtype() + ", keys " + keys.dtype() + "; this backend wants one type");
        }
        return context.variant(Native.attention(
                context.call(),
                context.batch(batch),
                q.dim(1),
                q.dim(2),
                context.address(q),
                keys.dtype().ordinal(),
                context.address(keys),
                context.address(ring),
                ring.dim(0),
                ring.dim(1),
                entries == null ? null : fields(entries),
                context.address(sinks),
                scale,
                context.address(out),
                context.addressOrNull(logSumExp)));
    }

    private long[] fields(Entries entries) {
        Tensor pool = entries.pool().plain("attention");
        return new long[] {
            context.address(pool),
            pool.dim(0),
            context.address(entries.pages()),
            entries.pages().dim(1),
            context.addressOrNull(entries.ids()),
            entries.ids() == null ? 0 : entries.ids().dim(1),
            context.address(entries.counts())
        };
    }

    private static void requireNone(String kernel, KeyTransform transform) {
        if (transform != KeyTransform.NONE) {
            throw KernelChecks.noKernel(kernel, String.valueOf(transform));
        }
    }
}
