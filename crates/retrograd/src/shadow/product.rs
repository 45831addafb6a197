//! Factors of a product that is not visibly one of numbers.
//!
//! A number multiplies a derivative from either side. Of two matrices the order matters, so a factor knows on which side it stands.

use super::Number;

/// What can be multiplied by its own kind, and has a derivative then: numbers, and matrices of other crates.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a number, and no derivative of its operators and methods is known",
    label = "not a number",
    note = "write what they compute as a `#[reversible]` function or method, number by number, and call that; or keep the derivative \
            out, with `#[constant] let t = ..;`",
    note = "a `#[reversible]` method that has the name of a rule, such as `abs`, is called by its type: `Type::abs(&x)`",
    note = "products, solves and factors of matrices are procedures of `retrograd::dense`, such as `matmul(&mut c, &a, &b)`"
)]
pub trait Multiplied {
    /// In front of a derivative.
    type Left;
    /// Behind a derivative.
    type Right;
    /// The factor in front of another.
    fn left(self) -> Self::Left;
    /// The factor behind another.
    fn right(self) -> Self::Right;
}

#[diagnostic::do_not_recommend]
impl<N: Number> Multiplied for N {
    type Left = N::Value;
    type Right = N::Value;
    #[inline(always)]
    fn left(self) -> N::Value {
        self.number()
    }
    #[inline(always)]
    fn right(self) -> N::Value {
        self.number()
    }
}

/// A matrix in front of another one.
#[derive(Clone, Copy, Debug)]
pub struct LeftFactor<M>(pub M);

/// A matrix behind another one.
#[derive(Clone, Copy, Debug)]
pub struct RightFactor<M>(pub M);

/// The factor in front of another.
#[inline(always)]
pub fn left_factor<M: Multiplied>(factor: M) -> M::Left {
    factor.left()
}

/// The factor behind another.
#[inline(always)]
pub fn right_factor<M: Multiplied>(factor: M) -> M::Right {
    factor.right()
}

/// A derivative that may be needed again.
#[inline(always)]
pub fn lent<G: Clone>(derivative: &G) -> G {
    derivative.clone()
}
