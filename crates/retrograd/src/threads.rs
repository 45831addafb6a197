//! Pieces of work on several threads, behind the feature `rayon`.
//!
//! What comes out does not depend on how many threads there are, nor on which of them does what: pieces are cut by the amount of work
//! alone, and their results are in order.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::check::{DriftTolerance, Tolerance, attempt, with_drift, with_tolerance};
use crate::error;
use crate::lanes::{Instructions, with_instructions};

/// How many elements of so many a piece of work has: enough to be worth a thread, and a multiple of any number of lanes.
pub(crate) fn piece(count: usize) -> usize {
    const LEAST: usize = 512;
    const MOST_PIECES: usize = 64;
    const LANES: usize = 64;
    count.div_ceil(MOST_PIECES).max(LEAST).next_multiple_of(LANES)
}

/// What comes out of each piece, in order. They run as they would on this thread: with its tolerances and its instructions.
///
/// If checks fail in several pieces, the error of the first one is raised here.
pub(crate) fn in_order<P: Send, R: Send>(pieces: Vec<P>, run: impl Fn(P) -> R + Sync) -> Vec<R> {
    let (tolerance, drift, instructions) = (Tolerance::current(), DriftTolerance::current(), Instructions::best());
    let one = |piece: P| {
        let run = || with_instructions(instructions, || attempt(|| run(piece)));
        with_tolerance(tolerance, || with_drift(drift, run)).expect("the machine has the instructions of this thread")
    };
    let done: Vec<_> = pieces.into_par_iter().map(one).collect();
    done.into_iter().map(|result| result.unwrap_or_else(|failed| error::raise(failed))).collect()
}
