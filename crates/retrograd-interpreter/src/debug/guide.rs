//! Who decides where a session goes.

use retrograd_compiler::ir::{Stmt, VarId, VarKind};
use retrograd_compiler::span::Span;

use crate::error::Error;
use crate::machine::{Machine, Way};
use crate::value::{Ref, Value};

/// Decides where a session goes.
pub trait Guide {
    /// Between two statements, where the session has come in that direction: which way now? `None` ends the session.
    fn at(&mut self, stop: &Stop<'_, '_>, way: Way) -> Option<Way>;

    /// A statement could not be run, or not be undone. The session stays where it is.
    fn failed(&mut self, error: &Error);
}

/// Where a session stands.
#[derive(Debug)]
pub struct Stop<'s, 'm> {
    pub(super) machine: &'s Machine<'m>,
    /// The statement that runs next; at the end of the program there is none.
    pub(super) next: Option<&'m Stmt>,
    /// How deep blocks and calls nest.
    pub(super) nesting: usize,
    /// How deep calls nest.
    pub(super) calls: usize,
    /// Whether it is the beginning of the program.
    pub(super) first: bool,
}

impl Stop<'_, '_> {
    /// The program that is being run.
    pub fn function(&self) -> String {
        self.machine.frame.program.name.to_string()
    }

    /// Line and column of the statement that runs next, counted from one; at the end of the program there is none.
    pub fn place(&self) -> Option<(u32, u32)> {
        self.next.map(|stmt| Span::line_column(stmt.span()))
    }

    /// Whether there is nothing further on in that direction.
    pub fn is_last(&self, way: Way) -> bool {
        match way {
            Way::Forwards => self.next.is_none(),
            Way::Backwards => self.first,
        }
    }

    /// How deep blocks and calls nest here.
    pub fn nesting(&self) -> usize {
        self.nesting
    }

    /// How deep calls nest here.
    pub fn calls(&self) -> usize {
        self.calls
    }

    /// The variables that are alive, by the names that the user has given them.
    pub fn variables(&self) -> Vec<(String, Value)> {
        let program = self.machine.frame.program;
        let named = program.vars.iter().enumerate().filter(|(_, var)| !matches!(var.kind, VarKind::Register));
        named
            .filter_map(|(i, var)| {
                let value = self.machine.var(VarId(i)).clone();
                let value = self.machine.memory.load(value).ok()?;
                (value != Value::Unit).then(|| (var.written.clone(), value))
            })
            .collect()
    }

    /// The variable of that name; of several, the youngest.
    pub fn variable(&self, name: &str) -> Option<Value> {
        self.variables().into_iter().rev().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    /// Where the variable of that name is.
    pub(super) fn place_of(&self, name: &str) -> Option<Ref> {
        let vars = &self.machine.frame.program.vars;
        let var = vars
            .iter()
            .enumerate()
            .rev()
            .find(|(i, var)| var.written == name && *self.machine.var(VarId(*i)) != Value::Unit);
        self.machine.memory.follow(self.machine.cell(VarId(var?.0))).ok()
    }

    /// What is at a place, as long as it is there.
    pub(super) fn at_place(&self, place: &Ref) -> Option<Value> {
        let there = place.cell < self.machine.memory.cells.len();
        there.then(|| self.machine.memory.load(Value::Ref(place.clone())).ok()).flatten()
    }
}
