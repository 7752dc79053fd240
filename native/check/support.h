// What the check and the benchmark share: random data, reference values, reports and a paged pool.
#pragma once

#include "numbers.h"
#include "plumbline.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <time.h>
#include <vector>

namespace check {

inline std::mt19937 random_(7);
inline int failures = 0;

inline std::vector<float> floats(int64_t n, float scale = 1.0f) {
    std::normal_distribution<float> normal(0.0f, scale);
    std::vector<float> v(static_cast<size_t>(n));
    for (float &x : v) {
        x = normal(random_);
    }
    return v;
}

inline std::vector<uint16_t> bf16(const std::vector<float> &v) {
    std::vector<uint16_t> out(v.size());
    pl_write_floats(out.data(), PL_BF16, 0, v.data(), static_cast<int64_t>(v.size()));
    return out;
}

inline float rounded(float x) { return pl::widenBf16(pl::roundToBf16(x)); }

inline void report(const std::string &what, double error, double bound) {
    bool good = error <= bound;
    failures += !good;
    std::printf("  %-44s %-4s %.3g\n", what.c_str(), good ? "ok" : "BAD", error);
}

inline double nmse(const std::vector<float> &got, const std::vector<double> &expected) {
    double error = 0, norm = 0;
    for (size_t i = 0; i < got.size(); i++) {
        error += (got[i] - expected[i]) * (got[i] - expected[i]);
        norm += expected[i] * expected[i];
    }
    return std::isnan(error) ? INFINITY : error / (norm + 1e-300);
}

inline bool same(const float *a, const float *b, int64_t n) {
    return std::memcmp(a, b, static_cast<size_t>(n) * sizeof(float)) == 0;
}

inline int64_t must(pl_context *context, int64_t result) {
    if (result < 0) {
        std::printf("error: %s\n", pl_error(context));
        std::exit(2);
    }
    return result;
}

// One thread is timed by what it computed, so that a busy machine does not count; more threads by the wall clock.
inline clockid_t timer = CLOCK_MONOTONIC;

inline double now() {
    timespec t;
    clock_gettime(timer, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

inline double seconds(const std::function<void()> &body) {
    double best = 1e9;
    for (int i = 0; i < 7; i++) {
        double start = now();
        body();
        best = std::min(best, now() - start);
    }
    return best;
}

// A batch of one sequence.
struct Run {
    std::vector<int32_t> positions, sequenceOf, firstRow, slots{1}, tokens, stages;
    Run(int64_t start, int64_t rows, int32_t stage = PL_PREFILL) {
        for (int64_t t = 0; t < rows; t++) {
            positions.push_back(static_cast<int32_t>(start + t));
            sequenceOf.push_back(0);
            tokens.push_back(0);
            stages.push_back(stage);
        }
        firstRow = {0, static_cast<int32_t>(rows)};
    }
    pl_batch batch() const {
        return {int64_t(positions.size()), 1, 1 << 30, tokens.data(), positions.data(), sequenceOf.data(),
                firstRow.data(), slots.data(), stages.data()};
    }
};

// A page table over pages in descending order, two of them unused.
struct Table {
    std::vector<int32_t> pages;
    explicit Table(int64_t entries) {
        for (int64_t p = (entries + 63) / 64 + 1; p >= 0; p--) {
            pages.push_back(static_cast<int32_t>(p));
        }
    }
    int64_t count() const { return int64_t(pages.size()); }
    int64_t row(int64_t e) const { return pages[static_cast<size_t>(e / 64)] * 64 + e % 64; }
};

} // namespace check
