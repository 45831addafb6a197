//! A debugger that goes both ways.
//!
//! A [`Session`] stands between two statements of a program and moves forwards, by running the next one, or backwards, by undoing the
//! one before. Nothing is kept of where it has been: a million steps back take the memory of none.

mod commands;
mod condition;
mod goal;
mod guide;
mod journey;
mod script;
mod trip;
mod walk;

pub use commands::{BUDGET, Commands};
pub use guide::{Guide, Kept, Stop};
pub use journey::{Arrival, Journey};
pub use script::Script;
pub use trip::{Adjoints, Length};

use crate::error::Result;
use crate::machine::Way;
use crate::module::Module;
use crate::value::Value;

/// How many steps one statement may take.
const STATEMENT: u64 = 10_000_000;

/// A program that is looked at while it runs.
#[derive(Debug)]
pub struct Session<'m> {
    module: &'m Module,
    name: &'m str,
}

impl<'m> Session<'m> {
    /// A session with a program of a module.
    pub fn new(module: &'m Module, name: &'m str) -> Session<'m> {
        Session { module, name }
    }

    /// Moves as the guide says until it has had enough.
    pub fn run(&self, args: Vec<Value>, guide: &mut dyn Guide) -> Result<()> {
        let mut journey = Journey::new(self.module, self.name, args)?;
        let mut way = Way::Forwards;
        loop {
            let Some(chosen) = guide.at(&journey.stop(), way) else { return Ok(()) };
            if let Some(kept) = guide.put_back() {
                journey.put_back(kept);
                continue;
            }
            let arrival = journey.step(chosen, STATEMENT)?;
            arrival.failed.iter().for_each(|error| guide.failed(error));
            way = arrival.way;
        }
    }
}
