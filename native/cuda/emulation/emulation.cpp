// Fibers, barriers, and the Java side of the emulated device (dev.plumbline.kernel.cuda.EmulatedDevice).
#include "emulation.h"

#include <jni.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

Dim3 threadIdx, blockIdx, blockDim, gridDim;

// Saves the callee-saved registers on the running stack, stores its pointer, and continues on the other one.
extern "C" void emulatedSwitch(void **save, void *resume);
asm(R"(
.text
.globl emulatedSwitch
.hidden emulatedSwitch
.type emulatedSwitch, @function
emulatedSwitch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size emulatedSwitch, .-emulatedSwitch
)");

namespace {

constexpr std::size_t STACK = 64 * 1024;
constexpr int WARP = 32;

enum State { READY, AT_BLOCK_BARRIER, AT_WARP_BARRIER, DONE };

struct Fiber {
    char *stack = nullptr;
    void *pointer = nullptr;
    State state = DONE;
    int round = 0; // of the exchanges of its warp
};

struct WarpState {
    uint64_t values[2][WARP];
};

std::vector<Fiber> fibers;
std::vector<WarpState> warps;
std::vector<char> dynamicShared;
void *scheduler;
unsigned int running;
unsigned int blockThreads;
bool forward; // the order of the pass over the threads
EmulatedKernel currentKernel;
void *const *currentArguments;

std::map<std::string, EmulatedKernel> &registry() {
    static std::map<std::string, EmulatedKernel> all;
    return all;
}

// The next thread of this pass that can run, from an index on; the number of threads if there is none.
unsigned int nextReady(unsigned int n) {
    while (n < blockThreads && fibers[forward ? n : blockThreads - 1 - n].state != READY) {
        n++;
    }
    return n;
}

// Continues thread n of this pass, or the scheduler behind the last one.
void go(void **save, unsigned int n) {
    if (n == blockThreads) {
        emulatedSwitch(save, scheduler);
        return;
    }
    running = forward ? n : blockThreads - 1 - n;
    threadIdx = {running, 0, 0};
    emulatedSwitch(save, fibers[running].pointer);
}

// On to the next thread at once: a way through the scheduler would take twice the switches.
void yield(State state) {
    Fiber &own = fibers[running];
    own.state = state;
    go(&own.pointer, nextReady((forward ? running : blockThreads - 1 - running) + 1));
}

void fiberMain() {
    currentKernel(currentArguments);
    yield(DONE);
    std::abort();
}

void start(Fiber &fiber) {
    if (fiber.stack == nullptr) {
        fiber.stack = static_cast<char *>(std::malloc(STACK));
    }
    uintptr_t top = reinterpret_cast<uintptr_t>(fiber.stack + STACK) & ~static_cast<uintptr_t>(15);
    void **frame = reinterpret_cast<void **>(top) - 2; // a function starts with the stack 8 bytes off 16
    frame[0] = reinterpret_cast<void *>(fiberMain);
    frame[1] = nullptr;
    fiber.pointer = frame - 6;
    fiber.state = READY;
    fiber.round = 0;
}

// Whether every thread of [from, to) that has not ended waits in that state; then they are let go on.
bool release(unsigned int from, unsigned int to, State state) {
    bool any = false;
    for (unsigned int i = from; i < to; i++) {
        if (fibers[i].state == DONE) {
            continue;
        }
        if (fibers[i].state != state) {
            return false;
        }
        any = true;
    }
    for (unsigned int i = from; i < to && any; i++) {
        fibers[i].state = fibers[i].state == DONE ? DONE : READY;
    }
    return any;
}

void runBlock(unsigned int threads) {
    for (unsigned int i = 0; i < threads; i++) {
        start(fibers[i]);
    }
    blockThreads = threads;
    forward = true;
    for (;;) {
        unsigned int first = nextReady(0);
        bool ran = first < threads;
        if (ran) {
            go(&scheduler, first);
        }
        forward = !forward;
        bool released = false;
        for (unsigned int from = 0; from < threads; from += WARP) {
            released |= release(from, from + WARP < threads ? from + WARP : threads, AT_WARP_BARRIER);
        }
        released |= release(0, threads, AT_BLOCK_BARRIER);
        if (!ran && !released) {
            break;
        }
    }
    for (unsigned int i = 0; i < threads; i++) {
        if (fibers[i].state != DONE) {
            std::fprintf(stderr, "emulated kernel: thread %u of block %u waits at a barrier that others never reach\n", i, blockIdx.x);
            std::abort();
        }
    }
}

} // namespace

void *emulatedDynamicShared() { return dynamicShared.data(); }

void __syncthreads() { yield(AT_BLOCK_BARRIER); }

void __syncwarp() { yield(AT_WARP_BARRIER); }

const uint64_t *emulatedExchange(uint64_t own) {
    // Two buffers in turn: a lane may be one exchange ahead of another, never two.
    WarpState &warp = warps[running / WARP];
    Fiber &fiber = fibers[running];
    uint64_t *values = warp.values[fiber.round];
    fiber.round = 1 - fiber.round;
    values[running % WARP] = own;
    __syncwarp();
    return values;
}

void emulatedLaunch(
        EmulatedKernel kernel, Dim3 grid, unsigned int threads, int64_t shared, void *const *arguments) {
    if (fibers.size() < threads) {
        fibers.resize(threads);
    }
    warps.resize((threads + WARP - 1) / WARP);
    dynamicShared.resize(static_cast<std::size_t>(shared) + 16);
    currentKernel = kernel;
    currentArguments = arguments;
    gridDim = grid;
    blockDim = {threads, 1, 1};
    for (unsigned int z = 0; z < grid.z; z++) {
        for (unsigned int y = 0; y < grid.y; y++) {
            for (unsigned int x = 0; x < grid.x; x++) {
                blockIdx = {x, y, z};
                std::memset(dynamicShared.data(), 0xff, dynamicShared.size());
                runBlock(threads);
            }
        }
    }
}

void emulatedRegister(const char *name, EmulatedKernel kernel) { registry()[name] = kernel; }

// ---- memory: every buffer ends at a page that cannot be touched ----------------------------------------------------

namespace {

std::size_t page() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }
std::size_t mapped(int64_t bytes) {
    std::size_t rounded = (static_cast<std::size_t>(bytes) + page() - 1) / page() * page();
    return (rounded == 0 ? page() : rounded) + page();
}
std::size_t padded(int64_t bytes) { return (static_cast<std::size_t>(bytes) + 15) / 16 * 16; }

} // namespace

extern "C" {

JNIEXPORT jlong JNICALL Java_dev_plumbline_kernel_cuda_EmulatedDevice_mapMemory(JNIEnv *, jclass, jlong bytes) {
    std::size_t size = mapped(static_cast<int64_t>(padded(bytes)));
    void *start = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
        return 0;
    }
    char *end = static_cast<char *>(start) + size - page();
    mprotect(end, page(), PROT_NONE);
    return reinterpret_cast<jlong>(end - padded(bytes));
}

JNIEXPORT void JNICALL
Java_dev_plumbline_kernel_cuda_EmulatedDevice_unmapMemory(JNIEnv *, jclass, jlong address, jlong bytes) {
    std::size_t size = mapped(static_cast<int64_t>(padded(bytes)));
    munmap(reinterpret_cast<char *>(address) + padded(bytes) + page() - size, size);
}

JNIEXPORT void JNICALL Java_dev_plumbline_kernel_cuda_EmulatedDevice_copyToDevice(
        JNIEnv *env, jclass, jlong target, jobject source, jint bytes) {
    std::memcpy(reinterpret_cast<void *>(target), env->GetDirectBufferAddress(source), static_cast<std::size_t>(bytes));
}

JNIEXPORT void JNICALL Java_dev_plumbline_kernel_cuda_EmulatedDevice_copyToHost(
        JNIEnv *env, jclass, jobject target, jlong source, jint bytes) {
    std::memcpy(env->GetDirectBufferAddress(target), reinterpret_cast<void *>(source), static_cast<std::size_t>(bytes));
}

JNIEXPORT void JNICALL
Java_dev_plumbline_kernel_cuda_EmulatedDevice_zeroMemory(JNIEnv *, jclass, jlong target, jlong bytes) {
    std::memset(reinterpret_cast<void *>(target), 0, static_cast<std::size_t>(bytes));
}

JNIEXPORT jlong JNICALL Java_dev_plumbline_kernel_cuda_EmulatedDevice_find(JNIEnv *env, jclass, jstring name) {
    const char *text = env->GetStringUTFChars(name, nullptr);
    auto found = registry().find(text);
    env->ReleaseStringUTFChars(name, text);
    return found == registry().end() ? 0 : reinterpret_cast<jlong>(found->second);
}

JNIEXPORT void JNICALL Java_dev_plumbline_kernel_cuda_EmulatedDevice_run(
        JNIEnv *env, jclass, jlong kernel, jint x, jint y, jint z, jint threads, jint shared, jobject slots,
        jintArray offsets, jint count) {
    char *start = static_cast<char *>(env->GetDirectBufferAddress(slots));
    jint first[64];
    env->GetIntArrayRegion(offsets, 0, count, first);
    void *arguments[64];
    for (jint i = 0; i < count; i++) {
        arguments[i] = start + 8 * first[i];
    }
    Dim3 grid = {static_cast<unsigned int>(x), static_cast<unsigned int>(y), static_cast<unsigned int>(z)};
    emulatedLaunch(
            reinterpret_cast<EmulatedKernel>(kernel), grid, static_cast<unsigned int>(threads), shared, arguments);
}

} // extern "C"
