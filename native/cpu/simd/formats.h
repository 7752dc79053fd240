// Number formats of pages on vectors: e4m3, e2m1 and the scales of their blocks. What is rounded and how stands in
// dev.plumbline.precision.PageFormat; a vector's lanes never mix, so that the bytes are the same on every instruction set.
#pragma once

#include "pages.h"
#include "vec.h"

namespace pl {
namespace PL_ISA {

constexpr float FP8_FLOOR = 1e-4f; // least magnitude that an e4m3 scale is made for
constexpr float FP8_HIGHEST = 448.0f;
constexpr float FP4_FLOOR = 6 * 0x1p-126f; // the same for e2m1
constexpr float FP4_HIGHEST = 6.0f;
constexpr uint32_t NAN_SCALE = 255; // E8M0 code of an e2m1 block that holds a NaN

PL_INLINE vu splatBits(uint32_t x) { return x - vu{}; }

PL_INLINE vf magnitude(vf x) { return (vf)((vu)x & 0x7fffffffu); }

// Nearest e4m3 code, ties to even, saturating; NaN is 0x7f.
PL_INLINE vu encodeE4m3(vf x) {
    vu bits = (vu)x;
    vu size = bits & 0x7fffffffu;
    vu normal = ((size + 0x7ffffu + ((size >> 20) & 1u)) >> 20) - (120u << 3);
    // Adding 2^14 leaves multiples of 2^-9 in the low bits.
    vu subnormal = (vu)((vf)size + 0x1p14f) - 0x46800000u;
    vu code = (vu)(size < 0x3c800000u ? subnormal : normal); // below 2^-6
    code = (vu)(size >= 0x43e00000u ? splatBits(0x7eu) : code); // from 448 on
    code |= (bits >> 24) & 0x80u;
    return (vu)(size > 0x7f800000u ? splatBits(0x7fu) : code);
}

// The number of each code below 256.
PL_INLINE vf decodeE4m3(vu code) {
    vu size = code & 0x7fu;
    vu subnormal = (vu)(size < 8u);
    // A subnormal is read with the exponent of 2^-6 and a leading 1, which is then taken away.
    vu bits = (size << 20) + 0x3c000000u + (subnormal & 0x800000u);
    vf value = (vf)bits - (vf)(subnormal & 0x3c800000u);
    vu nan = (vu)(size == 0x7fu) & 0x7fc00000u;
    return (vf)((vu)value | nan | ((code & 0x80u) << 24));
}

// Nearest e2m1 code of a number, ties to the even code, saturating.
PL_INLINE vu encodeE2m1(vf x) {
    vf size = magnitude(x);
    vi code = (size > 0.25f) + (size >= 0.75f) + (size > 1.25f) + (size >= 1.75f) + (size > 2.5f) + (size >= 3.5f) +
              (size > 5.0f);
    return (vu)(-code) | (((vu)x >> 28) & 8u);
}

// The number of the low 4 bits.
PL_INLINE vf decodeE2m1(vu code) {
    vu size = code & 7u;
    vu subnormal = (vu)(size < 2u);
    vu bits = (size << 22) + 0x3f000000u + (subnormal & 0x800000u);
    vf value = (vf)bits - (vf)(subnormal & 0x3f800000u);
    return (vf)((vu)value | ((code & 8u) << 28));
}

// Largest magnitude, at least `floor`; infinities count as the largest float and NaN not at all.
PL_INLINE float highest(const float *x, int64_t n, float floor) {
    vf top = splat(floor);
    for (int64_t i = 0; i < n; i += W) {
        top = vmax(top, vmin(magnitude(loadPart(x + i, n - i)), splat(3.40282347e+38f)));
    }
    return maxLanes(top);
}

PL_INLINE bool hasNaN(const float *x, int64_t n) {
    vi found = {};
    for (int64_t i = 0; i < n; i += W) {
        vf v = loadPart(x + i, n - i);
        found |= v != v;
    }
    int32_t any = 0;
    for (int i = 0; i < W; i++) {
        any |= found[i];
    }
    return any != 0;
}

// E8M0 code of the least power of two that is not below a positive normal number.
PL_INLINE uint32_t powerOfTwo(float least) {
    uint32_t bits;
    __builtin_memcpy(&bits, &least, sizeof bits);
    return (bits >> 23) + ((bits & 0x7fffffu) == 0 ? 0 : 1);
}

// 2^(code - 127); of 255 an infinity, so that zeros under it read as NaN.
PL_INLINE float scaleOf(uint32_t code) {
    uint32_t bits = code << 23;
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

PL_INLINE float rowScale(const float *x, int64_t n) { return highest(x, n, FP8_FLOOR) / FP8_HIGHEST; }

PL_INLINE uint32_t fp8Scale(const float *x, int64_t n) { return powerOfTwo(highest(x, n, FP8_FLOOR) / FP8_HIGHEST); }

PL_INLINE uint32_t fp4Scale(const float *x, int64_t n) {
    return hasNaN(x, n) ? NAN_SCALE : powerOfTwo(highest(x, n, FP4_FLOOR) / FP4_HIGHEST);
}

PL_INLINE void storeCodes(uint8_t *p, vu codes, int64_t n) {
    for (int64_t i = 0; i < least<int64_t>(n, W); i++) {
        p[i] = static_cast<uint8_t>(codes[i]);
    }
}

// The first n of W bytes as lanes, zeros after them.
PL_INLINE vu loadCodes(const uint8_t *p, int64_t n) {
#if defined(__AVX512F__)
    if (n >= W) {
        return (vu)_mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i *>(p)));
    }
#elif defined(__AVX2__)
    if (n >= W) {
        return (vu)_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i *>(p)));
    }
#endif
    vu codes = {};
    for (int64_t i = 0; i < least<int64_t>(n, W); i++) {
        codes[i] = p[i];
    }
    return codes;
}

// x / scale as e4m3 codes.
PL_INLINE void storeE4m3(const float *x, int64_t n, float scale, uint8_t *codes) {
    for (int64_t i = 0; i < n; i += W) {
        storeCodes(codes + i, encodeE4m3(loadPart(x + i, n - i) / splat(scale)), n - i);
    }
}

// Rounds as KV_FP8 stores, in place.
PL_INLINE void roundFp8Blocks(float *x, int64_t n) {
    for (int64_t from = 0; from < n; from += FP8_BLOCK) {
        int64_t length = least(FP8_BLOCK, n - from);
        vf scale = splat(scaleOf(fp8Scale(x + from, length)));
        for (int64_t i = from; i < from + length; i += W) {
            int64_t left = from + length - i;
            storePart(x + i, decodeE4m3(encodeE4m3(loadPart(x + i, left) / scale)) * scale, left);
        }
    }
}

// Rounds as INDEX_MXFP4 stores, in place.
PL_INLINE void roundFp4Blocks(float *x, int64_t n) {
    for (int64_t from = 0; from < n; from += FP4_BLOCK) {
        int64_t length = least(FP4_BLOCK, n - from);
        uint32_t code = fp4Scale(x + from, length);
        vf scale = splat(scaleOf(code));
        for (int64_t i = from; i < from + length; i += W) {
            int64_t left = from + length - i;
            vu codes = code == NAN_SCALE ? vu{} : encodeE2m1(loadPart(x + i, left) / scale);
            storePart(x + i, decodeE2m1(codes) * scale, left);
        }
    }
}

PL_INLINE void storeFp4Row(const Pages &pages, const float *x, uint8_t *codes, uint8_t *scales) {
    for (int64_t block = 0; block < pages.scales; block++) {
        int64_t from = block * FP4_BLOCK;
        int64_t n = least(FP4_BLOCK, pages.width - from);
        uint32_t code = fp4Scale(x + from, n);
        uint8_t nibbles[FP4_BLOCK] = {};
        for (int64_t i = 0; code != NAN_SCALE && i < n; i += W) {
            storeCodes(nibbles + i, encodeE2m1(loadPart(x + from + i, n - i) / splat(scaleOf(code))), n - i);
        }
        for (int64_t i = 0; i < n; i += 2) {
            codes[(from + i) / 2] = static_cast<uint8_t>(nibbles[i] | nibbles[i + 1] << 4);
        }
        scales[block] = static_cast<uint8_t>(code);
    }
}

PL_INLINE void storeKeyValueRow(const Pages &pages, const float *x, uint8_t *numbers, uint8_t *scales) {
    int64_t plain = pages.width - pages.rotated;
    for (int64_t block = 0; block < pages.scales; block++) {
        int64_t from = block * FP8_BLOCK;
        int64_t n = least(FP8_BLOCK, plain - from);
        uint32_t code = fp8Scale(x + from, n);
        storeE4m3(x + from, n, scaleOf(code), numbers + from);
        scales[block] = static_cast<uint8_t>(code);
    }
    for (int64_t i = plain; i < pages.width; i += W) {
        storeBf16Part(
                reinterpret_cast<uint16_t *>(numbers + plain) + (i - plain), loadPart(x + i, pages.width - i),
                pages.width - i);
    }
}

// Stores a row of `width` floats.
PL_INLINE void storeRow(const Pages &pages, int64_t page, int64_t row, const float *x) {
    char *at = pages.row(page, row);
    auto *bytes = reinterpret_cast<uint8_t *>(at);
    auto *scales = reinterpret_cast<uint8_t *>(pages.rowScales(page, row));
    switch (pages.layout) {
        case PL_PAGE_FP32:
            __builtin_memcpy(at, x, static_cast<size_t>(pages.rowBytes));
            break;
        case PL_PAGE_BF16:
            for (int64_t i = 0; i < pages.width; i += W) {
                int64_t n = pages.width - i;
                storeBf16Part(reinterpret_cast<uint16_t *>(at) + i, loadPart(x + i, n), n);
            }
            break;
        case PL_PAGE_INDEX_FP8: {
            float scale = rowScale(x, pages.width);
            storeE4m3(x, pages.width, scale, bytes);
            __builtin_memcpy(scales, &scale, sizeof scale);
            break;
        }
        case PL_PAGE_INDEX_MXFP4:
            storeFp4Row(pages, x, bytes, scales);
            break;
        default:
            storeKeyValueRow(pages, x, bytes, scales);
    }
}

PL_INLINE void widenBf16Row(const uint16_t *source, int64_t n, float *out) {
    int64_t i = 0;
    for (; i + W <= n; i += W) {
        store(out + i, widen(source + i));
    }
    for (; i < n; i++) {
        out[i] = widenBf16(source[i]);
    }
}

// The numbers of a row of keys/values (FP32, BF16 or KV_FP8) as fp32.
PL_INLINE void loadRow(const Pages &pages, int64_t page, int64_t row, float *out) {
    const char *at = pages.row(page, row);
    if (pages.layout == PL_PAGE_FP32) {
        __builtin_memcpy(out, at, static_cast<size_t>(pages.rowBytes));
    } else if (pages.layout == PL_PAGE_BF16) {
        widenBf16Row(reinterpret_cast<const uint16_t *>(at), pages.width, out);
    } else {
        auto *codes = reinterpret_cast<const uint8_t *>(at);
        auto *scales = reinterpret_cast<const uint8_t *>(pages.rowScales(page, row));
        int64_t plain = pages.width - pages.rotated;
        for (int64_t from = 0; from < plain; from += FP8_BLOCK) {
            vf scale = splat(scaleOf(scales[from / FP8_BLOCK]));
            int64_t to = least(plain, from + FP8_BLOCK);
            for (int64_t i = from; i < to; i += W) {
                storePart(out + i, decodeE4m3(loadCodes(codes + i, to - i)) * scale, to - i);
            }
        }
        widenBf16Row(reinterpret_cast<const uint16_t *>(codes + plain), pages.rotated, out + plain);
    }
}

} // namespace PL_ISA
} // namespace pl
