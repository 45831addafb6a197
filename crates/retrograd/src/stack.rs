//! Storage that returns what was stored, last in, first out.

mod derivatives;

use std::fmt::{self, Debug};
use std::mem;

use crate::check::{Compare, Mismatch, Report, first_mismatch};
use crate::record::recordable_fields;
use crate::shadow::Dropped;
use crate::site::Site;
use crate::{ErrorKind, Recordable};

/// A stack whose `push` and `pop` undo each other.
///
/// [`push`](Stack::push) moves a value out of its variable and leaves the default, which is zero
/// for numbers. [`pop`](Stack::pop) moves it back into a variable that is zero.
///
/// ```
/// use retrograd::Stack;
///
/// let (mut stack, mut x) = (Stack::new(), 1.5);
/// stack.push(&mut x);
/// assert_eq!((stack.as_slice(), x), (&[1.5][..], 0.0));
/// stack.pop(&mut x);
/// assert_eq!((stack.len(), x), (0, 1.5));
/// ```
#[derive(Clone)]
pub struct Stack<T> {
    values: Vec<T>,
    dropped: Dropped<T>,
}

impl<T> Stack<T> {
    /// An empty stack.
    pub const fn new() -> Stack<T> {
        Stack { values: Vec::new(), dropped: Dropped::none() }
    }

    /// An empty stack with room for `capacity` values.
    pub fn with_capacity(capacity: usize) -> Stack<T> {
        Stack { values: Vec::with_capacity(capacity), dropped: Dropped::none() }
    }

    /// How many values are on the stack.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether the stack is empty.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// How many values fit before memory is allocated.
    pub fn capacity(&self) -> usize {
        self.values.capacity()
    }

    /// The values from the bottom to the top.
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }

    pub(crate) fn values_mut(&mut self) -> &mut Vec<T> {
        &mut self.values
    }

    pub(crate) fn into_values(self) -> Vec<T> {
        self.values
    }

    pub(crate) fn in_order(&self) -> std::slice::Iter<'_, T> {
        self.values.iter()
    }

    pub(crate) fn in_order_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.values.iter_mut()
    }
}

impl<T: Default + Compare> Stack<T> {
    /// Moves `value` onto the stack and leaves its default behind.
    ///
    /// ```
    /// use retrograd::Stack;
    ///
    /// let (mut stack, mut x) = (Stack::new(), vec![1, 2]);
    /// stack.push(&mut x);
    /// assert_eq!((stack.len(), x), (1, vec![]));
    /// ```
    #[inline]
    pub fn push(&mut self, value: &mut T) {
        self.values.push(mem::take(value));
    }

    /// Moves the top of the stack into `target`, which must be zero.
    ///
    /// An empty stack raises [`EmptyStack`](ErrorKind::EmptyStack) in every build. A target that is
    /// not its type's default raises [`StackTarget`](ErrorKind::StackTarget) in checked builds.
    ///
    /// ```
    /// use retrograd::{ErrorKind, Stack, attempt};
    ///
    /// let (mut stack, mut x) = (Stack::from(vec![3, 4]), 0);
    /// stack.pop(&mut x);
    /// assert_eq!((stack.as_slice(), x), (&[3][..], 4));
    /// let error = attempt(|| Stack::new().pop(&mut x)).unwrap_err();
    /// assert_eq!((error.kind, x), (ErrorKind::EmptyStack, 4));
    /// ```
    #[inline]
    #[track_caller]
    pub fn pop(&mut self, target: &mut T) {
        let site = Site::caller("Stack::pop", "stack.pop(&mut x);");
        if cfg!(debug_assertions)
            && !self.is_empty()
            && let Some(found) = first_mismatch(&T::default(), target)
        {
            let variable = format!("x{}", found.path);
            site.fail(ErrorKind::StackTarget, variable, found.expected, found.actual);
        }
        match self.values.pop() {
            Some(value) => *target = value,
            None => site.fail(ErrorKind::EmptyStack, "stack", "at least one value", "none"),
        }
    }

    /// Undoes `push`.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    pub fn uncall_push(&mut self, value: &mut T) {
        self.pop(value);
    }

    /// Undoes `pop`.
    #[doc(hidden)]
    #[inline]
    pub fn uncall_pop(&mut self, target: &mut T) {
        self.push(target);
    }
}

impl<T: Debug> Debug for Stack<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stack").field("values", &self.values).finish()
    }
}

impl<T: PartialEq> PartialEq for Stack<T> {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl<T> Default for Stack<T> {
    fn default() -> Self {
        Stack::new()
    }
}

recordable_fields! {
    (T: Recordable) Stack<T> { values, dropped } "Stack" [T];
}

impl<T: Compare> Compare for Stack<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        self.values.compare(&actual.values, report);
    }

    const EXACT: bool = T::EXACT;

    #[inline]
    fn magnitude(&self) -> f64 {
        self.values.magnitude()
    }

    #[inline]
    fn drifts(&self, actual: &Self, scale: f64) -> bool {
        self.values.drifts(&actual.values, scale)
    }

    #[inline(always)]
    fn drift(&self, actual: &Self, scale: f64) -> Option<Mismatch> {
        self.values.drift(&actual.values, scale)
    }
}

impl<T> From<Vec<T>> for Stack<T> {
    /// A stack with the last element on top.
    fn from(values: Vec<T>) -> Self {
        Stack { values, dropped: Dropped::none() }
    }
}

impl<T> FromIterator<T> for Stack<T> {
    /// A stack with the last element on top.
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Stack::from(values.into_iter().collect::<Vec<T>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attempt;

    #[test]
    fn errors_point_at_the_caller_and_change_nothing() {
        let (mut empty, mut x) = (Stack::new(), [0.0, 0.5]);
        let (line, error) = (line!(), attempt(|| empty.uncall_push(&mut x)).unwrap_err());
        assert_eq!((error.line, error.file), (line, file!()));
        assert_eq!((error.kind, x), (ErrorKind::EmptyStack, [0.0, 0.5]));
        if cfg!(debug_assertions) {
            let mut stack = Stack::from(vec![[1.0, 2.0]]);
            let error = attempt(|| stack.pop(&mut x)).unwrap_err();
            assert_eq!((error.kind, &*error.variable), (ErrorKind::StackTarget, "x[1]"));
            assert_eq!((&*error.expected, &*error.actual), ("0.0", "0.5"));
            assert_eq!((stack.len(), x), (1, [0.0, 0.5]));
        }
    }

    #[test]
    fn a_float_target_is_zero_within_the_tolerance() {
        let (mut stack, mut x) = (Stack::from(vec![7.0]), 1e-12);
        stack.pop(&mut x);
        assert_eq!(x, 7.0);
    }
}
