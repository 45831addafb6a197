//! Programs in both directions at once: between any two statements the way may turn.
//!
//! Whatever is entered at one end may be left at either. A block that is left at its beginning has changed nothing.

use retrograd::ErrorKind as Law;
use retrograd_compiler::ir::{Block, Call, Conjugate, For, If, Program, Records, Run, Stmt, While};

use super::guide::{Guide, Stop};
use crate::error::{Error, ErrorKind, Result, unsupported};
use crate::machine::{Machine, Way};
use crate::run::Role;
use crate::value::Value;

/// What ends a session is no error of the program.
const ENOUGH: &str = "the session ends";

/// How many steps one statement may take.
const STATEMENT: u64 = 10_000_000;

/// A session on its way.
struct Traveller<'g> {
    guide: &'g mut dyn Guide,
    nesting: usize,
    calls: usize,
    /// How many stops are in front of this one.
    position: u64,
    /// The way that the guide has chosen.
    chosen: Option<Way>,
    /// Inside of what the program itself runs backwards: statements are undone while the session goes forwards.
    inverse: bool,
}

impl Traveller<'_> {
    /// Tells of a statement that could not be run, and turns around in front of it.
    fn turn(&mut self, error: &Error, way: Way) -> Way {
        self.guide.failed(error);
        way.turned(true)
    }
}

/// Where in a block a session stands.
struct Spot<'m> {
    next: Option<&'m Stmt>,
    /// Whether it is the beginning of the program.
    first: bool,
    /// At the end of a function, what it returns.
    value: Option<Value>,
}

fn is_over(error: &Error) -> bool {
    error.kind == ErrorKind::Call(ENOUGH.into())
}

impl<'m> Machine<'m> {
    /// Goes through a program as a guide says.
    pub(super) fn travel(&mut self, program: &'m Program, guide: &mut dyn Guide) -> Result<()> {
        let mut traveller = Traveller { guide, nesting: 0, calls: 0, position: 0, chosen: None, inverse: false };
        match self.travel_block(&program.body, Way::Forwards, true, &mut traveller) {
            Err(error) if is_over(&error) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Ok(()),
        }
    }

    /// Asks the guide where to go from here. Guides know the way of the session, blocks that of their statements.
    fn ask(&mut self, spot: Spot<'m>, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        let way = way.turned(traveller.inverse);
        match traveller.chosen.take() {
            Some(Way::Forwards) if way == Way::Forwards => traveller.position += 1,
            Some(Way::Backwards) if way == Way::Backwards => traveller.position -= 1,
            // A statement could not be run: the session is where it was.
            _ => {}
        }
        loop {
            let stop = Stop {
                machine: self,
                next: spot.next,
                nesting: traveller.nesting,
                calls: traveller.calls,
                position: traveller.position,
                first: spot.first,
                inverse: traveller.inverse,
                value: spot.value.as_ref(),
            };
            let chosen = traveller.guide.at(&stop, way).ok_or_else(|| Error::new(ErrorKind::Call(ENOUGH.into())))?;
            let Some(kept) = traveller.guide.put_back() else {
                self.limit = self.steps.saturating_add(STATEMENT);
                traveller.chosen = Some(chosen);
                return Ok(chosen.turned(traveller.inverse));
            };
            self.memory.cells = kept.cells;
        }
    }

    /// What a function returns, if this is one.
    fn returned(&mut self) -> Option<Value> {
        let result = self.frame.program.result.as_ref()?;
        self.value(result).ok()
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
        let top = self.memory.cells.len();
        let left = self.travel_stmts(block, enter, whole, traveller);
        traveller.nesting -= 1;
        // What began in the block ends with it, and so does what was borrowed without a name.
        for stmt in &block.stmts {
            if let Stmt::Begin(binding) = stmt {
                binding.pattern.bindings().into_iter().for_each(|var| self.set(var, Value::Unit));
            }
        }
        self.memory.cells.truncate(top);
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
            // There is a stop in front of each statement, and one at the end of the program.
            let next = match traveller.inverse {
                false => block.stmts.get(at),
                true => at.checked_sub(1).map(|last| &block.stmts[last]),
            };
            if next.is_some() || whole {
                let value = if next.is_none() { self.returned() } else { None };
                way = self.ask(Spot { next, first: whole && at == 0, value }, way, traveller)?;
            }
            match way {
                Way::Forwards if at == count => {
                    if !whole {
                        return Ok(Way::Forwards);
                    }
                    traveller.chosen = None;
                }
                Way::Forwards => {
                    way = self.travel_stmt(&block.stmts[at], Way::Forwards, traveller)?;
                    at += usize::from(way == Way::Forwards);
                }
                Way::Backwards if at == 0 => {
                    if !whole {
                        return Ok(Way::Backwards);
                    }
                    traveller.chosen = None;
                }
                Way::Backwards => {
                    let (stmt, role) = (&block.stmts[at - 1], &plan.roles[at - 1]);
                    let mut again = plan.before[at - 1].iter();
                    let computed = again.try_for_each(|i| self.again(&block.stmts[*i], &plan.roles[*i]));
                    if let Err(error) = computed {
                        way = traveller.turn(&error, way);
                    } else if let (Role::Beginning, Stmt::Begin(binding)) = (role, stmt) {
                        let checked = self.check_drift(stmt);
                        if let Err(error) = checked {
                            traveller.guide.failed(&error);
                        }
                        binding.pattern.bindings().into_iter().for_each(|var| self.set(var, Value::Unit));
                        at -= 1;
                    } else {
                        way = self.travel_stmt(stmt, Way::Backwards, traveller)?;
                        at -= usize::from(way == Way::Backwards);
                    }
                }
            }
        }
    }

    /// Enters a block that the program itself runs backwards.
    fn travel_inverse(
        &mut self,
        way: Way,
        traveller: &mut Traveller<'_>,
        travel: impl FnOnce(&mut Self, Way, &mut Traveller<'_>) -> Result<Way>,
    ) -> Result<Way> {
        traveller.inverse = !traveller.inverse;
        let left = travel(self, way.turned(true), traveller);
        traveller.inverse = !traveller.inverse;
        Ok(left?.turned(true))
    }

    fn travel_stmt(&mut self, stmt: &'m Stmt, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        match stmt {
            Stmt::If(s) => self.travel_if(s, stmt, way, traveller),
            Stmt::Match(s) => match self.arm(s) {
                Ok(arm) => self.travel_block(&s.arms[arm].body, way, false, traveller),
                Err(error) => Ok(traveller.turn(&self.at(error, stmt.span()), way)),
            },
            Stmt::While(s) => self.travel_while(s, stmt, way, traveller),
            Stmt::For(s) if s.early.is_none() => self.travel_for(s, stmt, way, traveller),
            Stmt::Block(s) => self.travel_block(s, way, false, traveller),
            Stmt::Conjugate(s) => self.travel_conjugate(s, way, traveller),
            Stmt::Unchecked(s) => {
                let before = std::mem::replace(&mut self.frame.unchecked, true);
                let left = self.travel_stmt(s, way, traveller);
                self.frame.unchecked = before;
                left
            }
            Stmt::Inverse(s) => {
                self.travel_inverse(way, traveller, |machine, way, traveller| machine.travel_stmt(s, way, traveller))
            }
            Stmt::Call(s) if s.run == Run::Values => self.travel_call(s, stmt, way, traveller),
            _ => {
                // A loop that fails in the middle is left as if it had not begun.
                let before = (!stmt.blocks().is_empty()).then(|| self.memory.cells.clone());
                let run = match way {
                    Way::Forwards => self.stmt(stmt).map(|_| ()),
                    Way::Backwards => self.backwards(stmt),
                };
                Ok(match run {
                    Ok(()) => way,
                    Err(error) => {
                        before.into_iter().for_each(|cells| self.memory.cells = cells);
                        traveller.turn(&error, way)
                    }
                })
            }
        }
    }

    /// Three parts, the last of which is the first backwards.
    fn travel_conjugate(&mut self, s: &'m Conjugate, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        let parts = [(&s.compute, false), (&s.rest, false), (&s.compute, true)];
        let (mut at, mut way) = (if way == Way::Forwards { 0 } else { parts.len() }, way);
        loop {
            let (block, inverse) = match (way, at) {
                (Way::Forwards, 3) | (Way::Backwards, 0) => return Ok(way),
                (Way::Forwards, at) => parts[at],
                (Way::Backwards, at) => parts[at - 1],
            };
            let entered = way;
            way = match inverse {
                false => self.travel_block(block, way, false, traveller)?,
                true => self.travel_inverse(way, traveller, |machine, way, traveller| {
                    machine.travel_block(block, way, false, traveller)
                })?,
            };
            match way {
                _ if way != entered => {}
                Way::Forwards => at += 1,
                Way::Backwards => at -= 1,
            }
        }
    }

    fn travel_call(&mut self, s: &'m Call, stmt: &'m Stmt, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        let top = self.memory.cells.len();
        let mut entered = false;
        traveller.calls += 1;
        let left = self.travel_callee(s, stmt, way, traveller, &mut entered);
        traveller.calls -= 1;
        self.memory.cells.truncate(top);
        match left {
            Err(error) if !entered => Ok(traveller.turn(&self.at(error, stmt.span()), way)),
            left => left,
        }
    }

    fn travel_callee(
        &mut self,
        s: &'m Call,
        stmt: &'m Stmt,
        way: Way,
        traveller: &mut Traveller<'_>,
        entered: &mut bool,
    ) -> Result<Way> {
        let args = self.procedure_arguments(s, stmt)?;
        let Some(program) = self.callee(&s.callee, &args) else {
            return self.library_procedure(&s.callee, &args, way.turned(s.inverse), stmt).map(|()| way);
        };
        if program.records != Records::Nothing {
            return unsupported(format!("the way back of `{}`, which keeps a record", program.name));
        }
        let mut left = way;
        self.call(program, args, |machine, program| {
            *entered = true;
            let travel = |machine: &mut Self, way, traveller: &mut Traveller<'_>| {
                machine.travel_block(&program.body, way, false, traveller)
            };
            left = match s.inverse {
                false => travel(machine, way, traveller)?,
                true => machine.travel_inverse(way, traveller, travel)?,
            };
            Ok(Value::Unit)
        })?;
        Ok(left)
    }

    fn travel_if(&mut self, s: &'m If, stmt: &'m Stmt, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        let (pre, post) = (&s.condition.pre, s.condition.post.as_ref().unwrap_or(&s.condition.pre));
        let holds = match self.condition(if way == Way::Forwards { pre } else { post }) {
            Ok(holds) => holds,
            Err(error) => return Ok(traveller.turn(&self.at(error, stmt.span()), way)),
        };
        let branch = if holds { Some(&s.then) } else { s.otherwise.as_ref() };
        let mut way = way;
        loop {
            let left = match branch {
                Some(branch) => self.travel_block(branch, way, false, traveller)?,
                None => way,
            };
            let behind = if left == Way::Forwards { post } else { pre };
            let verdict = match s.condition.post.is_some() {
                true => self.check_condition(behind, holds, Law::Postcondition, stmt),
                false => Ok(()),
            };
            match verdict {
                Ok(()) => return Ok(left),
                // The other branch would be undone: the session stays in this one.
                Err(error) => {
                    way = traveller.turn(&self.at(error, stmt.span()), left);
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
            return Ok(traveller.turn(&self.at(error, stmt.span()), way));
        }
        let mut turned = false;
        loop {
            let goes_on = match self.truth(if way == Way::Forwards { &s.pre } else { &s.post }) {
                Ok(goes_on) => goes_on,
                // Neither of the conditions has a value: there is no way on.
                Err(error) if turned => return Err(self.at(error, stmt.span())),
                Err(error) => {
                    way = traveller.turn(&self.at(error, stmt.span()), way);
                    turned = true;
                    continue;
                }
            };
            turned = false;
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
                way = traveller.turn(&self.at(error, stmt.span()), way);
                way = self.travel_block(&s.body, way, false, traveller)?;
            }
        }
    }

    fn travel_for(&mut self, s: &'m For, stmt: &'m Stmt, way: Way, traveller: &mut Traveller<'_>) -> Result<Way> {
        let elements = match self.elements(&s.iter) {
            Ok(elements) => elements,
            Err(error) => return Ok(traveller.turn(&self.at(error, stmt.span()), way)),
        };
        let count = elements.count();
        let (mut at, mut way) = (if way == Way::Forwards { 0 } else { count }, way);
        loop {
            let element = match way {
                Way::Forwards if at == count => return Ok(way),
                Way::Backwards if at == 0 => return Ok(way),
                Way::Forwards => elements.get(at),
                Way::Backwards => elements.get(at - 1),
            };
            self.bound(&s.pattern, element).map_err(|error| self.at(error, stmt.span()))?;
            let entered = way;
            way = self.travel_block(&s.body, way, false, traveller)?;
            match way {
                _ if way != entered => {}
                Way::Forwards => at += 1,
                Way::Backwards => at -= 1,
            }
        }
    }
}
