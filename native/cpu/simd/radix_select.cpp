// Exact radix select: histogram passes over an unsigned image of the scores find the threshold, one pass over the images
// finds the ids. Candidates beyond the first digit are few, so the vector passes cost most; counting stays scalar.
#include "table.h"

namespace pl {
namespace PL_ISA {

namespace {

// The digits of the image, from the top.
struct Digit {
    int shift;
    uint32_t bins;
};
constexpr Digit DIGITS[] = {{21, 2048}, {10, 2048}, {0, 1024}};
constexpr uint32_t MOST_BINS = 2048;

// One bit a lane of a comparison's result.
PL_INLINE uint32_t bitsOf(vi mask) {
#if defined(__AVX512F__)
    return _mm512_movepi32_mask((__m512i)mask);
#elif defined(__AVX2__)
    return static_cast<uint32_t>(_mm256_movemask_ps((__m256)mask));
#else
    uint32_t bits = 0;
    for (int i = 0; i < W; i++) {
        bits |= (mask[i] & 1u) << i;
    }
    return bits;
#endif
}

// An unsigned image in the order of the scores: -0 becomes +0 and NaN -infinity.
PL_INLINE vu imageOf(vf score) {
    vu bits = (vu)score;
    vu magnitude = bits & 0x7fffffffu;
    bits = (vu)(magnitude > 0x7f800000u ? vu{} + 0xff800000u : bits);
    bits = (vu)(magnitude == 0u ? vu{} : bits);
    return bits ^ ((vu)((vi)bits >> 31) | 0x80000000u);
}

PL_INLINE vu loadImages(const uint32_t *p) { return *reinterpret_cast<const vuUnaligned *>(p); }

PL_INLINE void storeImages(uint32_t *p, vu v) { *reinterpret_cast<vuUnaligned *>(p) = v; }

// Appends the lanes named by the bits; writes up to W elements at out.
PL_INLINE int64_t append(uint32_t *out, vu v, uint32_t bits) {
#if defined(__AVX512F__)
    storeImages(out, (vu)_mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), (__m512i)v));
    return __builtin_popcount(bits);
#else
    int64_t n = 0;
    for (; bits != 0; bits &= bits - 1) {
        out[n++] = v[__builtin_ctz(bits)];
    }
    return n;
#endif
}

// Threshold of the `wanted` highest of n images (a whole number of vectors): returns it and how many of those equal to
// it belong to them.
uint32_t threshold(const uint32_t *images, int64_t n, int64_t wanted, uint32_t *candidates, int64_t *ties) {
    uint32_t histogram[MOST_BINS];
    const uint32_t *source = images;
    uint32_t prefix = 0;
    for (const Digit &digit : DIGITS) {
        uint32_t mask = digit.bins - 1;
        __builtin_memset(histogram, 0, sizeof(uint32_t) * digit.bins);
        for (int64_t i = 0; i < n; i++) {
            histogram[(source[i] >> digit.shift) & mask]++;
        }
        uint32_t bin = mask;
        while (histogram[bin] < wanted) {
            wanted -= histogram[bin--];
        }
        prefix |= bin << digit.shift;
        if (digit.shift > 0) {
            int64_t kept = 0;
            for (int64_t i = 0; i < n; i += W) {
                vu v = loadImages(source + i);
                uint32_t bits = bitsOf((vi)(((v >> digit.shift) & mask) == bin));
                bits &= n - i < W ? (1u << (n - i)) - 1 : ~0u;
                if (bits != 0) {
                    kept += append(candidates + kept, v, bits);
                }
            }
            n = kept;
            source = candidates;
        }
    }
    *ties = wanted;
    return prefix;
}

} // namespace

// Ids of the `budget` highest of n > budget scores, ascending. scratch holds 2 * (n + 32) elements.
void radixSelect(const float *scores, int64_t n, int64_t budget, uint32_t *scratch, int32_t *ids) {
    uint32_t *images = scratch;
    int64_t whole = roundUp(n, W);
    for (int64_t i = 0; i < n; i += W) {
        storeImages(images + i, imageOf(loadPart(scores + i, n - i)));
    }
    for (int64_t i = n; i < whole; i++) {
        images[i] = 0; // below every score
    }
    int64_t ties;
    uint32_t least = threshold(images, whole, budget, scratch + whole, &ties);
    int64_t at = 0;
    for (int64_t i = 0; at < budget; i += W) {
        uint32_t bits = bitsOf((vi)(loadImages(images + i) >= least));
        for (; bits != 0 && at < budget; bits &= bits - 1) {
            int64_t id = i + __builtin_ctz(bits);
            if (images[id] > least || ties-- > 0) {
                ids[at++] = static_cast<int32_t>(id);
            }
        }
    }
}

} // namespace PL_ISA
} // namespace pl
