//! What lanes are held in: a register, and several of them side by side.

use std::fmt::Debug;

use crate::Real;
use crate::check::Compare;

/// A number that fits into a lane: `f64` or `f32`. No other type can implement this.
pub trait Element: Real<Uniform = Self> + Compare + Debug + Register<Element = Self> + sealed::Sealed {
    /// The largest number below a half.
    const BELOW_HALF: Self;
    /// Up to this number, all whole numbers can be told apart.
    const WHOLE: Self;
}

impl Element for f64 {
    const BELOW_HALF: f64 = 0.5 - f64::EPSILON / 4.0;
    const WHOLE: f64 = 2.0 / f64::EPSILON;
}

impl Element for f32 {
    const BELOW_HALF: f32 = 0.5 - f32::EPSILON / 4.0;
    const WHOLE: f32 = 2.0 / f32::EPSILON;
}

pub(super) mod sealed {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for f32 {}
}

/// Functions of one number.
macro_rules! functions {
    ($($function:ident $doc:literal)*) => {$(
        #[doc = $doc]
        fn $function(self) -> Self;
    )*};
}

/// A register: some numbers that one instruction computes with.
///
/// Operators round like those of the element. Functions are as exact as [`Lanes`](super::Lanes) says.
pub trait Register: Copy + 'static {
    /// What is in a lane.
    type Element: Element;
    /// One truth value for each lane.
    type Mask: Copy;
    /// How many lanes there are.
    const WIDTH: usize;
    /// Zero in all lanes.
    const ZERO: Self;
    /// Negative zero in all lanes, which changes nothing that is added to it.
    const NEUTRAL: Self;

    /// The same number in all lanes.
    fn splat(x: Self::Element) -> Self;
    /// The first numbers of a slice, which is long enough.
    fn load(from: &[Self::Element]) -> Self;
    /// The first `count` numbers of a slice, and zeros behind them.
    fn load_first(from: &[Self::Element], count: usize) -> Self;
    /// Writes all lanes to a slice, which is long enough.
    fn store(self, to: &mut [Self::Element]);
    /// Writes the first `count` lanes.
    fn store_first(self, to: &mut [Self::Element], count: usize);
    /// Exchanges rows and columns of a square of registers.
    fn transpose(square: &mut [Self]);

    /// `self + other`.
    fn add(self, other: Self) -> Self;
    /// `self - other`.
    fn sub(self, other: Self) -> Self;
    /// `self * other`.
    fn mul(self, other: Self) -> Self;
    /// `self / other`.
    fn div(self, other: Self) -> Self;
    /// `-self`.
    fn neg(self) -> Self;
    /// The magnitude.
    fn abs(self) -> Self;
    /// The magnitude of `self` with the sign of another number.
    fn with_sign_of(self, sign: Self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// `self * a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// `self + a * b`, rounded once or twice, whatever is faster.
    fn add_product(self, a: Self, b: Self) -> Self;
    /// `self - a * b`, likewise.
    fn sub_product(self, a: Self, b: Self) -> Self;
    /// The largest whole number not above.
    fn floor(self) -> Self;
    /// The smallest whole number not below.
    fn ceil(self) -> Self;
    /// The whole part.
    fn trunc(self) -> Self;

    /// `self < other`.
    fn less(self, other: Self) -> Self::Mask;
    /// `self == other`.
    fn equal(self, other: Self) -> Self::Mask;
    /// Where both are true.
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Where one of them is true, or both.
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Where it is false.
    fn not(a: Self::Mask) -> Self::Mask;
    /// One bit for each lane, that of the first lane lowest.
    fn bits(mask: Self::Mask) -> u32;
    /// `a` where the mask is true, and `b` elsewhere.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;

    functions! {
        exp "e to the power `self`."
        exp2 "2 to the power `self`."
        exp_m1 "e to the power `self`, less 1."
        ln "The natural logarithm."
        ln_1p "The natural logarithm of 1 + `self`."
        log2 "The logarithm to base 2."
        log10 "The logarithm to base 10."
        cbrt "The cube root."
        tan "The tangent."
        asin "The arc sine."
        acos "The arc cosine."
        atan "The arc tangent."
        sinh "The hyperbolic sine."
        cosh "The hyperbolic cosine."
        tanh "The hyperbolic tangent."
        asinh "The inverse of `sinh`."
        acosh "The inverse of `cosh`."
        atanh "The inverse of `tanh`."
        round "The nearest whole number, halves away from zero."
        signum "1 with the sign of `self`; NaN for NaN."
    }
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// `self` to a real power.
    fn powf(self, exponent: Self) -> Self;
    /// The length of the vector `(self, other)`.
    fn hypot(self, other: Self) -> Self;
    /// The logarithm to any base.
    fn log(self, base: Self) -> Self;
    /// The angle of the point `(x, self)`.
    fn atan2(self, x: Self) -> Self;
    /// What is left of `self` after taking away a whole multiple of `modulus`, and not negative.
    fn rem_euclid(self, modulus: Self) -> Self;
}

/// What functions of `f64` are made of, besides operators.
pub(super) trait Parts: Register<Element = f64> {
    /// Not below `low` and not above `high`; NaN stays NaN.
    fn between(self, low: Self, high: Self) -> Self;
    /// 2 to the power of whole numbers for which that is a normal number.
    fn power_of_two(self) -> Self;
    /// `self` · 2ⁿ, for numbers not far from 1 and whole n between −2000 and 2000: rounded once, also where it is no normal number.
    #[inline(always)]
    fn scale(self, n: Self) -> Self {
        // 2ⁿ may not be a normal number, though the halves of n give some.
        let half = n.mul(Self::splat(0.5)).floor();
        self.mul(half.power_of_two()).mul(n.sub(half).power_of_two())
    }
    /// Of a positive normal number, what is left between 1 and 2 without a power of two, and the exponent of that power.
    fn mantissa_and_exponent(self) -> (Self, Self);
    /// Whether a whole number is odd, to which [`SHIFTER`](super::functions::SHIFTER) was added.
    fn is_odd(self) -> Self::Mask;
    /// The negative, if half of such a whole number is odd, rounded down.
    fn negated_by(self, whole: Self) -> Self;
}

/// Registers of `f32`, whose functions are computed in `f64`.
pub(super) trait Narrow: Register<Element = f32> {
    /// A register of `f64` for half of the lanes.
    type Wide: Parts;
    /// The lower half of the lanes, and the upper one.
    fn widen(self) -> (Self::Wide, Self::Wide);
    /// The same back, rounded.
    fn narrow(low: Self::Wide, high: Self::Wide) -> Self;
}

/// Registers side by side, which compute at the same time: `[R; N]`.
pub trait Bank: Copy + 'static {
    /// The register.
    type Register: Register;
    /// One mask for each register.
    type Masks: Copy;

    /// The same in all registers.
    fn all(register: Self::Register) -> Self;
    /// The registers.
    fn get(&self) -> &[Self::Register];
    /// The registers, to be changed.
    fn get_mut(&mut self) -> &mut [Self::Register];
    /// The masks of `self < other`.
    fn less(self, other: Self) -> Self::Masks;
    /// The masks of `self == other`.
    fn equal(self, other: Self) -> Self::Masks;
    /// The masks.
    fn masks(masks: &Self::Masks) -> &[<Self::Register as Register>::Mask];
    /// The masks, to be changed.
    fn masks_mut(masks: &mut Self::Masks) -> &mut [<Self::Register as Register>::Mask];
}

impl<R: Register, const N: usize> Bank for [R; N] {
    type Register = R;
    type Masks = [R::Mask; N];

    #[inline(always)]
    fn all(register: R) -> [R; N] {
        [register; N]
    }
    #[inline(always)]
    fn get(&self) -> &[R] {
        self
    }
    #[inline(always)]
    fn get_mut(&mut self) -> &mut [R] {
        self
    }
    #[inline(always)]
    fn less(self, other: [R; N]) -> [R::Mask; N] {
        let mut masks = [self[0].less(other[0]); N];
        for i in 1..N {
            masks[i] = self[i].less(other[i]);
        }
        masks
    }
    #[inline(always)]
    fn equal(self, other: [R; N]) -> [R::Mask; N] {
        let mut masks = [self[0].equal(other[0]); N];
        for i in 1..N {
            masks[i] = self[i].equal(other[i]);
        }
        masks
    }
    #[inline(always)]
    fn masks(masks: &[R::Mask; N]) -> &[R::Mask] {
        masks
    }
    #[inline(always)]
    fn masks_mut(masks: &mut [R::Mask; N]) -> &mut [R::Mask] {
        masks
    }
}
