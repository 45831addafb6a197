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
#define GLOBAL
#define FUNCTION static __device__ inline
#define SLICE(type, name) type *__restrict__ name, usize name##_len
#define ERRORS u64 *__restrict__ errors
#define THREAD usize thread = (usize)blockIdx.x * blockDim.x + threadIdx.x, threads = (usize)gridDim.x * blockDim.x
#define FOR_EACH_RUN(i, runs) \
    for (usize i = (usize)blockIdx.x * blockDim.x + threadIdx.x; i < runs; i += (usize)gridDim.x * blockDim.x)
#ifndef INFINITY
#define INFINITY __longlong_as_double(0x7ff0000000000000LL)
#endif
#define MAKE(type, ...) (type __VA_ARGS__)
FUNCTION void atomic_sum(shadow *to, shadow term) { atomicAdd(to, term); }
FUNCTION number pown(number x, i32 n) { return pow(x, (number)n); }
