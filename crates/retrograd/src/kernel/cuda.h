/* What kernels are written with, in CUDA C++. Compile it with --fmad=false. */
#ifndef NUMBER
#define NUMBER double
#endif
#ifndef SHADOW
#define SHADOW NUMBER
#endif
typedef NUMBER number;
typedef SHADOW shadow;
typedef unsigned long long usize;
typedef long long isize;
typedef unsigned char u8;
typedef unsigned char boolean;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
#define KERNEL extern "C" __global__
#define STAGED_KERNEL extern "C" __global__ __launch_bounds__(128, 4)
#define GLOBAL
#define FUNCTION static __device__ inline
#define SLICE(type, name) type *__restrict__ name, usize name##_len
#define ERRORS u64 *__restrict__ error_word, u64 kernel_number
#define UNROLL _Pragma("unroll")
#define THREAD usize thread = (usize)blockIdx.x * blockDim.x + threadIdx.x, threads = (usize)gridDim.x * blockDim.x
#define FOR_EACH_RUN(i, runs) \
    for (usize i = (usize)blockIdx.x * blockDim.x + threadIdx.x; i < runs; i += (usize)gridDim.x * blockDim.x)
#ifndef INFINITY
#define INFINITY __longlong_as_double(0x7ff0000000000000LL)
#endif
#define MAKE(type, ...) (type __VA_ARGS__)
FUNCTION void atomic_sum(shadow *to, shadow term) { atomicAdd(to, term); }
FUNCTION number pown(number x, i32 n) { return pow(x, (number)n); }
/* Sums of all runs: the terms of 32 statements wait in shared memory, for each lane of a warp. Then lane k adds up those of statement k, in the order
   of the lanes, and adds them to the row of the warp. How many wait is the same at each place of the text, so that compilers know it. Where statements have the same target, the first of their lanes adds all of them, in order. */
#define STAGES \
    __shared__ shadow staged_terms[4][32][33]; \
    __shared__ shadow *staged_to[4][32]; \
    u32 lane = threadIdx.x & 31, warp = threadIdx.x >> 5, filled = 0; \
    usize worker = ((usize)blockIdx.x * blockDim.x + threadIdx.x) >> 5
#define LANES(i, runs) u32 lanes = (runs) - ((i) - lane) < 32 ? (u32)((runs) - ((i) - lane)) : 32u
#define STAGE(rows, len, index, term) do { \
        staged_terms[warp][filled][lane] = (term); \
        if (lane == 0) staged_to[warp][filled] = rows + worker * (len) + (index); \
        if (++filled == 32) { flush(staged_terms[warp], staged_to[warp], filled, lane, lanes); filled = 0; } \
    } while (0)
#define FLUSH do { if (filled != 0) flush(staged_terms[warp], staged_to[warp], filled, lane, lanes); filled = 0; } while (0)
FUNCTION void flush(shadow (*terms)[33], shadow **to, u32 filled, u32 lane, u32 lanes) {
    u32 mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    __syncwarp(mask);
    for (u32 k = lane; k < filled; k += lanes) {
        shadow sums[4] = {0, 0, 0, 0};
        if (lanes == 32) {
#pragma unroll
            for (u32 t = 0; t < 32; t++) sums[t % 4] += terms[k][t];
        } else {
            for (u32 t = 0; t < lanes; t++) sums[0] += terms[k][t];
        }
        terms[k][32] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    }
    __syncwarp(mask);
    if (lanes == 32) {
        unsigned long long target = lane < filled ? (unsigned long long)to[lane] : lane;
        u32 same = __match_any_sync(mask, target);
        if (lane < filled && (same & ((1u << lane) - 1)) == 0) {
            shadow sum = 0;
            for (; same != 0; same &= same - 1) sum += terms[__ffs(same) - 1][32];
            *to[lane] += sum;
        }
    } else if (lane == 0) {
        for (u32 k = 0; k < filled; k++) *to[k] += terms[k][32];
    }
    __syncwarp(mask);
}
