// streams[t, j, :] = table[tokens[t], :]; one block a row.
#include "common.cuh"

template <typename T>
__global__ void embed(
        Launch launch, Batch batch, int64_t vocabulary, int64_t hidden, int64_t streams, const T *table, float *out) {
    int64_t t = blockIdx.x;
    StepRow row;
    const T *source = nullptr;
    if (readRow(launch, batch, t, row)) {
        int token = batch.tokens[t];
        if (token < 0 || token >= vocabulary) {
            report(launch, TOKEN, t, token, vocabulary - 1);
        } else {
            source = table + token * hidden;
        }
    }
    for (int64_t i = threadIdx.x; i < hidden; i += blockDim.x) {
        float value = source == nullptr ? 0.0f : widen(source[i]);
        for (int64_t j = 0; j < streams; j++) {
            out[(t * streams + j) * hidden + i] = value;
        }
    }
}
