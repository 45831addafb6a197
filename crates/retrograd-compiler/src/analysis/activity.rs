//! Through which variables derivatives flow.
//!
//! Parameters are judged by their types as written; locals by what flows into them. Comparisons, casts to
//! integers, `len` and integer annotations stop the flow.

use crate::ir::{
    Activity, Adapter, ArgKind, Block, ExitKind, Expr, ExprKind, Iter, Pattern, PatternKind, Program, Source, Stmt,
    Var, VarId, VarKind,
};
use crate::signature::numbers::is_inactive;

/// Fills in the activity of every variable.
pub fn infer(program: &mut Program) {
    let (body, result) = (program.body.clone(), program.result.clone());
    let mut flow = Flow { program, changed: true };
    while flow.changed {
        flow.changed = false;
        flow.block(&body);
        result.iter().for_each(|e| flow.expr(e));
    }
}

/// Whether something active flows into what an atomic statement changes.
pub(crate) fn is_active(program: &Program, stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Update(s) => active(&program.vars, &s.operand),
        Stmt::Assign(s) => active(&program.vars, &s.value),
        Stmt::Swap(s) => [&s.a, &s.b].iter().any(|p| program.var(p.root).activity == Activity::Active),
        Stmt::Call(s) => s.args.iter().any(|arg| match &arg.kind {
            ArgKind::Change(place) | ArgKind::Borrow(place) => program.var(place.root).activity == Activity::Active,
            ArgKind::Value(e) => active(&program.vars, e),
            ArgKind::Host(_) => false,
        }),
        Stmt::Unchecked(s) | Stmt::Inverse(s) => is_active(program, s),
        Stmt::Flip(_)
        | Stmt::Map(_)
        | Stmt::Permute(_)
        | Stmt::Begin(_)
        | Stmt::End(_)
        | Stmt::If(_)
        | Stmt::Match(_)
        | Stmt::While(_)
        | Stmt::For(_)
        | Stmt::Recompute(_)
        | Stmt::Block(_)
        | Stmt::Conjugate(_)
        | Stmt::Host(_)
        | Stmt::Loop(_)
        | Stmt::Exit(_)
        | Stmt::Keep(_)
        | Stmt::Restore(_)
        | Stmt::Give(_)
        | Stmt::Check(_)
        | Stmt::Compute(_)
        | Stmt::Uncompute(_) => false,
    }
}

struct Flow<'p> {
    program: &'p mut Program,
    changed: bool,
}

impl Flow<'_> {
    fn activate(&mut self, var: VarId) {
        if self.stops_at_its_root(var) {
            return;
        }
        let entry = &mut self.program.vars[var.0];
        let stops = entry.ty.as_ref().is_some_and(is_inactive);
        if entry.activity == Activity::Inactive && !stops && entry.kind != VarKind::Host {
            entry.activity = Activity::Active;
            self.changed = true;
        }
        if let VarKind::View(base) | VarKind::Part(base) = &self.program.vars[var.0].kind {
            let root = base.root;
            if self.program.vars[root.0].activity == Activity::Inactive && !stops {
                self.activate(root);
            }
        }
    }

    /// A view of integers is one of integers, whatever it is passed to.
    fn stops_at_its_root(&self, var: VarId) -> bool {
        let (VarKind::View(base) | VarKind::Part(base)) = &self.program.vars[var.0].kind else { return false };
        let root = &self.program.vars[base.root.0];
        root.ty.as_ref().is_some_and(is_inactive) || self.stops_at_its_root(base.root)
    }

    fn bind(&mut self, pattern: &Pattern, is_active: bool) {
        if is_active {
            pattern.bindings().into_iter().for_each(|var| self.activate(var));
        }
    }

    /// A tuple that is taken apart right away: part by part.
    fn bind_value(&mut self, pattern: &Pattern, value: &Expr) {
        match (&pattern.kind, &value.kind) {
            (PatternKind::Tuple(parts), ExprKind::Tuple(values)) if parts.len() == values.len() => {
                parts.iter().zip(values).for_each(|(pattern, value)| self.bind_value(pattern, value));
            }
            _ => {
                let is_active = active(&self.program.vars, value);
                self.bind(pattern, is_active);
            }
        }
    }

    fn bind_item(&mut self, pattern: &Pattern, item: &Item) {
        match (&pattern.kind, item) {
            (PatternKind::Tuple(parts), Item::Pair(a, b)) if parts.len() == 2 => {
                self.bind_item(&parts[0], a);
                self.bind_item(&parts[1], b);
            }
            _ => self.bind(pattern, item.any()),
        }
    }

    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    /// Names inside an expression.
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Block { lets, .. } => {
                lets.iter().for_each(|(pattern, _, value)| self.bind_value(pattern, value));
            }
            ExprKind::Match { scrutinee, arms } => {
                arms.iter().for_each(|arm| self.bind_value(&arm.pattern, scrutinee));
            }
            ExprKind::Let(pattern, value) => self.bind_value(pattern, value),
            ExprKind::Method { receiver, args, .. } if active(&self.program.vars, receiver) => {
                for arg in args {
                    if let ExprKind::Closure { params, .. } = &arg.kind {
                        params.iter().for_each(|(pattern, _)| self.bind(pattern, true));
                    }
                }
            }
            _ => {}
        }
        e.each_child(&mut |child| self.expr(child));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        own_exprs(stmt).into_iter().for_each(|e| self.expr(e));
        match stmt {
            Stmt::Update(s) => {
                if active(&self.program.vars, &s.operand) {
                    self.activate(s.target.root);
                }
            }
            Stmt::Assign(s) => {
                if active(&self.program.vars, &s.value) {
                    self.activate(s.target.root);
                }
            }
            Stmt::Swap(s) => {
                if is_active(self.program, stmt) {
                    self.activate(s.a.root);
                    self.activate(s.b.root);
                }
            }
            Stmt::Call(s) => {
                if is_active(self.program, stmt) {
                    for arg in &s.args {
                        if let ArgKind::Change(place) = &arg.kind {
                            self.activate(place.root);
                        }
                    }
                }
            }
            Stmt::Begin(s) | Stmt::End(s) => {
                if s.constant {
                    for var in s.pattern.bindings() {
                        self.program.vars[var.0].activity = Activity::Constant;
                    }
                } else {
                    self.bind_value(&s.pattern, &s.value);
                }
            }
            Stmt::Match(s) => s.arms.iter().for_each(|arm| self.bind_value(&arm.pattern, &s.scrutinee)),
            Stmt::For(s) => {
                let item = item(self.program, &s.iter);
                self.bind_item(&s.pattern, &item);
            }
            Stmt::Unchecked(s) | Stmt::Inverse(s) => return self.stmt(s),
            Stmt::Flip(_)
            | Stmt::Map(_)
            | Stmt::Permute(_)
            | Stmt::If(_)
            | Stmt::While(_)
            | Stmt::Recompute(_)
            | Stmt::Block(_)
            | Stmt::Conjugate(_)
            | Stmt::Host(_)
            | Stmt::Loop(_)
            | Stmt::Exit(_)
            | Stmt::Keep(_)
            | Stmt::Restore(_)
            | Stmt::Give(_)
            | Stmt::Check(_)
            | Stmt::Compute(_)
            | Stmt::Uncompute(_) => {}
        }
        stmt.blocks().into_iter().for_each(|block| self.block(block));
    }
}

/// The expressions of a statement, those of the statements inside it left out.
fn own_exprs(stmt: &Stmt) -> Vec<&Expr> {
    match stmt {
        Stmt::Update(s) => vec![&s.operand],
        Stmt::Assign(s) => vec![&s.value],
        Stmt::Give(s) => vec![&s.value],
        Stmt::Loop(s) => s.condition.iter().chain(&s.until).collect(),
        Stmt::Exit(s) => match &s.kind {
            ExitKind::Return(value) => value.iter().collect(),
            ExitKind::Break(_) | ExitKind::Continue(_) => Vec::new(),
        },
        Stmt::Call(s) => s
            .args
            .iter()
            .filter_map(|arg| match &arg.kind {
                ArgKind::Value(e) => Some(e),
                ArgKind::Change(_) | ArgKind::Borrow(_) | ArgKind::Host(_) => None,
            })
            .collect(),
        Stmt::Begin(s) | Stmt::End(s) => vec![&s.value],
        Stmt::If(s) => std::iter::once(&s.condition.pre).chain(&s.condition.post).collect(),
        Stmt::Match(s) => std::iter::once(&s.scrutinee).chain(s.arms.iter().flat_map(|arm| &arm.guard)).collect(),
        Stmt::While(s) => vec![&s.pre, &s.post],
        Stmt::Unchecked(s) | Stmt::Inverse(s) => own_exprs(s),
        Stmt::Flip(_)
        | Stmt::Map(_)
        | Stmt::Swap(_)
        | Stmt::Permute(_)
        | Stmt::For(_)
        | Stmt::Recompute(_)
        | Stmt::Block(_)
        | Stmt::Conjugate(_)
        | Stmt::Host(_)
        | Stmt::Keep(_)
        | Stmt::Restore(_)
        | Stmt::Check(_)
        | Stmt::Compute(_)
        | Stmt::Uncompute(_) => Vec::new(),
    }
}

/// What one iteration of a loop gets, and whether derivatives flow through it.
enum Item {
    One(bool),
    Pair(Box<Item>, Box<Item>),
}

impl Item {
    fn any(&self) -> bool {
        match self {
            Item::One(active) => *active,
            Item::Pair(a, b) => a.any() || b.any(),
        }
    }
}

fn item(program: &Program, iter: &Iter) -> Item {
    let source = Item::One(match &iter.source {
        Source::Range { .. } => false,
        Source::Value(e) | Source::Elements(e) | Source::Chunks(e, _) | Source::Windows(e, _) => {
            active(&program.vars, e)
        }
        Source::ElementsMut(place) | Source::ChunksMut(place, _) => {
            program.var(place.root).activity == Activity::Active
        }
    });
    iter.adapters.iter().fold(source, |inner, adapter| match adapter {
        Adapter::Rev | Adapter::StepBy(_) | Adapter::Copied(_) | Adapter::Skip(_) => inner,
        Adapter::Enumerate => Item::Pair(Box::new(Item::One(false)), Box::new(inner)),
        Adapter::Zip(other) => Item::Pair(Box::new(inner), Box::new(item(program, other))),
    })
}

/// Whether a `let` inside an expression is marked `#[constant]`: all that it names is constant then.
pub(crate) fn is_constant(vars: &[Var], pattern: &Pattern) -> bool {
    let names = pattern.bindings();
    !names.is_empty() && names.iter().all(|var| vars[var.0].activity == Activity::Constant)
}

/// Whether a derivative can flow through an expression.
pub fn active(vars: &[Var], e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(_) | ExprKind::Path(_) | ExprKind::Range { .. } => false,
        ExprKind::Var(var) => vars[var.0].activity == Activity::Active,
        ExprKind::Binary(op, a, b) => !op.compares() && (active(vars, a) || active(vars, b)),
        ExprKind::Cast(inner, ty) => !is_inactive(ty) && active(vars, inner),
        ExprKind::Index(base, _) => active(vars, base),
        ExprKind::Method { receiver, method, .. } if method.known.is_some_and(|known| known.stops(receiver)) => false,
        ExprKind::Macro { args: crate::ir::MacroArgs::Matches(..), .. } | ExprKind::Let(..) => false,
        ExprKind::Rule(crate::ir::Rule::Schedule(_), _) => false,
        ExprKind::If { then, otherwise, .. } => active(vars, then) || active(vars, otherwise),
        ExprKind::Block { tail, .. } => active(vars, tail),
        ExprKind::Match { arms, .. } => arms.iter().any(|arm| active(vars, &arm.value)),
        _ => e.children().into_iter().any(|child| active(vars, child)),
    }
}
