// Row with position p goes to ring[slot, p % L, :]; of a run longer than L only the last L rows are kept. One block a row.
#include "common.cuh"

template <typename T>
__global__ void appendRing(
        Launch launch, Batch batch, int64_t width, int64_t length, int64_t slots, const T *source, T *ring) {
    int64_t t = blockIdx.x;
    StepRow row;
    if (!readRow(launch, batch, t, row)) {
        return;
    }
    int64_t end = batch.firstRow[row.sequence + 1];
    if (end <= t || end > batch.rows) {
        report(launch, FIRST_ROW, row.sequence + 1, end, batch.rows);
        return;
    }
    if (end - t > length) {
        return;
    }
    int64_t slot = slotOf(launch, batch, row.sequence, slots);
    if (slot < 0) {
        return;
    }
    T *target = ring + (slot * length + row.position % length) * width;
    for (int64_t i = threadIdx.x; i < width; i += blockDim.x) {
        target[i] = source[t * width + i];
    }
}
