//! Detects which instructions the machine has, and runs something with them.

use std::cell::Cell;
use std::fmt;

use super::Lanes;
use super::over::{Batch, Reduce};
use super::registers::{Bank, Element, Register};
use crate::shadow::{AddFrom, NothingLost, Scalar};

/// An instruction set that can hold `W` lanes of `E`. No other crate can implement this: whoever could name a register would
/// have it on machines without it.
pub trait Holds<E: Element, const W: usize>: sealed::Set + Sized + 'static {
    /// The register.
    type Register: Register<Element = E>;
    /// The registers of one number.
    type Bank: Bank<Register = Self::Register>;
    /// What adjoints of shared numbers are summed in: fewer lanes, if there are many.
    type Sums: Scalar<Shared = Self::Sums> + AddFrom<Lanes<E, W, Self>, Lost: NothingLost> + Reduce<Output = E>;

    /// As many lanes as there are, from those that sums are in.
    fn spread(sums: Self::Sums) -> Lanes<E, W, Self>;
}

mod sealed {
    pub trait Set {}
}

impl sealed::Set for Portable {}

/// What every machine has: one instruction for each lane. It holds any number of lanes.
#[derive(Clone, Copy, Debug)]
pub struct Portable(());

impl<E: Element + Register<Element = E>, const W: usize> Holds<E, W> for Portable {
    type Register = E;
    type Bank = [E; W];
    type Sums = Lanes<E, W, Portable>;

    #[inline(always)]
    fn spread(sums: Self::Sums) -> Self::Sums {
        sums
    }
}

/// The instructions that a [`Kernel`] runs with: 4, 8, 16, 24 or 32 lanes of `f64`, and twice as many of `f32`.
pub trait InstructionSet:
    Holds<f64, 4>
    + Holds<f64, 8>
    + Holds<f64, 16>
    + Holds<f64, 24>
    + Holds<f64, 32>
    + Holds<f32, 8>
    + Holds<f32, 16>
    + Holds<f32, 32>
    + Holds<f32, 48>
    + Holds<f32, 64>
{
    /// Their name.
    const NAME: Instructions;
    /// As many lanes as two registers have: while one waits for a result, the other is busy.
    type Pair: Batch;
}

/// The names of instruction sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Instructions {
    /// Those that every machine of the architecture has.
    Baseline,
    /// AVX2 and fused multiplication, on x86.
    Avx2,
    /// AVX-512, on x86.
    Avx512,
}

impl Instructions {
    /// All of them, the best one last.
    pub const ALL: [Instructions; 3] = [Instructions::Baseline, Instructions::Avx2, Instructions::Avx512];

    /// Whether this machine has them.
    pub fn are_available(self) -> bool {
        match self {
            Instructions::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => Instructions::Avx2.are_available() && is_x86_feature_detected!("avx512f"),
            #[cfg(not(target_arch = "x86_64"))]
            Instructions::Avx2 | Instructions::Avx512 => false,
        }
    }

    /// The best that this machine has, or those set by [`with_instructions`].
    pub fn best() -> Instructions {
        if let Some(instructions) = CHOSEN.get() {
            return instructions;
        }
        let best = Instructions::ALL.into_iter().rev().find(|instructions| instructions.are_available());
        best.unwrap_or(Instructions::Baseline)
    }
}

impl fmt::Display for Instructions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Instructions::Baseline => "baseline",
            Instructions::Avx2 => "AVX2",
            Instructions::Avx512 => "AVX-512",
        })
    }
}

thread_local! {
    static CHOSEN: Cell<Option<Instructions>> = const { Cell::new(None) };
}

/// Runs `f` with these instructions instead of the best ones, wherever it uses lanes on this thread.
///
/// ```
/// use retrograd::lanes::{Instructions, with_instructions};
///
/// let used = with_instructions(Instructions::Baseline, Instructions::best);
/// assert_eq!(used, Ok(Instructions::Baseline));
/// ```
pub fn with_instructions<R>(instructions: Instructions, f: impl FnOnce() -> R) -> Result<R, Unavailable> {
    if !instructions.are_available() {
        return Err(Unavailable(instructions));
    }
    struct Restore(Option<Instructions>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CHOSEN.set(self.0);
        }
    }
    let _restore = Restore(CHOSEN.replace(Some(instructions)));
    Ok(f())
}

/// The error for instructions that this machine does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable(pub Instructions);

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this machine does not have the instructions {}", self.0)
    }
}

impl std::error::Error for Unavailable {}

/// Something that runs in lanes, with whatever instructions the machine has.
///
/// ```
/// use retrograd::Lanes;
/// use retrograd::lanes::{InstructionSet, Kernel, run};
///
/// struct Norm<'a>(&'a [f64]);
///
/// impl Kernel for Norm<'_> {
///     type Output = f64;
///
///     #[inline(always)]
///     fn run<I: InstructionSet>(self) -> f64 {
///         let (rows, rest) = self.0.as_chunks::<16>();
///         let mut sum = Lanes::<f64, 16, I>::splat(0.0);
///         for row in rows {
///             let x = Lanes::from_array(*row);
///             sum += x * x;
///         }
///         (sum.sum() + rest.iter().map(|x| x * x).sum::<f64>()).sqrt()
///     }
/// }
///
/// assert_eq!(run(Norm(&[2.0; 100])), 20.0);
/// ```
pub trait Kernel {
    /// What it returns.
    type Output;
    /// Runs it. Mark it, and everything it calls with lanes, `#[inline(always)]`.
    fn run<I: InstructionSet>(self) -> Self::Output;
}

/// Runs a kernel with the best instructions that this machine has, or with those set by [`with_instructions`].
#[allow(unsafe_code, reason = "instructions that only some machines have")]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    match Instructions::best() {
        Instructions::Baseline => kernel.run::<Baseline>(),
        // SAFETY: the best instructions are some that the machine has.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => unsafe { with_avx2(kernel) },
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 => unsafe { with_avx512(kernel) },
        #[cfg(not(target_arch = "x86_64"))]
        Instructions::Avx2 | Instructions::Avx512 => unreachable!("these are instructions of x86"),
    }
}

/// Runs kernels that do not depend on each other, and returns what each of them does, in order: with the feature `rayon` on several
/// threads, else one after the other. A large kernel is cut into pieces for this, by the amount of work and not by the number of
/// threads; then the same bits come out for every number of them.
///
/// ```
/// use retrograd::lanes::{InstructionSet, Kernel, run_each};
///
/// struct Halve<'a>(&'a mut [f64]);
///
/// impl Kernel for Halve<'_> {
///     type Output = ();
///
///     #[inline(always)]
///     fn run<I: InstructionSet>(self) {
///         self.0.iter_mut().for_each(|x| *x *= 0.5);
///     }
/// }
///
/// let mut x = vec![2.0; 10_000];
/// run_each(x.chunks_mut(1024).map(Halve).collect());
/// assert_eq!(x, vec![1.0; 10_000]);
/// ```
pub fn run_each<K: Kernel<Output: Send> + Send>(kernels: Vec<K>) -> Vec<K::Output> {
    #[cfg(feature = "rayon")]
    return crate::threads::in_order(kernels, run);
    #[cfg(not(feature = "rayon"))]
    kernels.into_iter().map(run).collect()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<x86::Avx2>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<x86::Avx512>()
}

/// An instruction set, which only this module can name: for each number of lanes, the registers that hold them.
macro_rules! instruction_set {
    ($name:ident, pair: $pair:literal: $($element:ident in $register:ty as [$($lanes:literal: $registers:literal),*], sums: $sums:literal;)*) => {
        pub(super) struct $name(());

        impl sealed::Set for $name {}

        impl InstructionSet for $name {
            const NAME: Instructions = Instructions::$name;
            type Pair = Lanes<f64, $pair, $name>;
        }

        $($(
            impl Holds<$element, $lanes> for $name {
                type Register = $register;
                type Bank = [$register; $registers];
                type Sums = Lanes<$element, $sums, $name>;

                #[inline(always)]
                fn spread(sums: Self::Sums) -> Lanes<$element, $lanes, $name> {
                    let mut lanes = Lanes::<$element, $lanes, $name>::splat(0.0);
                    let (registers, few) = (lanes.bank.get_mut(), sums.bank.get());
                    for i in 0..registers.len() {
                        registers[i] = few[i % few.len()];
                    }
                    lanes
                }
            }
        )*)*
    };
}

#[cfg(not(all(target_arch = "aarch64", target_feature = "neon")))]
instruction_set! { Baseline, pair: 8:
    f64 in f64 as [4: 4], sums: 4;
    f64 in f64 as [8: 8, 16: 16, 24: 24, 32: 32], sums: 8;
    f32 in f32 as [8: 8], sums: 8;
    f32 in f32 as [16: 16, 32: 32, 48: 48, 64: 64], sums: 16;
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
instruction_set! { Baseline, pair: 8:
    f64 in std::arch::aarch64::float64x2_t as [4: 2], sums: 4;
    f64 in std::arch::aarch64::float64x2_t as [8: 4, 16: 8, 24: 12, 32: 16], sums: 8;
    f32 in std::arch::aarch64::float32x4_t as [8: 2], sums: 8;
    f32 in std::arch::aarch64::float32x4_t as [16: 4, 32: 8, 48: 12, 64: 16], sums: 16;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{__m256, __m256d, __m512, __m512d};

    use super::{Bank, Holds, InstructionSet, Instructions, Lanes, sealed};

    instruction_set! { Avx2, pair: 8:
        f64 in __m256d as [4: 1, 8: 2, 16: 4, 24: 6, 32: 8], sums: 4;
        f32 in __m256 as [8: 1, 16: 2, 32: 4, 48: 6, 64: 8], sums: 8;
    }
    instruction_set! { Avx512, pair: 16:
        f64 in __m256d as [4: 1], sums: 4;
        f64 in __m512d as [8: 1, 16: 2, 24: 3, 32: 4], sums: 8;
        f32 in __m256 as [8: 1], sums: 8;
        f32 in __m512 as [16: 1, 32: 2, 48: 3, 64: 4], sums: 16;
    }
}
