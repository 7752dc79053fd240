// Copies consecutive pages of one sequence to the start of another pool of the same format, as far as a row reads them.
// One block a page.
#include "common.cuh"

__global__ void gatherPages(
        Launch launch, Batch batch, int64_t rowFrom, int64_t rows, const int32_t *counts /* [T] */, Pages pages,
        int64_t sequence, int64_t firstPage, int64_t pageBytes, const unsigned char *source, unsigned char *target) {
    __shared__ int scratch[WARP];
    int64_t entry = (firstPage + blockIdx.x) * PAGE_ENTRIES;
    int readers = 0;
    for (int64_t t = rowFrom + threadIdx.x; t < rowFrom + rows; t += blockDim.x) {
        readers += batch.sequenceOf[t] == sequence && counts[t] > entry ? 1 : 0;
    }
    if (blockSum(readers, scratch) == 0) {
        return;
    }
    int64_t row = pages.rowOf(launch, static_cast<int>(sequence), entry);
    if (row < 0) {
        return;
    }
    const unsigned char *from = source + row / PAGE_ENTRIES * pageBytes;
    unsigned char *to = target + static_cast<int64_t>(blockIdx.x) * pageBytes;
    for (int64_t i = threadIdx.x; i < pageBytes; i += blockDim.x) {
        to[i] = from[i];
    }
}
