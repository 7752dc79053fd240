// Software AMX tiles, so that the layout and order of the tile code can be checked on a machine without them
// (CMake option PLUMBLINE_EMULATE_TILES; never part of a release).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace pl {

struct EmulatedTiles {
    bool configured = false;
    alignas(64) uint8_t bytes[8][16][64];
};

static thread_local EmulatedTiles emulated;

static inline void emulateConfig(const void *config) {
    const uint8_t *c = static_cast<const uint8_t *>(config);
    bool expected = c[0] == 1 && c[1] == 0;
    for (int t = 0; t < 8; t++) {
        expected = expected && c[16 + 2 * t] == 64 && c[17 + 2 * t] == 0 && c[48 + t] == 16;
    }
    if (!expected) {
        std::abort(); // the emulation knows full tiles only
    }
    emulated.configured = true;
    std::memset(emulated.bytes, 0, sizeof emulated.bytes);
}

static inline void emulateLoad(int tile, const void *base, int64_t stride) {
    if (!emulated.configured) {
        std::abort();
    }
    for (int r = 0; r < 16; r++) {
        std::memcpy(emulated.bytes[tile][r], static_cast<const char *>(base) + r * stride, 64);
    }
}

static inline void emulateStore(int tile, void *base, int64_t stride) {
    for (int r = 0; r < 16; r++) {
        std::memcpy(static_cast<char *>(base) + r * stride, emulated.bytes[tile][r], 64);
    }
}

static inline float emulatedElement(const uint8_t *row, int i) {
    uint32_t bits = static_cast<uint32_t>(row[2 * i]) << 16 | static_cast<uint32_t>(row[2 * i + 1]) << 24;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// c[m][n] += a[m][2k] * b[k][2n] + a[m][2k + 1] * b[k][2n + 1] over 16 pairs.
static inline void emulateDot(int c, int a, int b) {
    for (int m = 0; m < 16; m++) {
        float *out = reinterpret_cast<float *>(emulated.bytes[c][m]);
        for (int n = 0; n < 16; n++) {
            float sum[2] = {0, 0};
            for (int k = 0; k < 16; k++) {
                for (int i = 0; i < 2; i++) {
                    sum[i] += emulatedElement(emulated.bytes[a][m], 2 * k + i) *
                              emulatedElement(emulated.bytes[b][k], 2 * n + i);
                }
            }
            out[n] += sum[0] + sum[1];
        }
    }
}

} // namespace pl

#undef _tile_release
#undef _tile_zero
#undef _tile_loadd
#undef _tile_stored
#undef _tile_dpbf16ps
#define _tile_release() (pl::emulated.configured = false)
#define _tile_zero(tile) std::memset(pl::emulated.bytes[tile], 0, sizeof pl::emulated.bytes[tile])
#define _tile_loadd(tile, base, stride) pl::emulateLoad(tile, base, stride)
#define _tile_stored(tile, base, stride) pl::emulateStore(tile, base, stride)
#define _tile_dpbf16ps(c, a, b) pl::emulateDot(c, a, b)
