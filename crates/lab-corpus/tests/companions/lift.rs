//! Values on dual numbers.

use lab_corpus::programs::nice::Coupling;
use lab_corpus::programs::sparse_dot::Csc;
use num_complex::Complex;
use retrograd::{Dual, Slots, Stack};

/// A number with its derivative along one direction.
pub(crate) type Number = Dual<f64, 1>;

/// What there is on dual numbers too.
pub(crate) trait Lift {
    type Lifted;

    /// The same value, moving along tangents.
    fn lift(&self, tangents: &mut dyn Iterator<Item = f64>) -> Self::Lifted;

    /// Along which tangents a value moves.
    fn tangents(lifted: &Self::Lifted) -> Vec<f64>;
}

/// A value that does not move.
pub(crate) fn constant<A: Lift>(value: &A) -> A::Lifted {
    value.lift(&mut std::iter::repeat(0.0))
}

impl Lift for f64 {
    type Lifted = Number;

    fn lift(&self, tangents: &mut dyn Iterator<Item = f64>) -> Number {
        Dual { re: *self, eps: [tangents.next().expect("a tangent for each number")] }
    }

    fn tangents(lifted: &Number) -> Vec<f64> {
        lifted.eps.to_vec()
    }
}

impl<A: Lift, const N: usize> Lift for [A; N] {
    type Lifted = [A::Lifted; N];

    fn lift(&self, tangents: &mut dyn Iterator<Item = f64>) -> Self::Lifted {
        self.each_ref().map(|element| element.lift(tangents))
    }

    fn tangents(lifted: &Self::Lifted) -> Vec<f64> {
        lifted.iter().flat_map(A::tangents).collect()
    }
}

impl<A: Lift> Lift for Vec<A> {
    type Lifted = Vec<A::Lifted>;

    fn lift(&self, tangents: &mut dyn Iterator<Item = f64>) -> Self::Lifted {
        self.iter().map(|element| element.lift(tangents)).collect()
    }

    fn tangents(lifted: &Self::Lifted) -> Vec<f64> {
        lifted.iter().flat_map(A::tangents).collect()
    }
}

impl Lift for Complex<f64> {
    type Lifted = Complex<Number>;

    fn lift(&self, tangents: &mut dyn Iterator<Item = f64>) -> Self::Lifted {
        Complex { re: self.re.lift(tangents), im: self.im.lift(tangents) }
    }

    fn tangents(lifted: &Self::Lifted) -> Vec<f64> {
        vec![lifted.re.eps[0], lifted.im.eps[0]]
    }
}

impl<A: Lift> Lift for Csc<A> {
    type Lifted = Csc<A::Lifted>;

    fn lift(&self, tangents: &mut dyn Iterator<Item = f64>) -> Self::Lifted {
        Csc { starts: self.starts.clone(), rows: self.rows.clone(), values: self.values.lift(tangents) }
    }

    fn tangents(lifted: &Self::Lifted) -> Vec<f64> {
        Vec::<A>::tangents(&lifted.values)
    }
}

impl<const D: usize, const H: usize> Lift for Coupling<f64, D, H> {
    type Lifted = Coupling<Number, D, H>;

    fn lift(&self, tangents: &mut dyn Iterator<Item = f64>) -> Self::Lifted {
        Coupling {
            inner: self.inner.lift(tangents),
            inner_bias: self.inner_bias.lift(tangents),
            outer: self.outer.lift(tangents),
            outer_bias: self.outer_bias.lift(tangents),
        }
    }

    fn tangents(lifted: &Self::Lifted) -> Vec<f64> {
        [
            <[[f64; D]; H]>::tangents(&lifted.inner),
            <[f64; H]>::tangents(&lifted.inner_bias),
            <[[f64; H]; D]>::tangents(&lifted.outer),
            <[f64; D]>::tangents(&lifted.outer_bias),
        ]
        .concat()
    }
}

impl Lift for Slots<usize, f64> {
    type Lifted = Slots<usize, Number>;

    fn lift(&self, tangents: &mut dyn Iterator<Item = f64>) -> Self::Lifted {
        self.iter().map(|(key, value)| (*key, value.lift(tangents))).collect()
    }

    fn tangents(lifted: &Self::Lifted) -> Vec<f64> {
        lifted.iter().map(|(_, value)| value.eps[0]).collect()
    }
}

/// Integers do not move.
impl Lift for Stack<usize> {
    type Lifted = Stack<usize>;

    fn lift(&self, _tangents: &mut dyn Iterator<Item = f64>) -> Self::Lifted {
        self.clone()
    }

    fn tangents(_lifted: &Self::Lifted) -> Vec<f64> {
        Vec::new()
    }
}

macro_rules! tuples {
    ($($($part:ident $i:tt),+;)+) => {
        $(impl<$($part: Lift),+> Lift for ($($part,)+) {
            type Lifted = ($($part::Lifted,)+);

            fn lift(&self, tangents: &mut dyn Iterator<Item = f64>) -> Self::Lifted {
                ($(self.$i.lift(tangents),)+)
            }

            fn tangents(lifted: &Self::Lifted) -> Vec<f64> {
                [$($part::tangents(&lifted.$i)),+].concat()
            }
        })+
    };
}

tuples! {
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
}
