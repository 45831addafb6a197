//! Who decides where a session goes.

use retrograd_compiler::ir::{Stmt, VarId, VarKind};
use retrograd_compiler::span::Span;

use super::condition::member;
use crate::error::{Error, Result, unfit};
use crate::machine::{Machine, Way};
use crate::memory::{Memory, View, len, part};
use crate::value::{Ref, Value};

/// Decides where a session goes.
pub trait Guide {
    /// Between two statements, where the session has come in that direction: which way now? `None` ends the session.
    fn at(&mut self, stop: &Stop<'_, '_>, way: Way) -> Option<Way>;

    /// A statement could not be run, or not be undone. The session stays where it is.
    fn failed(&mut self, error: &Error);

    /// Asked behind [`Guide::at`]: variables as they were when the session stood here before. If there are any, the session does not
    /// move, and the guide is asked again. A guide that goes away and comes back leaves no rounding errors behind like this.
    fn put_back(&mut self) -> Option<Kept> {
        None
    }
}

/// The variables of a session at a stop.
#[derive(Clone, Debug)]
pub struct Kept {
    pub(super) cells: Vec<Value>,
}

/// A number in a variable.
#[derive(Clone, Debug)]
pub(super) struct Leaf(Ref);

impl Kept {
    /// The same, where one number moves and all others rest.
    pub(super) fn along(&self, leaf: &Leaf) -> Kept {
        let mut memory = Memory { cells: self.cells.clone() };
        memory.cells.iter_mut().for_each(|cell| cell.each_float_mut(&mut |float| float.tangent = 0.0));
        if let Ok(Value::Float(float)) = memory.at(&leaf.0) {
            float.tangent = 1.0;
        }
        Kept { cells: memory.cells }
    }
}

/// Where a session stands.
#[derive(Debug)]
pub struct Stop<'s, 'm> {
    pub(super) machine: &'s Machine<'m>,
    /// The statement that runs next, or is undone next; at the end of the program there is none.
    pub(super) next: Option<&'m Stmt>,
    /// How deep blocks and calls nest.
    pub(super) nesting: usize,
    /// How deep calls nest.
    pub(super) calls: usize,
    /// How many stops are in front of it.
    pub(super) position: u64,
    /// Whether it is the beginning of the program.
    pub(super) first: bool,
    /// Whether the program itself runs this part backwards.
    pub(super) inverse: bool,
    /// At the end of a function, what it returns.
    pub(super) value: Option<&'s Value>,
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

    /// How many stops the program makes until here.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Whether the program itself runs this part backwards: the statement is undone where the session goes forwards.
    pub fn is_inverse(&self) -> bool {
        self.inverse
    }

    /// What a function returns, at its end.
    pub fn value(&self) -> Option<&Value> {
        self.value
    }

    /// All variables, to be put back.
    pub fn keep(&self) -> Kept {
        Kept { cells: self.machine.memory.cells.clone() }
    }

    /// The variables that are alive, by the names that the user has given them.
    pub fn variables(&self) -> Vec<(String, Value)> {
        self.alive().filter_map(|(name, i)| Some((name, self.loaded(i)?))).collect()
    }

    /// The same with the numbers in them.
    pub(super) fn leaves(&self) -> Vec<(String, Value, Vec<Leaf>)> {
        let all = self.alive().filter_map(|(name, i)| {
            let value = self.loaded(i)?;
            let mut leaves = Vec::new();
            // What is no place, such as a pair of references, has no numbers of its own.
            let place = self.machine.memory.follow(self.machine.cell(VarId(i))).ok()?;
            self.collect(&place, &value, &mut leaves);
            Some((name, value, leaves))
        });
        all.collect()
    }

    fn collect(&self, place: &Ref, value: &Value, leaves: &mut Vec<Leaf>) {
        if let Value::Float(_) = value {
            leaves.push(Leaf(place.clone()));
        }
        for i in 0..len(value).unwrap_or(0) {
            let (Ok(place), Ok(value)) = (self.machine.memory.part(place, i), part(value, i)) else { return };
            let Ok(place) = self.machine.memory.follow(place) else { return };
            self.collect(&place, value, leaves);
        }
    }

    fn alive(&self) -> impl DoubleEndedIterator<Item = (String, usize)> {
        let vars = self.machine.frame.program.vars.iter().enumerate();
        vars.filter(|(_, var)| !matches!(var.kind, VarKind::Register)).map(|(i, var)| (var.written.clone(), i))
    }

    fn loaded(&self, var: usize) -> Option<Value> {
        let value = self.machine.memory.load(self.machine.var(VarId(var)).clone()).ok()?;
        (value != Value::Unit).then_some(value)
    }

    /// The variable of that name; of several, the youngest.
    pub fn variable(&self, name: &str) -> Option<Value> {
        self.alive().rev().filter(|(own, _)| own == name).find_map(|(_, i)| self.loaded(i))
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

    /// A part of what is at a place.
    pub(super) fn part_of(&self, place: &Ref, number: usize) -> Result<Ref> {
        let part = self.machine.memory.part(place, number)?;
        self.machine.memory.follow(part)
    }

    /// The number of a field of what is at a place.
    pub(super) fn field(&self, place: &Ref, name: &syn::Member) -> Result<usize> {
        match self.machine.memory.view(place)? {
            View::One(value) => member(value, name),
            View::Many(_) => unfit("a slice has no fields"),
        }
    }

    /// What is at a place, as long as it is there.
    pub(super) fn at_place(&self, place: &Ref) -> Option<Value> {
        let there = place.cell < self.machine.memory.cells.len();
        there.then(|| self.machine.memory.load(Value::Ref(place.clone())).ok()).flatten()
    }
}
