//! The types of locals and expressions, as far as they follow from those that are written: nothing is inferred from what is done with
//! a value. A float literal beside a float has its type: rustc need not find it out from everything else in the function.

use std::collections::HashSet;
use std::rc::Rc;

use proc_macro2::Ident;

use crate::ir::{
    Assign, Block, Elementary, Expr, ExprKind, Known, Literal, Place, Program, Projection, Stmt, Type, TypeKind,
    UnaryOp, Update, Var, VarId,
};
use crate::signature::numbers::{Numbers, is_float};

/// Fills in the types of locals that are numbers or copies of arrays, and of expressions.
pub fn infer(program: &mut Program) {
    let body = program.body.clone();
    Inference { vars: &mut program.vars, numbers: &program.numbers, literals: HashSet::new() }.block(&body);
    let types = Types { vars: &program.vars, numbers: &program.numbers };
    program.body = types.with_operands(&body.rewritten(&|e| Some(types.typed(e))));
    program.result = program.result.as_ref().map(|e| types.typed(e));
}

/// The type of a place, references left out, as far as it is known.
pub fn of_place<'v>(vars: &'v [Var], place: &Place) -> Option<&'v Type> {
    let ty = vars[place.root.0].ty.as_ref()?;
    place.path.iter().try_fold(ty, |ty, step| ty.part(step)).map(Type::pointee)
}

/// The type of an expression that is visibly a plain number, and no reference to one.
pub fn number_of(vars: &[Var], numbers: &Numbers, e: &Expr) -> Option<Type> {
    let types = Types { vars, numbers };
    match e.as_place() {
        Some(place) => types.exact(&place).filter(|ty| numbers.is_plain_number(ty)).cloned(),
        None => types.number(e),
    }
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
        block.walk(&mut |stmt| {
            if let Stmt::Begin(b) = stmt
                && let (Some(var), None) = (b.pattern.as_var(), &b.ty)
            {
                self.vars[var.0].vector = is_vector(&b.value);
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
        });
    }

    fn learn(&mut self, var: VarId, value: &Expr) {
        if self.vars[var.0].ty.is_none() {
            let types = Types { vars: self.vars, numbers: self.numbers };
            let is_known = |ty: &&Type| self.numbers.is_plain_number(ty) || self.numbers.has_one_shape(ty);
            self.vars[var.0].ty = match value.as_place() {
                Some(place) => types.exact(&place).filter(is_known).cloned(),
                None => types.number(value),
            };
        }
    }
}

struct Types<'p> {
    vars: &'p [Var],
    numbers: &'p Numbers,
}

impl Types<'_> {
    /// The type of an expression, references left out, as far as it follows from the types that are written.
    fn of(&self, e: &Expr) -> Option<Type> {
        if e.ty.is_some() {
            return e.ty.clone();
        }
        match &e.kind {
            ExprKind::Cast(_, ty) => Some(ty.clone()),
            ExprKind::Lit(literal) => self.literal(literal),
            ExprKind::Var(var) => self.vars[var.0].ty.as_ref().map(Type::pointee).cloned(),
            // Behind a reference; what else can be dereferenced is a type with a name.
            ExprKind::Unary(UnaryOp::Deref, base) => self.of(base).filter(|ty| {
                self.numbers.is_plain_number(ty) || !matches!(ty.kind, TypeKind::Named { .. } | TypeKind::Other)
            }),
            ExprKind::Field(base, member) => self.of(base)?.field(member).map(Type::pointee).cloned(),
            ExprKind::Index(_, index) if matches!(index.kind, ExprKind::Var(var) if self.vars[var.0].range) => None,
            ExprKind::Index(base, index) => self.of(base)?.indexed(index).map(Type::pointee).cloned(),
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::Not, a) => self.number(a),
            ExprKind::Binary(op, ..) if op.compares() => Some(own("bool", e)),
            ExprKind::Binary(_, a, b) => match (self.number(a), self.number(b)) {
                (Some(a), Some(b)) => (a == b).then_some(a),
                (Some(ty), None) if is_literal(b) => Some(ty),
                (None, Some(ty)) if is_literal(a) => Some(ty),
                _ => None,
            },
            ExprKind::Method { receiver, method, .. } => match method.known {
                Some(Known::Elementary(function)) if is_inherent(function) => self.number(receiver),
                Some(Known::Shape) if method.name == "len" && self.of(receiver)?.is_list() => Some(own("usize", e)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The type of a place, references included.
    fn exact(&self, place: &Place) -> Option<&Type> {
        let ty = self.vars[place.root.0].ty.as_ref()?;
        place.path.iter().try_fold(ty, |ty, step| match step {
            Projection::Deref => ty.referred(),
            Projection::Field(_) | Projection::Index(_) | Projection::Some => ty.part(step),
        })
    }

    fn literal(&self, literal: &Literal) -> Option<Type> {
        let ty = literal.suffix.as_ref().or(literal.ty.as_ref());
        ty.or_else(|| self.numbers.literal().filter(|_| literal.is_open_float())).map(Type::named)
    }

    /// The same, of an expression that is visibly a plain number.
    fn number(&self, e: &Expr) -> Option<Type> {
        self.of(e).filter(|ty| self.numbers.is_plain_number(ty))
    }

    /// The expression with its type, and those of its parts; float literals that stand beside a float have its type.
    fn typed(&self, e: &Expr) -> Expr {
        let mut e = e.map_children(&mut |child| self.typed(child));
        if let ExprKind::Binary(_, a, b) = &mut e.kind {
            match (is_literal(a), is_literal(b)) {
                (true, false) => self.assume(Rc::make_mut(a), b),
                (false, true) => self.assume(Rc::make_mut(b), a),
                (true, true) | (false, false) => {}
            }
        }
        Expr { ty: self.of(&e), ..e }
    }

    /// A float literal has the type of a float beside it.
    fn assume(&self, literal: &mut Expr, beside: &Expr) {
        if let (ExprKind::Lit(lit), Some(ty)) = (&mut literal.kind, self.float(beside)) {
            lit.set_type(ty.as_name().cloned());
            literal.ty = Some(ty);
        }
    }

    /// The block with the types of what is assigned, and of the float literals by which floats are changed.
    fn with_operands(&self, block: &Block) -> Block {
        let typed = |stmt: &Stmt| match stmt {
            Stmt::Update(s) if is_literal(&s.operand) => {
                let mut operand = s.operand.clone();
                self.assume(&mut operand, &s.target.to_expr());
                Stmt::Update(Update { operand, ..s.clone() })
            }
            Stmt::Assign(s) => match self.exact(&s.target) {
                Some(ty) => Stmt::Assign(Assign { value: s.value.clone().of_type(ty), ..s.clone() }),
                None => stmt.clone(),
            },
            _ => stmt.map_blocks(&mut |block| self.with_operands(block)),
        };
        Block { stmts: block.stmts.iter().map(typed).collect(), span: block.span }
    }

    /// The type of an expression that is visibly a float of Rust.
    fn float(&self, e: &Expr) -> Option<Type> {
        self.number(e).filter(|ty| ty.as_name().is_some_and(is_float))
    }
}

/// A type of Rust's own, of an expression.
fn own(name: &str, e: &Expr) -> Type {
    Type::named(&Ident::new(name, e.span.first))
}

/// Whether an expression makes a vector, as far as names tell.
fn is_vector(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Macro { path, .. } => path.last() == "vec",
        ExprKind::Method { method, .. } => method.name == "to_vec" || method.known == Some(Known::Collect),
        _ => false,
    }
}

fn is_literal(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Lit(literal) if literal.is_open_float())
}

/// Whether a function is a method of Rust's own numbers that gives a number of the same type. Others could be a user's.
pub fn is_inherent(function: Elementary) -> bool {
    !function.is_of_integers() && !function.is_of_real()
}
