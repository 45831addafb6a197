//! Arithmetic of traced numbers: with each other, and with `f64`.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Traced;
use super::node::{Jet, Operation};
use super::record::record;
use crate::numbers::operators::{assign_operators, operators_behind_f64, sums_and_products};

macro_rules! operators {
    ($($operator:ident $method:ident $name:literal $curved:expr, $jet:expr;)*) => {$(
        impl $operator for Traced {
            type Output = Traced;

            #[track_caller]
            fn $method(self, other: Traced) -> Traced {
                static OPERATION: Operation = Operation { name: $name, curved: $curved, jet: $jet };
                record(&OPERATION, self, other, 0.0)
            }
        }
    )*};
}

operators! {
    Add add "+" [false; 3], |[a, b, _]| Jet { value: a + b, first: [1.0, 1.0], second: [0.0; 3] };
    Sub sub "-" [false; 3], |[a, b, _]| Jet { value: a - b, first: [1.0, -1.0], second: [0.0; 3] };
    Mul mul "*" [false, true, false], |[a, b, _]| Jet { value: a * b, first: [b, a], second: [0.0, 1.0, 0.0] };
    Div div "/" [false, true, true], |[a, b, _]| {
        let (value, inverse) = (a / b, b.recip());
        let slope = -value * inverse;
        Jet { value, first: [inverse, slope], second: [0.0, -inverse * inverse, -2.0 * slope * inverse] }
    };
}

impl crate::ops::NegUpdate for Traced {}

impl Neg for Traced {
    type Output = Traced;

    #[track_caller]
    fn neg(self) -> Traced {
        static OPERATION: Operation = Operation {
            name: "neg",
            curved: [false; 3],
            jet: |[a, ..]| Jet { value: -a, first: [-1.0, 0.0], second: [0.0; 3] },
        };
        record(&OPERATION, self, Traced::constant(0.0), 0.0)
    }
}

/// A plain number is a constant.
macro_rules! with_f64 {
    ($($operator:ident $method:ident),*) => {$(
        impl $operator<f64> for Traced {
            type Output = Traced;

            #[track_caller]
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
