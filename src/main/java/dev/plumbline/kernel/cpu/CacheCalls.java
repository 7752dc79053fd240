package dev.plumbline.kernel.cpu;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.CompressorWeights;
import dev.plumbline.kernel.Entries;
import dev.plumbline.kernel.IndexScoring;
import dev.plumbline.kernel.KeyTransform;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.Variant;
import dev.plumbline.precision.AttentionDecode;
import java.util.stream.LongStream;

/** Calls of the kernels that write and read caches; arguments have been checked. */
final class CacheCalls {
    private final CpuContext context;

    CacheCalls(CpuContext context) {
        this.context = context;
    }

    Variant transform(Tensor x, KeyTransform transform) {
        CpuTensor rows = CpuTensor.of(x);
        return context.variant(Native.transform(
                context.call(), rows.outerRows(), rows.width(), context.address(x), transform.ordinal()));
    }

    Variant windowKeys(Tensor x, Tensor weight, float eps, Tensor table, KeyTransform transform, Tensor out) {
        return context.variant(Native.windowKeys(
                context.call(),
                x.dim(0),
                x.dim(1),
                table.dim(1),
                context.address(x),
                context.address(weight),
                eps,
                context.address(table),
                transform.ordinal(),
                out.dtype().ordinal(),
                context.address(out)));
    }

    Variant appendRing(Batch batch, Tensor source, Pool ring) {
        return context.variant(Native.appendRing(
                context.call(),
                context.batch(batch),
                source.dtype().ordinal(),
                context.address(source),
                context.pool(ring)));
    }

    Variant compress(
            Batch batch,
            CompressorWeights weights,
            Tensor projected,
            Tensor state,
            Tensor pages,
            Pool pool,
            KeyTransform transform,
            Tensor shadow) {
        return context.variant(Native.compress(
                context.call(),
                context.batch(batch),
                weights.ratio(),
                weights.overlapping(),
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
                context.pool(pool),
                transform.ordinal(),
                context.addressOrNull(shadow)));
    }

    Variant indexScores(
            Batch batch,
            int rowFrom,
            Tensor q,
            Tensor headWeights,
            Pool keys,
            Tensor pages,
            Tensor counts,
            IndexScoring scoring,
            Tensor scores) {
        return context.variant(Native.indexScores(
                context.call(),
                context.batch(batch),
                rowFrom,
                scores.dim(0),
                q.dim(1),
                context.address(q),
                context.address(headWeights),
                context.pool(keys),
                context.address(pages),
                pages.dim(1),
                context.address(counts),
                scoring.scoreType().ordinal(),
                scoring.gathered() == null ? null : context.pool(scoring.gathered()),
                context.address(scores),
                scores.dim(1)));
    }

    Variant attention(
            Batch batch,
            Tensor q,
            Tensor keys,
            Pool ring,
            Entries entries,
            Tensor sinks,
            float scale,
            AttentionDecode decode,
            Tensor out,
            Tensor logSumExp) {
        return context.variant(Native.attention(
                context.call(),
                context.batch(batch),
                q.dim(1),
                q.dim(2),
                context.address(q),
                keys.dtype().ordinal(),
                context.address(keys),
                context.pool(ring),
                entries == null ? null : fields(entries),
                context.address(sinks),
                scale,
                decode == AttentionDecode.MMA,
                context.address(out),
                context.addressOrNull(logSumExp)));
    }

    private long[] fields(Entries entries) {
        long[] own = {
            context.address(entries.pages()),
            entries.pages().dim(1),
            context.addressOrNull(entries.ids()),
            entries.ids() == null ? 0 : entries.ids().dim(1),
            context.address(entries.counts())
        };
        return LongStream.concat(LongStream.of(context.pool(entries.pool())), LongStream.of(own))
                .toArray();
    }
}
