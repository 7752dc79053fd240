// Scalar number formats.
#pragma once

#include <cstdint>
#include <cstring>

namespace pl {

// Nearest even; NaN stays a (quiet) NaN.
static inline uint16_t roundToBf16(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return static_cast<uint16_t>((bits >> 16) | 0x40u);
    }
    return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

static inline float widenBf16(uint16_t value) {
    uint32_t bits = static_cast<uint32_t>(value) << 16;
    float result;
    std::memcpy(&result, &bits, sizeof result);
    return result;
}

// An unsigned image in the order of the scores: -0 becomes +0 and NaN -infinity.
static inline uint32_t orderedImage(float score) {
    uint32_t bits;
    std::memcpy(&bits, &score, sizeof bits);
    uint32_t magnitude = bits & 0x7fffffffu;
    bits = magnitude > 0x7f800000u ? 0xff800000u : bits;
    bits = magnitude == 0 ? 0u : bits;
    return bits ^ (static_cast<uint32_t>(static_cast<int32_t>(bits) >> 31) | 0x80000000u);
}

} // namespace pl
