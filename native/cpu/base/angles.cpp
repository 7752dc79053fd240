// cos and sin of every row. The angle is a product of floats, rounded to float; cos and sin are taken in double.
#include "plain_kernels.h"

#include <algorithm>
#include <cmath>

namespace pl {

void angles(Context &context, const pl_batch &batch, int64_t pairs, const float *frequencies, float *table) {
    constexpr int64_t GRAIN = 512;
    int64_t step = std::max<int64_t>(1, GRAIN / std::max<int64_t>(1, pairs));
    auto run = [&](int64_t chunk, int) {
        for (int64_t t = chunk * step; t < std::min(batch.rows, (chunk + 1) * step); t++) {
            if (batch.sequence_of[t] < 0) {
                continue;
            }
            float position = static_cast<float>(batch.positions[t]);
            for (int64_t i = 0; i < pairs; i++) {
                double angle = static_cast<double>(position * frequencies[i]);
                table[(t * pairs + i) * 2] = static_cast<float>(std::cos(angle));
                table[(t * pairs + i) * 2 + 1] = static_cast<float>(std::sin(angle));
            }
        }
    };
    parallel(context, (batch.rows + step - 1) / step, run);
}

} // namespace pl
