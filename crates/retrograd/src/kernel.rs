//! Kernels as text for devices.
//!
//! A procedure with `#[reversible(kernel)]` is run once for each index. `f::over` and its kin do that on the CPU;
//! `f::kernel_source(language, direction)` is the same run as a kernel in [CUDA C++](Language::Cuda) or [OpenCL C](Language::OpenCl).
//!
//! ```
//! use retrograd::kernel::Language;
//! use retrograd::prelude::*;
//!
//! #[reversible(kernel)]
//! fn drift<T: Real>(#[index] i: usize, x: &mut [T], v: &[T], dt: T) {
//!     x[i] += dt * v[i];
//! }
//!
//! let text = drift::kernel_source(Language::OpenCl, Direction::Inverse)?;
//! assert!(text.contains("KERNEL void kernel_drift(usize runs, SLICE(number, x), SLICE(number, v), number dt, ERRORS)"));
//! # Ok::<(), retrograd::kernel::Error>(())
//! ```
//!
//! # How to run the text
//!
//! The kernel is called `kernel_f`. Its arguments are the number of runs, those of `f` without the index, each active one followed by its
//! shadow in derivative runs, and one `u32` for errors. A slice is two arguments: a buffer with one element more than it
//! has, and its length. Numbers are `double`, or what the macros `NUMBER` and `SHADOW` say; those of a program that is
//! written for `f32` are `float`, and have the bits of the CPU with the option `-cl-fp32-correctly-rounded-divide-sqrt`.
//!
//! After a run the word for errors is zero, or the line of a statement whose index was out of bounds, or whose divisor was zero. Nothing
//! else is checked on a device.

use std::error;
use std::fmt;

/// A language that kernels are written in for devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// CUDA C++, as NVRTC compiles it. Contraction must be off: `--fmad=false`.
    Cuda,
    /// OpenCL C, from version 1.2.
    OpenCl,
}

/// Why there is no kernel for a device.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A kernel does something that cannot be written for devices yet. `f::over` and its kin can run it.
    Untranslatable {
        /// The name of the kernel.
        kernel: &'static str,
        /// The line that cannot be written.
        line: u32,
        /// Why not.
        reason: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Untranslatable { kernel, line, reason } => {
                write!(f, "the kernel `{kernel}` cannot be written for devices, in line {line}: {reason}")
            }
        }
    }
}

impl error::Error for Error {}

/// A kernel behind the prelude of its language, or the line and the reason why there is none. `number` is the type of its numbers, if it
/// is written for one that is not `double`.
#[doc(hidden)]
pub fn source(
    language: Language,
    number: Option<&str>,
    kernel: &'static str,
    written: Result<&str, (u32, &'static str)>,
) -> Result<String, Error> {
    let text = written.map_err(|(line, reason)| Error::Untranslatable { kernel, line, reason })?;
    let prelude = match language {
        Language::Cuda => include_str!("kernel/cuda.h"),
        Language::OpenCl => include_str!("kernel/opencl.h"),
    };
    let number = number.map(|number| format!("#ifndef NUMBER\n#define NUMBER {number}\n#endif\n")).unwrap_or_default();
    Ok(format!("{number}{prelude}{}\n{text}", include_str!("kernel/functions.h")))
}
