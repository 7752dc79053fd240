#include "pool.h"

#include <climits>
#include <linux/futex.h>
#include <new>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace pl {

namespace {

// A worker that found nothing to do for this long sleeps: long enough to bridge two kernels of a step, short enough to
// leave the core to other threads between steps.
constexpr int64_t SPIN_NANOSECONDS = 60'000;
constexpr int PAUSES_PER_LOOK = 64;

inline void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

int64_t now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

void futexWait(std::atomic<uint32_t> *word, uint32_t expected) {
    syscall(SYS_futex, reinterpret_cast<uint32_t *>(word), FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

void futexWakeAll(std::atomic<uint32_t> *word) {
    syscall(SYS_futex, reinterpret_cast<uint32_t *>(word), FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace

Pool::Pool(int threads) : threads_(threads) {
    try {
        for (int i = 1; i < threads; i++) {
            workers_.emplace_back([this, i] { work(i); });
        }
    } catch (...) {
        stop_.store(true);
        generation_.fetch_add(1);
        futexWakeAll(&generation_);
        for (auto &worker : workers_) {
            worker.join();
        }
        throw;
    }
}

Pool::~Pool() {
    stop_.store(true);
    generation_.fetch_add(1);
    futexWakeAll(&generation_);
    for (auto &worker : workers_) {
        worker.join();
    }
}

void Pool::run(int64_t chunks, Function function, void *argument) {
    if (chunks <= 1 || threads_ == 1 || chunks >= INT32_MAX) {
        for (int64_t chunk = 0; chunk < chunks; chunk++) {
            function(argument, chunk, 0);
        }
        return;
    }
    uint32_t generation = generation_.load(std::memory_order_relaxed) + 1;
    uint64_t first = static_cast<uint64_t>(generation) << 32;
    // The old ticket dies before the new job is written: a late worker that sees any part of the new job fails to claim
    // with the old ticket.
    ticket_.exchange(first | UINT32_MAX, std::memory_order_acq_rel);
    function_.store(function, std::memory_order_release);
    argument_.store(argument, std::memory_order_release);
    chunks_.store(chunks, std::memory_order_release);
    done_.store(0, std::memory_order_release);
    failed_.store(false, std::memory_order_release);
    ticket_.store(first, std::memory_order_release);
    generation_.store(generation, std::memory_order_seq_cst);
    if (sleepers_.load(std::memory_order_seq_cst) > 0) {
        futexWakeAll(&generation_);
    }
    claim(generation, 0);
    for (int64_t looks = 0; done_.load(std::memory_order_acquire) < chunks; looks++) {
        pause();
        if (looks > 20'000) {
            sched_yield(); // a worker lost its core with a chunk in hand
        }
    }
    if (failed_.load(std::memory_order_relaxed)) {
        throw std::bad_alloc();
    }
}

void Pool::claim(uint32_t generation, int thread) {
    Function function = function_.load(std::memory_order_acquire);
    void *argument = argument_.load(std::memory_order_acquire);
    int64_t chunks = chunks_.load(std::memory_order_acquire);
    uint64_t ticket = ticket_.load(std::memory_order_acquire);
    while ((ticket >> 32) == generation) {
        int64_t chunk = static_cast<uint32_t>(ticket);
        if (chunk >= chunks) {
            return;
        }
        if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel, std::memory_order_acquire)) {
            continue;
        }
        try {
            function(argument, chunk, thread);
        } catch (...) {
            failed_.store(true, std::memory_order_relaxed);
        }
        done_.fetch_add(1, std::memory_order_release);
        ticket = ticket_.load(std::memory_order_acquire);
    }
}

void Pool::work(int thread) {
    uint32_t seen = 0;
    while (true) {
        uint32_t generation = generation_.load(std::memory_order_acquire);
        if (generation == seen) {
            int64_t start = now();
            do {
                for (int i = 0; i < PAUSES_PER_LOOK && generation == seen; i++) {
                    pause();
                    generation = generation_.load(std::memory_order_acquire);
                }
            } while (generation == seen && now() - start < SPIN_NANOSECONDS);
            while (generation == seen) {
                sleepers_.fetch_add(1, std::memory_order_seq_cst);
                if (generation_.load(std::memory_order_seq_cst) == seen) {
                    futexWait(&generation_, seen);
                }
                sleepers_.fetch_sub(1, std::memory_order_seq_cst);
                generation = generation_.load(std::memory_order_acquire);
            }
        }
        if (stop_.load(std::memory_order_acquire)) {
            return;
        }
        seen = generation;
        claim(generation, thread);
    }
}

} // namespace pl
