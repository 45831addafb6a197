//! The derivative runs of `allocate` and `free`: the slots of the derivatives come and go with those of the values.

use std::fmt::Debug;

use super::Slots;
use crate::Active;
use crate::check::Compare;
use crate::shadow::{AdjointArg, Scalar, Shadowed, Sweep, Zero, moves};

/// The adjoint or tangent of a value.
type ShadowOf<T> = <T as Active>::Shadow;

/// The scalar shadow of a value that is made of one type of numbers.
type ScalarOf<T> = <<T as Active>::Number as Active>::Shadow;

/// `allocate`: a new slot has a constant, so its derivative is zero, or what a run that is undone has dropped.
#[track_caller]
fn allocate_both<K, T, S>(slots: &mut Slots<K, T>, shadows: impl AdjointArg<Slots<K, T>, S>, key: K)
where
    K: Ord + Clone + Debug,
    T: Default + Compare + Shadowed<S>,
{
    let mut keep = shadows.keep(slots);
    slots.allocate(key.clone());
    let shadows = shadows.reach(&mut keep);
    let shadow = shadows.dropped.give_back().unwrap_or_else(|| slots.index_of(&key).zero_shadow(Zero::Plain));
    shadows.insert(key, shadow);
}

/// `free`: the slot had a constant, and its derivative is dropped; it is kept for the case that the run is undone.
#[track_caller]
fn free_both<K, T, S>(slots: &mut Slots<K, T>, shadows: impl AdjointArg<Slots<K, T>, S>, key: K)
where
    K: Ord + Clone + Debug,
    T: Default + Compare + Shadowed<S>,
{
    let mut keep = shadows.keep(slots);
    let zero = slots.get(&key).map(|value| value.zero_shadow(Zero::Plain));
    slots.free(key.clone());
    if let Some(zero) = zero {
        shadows.reach(&mut keep).drop_slot(&key, zero);
    }
}

macro_rules! runs {
    ($($(#[$doc:meta])* $public:ident, $hidden:ident = $both:ident;)*) => {
        impl<K: Ord + Clone + Debug, T: Default + Compare> Slots<K, T> {
            $(
                $(#[$doc])*
                #[track_caller]
                pub fn $public(&mut self, shadow: &mut Slots<K, ShadowOf<T>>, key: K)
                where
                    T: Active<Number: Active<Shadow: Sized>, Shadow: Sized>,
                    T: Shadowed<ScalarOf<T>, Shadow = ShadowOf<T>, Owned = ShadowOf<T>>,
                {
                    $both::<K, T, ScalarOf<T>>(self, shadow, key);
                }

                #[doc(hidden)]
                #[track_caller]
                pub fn $hidden<S: Scalar>(
                    &mut self,
                    _sweep: Sweep<S>,
                    shadow: impl AdjointArg<Slots<K, T>, S>,
                    key: K,
                    _no_shadow: impl Sized,
                ) where
                    T: Shadowed<S>,
                {
                    const { moves::<T, S>() };
                    $both(self, shadow, key);
                }
            )*
        }
    };
}

runs! {
    /// Undoes [`allocate`](Slots::allocate), with adjoints: that of the slot is dropped, since the slot began with a constant.
    ///
    /// ```
    /// use retrograd::Slots;
    ///
    /// let (mut slots, mut adjoints) = (Slots::from_iter([(7, 0.0)]), Slots::from_iter([(7, 2.5)]));
    /// slots.pullback_allocate(&mut adjoints, 7);
    /// assert!(slots.is_empty() && adjoints.is_empty());
    /// ```
    pullback_allocate, __pullback_allocate = free_both;
    /// [`allocate`](Slots::allocate), with adjoints: that of the new slot is zero.
    unpullback_allocate, __unpullback_allocate = allocate_both;
    /// [`allocate`](Slots::allocate), with tangents: that of the new slot is zero.
    ///
    /// ```
    /// use retrograd::Slots;
    ///
    /// let (mut slots, mut tangents) = (Slots::<u32, f64>::new(), Slots::new());
    /// slots.pushforward_allocate(&mut tangents, 7);
    /// assert_eq!((slots[7], tangents[7]), (0.0, 0.0));
    /// ```
    pushforward_allocate, __pushforward_allocate = allocate_both;
    /// Undoes [`pushforward_allocate`](Slots::pushforward_allocate).
    unpushforward_allocate, __unpushforward_allocate = free_both;
    /// Undoes [`free`](Slots::free), with adjoints: that of the slot is zero.
    pullback_free, __pullback_free = allocate_both;
    /// [`free`](Slots::free), with adjoints: that of the slot is dropped.
    unpullback_free, __unpullback_free = free_both;
    /// [`free`](Slots::free), with tangents: that of the slot is dropped.
    pushforward_free, __pushforward_free = free_both;
    /// Undoes [`pushforward_free`](Slots::pushforward_free).
    unpushforward_free, __unpushforward_free = allocate_both;
}

/// Generated code asks whether a method has derivative runs.
impl<K, T> Slots<K, T> {
    #[doc(hidden)]
    #[inline(always)]
    pub fn __allocate_with_reversible_on_its_impl(&mut self) -> &mut Self {
        self
    }
    #[doc(hidden)]
    #[inline(always)]
    pub fn __free_with_reversible_on_its_impl(&mut self) -> &mut Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shadow::NoShadow;

    #[test]
    fn the_slots_of_the_derivatives_come_and_go_with_those_of_the_values() {
        let (mut slots, mut shadows) = (Slots::<u8, [f64; 2]>::new(), Slots::new());
        slots.pullback_free(&mut shadows, 1);
        slots.pullback_free(&mut shadows, 2);
        shadows[2] = [3.0, 4.0];
        slots.unpullback_free(&mut shadows, 1);
        assert_eq!((slots.len(), shadows.len(), shadows[2]), (1, 1, [3.0, 4.0]));
        slots.__pullback_allocate(Sweep::<f64>::new(), NoShadow, 2, NoShadow);
        assert!(slots.is_empty() && shadows.contains_key(&2));
    }
}
