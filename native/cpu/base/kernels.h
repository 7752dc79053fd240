// What crosses from the checked C interface to the kernels of one instruction set.
#pragma once

#include "pages.h"
#include "plumbline.h"
#include "pool.h"
#include "scratch.h"

#include <memory>
#include <mutex>

struct pl_weight {
    int32_t form;    // PL_FP32 or PL_BF16
    int64_t outputs; // N
    int64_t inputs;  // K
    int64_t panels;  // ceil(N / panelWidth)
    int64_t depth;   // rows of a panel: K (fp32) or K / 2 pairs (bf16), padded with zeros to a multiple of 16
    int64_t panel;   // 32-bit elements of one panel
    int64_t bytes;
    void *data; // [panels, depth, panelWidth] of fp32, or of pairs of bf16 (even k in the low half)
};

namespace pl {

enum Isa { ISA_PLAIN, ISA_AVX2, ISA_AVX512, ISA_AVX512BF16, ISA_AMX, ISA_COUNT };

constexpr int64_t MOST_STREAMS = 64; // residual streams

struct Context;

struct LinearArgs {
    int64_t rows;
    const float *x;
    int64_t xStride;
    float *y;
    int64_t yStride;
    const pl_weight *weight;
};

struct MixArgs {
    int64_t rows, streams, hidden;
    const float *x;
    pl_hyper hyper;
    float *post, *comb, *collapsed;
};

struct CompressArgs {
    pl_batch batch;
    int64_t ratio, series, width, rotated;
    const float *ape, *norm;
    float eps;
    const float *frequencies, *projected, *state;
    const int32_t *pages;
    int64_t pagesPerSequence;
    Pages pool;
    int32_t transform;
    float *shadow;
};

struct ScoreArgs {
    pl_batch batch;
    int64_t rowFrom, rows, heads, width;
    const float *q, *headWeights;
    Pages keys;
    const int32_t *pages;
    int64_t pagesPerSequence;
    const int32_t *counts;
    bool bf16Scores;
    Pages gathered; // no pages: read where they lie
    float *scores;
    int64_t scoreStride;
};

struct AttentionArgs {
    pl_batch batch;
    int64_t heads, width;
    const float *q;
    int32_t keyType;
    const void *keys;
    Pages ring; // its rows are the window
    bool hasEntries;
    pl_entries entries;
    Pages entryPages;
    const float *sinks;
    float scale;
    bool mma; // rows of the stage decode are left to attentionMma
    float *out, *logSumExp;
};

struct ExpertArgs {
    int64_t rows, hidden, chosen, experts;
    const int32_t *sequenceOf;
    const float *x;
    const int32_t *ids;
    const float *weights;
    const pl_weight *const *gateUp;
    const pl_weight *const *down;
    float limit;
    const float *scaling; // of the experts' sum, or null
    float *y;
};

// The kernels that are compiled once per instruction set (cpu/simd).
struct KernelTable {
    int64_t panelWidth;
    void (*packWeight)(const pl_weight &, int64_t firstRow, int64_t rows, const float *source);
    void (*linear)(Context &, const LinearArgs &);
    void (*experts)(Context &, const ExpertArgs &);
    void (*mix)(Context &, const MixArgs &);
    void (*collapse)(Context &, const MixArgs &);
    void (*unmix)(
            Context &, int64_t rows, int64_t streams, int64_t hidden, const float *y, const float *post,
            const float *comb, float *x);
    void (*rmsNorm)(Context &, int64_t rows, int64_t width, const float *x, const float *weight, float eps, float *y);
    void (*rope)(
            Context &, int64_t rows, int64_t heads, int64_t width, int64_t rotated, float *x, const float *table,
            bool inverse);
    void (*windowKeys)(
            Context &, int64_t rows, int64_t width, int64_t rotated, const float *x, const float *weight, float eps,
            const float *table, int32_t transform, int32_t outType, void *out);
    void (*transform)(Context &, int64_t rows, int64_t width, float *x, int32_t kind);
    void (*encodeRing)(Context &, const pl_batch &, const uint16_t *source, const Pages &ring);
    void (*compress)(Context &, const CompressArgs &);
    void (*indexScores)(Context &, const ScoreArgs &);
    void (*radixSelect)(const float *scores, int64_t n, int64_t budget, uint32_t *scratch, int32_t *ids);
    void (*attention)(Context &, const AttentionArgs &);
    void (*attentionMma)(Context &, const AttentionArgs &);
    void (*swiglu)(Context &, int64_t rows, int64_t width, const float *gateUp, float limit, float *h);
};

const KernelTable &plainKernels();
#if defined(__x86_64__)
const KernelTable &avx2Kernels();
const KernelTable &avx512Kernels();
const KernelTable &avx512bf16Kernels();
const KernelTable &amxKernels();
#endif

struct Context {
    Context(int threads, Isa isa, const KernelTable &kernels)
        : isa(isa), kernels(&kernels), pool(threads), threadScratch(new Scratch[static_cast<size_t>(threads)]) {}

    Isa isa;
    const KernelTable *kernels;
    Pool pool;
    Scratch scratch; // of the calling thread, for what all threads read
    std::unique_ptr<Scratch[]> threadScratch;
    std::mutex messageLock;
    char message[512] = "";

    void resetScratch() {
        scratch.reset();
        for (int i = 0; i < pool.threads(); i++) {
            threadScratch[static_cast<size_t>(i)].reset();
        }
    }
};

// A kernel met an index out of bounds; the sentence stands in Context::message.
struct Fault {};

// Keeps the first sentence of the call and throws Fault.
[[noreturn]] void fail(Context &context, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Calls body(chunk, thread) for every chunk, on all threads.
template <class Body>
static inline void parallel(Context &context, int64_t chunks, Body &body) {
    context.pool.run(
            chunks,
            [](void *argument, int64_t chunk, int thread) { (*static_cast<Body *>(argument))(chunk, thread); },
            &body);
}

} // namespace pl

struct pl_context : pl::Context {
    using Context::Context;
};
