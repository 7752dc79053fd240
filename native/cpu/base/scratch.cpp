#include "scratch.h"

#include <cstdlib>
#include <new>

namespace pl {

namespace {

constexpr int64_t ALIGNMENT = 64;

char *allocate(int64_t bytes) {
    void *memory = std::aligned_alloc(ALIGNMENT, static_cast<size_t>(bytes));
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return static_cast<char *>(memory);
}

} // namespace

Scratch::~Scratch() {
    release(0);
    std::free(main_);
}

void *Scratch::takeBytes(int64_t count, size_t size) {
    int64_t bytes;
    if (count < 0 || __builtin_mul_overflow(count, static_cast<int64_t>(size), &bytes) || bytes > INT64_MAX / 4) {
        throw std::bad_alloc();
    }
    bytes = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    void *result;
    if (used_ + bytes <= capacity_) {
        result = main_ + used_;
    } else {
        char *memory = allocate(bytes);
        Block *block = new (std::nothrow) Block{memory, used_, extra_};
        if (block == nullptr) {
            std::free(memory);
            throw std::bad_alloc();
        }
        extra_ = block;
        result = memory;
    }
    used_ += bytes;
    peak_ = used_ > peak_ ? used_ : peak_;
    return result;
}

void Scratch::release(int64_t mark) {
    while (extra_ != nullptr && extra_->start >= mark) {
        Block *next = extra_->next;
        std::free(extra_->memory);
        delete extra_;
        extra_ = next;
    }
    used_ = mark;
}

void Scratch::reset() {
    release(0);
    if (peak_ > capacity_) {
        std::free(main_);
        main_ = nullptr;
        capacity_ = 0;
        main_ = static_cast<char *>(std::aligned_alloc(ALIGNMENT, static_cast<size_t>(peak_)));
        capacity_ = main_ == nullptr ? 0 : peak_;
        // No room for one block: the next kernel takes its memory piece by piece.
        peak_ = capacity_;
    }
}

} // namespace pl
