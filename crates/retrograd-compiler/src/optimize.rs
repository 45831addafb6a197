//! Passes over derivative programs, one per file. Each keeps the meaning, and is measured.

mod added;
pub mod carry;
pub mod contract;
mod covered;
pub mod delay;
pub mod demand;
pub mod fuse;
mod numbers;
pub(crate) mod ranged;
mod restored;
mod shapes;
pub mod upwards;

pub(crate) use added::with_views;

use std::collections::BTreeMap;

use crate::ir::{Form, Program};
use crate::lower::Hosts;
use crate::passes::Pass;
use crate::record::Split;

/// All passes, but those that the program does without.
pub fn optimize(mut program: Program) -> Program {
    let passes = program.passes;
    if passes.has(Pass::Demand) {
        demand::demand(&mut program, BTreeMap::new(), Hosts::Rest);
    }
    loops(&mut program);
    program
}

/// The passes over loops.
fn loops(program: &mut Program) {
    let passes = program.passes;
    if passes.has(Pass::Contract) {
        contract::contract(program);
    }
    if passes.has(Pass::Upwards) {
        upwards::upwards(program);
    }
    if passes.has(Pass::Fuse) {
        fuse::fuse(program);
    }
    if passes.has(Pass::Delay) {
        delay::delay(program);
    }
    if passes.has(Pass::Carry) {
        carry::carry(program);
    }
}

/// The same for the halves of an adjoint run, and how much is kept in each slot; `None` if everything is.
pub fn optimize_split(Split { mut keep, mut spend }: Split) -> (Split, Option<BTreeMap<usize, Form>>) {
    let passes = spend.passes;
    let mut forms = None;
    if passes.has(Pass::Demand) {
        let found = demand::demand(&mut spend, BTreeMap::new(), Hosts::Rest);
        demand::demand(&mut keep, found.clone(), Hosts::Rest);
        forms = Some(found);
    }
    loops(&mut spend);
    (Split { keep, spend }, forms)
}
