//! `#[constant] let` in programs over any number: where the numbers carry derivatives themselves, as those of a Hessian do, these end there.

use crate::Active;
use crate::shadow::Number;

/// A value that a `#[constant] let` names.
pub struct Held<V>(pub Option<V>);

impl<V> Held<V> {
    fn take(&mut self) -> V {
        self.0.take().expect("it is asked for once")
    }
}

/// What numbers are visited in.
pub trait HeldNumbers {
    /// The value.
    type Value;
    /// The value without the derivatives of its numbers.
    fn held(&mut self) -> Self::Value;
}

impl<V: Active<Number: Number>> HeldNumbers for &mut &mut Held<V> {
    type Value = V;

    #[inline(always)]
    fn held(&mut self) -> V {
        let mut value = self.take();
        if V::Number::CARRIES_DERIVATIVES {
            value.visit_mut(&mut |number| *number = Number::held(*number));
        }
        value
    }
}

/// A reference to such: what is behind it cannot be changed.
pub trait HeldReference {
    /// The reference.
    type Value;
    /// The reference, if there are no derivatives behind it.
    fn held(&mut self) -> Self::Value;
}

impl<'a, V: Active<Number: Number> + ?Sized> HeldReference for &mut Held<&'a V> {
    type Value = &'a V;

    #[inline(always)]
    #[track_caller]
    fn held(&mut self) -> &'a V {
        assert!(
            !V::Number::CARRIES_DERIVATIVES,
            "a `#[constant] let` refers to numbers that carry derivatives, as those of a Hessian do, and cannot keep these out; name a copy: \
             `#[constant] let t = x.to_vec();`"
        );
        self.take()
    }
}

/// Anything else.
pub trait HeldAnything {
    /// The value.
    type Value;
    /// The value.
    fn held(&mut self) -> Self::Value;
}

impl<V> HeldAnything for Held<V> {
    type Value = V;

    #[inline(always)]
    fn held(&mut self) -> V {
        self.take()
    }
}

/// The value that a `#[constant] let` names. rustc takes the first of the three that there is for its type.
#[doc(hidden)]
#[macro_export]
macro_rules! __held {
    ($value:expr) => {{
        #[allow(unused_imports, reason = "the type of the value decides which of them is used")]
        use $crate::private::{HeldAnything as _, HeldNumbers as _, HeldReference as _};
        (&mut &mut &mut $crate::private::Held(::core::option::Option::Some($value))).held()
    }};
}

pub use crate::__held as held;
