//! What a variable is now, for later: a copy of it, and how large it is.

use crate::active::Active;
use crate::check::Compare;

/// A variable that is asked about.
#[derive(Debug)]
pub struct Asked<'a, T: ?Sized>(pub &'a T);

/// The variable as it is now, where it can be copied.
pub trait KeepByClone {
    /// The type of the variable.
    type Kept;
    /// The copy.
    fn keep(&self) -> Option<Self::Kept>;
}

impl<T: Clone> KeepByClone for &Asked<'_, T> {
    type Kept = T;
    #[inline(always)]
    fn keep(&self) -> Option<T> {
        Some(self.0.clone())
    }
}

/// The second choice: nothing is kept.
pub trait KeepNothing {
    /// The type of the variable.
    type Kept;
    /// No copy.
    fn keep(&self) -> Option<Self::Kept>;
}

impl<T> KeepNothing for Asked<'_, T> {
    type Kept = T;
    #[inline(always)]
    fn keep(&self) -> Option<T> {
        None
    }
}

/// The largest magnitude in a variable, by `Compare`.
pub trait MagnitudeByCompare {
    /// It.
    fn magnitude(&self) -> f64;
}

impl<T: Compare + ?Sized> MagnitudeByCompare for &&Asked<'_, T> {
    #[inline(always)]
    fn magnitude(&self) -> f64 {
        self.0.magnitude()
    }
}

/// The second choice: number by number.
pub trait MagnitudeByNumbers {
    /// The largest magnitude in a variable.
    fn magnitude(&self) -> f64;
}

impl<T: Active<Number: Compare> + ?Sized> MagnitudeByNumbers for &Asked<'_, T> {
    #[inline]
    fn magnitude(&self) -> f64 {
        let mut largest = 0.0;
        self.0.visit(&mut |number| largest = f64::max(largest, number.magnitude()));
        largest
    }
}

/// The last choice: exact types have none.
pub trait NoMagnitude {
    /// Zero.
    fn magnitude(&self) -> f64;
}

impl<T: ?Sized> NoMagnitude for Asked<'_, T> {
    #[inline(always)]
    fn magnitude(&self) -> f64 {
        0.0
    }
}

/// `keep!(&x)`: a copy of `x`, if there can be one.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_keep {
    ($variable:expr) => {{
        #[allow(unused_imports, reason = "the type of the variable decides which of them is used")]
        use $crate::private::{KeepByClone as _, KeepNothing as _};
        if $crate::private::COMPARED {
            (&&$crate::private::Asked($variable)).keep()
        } else {
            ::core::option::Option::None
        }
    }};
}
pub use __retrograd_keep as keep;

/// `magnitude!(&x)`: the largest magnitude of a float in `x`.
#[doc(hidden)]
#[macro_export]
macro_rules! __retrograd_magnitude {
    ($variable:expr) => {{
        #[allow(unused_imports, reason = "the type of the variable decides which of them is used")]
        use $crate::private::{MagnitudeByCompare as _, MagnitudeByNumbers as _, NoMagnitude as _};
        if $crate::private::COMPARED { (&&&$crate::private::Asked($variable)).magnitude() } else { 0.0 }
    }};
}
pub use __retrograd_magnitude as magnitude;
