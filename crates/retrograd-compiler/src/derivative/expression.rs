//! An expression as a graph: each sub-expression once, children before parents.
//!
//! Values are computed on demand, each into a register; a value that no partial derivative needs is not computed.

use std::collections::HashMap;
use std::rc::Rc;

use super::elements::Elements;
use super::rules::{self, Need, Through};
use super::sums::{Collected, Sum};
use super::variants::{is_variant, step_into};
use super::{Shadows, cloned};
use crate::analysis::types;
use crate::ir::{
    BinaryOp, Callee, Expr, ExprKind, Known, MacroArgs, Member, Method, Place, Projection, Rule, Run, Stmt, UnaryOp,
    VarId,
};
use crate::span::Span;

/// The graph of one expression, and the statements that compute its values.
pub(crate) struct Expression<'s, 'd> {
    pub(crate) shadows: &'s mut Shadows<'d>,
    pub(super) nodes: Vec<Node>,
    /// Registers, in the order in which they are filled.
    pub(crate) before: Vec<Stmt>,
}

/// A sub-expression.
pub(super) struct Node {
    pub(super) expr: Expr,
    pub(super) op: Op,
    /// What holds its value by now.
    pub(super) value: Option<Expr>,
}

/// How a derivative goes through a sub-expression.
#[derive(Clone)]
pub(super) enum Op {
    /// Not at all.
    Constant,
    /// It ends at a place that has a shadow.
    Leaf(Place),
    /// Through partial derivatives, one for each child.
    Scalar(Vec<usize>, &'static [Through]),
    /// `(a, b)`, `[a, b]`, `Point { x: a }`: part by part.
    Parts(Vec<(Projection, usize)>),
    /// `[a; n]`
    Repeat(usize),
    /// A part of a value that is not a place.
    Part(usize, Vec<Projection>),
    /// `a.sin_cos()`
    SinCos(usize),
    /// Another form of the same value.
    Form(usize),
    /// A number as one of another type; an integer has no derivative.
    Cast(usize),
    /// A call of a function with companions, and the run that takes adjoints back through it.
    Call(Callee, Vec<Passed>, Run),
    /// `if`, `match` and blocks: which part is taken is found out again.
    Region,
    /// A sum over an iterator.
    Sum(Box<Sum>),
    /// A number that all lanes share, in each of them.
    Spread(usize),
    /// An array by its elements.
    Elements(Box<Elements>),
    /// What an iterator gives, in a `Vec`.
    Collected(Box<Collected>),
}

impl Op {
    /// The nodes that the value is computed from.
    fn children(&self) -> Vec<usize> {
        match self {
            Op::Constant | Op::Leaf(_) | Op::Region | Op::Sum(_) | Op::Elements(_) | Op::Collected(_) => Vec::new(),
            Op::Scalar(children, _) => children.clone(),
            Op::Parts(parts) => parts.iter().map(|(_, child)| *child).collect(),
            Op::Repeat(child)
            | Op::Part(child, _)
            | Op::SinCos(child)
            | Op::Form(child)
            | Op::Cast(child)
            | Op::Spread(child) => {
                vec![*child]
            }
            Op::Call(_, args, _) => args
                .iter()
                .filter_map(|arg| match arg {
                    Passed::Value(child) => Some(*child),
                    Passed::Inactive(_) | Passed::Reference(..) => None,
                })
                .collect(),
        }
    }
}

/// An argument of a call.
#[derive(Clone)]
pub(super) enum Passed {
    /// No derivative flows through it.
    Inactive(Expr),
    /// A reference to a place that has a shadow.
    Reference(Expr, Place),
    /// A value.
    Value(usize),
}

impl<'s, 'd> Expression<'s, 'd> {
    pub(crate) fn new(shadows: &'s mut Shadows<'d>) -> Expression<'s, 'd> {
        Expression { shadows, nodes: Vec::new(), before: Vec::new() }
    }

    /// Adds an expression to the graph.
    pub(crate) fn node(&mut self, e: &Expr) -> usize {
        if let Some(known) = self.nodes.iter().position(|node| node.expr == *e) {
            return known;
        }
        if let Some(written) = self.shadows.product(e).or_else(|| self.shadows.unwrapped(e)) {
            return self.node(&written);
        }
        let op = if self.shadows.active(e) { self.op(e) } else { Op::Constant };
        // Building the children may have added the same expression.
        self.nodes.push(Node { expr: e.clone(), op, value: None });
        self.nodes.len() - 1
    }

    /// Says that a value is there already.
    pub(crate) fn known(&mut self, node: usize, value: Expr) {
        self.nodes[node].value = Some(value);
    }

    fn op(&mut self, e: &Expr) -> Op {
        if let Some(place) = e.as_place() {
            // A name for a place is as active as the place.
            let flows = self.shadows.is_active(self.shadows.resolved(&place).root);
            return if flows { Op::Leaf(place) } else { Op::Constant };
        }
        if let Some(sum) = self.shadows.sum(e) {
            return Op::Sum(Box::new(sum));
        }
        if let Some(elements) = self.shadows.elements(e) {
            return Op::Elements(Box::new(elements));
        }
        if let Some(collected) = self.shadows.collected(e) {
            return Op::Collected(Box::new(collected));
        }
        if let Some(name) = self.shadows.other_reduction(e) {
            self.shadows.missing(
                e.span,
                format!(
                    "no derivative is known through `{name}` of an iterator; write a loop, or `.map(|..| ..).sum()` or \
                     `.map(|..| ..).collect()` over `iter`, `chunks_exact`, `windows` or a range, with `rev`, `step_by`, `zip` and \
                     `enumerate`"
                ),
            );
            return Op::Constant;
        }
        match &e.kind {
            ExprKind::Unary(UnaryOp::Neg, a) => Op::Scalar(vec![self.node(a)], rules::OPPOSITE),
            ExprKind::Unary(UnaryOp::Deref, a) | ExprKind::Ref(a) => Op::Form(self.node(a)),
            ExprKind::Cast(a, _) => Op::Cast(self.node(a)),
            // Only integers and `bool` have a `!`.
            ExprKind::Unary(UnaryOp::Not, a) => Op::Scalar(vec![self.node(a)], rules::NOT),
            ExprKind::Binary(op, a, b) => {
                let rule = self.binary(*op, a);
                Op::Scalar(vec![self.node(a), self.node(b)], rule)
            }
            ExprKind::Field(..) | ExprKind::Index(..) => {
                let (whole, steps) = steps_to(e);
                Op::Part(self.node(whole), steps)
            }
            ExprKind::Tuple(all) => Op::Parts(self.fields(all)),
            ExprKind::Array(all) | ExprKind::Macro { args: MacroArgs::List(all), .. } => {
                let parts = all.iter().enumerate().map(|(i, e)| (element(i, e.span), self.node(e))).collect();
                Op::Parts(parts)
            }
            ExprKind::Struct { path, fields, rest: None } => {
                let step = |member: &Member| match is_variant(path) {
                    true => step_into(path, member, e.span),
                    false => Projection::Field(member.clone()),
                };
                let parts = fields.iter().map(|(member, e)| (step(member), self.node(e))).collect();
                Op::Parts(parts)
            }
            ExprKind::Repeat(a, _) | ExprKind::Macro { args: MacroArgs::Repeat(a, _), .. } => Op::Repeat(self.node(a)),
            ExprKind::Method { receiver, method, turbofish, args } => {
                let arguments: Vec<&Expr> = std::iter::once(&**receiver).chain(args).collect();
                match method.known.and_then(|known| self.elementary(known, &arguments)) {
                    Some(op) => op,
                    None if matches!(method.known, Some(Known::Underived | Known::OfOption)) => {
                        let instead = match method.known {
                            Some(Known::OfOption) => "take the `Option` apart, with `match` or `if let`",
                            _ => "call a function with `#[primitive(d_x = ..)]` on it, or a `#[reversible]` one",
                        };
                        self.shadows.missing(
                            e.span,
                            format!(
                                "no derivative of `{}` is known, and it would be lost; {instead}; or keep the derivative out, with \
                                 `#[constant] let t = ..;`",
                                method.name
                            ),
                        );
                        Op::Constant
                    }
                    None => {
                        let callee = Callee::Method { name: method.name.clone(), turbofish: turbofish.clone() };
                        let first = self.receiver(receiver);
                        let rest = args.iter().map(|arg| self.passed(arg)).collect::<Vec<_>>();
                        Op::Call(callee, std::iter::once(first).chain(rest).collect(), Run::Adjoint)
                    }
                }
            }
            ExprKind::Call { callee, args } => self.call(callee, args, e.span),
            ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::Block { .. } => Op::Region,
            ExprKind::Struct { rest: Some(rest), .. } => {
                self.shadows.missing(
                    rest.span,
                    "no derivative is known for the rest of a struct, `..`; name its fields one by one",
                );
                Op::Constant
            }
            ExprKind::Closure { .. } => {
                self.shadows.missing(e.span, "no derivative goes through a closure; write a `#[reversible]` function");
                Op::Constant
            }
            // Inactive, or made by the derivative stages themselves.
            ExprKind::Lit(_)
            | ExprKind::Var(_)
            | ExprKind::Path(_)
            | ExprKind::Range { .. }
            | ExprKind::Macro { args: MacroArgs::Matches(..), .. }
            | ExprKind::Let(..)
            | ExprKind::Rule(..)
            | ExprKind::RefMut(_) => Op::Constant,
            ExprKind::Companion { callee, run: Run::Keep, args } => {
                let passed = args.iter().enumerate().map(|(i, arg)| match callee {
                    Callee::Method { .. } if i == 0 => self.receiver(arg),
                    _ => self.passed(arg),
                });
                Op::Call(callee.clone(), passed.collect(), Run::Spend)
            }
            ExprKind::Companion { .. } => Op::Constant,
        }
    }

    fn fields(&mut self, all: &[Expr]) -> Vec<(Projection, usize)> {
        all.iter().enumerate().map(|(i, e)| (Projection::Field(Member::Index(i)), self.node(e))).collect()
    }

    /// A method with a rule, in either syntax: `x.sin()`, `f64::sin(x)`.
    fn elementary(&mut self, known: Known, arguments: &[&Expr]) -> Option<Op> {
        let function = match known {
            Known::SinCos => return Some(Op::SinCos(self.node(arguments[0]))),
            Known::Spread => return Some(Op::Spread(self.node(arguments[0]))),
            Known::Form => return Some(Op::Form(self.node(arguments[0]))),
            Known::Elementary(function) => function,
            Known::Shape
            | Known::Stops
            | Known::Asks
            | Known::Iteration(_)
            | Known::Sum
            | Known::Product
            | Known::Collect
            | Known::Unwrap
            | Known::OfOption
            | Known::Underived => return None,
        };
        let rule = rules::rule(function);
        let children: Vec<usize> = arguments.iter().map(|e| self.node(e)).collect();
        Some(Op::Scalar(children, rule))
    }

    fn call(&mut self, callee: &Expr, args: &[Expr], span: Span) -> Op {
        let ExprKind::Path(path) = &callee.kind else {
            self.shadows.missing(
                span,
                "no derivative goes through a closure that captures what may change or has statements, or through a function value; \
                 make it a `#[reversible]` function, which may stand inside of this one, and pass what it captures",
            );
            return Op::Constant;
        };
        let last = path.last();
        if self.shadows.numbers.owns(path) {
            if matches!(last.to_string().as_str(), "lit" | "from" | "from_int") && args.len() == 1 {
                return Op::Cast(self.node(&args[0]));
            }
            let arguments: Vec<&Expr> = args.iter().collect();
            let method = args.len().checked_sub(1).map(|count| Method::new(last.clone(), count));
            if let Some(op) = method.and_then(|method| self.elementary(method.known?, &arguments)) {
                return op;
            }
        }
        if last == "Ok" || last == "Err" {
            self.shadows.missing(
                span,
                format!(
                    "no derivative goes through `{last}(..)`; give an `Option`, or, if nobody needs a derivative, put `#[reversible(derivatives = \"never\")]` on the program"
                ),
            );
            return Op::Constant;
        }
        if is_variant(path) {
            let part = |(i, e): (usize, &Expr)| (step_into(path, &Member::Index(i), e.span), self.node(e));
            return Op::Parts(args.iter().enumerate().map(part).collect());
        }
        if path.is_constructor() {
            return Op::Parts(self.fields(args));
        }
        if let Some(ty) = path.of_the_prelude() {
            self.shadows.missing(
                span,
                format!(
                    "no derivative is known through `{ty}::{last}`, which belongs to the standard library; use the value itself, or make a \
                     `Vec` with `vec![..]`, `.to_vec()` or `.collect()`; or keep the derivative out, with `#[constant] let t = ..;`"
                ),
            );
            return Op::Constant;
        }
        let passed = args.iter().map(|arg| self.passed(arg)).collect();
        let callee = if path.is_associated() { Callee::Associated(path.clone()) } else { Callee::Path(path.clone()) };
        Op::Call(callee, passed, Run::Adjoint)
    }

    fn passed(&mut self, arg: &Expr) -> Passed {
        if !self.shadows.active(arg) {
            return Passed::Inactive(arg.clone());
        }
        let place = match &arg.kind {
            ExprKind::Ref(inner) => inner.as_place(),
            ExprKind::Var(var) if self.shadows.is_reference(*var) => arg.as_place(),
            _ => None,
        };
        match place {
            Some(place) => Passed::Reference(arg.clone(), place),
            None => Passed::Value(self.node(arg)),
        }
    }

    /// The receiver of a method is a reference to a place without being written as one.
    fn receiver(&mut self, e: &Expr) -> Passed {
        match e.as_place() {
            Some(place) if self.shadows.active(e) => Passed::Reference(e.clone(), place),
            _ => self.passed(e),
        }
    }

    /// How many times a node is a part of others.
    pub(super) fn uses(&self, node: usize) -> usize {
        self.nodes.iter().flat_map(|other| other.op.children()).filter(|child| *child == node).count()
    }

    /// Whether a node is a place that Rust would move, so that its tangent is moved too: no element, and no visible number.
    pub(super) fn is_moved(&self, node: usize) -> bool {
        let Op::Leaf(place) = &self.nodes[node].op else { return false };
        let place = self.shadows.resolved(place);
        let ty = self.shadows.vars[place.root.0].ty.as_ref();
        let ty = ty.and_then(|ty| place.path.iter().try_fold(ty, |ty, step| ty.part(step)));
        let copied = ty.is_some_and(|ty| self.shadows.numbers.is_copied(ty.pointee()));
        !copied && place.indices().next().is_none()
    }

    pub(super) fn is_active(&self, node: usize) -> bool {
        !matches!(self.nodes[node].op, Op::Constant)
    }

    /// Whether a node is neither a place nor another form of one.
    pub(super) fn is_made(&self, node: usize) -> bool {
        match &self.nodes[node].op {
            Op::Leaf(_) => false,
            Op::Form(child) => self.is_made(*child),
            _ => true,
        }
    }

    /// The rule of an operator.
    fn binary(&self, op: BinaryOp, a: &Expr) -> &'static [Through] {
        use BinaryOp::*;
        match op {
            Add => rules::SUM,
            Sub => rules::DIFFERENCE,
            Mul => rules::PRODUCT,
            Div if self.shadows.numbers.is_constant(a, 1.0, "one") => rules::RECIPROCAL,
            Div => rules::QUOTIENT,
            Rem => rules::REMAINDER,
            BitAnd | BitOr | BitXor | Shl | Shr => rules::BITS,
            And | Or | Eq | Ne | Lt | Le | Gt | Ge => &[Through::Nothing, Through::Nothing],
        }
    }

    /// The value of a sub-expression.
    pub(crate) fn value(&mut self, node: usize) -> Expr {
        if let Some(value) = &self.nodes[node].value {
            return value.clone();
        }
        let expr = self.nodes[node].expr.clone();
        let children = match &self.nodes[node].op {
            // Constants and places are read where they are needed: nothing changes them in between.
            Op::Constant => return expr,
            Op::Leaf(_) => return self.read(expr),
            op => op.children(),
        };
        if let Op::Part(whole, steps) = self.nodes[node].op.clone() {
            // A part of what a register holds is read where it is: it could not be moved out of an array.
            let whole = self.value(whole);
            let part = steps.into_iter().fold(whole, |whole, step| whole.part(step, expr.span));
            self.nodes[node].value = Some(part.clone());
            return part;
        }
        let values: Vec<(Expr, Expr)> = children
            .iter()
            .map(|child| {
                let value = match self.nodes[node].op {
                    // The run makes the call once more, with derivatives.
                    Op::Call(..) => self.given(*child, true),
                    // The shape of the element is asked for later.
                    Op::Repeat(_) => self.given(*child, true),
                    Op::Parts(_) => self.given(*child, false),
                    _ => self.value(*child),
                };
                (self.nodes[*child].expr.clone(), value)
            })
            .collect();
        self.kept(node, replaced(&expr, &values))
    }

    /// The value of a node that is given away, to a call or as a part of another: if it is used `again`, a clone of it, unless it is
    /// a number.
    pub(super) fn given(&mut self, node: usize, again: bool) -> Expr {
        let value = self.value(node);
        let owned = match &self.nodes[node].op {
            Op::Form(_) => matches!(self.nodes[node].expr.kind, ExprKind::Method { .. }),
            Op::Parts(_)
            | Op::Part(..)
            | Op::Repeat(_)
            | Op::Call(..)
            | Op::Region
            | Op::Elements(_)
            | Op::Collected(_) => true,
            Op::Constant | Op::Leaf(_) | Op::Scalar(..) | Op::SinCos(_) | Op::Cast(_) | Op::Sum(_) | Op::Spread(_) => {
                false
            }
        };
        if owned && (again || self.uses(node) > 1) { cloned(value) } else { value }
    }

    /// The value of a node, in a register.
    fn kept(&mut self, node: usize, value: Expr) -> Expr {
        let (value, stmt) = self.shadows.value_register("value", value);
        self.before.push(stmt);
        self.nodes[node].value = Some(value.clone());
        value
    }

    /// Whether a node is arithmetic in a variable, and no derivative that goes through it is made of the variable.
    pub(crate) fn is_linear_in(&self, node: usize, var: VarId) -> bool {
        let Node { expr, op, .. } = &self.nodes[node];
        if !expr.mentions(var) || expr.kind == ExprKind::Var(var) {
            return true;
        }
        let Op::Scalar(children, rule) = op else { return false };
        let mentions = |node: usize| self.nodes[node].expr.mentions(var);
        children.iter().zip(*rule).all(|(child, through)| {
            let needed = match through {
                Through::Times(neighbour) => mentions(children[*neighbour]),
                Through::Partial(_, needs) => needs.iter().any(|need| match need {
                    Need::Argument(i) => mentions(children[*i]),
                    Need::Value => true,
                }),
                Through::Same | Through::Opposite | Through::Nothing => false,
            };
            !(needed && self.is_active(*child)) && self.is_linear_in(*child, var)
        })
    }

    /// The value of a node in which sums stand for the variables that they are the sums of, to be computed at the end of the run;
    /// everything else in it is kept in registers until then. `None` if there is no sum in it.
    pub(crate) fn late(&mut self, node: usize, sums: &HashMap<VarId, VarId>) -> Option<Expr> {
        let expr = self.nodes[node].expr.clone();
        if !sums.keys().any(|var| expr.mentions(*var)) {
            return None;
        }
        if let ExprKind::Var(var) = expr.kind {
            return sums.get(&var).map(|sum| Expr::var(*sum, expr.span));
        }
        if let Op::Part(whole, steps) = self.nodes[node].op.clone() {
            let whole = self.late(whole, sums)?;
            return Some(steps.into_iter().fold(whole, |whole, step| whole.part(step, expr.span)));
        }
        let mut values = Vec::new();
        for child in self.nodes[node].op.children() {
            let value = match self.late(child, sums) {
                Some(late) => late,
                None => {
                    let value = self.value(child);
                    let (register, keep) = self.shadows.value_register("kept", value);
                    self.before.push(keep);
                    register
                }
            };
            values.push((self.nodes[child].expr.clone(), value));
        }
        Some(replaced(&expr, &values))
    }

    /// A place that is read. The bare name of a `&mut` would be moved.
    fn read(&self, place: Expr) -> Expr {
        match place.kind {
            ExprKind::Var(var) if self.shadows.vars[var.0].kind.is_mutable_reference() => {
                let span = place.span;
                Expr::new(ExprKind::Unary(UnaryOp::Deref, Rc::new(place)), span)
            }
            _ => place,
        }
    }

    /// The value as a number: a partial derivative, or what one is made of.
    pub(super) fn number(&mut self, node: usize) -> Expr {
        let value = self.value(node);
        match self.is_number(node) {
            true => self.shadows.number(value),
            // In each run rustc says the same about what is not a number.
            false => {
                let span = self.nodes[node].expr.span;
                Expr::rule(Rule::AskedNumber, vec![Expr { span, ..value }], span)
            }
        }
    }

    /// Whether the value of a node is visibly a number.
    pub(super) fn is_number(&self, node: usize) -> bool {
        let expr = &self.nodes[node].expr;
        matches!(expr.kind, ExprKind::Lit(_)) || types::is_number(&self.shadows.vars, &self.shadows.numbers, expr)
    }

    /// The partial derivative of a call with respect to one of its arguments, as a value.
    pub(super) fn partial(&mut self, node: usize, children: &[usize], through: Through) -> Option<Expr> {
        let span = self.nodes[node].expr.span;
        match through {
            Through::Times(neighbour) => Some(self.number(children[neighbour])),
            Through::Partial(name, needs) => {
                let args = needs
                    .iter()
                    .map(|need| match need {
                        Need::Argument(i) => self.number(children[*i]),
                        Need::Value => self.number(node),
                    })
                    .collect();
                Some(Expr::rule(Rule::Partial(name), args, span))
            }
            Through::Same | Through::Opposite | Through::Nothing => None,
        }
    }
}

/// A part of a value, by the whole and the way from it: nothing between the two is a value of its own, which would be moved.
fn steps_to(e: &Expr) -> (&Expr, Vec<Projection>) {
    let (base, step) = match &e.kind {
        ExprKind::Field(base, member) => (base, Projection::Field(member.clone())),
        ExprKind::Index(base, index) => (base, Projection::Index((**index).clone())),
        _ => return (e, Vec::new()),
    };
    let (whole, mut steps) = steps_to(base);
    steps.push(step);
    (whole, steps)
}

pub(super) fn element(i: usize, span: Span) -> Projection {
    Projection::Index(Expr::integer(i, span))
}

/// An expression with some of those directly inside it replaced.
fn replaced(e: &Expr, values: &[(Expr, Expr)]) -> Expr {
    e.map_children(&mut |child| values.iter().find(|(from, _)| from == child).map_or(child, |(_, to)| to).clone())
}
