// Remembers the newest rows of every sequence.
#include "plain_kernels.h"

#include <algorithm>
#include <cstring>

namespace pl {

void appendRing(const pl_batch &batch, const void *source, const Pages &ring) {
    const char *from = static_cast<const char *>(source);
    for (int64_t s = 0; s < batch.sequences; s++) {
        int64_t end = batch.first_row[s + 1];
        for (int64_t t = std::max<int64_t>(batch.first_row[s], end - ring.rows); t < end; t++) {
            std::memcpy(
                    ring.row(batch.slots[s], batch.positions[t] % ring.rows), from + t * ring.rowBytes,
                    static_cast<size_t>(ring.rowBytes));
        }
    }
}

} // namespace pl
