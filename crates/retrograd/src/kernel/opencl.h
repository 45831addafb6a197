/* What kernels are written with, in OpenCL C. */
#ifndef NUMBER
#define NUMBER double
#endif
#ifndef SHADOW
#define SHADOW NUMBER
#endif
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL FP_CONTRACT OFF
typedef NUMBER number;
typedef SHADOW shadow;
typedef ulong usize;
typedef long isize;
typedef uchar u8;
typedef uchar boolean;
typedef ushort u16;
typedef uint u32;
typedef ulong u64;
typedef char i8;
typedef short i16;
typedef int i32;
typedef long i64;
#define KERNEL __kernel
#define STAGED_KERNEL __kernel
#define GLOBAL __global
#define FUNCTION static inline
#define SLICE(type, name) __global type *restrict name, usize name##_len
#define ERRORS __global u64 *restrict error_word, u64 kernel_number
#define UNROLL
/* Sums of all runs: each thread has a row of its own. */
#define STAGES usize worker = get_global_id(0)
#define FOR_EACH_WARP(runs) for (usize first = get_global_id(0); first < runs; first += get_global_size(0))
#define RUN_OF_LANE first
#define LANES(i, runs) usize i = first
#define ON
#define OFF
#define STAGE(slot, rows, len, index, term) rows[worker * (len) + (index)] += (term)
#define FLUSH(filled)
/* Rows of a Jacobian: each thread writes its own. */
#define ROWS
#define FOR_ITS_ROWS(i, runs) FOR_ITS_RUN(i, runs)
#define STORE_ROWS(type, rows, i, own) rows[i] = own
#define THREAD usize thread = get_global_id(0), threads = get_global_size(0)
#define FOR_EACH_RUN(i, runs) for (usize i = get_global_id(0); i < runs; i += get_global_size(0))
#define FOR_ITS_RUN(i, runs) \
    usize i = get_global_id(0); \
    if (i < runs)
#define MAKE(type, ...) ((type)__VA_ARGS__)
FUNCTION void atomic_sum(__global shadow *to, shadow term) {
    /* Bits are exchanged as long as another thread was faster. */
    if (sizeof(shadow) == 8) {
        volatile __global ulong *bits = (volatile __global ulong *)to;
        ulong was, becomes;
        do {
            was = *bits;
            becomes = as_ulong((double)(as_double(was) + (double)term));
        } while (atom_cmpxchg(bits, was, becomes) != was);
    } else {
        volatile __global uint *bits = (volatile __global uint *)to;
        uint was, becomes;
        do {
            was = *bits;
            becomes = as_uint((float)(as_float(was) + (float)term));
        } while (atomic_cmpxchg(bits, was, becomes) != was);
    }
}
