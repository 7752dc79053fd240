// The tensor cores' product of a 16 x 16 and a 16 x 8 matrix of bf16, accumulated in fp32 (mma.sync, sm_80 and newer).
#pragma once
#include "common.cuh"

// Fragments as PTX lays them out: with g = lane / 4 and q = 2 * (lane % 4), a holds rows g and g + 8 at columns q, q + 1
// and then at q + 8, q + 9; b holds column g at rows q, q + 1 and q + 8, q + 9; c holds rows g and g + 8 at q, q + 1.
__device__ inline void mmaBf16(float c[4], const uint32_t a[4], const uint32_t b[2]) {
#ifdef PL_EMULATION
    emulateMmaBf16(c, a, b);
#else
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}
