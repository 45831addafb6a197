//! A walk along runs of equal values.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// Adds the values of `runs` to `cells`: each as many times as its run is long, one run behind the other.
///
/// `runs` is a list of records of `stride` numbers each: a length, a value, and whatever else the caller keeps there.
/// Cells behind the last run stay as they are. The walk knows where it ends, so `position` needs no release.
///
/// ```
/// use lab_corpus::programs::run_length::run_length;
///
/// let mut cells = [0; 6];
/// run_length(&mut cells, &[3, 7, 2, 9], 2);
/// assert_eq!(cells, [7, 7, 7, 9, 9, 0]);
/// run_length::uncall(&mut cells, &[3, 7, 2, 9], 2);
/// assert_eq!(cells, [0; 6]);
/// ```
#[reversible]
pub fn run_length(cells: &mut [usize], runs: &[usize], stride: usize) {
    let mut position = 0;
    for r in (0..runs.len()).step_by(stride) {
        for cell in cells[position..position + runs[r]].iter_mut() {
            *cell += runs[r + 1];
        }
        position += runs[r];
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "run_length",
    about: "walks along runs of equal values by step_by; the inverse first finds where the walk ends",
    source: run_length::source,
    demo: || {
        let runs = [3, 7, 2, 9, 1, 4];
        Demo::new(
            [0; 7],
            |cells: &mut [usize; 7]| run_length(cells, &runs, 2),
            |cells| run_length::uncall(cells, &runs, 2),
            |cells| format!("cells = {cells:?}, runs = {runs:?}"),
        )
    },
};
