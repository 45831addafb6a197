//! Writes loops out that are marked `#[unroll(N)]`.
//!
//! ```text
//! #[unroll(2)]               let first = a;
//! for i in a..b {            let behind = b;
//!     A                      if first >= behind || behind - first <= 2 {
//! }                              if first + 0 < behind { let i = first + 0; A }
//!                                if first + 1 < behind { let i = first + 1; A }
//!                            } else {
//!                                for i in a..b { A }
//!                            }
//! ```
//!
//! The indices of the copies are constants where the range is. More iterations run as a loop.

use crate::derivative::let_register;
use crate::ir::{
    Adapter, BinaryOp, Block, Condition, Expr, For, If, Pattern, Program, Source, Stmt, Var, VarId, VarKind,
};

/// The program with these loops written out, or as loops like all others if they are not to be.
pub(super) fn unroll(mut program: Program, unrolled: bool) -> Program {
    if !unrolls(&program.body) {
        return program;
    }
    let body = std::mem::replace(&mut program.body, Block { stmts: Vec::new(), span: program.ending.span });
    program.body = Pass { vars: &mut program.vars, unrolled }.block(&body);
    program
}

/// Whether a loop is marked to be unrolled.
pub(crate) fn unrolls(block: &Block) -> bool {
    block.any(&|stmt| matches!(stmt, Stmt::For(For { unroll: Some(_), .. })))
}

struct Pass<'p> {
    vars: &'p mut Vec<Var>,
    unrolled: bool,
}

impl Pass<'_> {
    fn block(&mut self, block: &Block) -> Block {
        Block { stmts: block.stmts.iter().map(|stmt| self.stmt(stmt)).collect(), span: block.span }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        if let Stmt::Unchecked(inner) = stmt {
            return Stmt::Unchecked(Box::new(self.stmt(inner)));
        }
        match stmt.map_blocks(&mut |block| self.block(block)) {
            Stmt::For(s) => match s.unroll {
                Some(count) => self.written_out(For { unroll: None, ..s }, count),
                None => Stmt::For(s),
            },
            stmt => stmt,
        }
    }

    fn written_out(&mut self, s: For, count: usize) -> Stmt {
        let Source::Range { start, end, inclusive: false } = &s.iter.source else { return Stmt::For(s) };
        let numbers: Vec<usize> = match s.iter.adapters.as_slice() {
            [] => (0..count).collect(),
            [Adapter::Rev] => (0..count).rev().collect(),
            _ => return Stmt::For(s),
        };
        // A loop that is left from inside is a loop.
        if !self.unrolled || s.early.is_some() || s.number.is_some_and(|number| s.body.exits(number)) {
            return Stmt::For(s);
        }
        let span = s.span;
        let (first, first_is) = self.name("first", start);
        let (behind, behind_is) = self.name("behind", end);
        let choice = |pre: Expr, then: Vec<Stmt>, otherwise: Option<Stmt>| {
            let otherwise = otherwise.map(|stmt| Block { stmts: vec![stmt], span });
            Stmt::If(If {
                condition: Condition { pre, post: None },
                then: Block { stmts: then, span },
                otherwise,
                span,
            })
        };
        let copies = numbers.into_iter().map(|n| {
            let at = || Expr::binary(BinaryOp::Add, Expr::var(first, span), Expr::integer(n, span));
            let mut stmts = vec![let_register(s.pattern.clone(), at())];
            stmts.extend(s.body.stmts.iter().cloned());
            choice(Expr::binary(BinaryOp::Lt, at(), Expr::var(behind, span)), stmts, None)
        });
        let empty = Expr::binary(BinaryOp::Ge, Expr::var(first, span), Expr::var(behind, span));
        let length = Expr::binary(BinaryOp::Sub, Expr::var(behind, span), Expr::var(first, span));
        let few = Expr::binary(BinaryOp::Or, empty, Expr::binary(BinaryOp::Le, length, Expr::integer(count, span)));
        let written = choice(few, copies.collect(), Some(Stmt::For(s.clone())));
        Stmt::Block(Block { stmts: vec![first_is, behind_is, written], span })
    }

    /// A name for an end of the range.
    fn name(&mut self, role: &str, value: &Expr) -> (VarId, Stmt) {
        let var = VarId(self.vars.len());
        self.vars.push(Var::added(&format!("{role}_{}", var.0), VarKind::Bound, value.span));
        (var, let_register(Pattern::bind(var, value.span), value.clone()))
    }
}
