// y[t] += sum over i of weights[t, i] * results[t * chosen + i], in order of i; rows of padding are skipped. Separate: the
// sum starts from 0 and is scaled before it joins. One block a row.
#include "common.cuh"

__global__ void expertSum(
        Launch launch, Batch batch, int64_t hidden, int64_t chosen, const float *weights, const float *results,
        int64_t separate, float scaling, float *y) {
    int64_t t = blockIdx.x;
    StepRow row;
    if (!readRow(launch, batch, t, row)) {
        return;
    }
    for (int64_t j = threadIdx.x; j < hidden; j += blockDim.x) {
        float before = y[t * hidden + j];
        float sum = separate != 0 ? 0.0f : before;
        for (int64_t i = 0; i < chosen; i++) {
            sum = fmaf(weights[t * chosen + i], results[(t * chosen + i) * hidden + j], sum);
        }
        y[t * hidden + j] = separate != 0 ? before + scaling * sum : sum;
    }
}
