// Pages of index keys as the panels that a tile multiplies with: plain keys as they are, e4m3 and e2m1 numbers as the
// bf16 numbers that they are exactly.
#pragma once

#include "formats.h"
#include "transpose.h"

namespace pl {
namespace PL_ISA {

// bf16 pairs of the e4m3 codes in bits 0-7 and 16-23 of each lane.
PL_INLINE vu pairsOfE4m3(vu codes) {
#if defined(__AVX512BW__)
    alignas(64) static constexpr uint16_t SUBNORMALS[32] = {0, 0x3b00, 0x3b80, 0x3bc0, 0x3c00, 0x3c20, 0x3c40, 0x3c60};
    __m512i size = (__m512i)(codes & 0x007f007fu);
    __m512i bits = (__m512i)(((vu)size << 4) + 0x3c003c00u);
    __mmask32 subnormal = _mm512_cmplt_epu16_mask(size, _mm512_set1_epi16(8));
    bits = _mm512_mask_permutexvar_epi16(bits, subnormal, size, _mm512_load_si512(SUBNORMALS));
    __mmask32 nan = _mm512_cmpeq_epi16_mask(size, _mm512_set1_epi16(0x7f));
    bits = _mm512_mask_mov_epi16(bits, nan, _mm512_set1_epi16(0x7fc0));
    return (vu)bits | ((codes & 0x00800080u) << 8);
#else
    return ((vu)decodeE4m3(codes & 0xffu) >> 16) | ((vu)decodeE4m3((codes >> 16) & 0xffu) & 0xffff0000u);
#endif
}

// Number of the e2m1 code in the low 4 bits of each lane.
PL_INLINE vf numberOfE2m1(vu codes) {
#if defined(__AVX512F__)
    const __m512 numbers = _mm512_setr_ps(
            0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f, -0.0f, -0.5f, -1.0f, -1.5f, -2.0f, -3.0f, -4.0f, -6.0f);
    return _mm512_permutexvar_ps((__m512i)codes, numbers);
#else
    return decodeE2m1(codes);
#endif
}

// W codes of four bytes each, of which n bytes exist; zeros after them.
PL_INLINE vi loadBytes(const uint8_t *p, int64_t n) {
    if (n >= 4 * W) {
        return (vi) * reinterpret_cast<const vfUnaligned *>(p);
    }
    alignas(64) uint8_t lanes[4 * W] = {};
    for (int64_t i = 0; i < n; i++) {
        lanes[i] = p[i];
    }
    return *reinterpret_cast<vi *>(lanes);
}

// Transposes the rows of coded keys: calls put(n, k, codes), codes holding 4 bytes of each of the keys n to n + W - 1, for
// each k, the number of 4-byte groups before them; keys from `rows` on are zeros.
template <class Put>
PL_INLINE void transposeCodes(const Pages &pages, int64_t page, int64_t rows, Put put) {
    for (int64_t n = 0; n < roundUp(rows, NR); n += W) {
        for (int64_t k = 0; k < ceilDiv(pages.rowBytes, 4); k += W) {
            vi r[W];
            for (int i = 0; i < W; i++) {
                r[i] = n + i < rows ? loadBytes(
                                              reinterpret_cast<const uint8_t *>(pages.row(page, n + i)) + 4 * k,
                                              pages.rowBytes - 4 * k)
                                    : vi{};
            }
            transpose(r);
            PL_UNROLL
            for (int i = 0; i < W; i++) {
                put(n, k + i, (vu)r[i]);
            }
        }
    }
}

// Keys of fp32, or of bf16, multiplied as they are.
template <class Operation, class Element>
struct PlainKeys {
    using Op = Operation;
    static constexpr bool SCALED = false;

    PL_INLINE void pack(const Pages &pages, int64_t page, int64_t rows, typename Op::Right *panels, float *) {
        packPanels<Op, Element>(
                [&](int64_t i) { return reinterpret_cast<const Element *>(pages.row(page, i)); }, rows, pages.width,
                panels);
    }

    // Rounds a head of a query as the keys are; returns what its weight is multiplied with.
    PL_INLINE float round(const float *x, int64_t d, float *out) {
        __builtin_memcpy(out, x, sizeof(float) * static_cast<size_t>(d)); // the left operand rounds to its type itself
        return 1.0f;
    }
};

// INDEX_FP8: products of e4m3 numbers; the scales of a key and of a query are multiplied in after the sums.
struct Fp8Keys {
    using Op = Bf16;
    static constexpr bool SCALED = true;

    PL_INLINE void pack(const Pages &pages, int64_t page, int64_t rows, Bf16::Right *panels, float *scales) {
        int64_t depth = depthOf<Bf16>(pages.width);
        if (depth * 2 > roundUp(pages.rowBytes, 4 * W)) { // steps that no group of codes reaches
            __builtin_memset(panels, 0, sizeof(Bf16::Right) * static_cast<size_t>(roundUp(rows, NR) * depth));
        }
        transposeCodes(pages, page, rows, [&](int64_t n, int64_t k, vu codes) __attribute__((always_inline)) {
            Bf16::Right *panel = panels + n / NR * (depth * NR) + n % NR;
            vu first = (codes & 0xffu) | ((codes & 0xff00u) << 8);
            vu second = ((codes >> 16) & 0xffu) | ((codes >> 8) & 0xff0000u);
            if (2 * k + 1 < depth) {
                store(reinterpret_cast<float *>(panel + 2 * k * NR), (vf)pairsOfE4m3(first));
                store(reinterpret_cast<float *>(panel + (2 * k + 1) * NR), (vf)pairsOfE4m3(second));
            }
        });
        __builtin_memcpy(scales, pages.rowScales(page, 0), sizeof(float) * static_cast<size_t>(rows));
    }

    PL_INLINE float round(const float *x, int64_t d, float *out) {
        float scale = rowScale(x, d);
        for (int64_t i = 0; i < d; i += W) {
            storePart(out + i, decodeE4m3(encodeE4m3(loadPart(x + i, d - i) / splat(scale))), d - i);
        }
        return scale;
    }
};

// INDEX_MXFP4: products of e2m1 numbers times their blocks' scales.
struct Fp4Keys {
    using Op = Bf16;
    static constexpr bool SCALED = false;

    PL_INLINE void pack(const Pages &pages, int64_t page, int64_t rows, Bf16::Right *panels, float *scales) {
        int64_t depth = depthOf<Bf16>(pages.width);
        if (depth * 2 > roundUp(2 * pages.rowBytes, 8 * W)) {
            __builtin_memset(panels, 0, sizeof(Bf16::Right) * static_cast<size_t>(roundUp(rows, NR) * depth));
        }
        // [block][key] as factors; keys that are absent are zeros whatever theirs is.
        for (int64_t n = 0; n < PL_PAGE_ENTRIES; n++) {
            auto *codes = reinterpret_cast<const uint8_t *>(pages.rowScales(page, n));
            for (int64_t block = 0; block < pages.scales; block++) {
                scales[block * PL_PAGE_ENTRIES + n] = n < rows ? scaleOf(codes[block]) : 1.0f;
            }
        }
        transposeCodes(pages, page, rows, [&](int64_t n, int64_t k, vu codes) __attribute__((always_inline)) {
            Bf16::Right *panel = panels + n / NR * (depth * NR) + n % NR;
            int64_t block = k / (FP4_BLOCK / 8);
            vf scale = block < pages.scales ? load(scales + block * PL_PAGE_ENTRIES + n) : vf{};
            PL_UNROLL
            for (int pair = 0; pair < 4; pair++) {
                int64_t step = 4 * k + pair;
                vf even = numberOfE2m1((codes >> (8 * pair)) & 15u) * scale;
                vf odd = numberOfE2m1((codes >> (8 * pair + 4)) & 15u) * scale;
                if (step < depth) {
                    store(reinterpret_cast<float *>(panel + step * NR),
                          (vf)(((vu)even >> 16) | ((vu)odd & 0xffff0000u)));
                }
            }
        });
    }

    PL_INLINE float round(const float *x, int64_t d, float *out) {
        __builtin_memcpy(out, x, sizeof(float) * static_cast<size_t>(d));
        roundFp4Blocks(out, d);
        return 1.0f;
    }
};

} // namespace PL_ISA
} // namespace pl
