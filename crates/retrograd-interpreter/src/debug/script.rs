//! Sessions by commands, one in a line: for a prompt, for pipes and for tests.

use super::commands::Commands;
use super::guide::{Guide, Kept, Stop};
use crate::error::Error;
use crate::machine::Way;

/// A guide that reads the commands of [`Commands`], and writes what it sees.
pub struct Script<'a> {
    commands: Commands,
    input: &'a mut dyn Iterator<Item = String>,
    output: &'a mut dyn FnMut(&str),
}

impl std::fmt::Debug for Script<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Script {{ commands: {:?} }}", self.commands)
    }
}

impl<'a> Script<'a> {
    /// A guide through a program with that text, by commands; it writes to `output`.
    pub fn new(
        text: &'a str,
        commands: &'a mut dyn Iterator<Item = String>,
        output: &'a mut dyn FnMut(&str),
    ) -> Script<'a> {
        Script { commands: Commands::new(text), input: commands, output }
    }

    /// The same, where a command passes so many stops at most.
    pub fn with_budget(self, budget: u64) -> Script<'a> {
        Script { commands: self.commands.with_budget(budget), ..self }
    }

    fn say(&mut self) {
        self.commands.take_said().iter().for_each(|line| (self.output)(line));
    }
}

impl Guide for Script<'_> {
    fn at(&mut self, stop: &Stop<'_, '_>, way: Way) -> Option<Way> {
        self.commands.arrive(stop, way);
        loop {
            self.say();
            if let Some(way) = self.commands.way(stop) {
                return Some(way);
            }
            if self.commands.is_over() {
                return None;
            }
            self.commands.obey(stop, &self.input.next()?);
        }
    }

    fn failed(&mut self, error: &Error) {
        self.commands.failed(error);
    }

    fn put_back(&mut self) -> Option<Kept> {
        self.commands.put_back()
    }
}
