//! `exchanges`, `moves_out` and `function_of_numbers`: whether a function is the `swap`, `take`, `replace`, `f64::sin` or `Real::sin` that
//! the language knows. Each function has a type of its own, and these are compared.

/// Takes one of the values that a statement exchanges, `swap` itself, and what the program calls by that name, in dead code.
#[inline(always)]
pub fn exchanges<T, S: Fn(&mut T, &mut T), N: Exchanges<S>>(_: &T, _: S, _: N) {}

/// The function that exchanges two values, and no other of that name.
#[diagnostic::on_unimplemented(
    message = "`swap` exchanges two values, and here it is the name of another function",
    label = "not the `swap` of the standard library",
    note = "if it is a `#[reversible]` procedure, call it by a whole path, `self::swap(..)` or `crate::module::swap(..)`, or give it another \
            name"
)]
pub trait Exchanges<S> {}

#[diagnostic::do_not_recommend]
impl<S> Exchanges<S> for S {}

/// Takes `std::mem::take` or `std::mem::replace`, and what the program calls by that name, in dead code.
pub fn moves_out<S, N: MovesOut<S>>(_: S, _: N) {}

/// The function that moves a value out of memory, and no other of that name.
#[diagnostic::on_unimplemented(
    message = "`take(&mut x)` and `replace(&mut x, e)` move a value out of memory, and here this is the name of another function",
    label = "not that of `std::mem`",
    note = "if it is a `#[reversible]` procedure, call it by a whole path, `self::take(..)` or `crate::module::take(..)`, or give it \
            another name"
)]
pub trait MovesOut<S> {}

#[diagnostic::do_not_recommend]
impl<S> MovesOut<S> for S {}

/// Takes a function of numbers, and what the program calls by that path, in dead code.
pub fn function_of_numbers<S, N: FunctionOfNumbers<S>>(_: S, _: N) {}

/// The function of that name that numbers have, and no other.
#[diagnostic::on_unimplemented(
    message = "this is the path of a function of numbers, and here it is that of another function",
    label = "not a function of the type",
    note = "a module has the name of the type, or a trait is called `Real`: give it another one"
)]
pub trait FunctionOfNumbers<S> {}

#[diagnostic::do_not_recommend]
impl<S> FunctionOfNumbers<S> for S {}
