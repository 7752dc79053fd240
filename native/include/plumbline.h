/*
 * C interface of Plumbline's CPU kernels.
 *
 * Every kernel returns a variant id (>= 0, see pl_variant_name) or an error code (< 0, detail in pl_error). Nothing
 * throws across this border. The caller guarantees that each pointer covers the shape named beside it; what the
 * kernels read out of memory to form an address (token ids, slots, page ids, expert ids, counts, positions) is checked
 * here before use. One thread at a time uses a context.
 *
 * Notation: T rows of a step, S sequences, D hidden size, h residual streams, H heads, d head size, R rotated dims,
 * P pages per sequence. All sizes and strides are 64-bit and count elements.
 */
#ifndef PLUMBLINE_H
#define PLUMBLINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PL_API __attribute__((visibility("default")))
#define PL_ABI_VERSION 5

/* Element types; the order is that of dev.plumbline.kernel.DType. */
enum { PL_FP32 = 0, PL_BF16 = 1, PL_INT32 = 2, PL_BYTE = 3 };

/* Layouts of pages; the order is that of dev.plumbline.precision.PageFormat.Layout, which says what the bytes mean. */
enum {
    PL_PAGE_FP32 = 0,
    PL_PAGE_BF16 = 1,
    PL_PAGE_INDEX_FP8 = 2,
    PL_PAGE_INDEX_MXFP4 = 3,
    PL_PAGE_KV_FP8 = 4,
    PL_PAGE_COUNT = 5
};

/* What is done to keys between rotation by position and storage; the order is that of dev.plumbline.kernel.KeyTransform. */
enum { PL_NONE = 0, PL_HADAMARD = 1, PL_HADAMARD_FP4 = 2, PL_FP8_BLOCKS = 3 };

/* What a row is for; the order is that of dev.plumbline.kernel.Stage. */
enum { PL_PREFILL = 0, PL_DECODE = 1 };

/* Error codes. */
/* The last one comes from the Java binding: the elements of an array were out of reach; pl_error tells nothing of it. */
enum { PL_ERROR_ARGUMENT = -1, PL_ERROR_MEMORY = -2, PL_ERROR_INTERNAL = -3, PL_ERROR_ARRAY = -4 };

enum { PL_PAGE_ENTRIES = 64 };

typedef struct pl_context pl_context;
typedef struct pl_weight pl_weight;

/* The rows of a step; see dev.plumbline.kernel.Batch. */
typedef struct {
    int64_t rows;               /* T, padding included */
    int64_t sequences;          /* S, padding included */
    int64_t max_context;        /* no position reaches this */
    const int32_t *tokens;      /* [T] */
    const int32_t *positions;   /* [T] */
    const int32_t *sequence_of; /* [T], -1 = padding */
    const int32_t *first_row;   /* [S + 1] */
    const int32_t *slots;       /* [S] */
    const int32_t *stages;      /* [T] PL_PREFILL or PL_DECODE */
} pl_batch;

/* Pages of rows in one format; see dev.plumbline.kernel.Pool. All fields have 64 bits. */
typedef struct {
    void *data; /* [pages] of page_bytes each */
    int64_t pages;
    int64_t layout;     /* PL_PAGE_... */
    int64_t rows;       /* of a page */
    int64_t width;      /* numbers of a row */
    int64_t rotated;    /* of them rotated by position, the last ones; 0 unless PL_PAGE_KV_FP8 */
    int64_t page_bytes; /* what the caller allocated for a page: refused unless the layout needs exactly that */
} pl_pool;

/* A hyper-connection; see dev.plumbline.kernel.HyperWeights. */
typedef struct {
    const void *fn;     /* [(2 + h)*h, h*D] (collapse: [h, h*D]) */
    int64_t fn_type;    /* PL_FP32; or PL_BF16: the streams are rounded to bf16 too where they are multiplied with it */
    const float *base;  /* [(2 + h)*h] (collapse: [h]) */
    const float *scale; /* [3] (collapse: [1]) */
    int64_t iterations;
    float hc_eps;
    float norm_eps;
} pl_hyper;

/* Compressed entries that attention may read. */
typedef struct {
    pl_pool pool; /* pages of 64 rows of d: fp32, bf16 or KV_FP8 */
    const int32_t *pages; /* [S, P] */
    int64_t pages_per_sequence;
    const int32_t *ids; /* [T, budget] ascending, or null: every entry below the count */
    int64_t budget;
    const int32_t *counts; /* [T] */
} pl_entries;

/* Adjustments and parameters of sampling; see dev.plumbline.kernel.Sampling. */
typedef struct {
    const int32_t *adjustment_start; /* [n + 1] */
    const int32_t *adjustment_token; /* [A] */
    const float *adjustment;         /* [A] */
    int64_t adjustments;             /* A */
    const float *temperature;        /* [n] */
    const float *top_p;              /* [n] */
    const int32_t *seed;             /* [n, 2] */
    const int32_t *choice;           /* [n] */
    const int32_t *position;         /* [n] */
} pl_sampling;

PL_API int32_t pl_abi_version(void);

/* Instruction sets of this machine that the library has kernels for, slowest first, separated by commas. */
PL_API const char *pl_available_isas(void);

/*
 * A context with that many threads; isa is one of pl_available_isas, or null for the fastest. On failure returns null
 * and writes a sentence into error.
 */
PL_API pl_context *pl_context_create(int32_t threads, const char *isa, char *error, int64_t error_size);
PL_API void pl_context_destroy(pl_context *context);
PL_API const char *pl_context_isa(const pl_context *context);

/* Detail of the last error of the context. */
PL_API const char *pl_error(const pl_context *context);

/* Name such as linear.bf16.avx512bf16, or null for an unknown id; it stands until the thread's next call. */
PL_API const char *pl_variant_name(int64_t id);

/* Zeroed memory, 64-byte aligned; large blocks cost nothing until touched. Null when there is none. */
PL_API void *pl_allocate(int64_t bytes);
PL_API void pl_free(void *memory, int64_t bytes);

/* Makes the first page of fresh memory exist; its first byte becomes 0, which it is. */
PL_API void pl_touch(void *memory);

/* Elements to and from memory of a type; fp32 is rounded to nearest even for bf16. */
PL_API void pl_write_floats(void *target, int32_t dtype, int64_t at, const float *source, int64_t count);
PL_API void pl_read_floats(const void *source, int32_t dtype, int64_t at, float *target, int64_t count);

/* A matrix [outputs, inputs] in packed panels, filled by rows [first_row, first_row + rows) in any order. */
PL_API pl_weight *pl_weight_create(pl_context *context, int32_t form, int64_t outputs, int64_t inputs);
PL_API int64_t pl_weight_fill(
        pl_context *context, pl_weight *weight, int64_t first_row, int64_t rows, const float *source /* [rows, inputs] */);
PL_API int64_t pl_weight_bytes(const pl_weight *weight);
PL_API void pl_weight_destroy(pl_weight *weight);

PL_API int64_t pl_embed(
        pl_context *, const pl_batch *, int32_t table_type, int64_t vocabulary, int64_t hidden, int64_t streams,
        const void *table /* [V, D] */, float *out /* [T, h, D] */);

PL_API int64_t pl_angles(
        pl_context *, const pl_batch *, int64_t pairs, const float *frequencies /* [R/2] */, float *table /* [T, R] */);

PL_API int64_t pl_visible(pl_context *, const pl_batch *, int64_t ratio, int32_t *counts /* [T] */);

PL_API int64_t pl_mix(
        pl_context *, int64_t rows, int64_t streams, int64_t hidden, const float *x /* [T, h, D] */, const pl_hyper *,
        float *post /* [T, h] */, float *comb /* [T, h, h] */, float *collapsed /* [T, D] */);

PL_API int64_t pl_unmix(
        pl_context *, int64_t rows, int64_t streams, int64_t hidden, const float *y /* [T, D] */,
        const float *post /* [T, h] */, const float *comb /* [T, h, h] */, float *x /* [T, h, D] */);

PL_API int64_t pl_collapse(
        pl_context *, int64_t rows, int64_t streams, int64_t hidden, const float *x /* [T, h, D] */, const pl_hyper *,
        float *collapsed /* [T, D] */);

PL_API int64_t pl_rms_norm(
        pl_context *, int64_t rows, int64_t width, const float *x /* [rows, width] */,
        const float *weight /* [width] or null */, float eps, float *y /* [rows, width], may be x */);

PL_API int64_t pl_linear(
        pl_context *, int64_t rows, const float *x /* [T, K] */, const pl_weight *, float *y /* [T, N] */);

PL_API int64_t pl_grouped_linear(
        pl_context *, int64_t rows, const float *x /* [T, G*K] */, const pl_weight *const *weights /* [G] */,
        int64_t groups, float *y /* [T, G*N] */);

PL_API int64_t pl_rope(
        pl_context *, int64_t rows, int64_t heads, int64_t width, int64_t rotated, float *x /* [T, H, d] */,
        const float *table /* [T, R] */, int32_t inverse);

/* Transforms rows in place: PL_HADAMARD or PL_HADAMARD_FP4. */
PL_API int64_t pl_transform(pl_context *, int64_t rows, int64_t width, float *x /* [rows, d] */, int32_t transform);

PL_API int64_t pl_window_keys(
        pl_context *, int64_t rows, int64_t width, int64_t rotated, const float *x /* [T, d] */,
        const float *weight /* [d] */, float eps, const float *table /* [T, R] */,
        int32_t transform /* PL_NONE or PL_FP8_BLOCKS */, int32_t out_type, void *out /* [T, d] */);

/* source is of the ring's type, bf16 for PL_PAGE_KV_FP8. */
PL_API int64_t pl_append_ring(
        pl_context *, const pl_batch *, int32_t source_type, const void *source /* [T, w] */,
        const pl_pool *ring /* slots of L rows of w */);

PL_API int64_t pl_compress(
        pl_context *, const pl_batch *, int64_t ratio, int32_t overlapping, int64_t rotated,
        const float *ape /* [m, c*d] */, const float *norm /* [d] */, float eps,
        const float *frequencies /* [R/2] */, const float *projected /* [T, 2*c*d] */,
        const float *state /* [slots, c*m, 2*c*d] */, int64_t state_slots, const int32_t *pages /* [S, P] */,
        int64_t pages_per_sequence, const pl_pool *pool /* pages of 64 rows of d */, int32_t transform,
        float *shadow /* [pages, 64, d] entries before the transform, or null */);

/*
 * score_type PL_BF16 rounds each dot product, each product with a head's weight and the score. gathered is null, or room
 * for pages of the format of the keys, which are copied there before they are read.
 */
PL_API int64_t pl_index_scores(
        pl_context *, const pl_batch *, int64_t row_from, int64_t rows, int64_t heads,
        const float *q /* [T, H, d] */, const float *head_weights /* [T, H] */,
        const pl_pool *keys /* pages of 64 rows of d */, const int32_t *pages /* [S, P] */,
        int64_t pages_per_sequence, const int32_t *counts /* [T] */, int32_t score_type, const pl_pool *gathered,
        float *scores /* [rows, E] */, int64_t score_stride /* E */);

PL_API int64_t pl_top_k(
        pl_context *, int32_t sort, int64_t rows, int64_t candidates, const float *scores /* [n, E] */,
        const int32_t *counts /* [n] */, int64_t budget, int32_t *ids /* [n, budget] */, int32_t *found /* [n] */);

/* With mma, rows of the stage PL_DECODE round q, the keys and the numerators of the probabilities to bf16. */
PL_API int64_t pl_attention(
        pl_context *, const pl_batch *, int64_t heads, int64_t width, const float *q /* [T, H, d] */, int32_t key_type,
        const void *keys /* [T, d] */, const pl_pool *ring /* slots of W rows of d */,
        const pl_entries *entries /* or null */, const float *sinks /* [H] */, float scale, int32_t mma,
        float *out /* [T, H, d] */, float *log_sum_exp /* [T, H] or null */);

PL_API int64_t pl_route(
        pl_context *, const pl_batch *, int64_t experts, int64_t chosen, const float *logits /* [T, E] */,
        const float *bias /* [E] or null */, const int32_t *table /* [V, k] or null */, int64_t vocabulary,
        float scaling, int32_t *ids /* [T, k] */, float *weights /* [T, k] */);

PL_API int64_t pl_experts(
        pl_context *, const pl_batch *, int64_t hidden, int64_t chosen, int64_t experts,
        const float *x /* [T, D] */, const int32_t *ids /* [T, k] */, const float *weights /* [T, k] */,
        const pl_weight *const *gate_up /* [E] of [2*I, D] */, const pl_weight *const *down /* [E] of [D, I] */,
        float limit, const float *scaling /* factor of the experts' sum, or null */, float *y /* [T, D] */);

PL_API int64_t pl_swiglu(
        pl_context *, int64_t rows, int64_t width, const float *gate_up /* [T, 2*I] */, float limit,
        float *h /* [T, I] */);

PL_API int64_t pl_gather_rows(
        pl_context *, int64_t source_rows, int64_t row_bytes, const void *x, const int32_t *rows /* [n] */, int64_t n,
        void *out);

PL_API int64_t pl_sample(
        pl_context *, int64_t rows, int64_t vocabulary, float *logits /* [n, V] */, const pl_sampling *,
        int32_t *ids /* [n] */);

PL_API int64_t pl_log_probabilities(
        pl_context *, int64_t rows, int64_t vocabulary, const float *logits /* [n, V] */,
        const int32_t *ids /* [n] */, float *chosen /* [n] */, int64_t k, int32_t *top_ids /* [n, k] */,
        float *top /* [n, k] */);

#ifdef __cplusplus
}
#endif
#endif
