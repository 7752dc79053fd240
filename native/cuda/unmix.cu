// Hyper-connection, second half, in place: streams[t,k,:] = post[t,k] * y[t,:] + sum over j of comb[t,j,k] * streams[t,j,:].
// One block a row and 128 columns. Dynamic shared memory: h * 128 floats, the old streams of those columns.
#include "common.cuh"

__global__ void unmix(
        int64_t streams, int64_t hidden, const float *y, const float *post, const float *comb, float *x) {
    PL_DYNAMIC_SHARED(float, old);
    int64_t t = blockIdx.x;
    int64_t i = static_cast<int64_t>(blockIdx.y) * blockDim.x + threadIdx.x;
    if (i >= hidden) {
        return;
    }
    // Each thread reads and writes its own column only.
    for (int64_t j = 0; j < streams; j++) {
        old[j * blockDim.x + threadIdx.x] = x[(t * streams + j) * hidden + i];
    }
    float in = y[t * hidden + i];
    for (int64_t k = 0; k < streams; k++) {
        float sum = post[t * streams + k] * in;
        for (int64_t j = 0; j < streams; j++) {
            sum = fmaf(comb[(t * streams + j) * streams + k], old[j * blockDim.x + threadIdx.x], sum);
        }
        x[(t * streams + k) * hidden + i] = sum;
    }
}
