#pragma once

#include "support.h"

namespace check {

void benchLinear(pl_context *context, int form, int64_t rows, int64_t n, int64_t k);
void benchScores(pl_context *context, int64_t layout, int score, int64_t rows, int64_t start);
void benchAttention(
        pl_context *context, int64_t layout, int mma, int64_t rows, int64_t start, int64_t chosen, bool list);
void benchSmall(pl_context *context, int64_t rows);
void benchForkJoin(pl_context *context);

} // namespace check
