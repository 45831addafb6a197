//! What all families of registers write alike.

/// One intrinsic for each operation.
macro_rules! arithmetic {
    ($($method:ident($($argument:ident),*) = $intrinsic:expr;)*) => {$(
        #[inline(always)]
        fn $method(self $(, $argument: Self)*) -> Self {
            unsafe { $intrinsic(self $(, $argument)*) }
        }
    )*};
}

/// The functions, which are computed from the operations.
macro_rules! functions {
    () => {
        functions! {
            exp() exp2() exp_m1() ln() ln_1p() log2() log10() log(base) powf(exponent) cbrt() hypot(other)
            tan() asin() acos() atan() atan2(x) sinh() cosh() tanh() asinh() acosh() atanh()
            round() signum() rem_euclid(modulus)
        }
        #[inline(always)]
        fn sin_cos(self) -> (Self, Self) {
            functions::sin_cos(self)
        }
    };
    ($($function:ident($($argument:ident)?))*) => {$(
        #[inline(always)]
        fn $function(self $(, $argument: Self)?) -> Self {
            functions::$function(self $(, $argument)?)
        }
    )*};
}

/// Those of `f32`, which are computed in `f64`.
macro_rules! functions_in_wide_registers {
    () => {
        functions_in_wide_registers! {
            exp = exp() exp2 = exp2() exp_m1 = exp_m1() ln = ln() ln_1p = ln_1p() log2 = log2() log10 = log10()
            log = log_for_single(base) powf = powf_for_single(exponent) cbrt = cbrt() hypot = hypot(other)
            tan = tan() asin = asin() acos = acos() atan = atan() atan2 = atan2(x)
            sinh = sinh() cosh = cosh() tanh = tanh() asinh = asinh() acosh = acosh() atanh = atanh()
        }
        functions! { round() signum() rem_euclid(modulus) }
        #[inline(always)]
        fn sin_cos(self) -> (Self, Self) {
            let (low, high) = self.widen();
            let (low, high) = (functions::sin_cos(low), functions::sin_cos(high));
            (Self::narrow(low.0, high.0), Self::narrow(low.1, high.1))
        }
    };
    ($($function:ident = $wide:ident($($argument:ident)?))*) => {$(
        #[inline(always)]
        fn $function(self $(, $argument: Self)?) -> Self {
            let (low, high) = self.widen();
            $(let $argument = $argument.widen();)?
            Self::narrow(functions::$wide(low $(, $argument.0)?), functions::$wide(high $(, $argument.1)?))
        }
    )*};
}
