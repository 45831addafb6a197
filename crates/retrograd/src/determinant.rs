//! The determinant of a reversible procedure: `f::log_det` and its kin.

use std::borrow::{Borrow, BorrowMut};

use crate::ErrorKind;
use crate::shadow::{Base, Shadowed, Volume, Weighted, Zero};
use crate::site::Site;

/// A determinant, as its sign and the logarithm of its absolute value.
///
/// `f::log_det(..)` runs a procedure and returns that of A = ∂f/∂x, the Jacobian over its changed arguments;
/// `f::uncall_log_det(..)` runs it backwards and returns that of A⁻¹.
///
/// ```
/// use retrograd::prelude::*;
/// use std::mem::swap;
///
/// #[reversible]
/// fn scale_and_swap(a: &mut f64, b: &mut f64, by: f64) {
///     *a *= by;
///     *b += *a;
///     swap(a, b);
/// }
///
/// let (mut a, mut b) = (1.0, 2.0);
/// let there = scale_and_swap::log_det(&mut a, &mut b, 3.0);
/// assert_eq!((there.sign, there.log_abs), (-1.0, 3.0_f64.ln()));
/// assert_eq!((a, b), (5.0, 3.0));
///
/// let back = scale_and_swap::uncall_log_det(&mut a, &mut b, 3.0);
/// assert!(back.sign == -1.0 && (there.log_abs + back.log_abs).abs() < 1e-15);
///
/// // The logarithm by the arguments: by / by.
/// scale_and_swap(&mut a, &mut b, 3.0);
/// let mut by = 0.0;
/// scale_and_swap::pullback_log_det((&mut a, &mut 0.0), (&mut b, &mut 0.0), (3.0, &mut by), 1.0);
/// assert!((by - 1.0 / 3.0).abs() < 1e-15);
/// ```
///
/// Arguments without derivatives, such as integers and those marked `#[constant]`, do not count. Permutations count in the sign. A factor of zero is an
/// [`InvertibilityError`](crate::InvertibilityError) in every build. Where values are put aside and
/// zeros left in their place, by `push`, `pop`, `allocate`, `free` and `cast`, the map has no determinant:
///
/// ```compile_fail,E0080
/// use retrograd::prelude::*;
///
/// #[reversible]
/// fn put_aside(stack: &mut Stack<f64>, x: &mut f64) {
///     stack.push(x);
/// }
///
/// put_aside::log_det(&mut Stack::new(), &mut 1.0);
/// ```
///
/// Nor is it found where a local ends with `release!`, because more than the factors of the arguments decides then:
///
/// ```compile_fail,E0080
/// use retrograd::prelude::*;
///
/// #[reversible]
/// fn by_hand(x: &mut f64) {
///     let mut a = 5.0;
///     swap(&mut a, x);
///     *x -= 2.0 * a;
///     release!(a == (5.0 - *x) / 2.0);
/// }
///
/// by_hand::log_det(&mut 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogDet<T = f64> {
    /// 1 or −1.
    pub sign: f64,
    /// log |det A|
    pub log_abs: T,
}

/// The determinant of one run, while it is found.
#[derive(Debug)]
pub struct Determinant<D> {
    function: &'static str,
    numbers: usize,
    /// Where each number of the arguments has come from, in the order in which they are looked at.
    origins: Vec<usize>,
    /// In which lanes it is negative.
    negative: u64,
    log_abs: D,
}

impl<D: Base> Determinant<D> {
    /// That of the procedure of this name.
    pub fn of(function: &'static str) -> Self {
        Determinant { function, numbers: 0, origins: Vec::new(), negative: 0, log_abs: D::zero() }
    }

    /// The volumes of an argument, each in its place.
    pub fn begin<V: Shadowed<Volume<D>> + ?Sized>(&mut self, value: &V) -> V::Owned {
        let mut shadow = value.zero_shadow(Zero::Plain);
        V::scalars_mut(shadow.borrow_mut(), &mut |volume| {
            volume.origin = Some(self.numbers);
            self.numbers += 1;
        });
        shadow
    }

    /// What has become of the argument `name`.
    ///
    /// # Panics
    ///
    /// If it was multiplied by zero, or if its place is not taken by one element of the arguments.
    #[track_caller]
    pub fn end<V: Shadowed<Volume<D>> + ?Sized>(&mut self, name: &'static str, shadow: &V::Owned) {
        V::scalars(shadow.borrow(), &mut |volume| {
            if !volume.regular {
                self.singular(name);
            }
            self.origins.extend(volume.origin);
            self.negative ^= volume.negative;
            self.log_abs.add_from(volume.log_abs);
        });
    }

    /// The determinant.
    ///
    /// # Panics
    ///
    /// If the arguments are not made of the elements that they were made of, or if the sign is not the same in all lanes.
    #[track_caller]
    pub fn finish(self) -> LogDet<D> {
        let Determinant { function, numbers, origins, negative, log_abs } = self;
        let Some(odd) = is_odd(numbers, origins) else {
            panic!(
                "`{function}` mixes the numbers of its arguments in a way that `log_det` cannot follow: a companion given by hand does not \
                 change them one after the other"
            )
        };
        let sign = match if odd { !negative } else { negative } {
            0 => 1.0,
            u64::MAX => -1.0,
            _ => Site::caller(function, "").fail(ErrorKind::LanesDiffer, "sign", "one sign in all lanes", "both signs"),
        };
        LogDet { sign, log_abs }
    }

    #[cold]
    #[track_caller]
    fn singular(&self, name: &'static str) -> ! {
        let (expected, actual) = ("factors that are finite and not zero", "one that is not");
        Site::caller(self.function, "").fail(ErrorKind::ZeroFactor, name, expected, actual)
    }
}

/// Whether an arrangement of `0..numbers` is an odd permutation; `None` if it is no permutation.
fn is_odd(numbers: usize, mut origins: Vec<usize>) -> Option<bool> {
    let mut seen = vec![false; numbers];
    let once = origins.iter().all(|origin| !std::mem::replace(&mut seen[*origin], true));
    if !once || origins.len() != numbers {
        return None;
    }
    let mut odd = false;
    for i in 0..numbers {
        while origins[i] != i {
            let j = origins[i];
            origins.swap(i, j);
            odd = !odd;
        }
    }
    Some(odd)
}

/// The weighted adjoints of a changed argument: `seed` is the adjoint of the logarithm.
pub fn weigh<V, D: Base>(
    value: &V,
    adjoint: &<V as Shadowed<D>>::Shadow,
    seed: D,
) -> <V as Shadowed<Weighted<D>>>::Owned
where
    V: Shadowed<D> + Shadowed<Weighted<D>> + ?Sized,
{
    let mut given = Vec::new();
    <V as Shadowed<D>>::scalars(adjoint, &mut |adjoint| given.push(*adjoint));
    let (mut weighted, mut given) = (Shadowed::<Weighted<D>>::zero_shadow(value, Zero::Plain), given.into_iter());
    <V as Shadowed<Weighted<D>>>::scalars_mut(weighted.borrow_mut(), &mut |weighted| {
        if let Some(adjoint) = given.next() {
            *weighted = Weighted { adjoint, weight: seed };
        }
    });
    weighted
}

/// The adjoints of an argument behind the run.
pub fn unweigh<V, D: Base>(weighted: &<V as Shadowed<Weighted<D>>>::Owned, adjoint: &mut <V as Shadowed<D>>::Shadow)
where
    V: Shadowed<D> + Shadowed<Weighted<D>> + ?Sized,
{
    let mut found = Vec::new();
    <V as Shadowed<Weighted<D>>>::scalars(weighted.borrow(), &mut |weighted| found.push(weighted.adjoint));
    let mut found = found.into_iter();
    <V as Shadowed<D>>::scalars_mut(adjoint, &mut |adjoint| {
        if let Some(found) = found.next() {
            *adjoint = found;
        }
    });
}
