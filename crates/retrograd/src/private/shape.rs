//! `shape!`: the shape of an argument as one number, for any type.
//!
//! As in `same`, the choice is made where the macro is expanded, by method lookup: what can be kept in a record has a shape, and the
//! shape of anything else is not known.

use super::Asked;
use crate::record::{HasShape, shape_of};

/// The shape of a value that can be kept.
pub trait ShapeByRecord {
    /// It.
    fn shape(&self) -> u64;
}

impl<T: HasShape + ?Sized> ShapeByRecord for &Asked<'_, T> {
    #[inline(always)]
    fn shape(&self) -> u64 {
        shape_of(self.0)
    }
}

/// The second choice: all values have the same shape.
pub trait ShapeUnknown {
    /// Always the same.
    fn shape(&self) -> u64;
}

impl<T: ?Sized> ShapeUnknown for Asked<'_, T> {
    #[inline(always)]
    fn shape(&self) -> u64 {
        0
    }
}

/// `shape!(&x)`: the shape of `x`, if it is known.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_shape {
    ($variable:expr) => {{
        #[allow(unused_imports, reason = "the type of the variable decides which of them is used")]
        use $crate::private::{ShapeByRecord as _, ShapeUnknown as _};
        (&&$crate::private::Asked($variable)).shape()
    }};
}
pub use __retrograd_shape as shape;

#[cfg(test)]
mod tests {
    use super::shape;
    use crate::Real;

    struct Unknown;

    #[test]
    fn what_can_be_kept_has_a_shape() {
        fn of<T: Real>(x: &[T]) -> u64 {
            shape!(x)
        }
        assert_eq!(of(&[1.0, 2.0]), of(&[3.0, 4.0]));
        assert_ne!(of(&[1.0, 2.0]), of(&[1.0]));
        assert_ne!(shape!(&Some(1.0)), shape!(&None::<f64>));
        assert_eq!(shape!(&Unknown), shape!(&[Unknown][..]));
    }
}
