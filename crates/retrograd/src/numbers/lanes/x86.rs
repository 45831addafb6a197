//! The registers of x86: four lanes of `f64` with AVX2, eight with AVX-512, and twice as many of `f32`.
//!
//! Each function here is a handful of instructions that not every machine has.
// SAFETY, for the whole folder: a register exists only in `Lanes` of an instruction set, and the types of these sets have no
// names outside of `dispatch`, which uses them after it has asked the machine whether it has the instructions.

mod avx2;
mod avx2_single;
mod avx512;
mod avx512_single;
