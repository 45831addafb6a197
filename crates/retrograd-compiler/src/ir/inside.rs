//! What is inside a statement: its blocks, all statements in them, and the same statement with other blocks.

use super::{Arm, Block, Compute, Conjugate, For, If, Loop, Match, Recompute, Stmt, While};

impl Stmt {
    /// Calls `visit` on this statement and every one inside it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        visit(self);
        match self {
            Stmt::Unchecked(inner) | Stmt::Inverse(inner) => inner.walk(visit),
            _ => self.blocks().into_iter().for_each(|block| block.walk(visit)),
        }
    }

    /// Whether this statement, or one inside it, is such a one.
    pub fn any(&self, is: &dyn Fn(&Stmt) -> bool) -> bool {
        is(self)
            || match self {
                Stmt::Unchecked(inner) | Stmt::Inverse(inner) => inner.any(is),
                _ => self.blocks().into_iter().any(|block| block.any(is)),
            }
    }

    /// The blocks directly inside this statement.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Stmt::If(s) => std::iter::once(&s.then).chain(&s.otherwise).collect(),
            Stmt::Match(s) => s.arms.iter().map(|arm| &arm.body).collect(),
            Stmt::While(s) => vec![&s.body],
            Stmt::Loop(s) => vec![&s.body],
            Stmt::For(s) => vec![&s.body],
            Stmt::Recompute(s) => vec![&s.body],
            Stmt::Block(s) => vec![s],
            Stmt::Conjugate(s) => vec![&s.compute, &s.rest],
            Stmt::Unchecked(s) | Stmt::Inverse(s) => s.blocks(),
            Stmt::Compute(s) | Stmt::Uncompute(s) => vec![&s.body],
            Stmt::Update(_)
            | Stmt::Flip(_)
            | Stmt::Map(_)
            | Stmt::Swap(_)
            | Stmt::Permute(_)
            | Stmt::Call(_)
            | Stmt::Begin(_)
            | Stmt::End(_)
            | Stmt::Assign(_)
            | Stmt::Exit(_)
            | Stmt::Keep(_)
            | Stmt::Restore(_)
            | Stmt::Give(_)
            | Stmt::Check(_)
            | Stmt::Host(_) => Vec::new(),
        }
    }

    /// The statement with the blocks directly inside it replaced.
    pub fn map_blocks(&self, with: &mut dyn FnMut(&Block) -> Block) -> Stmt {
        match self {
            Stmt::If(s) => {
                let (then, otherwise) = (with(&s.then), s.otherwise.as_ref().map(&mut *with));
                Stmt::If(s.with_branches(then, otherwise))
            }
            Stmt::Match(s) => {
                let arms = s.arms.iter().map(|arm| arm.with_body(with(&arm.body))).collect();
                Stmt::Match(s.with_arms(arms))
            }
            Stmt::While(s) => Stmt::While(s.with_body(with(&s.body))),
            Stmt::Loop(s) => Stmt::Loop(s.with_body(with(&s.body))),
            Stmt::For(s) => Stmt::For(s.with_body(with(&s.body))),
            Stmt::Recompute(s) => Stmt::Recompute(s.with_body(with(&s.body))),
            Stmt::Block(s) => Stmt::Block(with(s)),
            Stmt::Conjugate(s) => {
                Stmt::Conjugate(Conjugate { compute: with(&s.compute), rest: with(&s.rest), span: s.span })
            }
            Stmt::Unchecked(s) => Stmt::Unchecked(Box::new(s.map_blocks(with))),
            Stmt::Inverse(s) => Stmt::Inverse(Box::new(s.map_blocks(with))),
            Stmt::Compute(s) => Stmt::Compute(s.with_body(with(&s.body))),
            Stmt::Uncompute(s) => Stmt::Uncompute(s.with_body(with(&s.body))),
            Stmt::Update(_)
            | Stmt::Flip(_)
            | Stmt::Map(_)
            | Stmt::Swap(_)
            | Stmt::Permute(_)
            | Stmt::Call(_)
            | Stmt::Begin(_)
            | Stmt::End(_)
            | Stmt::Assign(_)
            | Stmt::Exit(_)
            | Stmt::Keep(_)
            | Stmt::Restore(_)
            | Stmt::Give(_)
            | Stmt::Check(_)
            | Stmt::Host(_) => self.clone(),
        }
    }
}

impl Block {
    /// Calls `visit` on every statement in the block, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        self.stmts.iter().for_each(|stmt| stmt.walk(visit));
    }

    /// Whether there is such a statement in the block.
    pub fn any(&self, is: &dyn Fn(&Stmt) -> bool) -> bool {
        self.stmts.iter().any(|stmt| stmt.any(is))
    }
}

/// Statements with one block in them: the same with another one, without a copy of the first.
macro_rules! with_body {
    ($($Stmt:ident { $($field:ident),* })*) => {
        $(impl $Stmt {
            /// The same with another block.
            pub fn with_body(&self, body: Block) -> $Stmt {
                $Stmt { body, $($field: Clone::clone(&self.$field)),* }
            }
        })*
    };
}

with_body! {
    Arm { pattern, guard }
    While { pre, post, span }
    For { pattern, iter, unroll, number, early, part, numbered, span }
    Loop { condition, number, until, count, part, span }
    Recompute { kept, schedule, span }
    Compute { slice, kept }
}

impl If {
    /// The same with other branches.
    pub fn with_branches(&self, then: Block, otherwise: Option<Block>) -> If {
        If { condition: self.condition.clone(), then, otherwise, span: self.span }
    }
}

impl Match {
    /// The same with other arms.
    pub fn with_arms(&self, arms: Vec<Arm>) -> Match {
        Match { scrutinee: self.scrutinee.clone(), arms, span: self.span }
    }
}
