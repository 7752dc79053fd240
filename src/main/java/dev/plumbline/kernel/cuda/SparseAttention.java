package dev.plumbline.kernel.cuda;

import static dev.plumbline.kernel.Kernels.PAGE_ENTRIES;

import dev.plumbline.kernel.Batch;
import dev.plumbline.kernel.DType;
import dev.plumbline.kernel.Entries;
import dev.plumbline.kernel.IndexScoring;
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
    private static final int EVERY_SEQUENCE = -1;
    private static final int GATHER_THREADS = 256;
    private static final int ENTRIES_SLOTS = 11;

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
        Scoring launch = new Scoring(batch, rowFrom, q, headWeights, pages, counts, scoring, scores);
        Pool gathered = scoring.gathered();
        // Also without candidates: the counts are to be checked.
        long allPages = Math.max(1, (scores.dim(1) + PAGE_ENTRIES - 1) / PAGE_ENTRIES);
        if (gathered == null) {
            launch(launch, pool, EVERY_SEQUENCE, 0, allPages);
        } else {
            gatherAndLaunch(launch, pool, gathered, allPages);
        }
        return call.variant("indexScores." + Formats.name(pool)
                + (scoring.scoreType() == DType.BF16 ? ".bf16_scores" : "")
                + (gathered == null ? "" : ".gathered"));
    }

    private record Scoring(
            Batch batch,
            int rowFrom,
            Tensor q,
            Tensor headWeights,
            Tensor pages,
            Tensor counts,
            IndexScoring scoring,
            Tensor scores) {}

    /** As many pages of a sequence at a time as there is room for. */
    private void gatherAndLaunch(Scoring s, Pool pool, Pool gathered, long allPages) {
        for (int sequence = 0; sequence < s.batch().sequences(); sequence++) {
            for (long first = 0; first < allPages; first += gathered.pages()) {
                long pages = Math.min(gathered.pages(), allPages - first);
                call.of(Kernel.INDEX_SCORES, "gather_pages", "gatherPages")
                        .launch()
                        .batch(s.batch());
                call.number(s.rowFrom())
                        .number(s.scores().dim(0))
                        .tensor(s.counts())
                        .pages(s.pages(), pool.data())
                        .number(sequence)
                        .number(first)
                        .number(Formats.pageBytes(pool))
                        .tensor(pool.data())
                        .tensor(gathered.data());
                call.run(pages, 1, 1, GATHER_THREADS, 0);
                launch(s, gathered, sequence, first, pages);
            }
        }
    }

    private void launch(Scoring s, Pool keys, int sequence, long firstPage, long pages) {
        long heads = s.q().dim(1);
        long d = s.q().dim(2);
        long headsAtOnce = Math.max(1, Math.min(heads, QUERY_BYTES / (d * Float.BYTES)));
        int size = keys.data().dtype() == DType.FP32 ? Float.BYTES : Short.BYTES;
        long pitch = size == Short.BYTES ? d + 2 - d % 2 : d + 1;
        long shared = (PAGE_ENTRIES * pitch * size + 15) / 16 * 16
                + headsAtOnce * (d + 1) * Float.BYTES
                + (long) INDEX_PARTS * PAGE_ENTRIES * Float.BYTES;
        call.of(Kernel.INDEX_SCORES, "index_scores", "indexScores<" + Formats.type(keys) + ">")
                .launch()
                .batch(s.batch());
        call.number(s.rowFrom())
                .number(heads)
                .tensor(s.q())
                .tensor(s.headWeights())
                .pool(keys)
                .pages(s.pages(), keys.data());
        call.number(sequence).number(firstPage).tensor(s.counts());
        call.number(s.scoring().scoreType() == DType.BF16 ? 1 : 0);
        call.tensor(s.scores()).number(s.scores().dim(1)).number(headsAtOnce);
        call.run(pages, s.scores().dim(0), 1, INDEX_PARTS * PAGE_ENTRIES, shared);
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
            Pool ring,
            Entries entries,
            Tensor sinks,
            float scale,
            AttentionDecode decode,
            Tensor out,
            Tensor logSumExp) {
        if (entries != null
                && !entries.pool().format().layout().equals(ring.format().layout())) {
            throw new KernelException("attention: entries are " + Formats.name(entries.pool()) + ", the ring "
                    + Formats.name(ring) + "; this backend wants one format");
        }
        long heads = q.dim(1);
        long d = q.dim(2);
        boolean mma = decode == AttentionDecode.MMA;
        call.of(Kernel.ATTENTION, "attention", "attention<" + Formats.type(ring) + ", " + ownDims(d) + ">")
                .launch()
                .batch(batch);
        call.number(heads).number(d).tensor(q).tensor(keys).pool(ring);
        call.struct();
        if (entries == null) {
            for (int slot = 0; slot < ENTRIES_SLOTS; slot++) {
                call.slot(0);
            }
        } else {
            Tensor ids = entries.ids();
            call.poolSlots(entries.pool());
            call.slot(entries.pages())
                    .slot(entries.pages().dim(1))
                    .slot(entries.pool().pages());
            call.slot(ids).slot(ids == null ? 0 : ids.dim(1)).slot(entries.counts());
        }
        call.tensor(sinks).real(scale).tensor(mma ? batch.stages() : null);
        call.tensor(out).tensor(logSumExp);
        long blocks = (heads + HEADS_PER_BLOCK - 1) / HEADS_PER_BLOCK;
        call.run(batch.rows(), blocks, 1, HEADS_PER_BLOCK * WARP, ATTENTION_TILE * d * Float.BYTES);
        return call.variant("attention." + Formats.name(ring) + (mma ? ".bf16_operands_decode" : ""));
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
