// Memory of tensors and conversion of elements on their way in and out.
#include "numbers.h"
#include "plumbline.h"

#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace {

constexpr int64_t ALIGNMENT = 64;
constexpr int64_t MAPPED_FROM = 1 << 20;
constexpr int64_t HUGE_FROM = 4 << 20;

int64_t rounded(int64_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

} // namespace

extern "C" void *pl_allocate(int64_t bytes) {
    if (bytes < 0 || bytes > INT64_MAX - ALIGNMENT) {
        return nullptr;
    }
    if (bytes >= MAPPED_FROM) {
        // Fresh pages are zero and exist only once touched.
        void *memory = mmap(
                nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            return nullptr;
        }
        if (bytes >= HUGE_FROM) {
            madvise(memory, static_cast<size_t>(bytes), MADV_HUGEPAGE);
        }
        return memory;
    }
    size_t size = static_cast<size_t>(rounded(bytes == 0 ? 1 : bytes));
    void *memory = std::aligned_alloc(ALIGNMENT, size);
    if (memory != nullptr) {
        std::memset(memory, 0, size);
    }
    return memory;
}

extern "C" void pl_free(void *memory, int64_t bytes) {
    if (memory == nullptr) {
        return;
    }
    if (bytes >= MAPPED_FROM) {
        munmap(memory, static_cast<size_t>(bytes));
    } else {
        std::free(memory);
    }
}

extern "C" void pl_touch(void *memory) { *static_cast<volatile char *>(memory) = 0; }

extern "C" void pl_write_floats(void *target, int32_t dtype, int64_t at, const float *source, int64_t count) {
    if (dtype == PL_BF16) {
        uint16_t *out = static_cast<uint16_t *>(target) + at;
        for (int64_t i = 0; i < count; i++) {
            out[i] = pl::roundToBf16(source[i]);
        }
    } else {
        std::memcpy(static_cast<float *>(target) + at, source, static_cast<size_t>(count) * sizeof(float));
    }
}

extern "C" void pl_read_floats(const void *source, int32_t dtype, int64_t at, float *target, int64_t count) {
    if (dtype == PL_BF16) {
        const uint16_t *in = static_cast<const uint16_t *>(source) + at;
        for (int64_t i = 0; i < count; i++) {
            target[i] = pl::widenBf16(in[i]);
        }
    } else {
        std::memcpy(target, static_cast<const float *>(source) + at, static_cast<size_t>(count) * sizeof(float));
    }
}
