//! Ways out of a block become conditions: a register says where a run is on its way to, and what it leaves out stands in an `if`.

use std::rc::Rc;

use crate::ir::{
    Assign, BinaryOp, Binding, BindingKind, Block, Early, Exit, ExitKind, Expr, ExprKind, For, Give, If, Kind, Loop,
    Pattern, Place, Program, Rule, Stmt, Var, VarId, VarKind,
};
use crate::passes::Pass;
use crate::span::Span;

/// The program without `break`, `continue` and `return`.
pub(super) fn without_exits(program: &Program) -> Program {
    if !program.body.stmts.iter().any(|stmt| any_exit(stmt, &|_| true)) {
        // Where everything is kept, so is what a local was before it had a value; and so is what a statement that is run again changes.
        let all = !program.passes.has(Pass::Demand) || program.body.stmts.iter().any(any_recompute);
        let body = with_values(&program.body, all);
        return program.with_body(body);
    }
    let span = program.body.span;
    let mut vars = program.vars.clone();
    let mut declare = |name: &str| {
        vars.push(Var::added(name, VarKind::Register, span));
        VarId(vars.len() - 1)
    };
    let (way, result) = (declare("way"), declare("given"));
    let begin = |var, value| {
        let pattern = Pattern::bind(var, span);
        Stmt::Begin(Binding { kind: BindingKind::Ancilla, pattern, ty: None, value, constant: false, span })
    };
    let mut stage = Exits { way, result, span, vars };
    let mut body = program.body.stmts.clone();
    let mut stmts = vec![begin(way, Expr::integer(0, span))];
    let returns = program.body.stmts.iter().any(|stmt| any_exit(stmt, &|kind| matches!(kind, ExitKind::Return(_))));
    let mut value = program.result.clone();
    if returns && program.kind == Kind::Function {
        stmts.push(begin(result, Expr::rule(Rule::Absent, Vec::new(), span)));
        let last = value.take().map(|e| Exit { span: e.span, kind: ExitKind::Return(Some(e)) });
        body.extend(last.map(Stmt::Exit));
        value = Some(Expr::rule(Rule::Given, vec![Expr::var(result, span)], span));
    }
    stmts.extend(stage.stmts(&body));
    // What an exit leaves out may be where a local gets its value: rustc wants to see one.
    let stmts = with_values(&Block { stmts, span }, true).stmts;
    Program { vars: stage.vars, body: Block { stmts, span }, result: value, ..program.clone() }
}

/// Whether there is an exit of a kind in a statement, wherever it leads.
fn any_exit(stmt: &Stmt, wanted: &dyn Fn(&ExitKind) -> bool) -> bool {
    stmt.any(&|stmt| matches!(stmt, Stmt::Exit(exit) if wanted(&exit.kind)))
}

/// Whether anything in a statement is run again.
fn any_recompute(stmt: &Stmt) -> bool {
    stmt.any(&|stmt| matches!(stmt, Stmt::Recompute(_)))
}

/// Whether there is an exit in a statement that leads out of it.
fn leaves(stmt: &Stmt) -> bool {
    fn outwards(stmt: &Stmt, inside: &mut Vec<usize>) -> bool {
        let number = match stmt {
            Stmt::Exit(Exit { kind: ExitKind::Break(number) | ExitKind::Continue(number), .. }) => {
                return !inside.contains(number);
            }
            Stmt::Exit(_) => return true,
            Stmt::For(s) => s.number,
            Stmt::Loop(s) => Some(s.number),
            _ => None,
        };
        inside.extend(number);
        let found = stmt.blocks().into_iter().any(|block| block.stmts.iter().any(|stmt| outwards(stmt, inside)));
        inside.truncate(inside.len() - usize::from(number.is_some()));
        found
    }
    outwards(stmt, &mut Vec::new())
}

/// Whether no run gets to the end of a block.
fn always_leaves(block: &Block) -> bool {
    block.stmts.last().is_some_and(|stmt| match stmt {
        Stmt::Exit(_) => true,
        Stmt::If(s) => always_leaves(&s.then) && s.otherwise.as_ref().is_some_and(always_leaves),
        Stmt::Match(s) => s.arms.iter().all(|arm| always_leaves(&arm.body)),
        Stmt::Block(s) => always_leaves(s),
        _ => false,
    })
}

/// The statements with a value for each local that gets its own later: for all of them, or for those that get it in a loop, of which each
/// iteration keeps what the one before it has left.
fn with_values(block: &Block, all: bool) -> Block {
    let stmts = block.stmts.iter().enumerate().map(|(i, stmt)| match stmt {
        Stmt::Begin(b)
            if matches!(b.value.kind, ExprKind::Rule(Rule::Later, _))
                && (all || b.pattern.bindings().iter().any(|var| is_given_in_a_loop(*var, &block.stmts[i..]))) =>
        {
            Stmt::Begin(Binding { value: Expr::rule(Rule::Blank, Vec::new(), b.span), ..b.clone() })
        }
        _ => stmt.map_blocks(&mut |block| with_values(block, all)),
    });
    Block { stmts: stmts.collect(), span: block.span }
}

/// Whether a loop among these statements gives a local its value.
fn is_given_in_a_loop(var: VarId, stmts: &[Stmt]) -> bool {
    let gives = |stmt: &Stmt| matches!(stmt, Stmt::Assign(s) if s.target.root == var);
    let is_loop = |stmt: &Stmt| matches!(stmt, Stmt::For(_) | Stmt::Loop(_) | Stmt::While(_));
    stmts.iter().any(|stmt| stmt.any(&|stmt| is_loop(stmt) && stmt.any(&gives)))
}

struct Exits {
    /// Where the run is on its way to: 0 if it is on none.
    way: VarId,
    /// What a function returns.
    result: VarId,
    span: Span,
    vars: Vec<Var>,
}

/// The number of a way out.
fn code(kind: &ExitKind) -> usize {
    match kind {
        ExitKind::Return(_) => 1,
        ExitKind::Break(number) => 2 * number,
        ExitKind::Continue(number) => 2 * number + 1,
    }
}

impl Exits {
    fn stmts(&mut self, stmts: &[Stmt]) -> Vec<Stmt> {
        let mut written = Vec::new();
        for (i, stmt) in stmts.iter().enumerate() {
            if let Stmt::Exit(exit) = stmt {
                self.exit(exit, &mut written);
                return written;
            }
            if !leaves(stmt) {
                self.inside(stmt, &mut written);
                continue;
            }
            let rest = self.stmts(&stmts[i + 1..]);
            let stays = |block: &Block| !block.stmts.iter().any(leaves);
            match stmt {
                // What follows is the other branch.
                Stmt::If(s) if always_leaves(&s.then) && s.otherwise.as_ref().is_none_or(stays) && !rest.is_empty() => {
                    let inner = s.otherwise.as_ref().map(|block| Stmt::Block(self.block(block)));
                    let otherwise = Block { stmts: inner.into_iter().chain(rest).collect(), span: s.span };
                    written.push(Stmt::If(s.with_branches(self.block(&s.then), Some(otherwise))));
                }
                Stmt::If(s)
                    if stays(&s.then) && s.otherwise.as_ref().is_some_and(always_leaves) && !rest.is_empty() =>
                {
                    let inner = Stmt::Block(self.block(&s.then));
                    let then = Block { stmts: std::iter::once(inner).chain(rest).collect(), span: s.span };
                    let otherwise = s.otherwise.as_ref().map(|block| self.block(block));
                    written.push(Stmt::If(s.with_branches(then, otherwise)));
                }
                _ => {
                    self.inside(stmt, &mut written);
                    if !rest.is_empty() {
                        let pre = self.compared(BinaryOp::Eq, 0);
                        let then = Block { stmts: rest, span: self.span };
                        let condition = crate::ir::Condition { pre, post: None };
                        written.push(Stmt::If(If { condition, then, otherwise: None, span: stmt.span() }));
                    }
                }
            }
            return written;
        }
        written
    }

    fn block(&mut self, block: &Block) -> Block {
        Block { stmts: self.stmts(&block.stmts), span: block.span }
    }

    fn exit(&mut self, exit: &Exit, written: &mut Vec<Stmt>) {
        if let ExitKind::Return(Some(value)) = &exit.kind {
            written.push(Stmt::Give(Give { result: self.result, value: value.clone(), span: exit.span }));
        }
        let value = Expr::integer(code(&exit.kind), exit.span);
        written.push(self.set(value, exit.span));
    }

    fn set(&self, value: Expr, span: Span) -> Stmt {
        Stmt::Assign(Assign { target: Place::var(self.way, span), value, kept: None, reread: false, span })
    }

    fn compared(&self, op: BinaryOp, with: usize) -> Expr {
        Expr::binary(op, Expr::var(self.way, self.span), Expr::integer(with, self.span))
    }

    /// The end of a way.
    fn arrived(&self, kind: &ExitKind, span: Span) -> Stmt {
        let condition = Rc::new(self.compared(BinaryOp::Eq, code(kind)));
        let (then, otherwise) = (Rc::new(Expr::integer(0, span)), Rc::new(Expr::var(self.way, span)));
        self.set(Expr::new(ExprKind::If { condition, then, otherwise }, span), span)
    }

    /// The statement with the exits inside it replaced.
    fn inside(&mut self, stmt: &Stmt, written: &mut Vec<Stmt>) {
        let (number, body) = match stmt {
            Stmt::For(For { number: Some(number), body, .. }) => (*number, body),
            Stmt::Loop(s) => (s.number, &s.body),
            Stmt::Unchecked(s) => {
                let mut inner = Vec::new();
                self.inside(s, &mut inner);
                written.extend(inner.into_iter().map(|stmt| Stmt::Unchecked(Box::new(stmt))));
                return;
            }
            _ => {
                written.push(stmt.map_blocks(&mut |block| self.block(block)));
                return;
            }
        };
        let has = |wanted: ExitKind| body.stmts.iter().any(|stmt| any_exit(stmt, &|kind| *kind == wanted));
        let (broken, continued) = (has(ExitKind::Break(number)), has(ExitKind::Continue(number)));
        let ends = broken || leaves(stmt);
        let mut body = self.block(body);
        if continued {
            body.stmts.push(self.arrived(&ExitKind::Continue(number), body.span));
        }
        let until = ends.then(|| self.compared(BinaryOp::Ne, 0));
        match stmt {
            Stmt::For(s) => {
                let early = until.map(|until| Box::new(Early { until, left: self.left() }));
                written.push(Stmt::For(For { early, ..s.with_body(body) }));
            }
            Stmt::Loop(s) => written.push(Stmt::Loop(Loop { until, ..s.with_body(body) })),
            _ => {}
        }
        if broken {
            written.push(self.arrived(&ExitKind::Break(number), stmt.span()));
        }
    }

    /// A register that says how many iterations were left.
    fn left(&mut self) -> VarId {
        self.vars.push(Var::added(&format!("left_{}", self.vars.len()), VarKind::Register, self.span));
        VarId(self.vars.len() - 1)
    }
}
