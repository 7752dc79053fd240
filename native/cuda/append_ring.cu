// Row with position p is stored in page `slot` of the ring as row p % L; of a run longer than L only the last L rows are
// kept. One block a row. Dynamic shared memory: width floats.
#include "formats.cuh"

// Type of the rows [T, width] that are appended to a ring of a format.
template <typename F> struct RingSource {
    typedef F Type;
};
template <> struct RingSource<KvFp8> {
    typedef bf16 Type;
};

template <typename F>
__global__ void appendRing(Launch launch, Batch batch, const typename RingSource<F>::Type *source, Pool ring) {
    PL_DYNAMIC_SHARED(float, values);
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
    if (end - t > ring.rows) {
        return;
    }
    int64_t slot = slotOf(launch, batch, row.sequence, ring.pages);
    if (slot < 0) {
        return;
    }
    for (int64_t i = threadIdx.x; i < ring.width; i += blockDim.x) {
        values[i] = widen(source[t * ring.width + i]);
    }
    __syncthreads();
    storeRow(ring, poolRow<F>(ring, slot, row.position % ring.rows), values);
}
