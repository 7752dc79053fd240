// Router (spec 3.9): one warp a row. Dynamic shared memory: 2 * experts floats. A NaN counts as -infinity when choosing.
#include "common.cuh"

__global__ void route(
        Launch launch, Batch batch, int64_t experts, int64_t chosen, const float *logits, const float *bias,
        const int32_t *table, int64_t vocabulary, float scaling, int32_t *ids, float *weights) {
    PL_DYNAMIC_SHARED(float, affinity);
    float *rank = affinity + experts;
    int64_t t = blockIdx.x;
    int lane = threadIdx.x;
    StepRow row;
    if (!readRow(launch, batch, t, row)) {
        return;
    }
    ids += t * chosen;
    weights += t * chosen;
    for (int64_t e = lane; e < experts; e += WARP) {
        float logit = logits[t * experts + e];
        float s = sqrtf(logit > 20.0f ? logit : log1pf(expf(logit)));
        float value = bias == nullptr ? s : s + bias[e];
        affinity[e] = s;
        rank[e] = isNaN(value) ? -infinity() : value;
    }
    __syncwarp();
    const int32_t *given = nullptr;
    if (table != nullptr) {
        int token = batch.tokens[t];
        if (token < 0 || token >= vocabulary) {
            report(launch, TOKEN, t, token, vocabulary - 1);
            return;
        }
        given = table + token * chosen;
    }
    float sum = 0.0f;
    for (int64_t i = 0; i < chosen; i++) {
        int64_t best = experts; // nothing yet
        if (given != nullptr) {
            best = given[i];
            if (best < 0 || best >= experts) {
                report(launch, TABLE_EXPERT, batch.tokens[t], best, experts - 1);
                return;
            }
        } else {
            // Taken experts are NaN; of equals the lowest id wins, in a lane as between lanes.
            float highest = 0.0f;
            for (int64_t e = lane; e < experts; e += WARP) {
                if (!isNaN(rank[e]) && (best == experts || rank[e] > highest)) {
                    best = e;
                    highest = rank[e];
                }
            }
            for (int offset = WARP / 2; offset > 0; offset /= 2) {
                int64_t other = __shfl_xor_sync(ALL_LANES, best, offset);
                float value = __shfl_xor_sync(ALL_LANES, highest, offset);
                bool better = other != experts
                              && (best == experts || value > highest || (value == highest && other < best));
                best = better ? other : best;
                highest = better ? value : highest;
            }
        }
        if (lane == 0) {
            ids[i] = static_cast<int32_t>(best);
            rank[best] = __uint_as_float(0x7fc00000u);
        }
        sum += affinity[best];
        __syncwarp();
    }
    // Read back what lane 0 wrote.
    __syncwarp();
    for (int64_t i = lane; i < chosen; i += WARP) {
        weights[i] = scaling * affinity[ids[i]] / (sum + 1e-20f);
    }
}
