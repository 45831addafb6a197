//! Weighted adjoints: the sweep by which `pullback_log_det` follows a program.
//!
//! log|det| is the sum of log|e| over the factors e of all elements of the changed arguments, and of log|m′| over the bijections m. So next to
//! its adjoint each of these elements carries the adjoint of log|det|, its *weight*; where it is multiplied by e, e gets the
//! weight over e, and where it goes through m it gets the weight times m″/m′. Locals have no weight.

use super::{AddFrom, Flowing, Join, Negate, Number, OfNumber, Pull, Pulls, Push, Scalar, Shadow, Times};
use crate::rules::{Division, Rules};

/// An adjoint, and that of the logarithm of the determinant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weighted<D> {
    pub(crate) adjoint: D,
    pub(crate) weight: D,
}

/// The weight of a shadow.
pub trait Weighs: Copy {
    /// Whether shadows of this type have one.
    const WEIGHS: bool;
    /// The weight, as an adjoint.
    fn weight(self) -> Self;
}

impl<S: Scalar> Weighs for S {
    const WEIGHS: bool = S::WEIGHS;
    #[inline(always)]
    fn weight(self) -> S {
        Scalar::weight(self)
    }
}

impl Weighs for () {
    const WEIGHS: bool = false;
    #[inline(always)]
    fn weight(self) {}
}

/// The adjoint of the factor `e` of `y`, from the adjoint of their product: `pull(g, y)`, and the weight over `e`.
#[inline(always)]
pub fn pull_factor<G, D, E>(g: G, y: D, e: E) -> D::Output
where
    G: Weighs,
    D: Pulls<G>,
    E: Division + Pulls<G>,
    D::Output: Join<E::Output, Output = D::Output>,
{
    let pulled = y.pulls(g);
    if G::WEIGHS { pulled.join(E::d_div_0(e).pulls(g.weight())) } else { pulled }
}

/// Adds to an adjoint what log|m′| contributes: its weight times m″/m′.
#[inline(always)]
pub fn bend<G: Weighs + AddFrom<D::Output>, D: Pulls<G>>(g: &mut G, ratio: impl FnOnce() -> D) {
    if G::WEIGHS {
        let weight = g.weight();
        g.add_from(ratio().pulls(weight));
    }
}

/// The same through the inverse of a function f, whose slope is 1/f′: the weight times −f″/f′ and that.
#[inline(always)]
pub fn bend_back<G, D, E>(g: &mut G, ratio_and_slope: impl FnOnce() -> (D, E))
where
    G: Weighs + AddFrom<E::Output>,
    D: Pulls<G, Output = G>,
    E: Pulls<G>,
{
    if G::WEIGHS {
        let (ratio, slope) = ratio_and_slope();
        g.sub_from(slope.pulls(ratio.pulls(g.weight())));
    }
}

/// m″/m′ of a bijection whose slope is known only where the program computes: of one that is not for all numbers.
#[derive(Clone, Copy, Debug)]
pub struct NoBend;

impl NoBend {
    /// Refuses, while it is compiled, to take an adjoint of a determinant through it.
    pub(crate) const fn refused<S: Scalar>() {
        assert!(
            !S::WEIGHS,
            "`pullback_log_det` of a program with a `#[bijection]` that is not for all numbers: it needs the derivative of its slope. Make the \
             bijection generic in one `T: Real`, with no other bound"
        );
    }
}

impl<S: Flowing> Pull<NoBend> for S {
    type Output = S;
    #[inline(always)]
    fn pull(self, _: NoBend) -> S {
        const { NoBend::refused::<S>() };
        self
    }
}

impl<D: Scalar> crate::Linear for Weighted<D> {}

impl<D: Copy> OfNumber for Weighted<D> {
    type Itself = Self;
    #[inline(always)]
    fn itself(&self) -> Self {
        *self
    }
}

impl<D: Scalar> Scalar for Weighted<D> {
    const MOVES: bool = false;
    const WEIGHS: bool = true;

    #[inline(always)]
    fn weight(self) -> Self {
        Weighted { adjoint: self.weight, weight: D::zero() }
    }
    #[inline(always)]
    fn zero() -> Self {
        Weighted { adjoint: D::zero(), weight: D::zero() }
    }
    #[inline(always)]
    fn neutral() -> Self {
        Weighted { adjoint: D::neutral(), weight: D::zero() }
    }

    type Shared = Weighted<D::Shared>;

    #[inline(always)]
    fn spread(shared: Weighted<D::Shared>) -> Self {
        Weighted { adjoint: D::spread(shared.adjoint), weight: D::spread(shared.weight) }
    }
    fn visit_shared(shared: &Weighted<D::Shared>, visit: &mut dyn FnMut(&Self)) {
        D::visit_shared(&shared.adjoint, &mut |&adjoint| visit(&Weighted { adjoint, weight: D::zero() }));
    }
    // What all lanes share is read, and does not weigh.
    fn visit_shared_mut(shared: &mut Weighted<D::Shared>, visit: &mut dyn FnMut(&mut Self)) {
        D::visit_shared_mut(&mut shared.adjoint, &mut |adjoint| {
            let mut weighted = Weighted { adjoint: *adjoint, weight: D::zero() };
            visit(&mut weighted);
            *adjoint = weighted.adjoint;
        });
    }
}

impl<D: Flowing> Flowing for Weighted<D> {}

impl<T: Number<Value: Rules> + Rules, D: Shadow<T>> Shadow<T> for Weighted<D> {
    #[inline(always)]
    fn one() -> Self {
        Weighted { adjoint: D::one(), weight: D::zero() }
    }
}

impl<A: AddFrom<D>, D> AddFrom<Weighted<D>> for Weighted<A> {
    type Lost = A::Lost;
    #[inline(always)]
    fn add_from(&mut self, g: Weighted<D>) {
        self.adjoint.add_from(g.adjoint);
    }
    #[inline(always)]
    fn sub_from(&mut self, g: Weighted<D>) {
        self.adjoint.sub_from(g.adjoint);
    }
}

impl<'g, D: Scalar> AddFrom<&'g Weighted<D>> for Weighted<D> {
    type Lost = ();
    #[inline(always)]
    fn add_from(&mut self, g: &'g Weighted<D>) {
        self.add_from(*g);
    }
    #[inline(always)]
    fn sub_from(&mut self, g: &'g Weighted<D>) {
        self.sub_from(*g);
    }
}

super::meets_nothing!((D: Scalar) Weighted<D>);

impl<D: Scalar> Join<Weighted<D>> for Weighted<D> {
    type Output = Self;
    #[inline(always)]
    fn join(self, b: Self) -> Self {
        Weighted { adjoint: self.adjoint.join(b.adjoint), ..self }
    }
}

impl<D: Scalar> Negate for Weighted<D> {
    #[inline(always)]
    fn negate(self) -> Self {
        Weighted { adjoint: self.adjoint.negate(), ..self }
    }
}

impl<T: Rules, D: Pull<T, Output = D>> Pull<T> for Weighted<D> {
    type Output = Self;
    #[inline(always)]
    fn pull(self, d: T) -> Self {
        Weighted { adjoint: self.adjoint.pull(d), ..self }
    }
}

impl<T: Rules, D: Push<T, Output = D>> Push<T> for Weighted<D> {
    type Output = Self;
    #[inline(always)]
    fn push(self, d: T) -> Self {
        Weighted { adjoint: self.adjoint.push(d), ..self }
    }

    // Each part weighs what it did.
    #[inline(always)]
    fn push_planar(re: Self, im: Self, d: (T, T)) -> (Self, Self)
    where
        Self: Copy + Join<Self, Output = Self> + Negate,
    {
        (re.push(d.0).join(im.push(d.1).negate()), im.push(d.0).join(re.push(d.1)))
    }
}

impl<T: Rules, D: Times<T>> Times<T> for Weighted<D> {
    #[inline(always)]
    fn times(self, d: T) -> Self {
        Weighted { adjoint: self.adjoint.times(d), ..self }
    }
}
