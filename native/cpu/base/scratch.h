// Temporary memory of one thread: taken piece by piece during a kernel, given back all at once before the next.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pl {

class Scratch {
public:
    Scratch() = default;
    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;
    ~Scratch();

    // Uninitialised, 64-byte aligned; throws std::bad_alloc.
    template <class T>
    T *take(int64_t count) {
        return static_cast<T *>(takeBytes(count, sizeof(T)));
    }

    // Forgets what was taken since the mark.
    int64_t mark() const { return used_; }
    void release(int64_t mark);

    // Start of a kernel: forgets everything, and from then on holds in one block what the greediest kernel so far took,
    // if the system has a block of that size.
    void reset();

private:
    void *takeBytes(int64_t count, size_t size);

    // Memory beyond the main block.
    struct Block {
        char *memory;
        int64_t start;
        Block *next;
    };
    char *main_ = nullptr;
    int64_t capacity_ = 0;
    int64_t used_ = 0;
    int64_t peak_ = 0;
    Block *extra_ = nullptr;
};

} // namespace pl
