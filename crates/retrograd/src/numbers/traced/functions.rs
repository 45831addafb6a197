//! The elementary functions of traced numbers.
//!
//! The derivatives that a node needs are those of the function on dual numbers of dual numbers: no rules of their own.

use super::Traced;
use super::record::{Local, Operation, record};
use crate::real::Int;
use crate::{Dual, Real};

type Second<const N: usize> = Dual<Dual<f64, N>, N>;

/// A variable of which first and second derivatives are taken: in direction `i`, twice.
fn seed<const N: usize>(value: f64, i: usize) -> Second<N> {
    Dual::variable(Dual::variable(value, i), i)
}

fn unary(name: &'static str, curved: bool, x: Traced, function: impl FnOnce(Second<1>) -> Second<1>) -> Traced {
    let y = function(seed(x.value, 0));
    let local = Local { first: [y.re.eps[0], 0.0], second: [y.eps[0].eps[0], 0.0, 0.0] };
    record(Operation { name, curved: [curved, false, false] }, y.re.re, x, Traced::constant(0.0), local)
}

fn binary(
    name: &'static str,
    curved: [bool; 3],
    (a, b): (Traced, Traced),
    function: impl FnOnce(Second<2>, Second<2>) -> Second<2>,
) -> Traced {
    let y = function(seed(a.value, 0), seed(b.value, 1));
    let local = Local { first: y.re.eps, second: [y.eps[0].eps[0], y.eps[0].eps[1], y.eps[1].eps[1]] };
    record(Operation { name, curved }, y.re.re, a, b, local)
}

macro_rules! unary {
    ($curved:expr => $($function:ident)*) => {$(
        fn $function(self) -> Traced {
            unary(stringify!($function), $curved, self, Real::$function)
        }
    )*};
}

macro_rules! binary {
    ($curved:expr => $($function:ident($argument:ident))*) => {$(
        fn $function(self, $argument: Traced) -> Traced {
            binary(stringify!($function), [$curved; 3], (self, $argument), Real::$function)
        }
    )*};
}

/// Constant between their jumps: no derivative flows through them.
macro_rules! steps {
    ($($function:ident)*) => {$(
        fn $function(self) -> Traced {
            Traced::constant(self.value.$function())
        }
    )*};
}

impl Real for Traced {
    crate::numbers::without_lanes!();

    fn zero() -> Self {
        Traced::constant(0.0)
    }

    fn one() -> Self {
        Traced::constant(1.0)
    }

    fn lit(value: f64) -> Self {
        Traced::constant(value)
    }

    fn from_int(n: impl Int) -> Self {
        Traced::constant(n.to_f64())
    }

    fn to_f64(self) -> f64 {
        self.value
    }

    fn is_finite(self) -> bool {
        self.value.is_finite()
    }

    unary! { true =>
        sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
        exp exp2 exp_m1 ln ln_1p log2 log10 sqrt cbrt square cube recip erf gamma lgamma
    }
    unary! { false => abs to_degrees to_radians fract }
    binary! { true => powf(exponent) hypot(other) atan2(x) log(base) }
    binary! { false => max(other) min(other) rem_euclid(modulus) }
    steps! { signum floor ceil round trunc }

    fn conj(self) -> Self {
        self
    }

    fn sin_cos(self) -> (Self, Self) {
        (self.sin(), self.cos())
    }

    fn powi(self, n: i32) -> Self {
        match n {
            0 => Traced::one(),
            _ => unary("powi", n != 1, self, |x| x.powi(n)),
        }
    }

    // Linear in the three of them; the bounds go in one at a time.
    fn clamp(self, min: Self, max: Self) -> Self {
        if self.value > max.value {
            let low = Dual::constant(Dual::constant(min.value));
            binary("clamp", [false; 3], (self, max), |x, max| x.clamp(low, max))
        } else {
            let high = Dual::constant(Dual::constant(max.value));
            binary("clamp", [false; 3], (self, min), |x, min| x.clamp(min, high))
        }
    }

    // The sum is that of a product which was never rounded.
    fn mul_add(self, a: Self, b: Self) -> Self {
        let operation = Operation { name: "mul_add", curved: [false; 3] };
        let local = Local { first: [1.0, 1.0], ..Local::default() };
        record(operation, self.value.mul_add(a.value, b.value), self * a, b, local)
    }
}
