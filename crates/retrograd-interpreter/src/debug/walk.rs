//! Programs in both directions at once, one statement at a time, for those who have to wait in between.
//!
//! A [`Walker`] stands between two statements. Where it stands is a list of what it is inside of, from the program to the
//! innermost block, so that it can wait there as long as it likes. Whatever is entered at one end may be left at either; a block
//! that is left at its beginning has changed nothing.

use retrograd::ErrorKind as Law;
use retrograd_compiler::ir::{Block, Call, Conjugate, For, If, Program, Records, Run, Stmt, While};

use super::guide::Stop;
use crate::error::{Error, ErrorKind, Result};
use crate::machine::{Frame, Machine, Way};
use crate::run::{Elements, Role};
use crate::value::Value;

/// Stands between two statements of a program.
#[derive(Debug)]
pub(super) struct Walker<'m> {
    pub(super) machine: Machine<'m>,
    inside: Vec<Inside<'m>>,
    /// What went wrong since somebody asked.
    pub(super) failed: Vec<Error>,
    /// At the end of a function, what it returns.
    value: Option<Value>,
}

/// What a walker is inside of.
#[derive(Debug)]
enum Inside<'m> {
    /// A block, in front of the statement of that number, or in it. The whole program is never left.
    /// Its memory begins behind that of what it is in.
    Block { block: &'m Block, at: usize, whole: bool, top: usize },
    /// A branch of an `if`, if it has one.
    If { s: &'m If, stmt: &'m Stmt, holds: bool },
    /// An iteration of a `while`, which was entered at that end, unless it is only left again.
    While { s: &'m While, stmt: &'m Stmt, entered: Option<Way> },
    /// The iteration of that number.
    For { s: &'m For, elements: Elements, at: u128 },
    /// One of the three parts.
    Conjugate { s: &'m Conjugate, part: usize },
    /// A statement without checks; whether it was without them before.
    Unchecked { before: bool },
    /// A statement that is run backwards.
    Inverse,
    /// A procedure, with the frame of its caller and where the memory of the caller ends.
    Call { outer: Box<Frame<'m>>, inverse: bool, top: usize },
    /// An arm of a `match`, or a block as a statement.
    Through,
}

/// What happens next to a walker.
enum Event<'m> {
    /// It enters a statement at an end.
    Enter(&'m Stmt, Way),
    /// It enters a block at an end.
    Begin(&'m Block, Way),
    /// It has left the innermost thing at an end; that is not on the list any more.
    Left(Way),
}

impl<'m> Walker<'m> {
    /// A walker in front of the first statement of a program that was entered.
    pub(super) fn new(machine: Machine<'m>, program: &'m Program) -> Walker<'m> {
        let whole = Inside::Block { block: &program.body, at: 0, whole: true, top: machine.memory.cells.len() };
        let mut walker = Walker { machine, inside: vec![whole], failed: Vec::new(), value: None };
        walker.look_at_value();
        walker
    }

    /// Where it stands, behind so many stops.
    pub(super) fn stop(&self, position: u64) -> Stop<'_, 'm> {
        let first = matches!(self.inside.last(), Some(Inside::Block { at: 0, whole: true, .. }));
        let count = |wanted: fn(&Inside<'_>) -> bool| self.inside.iter().filter(|inside| wanted(inside)).count();
        let nesting = count(|inside| matches!(inside, Inside::Block { .. }));
        let calls = count(|inside| matches!(inside, Inside::Call { .. }));
        let (machine, next, inverse, value) = (&self.machine, self.next(), self.is_inverse(), self.value.as_ref());
        Stop { machine, next, nesting, calls, position, first, inverse, value }
    }

    /// The statement that runs next, or is undone next where the program itself runs backwards.
    fn next(&self) -> Option<&'m Stmt> {
        let Some(Inside::Block { block, at, .. }) = self.inside.last() else { return None };
        let block: &'m Block = block;
        if self.is_inverse() { at.checked_sub(1).map(|last| &block.stmts[last]) } else { block.stmts.get(*at) }
    }

    /// Whether the program itself runs backwards here.
    pub(super) fn is_inverse(&self) -> bool {
        let turns = |inside: &&Inside<'_>| {
            matches!(inside, Inside::Inverse | Inside::Conjugate { part: 2, .. } | Inside::Call { inverse: true, .. })
        };
        self.inside.iter().filter(turns).count() % 2 == 1
    }

    /// Goes to the next place between two statements; says in which direction it came there. At an end of the program it stays.
    pub(super) fn step(&mut self, way: Way) -> Result<Way> {
        let arrived = self.walk(way.turned(self.is_inverse()))?;
        self.look_at_value();
        Ok(arrived.turned(self.is_inverse()))
    }

    /// Gives all variables the values that they had when it stood here before.
    pub(super) fn put_back(&mut self, cells: Vec<Value>) {
        self.machine.memory.cells = cells;
        self.look_at_value();
    }

    /// Computes what a function returns, at its end.
    fn look_at_value(&mut self) {
        let result = self.machine.frame.program.result.as_ref().filter(|_| self.next().is_none());
        let top = self.machine.memory.cells.len();
        self.value = result.and_then(|result| self.machine.value(result).ok());
        self.machine.memory.cells.truncate(top);
    }

    /// The same, in the direction of the block.
    fn walk(&mut self, way: Way) -> Result<Way> {
        let mut event = match self.onwards(way)? {
            Some(event) => event,
            None => return Ok(way),
        };
        loop {
            let arrived = match event {
                Event::Enter(stmt, way) => {
                    event = self.enter(stmt, way)?;
                    continue;
                }
                Event::Begin(block, way) => {
                    let at = if way == Way::Forwards { 0 } else { block.stmts.len() };
                    let top = self.machine.memory.cells.len();
                    self.inside.push(Inside::Block { block, at, whole: false, top });
                    way
                }
                Event::Left(way) => match self.inside.last_mut() {
                    // Forwards it is behind the statement, backwards in front of it.
                    Some(Inside::Block { at, .. }) => {
                        *at += usize::from(way == Way::Forwards);
                        way
                    }
                    _ => {
                        event = self.left(way)?;
                        continue;
                    }
                },
            };
            if self.is_stop() {
                return Ok(arrived);
            }
            match self.onwards(arrived)? {
                Some(next) => event = next,
                None => return Ok(arrived),
            }
        }
    }

    /// Behind the last statement of a block there is nothing to wait for, but at the end of the program.
    fn is_stop(&self) -> bool {
        self.next().is_some() || matches!(self.inside.last(), Some(Inside::Block { whole: true, .. }))
    }

    /// From a place between two statements, in that direction; `None` at an end of the program.
    fn onwards(&mut self, way: Way) -> Result<Option<Event<'m>>> {
        let Some(Inside::Block { block, at, whole, top }) = self.inside.last_mut() else { return Ok(None) };
        let (block, whole, top): (&'m Block, bool, usize) = (block, *whole, *top);
        let at_end = if way == Way::Forwards { *at == block.stmts.len() } else { *at == 0 };
        if at_end && whole {
            return Ok(None);
        }
        if at_end {
            self.inside.pop();
            // What began in the block ends with it, and so does what was borrowed without a name.
            for stmt in &block.stmts {
                if let Stmt::Begin(binding) = stmt {
                    binding.pattern.bindings().into_iter().for_each(|var| self.machine.set(var, Value::Unit));
                }
            }
            self.machine.memory.cells.truncate(top);
            return Ok(Some(Event::Left(way)));
        }
        if way == Way::Forwards {
            return Ok(Some(Event::Enter(&block.stmts[*at], way)));
        }
        *at -= 1;
        let at = *at;
        let (stmt, plan) = (&block.stmts[at], self.machine.plan(block));
        for &again in &plan.before[at] {
            if let Err(error) = self.machine.again(&block.stmts[again], &plan.roles[again]) {
                self.failed.push(error);
                return Ok(Some(Event::Left(Way::Forwards)));
            }
        }
        if let (Role::Beginning, Stmt::Begin(binding)) = (&plan.roles[at], stmt) {
            if let Err(error) = self.machine.check_drift(stmt) {
                self.failed.push(error);
            }
            binding.pattern.bindings().into_iter().for_each(|var| self.machine.set(var, Value::Unit));
            return Ok(Some(Event::Left(Way::Backwards)));
        }
        Ok(Some(Event::Enter(stmt, Way::Backwards)))
    }

    /// What could not be done is said, and the way turns.
    fn turned(&mut self, error: Error, stmt: &'m Stmt, way: Way) -> Event<'m> {
        self.failed.push(self.machine.at(error, stmt.span()));
        Event::Left(way.turned(true))
    }

    fn enter(&mut self, stmt: &'m Stmt, way: Way) -> Result<Event<'m>> {
        self.machine.step()?;
        let top = self.machine.memory.cells.len();
        let entered = match stmt {
            Stmt::If(s) => self.enter_if(s, stmt, way),
            Stmt::Match(s) => self.machine.arm(s).map(|arm| self.through(&s.arms[arm].body, way)),
            Stmt::While(s) => {
                let entry = if way == Way::Forwards { &s.post } else { &s.pre };
                match self.machine.check_condition(entry, false, Law::LoopEntry, stmt) {
                    Ok(()) => self.iterate(s, stmt, way),
                    Err(error) => Err(error),
                }
            }
            Stmt::For(s) if s.early.is_none() => match self.machine.elements(&s.iter) {
                Ok(elements) => {
                    let at = if way == Way::Forwards { 0 } else { elements.count() };
                    self.next_element(s, elements, at, way)
                }
                Err(error) => Err(error),
            },
            Stmt::Block(s) => Ok(self.through(s, way)),
            Stmt::Conjugate(s) => Ok(self.part(s, if way == Way::Forwards { 0 } else { 3 }, way)),
            Stmt::Unchecked(s) => {
                let before = std::mem::replace(&mut self.machine.frame.unchecked, true);
                self.inside.push(Inside::Unchecked { before });
                Ok(Event::Enter(s, way))
            }
            Stmt::Inverse(s) => {
                self.inside.push(Inside::Inverse);
                Ok(Event::Enter(s, way.turned(true)))
            }
            // Derived programs are not gone into.
            Stmt::Call(s) if s.run == Run::Values && self.machine.compiled.is_none() => self.enter_call(s, stmt, way),
            _ => {
                let run = match way {
                    Way::Forwards => self.machine.stmt(stmt).map(|_| ()),
                    Way::Backwards => self.machine.backwards(stmt),
                };
                // In front of what takes too long there is still a way back.
                Ok(run.map_or_else(|error| self.turned(error, stmt, way), |()| Event::Left(way)))
            }
        };
        entered.or_else(|error| {
            // Without steps left there is no way on.
            if matches!(error.kind, ErrorKind::Budget(_)) {
                return Err(error);
            }
            self.machine.memory.cells.truncate(top);
            Ok(self.turned(error, stmt, way))
        })
    }

    /// Into a block that leads through to what follows it.
    fn through(&mut self, block: &'m Block, way: Way) -> Event<'m> {
        self.inside.push(Inside::Through);
        Event::Begin(block, way)
    }

    fn enter_if(&mut self, s: &'m If, stmt: &'m Stmt, way: Way) -> Result<Event<'m>> {
        let (pre, post) = (&s.condition.pre, s.condition.post.as_ref().unwrap_or(&s.condition.pre));
        let holds = self.machine.condition(if way == Way::Forwards { pre } else { post })?;
        self.inside.push(Inside::If { s, stmt, holds });
        Ok(branch(s, holds).map_or(Event::Left(way), |branch| Event::Begin(branch, way)))
    }

    /// The next iteration of a `while`, or what is behind it.
    fn iterate(&mut self, s: &'m While, stmt: &'m Stmt, way: Way) -> Result<Event<'m>> {
        self.machine.step()?;
        let goes_on = self.machine.truth(if way == Way::Forwards { &s.pre } else { &s.post })?;
        if !goes_on {
            return Ok(Event::Left(way));
        }
        self.inside.push(Inside::While { s, stmt, entered: Some(way) });
        Ok(Event::Begin(&s.body, way))
    }

    /// The next iteration of a `for` that stands in front of the element of that number, or what is behind it.
    fn next_element(&mut self, s: &'m For, elements: Elements, at: u128, way: Way) -> Result<Event<'m>> {
        self.machine.step()?;
        let at = match way {
            Way::Forwards if at == elements.count() => return Ok(Event::Left(way)),
            Way::Backwards if at == 0 => return Ok(Event::Left(way)),
            Way::Forwards => at,
            Way::Backwards => at - 1,
        };
        self.machine.bound(&s.pattern, elements.get(at))?;
        self.inside.push(Inside::For { s, elements, at });
        Ok(Event::Begin(&s.body, way))
    }

    /// The next part of three, the last of which is the first backwards; or what is behind them.
    fn part(&mut self, s: &'m Conjugate, at: usize, way: Way) -> Event<'m> {
        let part = match (way, at) {
            (Way::Forwards, 3) | (Way::Backwards, 0) => return Event::Left(way),
            (Way::Forwards, at) => at,
            (Way::Backwards, at) => at - 1,
        };
        self.inside.push(Inside::Conjugate { s, part });
        Event::Begin(if part == 1 { &s.rest } else { &s.compute }, way.turned(part == 2))
    }

    fn enter_call(&mut self, s: &'m Call, stmt: &'m Stmt, way: Way) -> Result<Event<'m>> {
        let top = self.machine.memory.cells.len();
        let args = self.machine.procedure_arguments(s, stmt)?;
        let Some(program) = self.machine.callee(&s.callee, &args) else {
            self.machine.library_procedure(&s.callee, &args, way.turned(s.inverse), stmt)?;
            self.machine.memory.cells.truncate(top);
            return Ok(Event::Left(way));
        };
        if program.records != Records::Nothing {
            let what = format!("the way back of `{}`, which keeps a record", program.name);
            return Err(Error::new(ErrorKind::Unsupported(what)));
        }
        let outer = Box::new(self.machine.enter(program, args)?);
        self.inside.push(Inside::Call { outer, inverse: s.inverse, top });
        Ok(Event::Begin(&program.body, way.turned(s.inverse)))
    }

    /// What comes of leaving something at an end.
    fn left(&mut self, way: Way) -> Result<Event<'m>> {
        match self.inside.pop() {
            None | Some(Inside::Through) => Ok(Event::Left(way)),
            // The step that has left the innermost thing goes on to its block.
            Some(block @ Inside::Block { .. }) => {
                self.inside.push(block);
                Ok(Event::Left(way))
            }
            Some(Inside::If { s, stmt, holds }) => self.left_if(s, stmt, holds, way),
            Some(Inside::While { s, stmt, entered }) => self.left_while(s, stmt, entered, way),
            Some(Inside::For { s, elements, at }) => {
                let at = at + u128::from(way == Way::Forwards);
                self.next_element(s, elements, at, way)
            }
            Some(Inside::Conjugate { s, part }) => {
                let way = way.turned(part == 2);
                Ok(self.part(s, part + usize::from(way == Way::Forwards), way))
            }
            Some(Inside::Unchecked { before }) => {
                self.machine.frame.unchecked = before;
                Ok(Event::Left(way))
            }
            Some(Inside::Inverse) => Ok(Event::Left(way.turned(true))),
            Some(Inside::Call { outer, inverse, top }) => {
                self.machine.leave(*outer, Ok(Value::Unit))?;
                self.machine.memory.cells.truncate(top);
                Ok(Event::Left(way.turned(inverse)))
            }
        }
    }

    fn left_if(&mut self, s: &'m If, stmt: &'m Stmt, holds: bool, way: Way) -> Result<Event<'m>> {
        let Some(post) = &s.condition.post else { return Ok(Event::Left(way)) };
        let behind = if way == Way::Forwards { post } else { &s.condition.pre };
        let verdict = self.machine.check_condition(behind, holds, Law::Postcondition, stmt);
        let Err(error) = verdict else { return Ok(Event::Left(way)) };
        // The other branch would be undone: the session stays in this one.
        self.failed.push(error);
        let back = way.turned(true);
        let Some(branch) = branch(s, holds) else { return Ok(Event::Left(back)) };
        self.inside.push(Inside::If { s, stmt, holds });
        Ok(Event::Begin(branch, back))
    }

    fn left_while(&mut self, s: &'m While, stmt: &'m Stmt, entered: Option<Way>, way: Way) -> Result<Event<'m>> {
        let behind = if way == Way::Forwards { &s.post } else { &s.pre };
        // The iteration that was just made has to be one that the other way makes too.
        let made = match entered {
            Some(entered) if entered == way => self.machine.check_condition(behind, true, Law::LoopTurn, stmt),
            _ => Ok(()),
        };
        match made.and_then(|()| self.iterate(s, stmt, way)) {
            Err(error) if !matches!(error.kind, ErrorKind::Budget(_)) => {
                self.failed.push(self.machine.at(error, stmt.span()));
                self.inside.push(Inside::While { s, stmt, entered: None });
                Ok(Event::Begin(&s.body, way.turned(true)))
            }
            next => next,
        }
    }
}

/// The branch that is taken, if there is one.
fn branch(s: &If, holds: bool) -> Option<&Block> {
    if holds { Some(&s.then) } else { s.otherwise.as_ref() }
}
