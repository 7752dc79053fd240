// A fork-join pool for work of microseconds.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace pl {

// Work of one kernel is cut into chunks that any thread may claim. The caller claims chunks as well and never waits for
// a thread that has claimed none, so a sleeping or descheduled worker delays nobody. Which thread computes a chunk
// never matters to the result: chunks divide outputs, not reductions.
class Pool {
public:
    using Function = void (*)(void *argument, int64_t chunk, int thread);

    explicit Pool(int threads);
    ~Pool();
    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;

    int threads() const { return threads_; }

    // Runs function(argument, chunk, thread) for every chunk; throws std::bad_alloc if a chunk did.
    void run(int64_t chunks, Function function, void *argument);

private:
    void work(int thread);
    void claim(uint32_t generation, int thread);

    int threads_;
    std::vector<std::thread> workers_;

    // High half: generation of the job; low half: next chunk. One word, so that a late worker can never claim a chunk
    // of a job whose function it has not read.
    alignas(64) std::atomic<uint64_t> ticket_{0};
    alignas(64) std::atomic<int64_t> done_{0};
    std::atomic<bool> failed_{false};
    alignas(64) std::atomic<uint32_t> generation_{0}; // workers sleep on this word
    std::atomic<int32_t> sleepers_{0};
    std::atomic<bool> stop_{false};
    alignas(64) std::atomic<Function> function_{nullptr};
    std::atomic<void *> argument_{nullptr};
    std::atomic<int64_t> chunks_{0};
};

} // namespace pl
