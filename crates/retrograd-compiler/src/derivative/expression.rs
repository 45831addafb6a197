//! An expression as a graph: each sub-expression once, children before parents.
//!
//! Values are computed on demand, each into a register; a value that no partial derivative needs is not computed.

use std::collections::HashMap;
use std::rc::Rc;

use super::elements::Elements;
use super::rules::{Need, Through};
use super::sums::{Collected, Sum};
use super::variants::is_part;
use super::{Shadows, cloned};
use crate::analysis::types;
use crate::ir::{Callee, Expr, ExprKind, Place, Projection, Rule, Run, Side, Stmt, UnaryOp, VarId, VarKind};
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
        // What is made of parts is made anew: it could be given away only once.
        let known = |node: &Node| node.expr == *e && !matches!(node.op, Op::Parts(_));
        if let Some(known) = self.nodes.iter().position(known) {
            return known;
        }
        if let Some(written) = self.rewritten(e) {
            return self.node(&written);
        }
        let op = if self.shadows.active(e) { self.op(e) } else { Op::Constant };
        // Building the children may have added the same expression.
        self.nodes.push(Node { expr: e.clone(), op, value: None });
        self.nodes.len() - 1
    }

    /// The expression that has the derivative of another one.
    fn rewritten(&self, e: &Expr) -> Option<Expr> {
        let shadows = &self.shadows;
        shadows.product(e).or_else(|| shadows.unwrapped(e)).or_else(|| shadows.in_a_vector(e))
    }

    /// Says that a value is there already.
    pub(crate) fn known(&mut self, node: usize, value: Expr) {
        self.nodes[node].value = Some(value);
    }

    /// How many times a node is a part of others.
    pub(super) fn uses(&self, node: usize) -> usize {
        self.nodes.iter().flat_map(|other| other.op.children()).filter(|child| *child == node).count()
    }

    /// Whether a node is a place that Rust would move, so that its tangent is moved too: no element of a container, and no visible
    /// number.
    pub(super) fn is_moved(&self, node: usize) -> bool {
        let Op::Leaf(place) = &self.nodes[node].op else { return false };
        let place = self.shadows.resolved(place);
        let ty = self.shadows.vars[place.root.0].ty.as_ref();
        let ty = ty.and_then(|ty| place.path.iter().try_fold(ty, |ty, step| ty.part(step)));
        let copied = ty.is_some_and(|ty| self.shadows.numbers.is_copied(ty.pointee()));
        !copied && place.indices().all(is_part)
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
        if self.is_owned(node) && (again || self.uses(node) > 1) {
            self.anew(node).unwrap_or_else(|| cloned(value))
        } else {
            value
        }
    }

    /// Whether the value of a node is moved where it is given away.
    fn is_owned(&self, node: usize) -> bool {
        match &self.nodes[node].op {
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
        }
    }

    /// The value of a node, made of its parts once more: their type need not be `Clone`. None where a part would have to be cloned.
    fn anew(&mut self, node: usize) -> Option<Expr> {
        let Op::Parts(parts) = self.nodes[node].op.clone() else {
            return (!self.is_owned(node)).then(|| self.value(node));
        };
        let mut values = Vec::new();
        for (_, child) in parts {
            values.push((self.nodes[child].expr.clone(), self.anew(child)?));
        }
        Some(replaced(&self.nodes[node].expr, &values))
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
            ExprKind::Var(var) if self.is_mutable_reference(var) => {
                let span = place.span;
                Expr::new(ExprKind::Unary(UnaryOp::Deref, Rc::new(place)), span)
            }
            _ => place,
        }
    }

    /// Whether a name is a mutable reference: so is that of a part, where one is matched by its bare name.
    fn is_mutable_reference(&self, var: VarId) -> bool {
        let kind_of = |var: VarId| &self.shadows.vars[var.0].kind;
        match kind_of(var) {
            VarKind::Part(Place { root, path, .. }) => {
                path[..] == [Projection::Some] && kind_of(*root).is_mutable_reference()
            }
            kind => kind.is_mutable_reference(),
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

    /// What the other operand of a product is multiplied by: a number, or something on one side of it.
    fn factor(&mut self, children: &[usize], neighbour: usize) -> Expr {
        if self.is_number(children[neighbour]) || self.is_number(children[1 - neighbour]) {
            return self.number(children[neighbour]);
        }
        let (value, span) = (self.value(children[neighbour]), self.nodes[children[neighbour]].expr.span);
        let side = if neighbour == 0 { Side::Left } else { Side::Right };
        Expr::rule(Rule::Factor(side), vec![Expr { span, ..value }], span)
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
            Through::Times(neighbour) => Some(self.factor(children, neighbour)),
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

pub(super) fn element(i: usize, span: Span) -> Projection {
    Projection::Index(Expr::integer(i, span))
}

/// An expression with some of those directly inside it replaced, each occurrence by a value of its own as far as there are several.
fn replaced(e: &Expr, values: &[(Expr, Expr)]) -> Expr {
    let mut left: Vec<&(Expr, Expr)> = values.iter().collect();
    e.map_children(&mut |child| {
        let own = left.iter().position(|(from, _)| from == child).map(|own| left.remove(own));
        let value = own.or_else(|| values.iter().find(|(from, _)| from == child));
        value.map_or(child, |(_, to)| to).clone()
    })
}
