// RMS norm, rotation, and their combination that makes the window keys.
#include "rows.h"
#include "table.h"
#include "transforms.h"

namespace pl {
namespace PL_ISA {

namespace {

PL_INLINE void normRow(const float *x, int64_t width, const float *weight, float eps, float *y) {
    vf scale = splat(rmsScale(x, width, eps));
    for (int64_t i = 0; i < width; i += W) {
        int64_t n = width - i;
        vf v = loadPart(x + i, n) * scale;
        storePart(y + i, weight == nullptr ? v : v * loadPart(weight + i, n), n);
    }
}

} // namespace

void rmsNorm(Context &context, int64_t rows, int64_t width, const float *x, const float *weight, float eps, float *y) {
    forRows(context, rows, width, [=](int64_t from, int64_t to, int) {
        for (int64_t t = from; t < to; t++) {
            normRow(x + t * width, width, weight, eps, y + t * width);
        }
    });
}

void rope(
        Context &context, int64_t rows, int64_t heads, int64_t width, int64_t rotated, float *x, const float *table,
        bool inverse) {
    forRows(context, rows, (heads + 1) * rotated, [=, &context](int64_t from, int64_t to, int thread) {
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t mark = scratch.mark();
        float *cosines = scratch.take<float>(roundUp(rotated, W));
        float *sines = scratch.take<float>(roundUp(rotated, W));
        for (int64_t t = from; t < to; t++) {
            spreadAngles(table + t * rotated, rotated, inverse, cosines, sines);
            for (int64_t head = 0; head < heads; head++) {
                rotate(x + (t * heads + head + 1) * width - rotated, cosines, sines, rotated);
            }
        }
        scratch.release(mark);
    });
}

void windowKeys(
        Context &context, int64_t rows, int64_t width, int64_t rotated, const float *x, const float *weight, float eps,
        const float *table, int32_t transform, int32_t outType, void *out) {
    forRows(context, rows, 2 * width, [=, &context](int64_t from, int64_t to, int thread) {
        Scratch &scratch = context.threadScratch[static_cast<size_t>(thread)];
        int64_t mark = scratch.mark();
        float *cosines = scratch.take<float>(roundUp(rotated, W));
        float *sines = scratch.take<float>(roundUp(rotated, W));
        float *row = scratch.take<float>(width);
        for (int64_t t = from; t < to; t++) {
            normRow(x + t * width, width, weight, eps, row);
            spreadAngles(table + t * rotated, rotated, false, cosines, sines);
            rotate(row + width - rotated, cosines, sines, rotated);
            transformRow(transform, row, width, rotated);
            for (int64_t i = 0; i < width; i += W) {
                int64_t n = width - i;
                if (outType == PL_BF16) {
                    storeBf16Part(static_cast<uint16_t *>(out) + t * width + i, loadPart(row + i, n), n);
                } else {
                    storePart(static_cast<float *>(out) + t * width + i, loadPart(row + i, n), n);
                }
            }
        }
        scratch.release(mark);
    });
}

} // namespace PL_ISA
} // namespace pl
