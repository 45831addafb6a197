//! Which locals are numbers or arrays of numbers, and of which type, as far as that follows from the types that are written. A float
//! literal beside such a number has its type: rustc need not find it out from everything else in the function.

use std::collections::HashSet;

use proc_macro2::Ident;

use crate::ir::{
    Block, Elementary, Expr, ExprKind, Known, Literal, LiteralKind, Place, Program, Stmt, Type, UnaryOp, Update, Var,
    VarId,
};
use crate::signature::numbers::Numbers;

/// Fills in the types of locals that are numbers or copies of arrays, and of float literals.
pub fn infer(program: &mut Program) {
    let body = program.body.clone();
    Inference { vars: &mut program.vars, numbers: &program.numbers, literals: HashSet::new() }.block(&body);
    let types = Types { vars: &program.vars, numbers: &program.numbers };
    program.body = types.with_factors(&body.rewritten(&|e| Some(types.with_literals(e))));
    program.result = program.result.as_ref().map(|e| types.with_literals(e));
}

/// The type of a place, references left out, as far as it is known.
pub fn of_place<'v>(vars: &'v [Var], place: &Place) -> Option<&'v Type> {
    let ty = vars[place.root.0].ty.as_ref()?;
    place.path.iter().try_fold(ty, |ty, step| ty.part(step)).map(Type::pointee)
}

/// Whether an expression is visibly a plain number.
pub fn is_number(vars: &[Var], numbers: &Numbers, e: &Expr) -> bool {
    Types { vars, numbers }.number(e).is_some()
}

struct Inference<'p> {
    vars: &'p mut Vec<Var>,
    numbers: &'p Numbers,
    /// Locals that begin as a literal: they have the type of what is added to them.
    literals: HashSet<VarId>,
}

impl Inference<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            if let Stmt::Begin(b) = stmt
                && let (Some(var), None) = (b.pattern.as_var(), &b.ty)
            {
                self.learn(var, &b.value);
                if matches!(b.value.kind, ExprKind::Lit(_)) {
                    self.literals.insert(var);
                }
            }
            if let Stmt::Update(s) = stmt
                && s.target.path.is_empty()
                && self.literals.contains(&s.target.root)
            {
                self.learn(s.target.root, &s.operand);
            }
            stmt.blocks().into_iter().for_each(|block| self.block(block));
        }
    }

    fn learn(&mut self, var: VarId, value: &Expr) {
        if self.vars[var.0].ty.is_none() {
            let types = Types { vars: self.vars, numbers: self.numbers };
            self.vars[var.0].ty = types.number(value).or_else(|| types.copied(value));
        }
    }
}

struct Types<'p> {
    vars: &'p [Var],
    numbers: &'p Numbers,
}

impl Types<'_> {
    /// The type of an expression that is visibly a plain number.
    fn number(&self, e: &Expr) -> Option<Type> {
        match &e.kind {
            ExprKind::Lit(Literal { kind: LiteralKind::Float { suffixed: false, .. }, .. }) => {
                self.numbers.literal().map(Type::named)
            }
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::Not, a) => self.number(a),
            ExprKind::Binary(op, a, b) if !op.compares() => match (self.number(a), self.number(b)) {
                (Some(a), Some(b)) => (a == b).then_some(a),
                (Some(ty), None) if is_literal(b) => Some(ty),
                (None, Some(ty)) if is_literal(a) => Some(ty),
                _ => None,
            },
            ExprKind::Method { receiver, method, .. } => match method.known {
                Some(Known::Elementary(function)) if is_inherent(function) => self.number(receiver),
                _ => None,
            },
            _ => {
                let ty = of_place(self.vars, &e.as_place()?)?;
                self.numbers.is_plain_number(ty).then(|| ty.clone())
            }
        }
    }

    /// The type of a copy of a place: of what all have the same shape, references left out.
    fn copied(&self, e: &Expr) -> Option<Type> {
        let place = e.as_place()?;
        let ty = self.vars[place.root.0].ty.as_ref()?;
        let ty = place.path.iter().try_fold(ty, |ty, step| ty.part(step))?;
        self.numbers.has_one_shape(ty).then(|| ty.clone())
    }

    /// The expression with the types of the float literals that stand beside a float.
    fn with_literals(&self, e: &Expr) -> Expr {
        if let ExprKind::Binary(op, a, b) = &e.kind {
            let beside = |literal: &Expr, other: &Expr| is_literal(literal).then(|| self.float(other)).flatten();
            let typed = match (beside(a, b), beside(b, a)) {
                (Some(ty), _) => Some((with_type(a, ty), self.with_literals(b))),
                (_, Some(ty)) => Some((self.with_literals(a), with_type(b, ty))),
                (None, None) => None,
            };
            if let Some((a, b)) = typed {
                return Expr::new(ExprKind::Binary(*op, Box::new(a), Box::new(b)), e.span);
            }
        }
        e.map_children(&mut |child| self.with_literals(child))
    }

    /// The block with the types of the float literals by which floats are multiplied or divided.
    fn with_factors(&self, block: &Block) -> Block {
        let typed = |stmt: &Stmt| {
            if let Stmt::Update(s) = stmt
                && is_literal(&s.operand)
                && let Some(ty) = self.float(&s.target.to_expr())
            {
                return Stmt::Update(Update { operand: with_type(&s.operand, ty), ..s.clone() });
            }
            stmt.map_blocks(&mut |block| self.with_factors(block))
        };
        Block { stmts: block.stmts.iter().map(typed).collect(), span: block.span }
    }

    /// The name of the type of an expression that is visibly a float of Rust.
    fn float(&self, e: &Expr) -> Option<Ident> {
        let ty = self.number(e)?;
        ty.as_name().filter(|name| *name == "f64" || *name == "f32").cloned()
    }
}

fn is_literal(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Lit(Literal { kind: LiteralKind::Float { suffixed: false, .. }, .. }))
}

fn with_type(e: &Expr, ty: Ident) -> Expr {
    match &e.kind {
        ExprKind::Lit(literal) => {
            let literal = Literal { ty: Some(ty), ..literal.clone() };
            Expr::new(ExprKind::Lit(literal), e.span)
        }
        _ => e.clone(),
    }
}

/// Whether a function is a method of Rust's own numbers that gives a number of the same type. Others could be a user's.
pub fn is_inherent(function: Elementary) -> bool {
    use Elementary::{Conj, Cube, Erf, Gamma, Lgamma, SelectEqual, SelectLess, Square};
    !function.is_of_integers()
        && !matches!(function, Square | Cube | Conj | Erf | Gamma | Lgamma | SelectLess | SelectEqual)
}
