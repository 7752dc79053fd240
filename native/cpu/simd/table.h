// The kernels that every instruction set implements; see cpu/base/kernels.h.
#pragma once

#include "vec.h"

namespace pl {
namespace PL_ISA {

void packWeight(const pl_weight &weight, int64_t firstRow, int64_t rows, const float *source);
void linear(Context &context, const LinearArgs &args);
void experts(Context &context, const ExpertArgs &args);
void mix(Context &context, const MixArgs &args);
void collapse(Context &context, const MixArgs &args);
void unmix(
        Context &context, int64_t rows, int64_t streams, int64_t hidden, const float *y, const float *post,
        const float *comb, float *x);
void rmsNorm(Context &context, int64_t rows, int64_t width, const float *x, const float *weight, float eps, float *y);
void rope(
        Context &context, int64_t rows, int64_t heads, int64_t width, int64_t rotated, float *x, const float *table,
        bool inverse);
void windowKeys(
        Context &context, int64_t rows, int64_t width, int64_t rotated, const float *x, const float *weight, float eps,
        const float *table, int32_t transform, int32_t outType, void *out);
void transform(Context &context, int64_t rows, int64_t width, float *x, int32_t kind);
void encodeRing(Context &context, const pl_batch &batch, const uint16_t *source, const Pages &ring);
void compress(Context &context, const CompressArgs &args);
void indexScores(Context &context, const ScoreArgs &args);
void radixSelect(const float *scores, int64_t n, int64_t budget, uint32_t *scratch, int32_t *ids);
void attention(Context &context, const AttentionArgs &args);
void attentionMma(Context &context, const AttentionArgs &args);
void swiglu(Context &context, int64_t rows, int64_t width, const float *gateUp, float limit, float *h);

} // namespace PL_ISA
} // namespace pl
