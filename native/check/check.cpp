// Standalone check and benchmark of the CPU kernels: plumbline_check [isa ...] (all available ones by default).
//
// Compares the matrix kernels with naive loops in double, checks that results do not depend on how many rows or threads
// compute them, and prints GFLOP/s at the shapes of a small model. Needs no JVM, so it can be copied to another machine.
#include "benchmarks.h"
#include "pages.h"

using namespace check;

namespace {

void checkLinear(pl_context *one, pl_context *two, int form, int64_t rows, int64_t n, int64_t k) {
    auto w = floats(n * k), x = floats(rows * k);
    pl_weight *weight = pl_weight_create(one, form, n, k);
    pl_weight_fill(one, weight, 0, n, w.data());
    std::vector<float> y(static_cast<size_t>(rows * n), NAN), other(y);
    must(one, pl_linear(one, rows, x.data(), weight, y.data()));
    std::vector<double> expected(y.size());
    for (int64_t t = 0; t < rows; t++) {
        for (int64_t i = 0; i < n; i++) {
            double sum = 0;
            for (int64_t j = 0; j < k; j++) {
                float a = x[t * k + j], b = w[i * k + j];
                sum += form == PL_BF16 ? double(rounded(a)) * rounded(b) : double(a) * b;
            }
            expected[t * n + i] = sum;
        }
    }
    std::ostringstream name;
    name << "linear " << (form == PL_BF16 ? "bf16 " : "fp32 ") << rows << "x" << n << "x" << k;
    report(name.str(), nmse(y, expected), 1e-12);
    must(two, pl_linear(two, rows, x.data(), weight, other.data()));
    bool equal = same(y.data(), other.data(), rows * n);
    for (int64_t t = 0; t < rows; t++) {
        must(two, pl_linear(two, 1, x.data() + t * k, weight, other.data()));
        equal = equal && same(y.data() + t * n, other.data(), n);
    }
    report(name.str() + " same by row and threads", equal ? 0 : 1, 0);
    pl_weight_destroy(weight);
}

// Rows rounded as the layout rounds queries: what the scores multiply, and what their weights are multiplied with.
std::vector<double> roundedQuery(int64_t layout, const float *q, int64_t d) {
    Coded row(layout, 1, 1, d);
    row.put(0, q);
    return row.values;
}

void checkScores(
        pl_context *one, pl_context *two, int64_t layout, int64_t rows, int64_t heads, int64_t d, int64_t start) {
    Run run(start, rows);
    int64_t entries = (start + rows) / 4;
    Table table(entries);
    Coded keys(layout, table.count(), 64, d), copies(layout, 1, 64, d);
    keys.fill(floats(table.count() * 64 * d));
    auto q = floats(rows * heads * d), weights = floats(rows * heads);
    std::vector<int32_t> counts;
    for (int64_t t = 0; t < rows; t++) {
        counts.push_back(static_cast<int32_t>((start + t + 1) / 4));
    }
    pl_batch batch = run.batch();
    pl_pool pool = keys.pool(), room = copies.pool();
    std::vector<float> scores(static_cast<size_t>(rows * entries), 5.0f), other(scores);
    auto call = [&](pl_context *context, int64_t from, int64_t n, int score, const pl_pool *gathered, float *out) {
        must(context, pl_index_scores(
                              context, &batch, from, n, heads, q.data(), weights.data(), &pool, table.pages.data(),
                              table.count(), counts.data(), score, gathered, out, entries));
    };
    auto all = int64_t(scores.size());
    for (int score : {PL_FP32, PL_BF16}) {
        call(one, 0, rows, score, nullptr, scores.data());
        std::vector<double> expected(scores.size(), 5.0);
        for (int64_t t = 0; t < rows; t++) {
            for (int64_t h = 0; h < heads; h++) {
                auto query = roundedQuery(layout, q.data() + (t * heads + h) * d, d);
                for (int64_t e = 0; e < counts[t]; e++) {
                    double dot = 0;
                    for (int64_t j = 0; j < d; j++) {
                        dot += query[j] * keys.values[keys.width * table.row(e) + j];
                    }
                    double &sum = expected[t * entries + e];
                    sum = (h == 0 ? 0 : sum) + weights[t * heads + h] / std::sqrt(double(heads)) * std::max(0.0, dot) /
                                                       std::sqrt(double(d));
                }
            }
        }
        std::ostringstream name;
        name << "indexScores " << layoutName(layout) << (score == PL_BF16 ? " bf16 " : " ") << rows << " rows " << heads
             << "x" << d;
        report(name.str(), nmse(scores, expected), score == PL_BF16 ? 5e-5 : 1e-11);
        for (int64_t t = 0; t < rows; t++) {
            call(two, t, 1, score, nullptr, other.data() + t * entries);
        }
        report(name.str() + " same by row", same(scores.data(), other.data(), all) ? 0 : 1, 0);
        std::fill(other.begin(), other.end(), 5.0f);
        call(two, 0, rows, score, &room, other.data());
        report(name.str() + " same gathered", same(scores.data(), other.data(), all) ? 0 : 1, 0);
    }
}

// Rows in a ring byte by byte, and a transform's rounding.
void checkStorage(pl_context *one, int64_t d, int64_t rotated) {
    constexpr float EDGES[] = {0.0f, -0.0f, INFINITY, 1e-5f, -1e30f, 0.0137f, 448.0f, 464.0f, 1e-12f};
    constexpr int64_t W = 8, ROWS = 11;
    auto x = floats(ROWS * d);
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = rounded(random_() % 7 == 0 ? EDGES[random_() % 9] : x[i]);
    }
    auto half = bf16(x);
    Run run(5, ROWS);
    pl_batch batch = run.batch();
    Coded ring(PL_PAGE_KV_FP8, 2, W, d, rotated), expected(ring);
    pl_pool pool = ring.pool();
    must(one, pl_append_ring(one, &batch, PL_BF16, half.data(), &pool));
    for (int64_t t = 0; t < ROWS; t++) {
        expected.put(W + (5 + t) % W, x.data() + t * d);
    }
    std::ostringstream name;
    name << "appendRing kv_fp8 of " << d << ", " << rotated << " rotated, every byte";
    report(name.str(), ring.bytes == expected.bytes ? 0 : 1, 0);
}

void checkTransform(pl_context *one, int64_t d) {
    constexpr int64_t ROWS = 5;
    auto x = floats(ROWS * d), plain = x;
    must(one, pl_transform(one, ROWS, d, plain.data(), PL_HADAMARD));
    std::vector<double> expected;
    for (int64_t t = 0; t < ROWS; t++) {
        for (int64_t i = 0; i < d; i++) {
            double sum = 0;
            for (int64_t j = 0; j < d; j++) {
                sum += __builtin_parityll(static_cast<unsigned long long>(i & j)) != 0 ? -x[t * d + j] : x[t * d + j];
            }
            expected.push_back(sum / std::sqrt(double(d)));
        }
    }
    std::ostringstream name;
    name << "hadamard of " << d;
    report(name.str(), nmse(plain, expected), 1e-13);
    Coded coded(PL_PAGE_INDEX_MXFP4, 1, ROWS, d);
    coded.fill(plain);
    must(one, pl_transform(one, ROWS, d, x.data(), PL_HADAMARD_FP4));
    report(name.str() + " and e2m1", nmse(x, coded.values), 0);
}

void checkAttention(
        pl_context *one, pl_context *two, int64_t layout, bool mma, int64_t rows, int64_t start, bool chosen) {
    constexpr int64_t H = 8, D = 128, W = 128, R = 32, BUDGET = 20;
    Run run(start, rows, mma ? PL_DECODE : PL_PREFILL);
    int64_t rotated = layout == PL_PAGE_KV_FP8 ? R : 0;
    Coded stored(layout, 1, rows, D, rotated), ring(layout, 2, W, D, rotated), pool(layout, 102, 64, D, rotated);
    stored.fill(floats(rows * D));
    ring.fill(floats(2 * W * D));
    pool.fill(floats(102 * 64 * D));
    std::vector<float> keys(stored.values.begin(), stored.values.end());
    auto q = floats(rows * H * D), sinks = floats(H);
    auto keysHalf = bf16(keys);
    Table table(100 * 64);
    std::vector<int32_t> ids, counts;
    for (int64_t t = 0; t < rows; t++) {
        counts.push_back(static_cast<int32_t>(t % (BUDGET + 1)));
        for (int64_t i = 0; i < BUDGET; i++) {
            ids.push_back(i < counts[t] ? static_cast<int32_t>(5 * i + t % 5) : -1);
        }
    }
    auto entryOf = [&](int64_t t, int64_t i) { return chosen ? int64_t(ids[t * BUDGET + i]) : i; };
    auto operand = [&](double x) { return mma ? double(rounded(float(x))) : x; };
    float scale = 1.0f / std::sqrt(128.0f);
    std::vector<float> out(q.size()), lse(static_cast<size_t>(rows * H)), other(q.size());
    pl_pool window = ring.pool();
    auto call = [&](pl_context *context, const pl_batch &b, int64_t from, float *o, float *l) {
        bool fp32 = layout == PL_PAGE_FP32;
        pl_entries entries = {pool.pool(), table.pages.data(), table.count(),
                              chosen ? ids.data() + from * BUDGET : nullptr, BUDGET, counts.data() + from};
        const void *k = fp32 ? (const void *)(keys.data() + from * D) : keysHalf.data() + from * D;
        must(context, pl_attention(
                              context, &b, H, D, q.data() + from * H * D, fp32 ? PL_FP32 : PL_BF16, k, &window,
                              &entries, sinks.data(), scale, mma, o, l));
    };
    pl_batch batch = run.batch();
    call(one, batch, 0, out.data(), lse.data());
    std::vector<double> expected, expectedLse;
    for (int64_t t = 0; t < rows; t++) {
        int64_t p = start + t;
        for (int64_t h = 0; h < H; h++) {
            std::vector<std::pair<double, std::vector<double>>> list;
            double top = sinks[h];
            auto add = [&](const std::vector<double> &v, int64_t row) {
                double dot = 0;
                std::vector<double> key;
                for (int64_t j = 0; j < D; j++) {
                    key.push_back(operand(v[row * D + j]));
                    dot += key.back() * operand(q[(t * H + h) * D + j]);
                }
                top = std::max(top, dot * scale);
                list.push_back({dot * scale, key});
            };
            for (int64_t w = std::max<int64_t>(0, p - W + 1); w <= p; w++) {
                w >= start ? add(stored.values, w - start) : add(ring.values, W + w % W);
            }
            for (int64_t i = 0; i < counts[t]; i++) {
                add(pool.values, table.row(entryOf(t, i)));
            }
            double sum = std::exp(sinks[h] - top);
            std::vector<double> o(D, 0.0);
            for (auto &[logit, key] : list) {
                sum += std::exp(logit - top);
                for (int64_t j = 0; j < D; j++) {
                    o[j] += operand(std::exp(logit - top)) * key[j];
                }
            }
            for (double x : o) {
                expected.push_back(x / sum);
            }
            expectedLse.push_back(top + std::log(sum));
        }
    }
    std::ostringstream name;
    name << "attention " << layoutName(layout) << (mma ? " mma " : " ") << rows << " rows at " << start
         << (chosen ? " chosen" : " all");
    report(name.str(), nmse(out, expected), mma ? 1e-8 : 1e-11);
    report(name.str() + " log-sum-exp", nmse(lse, expectedLse), 1e-12);
    for (int64_t t = 0; t < rows; t++) {
        Run step(start + t, 1, mma ? PL_DECODE : PL_PREFILL);
        pl_batch b = step.batch();
        call(two, b, t, other.data() + t * H * D, nullptr);
        const void *source = layout == PL_PAGE_FP32 ? (const void *)(keys.data() + t * D) : keysHalf.data() + t * D;
        must(two, pl_append_ring(two, &b, layout == PL_PAGE_FP32 ? PL_FP32 : PL_BF16, source, &window));
    }
    report(name.str() + " same token by token", same(out.data(), other.data(), int64_t(out.size())) ? 0 : 1, 0);
}

void checkSwiglu(pl_context *context) {
    std::vector<float> x, y(20000);
    for (int i = 0; i < 20000; i++) {
        x.push_back(-110.0f + 0.011f * static_cast<float>(i));
    }
    x.resize(40000, 1.0f);
    must(context, pl_swiglu(context, 1, 20000, x.data(), 1e30f, y.data()));
    double worst = 0;
    for (int i = 0; i < 20000; i++) {
        double expected = double(x[i]) / (1.0 + std::exp(-double(x[i])));
        if (std::fabs(expected) > 1e-30) {
            worst = std::max(worst, std::fabs(y[i] - expected) / std::fabs(expected));
        }
    }
    report("swiglu relative error over [-110, 110]", worst, 4e-7);
}

// Both algorithms find the same ids among ties, infinities and NaN.
void checkTopK(pl_context *one, pl_context *two) {
    constexpr float SPECIAL[] = {0.0f, -0.0f, NAN, INFINITY, -INFINITY, 1.0f};
    bool equal = true;
    for (int64_t n : {1, 2, 15, 16, 17, 100, 1000, 5003}) {
        for (int64_t budget : {1, 2, 16, 33, 512}) {
            constexpr int64_t ROWS = 3;
            auto scores = floats(ROWS * n);
            for (size_t i = 0; i < scores.size(); i += 3) {
                scores[i] = SPECIAL[random_() % 6];
            }
            std::vector<int32_t> counts = {static_cast<int32_t>(n), 0, static_cast<int32_t>((n + 1) / 2)};
            std::vector<int32_t> found(ROWS), ids(static_cast<size_t>(ROWS * budget)), sorted(ids);
            must(two, pl_top_k(two, 0, ROWS, n, scores.data(), counts.data(), budget, ids.data(), found.data()));
            must(one, pl_top_k(one, 1, ROWS, n, scores.data(), counts.data(), budget, sorted.data(), found.data()));
            equal = equal && ids == sorted;
        }
    }
    // Rows longer than 16 bits count: nothing but ties, zeros of both signs, few values, one coarse bin, a late winner.
    constexpr int64_t LONG = 70'001, LONG_ROWS = 5;
    std::vector<float> scores(LONG_ROWS * LONG, 0.25f);
    for (int64_t i = 0; i < LONG; i++) {
        scores[LONG + i] = i % 3 == 0 ? -0.0f : 0.0f;
        scores[2 * LONG + i] = float(random_() % 3) - 1.0f;
        scores[3 * LONG + i] = 1.0f + float(i * 40503 % 65536 % 8192) * 0x1p-23f;
        scores[4 * LONG + i] = i < LONG - 3 ? 1.0f + float(i % 7) * 0x1p-23f : 2.0f;
    }
    for (int64_t budget : {1, 512, 4097, 65'537, 70'000}) {
        for (int64_t count : {LONG, budget + 1, budget, budget - 1}) {
            std::vector<int32_t> counts(LONG_ROWS, static_cast<int32_t>(count)), found(LONG_ROWS);
            std::vector<int32_t> ids(static_cast<size_t>(LONG_ROWS * budget)), sorted(ids);
            must(two, pl_top_k(
                              two, 0, LONG_ROWS, LONG, scores.data(), counts.data(), budget, ids.data(), found.data()));
            must(one, pl_top_k(
                              one, 1, LONG_ROWS, LONG, scores.data(), counts.data(), budget, sorted.data(),
                              found.data()));
            equal = equal && ids == sorted;
        }
    }
    report("topK radix and sort agree", equal ? 0 : 1, 0);
}

void checkStreams(pl_context *one, pl_context *two, int64_t rows, int64_t h, int64_t d) {
    int64_t outputs = (2 + h) * h;
    auto x = floats(rows * h * d), fn = floats(outputs * h * d, 0.05f), base = floats(outputs), other = x;
    float scale[3] = {0.5f, 0.5f, 0.5f};
    pl_hyper hyper = {fn.data(), PL_FP32, base.data(), scale, 20, 1e-6f, 1e-6f};
    std::vector<float> post(rows * h), comb(rows * h * h), y(rows * d), z(rows * d);
    must(two, pl_mix(two, rows, h, d, x.data(), &hyper, post.data(), comb.data(), y.data()));
    double worst = 0;
    for (int64_t t = 0; t < rows; t++) {
        for (int64_t k = 0; k < h; k++) {
            double sum = 0;
            for (int64_t j = 0; j < h; j++) {
                sum += comb[(t * h + j) * h + k];
            }
            worst = std::max(worst, std::fabs(sum - 1));
        }
    }
    std::ostringstream name;
    name << "mix of " << rows << " rows, " << h << " streams of " << d;
    report(name.str() + ", columns sum to 1", worst, 1e-5);
    must(two, pl_unmix(two, rows, h, d, y.data(), post.data(), comb.data(), x.data()));
    std::vector<float> post1(post.size()), comb1(comb.size());
    for (int64_t t = 0; t < rows; t++) {
        must(one, pl_mix(one, 1, h, d, other.data() + t * h * d, &hyper, post1.data(), comb1.data(), z.data()));
        must(one, pl_unmix(one, 1, h, d, z.data(), post1.data(), comb1.data(), other.data() + t * h * d));
    }
    report(name.str() + " same by row", same(x.data(), other.data(), int64_t(x.size())) ? 0 : 1, 0);
    pl_hyper head = {fn.data(), PL_FP32, base.data(), scale, 0, 1e-6f, 1e-6f};
    must(two, pl_collapse(two, rows, h, d, x.data(), &head, y.data()));
}

void checkSample(pl_context *one, pl_context *two) {
    bool equal = true;
    for (int64_t n : {1, 2, 100, 5003}) {
        constexpr int64_t ROWS = 4;
        auto logits = floats(ROWS * n, 3.0f), again = logits;
        std::vector<int32_t> start(ROWS + 1), token(1), seed(2 * ROWS, 5), choice(ROWS), position = {1, 2, 3, 4};
        std::vector<float> adjustment(1), temperature = {0.0f, 0.5f, 1.0f, 2.0f}, topP = {1.0f, 0.9f, 1.0f, 0.3f};
        pl_sampling sampling = {start.data(), token.data(), adjustment.data(), 1, temperature.data(),
                                topP.data(), seed.data(), choice.data(), position.data()};
        std::vector<int32_t> ids(ROWS), other(ROWS);
        must(one, pl_sample(one, ROWS, n, logits.data(), &sampling, ids.data()));
        must(two, pl_sample(two, ROWS, n, again.data(), &sampling, other.data()));
        equal = equal && ids == other;
    }
    report("sample same by threads", equal ? 0 : 1, 0);
}

// Sizes that would divide by zero, and steps that cannot be.
void checkRefusals(pl_context *context) {
    Run run(0, 1);
    pl_batch batch = run.batch();
    float x[64] = {};
    int32_t zero[2] = {}, page = 0;
    int accepted = 0;
    auto refuse = [&](int64_t result) { accepted += result != PL_ERROR_ARGUMENT; };
    auto pool = [&](int64_t rows, int64_t width) -> pl_pool {
        return {x, 1, PL_PAGE_FP32, rows, width, 0, 4 * rows * width};
    };
    pl_pool none = pool(0, 1), ring = pool(4, 1), keys = pool(64, 1), narrow = pool(64, 0);
    ring.pages = 2;
    none.pages = 2;
    refuse(pl_append_ring(context, &batch, PL_FP32, x, &none));
    refuse(pl_visible(context, &batch, 0, zero));
    refuse(pl_index_scores(context, &batch, 0, 1, 0, x, x, &keys, &page, 1, zero, PL_FP32, nullptr, x, 1));
    refuse(pl_index_scores(context, &batch, 0, 1, 1, x, x, &narrow, &page, 1, zero, PL_FP32, nullptr, x, 1));
    for (int64_t size : {0, 1}) {
        pl_pool window = pool(4, 1 - size);
        window.pages = 2;
        refuse(pl_attention(
                context, &batch, size, 1 - size, x, PL_FP32, x, &window, nullptr, x, 1.0f, 0, x, nullptr));
    }
    refuse(pl_attention(context, &batch, 1, 1, x, PL_FP32, x, &none, nullptr, x, 1.0f, 0, x, nullptr));
    for (int64_t layout : {-1, 2, 3, 5}) {
        pl_pool wrong = ring;
        wrong.layout = layout;
        refuse(pl_attention(context, &batch, 1, 1, x, PL_FP32, x, &wrong, nullptr, x, 1.0f, 0, x, nullptr));
    }
    pl_pool short_ = ring;
    short_.page_bytes--;
    refuse(pl_append_ring(context, &batch, PL_FP32, x, &short_));
    refuse(pl_append_ring(context, &batch, PL_BF16, x, &ring));
    refuse(pl_transform(context, 1, 3, x, PL_HADAMARD));
    refuse(pl_transform(context, 1, 4, x, PL_FP8_BLOCKS));
    refuse(pl_experts(context, &batch, 1, 0, 1, x, zero, x, nullptr, nullptr, 1.0f, nullptr, x));
    refuse(pl_route(context, &batch, 1, 0, x, nullptr, nullptr, 0, 1.0f, zero, x));
    refuse(pl_mix(context, 1, 65, 1, x, nullptr, x, x, x));
    int32_t wild = 1 << 30, padding = -1;
    pl_batch empty = {1, 0, 1, zero, zero, &padding, &wild, zero, zero};
    refuse(pl_attention(context, &empty, 1, 1, x, PL_FP32, x, &ring, nullptr, x, 1.0f, 0, x, nullptr));
    empty.first_row = zero;
    accepted += pl_attention(context, &empty, 1, 1, x, PL_FP32, x, &ring, nullptr, x, 1.0f, 1, x, nullptr) < 0;
    empty.rows = -1;
    refuse(pl_visible(context, &empty, 1, zero));
    report("impossible sizes are refused", accepted, 0);
}

void run(const char *isa, bool bench) {
    char error[256];
    pl_context *one = pl_context_create(1, isa, error, sizeof error);
    pl_context *two = pl_context_create(2, isa, error, sizeof error);
    if (one == nullptr || two == nullptr) {
        std::printf("%s\n", error);
        failures++;
        return;
    }
    std::printf("%s\n", isa);
    for (int form : {PL_FP32, PL_BF16}) {
        checkLinear(one, two, form, 1, 7, 5);
        checkLinear(one, two, form, 29, 100, 33);
        checkLinear(one, two, form, 130, 256, 192);
    }
    for (int64_t layout : {PL_PAGE_FP32, PL_PAGE_BF16, PL_PAGE_INDEX_FP8, PL_PAGE_INDEX_MXFP4}) {
        checkScores(one, two, layout, 70, 8, 128, 500);
        checkScores(one, two, layout, 5, 3, 20, 9);
        checkScores(one, two, layout, 3, 2, 192, 99);
    }
    for (int64_t layout : {PL_PAGE_FP32, PL_PAGE_BF16, PL_PAGE_KV_FP8}) {
        for (bool mma : {false, true}) {
            checkAttention(one, two, layout, mma, 75, 0, true);
            checkAttention(one, two, layout, mma, 40, 1000, true);
            checkAttention(one, two, layout, mma, 70, 333, false);
        }
    }
    checkStorage(one, 128, 32);
    checkStorage(one, 44, 10);
    checkTransform(one, 128);
    checkTransform(one, 2);
    checkTransform(one, 32);
    checkSwiglu(one);
    checkTopK(one, two);
    checkStreams(one, two, 19, 4, 33);
    checkStreams(one, two, 2, 64, 21);
    checkSample(one, two);
    checkRefusals(one);
    for (pl_context *context : {one, two}) {
        if (!bench) {
            break;
        }
        timer = context == one ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
        std::printf("%s, %d thread(s)\n", isa, context == one ? 1 : 2);
        benchForkJoin(context);
        for (int form : {PL_FP32, PL_BF16}) {
            for (int64_t rows : {1, 4, 512}) {
                benchLinear(context, form, rows, 1024, 192);
                benchLinear(context, form, rows, 256, 256);
                benchLinear(context, form, rows, 2048, 256);
            }
        }
        for (int64_t layout : {PL_PAGE_FP32, PL_PAGE_BF16, PL_PAGE_INDEX_FP8, PL_PAGE_INDEX_MXFP4}) {
            for (int score : {PL_FP32, PL_BF16}) {
                benchScores(context, layout, score, 512, 7680);
                benchScores(context, layout, score, 1, 8191);
            }
        }
        for (int64_t layout : {PL_PAGE_FP32, PL_PAGE_BF16, PL_PAGE_KV_FP8}) {
            benchAttention(context, layout, 0, 512, 7680, 0, true);
            benchAttention(context, layout, 0, 512, 7680, 16, true);
            benchAttention(context, layout, 0, 512, 7680, 64, true);
            benchAttention(context, layout, 0, 512, 7680, 64, false);
            benchAttention(context, layout, 0, 1, 8191, 64, true);
            benchAttention(context, layout, 1, 1, 8191, 64, true);
            benchAttention(context, layout, 1, 1, 8191, 512, true);
        }
        benchSmall(context, 512);
        benchSmall(context, 1);
    }
    pl_context_destroy(one);
    pl_context_destroy(two);
}

} // namespace

int main(int argc, char **argv) {
    bool bench = true;
    std::vector<std::string> isas;
    for (int i = 1; i < argc; i++) {
        if (std::string(argv[i]) == "--no-bench") {
            bench = false;
        } else {
            isas.push_back(argv[i]);
        }
    }
    if (isas.empty()) {
        std::stringstream list(pl_available_isas());
        for (std::string isa; std::getline(list, isa, ',');) {
            isas.push_back(isa);
        }
    }
    for (const std::string &isa : isas) {
        run(isa.c_str(), bench);
    }
    std::printf("%d failed\n", failures);
    return failures == 0 ? 0 : 1;
}
