//! Names for places name the same place wherever a derived run uses them.
//!
//! Rust finds the place of `let z = &c[i];` once. Runs that are derived use the name again, where `i` or `c` have changed in between:
//!
//! ```text
//! let z = &c[2]; A(z); c[1] += a;      A(&c[2]); c[1] += a;
//! let z = &c[i]; i = j; A(z);          let index = i; let z = &c[index]; i = j; A(z);     only where a record gives `i` back
//! let (y, z) = c[i]; c[i] = e; A(y);   let y = c[i].0; let z = c[i].1; c[i] = e; A(y);    the same
//! for y in c { c[0] = e; A(y); }       let whole = c; for y in whole { .. }               the same
//! ```
//!
//! The program itself runs as it was written.

mod references;
mod steady;

use std::borrow::Cow;

use crate::ir::{Program, Records};

/// The program that other runs are derived from.
pub fn settle(program: &Program) -> Cow<'_, Program> {
    let steady = match program.records {
        // `check` has shown that nothing which a name is found by changes while the name lives.
        Records::Nothing => Cow::Borrowed(program),
        Records::Lossy | Records::All => Cow::Owned(steady::steady(program)),
    };
    references::replace(&steady).map_or(steady, Cow::Owned)
}

/// The same, of which what changes under a name in a recorded statement is left to that.
pub fn settle_references(program: &Program) -> Cow<'_, Program> {
    references::replace(program).map_or(Cow::Borrowed(program), Cow::Owned)
}
