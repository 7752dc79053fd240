// Groups the rows of a step by expert: one block, a thread an expert. places lists the choices (t * chosen + i) of each
// expert one after the other, in their order; tiles cuts them into tiles of tileRows. Shared memory: 2 * (experts + 1) ints.
#include "common.cuh"

__global__ void expertPlan(
        Launch launch, Batch batch, int64_t experts, int64_t chosen, const int32_t *ids, int64_t tileRows,
        int32_t *places, int32_t *tiles, int64_t mostTiles) {
    PL_DYNAMIC_SHARED(int32_t, counts);
    int32_t *tileCounts = counts + experts + 1;
    int64_t choices = batch.rows * chosen;
    for (int64_t i = threadIdx.x; i < choices; i += blockDim.x) {
        bool padding = batch.sequenceOf[i / chosen] < 0;
        if (!padding && (ids[i] < 0 || ids[i] >= experts)) {
            report(launch, EXPERT, i / chosen, i % chosen, ids[i], experts - 1);
        }
    }
    for (int64_t e = threadIdx.x; e < experts; e += blockDim.x) {
        int32_t count = 0;
        for (int64_t i = 0; i < choices; i++) {
            count += ids[i] == e && batch.sequenceOf[i / chosen] >= 0 ? 1 : 0;
        }
        counts[e] = count;
        tileCounts[e] = static_cast<int32_t>((count + tileRows - 1) / tileRows);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int32_t rows = 0;
        int32_t used = 0;
        for (int64_t e = 0; e < experts; e++) {
            int32_t count = counts[e];
            int32_t tileCount = tileCounts[e];
            counts[e] = rows;
            tileCounts[e] = used;
            rows += count;
            used += tileCount;
        }
        counts[experts] = rows;
        tileCounts[experts] = used;
    }
    __syncthreads();
    for (int64_t e = threadIdx.x; e < experts; e += blockDim.x) {
        int32_t at = counts[e];
        if (at == counts[e + 1]) {
            continue;
        }
        for (int64_t i = 0; i < choices; i++) {
            if (ids[i] == e && batch.sequenceOf[i / chosen] >= 0) {
                places[at++] = static_cast<int32_t>(i);
            }
        }
        for (int32_t tile = tileCounts[e]; tile < tileCounts[e + 1]; tile++) {
            int64_t first = counts[e] + (tile - tileCounts[e]) * tileRows;
            int64_t rest = counts[e + 1] - first;
            tiles[3 * tile] = static_cast<int32_t>(e);
            tiles[3 * tile + 1] = static_cast<int32_t>(first);
            tiles[3 * tile + 2] = static_cast<int32_t>(rest < tileRows ? rest : tileRows);
        }
    }
    for (int64_t tile = tileCounts[experts] + threadIdx.x; tile < mostTiles; tile += blockDim.x) {
        tiles[3 * tile] = -1;
        tiles[3 * tile + 1] = 0;
        tiles[3 * tile + 2] = 0;
    }
}
