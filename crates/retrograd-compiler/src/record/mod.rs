//! Programs that lose information, made reversible by a record.
//!
//! ```text
//! y = e              y = e, and the record takes what y was          undone by   y = what the record gives
//! if c { A }         let taken = c; if taken { A }; keep taken                   restore taken; if taken { A⁻¹ }
//! while c { A }      count, turn by turn; keep count                             restore count; for _ in 0..count { A⁻¹ }
//! break              a register says so, and what follows is skipped
//! let x = e          .. the record takes x behind its last use                   restore x
//! #[recompute] S     keep what S changes; S                                      restore it; S, with a record; S⁻¹
//! ```
//!
//! What comes out has an inverse and an adjoint like any other program: where the record takes something, they have it give
//! that back. How much of it anybody asks for, `optimize::demand` finds out.

mod again;
mod called;
mod checkpoint;
mod choose;
mod dear;
mod decide;
mod entries;
mod exits;
mod invariant;
mod passed;
mod prepare;
mod private;
mod recompute;
mod samples;
mod split;
mod witness;

pub use choose::cheapest;
pub(crate) use decide::decides;
pub(crate) use private::keeps;
pub use private::private;
pub(crate) use recompute::{again, as_before, has_hosts, way_there, without_record};
pub use samples::{Numbers, Points, restored, with_samples};
pub use split::{Split, forms, split};

use crate::ir::{Program, Records};

/// The program with everything that it loses in a record; one that keeps nothing is as it was. With derivatives, the functions that it
/// calls run once.
pub fn record(program: &Program, derivatives: bool) -> Program {
    record_from(program, derivatives, 0)
}

/// The same with slots of greater numbers than that.
fn record_from(program: &Program, derivatives: bool, slots: usize) -> Program {
    if program.records == Records::Nothing {
        return program.clone();
    }
    let program = exits::without_exits(program);
    match derivatives {
        true => prepare::prepare(&dear::named(&invariant::lift(&program)), true, slots),
        false => prepare::prepare(&program, false, slots),
    }
}
