//! Bounds that nothing satisfies: what a companion that does not exist says to its caller.

use crate::shadow::{Number, Shadow, Shadowed};

/// Declares such a bound, with what is said about the program `{Self}`.
macro_rules! absent {
    ($($(#[$doc:meta])* $name:ident: $message:literal, $label:literal, $note:literal;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        pub trait $name {}
    )*};
}

absent! {
    /// A gradient belongs to a value.
    Value:
        "`{Self}` is a procedure: it changes its arguments, and has no value that could have a gradient",
        "not for a procedure",
        "its derivatives are `{Self}::pullback(..)` and `{Self}::pushforward(..)`, with a pair `(x, dx)` for each active argument; \
         or write a function that gives a number";
    /// A gradient belongs to one number.
    OneOfSeveralNumbers:
        "`{Self}` gives several numbers, and a gradient belongs to one",
        "not for several numbers",
        "the gradients of all of them are the rows of `{Self}::jacobian(..)`; for a sum of them, with weights, there is \
         `{Self}::pullback(.., seed)`";
    /// A Jacobian belongs to several numbers.
    SeveralNumbers:
        "`{Self}` gives one number, and a Jacobian belongs to several",
        "not for one number",
        "write `{Self}::gradient(..)`";
    /// Second derivatives need a program for every number type.
    AnyNumber:
        "second derivatives run on dual numbers, and `{Self}` is not for all numbers",
        "not for this function",
        "make it generic in one `T: Real`, without a `where` clause, that its value and all its active arguments are made of, by arrays, \
         slices and references to structs; mark other numbers `#[constant]`";
    /// Derivatives of a value belong to numbers.
    Numbers:
        "the value of `{Self}` is not written as a number, nor as an array or tuple of numbers",
        "not for a value of this type",
        "write `{Self}::pullback(.., seed)`, with a seed in the shape of the value, or `{Self}::pushforward(..)`";
    /// A gradient over data points belongs to parameters that all of them share.
    DataPoints:
        "`{Self}` does not say what data points share, and what each of them has for itself",
        "not for this function",
        "write a function of one `T: Real`, with no other bound and no lifetimes, that gives a `T`: parameters behind references, as `&Shared<T>`, `&[Shared<T>; N]` or \
         `&[Shared<T>]`, and data as `T` or `&[T; N]`";
    /// The rows of a Jacobian have one size.
    Rows:
        "the runs of the kernel `{Self}` have no rows of one size, which a Jacobian could consist of",
        "not for this kernel",
        "each run changes numbers, or arrays and tuples of at most 64 of them, at its own index: `y[i] += ..`; and what it reads, and derivatives flow \
         through, has indices that depend on `i` and on data alone, `x[j[i]]`, or is a row whose size is a number, `x[i * 3 + k]`; write arrays as elements, \
         or run `{Self}::pullback_over(..)`, which adds up";
    /// A program marked `derivatives = "never"` has none.
    Derivatives:
        "`{Self}` is marked `#[reversible(derivatives = \"never\")]`, and a derivative would have to flow through it",
        "this has no derivatives",
        "take the mark off; or, if the caller needs no derivatives either, put it on the caller too";
    /// What keeps a record has to be called by what keeps one.
    Caller:
        "`{Self}` keeps a record, and the program that calls it here keeps none",
        "this is undone by its record",
        "put `#[reversible(record)]` on the program that calls it";
    /// A type that implements a trait with a record keeps one too.
    InTraitWithRecord:
        "the trait keeps a record of what its procedures lose, and this `impl` of it does not",
        "this `impl` keeps no record",
        "put `#[reversible(record)]` on the `impl`; or leave `record` out at the trait and at all its `impl`s";
    /// A type that implements a trait without a record keeps none.
    InTraitWithoutRecord:
        "this `impl` keeps a record of what its procedures lose, and the trait does not say that they have one",
        "this `impl` keeps a record",
        "put `#[reversible(record)]` on the trait and on all its `impl`s; or leave `record` out here";
    /// What loses information cannot be run backwards without its record.
    OneToOne:
        "`{Self}` keeps a record of what it loses: it is not one-to-one, and its Jacobian may be singular",
        "not for a procedure with a record",
        "there are `{Self}::pushforward(..)`, and behind `{Self}::recorded(.., &mut record)` also `{Self}::uncall(.., &mut record)` and \
         `{Self}::pullback(.., &mut record)`";
}

/// An `impl` of which the procedures have a record.
#[derive(Debug)]
pub struct WithRecord;

#[diagnostic::do_not_recommend]
impl InTraitWithRecord for WithRecord {}

/// An `impl` of which the procedures have none.
#[derive(Debug)]
pub struct WithoutRecord;

#[diagnostic::do_not_recommend]
impl InTraitWithoutRecord for WithoutRecord {}

/// A value that is one number in a sweep over `S`, whatever its type is called.
#[diagnostic::on_unimplemented(
    message = "a gradient belongs to one number, and `{Self}` is not one",
    label = "not for a value of this type",
    note = "for a value of any type there are `pullback(.., seed)`, with a seed in its shape, and `pushforward(..)`"
)]
pub trait OneNumber<S>: Shadowed<S, Shadow = S, Owned = S> {
    /// The seed of a gradient.
    fn one() -> S;
}

#[diagnostic::do_not_recommend]
impl<V: Number + Shadowed<S, Shadow = S, Owned = S>, S: Shadow<V>> OneNumber<S> for V {
    #[inline(always)]
    fn one() -> S {
        S::one()
    }
}
