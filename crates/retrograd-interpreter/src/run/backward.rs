//! Statements backwards: each is undone by what the language reference says undoes it.

use std::rc::Rc;

use retrograd::ErrorKind as Law;
use retrograd_compiler::ir::{BindingKind, Block, Stmt};

use super::life::{Plan, Role};
use crate::error::{Result, unsupported};
use crate::machine::{Machine, Way};
use crate::rewritten::{drifted, largest};

impl<'m> Machine<'m> {
    /// The plan of a block.
    pub(crate) fn plan(&mut self, block: &'m Block) -> Rc<Plan> {
        let program = self.frame.program;
        Rc::clone(self.plans.entry(block).or_insert_with(|| Rc::new(Plan::of(program, block))))
    }

    /// Runs the statements of a block backwards.
    pub(crate) fn block_backwards(&mut self, block: &'m Block) -> Result<()> {
        let plan = self.plan(block);
        for (i, stmt) in block.stmts.iter().enumerate().rev() {
            for &again in &plan.before[i] {
                self.again(&block.stmts[again], &plan.roles[again])?;
            }
            match plan.roles[i] {
                Role::Beginning => self.check_drift(stmt)?,
                Role::Using | Role::Computing | Role::Mixed(_) => self.backwards(stmt)?,
            }
        }
        Ok(())
    }

    /// An ancilla ends where it began: it has to be what it was.
    pub(crate) fn check_drift(&mut self, stmt: &'m Stmt) -> Result<()> {
        let Stmt::Begin(binding) = stmt else { return Ok(()) };
        let (Some(var), BindingKind::Ancilla) = (binding.pattern.as_var(), binding.kind) else { return Ok(()) };
        if !self.checks() || self.frame.program.var(var).unchecked {
            return Ok(());
        }
        let expected = self.value(&binding.value)?;
        let actual = self.memory.load(self.var(var).clone())?;
        match drifted(&expected, &actual, 0, largest(&expected).max(largest(&actual))) {
            None => Ok(()),
            Some((path, expected, actual)) => {
                let variable = format!("{}{path}", self.frame.program.var(var).written);
                self.broken(Law::Drift, stmt, variable, expected, actual)
            }
        }
    }

    /// Computes what is about to be used.
    pub(crate) fn again(&mut self, stmt: &'m Stmt, role: &Role) -> Result<()> {
        match role {
            Role::Using => {}
            Role::Beginning | Role::Computing => {
                self.stmt(stmt)?;
            }
            Role::Mixed(only) => {
                // Inside a statement of which only a part is run, this is a part of that part.
                let only = match &self.frame.only {
                    Some(outer) => Rc::new(outer.intersection(only).copied().collect()),
                    None => Rc::clone(only),
                };
                let outer = self.frame.only.replace(only);
                let run = self.stmt(stmt);
                self.frame.only = outer;
                run?;
            }
        }
        Ok(())
    }

    /// Undoes a statement.
    pub(crate) fn backwards(&mut self, stmt: &'m Stmt) -> Result<()> {
        if self.is_left_out(stmt) {
            return Ok(());
        }
        let run = self.step().and_then(|()| self.undo(stmt));
        run.map_err(|error| self.at(error, stmt.span()))
    }

    fn undo(&mut self, stmt: &'m Stmt) -> Result<()> {
        match stmt {
            Stmt::Update(s) => self.update(s, stmt, Way::Backwards),
            Stmt::Flip(s) => self.flip(s),
            Stmt::Map(s) => self.map(s, stmt, Way::Backwards),
            Stmt::Swap(s) => self.swap(s, stmt),
            Stmt::Permute(s) => self.permute(s, Way::Backwards),
            Stmt::Call(s) => self.procedure(s, stmt, Way::Backwards),
            Stmt::Begin(s) => self.end(s, stmt),
            Stmt::End(s) => self.begin(s),
            Stmt::If(s) => {
                let (chooses, before) = match &s.condition.post {
                    Some(post) => (post, Some(&s.condition.pre)),
                    None => (&s.condition.pre, None),
                };
                let holds = self.condition(chooses)?;
                match (holds, &s.otherwise) {
                    (true, _) => self.block_backwards(&s.then)?,
                    (false, Some(otherwise)) => self.block_backwards(otherwise)?,
                    (false, None) => {}
                }
                match before {
                    Some(before) => self.check_condition(before, holds, Law::Postcondition, stmt),
                    None => Ok(()),
                }
            }
            Stmt::Match(s) => {
                let arm = self.arm(s)?;
                self.block_backwards(&s.arms[arm].body)
            }
            Stmt::While(s) => {
                self.check_condition(&s.pre, false, Law::LoopEntry, stmt)?;
                while self.truth(&s.post)? {
                    self.step()?;
                    self.block_backwards(&s.body)?;
                    self.check_condition(&s.pre, true, Law::LoopTurn, stmt)?;
                }
                Ok(())
            }
            Stmt::For(s) => self.for_stmt(s, Way::Backwards).map(|_| ()),
            Stmt::Block(s) => self.block_backwards(s),
            Stmt::Conjugate(s) => {
                let only = self.frame.only.take();
                self.block(&s.compute)?;
                self.frame.only = only;
                self.block_backwards(&s.rest)?;
                let only = self.frame.only.take();
                self.block_backwards(&s.compute)?;
                self.frame.only = only;
                Ok(())
            }
            Stmt::Unchecked(s) => {
                let before = std::mem::replace(&mut self.frame.unchecked, true);
                let run = self.backwards(s);
                self.frame.unchecked = before;
                run
            }
            Stmt::Inverse(s) => self.stmt(s).map(|_| ()),
            Stmt::Host(_) => Ok(()),
            Stmt::Assign(_) | Stmt::Loop(_) | Stmt::Exit(_) | Stmt::Recompute(_) => {
                unsupported("the way back of what is recorded")
            }
            Stmt::Keep(_)
            | Stmt::Restore(_)
            | Stmt::Give(_)
            | Stmt::Check(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => unsupported("the way back of a derived program"),
        }
    }
}
