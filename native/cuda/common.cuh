// What every kernel shares: number types, the rows of a step, reports of wrong arguments, sums over a warp or a block.
//
// Notation as in dev.plumbline.kernel.Kernels. Sizes and offsets are 64-bit and count elements. Multiply-adds are fused
// by name only (--fmad=false), and every sum has one order that depends on its own length alone, so a row has the same
// bits alone and in a batch. Nothing of CUDA's headers is needed: the sources are compiled at run time.
#pragma once

#if defined(PL_EMULATION)
#include "emulation.h"
#elif defined(__CUDACC_RTC__)
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
static_assert(sizeof(int64_t) == 8, "64-bit integers");
#else
#include <stdint.h>
#endif

#ifndef PL_EMULATION
#define PL_DYNAMIC_SHARED(type, name)                                                                                  \
    extern __shared__ __align__(16) unsigned char plDynamicShared[];                                                   \
    type *name = reinterpret_cast<type *>(plDynamicShared)
#endif

constexpr int WARP = 32;
constexpr unsigned int ALL_LANES = 0xffffffffu;
constexpr int PAGE_ENTRIES = 64;

// A bf16 as its bits.
struct bf16 {
    uint16_t bits;
};

__device__ inline float infinity() { return __int_as_float(0x7f800000); }
__device__ inline bool isNaN(float x) { return x != x; }

__device__ inline uint16_t bf16Bits(float value) {
    uint32_t bits = __float_as_uint(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return static_cast<uint16_t>((bits | 0x400000u) >> 16);
    }
    return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

__device__ inline float widen(float x) { return x; }
__device__ inline float widen(bf16 x) { return __uint_as_float(static_cast<uint32_t>(x.bits) << 16); }

template <typename T> __device__ inline T narrow(float x);
template <> __device__ inline float narrow<float>(float x) { return x; }
template <> __device__ inline bf16 narrow<bf16>(float x) { return bf16{bf16Bits(x)}; }

// ---- reports -------------------------------------------------------------------------------------------------------

// The order is that of dev.plumbline.kernel.cuda.Fault, which has the sentences.
enum FaultCode {
    FIRST_ROW_ZERO,
    SEQUENCE,
    POSITION,
    FIRST_ROW,
    POSITION_GAP,
    SLOT,
    TOKEN,
    PAGE,
    ENTRY,
    COUNT,
    EXPERT,
    TABLE_EXPERT,
    ROW,
    ADJUSTMENTS,
    ADJUSTMENT_TOKEN,
    SAMPLED
};

// The first wrong argument since the host last looked.
struct FaultRecord {
    int32_t taken;
    int32_t code;
    int64_t launch;
    int64_t values[4];
};

// Where a launch reports, and its number.
struct Launch {
    FaultRecord *fault;
    int64_t number;
};

__device__ inline void report(
        const Launch &launch, FaultCode code, int64_t a, int64_t b = 0, int64_t c = 0, int64_t d = 0) {
    if (atomicCAS(&launch.fault->taken, 0, 1) == 0) {
        launch.fault->code = code;
        launch.fault->launch = launch.number;
        launch.fault->values[0] = a;
        launch.fault->values[1] = b;
        launch.fault->values[2] = c;
        launch.fault->values[3] = d;
    }
}

// ---- the rows of a step --------------------------------------------------------------------------------------------

// See dev.plumbline.kernel.Batch.
struct Batch {
    int64_t rows;
    int64_t sequences;
    int64_t maxContext;
    const int32_t *tokens;
    const int32_t *positions;
    const int32_t *sequenceOf;
    const int32_t *firstRow;
    const int32_t *slots;
};

// A row of a step: its sequence, its position, and the first row of its sequence's run with that row's position.
struct StepRow {
    int sequence;
    int position;
    int first;
    int firstPosition;

    // Row of a position of this sequence that is not below firstPosition.
    __device__ int64_t rowOf(int token) const { return first + (token - firstPosition); }
};

// Reads row t. False for padding, and for a row that would lead outside, which is reported.
__device__ inline bool readRow(const Launch &launch, const Batch &batch, int64_t t, StepRow &row) {
    if (t == 0 && batch.firstRow[0] != 0) {
        report(launch, FIRST_ROW_ZERO, batch.firstRow[0]);
        return false;
    }
    int sequence = batch.sequenceOf[t];
    if (sequence == -1) {
        return false;
    }
    if (sequence < -1 || sequence >= batch.sequences) {
        report(launch, SEQUENCE, t, sequence, batch.sequences - 1);
        return false;
    }
    int position = batch.positions[t];
    if (position < 0 || position >= batch.maxContext) {
        report(launch, POSITION, t, position, batch.maxContext - 1);
        return false;
    }
    int first = batch.firstRow[sequence];
    if (first < 0 || first > t) {
        report(launch, FIRST_ROW, sequence, first, t);
        return false;
    }
    int firstPosition = batch.positions[first];
    if (static_cast<int64_t>(position) - firstPosition != t - first || firstPosition < 0) {
        report(launch, POSITION_GAP, t, position, firstPosition + t - first);
        return false;
    }
    row = StepRow{sequence, position, first, firstPosition};
    return true;
}

// Slot of a sequence in a ring of that many slots, or -1, reported.
__device__ inline int64_t slotOf(const Launch &launch, const Batch &batch, int sequence, int64_t slots) {
    int slot = batch.slots[sequence];
    if (slot < 0 || slot >= slots) {
        report(launch, SLOT, sequence, slot, slots - 1);
        return -1;
    }
    return slot;
}

// A pool of pages behind a page table.
struct Pages {
    const int32_t *table; // [S, P]
    int64_t perSequence;  // P
    int64_t poolPages;

    // Row of the pool, [pages * 64], that holds an entry, or -1, reported.
    __device__ int64_t rowOf(const Launch &launch, int sequence, int64_t entry) const {
        int64_t column = entry / PAGE_ENTRIES;
        if (entry < 0 || column >= perSequence) {
            report(launch, ENTRY, sequence, entry, perSequence);
            return -1;
        }
        int page = table[sequence * perSequence + column];
        if (page < 0 || page >= poolPages) {
            report(launch, PAGE, sequence, column, page, poolPages - 1);
            return -1;
        }
        return static_cast<int64_t>(page) * PAGE_ENTRIES + entry % PAGE_ENTRIES;
    }
};

// ---- sums ----------------------------------------------------------------------------------------------------------

template <typename T> __device__ inline T warpSum(T value) {
    for (int offset = WARP / 2; offset > 0; offset /= 2) {
        value += __shfl_xor_sync(ALL_LANES, value, offset);
    }
    return value;
}

// Sum over a block of at most 32 whole warps; every thread gets it. scratch holds 32 values.
template <typename T> __device__ inline T blockSum(T value, T *scratch) {
    int warp = threadIdx.x / WARP;
    value = warpSum(value);
    __syncthreads();
    if (threadIdx.x % WARP == 0) {
        scratch[warp] = value;
    }
    __syncthreads();
    T total = 0;
    for (int i = 0; i < static_cast<int>(blockDim.x) / WARP; i++) {
        total += scratch[i];
    }
    return total;
}

__device__ inline float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

// 1 / sqrt(mean(x^2) + eps), from the sum of squares.
__device__ inline float inverseRoot(double squares, int64_t width, float eps) {
    return static_cast<float>(1.0 / sqrt(squares / static_cast<double>(width) + static_cast<double>(eps)));
}

// Unsigned integers in the order of the scores: -0 equals +0 and NaN counts as -infinity.
__device__ inline uint32_t orderedImage(float score) {
    uint32_t bits = __float_as_uint(isNaN(score) ? -infinity() : score + 0.0f);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
