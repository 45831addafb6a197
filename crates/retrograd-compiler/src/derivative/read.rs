//! Which operation an expression is, and what flows through it.

use super::expression::{Expression, Op, Passed, element};
use super::rules::{self, Through};
use super::variants::{is_variant, step_into};
use crate::ir::{BinaryOp, Callee, Expr, ExprKind, Known, MacroArgs, Member, Method, Projection, Run, UnaryOp};
use crate::span::Span;

impl Expression<'_, '_> {
    pub(super) fn op(&mut self, e: &Expr) -> Op {
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
            ExprKind::Method { receiver, .. } if e.is_copied_option() => Op::Form(self.node(receiver.looked_at())),
            ExprKind::Method { receiver, method, turbofish, args } => {
                let arguments: Vec<&Expr> = std::iter::once(&**receiver).chain(args).collect();
                match method.known.and_then(|known| self.elementary(known, &arguments)) {
                    Some(op) => op,
                    None if matches!(method.known, Some(Known::Underived | Known::OfOption)) => {
                        let instead = match method.known {
                            Some(Known::OfOption) => "take the `Option` apart, with `match` or `if let`",
                            _ if method.name == "into" => {
                                "say what it becomes, `f64::from(x)`, or put `: f64` behind the name; for a type of your own, write a \
                                 `#[reversible]` function or method that makes it"
                            }
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
                    None if self.shadows.missing_element(e) => Op::Constant,
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
                self.shadows.missing(
                    e.span,
                    "no derivative goes through this closure; write what takes it as a loop or as `match x { Some(v) => .., None => .. }`, or \
                     make it a `#[reversible]` function",
                );
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
                let passed = args.iter().enumerate().map(|(i, arg)| match &**callee {
                    Callee::Method { .. } if i == 0 => self.receiver(arg),
                    _ => self.passed(arg),
                });
                Op::Call((**callee).clone(), passed.collect(), Run::Spend)
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
        if let (true, [inside]) = (path.boxes(), args) {
            return Op::Parts(vec![(Projection::Deref, self.node(inside))]);
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
        if self.shadows.is_ordinary(path) {
            self.shadows.missing(
                span,
                format!(
                    "`{last}` is an ordinary function, and a derivative would have to flow through it: put `#[reversible]` on it, or \
                     `#[reversible(record)]` if it loses information; or keep the derivative out, with `#[constant] let t = {last}(..);`"
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
}

/// A part of a value, by the whole and the way from it: nothing between the two is a value of its own, which would be moved.
pub(super) fn steps_to(e: &Expr) -> (&Expr, Vec<Projection>) {
    let (base, step) = match &e.kind {
        ExprKind::Field(base, member) => (base, Projection::Field(member.clone())),
        ExprKind::Index(base, index) => (base, Projection::Index((**index).clone())),
        _ => return (e, Vec::new()),
    };
    let (whole, mut steps) = steps_to(base);
    steps.push(step);
    (whole, steps)
}
