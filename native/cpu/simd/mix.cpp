// Hyper-connections (spec 3.3): projection of the flattened streams, Sinkhorn, collapse; and the update after a block.
#include "rows.h"
#include "table.h"

namespace pl {
namespace PL_ISA {

namespace {

constexpr int TOKENS = 16; // tokens whose small matrices are treated lane by lane

PL_INLINE vf loadWeights(const float *p, int64_t n) { return loadPart(p, n); }

PL_INLINE vf loadWeights(const uint16_t *p, int64_t n) {
    if (n >= W) {
        return widen(p);
    }
    vf lanes = {};
    for (int64_t i = 0; i < n; i++) {
        lanes[i] = widenBf16(p[i]);
    }
    return lanes;
}

// out[o * TOKENS] = (fn[o] . v) * scale for `outputs` rows of fn.
template <class Weight>
void multiply(const float *v, int64_t width, const Weight *fn, int64_t outputs, float scale, float *out) {
    constexpr int GROUP = 4;
    for (int64_t o = 0; o < outputs; o += GROUP) {
        int64_t n = least<int64_t>(GROUP, outputs - o);
        vf acc[GROUP] = {};
        const Weight *row[GROUP];
        for (int64_t g = 0; g < GROUP; g++) {
            row[g] = fn + (o + least(g, n - 1)) * width;
        }
        int64_t whole = width / W * W;
        for (int64_t i = 0; i < whole; i += W) {
            vf x = load(v + i);
            PL_UNROLL
            for (int g = 0; g < GROUP; g++) {
                acc[g] = fma(x, loadWeights(row[g] + i, W), acc[g]);
            }
        }
        if (whole < width) {
            vf x = loadPart(v + whole, width - whole);
            for (int g = 0; g < GROUP; g++) {
                acc[g] = fma(x, loadWeights(row[g] + whole, width - whole), acc[g]);
            }
        }
        for (int64_t g = 0; g < n; g++) {
            out[(o + g) * TOKENS] = sumLanes(acc[g]) * scale;
        }
    }
}

// out[o * TOKENS] = (fn[o] . v) / sqrt(mean(v^2) + eps); with a bf16 fn the operand v is rounded too, not the root.
// `rounded` is room for v.
void project(const float *v, int64_t width, const pl_hyper &hyper, int64_t outputs, float *rounded, float *out) {
    float scale = rmsScale(v, width, hyper.norm_eps);
    if (hyper.fn_type == PL_BF16) {
        for (int64_t i = 0; i < width; i += W) {
            storePart(rounded + i, (vf)roundedBits(loadPart(v + i, width - i)), width - i);
        }
        multiply(rounded, width, static_cast<const uint16_t *>(hyper.fn), outputs, scale, out);
    } else {
        multiply(v, width, static_cast<const float *>(hyper.fn), outputs, scale, out);
    }
}

PL_INLINE vf sigmoid(vf x) { return 1.0f / (1.0f + vexp(-x)); }

// The collapsed stream of one token: sum over j of pre[j * TOKENS] * x[j].
PL_INLINE void collapseToken(const float *x, const float *pre, int64_t streams, int64_t hidden, float *out) {
    for (int64_t i = 0; i < hidden; i += W) {
        vf sum = {};
        for (int64_t j = 0; j < streams; j++) {
            sum = fma(splat(pre[j * TOKENS]), loadPart(x + j * hidden + i, hidden - i), sum);
        }
        storePart(out + i, sum, hidden - i);
    }
}

// Softmax over rows, then alternating normalisations, one token a lane. c [h * h] in and out.
void sinkhorn(vf *c, int64_t h, int64_t iterations, float eps) {
    for (int64_t j = 0; j < h; j++) {
        vf top = c[j * h];
        for (int64_t k = 1; k < h; k++) {
            top = vmax(top, c[j * h + k]);
        }
        vf sum = {};
        for (int64_t k = 0; k < h; k++) {
            c[j * h + k] = vexp(c[j * h + k] - top);
            sum += c[j * h + k];
        }
        for (int64_t k = 0; k < h; k++) {
            c[j * h + k] = c[j * h + k] / sum + eps;
        }
    }
    for (int64_t n = 0; n < iterations; n++) {
        for (int64_t j = 0; n > 0 && j < h; j++) {
            vf sum = {};
            for (int64_t k = 0; k < h; k++) {
                sum += c[j * h + k];
            }
            vf factor = 1.0f / (sum + eps);
            for (int64_t k = 0; k < h; k++) {
                c[j * h + k] *= factor;
            }
        }
        for (int64_t k = 0; k < h; k++) {
            vf sum = {};
            for (int64_t j = 0; j < h; j++) {
                sum += c[j * h + k];
            }
            vf factor = 1.0f / (sum + eps);
            for (int64_t j = 0; j < h; j++) {
                c[j * h + k] *= factor;
            }
        }
    }
}

// The mapping of up to TOKENS tokens from their projections m [outputs, TOKENS]; pre overwrites the first h rows of m.
// c is room for [h * h].
void mapTokens(float *m, vf *c, int64_t h, const pl_hyper &hyper, int64_t tokens, float *post, float *comb) {
    for (int lane = 0; lane < TOKENS; lane += W) {
        for (int64_t j = 0; j < h; j++) {
            float *pre = m + j * TOKENS + lane;
            store(pre, sigmoid(fma(load(pre), splat(hyper.scale[0]), splat(hyper.base[j]))) + hyper.hc_eps);
            float *p = m + (h + j) * TOKENS + lane;
            store(p, 2.0f * sigmoid(fma(load(p), splat(hyper.scale[1]), splat(hyper.base[h + j]))));
        }
        for (int64_t i = 0; i < h * h; i++) {
            c[i] = fma(load(m + (2 * h + i) * TOKENS + lane), splat(hyper.scale[2]), splat(hyper.base[2 * h + i]));
        }
        sinkhorn(c, h, hyper.iterations, hyper.hc_eps);
        for (int64_t i = 0; i < h * h; i++) {
            store(m + (2 * h + i) * TOKENS + lane, c[i]);
        }
    }
    for (int64_t t = 0; t < tokens; t++) {
        for (int64_t j = 0; j < h; j++) {
            post[t * h + j] = m[(h + j) * TOKENS + t];
        }
        for (int64_t i = 0; i < h * h; i++) {
            comb[t * h * h + i] = m[(2 * h + i) * TOKENS + t];
        }
    }
}

} // namespace

void mix(Context &context, const MixArgs &args) {
    int64_t h = args.streams;
    int64_t width = h * args.hidden;
    int64_t outputs = (2 + h) * h;
    auto chunk = [&](int64_t from, int64_t to, int thread) {
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t mark = scratch.mark();
        float *m = scratch.take<float>(outputs * TOKENS);
        vf *c = reinterpret_cast<vf *>(scratch.take<float>(h * h * W));
        float *rounded = scratch.take<float>(width);
        for (int64_t t0 = from; t0 < to; t0 += TOKENS) {
            int64_t tokens = least<int64_t>(TOKENS, to - t0);
            __builtin_memset(m, 0, sizeof(float) * static_cast<size_t>(outputs * TOKENS));
            for (int64_t t = 0; t < tokens; t++) {
                project(args.x + (t0 + t) * width, width, args.hyper, outputs, rounded, m + t);
            }
            mapTokens(m, c, h, args.hyper, tokens, args.post + t0 * h, args.comb + t0 * h * h);
            for (int64_t t = 0; t < tokens; t++) {
                collapseToken(
                        args.x + (t0 + t) * width, m + t, h, args.hidden, args.collapsed + (t0 + t) * args.hidden);
            }
        }
        scratch.release(mark);
    };
    forRows(context, args.rows, width * (outputs + 2), chunk);
}

void collapse(Context &context, const MixArgs &args) {
    int64_t h = args.streams;
    int64_t width = h * args.hidden;
    forRows(context, args.rows, width * (h + 2), [&](int64_t from, int64_t to, int thread) {
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t mark = scratch.mark();
        float *rounded = scratch.take<float>(width);
        alignas(64) float m[MOST_STREAMS * TOKENS];
        for (int64_t t = from; t < to; t++) {
            project(args.x + t * width, width, args.hyper, h, rounded, m);
            for (int64_t j = 0; j < h; j++) {
                vf pre = sigmoid(splat(m[j * TOKENS] * args.hyper.scale[0] + args.hyper.base[j])) + args.hyper.hc_eps;
                m[j * TOKENS] = pre[0];
            }
            collapseToken(args.x + t * width, m, h, args.hidden, args.collapsed + t * args.hidden);
        }
        scratch.release(mark);
    });
}

void unmix(
        Context &context, int64_t rows, int64_t h, int64_t hidden, const float *y, const float *post,
        const float *comb, float *x) {
    forRows(context, rows, hidden * h * (h + 2), [=](int64_t from, int64_t to, int) {
        for (int64_t t = from; t < to; t++) {
            float *streams = x + t * h * hidden;
            for (int64_t i = 0; i < hidden; i += W) {
                int64_t n = hidden - i;
                vf old[MOST_STREAMS];
                for (int64_t j = 0; j < h; j++) {
                    old[j] = loadPart(streams + j * hidden + i, n);
                }
                vf added = loadPart(y + t * hidden + i, n);
                for (int64_t k = 0; k < h; k++) {
                    vf sum = splat(post[t * h + k]) * added;
                    for (int64_t j = 0; j < h; j++) {
                        sum = fma(splat(comb[(t * h + j) * h + k]), old[j], sum);
                    }
                    storePart(streams + k * hidden + i, sum, n);
                }
            }
        }
    });
}

} // namespace PL_ISA
} // namespace pl
