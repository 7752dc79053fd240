// Kernels without arithmetic worth vectorising; compiled once, for every machine.
#pragma once

#include "kernels.h"

namespace pl {

void embed(
        const pl_batch &batch, int32_t tableType, int64_t hidden, int64_t streams, const void *table, float *out);

void angles(Context &context, const pl_batch &batch, int64_t pairs, const float *frequencies, float *table);

void appendRing(const pl_batch &batch, const void *source, const Pages &ring);

void topK(
        Context &context, bool sort, int64_t rows, int64_t candidates, const float *scores, const int32_t *counts,
        int64_t budget, int32_t *ids, int32_t *found);

struct RouteArgs {
    pl_batch batch;
    int64_t experts, chosen;
    const float *logits, *bias;
    const int32_t *table;
    float scaling;
    int32_t *ids;
    float *weights;
};

void route(Context &context, const RouteArgs &args);

void sample(Context &context, int64_t rows, int64_t vocabulary, float *logits, const pl_sampling &sampling, int32_t *ids);

void logProbabilities(
        Context &context, int64_t rows, int64_t vocabulary, const float *logits, const int32_t *ids, float *chosen,
        int64_t k, int32_t *topIds, float *top);

} // namespace pl
