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
#define FOR_ITS_RUN(i, runs) \
    usize i = (usize)blockIdx.x * blockDim.x + threadIdx.x; \
    if (i < runs)
/* Rows of a Jacobian, which lie one behind the other. The lanes of a warp put theirs into memory that they share, and write what lies there together, some
   columns at a time. An odd distance between rows keeps lanes apart there. Lanes without a run do what the last run does, and none of it is written. */
#define COLUMNS 23
#define ROWS \
    __shared__ shadow stores[4][32 * COLUMNS]; \
    shadow *rows_of_warp = stores[threadIdx.x >> 5]; \
    u32 lane = threadIdx.x & 31
#define FOR_ITS_ROWS(i, runs) \
    usize first = (usize)blockIdx.x * blockDim.x + threadIdx.x - lane; \
    usize i = first + lane < (runs) ? first + lane : (runs) - 1; \
    if (first < (runs))
#define STORE_ROWS(type, rows, i, own) \
    store_rows<sizeof(type) / sizeof(shadow)>((shadow *)(rows + first), (const shadow *)&own, rows_of_warp, runs - first, lane)
template <u32 width> FUNCTION void store_rows(shadow *rows, const shadow *own, shadow *stored, usize left, u32 lane) {
    constexpr u32 size = width <= COLUMNS ? width : COLUMNS - 7, distance = size | 1;
#pragma unroll
    for (u32 start = 0; start < width; start += size) {
        const u32 columns = width - start < size ? width - start : size;
        __syncwarp();
#pragma unroll
        for (u32 k = 0; k < size; k++) {
            if (k < columns) stored[lane * distance + k] = own[start + k];
        }
        __syncwarp();
        if (left >= 32) {
#pragma unroll
            for (u32 k = 0; k < size; k++) {
                u32 at = k * 32 + lane;
                if (k < columns) rows[at / columns * width + start + at % columns] = stored[at / columns * distance + at % columns];
            }
        } else {
            for (u32 at = lane; at < left * columns; at += 32) {
                rows[at / columns * width + start + at % columns] = stored[at / columns * distance + at % columns];
            }
        }
    }
}
#ifndef INFINITY
#define INFINITY __longlong_as_double(0x7ff0000000000000LL)
#endif
#define MAKE(type, ...) (type __VA_ARGS__)
FUNCTION void atomic_sum(shadow *to, shadow term) { atomicAdd(to, term); }
FUNCTION number pown(number x, i32 n) { return pow(x, (number)n); }
/* Sums of all runs. The lanes of a warp run together: where runs are left over, lanes without one do what the first of them does, and change nothing. The
   terms of statements come together pair by pair: one half of the lanes keeps the first and gives the second, the other half the other way round. After 32
   statements lane k has the sum of all lanes for statement k, and adds it to the row of the warp. No two of the statements add to the same element. */
#define STAGES \
    shadow parts[5], *target = 0; \
    u32 lane = threadIdx.x & 31; \
    usize worker = ((usize)blockIdx.x * blockDim.x + threadIdx.x) >> 5
#define FOR_EACH_WARP(runs) \
    for (usize first = (usize)blockIdx.x * blockDim.x + threadIdx.x - lane; first < runs; first += (usize)gridDim.x * blockDim.x)
#define RUN_OF_LANE (first + lane)
#define LANES(i, runs) \
    boolean on = first + lane < (runs); \
    usize i = on ? first + lane : first; \
    u32 failed_before = failed
#define ON if (on)
#define OFF if (!on) failed = failed_before
#define STAGE(slot, rows, len, index, term) do { \
        if (lane == slot) target = rows + worker * (len) + (index); \
        stage<slot>(parts, on ? (term) : (shadow)0, target, lane); \
    } while (0)
#define FLUSH(filled) flush<filled>(parts, target, lane)
FUNCTION shadow given(shadow term, u32 distance) { return __shfl_xor_sync(0xffffffffu, term, distance); }
FUNCTION shadow of_both(shadow first, shadow second, u32 distance, u32 lane) {
    bool upper = lane & distance;
    return (upper ? second : first) + given(upper ? first : second, distance);
}
template <u32 slot> FUNCTION void stage(shadow (&parts)[5], shadow term, shadow *target, u32 lane) {
#pragma unroll
    for (u32 level = 0; level < 5; level++) {
        if ((slot >> level & 1) == 0) {
            parts[level] = term;
            return;
        }
        term = of_both(parts[level], term, 1u << level, lane);
    }
    *target += term;
}
template <u32 filled> FUNCTION void flush(shadow (&parts)[5], shadow *target, u32 lane) {
    shadow sum = 0;
    bool any = false;
#pragma unroll
    for (u32 level = 0; level < 5; level++) {
        u32 distance = 1u << level;
        if (filled >> level & 1) {
            sum = any ? of_both(parts[level], sum, distance, lane) : parts[level] + given(parts[level], distance);
            any = true;
        } else if (any) {
            sum += given(sum, distance);
        }
    }
    if (lane < filled) *target += sum;
}
