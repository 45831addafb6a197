//! The elementary functions of traced numbers.
//!
//! The derivatives that a node needs are those of the function on dual numbers of dual numbers: no rules of their own.

use super::Traced;
use super::node::{Jet, Operation};
use super::record::{record, record_as, see};
use crate::real::Int;
use crate::{Dual, Real};

type Second<const N: usize> = Dual<Dual<f64, N>, N>;

/// A variable of which first and second derivatives are taken: in direction `i`, twice.
fn seed<const N: usize>(value: f64, i: usize) -> Second<N> {
    Dual::variable(Dual::variable(value, i), i)
}

fn unary(x: f64, function: impl FnOnce(Second<1>) -> Second<1>) -> Jet {
    let y = function(seed(x, 0));
    Jet { value: y.re.re, first: [y.re.eps[0], 0.0], second: [y.eps[0].eps[0], 0.0, 0.0] }
}

fn binary(a: f64, b: f64, function: impl FnOnce(Second<2>, Second<2>) -> Second<2>) -> Jet {
    let y = function(seed(a, 0), seed(b, 1));
    Jet { value: y.re.re, first: y.re.eps, second: [y.eps[0].eps[0], y.eps[0].eps[1], y.eps[1].eps[1]] }
}

macro_rules! unary {
    ($curved:expr => $($function:ident)*) => {$(
        #[track_caller]
        fn $function(self) -> Traced {
            static OPERATION: Operation = Operation {
                name: stringify!($function),
                curved: [$curved, false, false],
                jet: |[x, ..]| unary(x, Real::$function),
            };
            record(&OPERATION, self, Traced::constant(0.0), 0.0)
        }
    )*};
}

macro_rules! binary {
    ($curved:expr => $($function:ident($argument:ident))*) => {$(
        #[track_caller]
        fn $function(self, $argument: Traced) -> Traced {
            static OPERATION: Operation = Operation {
                name: stringify!($function),
                curved: [$curved; 3],
                jet: |[a, b, _]| binary(a, b, Real::$function),
            };
            record(&OPERATION, self, $argument, 0.0)
        }
    )*};
}

/// Constant between their jumps: no derivative flows through them.
macro_rules! steps {
    ($($function:ident)*) => {$(
        #[track_caller]
        fn $function(self) -> Traced {
            see(|[x, _]| x.$function(), self, self);
            Traced::constant(self.value.$function())
        }
    )*};
}

/// The value, through which no derivative flows.
pub(super) fn held(x: Traced) -> Traced {
    fn constant([x, _, _]: [f64; 3]) -> Jet {
        Jet { value: x, ..Jet::default() }
    }
    static HELD: Operation = Operation { name: "constant", curved: [false; 3], jet: constant };
    record(&HELD, x, Traced::zero(), 0.0)
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

    #[track_caller]
    fn to_f64(self) -> f64 {
        self.value()
    }

    #[track_caller]
    fn is_finite(self) -> bool {
        see(|[x, _]| f64::from(x.is_finite()), self, self);
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

    #[track_caller]
    fn powi(self, n: i32) -> Self {
        fn power([x, _, n]: [f64; 3]) -> Jet {
            unary(x, |x| x.powi(n as i32))
        }
        static LINEAR: Operation = Operation { name: "powi", curved: [false; 3], jet: power };
        static CURVED: Operation = Operation { name: "powi", curved: [true, false, false], jet: power };
        match n {
            0 => Traced::one(),
            1 => record(&LINEAR, self, Traced::zero(), 1.0),
            _ => record(&CURVED, self, Traced::zero(), f64::from(n)),
        }
    }

    // Linear in the three of them; the bounds go in one at a time, and elsewhere it must be the same one.
    #[track_caller]
    fn clamp(self, min: Self, max: Self) -> Self {
        fn constant(bound: f64) -> Second<2> {
            Dual::constant(Dual::constant(bound))
        }
        static ABOVE: Operation = Operation {
            name: "clamp",
            curved: [false; 3],
            jet: |[x, max, min]| binary(x, max, |x, max| x.clamp(constant(min), max)),
        };
        static BELOW: Operation = Operation {
            name: "clamp",
            curved: [false; 3],
            jet: |[x, min, max]| binary(x, min, |x, min| x.clamp(min, constant(max))),
        };
        if self > max { record(&ABOVE, self, max, min.value) } else { record(&BELOW, self, min, max.value) }
    }

    // The sum is that of a product which was never rounded.
    #[track_caller]
    fn mul_add(self, a: Self, b: Self) -> Self {
        static OPERATION: Operation = Operation {
            name: "mul_add",
            curved: [false; 3],
            jet: |[product, b, _]| Jet { value: product + b, first: [1.0, 1.0], second: [0.0; 3] },
        };
        record_as(&OPERATION, self * a, b, 0.0, Some(self.value.mul_add(a.value, b.value)))
    }
}
