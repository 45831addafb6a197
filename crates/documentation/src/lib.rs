//! The README and the book. Their examples are the tests of this crate.
//!
//! It is a crate of its own because the published crates do not contain these texts, and because an example is then
//! compiled as in the crate of a user: with what `retrograd` exports, and nothing else.

#[cfg(doctest)]
mod texts {
    #[doc = include_str!("../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../book/src/introduction.md")]
    mod introduction {}
    #[doc = include_str!("../../../book/src/first-steps.md")]
    mod first_steps {}
    #[doc = include_str!("../../../book/src/gradients.md")]
    mod gradients {}
    #[doc = include_str!("../../../book/src/see-it-run.md")]
    mod see_it_run {}
    #[doc = include_str!("../../../book/src/statements.md")]
    mod statements {}
    #[doc = include_str!("../../../book/src/expressions.md")]
    mod expressions {}
    #[doc = include_str!("../../../book/src/locals.md")]
    mod locals {}
    #[doc = include_str!("../../../book/src/control-flow.md")]
    mod control_flow {}
    #[doc = include_str!("../../../book/src/calls.md")]
    mod calls {}
    #[doc = include_str!("../../../book/src/storage.md")]
    mod storage {}
    #[doc = include_str!("../../../book/src/records.md")]
    mod records {}
    #[doc = include_str!("../../../book/src/checks.md")]
    mod checks {}
    #[doc = include_str!("../../../book/src/errors.md")]
    mod errors {}
    #[doc = include_str!("../../../book/src/rules.md")]
    mod rules {}
    #[doc = include_str!("../../../book/src/structs.md")]
    mod structs {}
    #[doc = include_str!("../../../book/src/matrices.md")]
    mod matrices {}
    #[doc = include_str!("../../../book/src/hessians.md")]
    mod hessians {}
    #[doc = include_str!("../../../book/src/inverse.md")]
    mod inverse {}
    #[doc = include_str!("../../../book/src/flows.md")]
    mod flows {}
    #[doc = include_str!("../../../book/src/kernels.md")]
    mod kernels {}
    #[doc = include_str!("../../../book/src/schedules.md")]
    mod schedules {}
    #[doc = include_str!("../../../book/src/waves.md")]
    mod waves {}
    #[doc = include_str!("../../../book/src/restored.md")]
    mod restored {}
    #[doc = include_str!("../../../book/src/reading-the-adjoint.md")]
    mod reading_the_adjoint {}
    #[doc = include_str!("../../../book/src/numbers.md")]
    mod numbers {}
    #[doc = include_str!("../../../book/src/looking-inside.md")]
    mod looking_inside {}
    #[doc = include_str!("../../../book/src/speed.md")]
    mod speed {}
    #[doc = include_str!("../../../book/src/report.md")]
    mod report {}
    #[doc = include_str!("../../../book/src/found.md")]
    mod found {}
    #[doc = include_str!("../../../book/src/pitfalls.md")]
    mod pitfalls {}
    #[doc = include_str!("../../../book/src/internals.md")]
    mod internals {}
}
