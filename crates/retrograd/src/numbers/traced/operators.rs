//! Arithmetic of traced numbers: with each other, and with `f64`.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Traced;
use super::record::{Local, Operation, record};
use crate::numbers::operators::{assign_operators, operators_behind_f64, sums_and_products};

impl Add for Traced {
    type Output = Traced;

    fn add(self, other: Traced) -> Traced {
        let operation = Operation { name: "+", curved: [false; 3] };
        record(operation, self.value + other.value, self, other, Local { first: [1.0, 1.0], ..Local::default() })
    }
}

impl Sub for Traced {
    type Output = Traced;

    fn sub(self, other: Traced) -> Traced {
        let operation = Operation { name: "-", curved: [false; 3] };
        record(operation, self.value - other.value, self, other, Local { first: [1.0, -1.0], ..Local::default() })
    }
}

impl Mul for Traced {
    type Output = Traced;

    fn mul(self, other: Traced) -> Traced {
        let operation = Operation { name: "*", curved: [false, true, false] };
        let local = Local { first: [other.value, self.value], second: [0.0, 1.0, 0.0] };
        record(operation, self.value * other.value, self, other, local)
    }
}

impl Div for Traced {
    type Output = Traced;

    fn div(self, other: Traced) -> Traced {
        let operation = Operation { name: "/", curved: [false, true, true] };
        let value = self.value / other.value;
        let inverse = other.value.recip();
        let slope = -value * inverse;
        let local = Local { first: [inverse, slope], second: [0.0, -inverse * inverse, -2.0 * slope * inverse] };
        record(operation, value, self, other, local)
    }
}

impl crate::ops::NegUpdate for Traced {}

impl Neg for Traced {
    type Output = Traced;

    fn neg(self) -> Traced {
        let operation = Operation { name: "neg", curved: [false; 3] };
        let local = Local { first: [-1.0, 0.0], ..Local::default() };
        record(operation, -self.value, self, Traced::constant(0.0), local)
    }
}

/// A plain number is a constant.
macro_rules! with_f64 {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator<f64> for Traced {
            type Output = Traced;

            fn $method(self, other: f64) -> Traced {
                self.$method(Traced::constant(other))
            }
        }
    )*};
}

with_f64!(Add add, Sub sub, Mul mul, Div div);
assign_operators!([] Traced, Traced);
assign_operators!([] Traced, f64);
sums_and_products!([] Traced);
operators_behind_f64!([] Traced, f64);
