// Token embedding, repeated for every residual stream.
#include "numbers.h"
#include "plain_kernels.h"

#include <cstring>

namespace pl {

void embed(
        const pl_batch &batch, int32_t tableType, int64_t hidden, int64_t streams, const void *table, float *out) {
    for (int64_t t = 0; t < batch.rows; t++) {
        if (batch.sequence_of[t] < 0) {
            continue;
        }
        float *first = out + t * streams * hidden;
        int64_t token = batch.tokens[t];
        if (tableType == PL_BF16) {
            const uint16_t *row = static_cast<const uint16_t *>(table) + token * hidden;
            for (int64_t i = 0; i < hidden; i++) {
                first[i] = widenBf16(row[i]);
            }
        } else {
            std::memcpy(
                    first, static_cast<const float *>(table) + token * hidden,
                    sizeof(float) * static_cast<size_t>(hidden));
        }
        for (int64_t j = 1; j < streams; j++) {
            std::memcpy(first + j * hidden, first, sizeof(float) * static_cast<size_t>(hidden));
        }
    }
}

} // namespace pl
