package dev.plumbline.kernel.cuda;

import static dev.plumbline.kernel.Kernels.PAGE_ENTRIES;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Entries;
import dev.plumbline.kernel.IndexScoring;
import dev.plumbline.kernel.KernelChecks;
import dev.plumbline.kernel.KernelException;
import dev.plumbline.kernel.Pool;
import dev.plumbline.kernel.Tensor;
import dev.plumbline.kernel.Variant;
import dev.plumbline.kernel.cuda.CudaContext.Scratch;
import dev.plumbline.precision.AttentionDecode;
import dev.plumbline.precision.TopkAlgorithm;

/** Launches of the indexer, the selection and the attention; arguments have been checked. */
final class SparseAttention {
    private static final int WARP = 32;
    private static final int SORT_BLOCKS = 264;
    private static final int SORT_PAIR_BYTES = 8;
    private static final int HEADS_PER_BLOCK = 4;
    private static final int ATTENTION_TILE = 16;
    private static final int INDEX_PARTS = 4;
    private static final long QUERY_BYTES = 32 * 1024;

    private final CudaContext context;
    private final Call call;

    SparseAttention(CudaContext context, Call call) {
        this.context = context;
        this.call = call;
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
        long heads = q.dim(1);
        long d = q.dim(2);
        long headsAtOnce = Math.max(1, Math.min(heads, QUERY_BYTES / (d * Float.BYTES)));
        int size = keys.dtype().bytes();
        long pitch = size == Short.BYTES ? d + 2 - d % 2 : d + 1;
        long shared = (PAGE_ENTRIES * pitch * size + 15) / 16 * 16
                + headsAtOnce * d * Float.BYTES
                + (long) INDEX_PARTS * PAGE_ENTRIES * Float.BYTES;
        call.of(Kernel.INDEX_SCORES, "index_scores", Call.typed("indexScores", keys))
                .launch()
                .batch(batch);
        call.number(rowFrom)
                .number(heads)
                .number(d)
                .tensor(q)
                .tensor(headWeights)
                .tensor(keys)
                .pages(pages, keys);
        call.tensor(counts).tensor(scores).number(scores.dim(1)).number(headsAtOnce);
        // Also without candidates: the counts are to be checked.
        long blocks = Math.max(1, (scores.dim(1) + PAGE_ENTRIES - 1) / PAGE_ENTRIES);
        call.run(blocks, scores.dim(0), 1, INDEX_PARTS * PAGE_ENTRIES, shared);
        return call.variant(Call.named("indexScores", keys));
    }

    Variant topK(Tensor scores, Tensor counts, TopkAlgorithm algorithm, Tensor ids, Tensor found) {
        long rows = scores.dim(0);
        long candidates = scores.dim(1);
        if (algorithm == TopkAlgorithm.RADIX) {
            call.of(Kernel.TOP_K, "top_k_radix", "topKRadix").launch();
            call.number(candidates)
                    .tensor(scores)
                    .tensor(counts)
                    .number(ids.dim(1))
                    .tensor(ids)
                    .tensor(found);
            call.run(rows, 1, 1, Call.threadsFor(candidates), 0);
            return call.variant("topK.radix");
        }
        long blocks = Math.min(rows, SORT_BLOCKS);
        long pairs = context.scratch(Scratch.SORT_PAIRS, blocks * 2 * candidates * SORT_PAIR_BYTES);
        call.of(Kernel.TOP_K, "top_k_sort", "topKSort").launch().number(rows);
        call.number(candidates)
                .tensor(scores)
                .tensor(counts)
                .number(ids.dim(1))
                .tensor(ids)
                .tensor(found);
        call.number(pairs).run(blocks, 1, 1, Call.threadsFor(candidates), 0);
        return call.variant("topK.sort");
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
        long heads = q.dim(1);
        long d = q.dim(2);
        int own = ownDims(d);
        String type = keys.dtype() == DType.BF16 ? "bf16" : "float";
        call.of(Kernel.ATTENTION, "attention", "attention<" + type + ", " + own + ">")
                .launch()
                .batch(batch);
        call.number(heads)
                .number(d)
                .tensor(q)
                .tensor(keys)
                .tensor(ring)
                .number(ring.dim(0))
                .number(ring.dim(1));
        call.struct();
        if (entries == null) {
            call.slot(0).slot(0).slot(0).slot(0).slot(0).slot(0).slot(0);
        } else {
            Tensor ids = entries.ids();
            Tensor pool = entries.pool().plain("attention");
            call.slot(pool).slot(entries.pages()).slot(entries.pages().dim(1));
            call.slot(pool.dim(0)).slot(ids).slot(ids == null ? 0 : ids.dim(1)).slot(entries.counts());
        }
        call.tensor(sinks).real(scale).tensor(out).tensor(logSumExp);
        long blocks = (heads + HEADS_PER_BLOCK - 1) / HEADS_PER_BLOCK;
        call.run(batch.rows(), blocks, 1, HEADS_PER_BLOCK * WARP, ATTENTION_TILE * d * Float.BYTES);
        return call.variant(Call.named("attention", keys));
    }

    /** Dims a lane holds: the smallest compiled number that covers a head. */
    private static int ownDims(long d) {
        for (int own : new int[] {4, 16, 32}) {
            if (d <= (long) own * WARP) {
                return own;
            }
        }
        throw new KernelException("attention: heads have " + d + " dims, allowed on this backend: up to 1024");
    }
}
