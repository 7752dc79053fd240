// Runs CUDA kernels on the host, for tests on machines without a GPU: a fiber a thread, a block at a time. Threads of a
// block run one after the other from barrier to barrier, in an order that changes at every barrier, so a missing barrier
// shows. It knows only what the kernels use.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#define __device__
#define __global__ static
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))

struct Dim3 {
    unsigned int x, y, z;
};

// Of the fiber that runs.
extern Dim3 threadIdx, blockIdx, blockDim, gridDim;

void *emulatedDynamicShared();
#define PL_DYNAMIC_SHARED(type, name) type *name = reinterpret_cast<type *>(emulatedDynamicShared())

struct alignas(16) uint4 {
    unsigned int x, y, z, w;
};
inline uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) { return uint4{x, y, z, w}; }

// Barriers of a block and of a warp.
void __syncthreads();
void __syncwarp();

// Exchanges 64 bits among the lanes of a warp: every lane gives its own and gets a pointer to all of them.
const uint64_t *emulatedExchange(uint64_t own);
inline int emulatedLane() { return static_cast<int>(threadIdx.x % 32); }

template <typename To, typename From> inline To emulatedBits(From from) {
    To to{};
    std::memcpy(&to, &from, sizeof(To) < sizeof(From) ? sizeof(To) : sizeof(From));
    return to;
}

template <typename T> inline T __shfl_xor_sync(unsigned int, T value, int mask) {
    const uint64_t *all = emulatedExchange(emulatedBits<uint64_t>(value));
    return emulatedBits<T>(all[emulatedLane() ^ mask]);
}

inline unsigned int __ballot_sync(unsigned int, bool predicate) {
    const uint64_t *all = emulatedExchange(predicate ? 1 : 0);
    unsigned int mask = 0;
    for (int lane = 0; lane < 32; lane++) {
        mask |= static_cast<unsigned int>(all[lane]) << lane;
    }
    return mask;
}

inline unsigned int __match_any_sync(unsigned int, unsigned int value) {
    const uint64_t *all = emulatedExchange(value);
    unsigned int mask = 0;
    for (int lane = 0; lane < 32; lane++) {
        mask |= static_cast<unsigned int>(all[lane] == value) << lane;
    }
    return mask;
}

inline int __popc(unsigned int value) { return __builtin_popcount(value); }
inline float __int_as_float(int value) { return emulatedBits<float>(value); }
inline float __uint_as_float(unsigned int value) { return emulatedBits<float>(value); }
inline unsigned int __float_as_uint(float value) { return emulatedBits<unsigned int>(value); }

template <typename T> inline T atomicAdd(T *address, T value) {
    T old = *address;
    *address += value;
    return old;
}
inline int atomicCAS(int *address, int compare, int value) {
    int old = *address;
    if (old == compare) {
        *address = value;
    }
    return old;
}

using std::sqrt;

// See mma.cuh for the fragments.
inline void emulateMmaBf16(float c[4], const uint32_t a[4], const uint32_t b[2]) {
    auto pack = [](uint32_t low, uint32_t high) { return static_cast<uint64_t>(high) << 32 | low; };
    auto half = [](uint64_t pair, int index) {
        return emulatedBits<float>(static_cast<uint32_t>(pair >> (16 * index) & 0xffffu) << 16);
    };
    uint64_t rows[2][32];
    uint64_t columns[32];
    std::memcpy(rows[0], emulatedExchange(pack(a[0], a[2])), sizeof(rows[0]));
    std::memcpy(rows[1], emulatedExchange(pack(a[1], a[3])), sizeof(rows[1]));
    std::memcpy(columns, emulatedExchange(pack(b[0], b[1])), sizeof(columns));
    int g = emulatedLane() / 4;
    int q = 2 * (emulatedLane() % 4);
    for (int i = 0; i < 4; i++) {
        int column = q + i % 2;
        float sum = c[i];
        for (int k = 0; k < 16; k++) {
            // Halves 0, 1 of a lane are k = q, q + 1; halves 2, 3 are k + 8.
            int lane = k % 8 / 2;
            int index = k % 2 + (k < 8 ? 0 : 2);
            sum = std::fmaf(half(rows[i / 2][4 * g + lane], index), half(columns[4 * column + lane], index), sum);
        }
        c[i] = sum;
    }
}

// ---- what the host sees --------------------------------------------------------------------------------------------

// Runs a kernel over its grid; arguments as cuLaunchKernel takes them.
using EmulatedKernel = void (*)(void *const *arguments);
void emulatedLaunch(EmulatedKernel kernel, Dim3 grid, unsigned int threads, int64_t dynamicShared, void *const *arguments);

// Kernels by the name of their variant.
void emulatedRegister(const char *name, EmulatedKernel kernel);

template <auto kKernel> struct EmulatedCall;
template <typename... P, void (*kKernel)(P...)> struct EmulatedCall<kKernel> {
    template <std::size_t... I> static void spread(void *const *arguments, std::index_sequence<I...>) {
        kKernel(*static_cast<std::remove_reference_t<P> *>(arguments[I])...);
    }
    static void run(void *const *arguments) { spread(arguments, std::index_sequence_for<P...>()); }
};
