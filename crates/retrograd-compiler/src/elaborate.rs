//! Makes every end of life and every undoing a statement of its own.
//!
//! After this stage a block can be inverted by reversing its statements: each `Begin` has its `End`, each `Compute`
//! its `Uncompute`, and `#[inverse]` is gone. The plan comes from `analysis::lifetime`; `check` has shown that it
//! is sound.

use crate::analysis::Context;
use crate::analysis::lifetime::{Plan, Role};
use crate::invert::{invert, invert_stmt};
use crate::ir::{Binding, BindingKind, Block, Compute, Expr, Program, Stmt};

/// The program with explicit ends of life.
pub fn elaborate(program: &Program) -> Program {
    let context = Context::new(program);
    let (body, ending) = context.elaborate_block(&program.body, program.result.as_ref());
    Program { ending, ..program.with_body(body) }
}

impl Context<'_> {
    /// The block, and what comes after its value.
    fn elaborate_block(&self, block: &Block, tail: Option<&Expr>) -> (Block, Block) {
        let plan = self.plan(block, tail);
        let ends = plan.ends();
        let undone = |position: usize| ends[position].iter().map(|end| self.end(&block.stmts[*end], &plan, *end));
        let mut stmts = Vec::new();
        for (i, stmt) in block.stmts.iter().enumerate() {
            let stmt = self.elaborate_stmt(stmt, &plan);
            stmts.push(match &plan.roles[i] {
                Role::Computing => Stmt::Compute(single(stmt, false)),
                Role::Using | Role::Beginning | Role::Mixed(_) => stmt,
            });
            stmts.extend(undone(i));
        }
        let ending = undone(block.stmts.len()).collect();
        (Block { stmts, span: block.span }, Block { stmts: ending, span: block.span })
    }

    fn elaborate_inner(&self, block: &Block) -> Block {
        self.elaborate_block(block, None).0
    }

    /// The statement that undoes statement `i`, when that is undone by itself.
    fn end(&self, stmt: &Stmt, plan: &Plan, i: usize) -> Stmt {
        if let Role::Mixed(slice) = &plan.roles[i] {
            return Stmt::Uncompute(single(invert_stmt(&self.elaborate_stmt(slice, plan)), true));
        }
        match stmt.begun() {
            Some(binding) => Stmt::End(binding.clone()),
            None => Stmt::Uncompute(single(invert_stmt(&self.elaborate_stmt(stmt, plan)), false)),
        }
    }

    fn elaborate_stmt(&self, stmt: &Stmt, plan: &Plan) -> Stmt {
        match stmt {
            Stmt::Begin(b) => {
                let manual = b.pattern.bindings().iter().any(|var| plan.manual.contains_key(var));
                let kind = if manual { BindingKind::Manual } else { b.kind };
                Stmt::Begin(Binding { kind, ..b.clone() })
            }
            Stmt::If(_)
            | Stmt::Match(_)
            | Stmt::While(_)
            | Stmt::Loop(_)
            | Stmt::For(_)
            | Stmt::Recompute(_)
            | Stmt::Block(_)
            | Stmt::Conjugate(_) => stmt.map_blocks(&mut |block| self.elaborate_inner(block)),
            Stmt::Unchecked(s) => Stmt::Unchecked(Box::new(self.elaborate_stmt(s, plan))),
            Stmt::Inverse(s) => invert_stmt(&self.elaborate_stmt(s, plan)),
            Stmt::Update(_)
            | Stmt::Flip(_)
            | Stmt::Map(_)
            | Stmt::Swap(_)
            | Stmt::Permute(_)
            | Stmt::Call(_)
            | Stmt::End(_)
            | Stmt::Assign(_)
            | Stmt::Exit(_)
            | Stmt::Keep(_)
            | Stmt::Restore(_)
            | Stmt::Give(_)
            | Stmt::Check(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_)
            | Stmt::Host(_) => stmt.clone(),
        }
    }
}

fn single(stmt: Stmt, slice: bool) -> Compute {
    let span = stmt.span();
    Compute { body: Block { stmts: vec![stmt], span }, slice, kept: false }
}

/// The inverse of an elaborated program: its body backwards. Functions have none.
pub fn inverse(program: &Program) -> Program {
    program.with_body(invert(&program.body))
}
