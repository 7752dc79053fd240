// What the C interface checks before a kernel forms an address, and how it reports failures.
#pragma once

#include "kernels.h"
#include "variants.h"

#include <cstdio>
#include <new>

namespace pl {

// Runs the body of a call; what it throws becomes an error code.
template <class Body>
static inline int64_t guarded(pl_context *context, Kernel kernel, Body body) {
    context->message[0] = 0;
    try {
        context->resetScratch();
        return body();
    } catch (const Fault &) {
        return PL_ERROR_ARGUMENT;
    } catch (const std::bad_alloc &) {
        if (context->message[0] != 0) {
            return PL_ERROR_ARGUMENT; // a worker's complaint
        }
        std::snprintf(context->message, sizeof context->message, "%s: out of memory", kernelName(kernel));
        return PL_ERROR_MEMORY;
    } catch (...) {
        std::snprintf(context->message, sizeof context->message, "%s: internal error", kernelName(kernel));
        return PL_ERROR_INTERNAL;
    }
}

// from <= value < to.
void require(
        Context &context, Kernel kernel, const char *what, int64_t index, int64_t value, int64_t from, int64_t to);

void atLeast(Context &context, Kernel kernel, const char *what, int64_t value, int64_t least);

// Runs of rows lie one after another, positions are consecutive and rows know their sequence and their stage.
void checkBatch(Context &context, Kernel kernel, const pl_batch &batch);

bool empty(const pl_batch &batch, int64_t sequence);

void checkSlots(Context &context, Kernel kernel, const pl_batch &batch, int64_t slots);

void checkTokens(Context &context, Kernel kernel, const pl_batch &batch, int64_t vocabulary);

// Pages that hold entries [from, to) of a sequence exist.
void checkPages(
        Context &context, Kernel kernel, const int32_t *pages, int64_t perSequence, int64_t poolPages,
        int64_t sequence, int64_t from, int64_t to);

// A pool of one of the layouts, given as bits 1 << PL_PAGE_..., whose pages are as large as they have to be.
Pages checkPool(Context &context, Kernel kernel, const pl_pool &pool, uint32_t layouts, int64_t rows, int64_t width);

constexpr uint32_t PLAIN_PAGES = 1u << PL_PAGE_FP32 | 1u << PL_PAGE_BF16;
constexpr uint32_t INDEX_PAGES = PLAIN_PAGES | 1u << PL_PAGE_INDEX_FP8 | 1u << PL_PAGE_INDEX_MXFP4;
constexpr uint32_t KEY_VALUE_PAGES = PLAIN_PAGES | 1u << PL_PAGE_KV_FP8;
constexpr int64_t ANY = -1; // any number of rows

} // namespace pl
