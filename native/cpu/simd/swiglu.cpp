// The gated activation as a kernel of its own (shared expert).
#include "activation.h"
#include "rows.h"
#include "table.h"

namespace pl {
namespace PL_ISA {

void swiglu(Context &context, int64_t rows, int64_t width, const float *gateUp, float limit, float *h) {
    forRows(context, rows, 4 * width, [=](int64_t from, int64_t to, int) {
        for (int64_t t = from; t < to; t++) {
            swigluRow(gateUp + t * 2 * width, width, limit, h + t * width);
        }
    });
}

} // namespace PL_ISA
} // namespace pl
