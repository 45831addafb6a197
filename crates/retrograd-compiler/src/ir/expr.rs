//! Pure expressions.

use std::rc::Rc;

use proc_macro2::Ident;

use super::{
    BinaryOp, Callee, Iteration, Known, Literal, Member, Method, Path, Pattern, Place, Projection, Rule, Run,
    Scheduled, Segment, Syntax, Type, TypeKind, UnaryOp, VarId,
};
use crate::signature::numbers::is_float;
use crate::span::Span;

/// A pure expression. Two are equal if they say the same: what is known of their types makes no difference. Copies share their parts.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value, references left out, as far as `analysis::types` knows it.
    pub ty: Option<Type>,
    /// Where it stands.
    pub span: Span,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.kind == other.kind
    }
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the syntax beside each kind names its fields
pub enum ExprKind {
    /// A literal.
    Lit(Literal),
    /// A local variable or parameter.
    Var(VarId),
    /// A constant, a function, an associated item: anything that is not a local.
    Path(Path),
    /// `-e`, `!e`, `*e`
    Unary(UnaryOp, Rc<Expr>),
    /// `a + b`, `a < b`, `a && b`, ..
    Binary(BinaryOp, Rc<Expr>, Rc<Expr>),
    /// `e as T`
    Cast(Rc<Expr>, Type),
    /// `e.x`, `e.0`
    Field(Rc<Expr>, Member),
    /// `e[i]`
    Index(Rc<Expr>, Rc<Expr>),
    /// `a..b`, `a..=b`, `..`, ..
    Range { start: Option<Rc<Expr>>, end: Option<Rc<Expr>>, inclusive: bool },
    /// `&e`
    Ref(Rc<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `[e; n]`
    Repeat(Rc<Expr>, Rc<Expr>),
    /// `Point { x: a, ..rest }`
    Struct { path: Box<Path>, fields: Vec<(Member, Expr)>, rest: Option<Rc<Expr>> },
    /// `f(a, b)`
    Call { callee: Rc<Expr>, args: Vec<Expr> },
    /// `a.f(b)`
    Method { receiver: Rc<Expr>, method: Method, turbofish: Option<Vec<Syntax>>, args: Vec<Expr> },
    /// `vec![a, b]`, `vec![e; n]`, `matches!(e, p)`
    Macro { path: Box<Path>, args: MacroArgs },
    /// `if c { a } else { b }`, `if let p = e { a } else { b }`
    If { condition: Rc<Expr>, then: Rc<Expr>, otherwise: Rc<Expr> },
    /// `let p = e` in a condition
    Let(Box<Pattern>, Rc<Expr>),
    /// `match e { p => a, .. }`
    Match { scrutinee: Rc<Expr>, arms: Vec<MatchArm> },
    /// `{ let a = e; .. tail }`
    Block { lets: Vec<(Pattern, Option<Type>, Expr)>, tail: Rc<Expr> },
    /// `|a, b| e`
    Closure { params: Vec<(Pattern, Option<Type>)>, body: Rc<Expr> },
    /// A step of a derivative. Only derivative programs have it, and what follows.
    Rule(Rule, Vec<Expr>),
    /// `&mut place`
    RefMut(Rc<Expr>),
    /// A derivative run of a function: its value, and the tangent of that in a tangent run.
    Companion { callee: Box<Callee>, run: Run, args: Vec<Expr> },
}

/// The arguments of a macro that expressions may use.
#[derive(Clone, Debug, PartialEq)]
pub enum MacroArgs {
    /// `m![a, b]`
    List(Vec<Expr>),
    /// `m![e; n]`
    Repeat(Rc<Expr>, Rc<Expr>),
    /// `m!(e, pattern)`
    Matches(Rc<Expr>, Box<Pattern>, Option<Rc<Expr>>),
}

/// An arm of a `match` expression.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchArm {
    /// The pattern.
    pub pattern: Pattern,
    /// The guard.
    pub guard: Option<Expr>,
    /// The value.
    pub value: Expr,
}

impl Expr {
    /// An expression, of which no type is known yet.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, ty: None, span }
    }

    /// `&e`
    pub fn borrow(e: Expr, span: Span) -> Expr {
        Expr::new(ExprKind::Ref(Rc::new(e)), span)
    }

    /// A part of its value.
    pub fn part(self, step: Projection, span: Span) -> Expr {
        let kind = match step {
            Projection::Field(member) => ExprKind::Field(Rc::new(self), member),
            Projection::Index(index) => ExprKind::Index(Rc::new(self), Rc::new(index)),
            Projection::Deref => ExprKind::Unary(UnaryOp::Deref, Rc::new(self)),
            Projection::Some => return self,
        };
        Expr::new(kind, span)
    }

    /// Whether this is a range, or a chain of methods that begins with one that makes an iterator.
    pub fn is_iterator(&self) -> bool {
        match &self.kind {
            ExprKind::Range { .. } => true,
            ExprKind::Method { receiver, method: Method { known: Some(Known::Iteration(step)), .. }, .. } => {
                step.begins() || receiver.is_iterator()
            }
            _ => false,
        }
    }

    /// The variables that it binds.
    pub fn binds(&self) -> Vec<VarId> {
        let mut bound = Vec::new();
        self.walk(&mut |e| match &e.kind {
            ExprKind::Match { arms, .. } => bound.extend(arms.iter().flat_map(|arm| arm.pattern.bindings())),
            ExprKind::Let(pattern, _) => bound.extend(pattern.bindings()),
            ExprKind::Block { lets, .. } => bound.extend(lets.iter().flat_map(|(pattern, _, _)| pattern.bindings())),
            ExprKind::Closure { params, .. } => bound.extend(params.iter().flat_map(|(pattern, _)| pattern.bindings())),
            _ => {}
        });
        bound
    }

    /// The same, with the type that it is known to have: the value of `x.iter().sum()` follows from what is done with it, and a
    /// derivative run gives it a name first. What has parts hands their types on, and so does what is one of several.
    pub fn of_type(mut self, ty: &Type) -> Expr {
        let element = match &ty.kind {
            TypeKind::Array { of, .. } => Some(&**of),
            _ => ty.vec_element(),
        };
        let typed = |e: &mut Expr, ty: &Type| *e = e.clone().of_type(ty);
        let shared = |e: &mut Rc<Expr>, ty: &Type| typed(Rc::make_mut(e), ty);
        match &mut self.kind {
            ExprKind::Method { receiver, method, turbofish: turbofish @ None, .. }
                if matches!(method.known, Some(Known::Sum | Known::Product | Known::Collect))
                    && receiver.is_iterator() =>
            {
                *turbofish = Some(vec![ty.written.clone()]);
            }
            // `x.into()` is a float: `f64::from(x)`.
            ExprKind::Method { receiver, method, args, .. }
                if method.name == "into" && args.is_empty() && ty.as_name().is_some_and(is_float) =>
            {
                let names = ty.as_name().into_iter().cloned().chain([Ident::new("from", method.name.span())]);
                let segments = names.map(|name| Segment { name, arguments: None }).collect();
                let path = Path { of: None, global: false, segments, companion: None };
                let callee = Rc::new(Expr::new(ExprKind::Path(path), self.span));
                self.kind = ExprKind::Call { callee, args: vec![(**receiver).clone()] };
            }
            ExprKind::Tuple(parts) => {
                if let TypeKind::Tuple(types) = &ty.kind {
                    parts.iter_mut().zip(types).for_each(|(part, ty)| typed(part, ty));
                }
            }
            ExprKind::Array(all) | ExprKind::Macro { args: MacroArgs::List(all), .. } => {
                if let Some(ty) = element {
                    all.iter_mut().for_each(|e| typed(e, ty));
                }
            }
            ExprKind::Repeat(e, _) | ExprKind::Macro { args: MacroArgs::Repeat(e, _), .. } => {
                if let Some(ty) = element {
                    shared(e, ty);
                }
            }
            ExprKind::If { then, otherwise, .. } => {
                shared(then, ty);
                shared(otherwise, ty);
            }
            ExprKind::Match { arms, .. } => arms.iter_mut().for_each(|arm| typed(&mut arm.value, ty)),
            ExprKind::Block { tail, .. } => shared(tail, ty),
            _ => {}
        }
        self
    }

    /// How many windows of that size a slice has.
    pub fn count_of_windows(slice: &Expr, size: &Expr, span: Span) -> Expr {
        let callee = Expr::new(ExprKind::Path(Path::of_runtime("count_of_windows", span.first)), span);
        let args = vec![Expr::method(slice.clone(), "len", Vec::new()), size.clone()];
        Expr::new(ExprKind::Call { callee: Rc::new(callee), args }, span)
    }

    /// `a + b`, and so on.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let span = a.span;
        Expr::new(ExprKind::Binary(op, Rc::new(a), Rc::new(b)), span)
    }

    /// An integer.
    pub fn integer(value: usize, span: Span) -> Expr {
        Expr::new(ExprKind::Lit(Literal::integer(value, span.first)), span)
    }

    /// A call of a method without a turbofish.
    pub fn method(receiver: Expr, name: &str, args: Vec<Expr>) -> Expr {
        let span = receiver.span;
        let method = Method::new(Ident::new(name, span.first), args.len());
        Expr::new(ExprKind::Method { receiver: Rc::new(receiver), method, turbofish: None, args }, span)
    }

    /// A variable.
    pub fn var(var: VarId, span: Span) -> Expr {
        Expr::new(ExprKind::Var(var), span)
    }

    /// A step of a derivative.
    pub fn rule(rule: Rule, args: Vec<Expr>, span: Span) -> Expr {
        Expr::new(ExprKind::Rule(rule, args), span)
    }

    /// Whether it asks a plan that needs the record.
    pub fn seeks(&self) -> bool {
        matches!(self.kind, ExprKind::Rule(Rule::Schedule(Scheduled::Seeks), _))
    }

    /// The `let p = e` in a condition, in order: what it consists of, and each of the conditions that `&&` joins.
    pub fn lets(&self) -> Box<dyn Iterator<Item = (&Pattern, &Expr)> + '_> {
        match &self.kind {
            ExprKind::Let(pattern, value) => Box::new(std::iter::once((&**pattern, &**value))),
            ExprKind::Binary(BinaryOp::And, a, b) => Box::new(a.lets().chain(b.lets())),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Whether it is an `Option` of what another one refers to: `o.copied()`, `o.cloned()`.
    pub fn is_copied_option(&self) -> bool {
        let ExprKind::Method { receiver, method, args, .. } = &self.kind else { return false };
        let copies = matches!(method.known, Some(Known::Iteration(Iteration::Copied | Iteration::Cloned)));
        copies && args.is_empty() && !receiver.is_iterator()
    }

    /// What is taken apart where this is matched: `&o`, `&mut o`, `o.as_ref()`, `o.as_deref()` and `o.copied()` are looked through.
    pub fn looked_at(&self) -> &Expr {
        match &self.kind {
            ExprKind::Method { receiver, .. } if self.is_copied_option() => receiver.looked_at(),
            ExprKind::Ref(inner) | ExprKind::RefMut(inner) => inner.looked_at(),
            ExprKind::Method { receiver, method, args, .. }
                if args.is_empty() && ["as_ref", "as_deref", "as_slice"].iter().any(|same| method.name == same) =>
            {
                receiver.looked_at()
            }
            _ => self,
        }
    }

    /// The place that this expression reads, if it is one.
    pub fn as_place(&self) -> Option<Place> {
        let place = match &self.kind {
            ExprKind::Var(var) => Place::var(*var, self.span),
            ExprKind::Unary(UnaryOp::Deref, base) => base.as_place()?.then(Projection::Deref),
            ExprKind::Field(base, member) => base.as_place()?.then(Projection::Field(member.clone())),
            ExprKind::Index(base, index) => base.as_place()?.then(Projection::Index((**index).clone())),
            _ => return None,
        };
        Some(Place { span: self.span, ..place })
    }

    /// Whether this expression reads a place.
    pub fn is_place(&self) -> bool {
        match &self.kind {
            ExprKind::Var(_) => true,
            ExprKind::Unary(UnaryOp::Deref, base) | ExprKind::Field(base, _) | ExprKind::Index(base, _) => {
                base.is_place()
            }
            _ => false,
        }
    }

    /// Calls `visit` on this expression and every one inside it, outermost first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(self);
        self.each_child(&mut |child| child.walk(visit));
    }

    /// Calls `visit` on the expressions directly inside this one, in the order in which they are evaluated.
    pub fn each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Lit(_) | ExprKind::Var(_) | ExprKind::Path(_) => {}
            ExprKind::Unary(_, e) | ExprKind::Cast(e, _) | ExprKind::Field(e, _) | ExprKind::Ref(e) => visit(e),
            ExprKind::Let(_, e) | ExprKind::Closure { body: e, .. } | ExprKind::RefMut(e) => visit(e),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Repeat(a, b) => {
                [a, b].into_iter().for_each(|e| visit(e))
            }
            ExprKind::Range { start, end, .. } => start.iter().chain(end).for_each(|e| visit(e)),
            ExprKind::Tuple(all) | ExprKind::Array(all) => all.iter().for_each(visit),
            ExprKind::Struct { fields, rest, .. } => {
                fields.iter().map(|(_, e)| e).chain(rest.as_deref()).for_each(visit)
            }
            ExprKind::Call { callee: first, args } | ExprKind::Method { receiver: first, args, .. } => {
                visit(first);
                args.iter().for_each(visit);
            }
            ExprKind::Macro { args, .. } => match args {
                MacroArgs::List(all) => all.iter().for_each(visit),
                MacroArgs::Repeat(a, b) => [a, b].into_iter().for_each(|e| visit(e)),
                MacroArgs::Matches(e, _, guard) => std::iter::once(e).chain(guard).for_each(|e| visit(e)),
            },
            ExprKind::If { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().for_each(|e| visit(e));
            }
            ExprKind::Match { scrutinee, arms } => {
                visit(scrutinee);
                arms.iter().flat_map(|arm| arm.guard.iter().chain([&arm.value])).for_each(visit);
            }
            ExprKind::Block { lets, tail } => {
                lets.iter().for_each(|(_, _, e)| visit(e));
                visit(tail);
            }
            ExprKind::Rule(_, args) | ExprKind::Companion { args, .. } => args.iter().for_each(visit),
        }
    }

    /// The expressions directly inside this one, in the order in which they are evaluated.
    pub fn children(&self) -> Vec<&Expr> {
        let mut children = Vec::new();
        self.each_child(&mut |child| children.push(child));
        children
    }

    /// Whether the variable occurs anywhere in this expression.
    pub fn mentions(&self, var: VarId) -> bool {
        let mut found = false;
        self.walk(&mut |e| found |= e.kind == ExprKind::Var(var));
        found
    }
}
