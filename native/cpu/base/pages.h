// How rows lie in the pages of a pool; the same arithmetic as dev.plumbline.precision.PageFormat.
#pragma once

#include "plumbline.h"

namespace pl {

constexpr int64_t FP4_BLOCK = 32; // dims under one scale of INDEX_MXFP4
constexpr int64_t FP8_BLOCK = 64; // dims under one scale of KV_FP8

struct Pages {
    char *data;
    int64_t count; // pages
    int32_t layout;
    int64_t rows, width, rotated;
    int64_t rowBytes, scales, scaleBytes, bytes;

    char *page(int64_t id) const { return data + id * bytes; }
    char *row(int64_t id, int64_t row) const { return page(id) + row * rowBytes; }
    char *rowScales(int64_t id, int64_t row) const { return page(id) + rows * rowBytes + row * scaleBytes; }
};

// Sizes that fit 64 bits are the caller's to check (checks.cpp).
static inline Pages pagesOf(const pl_pool &pool) {
    Pages p = {};
    p.data = static_cast<char *>(pool.data);
    p.count = pool.pages;
    p.layout = static_cast<int32_t>(pool.layout);
    p.rows = pool.rows;
    p.width = pool.width;
    p.rotated = pool.rotated;
    switch (p.layout) {
        case PL_PAGE_FP32:
            p.rowBytes = 4 * p.width;
            break;
        case PL_PAGE_BF16:
            p.rowBytes = 2 * p.width;
            break;
        case PL_PAGE_INDEX_FP8:
            p.rowBytes = p.width;
            p.scales = 1;
            p.scaleBytes = 4;
            break;
        case PL_PAGE_INDEX_MXFP4:
            p.rowBytes = p.width / 2;
            p.scales = (p.width + FP4_BLOCK - 1) / FP4_BLOCK;
            p.scaleBytes = p.scales;
            break;
        default: // PL_PAGE_KV_FP8
            p.rowBytes = p.width + p.rotated;
            p.scales = (p.width - p.rotated + FP8_BLOCK - 1) / FP8_BLOCK;
            p.scaleBytes = (p.scales + 7) / 8 * 8;
    }
    p.bytes = p.rows * (p.rowBytes + p.scaleBytes);
    return p;
}

} // namespace pl
