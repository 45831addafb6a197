//! Matrices and vectors of other crates, each behind a feature of the same name: `faer`, `nalgebra`, `ndarray`.
//!
//! A type that owns its elements can be an argument of a program, is indexed there as usual, `a[(i, j)]`, and has a shadow of its
//! own kind. Elements come in the order of the crate's own iterators: row by row in `ndarray`, column by column in `faer` and
//! `nalgebra`.
//!
//! Shadows are only stored: nothing here makes the other crate compute with them.

#[cfg(feature = "faer")]
mod faer;
#[cfg(feature = "nalgebra")]
mod nalgebra;
#[cfg(feature = "ndarray")]
mod ndarray;
mod recording;

use std::fmt::Debug;

use crate::check::{Compare, Report};
use crate::shadow::Misfit;

/// An index as it is written: a number for one dimension, a tuple for more.
struct Place(Vec<usize>);

impl Debug for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0[..] {
            [index] => index.fmt(f),
            indices => indices.iter().fold(&mut f.debug_tuple(""), |tuple, index| tuple.field(index)).finish(),
        }
    }
}

/// How the elements of a container are reached.
trait Elements {
    type Element;

    fn elements<'a>(&'a self) -> impl Iterator<Item = &'a Self::Element>
    where
        Self::Element: 'a;
    fn elements_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut Self::Element>
    where
        Self::Element: 'a;
    /// The index of the `k`th element.
    fn place(&self, k: usize) -> Place;
    /// The lengths of the container, each with the part that has it: `.column(0)` is as long as there are rows.
    fn lengths(&self) -> Vec<(String, usize)>;
}

/// A container of the same shape with other elements.
trait Like<B>: Elements {
    type Container;
    fn map_elements(&self, f: impl FnMut(&Self::Element) -> B) -> Self::Container;
}

/// The first length in which two shapes differ.
fn different(expected: &impl Elements, actual: &impl Elements) -> Option<Misfit> {
    let (expected, actual) = (expected.lengths(), actual.lengths());
    let dimensions = Misfit::of_lengths(expected.len(), actual.len()).map(|misfit| misfit.within(".shape()"));
    let mut pairs = expected.into_iter().zip(actual);
    let lengths =
        pairs.find_map(|((path, expected), (_, actual))| Some(Misfit::of_lengths(expected, actual)?.within(path)));
    dimensions.or(lengths)
}

/// The first misfit of a shadow: in the shape, or in an element.
fn misfit<V: Elements, W: Elements>(
    value: &V,
    shadow: &W,
    element: impl Fn(&V::Element, &W::Element) -> Option<Misfit>,
) -> Option<Misfit> {
    different(value, shadow).or_else(|| {
        let mut pairs = value.elements().zip(shadow.elements()).enumerate();
        pairs.find_map(|(k, (one, other))| Some(element(one, other)?.within(format_args!("[{:?}]", value.place(k)))))
    })
}

/// Goes through two derivatives of one shape together.
#[track_caller]
fn together<'g, V: Elements, W: Elements<Element: 'g>>(
    to: &mut V,
    from: &'g W,
    mut step: impl FnMut(&mut V::Element, &'g W::Element),
) {
    if let Some(Misfit { path, expected, actual }) = different(to, from) {
        let (expected, actual) = (expected.length(), actual.length());
        panic!("a derivative with `{path}` of length {actual} meets one of length {expected}")
    }
    to.elements_mut().zip(from.elements()).for_each(|(to, from)| step(to, from));
}

/// Compares element by element. Where the shapes differ, that is the one thing reported.
fn compare<V: Elements<Element: Compare>>(expected: &V, actual: &V, report: &mut Report) {
    if let Some(Misfit { path, expected, actual }) = different(expected, actual) {
        let (expected, actual) = (expected.length(), actual.length());
        return report.field(format!("{path}.len()").trim_start_matches('.'), &expected, &actual);
    }
    for (k, (element, actual)) in expected.elements().zip(actual.elements()).enumerate() {
        report.element(expected.place(k), element, actual);
    }
}

/// Makes `$name<A, ..>` active, for every element `A` that is. Its other parameters come first, each with a comma.
#[allow(unused_macros)]
macro_rules! adapter {
    ($(($($generics:tt)*) $name:ident<A $(, $argument:ident)*>;)*) => {$(
        impl<A: Active<Shadow: Sized>, $($generics)*> Active for $name<A $(, $argument)*> {
            type Shadow = $name<A::Shadow $(, $argument)*>;
            type Number = A::Number;

            fn visit(&self, visit: &mut dyn FnMut(&A::Number)) {
                self.elements().for_each(|element| element.visit(visit));
            }
            fn visit_mut(&mut self, visit: &mut dyn FnMut(&mut A::Number)) {
                self.elements_mut().for_each(|element| element.visit_mut(visit));
            }
        }

        impl<A: Shadowed<S>, S, $($generics)*> Shadowed<S> for $name<A $(, $argument)*> {
            type Shadow = $name<A::Owned $(, $argument)*>;
            type Owned = $name<A::Owned $(, $argument)*>;

            fn zero_shadow(&self, zero: Zero) -> Self::Owned {
                self.map_elements(|element| element.zero_shadow(zero))
            }
            fn misfit(&self, shadow: &Self::Shadow) -> Option<Misfit> {
                misfit(self, shadow, |element, shadow| element.misfit(shadow.borrow()))
            }
            fn scalars(shadow: &Self::Shadow, visit: &mut dyn FnMut(&S)) {
                shadow.elements().for_each(|element| A::scalars(element.borrow(), visit));
            }
            fn scalars_mut(shadow: &mut Self::Shadow, visit: &mut dyn FnMut(&mut S)) {
                shadow.elements_mut().for_each(|element| A::scalars_mut(element.borrow_mut(), visit));
            }
        }

        crate::__shadowed_reference! { [A, $($generics)*] S, $name<A $(, $argument)*> }
        crate::__shadowed_box! { [A, $($generics)*] S, $name<A $(, $argument)*> }

        impl<'g, A: AddFrom<&'g G>, G, $($generics)*> AddFrom<&'g $name<G $(, $argument)*>> for $name<A $(, $argument)*> {
            type Lost = A::Lost;
            #[track_caller]
            fn add_from(&mut self, g: &'g $name<G $(, $argument)*>) {
                together(self, g, A::add_from);
            }
            #[track_caller]
            fn sub_from(&mut self, g: &'g $name<G $(, $argument)*>) {
                together(self, g, A::sub_from);
            }
        }

        impl<A: AddFrom<G>, G: Clone, $($generics)*> AddFrom<$name<G $(, $argument)*>> for $name<A $(, $argument)*> {
            type Lost = A::Lost;
            #[track_caller]
            fn add_from(&mut self, g: $name<G $(, $argument)*>) {
                together(self, &g, |to, from| to.add_from(from.clone()));
            }
            #[track_caller]
            fn sub_from(&mut self, g: $name<G $(, $argument)*>) {
                together(self, &g, |to, from| to.sub_from(from.clone()));
            }
        }

        impl<A, $($generics)*> crate::ops::Indexed for $name<A $(, $argument)*> {}
        impl<A, $($generics)*> crate::ops::Shaped for $name<A $(, $argument)*> {}
        impl<A, $($generics)*> crate::ops::Ordered for $name<A $(, $argument)*> {}
        impl<A, $($generics)*> crate::private::Totals for $name<A $(, $argument)*> {}
        impl<A: crate::private::PlainCopy, $($generics)*> crate::private::PlainCopy for $name<A $(, $argument)*> {}
        impl<A: crate::Linear, $($generics)*> crate::Linear for $name<A $(, $argument)*> {}
        impl<A: crate::ops::AddUpdate, E, $($generics)*> crate::ops::AddUpdate<E> for $name<A $(, $argument)*> {}
        impl<A: crate::ops::NegUpdate, $($generics)*> crate::ops::NegUpdate for $name<A $(, $argument)*> {}

        impl<A, $($generics)*> AddFrom<()> for $name<A $(, $argument)*> {
            type Lost = ();
            #[inline(always)]
            fn add_from(&mut self, _: ()) {}
            #[inline(always)]
            fn sub_from(&mut self, _: ()) {}
        }

        impl<A: Join<A, Output = A> + Clone, $($generics)*> Join<$name<A $(, $argument)*>> for $name<A $(, $argument)*> {
            type Output = Self;
            #[track_caller]
            fn join(mut self, b: Self) -> Self {
                together(&mut self, &b, |a, b| *a = a.clone().join(b.clone()));
                self
            }
        }

        impl<A, $($generics)*> Join<()> for $name<A $(, $argument)*> {
            type Output = Self;
            #[inline(always)]
            fn join(self, _: ()) -> Self {
                self
            }
        }

        impl<A: Negate + Clone, $($generics)*> Negate for $name<A $(, $argument)*> {
            fn negate(mut self) -> Self {
                self.elements_mut().for_each(|element| *element = element.clone().negate());
                self
            }
        }

        impl<A: crate::Recordable, $($generics)*> crate::Recordable for $name<A $(, $argument)*> {
            fn keep(&self, record: &mut crate::Record) {
                crate::adapters::recording::keep(self, record);
            }
            fn recall(record: &mut crate::Record) -> Self {
                crate::adapters::recording::recall(record)
            }
            fn keep_shape(&self, record: &mut crate::Record) {
                crate::adapters::recording::keep_shape(self, record);
            }
            fn recall_shape(record: &mut crate::Record) -> Self {
                crate::adapters::recording::recall_shape(record)
            }
        }

        impl<A: Compare, $($generics)*> Compare for $name<A $(, $argument)*> {
            fn compare(&self, actual: &Self, report: &mut Report) {
                compare(self, actual, report);
            }
        }
    )*};
}

#[allow(unused_imports, reason = "features decide whether it is used")]
use adapter;
