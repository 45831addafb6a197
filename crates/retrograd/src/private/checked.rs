//! Types that have to be `Active`: rustc says once that one is not.

use std::marker::PhantomData;

use crate::shadow::Shadowed;

/// A type through which derivatives flow, in a sweep over `S`.
#[diagnostic::on_unimplemented(
    message = "no derivative flows through `{Self}`",
    label = "`{Self}` is not `Active`",
    note = "put `#[derive(Active)]` on a type of your own; or mark the parameter `#[constant]`; or, if nobody needs a derivative, \
            put `#[reversible(derivatives = \"never\")]` on the program"
)]
pub trait Differentiable<S> {}

#[diagnostic::do_not_recommend]
impl<T: Shadowed<S> + ?Sized, S> Differentiable<S> for T {}

/// Zero, for a type through which derivatives flow.
pub const fn differentiable<T: Differentiable<S> + ?Sized, S>() -> usize {
    0
}

/// Says about an ordinary function what it would have to be.
#[track_caller]
pub const fn ordinary(message: &str) -> usize {
    panic!("{}", message)
}

/// `T`, if the constant is [`differentiable`]. If that does not compile, rustc has said why, and is silent about this type.
pub type Checked<T, const ACTIVE: usize> = <[(); ACTIVE] as Same<T>>::Type;

/// Where a type comes from unchanged.
pub trait Same<T: ?Sized> {
    /// The type.
    type Type: ?Sized;
}

impl<T: ?Sized> Same<T> for [(); 0] {
    type Type = T;
}

// What stands for a type without derivatives.
impl<T: ?Sized> Same<T> for [(); 1] {
    type Type = ();
}

/// Asks whether derivatives flow through a type, in a sweep over `S`: `<Probe<T, S>>::INACTIVE` is 0 if they do, and 1 if not.
pub struct Probe<T: ?Sized, S>(PhantomData<(S, T)>);

impl<T: Shadowed<S> + ?Sized, S> Probe<T, S> {
    /// Derivatives flow through it. This constant goes before that of the trait.
    pub const INACTIVE: usize = 0;
}

/// What is asked where nothing else answers.
pub trait NotActive {
    /// No derivative flows through it.
    const INACTIVE: usize = 1;
}

impl<T: ?Sized, S> NotActive for Probe<T, S> {}
