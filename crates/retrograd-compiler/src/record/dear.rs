//! Values that are dear to compute, and that their own derivatives are made of, are kept rather than computed again.
//!
//! ```text
//! let y = 1.0 / (1.0 + x.exp());     let dear = x.exp();
//! s += y * y;                        let y = 1.0 / (1.0 + dear);
//!                                    s += y * y;
//!                                    keep dear
//! ```
//!
//! What is made of them is cheap, and is computed again from them. The locals of a block expression that has such values stand in front
//! of the statement: `{ let t = -x; 1.0 / (1.0 + t.exp()) }` is what a closure becomes that is called.

use super::called::with_parts;
use super::prepare::{begun, is_reference};
use crate::analysis::activity::active;
use crate::derivative::rules;
use crate::hygiene::fresh;
use crate::ir::{
    Activity, Assign, Binding, BindingKind, Block, Elementary, Expr, ExprKind, Give, Known, Pattern, Program, Stmt,
    Update, Var, VarId, VarKind,
};

/// The program with a local for each of them. The value of a local or of an assignment has a name already.
pub(super) fn named(program: &Program) -> Program {
    let mut stage = Named { vars: program.vars.clone() };
    let mut body = stage.block(&program.body);
    let first = body.stmts.len();
    let result = program.result.as_ref().map(|value| stage.lifted(value, &mut body.stmts, first));
    Program { result, ..program.with(stage.vars, body) }
}

/// Whether an expression is such a value.
pub(super) fn is_dear(vars: &[Var], e: &Expr) -> bool {
    use Elementary::*;
    let ExprKind::Method { method, .. } = &e.kind else { return false };
    matches!(method.known, Some(Known::Elementary(Exp | Exp2 | ExpM1 | Tan | Tanh | Powf | Gamma)))
        && rules::asks_for_value(e)
        && active(vars, e)
}

struct Named {
    /// The variables of the program, and those that are added.
    vars: Vec<Var>,
}

impl Named {
    fn block(&mut self, block: &Block) -> Block {
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            let stmt = self.stmt(stmt, &mut stmts);
            stmts.push(stmt);
        }
        Block { stmts, span: block.span }
    }

    /// The statement, behind those that begin what it is made of.
    fn stmt(&mut self, stmt: &Stmt, before: &mut Vec<Stmt>) -> Stmt {
        let first = before.len();
        match stmt {
            Stmt::Begin(s) if !s.constant && s.kind != BindingKind::View && !is_reference(&self.vars, s) => {
                let value = self.parts(&s.value, before, first);
                Stmt::Begin(Binding { value, ..s.clone() })
            }
            Stmt::Assign(s) => {
                let value = self.parts(&s.value, before, first);
                Stmt::Assign(Assign { value, ..s.clone() })
            }
            Stmt::Update(s) => {
                let operand = self.lifted(&s.operand, before, first);
                Stmt::Update(Update { operand, ..s.clone() })
            }
            Stmt::Give(s) => Stmt::Give(Give { value: self.lifted(&s.value, before, first), ..s.clone() }),
            _ => stmt.map_blocks(&mut |block| self.block(block)),
        }
    }

    fn parts(&mut self, e: &Expr, before: &mut Vec<Stmt>, first: usize) -> Expr {
        match &e.kind {
            ExprKind::Block { lets, tail } if self.has_dear(e) && lets.iter().all(|(names, ..)| self.flows(names)) => {
                for (pattern, ty, value) in lets {
                    let value = self.parts(value, before, first);
                    for var in pattern.bindings() {
                        // It lives beside locals of other blocks now.
                        let named = &mut self.vars[var.0];
                        named.name = fresh(&format!("{}_{}", named.written, var.0));
                    }
                    let (pattern, ty, span) = (pattern.clone(), ty.clone(), value.span);
                    let kind = BindingKind::Let;
                    before.push(Stmt::Begin(Binding { kind, pattern, ty, value, constant: false, span }));
                }
                self.parts(tail, before, first)
            }
            _ => with_parts(e, &mut |part| self.lifted(part, before, first)),
        }
    }

    fn has_dear(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |e| found |= is_dear(&self.vars, e));
        found
    }

    /// Whether derivatives flow through all names of a pattern.
    fn flows(&self, pattern: &Pattern) -> bool {
        pattern.bindings().iter().all(|var| self.vars[var.0].activity == Activity::Active)
    }

    /// The expression with the names of what the statements from `first` on begin.
    fn lifted(&mut self, e: &Expr, before: &mut Vec<Stmt>, first: usize) -> Expr {
        let value = self.parts(e, before, first);
        if !is_dear(&self.vars, e) {
            return value;
        }
        let known = before[first..].iter().filter_map(Stmt::begun).find(|begun| begun.value == value);
        let var = known.and_then(|begun| begun.pattern.as_var()).unwrap_or_else(|| {
            let var = VarId(self.vars.len());
            let added = Var::added(&format!("dear_{}", var.0), VarKind::Let, e.span);
            self.vars.push(Var { activity: Activity::Active, ..added });
            before.push(Stmt::Begin(begun(var, BindingKind::Let, value)));
            var
        });
        Expr::var(var, e.span)
    }
}
