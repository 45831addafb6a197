//! Several adjoints in one sweep.

use std::ops::{Add, AddAssign, Index, IndexMut, Neg, Sub, SubAssign};

use super::{AddFrom, Base, Flowing, Join, Negate, Number, OfNumber, Pull, Push, Scalar, Shadow, Times};
use crate::Recordable;
use crate::record::recordable_fields;
use crate::rules::Rules;

/// `K` adjoints, or tangents, that go through a program together.
///
/// A sweep over `Seeds<f64, K>` computes the values once and carries `K` derivatives: one for each output of a Jacobian.
///
/// ```
/// use retrograd::Seeds;
///
/// let rows: [Seeds<f64, 3>; 3] = std::array::from_fn(Seeds::basis);
/// assert_eq!(rows[1], Seeds([0.0, 1.0, 0.0]));
/// assert_eq!((rows[2] - rows[0])[2], 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seeds<D, const K: usize>(pub [D; K]);

impl<D: Base, const K: usize> Seeds<D, K> {
    /// One at position `k`, and zero elsewhere.
    ///
    /// # Panics
    ///
    /// If there is no position `k`.
    #[track_caller]
    pub fn basis(k: usize) -> Self {
        let mut seeds = Seeds::zero();
        seeds.0[k] = <D as Shadow<f64>>::one();
        seeds
    }
}

recordable_fields! {
    (D: Recordable, const K: usize) Seeds<D, K> { 0 } "Seeds" [D];
}

impl<D: Scalar, const K: usize> Default for Seeds<D, K> {
    /// Zeros.
    fn default() -> Self {
        Seeds::zero()
    }
}

impl<D, const K: usize> From<[D; K]> for Seeds<D, K> {
    fn from(seeds: [D; K]) -> Self {
        Seeds(seeds)
    }
}

impl<D, const K: usize> Index<usize> for Seeds<D, K> {
    type Output = D;
    #[inline(always)]
    fn index(&self, k: usize) -> &D {
        &self.0[k]
    }
}

impl<D, const K: usize> IndexMut<usize> for Seeds<D, K> {
    #[inline(always)]
    fn index_mut(&mut self, k: usize) -> &mut D {
        &mut self.0[k]
    }
}

impl<D: Scalar, const K: usize> Add for Seeds<D, K> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<D: Scalar, const K: usize> Sub for Seeds<D, K> {
    type Output = Self;
    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

impl<D: Scalar, const K: usize> AddAssign for Seeds<D, K> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.add_from(other);
    }
}

impl<D: Scalar, const K: usize> SubAssign for Seeds<D, K> {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.sub_from(other);
    }
}

impl<D: Scalar, const K: usize> Neg for Seeds<D, K> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.negate()
    }
}

impl<D: Scalar, const K: usize> crate::Linear for Seeds<D, K> {}

impl<D: Copy, const K: usize> OfNumber for Seeds<D, K> {
    type Itself = Self;
    #[inline(always)]
    fn itself(&self) -> Self {
        *self
    }
}

impl<D: Scalar, const K: usize> Scalar for Seeds<D, K> {
    type Shared = Seeds<D::Shared, K>;

    #[inline(always)]
    fn zero() -> Self {
        Seeds([D::zero(); K])
    }
    #[inline(always)]
    fn neutral() -> Self {
        Seeds([D::neutral(); K])
    }
    #[inline(always)]
    fn spread(shared: Seeds<D::Shared, K>) -> Self {
        let mut seeds = Self::zero();
        for k in 0..K {
            seeds.0[k] = D::spread(shared.0[k]);
        }
        seeds
    }
    fn visit_shared(shared: &Seeds<D::Shared, K>, visit: &mut dyn FnMut(&Self)) {
        let mut seeds = Self::zero();
        for (seed, shared) in seeds.0.iter_mut().zip(&shared.0) {
            D::visit_shared(shared, &mut |shared| *seed = *shared);
        }
        visit(&seeds);
    }
    fn visit_shared_mut(shared: &mut Seeds<D::Shared, K>, visit: &mut dyn FnMut(&mut Self)) {
        let mut seeds = Self::zero();
        for (seed, shared) in seeds.0.iter_mut().zip(&shared.0) {
            D::visit_shared(shared, &mut |shared| *seed = *shared);
        }
        visit(&mut seeds);
        for (seed, shared) in seeds.0.iter().zip(&mut shared.0) {
            D::visit_shared_mut(shared, &mut |shared| *shared = *seed);
        }
    }
}

impl<D: Flowing, const K: usize> Flowing for Seeds<D, K> {}

impl<T: Number<Value: Rules> + Rules, D: Shadow<T>, const K: usize> Shadow<T> for Seeds<D, K> {
    #[inline(always)]
    fn one() -> Self {
        Seeds([D::one(); K])
    }
}

impl<A: AddFrom<D>, D: Copy, const K: usize> AddFrom<Seeds<D, K>> for Seeds<A, K> {
    type Lost = A::Lost;
    #[inline(always)]
    fn add_from(&mut self, g: Seeds<D, K>) {
        for k in 0..K {
            self.0[k].add_from(g.0[k]);
        }
    }
    #[inline(always)]
    fn sub_from(&mut self, g: Seeds<D, K>) {
        for k in 0..K {
            self.0[k].sub_from(g.0[k]);
        }
    }
}

impl<'g, D: Scalar, const K: usize> AddFrom<&'g Seeds<D, K>> for Seeds<D, K> {
    type Lost = ();
    #[inline(always)]
    fn add_from(&mut self, g: &'g Seeds<D, K>) {
        self.add_from(*g);
    }
    #[inline(always)]
    fn sub_from(&mut self, g: &'g Seeds<D, K>) {
        self.sub_from(*g);
    }
}

super::meets_nothing!((D: Scalar, const K: usize) Seeds<D, K>);

impl<D: Scalar, const K: usize> Join<Seeds<D, K>> for Seeds<D, K> {
    type Output = Self;
    #[inline(always)]
    fn join(mut self, b: Self) -> Self {
        self.add_from(b);
        self
    }
}

impl<D: Scalar, const K: usize> Negate for Seeds<D, K> {
    #[inline(always)]
    fn negate(mut self) -> Self {
        for g in &mut self.0 {
            *g = g.negate();
        }
        self
    }
}

impl<T: Rules, D: Pull<T, Output = D> + Copy, const K: usize> Pull<T> for Seeds<D, K> {
    type Output = Self;
    #[inline(always)]
    fn pull(mut self, d: T) -> Self {
        for g in &mut self.0 {
            *g = g.pull(d);
        }
        self
    }
}

impl<T: Rules, D: Times<T> + Copy, const K: usize> Times<T> for Seeds<D, K> {
    #[inline(always)]
    fn times(mut self, d: T) -> Self {
        for t in &mut self.0 {
            *t = t.times(d);
        }
        self
    }
}

impl<T: Rules, D: Push<T, Output = D> + Copy, const K: usize> Push<T> for Seeds<D, K> {
    type Output = Self;
    #[inline(always)]
    fn push(mut self, d: T) -> Self {
        for t in &mut self.0 {
            *t = t.push(d);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::private::{Shadowed, Zero, pull};

    #[test]
    fn a_partial_acts_on_every_seed() {
        assert_eq!(pull(Seeds([1.0, -2.0]), 3.0), Seeds([3.0, -6.0]));
        assert_eq!(pull(Seeds([1.0, -2.0]), 3.0_f32), Seeds([3.0, -6.0]));
        assert_eq!(<Seeds<f64, 2> as Shadow<f64>>::one(), Seeds([1.0, 1.0]));
    }

    #[test]
    fn a_vector_of_numbers_is_shadowed_by_a_vector_of_seeds() {
        let zeros: Vec<Seeds<f64, 2>> = vec![1.0, 2.0, 3.0].zero_shadow(Zero::Plain);
        assert_eq!(zeros, [Seeds([0.0, 0.0]); 3]);
    }
}
