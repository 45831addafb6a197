//! Containers of which the language knows how their elements lie: different indices mean different elements, a length does not
//! depend on what the elements are, and a loop goes through them in the order of their indices.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use crate::{InformationBuffer, Slots, Stack};

/// In this container different indices mean different elements, so `x[i] += x[j]` can be undone where `i` is not `j`.
///
/// So it is in slices, arrays, `Vec`, `VecDeque`, [`Slots`] and matrices. What changes elements of a container of your own asks you
/// to say so:
///
/// ```
/// use retrograd::{ops::Indexed, prelude::*};
/// use std::ops::{Index, IndexMut};
///
/// struct Row(Vec<f64>);
///
/// impl Index<usize> for Row {
///     type Output = f64;
///     fn index(&self, i: usize) -> &f64 {
///         &self.0[i]
///     }
/// }
///
/// impl IndexMut<usize> for Row {
///     fn index_mut(&mut self, i: usize) -> &mut f64 {
///         &mut self.0[i]
///     }
/// }
///
/// impl Indexed for Row {}
///
/// #[reversible(derivatives = "never")]
/// fn add(row: &mut Row, i: usize) {
///     row[i] += row[i + 1];
/// }
///
/// let mut row = Row(vec![1.0, 2.0]);
/// add(&mut row, 0);
/// add::uncall(&mut row, 0);
/// assert_eq!(row.0, [1.0, 2.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "different indices into `{Self}` are not known to mean different elements",
    label = "elements are changed here",
    note = "if they do, and the type is yours, say so: `impl retrograd::ops::Indexed for {Self} {{}}`",
    note = "otherwise change the elements of a slice, which the program can be given as an argument"
)]
pub trait Indexed {}

/// The length and the shape of this value do not depend on what its elements are, so changing these changes no `len()`.
///
/// So it is for slices, arrays, the containers of the standard library, [`Stack`], [`Slots`] and matrices. For a type of your own:
/// `impl retrograd::ops::Shaped for Type {}`.
#[diagnostic::on_unimplemented(
    message = "`len`, `shape` and their kin are not known to be independent of the elements of `{Self}`, which may be changed",
    label = "its elements may be changed while this is read",
    note = "if they count elements, and the type is yours, say so: `impl retrograd::ops::Shaped for {Self} {{}}`",
    note = "if they compute something else, such as a Euclidean length, give the method another name"
)]
pub trait Shaped {}

/// A loop over this container goes through `x[0]`, `x[1]`, .., as often as `x.len()` says, whether it is written with `iter`, `iter_mut`,
/// `chunks_exact`, `windows`, or as `for a in &x`.
///
/// So it is for slices, arrays, `Vec`, `VecDeque` and matrices. The derivative of a loop reaches the elements by their indices, so one
/// over a container of your own asks you to say so:
///
/// ```
/// use retrograd::{ops::Ordered, prelude::*};
/// use std::ops::Index;
///
/// #[derive(Active)]
/// struct Signal<T> {
///     samples: Vec<T>,
/// }
///
/// impl<T> Signal<T> {
///     fn len(&self) -> usize {
///         self.samples.len()
///     }
///
///     fn iter(&self) -> std::slice::Iter<'_, T> {
///         self.samples.iter()
///     }
/// }
///
/// impl<T> Index<usize> for Signal<T> {
///     type Output = T;
///     fn index(&self, i: usize) -> &T {
///         &self.samples[i]
///     }
/// }
///
/// # impl<T> std::ops::IndexMut<usize> for Signal<T> {
/// #     fn index_mut(&mut self, i: usize) -> &mut T {
/// #         &mut self.samples[i]
/// #     }
/// # }
/// impl<T> Ordered for Signal<T> {}
///
/// #[reversible]
/// fn energy(signal: &Signal<f64>) -> f64 {
///     let mut sum = 0.0;
///     for s in signal.iter() {
///         sum += s * s;
///     }
///     sum
/// }
///
/// let (_, gradient) = energy::gradient(&Signal { samples: vec![1.0, 2.0] });
/// assert_eq!(gradient.samples, [2.0, 4.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "a loop over `{Self}` is not known to go through its elements in the order of their indices",
    label = "its elements are gone through here, and a derivative flows through them",
    note = "if it goes through `x[0]`, `x[1]`, .. up to `x.len()`, and the type is yours, say so: `impl retrograd::ops::Ordered for {Self} {{}}`",
    note = "otherwise loop over the indices, or over a slice that the type lends"
)]
pub trait Ordered {}

macro_rules! all {
    ($(($($generics:tt)*) $type:ty;)*) => {$(
        impl<$($generics)*> Indexed for $type {}
        impl<$($generics)*> Shaped for $type {}
        impl<$($generics)*> Ordered for $type {}
    )*};
}

all! {
    (T) [T]; (T, const N: usize) [T; N]; (T) Vec<T>; (T) VecDeque<T>;
}

impl<K, T> Indexed for Slots<K, T> {}
impl<K, T> Shaped for Slots<K, T> {}

macro_rules! shaped {
    ($(($($generics:tt)*) $type:ty;)*) => {$(impl<$($generics)*> Shaped for $type {})*};
}

shaped! {
    () str; () String; (T) Stack<T>; () InformationBuffer; (T: Shaped + ?Sized) Rc<T>; (T: Shaped + ?Sized) Arc<T>;
    (K, V, S) HashMap<K, V, S>; (K, S) HashSet<K, S>; (K, V) BTreeMap<K, V>; (K) BTreeSet<K>;
}

macro_rules! behind {
    ($($type:ty;)*) => {$(
        impl<T: Indexed + ?Sized> Indexed for $type {}
        impl<T: Shaped + ?Sized> Shaped for $type {}
        impl<T: Ordered + ?Sized> Ordered for $type {}
    )*};
}

behind! {
    &T; &mut T; Box<T>;
}

impl<T: Ordered + ?Sized> Ordered for Rc<T> {}
impl<T: Ordered + ?Sized> Ordered for Arc<T> {}
