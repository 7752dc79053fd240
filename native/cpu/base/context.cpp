// Contexts: choice of the instruction set, error messages.
#include "variants.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>

#if defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace pl {

namespace {

#if defined(__x86_64__)

// Linux hands out the tile registers on request only.
bool requestTiles() {
    constexpr int ARCH_REQ_XCOMP_PERM = 0x1023;
    constexpr int XFEATURE_XTILEDATA = 18;
    return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}

bool cpuidLeaf7(unsigned subleaf, unsigned *eax, unsigned *ebx, unsigned *edx) {
    unsigned a = 7, b, c = subleaf, d;
    unsigned highest, ignored1, ignored2, ignored3;
    __asm__("cpuid" : "=a"(highest), "=b"(ignored1), "=c"(ignored2), "=d"(ignored3) : "a"(0), "c"(0));
    if (highest < 7) {
        return false;
    }
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    *eax = a;
    *ebx = b;
    *edx = d;
    return true;
}

[[maybe_unused]] bool hasAvx512Bf16() {
    unsigned a, b, d;
    return cpuidLeaf7(1, &a, &b, &d) && (a & (1u << 5)) != 0;
}

[[maybe_unused]] bool hasAmxBf16() {
#if defined(PL_EMULATE_TILES)
    return true;
#endif
    unsigned a, b, d;
    return cpuidLeaf7(0, &a, &b, &d) && (d & (1u << 22)) != 0 && (d & (1u << 24)) != 0 && requestTiles();
}

bool available(Isa isa) {
    // The compiler's checks include the operating system's support for the registers.
    __builtin_cpu_init();
    [[maybe_unused]] bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    [[maybe_unused]] bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    switch (isa) {
    case ISA_PLAIN:
        return true;
#if defined(PL_HAS_avx2)
    case ISA_AVX2:
        return avx2;
#endif
#if defined(PL_HAS_avx512)
    case ISA_AVX512:
        return avx512;
#endif
#if defined(PL_HAS_avx512bf16)
    case ISA_AVX512BF16:
        return avx512 && hasAvx512Bf16();
#endif
#if defined(PL_HAS_amx)
    case ISA_AMX:
        return avx512 && hasAvx512Bf16() && hasAmxBf16();
#endif
    default:
        return false;
    }
}

const KernelTable &tableOf(Isa isa) {
    switch (isa) {
#if defined(PL_HAS_avx2)
    case ISA_AVX2:
        return avx2Kernels();
#endif
#if defined(PL_HAS_avx512)
    case ISA_AVX512:
        return avx512Kernels();
#endif
#if defined(PL_HAS_avx512bf16)
    case ISA_AVX512BF16:
        return avx512bf16Kernels();
#endif
#if defined(PL_HAS_amx)
    case ISA_AMX:
        return amxKernels();
#endif
    default:
        return plainKernels();
    }
}

#else

bool available(Isa isa) { return isa == ISA_PLAIN; }

const KernelTable &tableOf(Isa) { return plainKernels(); }

#endif

struct Available {
    char text[64] = "";
    Available() noexcept {
        size_t length = 0;
        for (int i = 0; i < ISA_COUNT; i++) {
            Isa isa = static_cast<Isa>(i);
            if (available(isa)) {
                std::snprintf(text + length, sizeof text - length, "%s%s", length == 0 ? "" : ",", isaName(isa));
                length = std::strlen(text);
            }
        }
    }
};

Isa choose(const char *wanted, char *error, size_t size) {
    Isa best = ISA_COUNT;
    for (int i = 0; i < ISA_COUNT; i++) {
        Isa isa = static_cast<Isa>(i);
        bool named = wanted != nullptr && std::strcmp(wanted, isaName(isa)) == 0;
        if ((wanted == nullptr || named) && available(isa)) {
            best = isa;
        }
    }
    if (best == ISA_COUNT) {
        std::snprintf(
                error, size, "instruction set '%s' is not available here; available: %s", wanted,
                pl_available_isas());
    }
    return best;
}

} // namespace

void fail(Context &context, const char *format, ...) {
    std::lock_guard<std::mutex> lock(context.messageLock);
    if (context.message[0] == 0) {
        va_list arguments;
        va_start(arguments, format);
        std::vsnprintf(context.message, sizeof context.message, format, arguments);
        va_end(arguments);
    }
    throw Fault();
}

} // namespace pl

extern "C" int32_t pl_abi_version(void) { return PL_ABI_VERSION; }

extern "C" const char *pl_available_isas(void) {
    static const pl::Available list;
    return list.text;
}

extern "C" pl_context *pl_context_create(int32_t threads, const char *isa, char *error, int64_t error_size) {
    size_t size = static_cast<size_t>(error_size);
    try {
        if (threads < 1 || threads > 1024) {
            std::snprintf(error, size, "threads is %d; allowed: 1 to 1024", threads);
            return nullptr;
        }
        pl::Isa chosen = pl::choose(isa, error, size);
        return chosen == pl::ISA_COUNT ? nullptr : new pl_context(threads, chosen, pl::tableOf(chosen));
    } catch (...) {
        std::snprintf(error, size, "the system refused %d threads", threads);
        return nullptr;
    }
}

extern "C" void pl_context_destroy(pl_context *context) { delete context; }

extern "C" const char *pl_context_isa(const pl_context *context) { return pl::isaName(context->isa); }

extern "C" const char *pl_error(const pl_context *context) { return context->message; }
