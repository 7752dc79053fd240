// Remembers the newest rows of every sequence.
#include "plain_kernels.h"

#include <algorithm>
#include <cstring>

namespace pl {

void appendRing(const pl_batch &batch, int64_t rowBytes, int64_t length, const void *source, void *ring) {
    const char *from = static_cast<const char *>(source);
    char *to = static_cast<char *>(ring);
    for (int64_t s = 0; s < batch.sequences; s++) {
        int64_t end = batch.first_row[s + 1];
        for (int64_t t = std::max<int64_t>(batch.first_row[s], end - length); t < end; t++) {
            int64_t row = batch.slots[s] * length + batch.positions[t] % length;
            std::memcpy(to + row * rowBytes, from + t * rowBytes, static_cast<size_t>(rowBytes));
        }
    }
}

} // namespace pl
