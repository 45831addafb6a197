//! One number for each register, which every machine has.

use super::registers::Register;

/// Functions of the number itself.
macro_rules! scalar_functions {
    ($type:ident: $($function:ident($($argument:ident)?))*) => {$(
        #[inline(always)]
        fn $function(self $(, $argument: $type)?) -> $type {
            <$type>::$function(self $(, $argument)?)
        }
    )*};
}

macro_rules! scalar_register {
    ($type:ident) => {
        /// A register with one lane.
        impl Register for $type {
            type Element = $type;
            type Mask = bool;
            const WIDTH: usize = 1;
            const ZERO: $type = 0.0;
            const NEUTRAL: $type = -0.0;

            #[inline(always)]
            fn splat(x: $type) -> $type {
                x
            }
            #[inline(always)]
            fn load(from: &[$type]) -> $type {
                from[0]
            }
            #[inline(always)]
            fn load_first(from: &[$type], count: usize) -> $type {
                if count == 0 { 0.0 } else { from[0] }
            }
            #[inline(always)]
            fn store(self, to: &mut [$type]) {
                to[0] = self;
            }
            #[inline(always)]
            fn store_first(self, to: &mut [$type], count: usize) {
                if count > 0 {
                    to[0] = self;
                }
            }
            #[inline(always)]
            fn transpose(_square: &mut [$type]) {}

            #[inline(always)]
            fn add(self, other: $type) -> $type {
                self + other
            }
            #[inline(always)]
            fn sub(self, other: $type) -> $type {
                self - other
            }
            #[inline(always)]
            fn mul(self, other: $type) -> $type {
                self * other
            }
            #[inline(always)]
            fn div(self, other: $type) -> $type {
                self / other
            }
            #[inline(always)]
            fn neg(self) -> $type {
                -self
            }
            #[inline(always)]
            fn abs(self) -> $type {
                <$type>::abs(self)
            }
            #[inline(always)]
            fn with_sign_of(self, sign: $type) -> $type {
                self.copysign(sign)
            }
            #[inline(always)]
            fn sqrt(self) -> $type {
                <$type>::sqrt(self)
            }
            #[inline(always)]
            fn mul_add(self, a: $type, b: $type) -> $type {
                <$type>::mul_add(self, a, b)
            }
            #[inline(always)]
            fn add_product(self, a: $type, b: $type) -> $type {
                self + a * b
            }
            #[inline(always)]
            fn sub_product(self, a: $type, b: $type) -> $type {
                self - a * b
            }
            #[inline(always)]
            fn floor(self) -> $type {
                <$type>::floor(self)
            }
            #[inline(always)]
            fn ceil(self) -> $type {
                <$type>::ceil(self)
            }
            #[inline(always)]
            fn trunc(self) -> $type {
                <$type>::trunc(self)
            }

            #[inline(always)]
            fn less(self, other: $type) -> bool {
                self < other
            }
            #[inline(always)]
            fn equal(self, other: $type) -> bool {
                self == other
            }
            #[inline(always)]
            fn and(a: bool, b: bool) -> bool {
                a & b
            }
            #[inline(always)]
            fn not(a: bool) -> bool {
                !a
            }
            #[inline(always)]
            fn or(a: bool, b: bool) -> bool {
                a | b
            }
            #[inline(always)]
            fn bits(mask: bool) -> u32 {
                mask as u32
            }
            #[inline(always)]
            fn select(mask: bool, a: $type, b: $type) -> $type {
                if mask { a } else { b }
            }

            #[inline(always)]
            fn sin_cos(self) -> ($type, $type) {
                <$type>::sin_cos(self)
            }
            scalar_functions! { $type:
                exp() exp2() exp_m1() ln() ln_1p() log2() log10() log(base) powf(exponent) cbrt() hypot(other)
                tan() asin() acos() atan() atan2(x) sinh() cosh() tanh() asinh() acosh() atanh()
                round() signum() rem_euclid(modulus)
            }
        }
    };
}

scalar_register!(f64);
scalar_register!(f32);
