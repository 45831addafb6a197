//! Programs in both directions at once: between any two statements the way may turn.
//!
//! Whatever is entered at one end may be left at either. A block that is left at its beginning has changed nothing.

use retrograd::ErrorKind as Law;
use retrograd_compiler::ir::{Block, Call, For, If, Program, Records, Run, Stmt, While};

use super::guide::{Guide, Stop};
use crate::error::{Error, ErrorKind, Result};
use crate::machine::{Machine, Way};
use crate::run::Role;
use crate::value::Value;

/// What ends a session is no error of the program.
const ENOUGH: &str = "the session ends";

/// A session on its way.
struct Traveller<'g> {
    guide: &'g mut dyn Guide,
    nesting: usize,
    calls: usize,
}

impl<'m> Machine<'m> {
    /// Goes through a program as a guide says.
    pub(super) fn travel(&mut self, program: &'m Program, guide: &mut dyn Guide) -> Result<()> {
        let mut traveller = Traveller { guide, nesting: 0, calls: 0 };
        match self.travel_block(&program.body, Way::Forwards, true, &mut traveller) {
            Err(error) if error.kind == ErrorKind::Call(ENOUGH.into()) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Ok(()),
        }
    }

    fn ask(&self, next: Option<&'m Stmt>, first: bool, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        let stop = Stop { machine: self, next, nesting: traveller.nesting, calls: traveller.calls, first };
        traveller.guide.at(&stop, way).ok_or_else(|| Error::new(ErrorKind::Call(ENOUGH.into())))
    }

    /// Enters a block at one end; says at which end it was left. The whole program is never left.
    fn travel_block(
        &mut self,
        block: &'m Block,
        enter: Way,
        whole: bool,
        traveller: &mut Traveller<'_>,
    ) -> Result<Way> {
        traveller.nesting += 1;
        let left = self.travel_stmts(block, enter, whole, traveller);
        traveller.nesting -= 1;
        // What began in the block ends with it.
        for stmt in &block.stmts {
            if let Stmt::Begin(binding) = stmt {
                binding.pattern.bindings().into_iter().for_each(|var| self.set(var, Value::Unit));
            }
        }
        left
    }

    fn travel_stmts(
        &mut self,
        block: &'m Block,
        enter: Way,
        whole: bool,
        traveller: &mut Traveller<'_>,
    ) -> Result<Way> {
        let (plan, count) = (self.plan(block), block.stmts.len());
        let (mut at, mut way) = match enter {
            Way::Forwards => (0, Way::Forwards),
            Way::Backwards => (count, Way::Backwards),
        };
        loop {
            if at < count || whole {
                way = self.ask(block.stmts.get(at), whole && at == 0, way, traveller)?;
            }
            match way {
                Way::Forwards if at == count => {
                    if !whole {
                        return Ok(Way::Forwards);
                    }
                }
                Way::Forwards => {
                    way = self.travel_stmt(&block.stmts[at], Way::Forwards, traveller)?;
                    at += usize::from(way == Way::Forwards);
                }
                Way::Backwards if at == 0 => {
                    if !whole {
                        return Ok(Way::Backwards);
                    }
                }
                Way::Backwards => {
                    let (stmt, role) = (&block.stmts[at - 1], &plan.roles[at - 1]);
                    for &again in &plan.before[at - 1] {
                        self.again(&block.stmts[again], &plan.roles[again])?;
                    }
                    if let (Role::Beginning, Stmt::Begin(binding)) = (role, stmt) {
                        let checked = self.check_drift(stmt);
                        if let Err(error) = checked {
                            traveller.guide.failed(&error);
                        }
                        binding.pattern.bindings().into_iter().for_each(|var| self.set(var, Value::Unit));
                        at -= 1;
                        continue;
                    }
                    way = self.travel_stmt(stmt, Way::Backwards, traveller)?;
                    at -= usize::from(way == Way::Backwards);
                }
            }
        }
    }

    fn travel_stmt(&mut self, stmt: &'m Stmt, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        match stmt {
            Stmt::If(s) => self.travel_if(s, stmt, way, traveller),
            Stmt::Match(s) => {
                let arm = self.arm(s)?;
                self.travel_block(&s.arms[arm].body, way, false, traveller)
            }
            Stmt::While(s) => self.travel_while(s, stmt, way, traveller),
            Stmt::For(s) if s.early.is_none() => self.travel_for(s, way, traveller),
            Stmt::Block(s) => self.travel_block(s, way, false, traveller),
            Stmt::Conjugate(s) => {
                // Three parts, the last of which is the first backwards.
                let parts = [(&s.compute, Way::Forwards), (&s.rest, Way::Forwards), (&s.compute, Way::Backwards)];
                let (mut at, mut way) = (if way == Way::Forwards { 0 } else { parts.len() }, way);
                loop {
                    match (way, at) {
                        (Way::Forwards, 3) | (Way::Backwards, 0) => return Ok(way),
                        (Way::Forwards, _) => {
                            let (block, own) = parts[at];
                            let inverse = own == Way::Backwards;
                            way = self.travel_block(block, way.turned(inverse), false, traveller)?.turned(inverse);
                            at += usize::from(way == Way::Forwards);
                        }
                        (Way::Backwards, _) => {
                            let (block, own) = parts[at - 1];
                            let inverse = own == Way::Backwards;
                            way = self.travel_block(block, way.turned(inverse), false, traveller)?.turned(inverse);
                            at -= usize::from(way == Way::Backwards);
                        }
                    }
                }
            }
            Stmt::Unchecked(s) => {
                let before = std::mem::replace(&mut self.frame.unchecked, true);
                let left = self.travel_stmt(s, way, traveller);
                self.frame.unchecked = before;
                left
            }
            Stmt::Inverse(s) => Ok(self.travel_stmt(s, way.turned(true), traveller)?.turned(true)),
            Stmt::Call(s) if s.run == Run::Values => self.travel_call(s, stmt, way, traveller),
            _ => {
                let run = match way {
                    Way::Forwards => self.stmt(stmt).map(|_| ()),
                    Way::Backwards => self.backwards(stmt),
                };
                Ok(match run {
                    Ok(()) => way,
                    Err(error) => {
                        traveller.guide.failed(&error);
                        way.turned(true)
                    }
                })
            }
        }
    }

    fn travel_call(&mut self, s: &'m Call, stmt: &'m Stmt, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        let args = match self.procedure_arguments(s, stmt) {
            Ok(args) => args,
            Err(error) => {
                traveller.guide.failed(&self.at(error, stmt.span()));
                return Ok(way.turned(true));
            }
        };
        let Some(program) = self.callee(&s.callee, &args) else {
            let run = self.library_procedure(&s.callee, &args, way.turned(s.inverse), stmt);
            return Ok(match run.map_err(|error| self.at(error, stmt.span())) {
                Ok(()) => way,
                Err(error) => {
                    traveller.guide.failed(&error);
                    way.turned(true)
                }
            });
        };
        if program.records != Records::Nothing {
            let error =
                Error::new(ErrorKind::Unsupported(format!("the way back of `{}`, which keeps a record", program.name)));
            traveller.guide.failed(&self.at(error, stmt.span()));
            return Ok(way.turned(true));
        }
        traveller.calls += 1;
        let mut left = way;
        self.call(program, args, |machine, program| {
            left = machine.travel_block(&program.body, way.turned(s.inverse), false, traveller)?.turned(s.inverse);
            Ok(Value::Unit)
        })?;
        traveller.calls -= 1;
        Ok(left)
    }

    fn travel_if(&mut self, s: &'m If, stmt: &'m Stmt, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        let (pre, post) = (&s.condition.pre, s.condition.post.as_ref().unwrap_or(&s.condition.pre));
        let holds = self.condition(if way == Way::Forwards { pre } else { post })?;
        let branch = if holds { Some(&s.then) } else { s.otherwise.as_ref() };
        let mut way = way;
        loop {
            let left = match branch {
                Some(branch) => self.travel_block(branch, way, false, traveller)?,
                None => way,
            };
            let (behind, checked) = match left {
                Way::Forwards => (post, s.condition.post.is_some()),
                Way::Backwards => (pre, s.condition.post.is_some()),
            };
            let verdict = match checked {
                true => self.check_condition(behind, holds, Law::Postcondition, stmt),
                false => Ok(()),
            };
            match verdict {
                Ok(()) => return Ok(left),
                // The other branch would be undone: the session stays in this one.
                Err(error) => {
                    traveller.guide.failed(&error);
                    way = left.turned(true);
                    if branch.is_none() {
                        return Ok(way);
                    }
                }
            }
        }
    }

    fn travel_while(&mut self, s: &'m While, stmt: &'m Stmt, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        let mut way = way;
        let entry = if way == Way::Forwards { &s.post } else { &s.pre };
        if let Err(error) = self.check_condition(entry, false, Law::LoopEntry, stmt) {
            traveller.guide.failed(&error);
            return Ok(way.turned(true));
        }
        loop {
            let goes_on = match way {
                Way::Forwards => self.truth(&s.pre)?,
                Way::Backwards => self.truth(&s.post)?,
            };
            if !goes_on {
                return Ok(way);
            }
            let entered = way;
            way = self.travel_block(&s.body, way, false, traveller)?;
            let behind = if way == Way::Forwards { &s.post } else { &s.pre };
            // The iteration that was just made has to be one that the other way makes too.
            if way == entered
                && let Err(error) = self.check_condition(behind, true, Law::LoopTurn, stmt)
            {
                traveller.guide.failed(&error);
                way = self.travel_block(&s.body, way.turned(true), false, traveller)?;
            }
        }
    }

    fn travel_for(&mut self, s: &'m For, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        let elements = self.elements(&s.iter)?;
        let count = elements.count();
        let (mut at, mut way) = (if way == Way::Forwards { 0 } else { count }, way);
        loop {
            match way {
                Way::Forwards if at == count => return Ok(way),
                Way::Backwards if at == 0 => return Ok(way),
                Way::Forwards => {
                    self.bound(&s.pattern, elements.get(at))?;
                    way = self.travel_block(&s.body, way, false, traveller)?;
                    at += u128::from(way == Way::Forwards);
                }
                Way::Backwards => {
                    self.bound(&s.pattern, elements.get(at - 1))?;
                    way = self.travel_block(&s.body, way, false, traveller)?;
                    at -= u128::from(way == Way::Backwards);
                }
            }
        }
    }
}
