//! Statements as they are written.

use retrograd::ErrorKind as Law;
use retrograd_compiler::ir::{Block, ExitKind, If, Loop, Match, Pattern, Stmt, VarKind, While};

use super::life::keeps;
use crate::error::{Result, unfit, unsupported};
use crate::machine::{Flow, Machine, Way};
use crate::value::Value;

impl<'m> Machine<'m> {
    /// Runs the statements of a block.
    pub(crate) fn block(&mut self, block: &'m Block) -> Result<Flow> {
        for stmt in &block.stmts {
            match self.stmt(stmt)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    /// Runs a statement.
    pub(crate) fn stmt(&mut self, stmt: &'m Stmt) -> Result<Flow> {
        if self.is_left_out(stmt) {
            return Ok(Flow::Next);
        }
        let run = self.step().and_then(|()| self.run(stmt));
        run.map_err(|error| self.at(error, stmt.span()))
    }

    /// Whether a statement is not one of those that change certain locals, while only these are run.
    pub(super) fn is_left_out(&self, stmt: &'m Stmt) -> bool {
        let Some(only) = &self.frame.only else { return false };
        !keeps(self.frame.program, stmt, only)
    }

    fn run(&mut self, stmt: &'m Stmt) -> Result<Flow> {
        match stmt {
            Stmt::Update(s) if self.is_shadow(s.target.root) => self.accumulate(s)?,
            Stmt::Update(s) => {
                self.keep_updated(s)?;
                self.update(s, stmt, Way::Forwards)?;
            }
            Stmt::Flip(s) => self.flip(s)?,
            Stmt::Map(s) => self.map(s, stmt, Way::Forwards)?,
            Stmt::Swap(s) => self.swap(s, stmt)?,
            Stmt::Permute(s) => self.permute(s, Way::Forwards)?,
            Stmt::Call(s) => self.procedure(s, stmt, Way::Forwards)?,
            Stmt::Begin(s) => self.begin(s)?,
            Stmt::End(s) => self.end(s, stmt)?,
            Stmt::If(s) => return self.if_stmt(s, stmt),
            Stmt::Match(s) => return self.match_stmt(s),
            Stmt::While(s) => return self.while_stmt(s, stmt),
            Stmt::Assign(s) => self.assign(s)?,
            Stmt::Loop(s) => return self.loop_stmt(s),
            Stmt::Exit(s) => {
                return Ok(match &s.kind {
                    ExitKind::Break(number) => Flow::Break(*number),
                    ExitKind::Continue(number) => Flow::Continue(*number),
                    ExitKind::Return(value) => Flow::Return(value.as_ref().map(|value| self.value(value)).transpose()?),
                });
            }
            Stmt::For(s) => return self.for_stmt(s, Way::Forwards),
            Stmt::Recompute(s) if s.kept.is_empty() => return self.block(&s.body),
            Stmt::Recompute(_) => return unsupported("a statement that is prepared to be run again"),
            Stmt::Block(s) => return self.block(s),
            Stmt::Conjugate(s) => {
                let only = self.frame.only.clone();
                // What is undone changes nothing, whatever may be changed.
                self.frame.only = None;
                self.block(&s.compute)?;
                self.frame.only = only;
                let flow = self.block(&s.rest)?;
                let only = self.frame.only.take();
                self.block_backwards(&s.compute)?;
                self.frame.only = only;
                return Ok(flow);
            }
            Stmt::Unchecked(s) => {
                let before = std::mem::replace(&mut self.frame.unchecked, true);
                let flow = self.stmt(s);
                self.frame.unchecked = before;
                return flow;
            }
            Stmt::Inverse(s) => self.backwards(s)?,
            // The language of hosts is Rust.
            Stmt::Host(_) => {}
            Stmt::Keep(s) => self.keep(s)?,
            Stmt::Restore(s) => self.restore(s)?,
            Stmt::Give(s) => self.give(s)?,
            Stmt::Check(s) => self.relied_on(s)?,
            Stmt::Compute(s) | Stmt::Uncompute(s) => return self.block(&s.body),
        }
        Ok(Flow::Next)
    }

    fn if_stmt(&mut self, s: &'m If, stmt: &'m Stmt) -> Result<Flow> {
        let holds = self.condition(&s.condition.pre)?;
        let flow = match (holds, &s.otherwise) {
            (true, _) => self.block(&s.then)?,
            (false, Some(otherwise)) => self.block(otherwise)?,
            (false, None) => Flow::Next,
        };
        if let Some(post) = &s.condition.post {
            self.check_condition(post, holds, Law::Postcondition, stmt)?;
        }
        Ok(flow)
    }

    fn match_stmt(&mut self, s: &'m Match) -> Result<Flow> {
        let arm = self.arm(s)?;
        self.block(&s.arms[arm].body)
    }

    /// The arm that fits, its names bound.
    pub(crate) fn arm(&mut self, s: &'m Match) -> Result<usize> {
        let value = self.scrutinee(&s.scrutinee)?;
        for (i, arm) in s.arms.iter().enumerate() {
            if self.matches(&arm.pattern, value.clone())?
                && arm.guard.as_ref().map_or(Ok(true), |guard| self.truth(guard))?
            {
                self.copy_bound(&arm.pattern)?;
                return Ok(i);
            }
        }
        unfit("no arm of a `match` fits")
    }

    /// A number that a pattern binds by value stays what it was, whatever the arm does to what was matched.
    fn copy_bound(&mut self, pattern: &'m Pattern) -> Result<()> {
        for var in pattern.bindings() {
            let views = matches!(self.frame.program.var(var).kind, VarKind::View(_));
            let value = self.memory.load(self.var(var).clone())?;
            if !views && matches!(value, Value::Bool(_) | Value::Int(_) | Value::Float(_)) {
                self.set(var, value);
            }
        }
        Ok(())
    }

    fn while_stmt(&mut self, s: &'m While, stmt: &'m Stmt) -> Result<Flow> {
        self.check_condition(&s.post, false, Law::LoopEntry, stmt)?;
        while self.truth(&s.pre)? {
            self.step()?;
            match self.block(&s.body)? {
                Flow::Next => {}
                flow => return Ok(flow),
            }
            self.check_condition(&s.post, true, Law::LoopTurn, stmt)?;
        }
        Ok(Flow::Next)
    }

    fn loop_stmt(&mut self, s: &'m Loop) -> Result<Flow> {
        loop {
            if let Some(condition) = &s.condition
                && !self.condition(condition)?
            {
                return Ok(Flow::Next);
            }
            self.step()?;
            if let Some(count) = s.count {
                self.count_up(count)?;
            }
            match self.block(&s.body)? {
                Flow::Next => {}
                Flow::Continue(number) if number == s.number => {}
                Flow::Break(number) if number == s.number => return Ok(Flow::Next),
                flow => return Ok(flow),
            }
            if let Some(until) = &s.until
                && self.truth(until)?
            {
                return Ok(Flow::Next);
            }
        }
    }
}
