//! Powers: products that fixed-point numbers would round, and their logarithms do not.

use retrograd::numbers::{Convert, convert};
use retrograd::prelude::*;
use retrograd::{ExactMul, Fixed, LogNumber};

use super::{Demo, Entry};

/// The numbers that the powers are added to: 16 bits after the point.
pub type Number = Fixed<16>;
/// The numbers that they are multiplied in.
pub type Logarithm = LogNumber<Fixed<48>>;

/// Adds `x` to the power `n` to `out`, for an `x` that is not zero.
///
/// A product of fixed-point numbers is rounded, and could not be undone without keeping what was lost, in each iteration of
/// the loop. So `x` is converted to a logarithmic number, on which `*=` is undone bit for bit: nothing has to be kept.
///
/// ```
/// use lab_corpus::programs::power::{Logarithm, Number, power};
/// use retrograd::Real;
///
/// let (mut out, x) = (Number::lit(0.5), Number::lit(1.5));
/// power::<_, Logarithm>(&mut out, x, 10);
/// assert_eq!(out, Number::lit(0.5 + 57.6650390625));
/// power::uncall::<_, Logarithm>(&mut out, x, 10);
/// assert_eq!(out, Number::lit(0.5));
/// ```
///
/// A factor of zero has no logarithm, and is refused in every build.
#[reversible]
pub fn power<T: Real + Convert<L>, L: Real + ExactMul + Convert<T>>(out: &mut T, x: T, n: u32) {
    let factor: L = convert(x);
    let mut product = L::one();
    for _ in 0..n {
        product *= factor;
    }
    *out += convert(product);
}

pub(super) const ENTRY: Entry = Entry {
    name: "power",
    about: "multiplies the logarithm of a fixed-point number, and comes back bit for bit",
    source: power::source,
    demo: || {
        let (x, n) = (Number::lit(1.1), 50);
        Demo::new(
            Number::zero(),
            |out: &mut Number| power::<_, Logarithm>(out, x, n),
            |out| power::uncall::<_, Logarithm>(out, x, n),
            |out| format!("out = {out}, x = {x}, n = {n}"),
        )
    },
};
