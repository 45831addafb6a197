//! Kernels on devices.
//!
//! A procedure with `#[reversible(kernel)]` is run once for each index. `f::over` and its kin do that with slices;
//! `f::launch` and its kin do it on a [`Device`], with a [`Buffer`] in the place of each slice:
//!
//! ```
//! use retrograd::kernel::{Device, Error};
//! use retrograd::prelude::*;
//!
//! #[reversible(kernel)]
//! fn drift<T: Real>(#[index] i: usize, x: &mut [T], v: &[T], dt: T) {
//!     x[i] += dt * v[i];
//! }
//!
//! fn run(device: &Device) -> Result<(), Error> {
//!     let (mut x, v) = (device.upload(&[1.0, 2.0])?, device.upload(&[10.0, 20.0])?);
//!     drift::launch(device, 2, &mut x, &v, 0.1)?;
//!     assert_eq!(x.download()?, [2.0, 4.0]);
//!
//!     let (mut gx, mut gv, mut gdt) = (device.upload(&[1.0, 1.0])?, device.shadow(&v)?, 0.0);
//!     drift::launch_pullback(device, 2, (&mut x, &mut gx), (&v, &mut gv), (0.1, &mut gdt))?;
//!     assert_eq!((x.download()?, gdt), (vec![1.0, 2.0], 30.0));
//!     Ok(())
//! }
//!
//! run(&Device::cpu())?;
//! # Ok::<(), Error>(())
//! ```
//!
//! [`Device::cpu`] is always there. `Device::opencl` and `Device::cuda` are behind the features of these names; their drivers are loaded when
//! they are asked for, so that a program also starts where there are none.
//!
//! A launch does not wait until the kernel is over, unless it has the shadow of a number to set. What goes wrong in a kernel (an index out of
//! bounds, an integer divided by zero, a local that did not come back) is an error of the next call that waits: [`Buffer::download`],
//! [`Device::finish`], or such a launch. Its arguments may then have changed in part; memory of others has not. On the CPU a launch is over when it
//! returns, and says so itself. [`Device::record`] is for launches that are repeated.
//!
//! # The text of a kernel
//!
//! `f::kernel_source(language, direction)` is a run as the text of a kernel in [CUDA C++](Language::Cuda) or [OpenCL C](Language::OpenCl), to be
//! read, or to be run by other means:
//!
//! ```
//! # use retrograd::prelude::*;
//! # #[reversible(kernel)]
//! # fn drift<T: Real>(#[index] i: usize, x: &mut [T], v: &[T], dt: T) {
//! #     x[i] += dt * v[i];
//! # }
//! use retrograd::kernel::Language;
//!
//! let text = drift::kernel_source(Language::OpenCl, Direction::Inverse)?;
//! assert!(text.contains("KERNEL void kernel_drift(usize runs, SLICE(number, x), SLICE(number, v), number dt, ERRORS)"));
//! # Ok::<(), retrograd::kernel::Error>(())
//! ```
//!
//! The kernel is called `kernel_f`. Its arguments are the number of runs, those of `f` without the index, each active one followed by its
//! shadow in derivative runs, memory for what runs share, one `u64` for errors, and a number that stands in front of them. A slice is two arguments: a buffer with one element
//! more than it has, and its length. Numbers are `double`, or what the macros `NUMBER` and `SHADOW` say; those of a program that is
//! written for `f32` are `float`, and have the bits of the CPU with the option `-cl-fp32-correctly-rounded-divide-sqrt`.

// Without a driver there is only the CPU, and nothing uses what a driver would need.
#![cfg_attr(not(any(feature = "opencl", feature = "cuda")), allow(dead_code, unused_imports))]

mod device;
mod element;
mod error;
mod launch;
mod recording;
mod rows;
mod text;

#[cfg(feature = "cuda")]
mod cuda;
#[cfg(feature = "cuda")]
mod disk;
#[cfg(any(feature = "opencl", feature = "cuda"))]
mod execute;
#[cfg(feature = "opencl")]
mod opencl;
#[cfg(any(feature = "opencl", feature = "cuda"))]
mod ready;
#[cfg(any(feature = "opencl", feature = "cuda"))]
mod scratch;
#[cfg(any(feature = "opencl", feature = "cuda"))]
mod step;

pub use device::{Buffer, Device};
pub use element::{Element, Number};
pub use error::{Error, Stopped};
#[doc(hidden)]
pub use launch::{Launch, Sums, fit, host, host_mut, on_cpu};
pub use recording::Recording;
#[doc(hidden)]
pub use rows::{fit_rows, unit};
pub use text::Language;
#[doc(hidden)]
pub use text::{Callee, Constant, Literal, NoText, Temporary, Text, Written, constant, source};
