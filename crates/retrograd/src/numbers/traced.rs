//! Numbers that record what is computed with them.

mod functions;
mod graph;
mod guard;
mod node;
mod operators;
mod record;

use std::cmp::Ordering;
use std::fmt;

pub use graph::Graph;
pub use guard::OtherBranch;
pub use node::Node;
use record::{Place, see};

use crate::Active;
use crate::check::{Compare, Report};
use crate::numbers::shadows::own_shadow;
use crate::ops::{MulUpdate, Site};
use crate::record::recordable_fields;

/// A number that records what is computed with it: run a program on `Traced` numbers in [`trace`], and get its
/// data-flow [`Graph`].
///
/// A literal is a constant, and so is whatever is computed from constants: it belongs to no graph. A number that depends on an input
/// belongs to the trace it was created in. Using it anywhere else, after the end of the trace, on another thread, or
/// together with numbers of another trace, panics and says so. Traces may be nested.
///
/// Comparisons look at the value, and the graph is that of the branches that were taken.
///
/// ```
/// use retrograd::{Real, Traced, trace};
///
/// let graph = trace(&[3.0, 4.0], |x| x[0].hypot(x[1]));
/// assert_eq!(graph.value(), 5.0);
/// assert_eq!(graph.gradient(), [0.6, 0.8]);
///
/// assert_eq!((Traced::lit(2.0) * Traced::lit(3.0)).value(), 6.0);
/// ```
#[derive(Clone, Copy)]
pub struct Traced {
    value: f64,
    place: Option<Place>,
}

impl Traced {
    /// A number that depends on nothing.
    ///
    /// ```
    /// use retrograd::Traced;
    ///
    /// assert_eq!(Traced::constant(2.0).value(), 2.0);
    /// ```
    #[inline(always)]
    pub fn constant(value: f64) -> Traced {
        Traced { value, place: None }
    }

    /// The value.
    ///
    /// ```
    /// use retrograd::trace;
    ///
    /// trace(&[3.0], |x| {
    ///     assert_eq!((x[0] * x[0]).value(), 9.0);
    ///     x[0]
    /// });
    /// ```
    #[track_caller]
    pub fn value(self) -> f64 {
        see(|[x, _]| x, self, self);
        self.value
    }

    /// The number of its node in the graph; `None` for a constant.
    ///
    /// ```
    /// use retrograd::{Traced, trace};
    ///
    /// trace(&[3.0, 4.0], |x| {
    ///     let y = x[0] * x[1];
    ///     assert_eq!((x[1].node(), y.node(), Traced::constant(1.0).node()), (Some(1), Some(2), None));
    ///     y
    /// });
    /// ```
    #[inline(always)]
    pub fn node(self) -> Option<usize> {
        self.place.map(|place| place.node as usize)
    }
}

/// Runs `program` on `x`, and records its data-flow graph.
///
/// The inputs are the first nodes of the graph. The outputs are the numbers in the result: one number, or an
/// array, a tuple or a vector of them.
///
/// ```
/// use retrograd::{Real, trace};
///
/// let graph = trace(&[0.5, 2.0, 1.0], |x| [x[0] * x[1], x[1].exp()]);
/// assert_eq!(graph.values(), [1.0, 2.0_f64.exp()]);
/// assert_eq!(graph.sparsity(), [vec![0, 1], vec![1]]);
/// ```
///
/// # Panics
///
/// If a result belongs to another trace, or if `program` panics.
#[track_caller]
pub fn trace<R: Active<Number = Traced>>(x: &[f64], program: impl FnOnce(&[Traced]) -> R) -> Graph {
    let recording = record::Recording::start(x);
    let inputs: Vec<Traced> =
        x.iter().enumerate().map(|(i, &value)| Traced { value, place: Some(recording.place(i)) }).collect();
    let outputs = program(&inputs).flatten();
    recording.finish(x.len(), outputs)
}

/// The constant zero.
impl Default for Traced {
    #[inline(always)]
    fn default() -> Self {
        Traced::constant(0.0)
    }
}

/// Compares values.
impl PartialEq for Traced {
    #[track_caller]
    fn eq(&self, other: &Self) -> bool {
        see(|[a, b]| f64::from(a == b), *self, *other);
        self.value == other.value
    }
}

/// A comparison by an operator, of which the program sees only how it comes out.
macro_rules! comparisons {
    ($($method:ident $operator:tt),*) => {$(
        #[track_caller]
        fn $method(&self, other: &Self) -> bool {
            see(|[a, b]| f64::from(a $operator b), *self, *other);
            self.value $operator other.value
        }
    )*};
}

/// Compares values.
impl PartialOrd for Traced {
    #[track_caller]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        see(|[a, b]| a.partial_cmp(&b).map_or(f64::NAN, |order| f64::from(order as i8)), *self, *other);
        self.value.partial_cmp(&other.value)
    }

    comparisons!(lt <, le <=, gt >, ge >=);
}

/// The value and its node: `Traced(9.0, node 2)`.
impl fmt::Debug for Traced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(place) => write!(f, "Traced({:?}, node {})", self.value, place.node),
            None => write!(f, "Traced({:?}, constant)", self.value),
        }
    }
}

/// The value.
impl fmt::Display for Traced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

recordable_fields! {
    () Traced { value, place };
}

/// Compares values.
impl Compare for Traced {
    fn compare(&self, actual: &Self, report: &mut Report) {
        self.value.compare(&actual.value, report);
    }
}

/// A factor can be divided out again if its value can.
impl MulUpdate for Traced {
    fn mul_update(&mut self, factor: Self, site: &Site, checked: bool) {
        self.value.clone().mul_update(factor.value, site, checked);
        *self *= factor;
    }

    fn div_update(&mut self, divisor: Self, site: &Site, checked: bool) {
        self.value.clone().div_update(divisor.value, site, checked);
        *self /= divisor;
    }
}

own_shadow!([] Traced, f64, held: |x| functions::held(x));

#[cfg(test)]
mod tests;
