// Pages written and read by plain loops that share nothing with the kernels: the nearest code is found by trying all.
#pragma once

#include "support.h"

namespace check {

inline double e4m3(int code) {
    int exponent = (code >> 3) & 15, fraction = code & 7;
    double size = exponent == 0 ? fraction / 512.0 : std::ldexp(1 + fraction / 8.0, exponent - 7);
    return (code & 127) == 127 ? NAN : code < 128 ? size : -size;
}

inline double e2m1(int code) {
    constexpr double SIZES[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    return code < 8 ? SIZES[code] : -SIZES[code - 8];
}

// The nearest of the codes below `negative`, ties to the even one; its sign bit is `negative`.
inline int nearest(double x, double (*value)(int), int negative, int highest) {
    int best = 0;
    double size = std::min(std::fabs(x), value(highest));
    for (int code = 1; code <= highest; code++) {
        double error = std::fabs(value(code) - size), least = std::fabs(value(best) - size);
        best = error < least || (error == least && code % 2 == 0) ? code : best;
    }
    return best + (std::signbit(x) ? negative : 0);
}

inline int encodeE4m3(float x) { return std::isnan(x) ? 127 : nearest(x, e4m3, 128, 126); }

inline float highest(const float *x, int64_t n, float floor) {
    for (int64_t i = 0; i < n; i++) {
        floor = std::max(floor, std::isinf(x[i]) ? 3.40282347e+38f : std::fabs(x[i]));
    }
    return floor;
}

inline int e8m0(float least) { return static_cast<int>(std::ceil(std::log2(double(least)))) + 127; }

// Rows of one layout with what they hold.
struct Coded {
    int64_t rows, width, rotated, pages, rowBytes, scaleBytes, pageBytes;
    int64_t layout;
    std::vector<uint8_t> bytes;
    std::vector<double> values;

    Coded(int64_t layout_, int64_t pages_, int64_t rows_, int64_t width_, int64_t rotated_ = 0)
        : rows(rows_), width(width_), rotated(rotated_), pages(pages_), layout(layout_) {
        int64_t plain = width - rotated;
        int64_t sizes[][2] = {{4 * width, 0}, {2 * width, 0}, {width, 4}, {width / 2, (width + 31) / 32},
                              {plain + 2 * rotated, ((plain + 63) / 64 + 7) / 8 * 8}};
        rowBytes = sizes[layout][0];
        scaleBytes = sizes[layout][1];
        pageBytes = rows * (rowBytes + scaleBytes);
        bytes.resize(static_cast<size_t>(pages * pageBytes));
        values.resize(static_cast<size_t>(pages * rows * width));
    }

    pl_pool pool() { return {bytes.data(), pages, layout, rows, width, rotated, pageBytes}; }

    void fill(const std::vector<float> &source) {
        for (int64_t i = 0; i < pages * rows; i++) {
            put(i, source.data() + i * width);
        }
    }

    // Row i % rows of page i / rows.
    void put(int64_t i, const float *x) {
        uint8_t *page = bytes.data() + i / rows * pageBytes;
        uint8_t *row = page + i % rows * rowBytes;
        uint8_t *scales = page + rows * rowBytes + i % rows * scaleBytes;
        double *out = values.data() + i * width;
        int64_t plain = width - rotated;
        for (int64_t j = 0; j < width; j++) {
            out[j] = layout == PL_PAGE_FP32 ? x[j] : rounded(x[j]);
        }
        if (layout == PL_PAGE_FP32) {
            std::memcpy(row, x, size_t(rowBytes));
        } else if (layout == PL_PAGE_BF16) {
            pl_write_floats(row, PL_BF16, 0, x, width);
        } else if (layout == PL_PAGE_INDEX_FP8) {
            float scale = highest(x, width, 1e-4f) / 448;
            std::memcpy(scales, &scale, 4);
            block(x, width, scale, row, out);
        } else if (layout == PL_PAGE_INDEX_MXFP4) {
            std::memset(row, 0, size_t(rowBytes));
            for (int64_t from = 0; from < width; from += 32) {
                int64_t n = std::min<int64_t>(32, width - from);
                scales[from / 32] = static_cast<uint8_t>(e8m0(highest(x + from, n, 6 * 0x1p-126f) / 6));
                float scale = std::ldexp(1.0f, scales[from / 32] - 127);
                for (int64_t j = from; j < from + n; j++) {
                    int code = nearest(x[j] / scale, e2m1, 8, 7);
                    row[j / 2] = static_cast<uint8_t>(row[j / 2] | code << (j % 2 * 4));
                    out[j] = e2m1(code) * scale;
                }
            }
        } else {
            for (int64_t from = 0; from < plain; from += 64) {
                int64_t n = std::min<int64_t>(64, plain - from);
                scales[from / 64] = static_cast<uint8_t>(e8m0(highest(x + from, n, 1e-4f) / 448));
                block(x + from, n, std::ldexp(1.0f, scales[from / 64] - 127), row + from, out + from);
            }
            pl_write_floats(row + plain, PL_BF16, 0, x + plain, rotated);
        }
    }

    static void block(const float *x, int64_t n, float scale, uint8_t *codes, double *out) {
        for (int64_t j = 0; j < n; j++) {
            codes[j] = static_cast<uint8_t>(encodeE4m3(x[j] / scale));
            out[j] = e4m3(codes[j]) * scale;
        }
    }
};

inline const char *layoutName(int64_t layout) {
    constexpr const char *NAMES[] = {"fp32", "bf16", "index_fp8", "index_mxfp4", "kv_fp8"};
    return NAMES[layout];
}

} // namespace check
