// GFLOP/s of the matrix kernels at the shapes of a small model.
#include "benchmarks.h"
#include "pages.h"

namespace check {

void benchLinear(pl_context *context, int form, int64_t rows, int64_t n, int64_t k) {
    auto w = floats(n * k), x = floats(rows * k);
    std::vector<float> y(static_cast<size_t>(rows * n));
    pl_weight *weight = pl_weight_create(context, form, n, k);
    pl_weight_fill(context, weight, 0, n, w.data());
    int repeat = rows < 16 ? 200 : 10;
    int64_t id = 0;
    double s = seconds([&] {
        for (int i = 0; i < repeat; i++) {
            id = pl_linear(context, rows, x.data(), weight, y.data());
        }
    }) / repeat;
    std::printf(
            "  %-26s %4lld x %5lld x %4lld  %8.1f us  %7.1f GFLOP/s\n", pl_variant_name(id), (long long)rows,
            (long long)n, (long long)k, s * 1e6, 2e-9 * double(rows * n * k) / s);
    pl_weight_destroy(weight);
}

void benchScores(pl_context *context, int64_t layout, int score, int64_t rows, int64_t start) {
    constexpr int64_t H = 8, D = 128;
    Run run(start, rows);
    int64_t entries = (start + rows) / 4;
    Table table(entries);
    Coded keys(layout, table.count(), 64, D), copies(layout, 16, 64, D);
    keys.fill(floats(table.count() * 64 * D));
    auto q = floats(rows * H * D), weights = floats(rows * H);
    std::vector<int32_t> counts;
    double flop = 0;
    for (int64_t t = 0; t < rows; t++) {
        counts.push_back(static_cast<int32_t>((start + t + 1) / 4));
        flop += 2.0 * H * D * counts.back();
    }
    std::vector<float> scores(static_cast<size_t>(rows * entries));
    std::vector<int32_t> ids(static_cast<size_t>(rows * 16)), found(static_cast<size_t>(rows));
    pl_batch batch = run.batch();
    pl_pool pool = keys.pool(), room = copies.pool();
    for (const pl_pool *gathered : {static_cast<const pl_pool *>(nullptr), static_cast<const pl_pool *>(&room)}) {
        int64_t id = 0;
        double s = seconds([&] {
            id = must(context, pl_index_scores(
                                       context, &batch, 0, rows, H, q.data(), weights.data(), &pool,
                                       table.pages.data(), table.count(), counts.data(), score, gathered,
                                       scores.data(), entries));
        });
        std::printf("  %-50s %4lld rows at %lld  %8.1f us  %7.1f GFLOP/s\n", pl_variant_name(id), (long long)rows,
                    (long long)start, s * 1e6, 1e-9 * flop / s);
    }
    int64_t id = 0;
    double s = seconds([&] {
        id = pl_top_k(context, 0, rows, entries, scores.data(), counts.data(), 16, ids.data(), found.data());
    });
    std::printf("  %-50s %4lld rows at %lld  %8.1f us  %7.2f ns/score\n", pl_variant_name(id), (long long)rows,
                (long long)start, s * 1e6, s * 1e9 / double(rows * entries));
}

void benchAttention(
        pl_context *context, int64_t layout, int mma, int64_t rows, int64_t start, int64_t chosen, bool list) {
    constexpr int64_t H = 8, D = 128, W = 128, R = 32;
    Run run(start, rows, mma != 0 ? PL_DECODE : PL_PREFILL);
    auto q = floats(rows * H * D), keys = floats(rows * D), sinks = floats(H);
    auto keysHalf = bf16(keys);
    int64_t rotated = layout == PL_PAGE_KV_FP8 ? R : 0;
    Coded ring(layout, 2, W, D, rotated), pool(layout, start / 4 / 64 + 4, 64, D, rotated);
    ring.fill(floats(2 * W * D));
    pool.fill(floats(pool.pages * 64 * D));
    Table table(start / 4);
    std::vector<int32_t> ids, counts(static_cast<size_t>(rows), static_cast<int32_t>(chosen));
    for (int64_t t = 0; t < rows; t++) {
        for (int64_t i = 0; i < chosen; i++) {
            ids.push_back(static_cast<int32_t>(i * (start / 4) / chosen));
        }
    }
    int type = layout == PL_PAGE_FP32 ? PL_FP32 : PL_BF16;
    pl_pool window = ring.pool();
    pl_entries entries = {
            pool.pool(), table.pages.data(), table.count(), list ? ids.data() : nullptr, chosen, counts.data()};
    std::vector<float> out(q.size());
    pl_batch batch = run.batch();
    int64_t id = 0;
    double s = seconds([&] {
        id = must(context, pl_attention(
                                   context, &batch, H, D, q.data(), type,
                                   type == PL_BF16 ? (const void *)keysHalf.data() : keys.data(), &window,
                                   chosen > 0 ? &entries : nullptr, sinks.data(), 0.088f, mma, out.data(), nullptr));
    });
    double flop = 4.0 * double(rows) * double(W + chosen) * H * D;
    std::printf("  %-50s %4lld rows, 128 + %lld keys%s  %8.1f us  %7.1f GFLOP/s\n", pl_variant_name(id),
                (long long)rows, (long long)chosen, list ? " chosen" : "", s * 1e6, 1e-9 * flop / s);
}

void benchSmall(pl_context *context, int64_t rows) {
    constexpr int64_t H = 2, D = 256;
    auto x = floats(rows * H * D), fn = floats(8 * H * D, 0.02f), base = floats(8);
    float scale[3] = {1, 1, 1};
    std::vector<float> post(rows * H), comb(rows * H * H), out(rows * D), wide = floats(rows * 1024), y(rows * 1024);
    auto table = floats(rows * 32);
    pl_hyper hyper = {fn.data(), PL_FP32, base.data(), scale, 6, 1e-6f, 1e-6f};
    auto print = [&](const char *what, double s) {
        std::printf("  %-26s %4lld rows  %8.2f us\n", what, (long long)rows, s * 1e6);
    };
    print("mix", seconds([&] {
              pl_mix(context, rows, H, D, x.data(), &hyper, post.data(), comb.data(), out.data());
          }));
    auto fnHalf = bf16(fn);
    hyper.fn = fnHalf.data();
    hyper.fn_type = PL_BF16;
    print("mix bf16", seconds([&] {
              pl_mix(context, rows, H, D, x.data(), &hyper, post.data(), comb.data(), out.data());
          }));
    print("transform hadamard 8 x 128", seconds([&] {
              pl_transform(context, rows * 8, 128, wide.data(), PL_HADAMARD);
          }));
    print("transform hadamard_fp4 8 x 128", seconds([&] {
              pl_transform(context, rows * 8, 128, wide.data(), PL_HADAMARD_FP4);
          }));
    print("unmix", seconds([&] {
              pl_unmix(context, rows, H, D, out.data(), post.data(), comb.data(), x.data());
          }));
    print("rmsNorm 8 x 128", seconds([&] {
              pl_rms_norm(context, rows * 8, 128, wide.data(), nullptr, 1e-6f, y.data());
          }));
    print("rope 8 x 128, 32 rotated", seconds([&] {
              pl_rope(context, rows, 8, 128, 32, y.data(), table.data(), 0);
          }));
    print("swiglu 256", seconds([&] { pl_swiglu(context, rows, 256, wide.data(), 10.0f, y.data()); }));
}

void benchForkJoin(pl_context *context) {
    std::vector<float> x(32768, 1.0f), y(32768);
    double s = seconds([&] {
        for (int i = 0; i < 1000; i++) {
            pl_rms_norm(context, 1, 64, x.data(), nullptr, 1e-6f, y.data());
        }
    });
    std::printf("  smallest call %.2f us\n", s * 1e3);
}

} // namespace check
