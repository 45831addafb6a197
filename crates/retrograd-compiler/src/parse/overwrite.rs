//! Assignments: the few that lose nothing, and what to say about the others.

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{BinOp, Expr as Syn, UnOp};

use super::Parser;
use super::expr::function_of_numbers;
use crate::ir::{
    Assign, BinaryOp, Binding, BindingKind, Elementary, Expr, ExprKind, Flip, FlipOp, Known, LiteralKind, MacroArgs,
    Map, MapFn, Pattern, Records, Stmt, Update, UpdateOp, VarId, VarKind,
};
use crate::span::{Span, context};

impl Parser<'_> {
    /// `y = -y`, `y = y.exp()`, `y = g(y)`, a new version of an ancilla; anything else discards the old value.
    pub(super) fn assign(&mut self, e: &syn::ExprAssign, span: Span) -> Option<Stmt> {
        if self.records != Records::Nothing {
            return self.recorded(e, span);
        }
        if let Syn::Path(path) = bare(&e.left)
            && let Some(var) = path.path.get_ident().and_then(|name| self.names.lookup(name))
            && self.refused.contains(&var)
        {
            return None;
        }
        let same = |other: &Syn| spelled(bare(other)) == spelled(bare(&e.left));
        // A method reaches through references by itself: `*x = x.exp()`.
        let same_value = |other: &Syn| spelled(pointee(other)) == spelled(pointee(&e.left));
        match bare(&e.right) {
            Syn::Unary(unary) if same(&unary.expr) && !matches!(unary.op, UnOp::Deref(_)) => {
                let op = if matches!(unary.op, UnOp::Neg(_)) { FlipOp::Neg } else { FlipOp::Not };
                return Some(Stmt::Flip(Flip { op, target: self.target_of(&e.left, span)?, span }));
            }
            Syn::MethodCall(call)
                if same_value(&call.receiver) && call.args.is_empty() && bijection(&call.method).is_some() =>
            {
                let function = bijection(&call.method)?;
                if function.is_of_real() {
                    self.methods.push(call.method.clone());
                }
                let function = MapFn::Method(function);
                return Some(Stmt::Map(Map { target: self.target_of(&e.left, span)?, function, span }));
            }
            Syn::Call(call) if call.args.len() == 1 && same(&call.args[0]) && self.own_ancilla(&e.left).is_none() => {
                if let Syn::Path(path) = bare(&call.func)
                    && let Some(ident) = path.path.get_ident()
                    && self.names.lookup(ident).is_some()
                {
                    self.error(
                        span,
                        format!(
                            "`{ident}` is a local, and a closure has no inverse; make it a function with `#[bijection]`"
                        ),
                    );
                    return None;
                }
                if let Syn::Path(path) = bare(&call.func)
                    && let Some(function) = self.map_function(path)
                {
                    self.functions.extend(function_of_numbers(&call.func, 1));
                    return Some(Stmt::Map(Map { target: self.target_of(&e.left, span)?, function, span }));
                }
            }
            _ => {}
        }
        if let Some((ident, var)) = self.own_ancilla(&e.left) {
            let value = self.expr(&e.right)?;
            if self.leaves_type_open(var, &value, false) {
                self.error(
                    span,
                    format!(
                        "`=` makes a new version of `{ident}`, and what type that has is not seen; write the type where `{ident}` begins, \
                         `let mut {ident}: T = ..;`"
                    ),
                );
                return None;
            }
            return Some(self.version(&ident, var, value, Span::of(&e.left), span));
        }
        self.overwrite(e, span);
        None
    }

    /// `y = e` where a record keeps what y was. What visibly is an update or a flip needs none.
    fn recorded(&mut self, e: &syn::ExprAssign, span: Span) -> Option<Stmt> {
        if matches!(*e.left, Syn::Infer(_) | Syn::Tuple(_)) {
            self.overwrite(e, span);
            return None;
        }
        if let Syn::Unary(unary) = bare(&e.right)
            && spelled(bare(&unary.expr)) == spelled(bare(&e.left))
            && !matches!(unary.op, UnOp::Deref(_))
        {
            let op = if matches!(unary.op, UnOp::Neg(_)) { FlipOp::Neg } else { FlipOp::Not };
            return Some(Stmt::Flip(Flip { op, target: self.target_of(&e.left, span)?, span }));
        }
        if let Some((op, operand)) = added(&e.left, &e.right)
            && self.records == Records::Lossy
        {
            let (target, operand) = (self.target_of(&e.left, span), self.expr(operand));
            return Some(Stmt::Update(Update {
                op,
                target: target?,
                operand: operand?,
                written: None,
                kept: None,
                span,
            }));
        }
        let value = self.expr(&e.right);
        if let Some((ident, var)) = self.own_ancilla(&e.left)
            && !value.as_ref().is_some_and(|value| is_typed_by_target(value) || self.leaves_type_open(var, value, true))
        {
            return Some(self.version(&ident, var, value?, Span::of(&e.left), span));
        }
        let target = self.target_of(&e.left, span)?;
        let refers = self.references.contains(&target.root) || value.as_ref().is_some_and(|value| self.refers(value));
        if refers && target.path.is_empty() && self.var(target.root).kind == VarKind::Ancilla {
            let name = self.var(target.root).written.clone();
            self.error(
                span,
                format!(
                    "`{name}` is a reference, and a record keeps values: on the way back nothing would say what it referred to; \
                     keep an index instead, `{name} = i;` with `x[{name}]` where it is read, or a copy of the value, `{name} = *v;`"
                ),
            );
            return None;
        }
        self.assigned.insert(target.root);
        Some(Stmt::Assign(Assign { target, value: value?, kept: None, reread: false, span }))
    }

    /// `y op= e` as `y = y op e`.
    pub(super) fn computed(&mut self, e: &syn::ExprBinary, op: BinaryOp, span: Span) -> Option<Stmt> {
        let (target, operand) = (self.target_of(&e.left, span), self.expr(&e.right));
        let target = target?;
        let kind = ExprKind::Binary(op, Rc::new(target.to_expr()), Rc::new(operand?));
        Some(Stmt::Assign(Assign { value: Expr::new(kind, span), target, kept: None, reread: false, span }))
    }

    /// In straight-line code `x = e` is a new version of the name: a second ancilla that shadows the first.
    fn version(&mut self, ident: &syn::Ident, old: VarId, value: Expr, at: Span, span: Span) -> Stmt {
        let ty = self.var(old).ty.clone();
        let value = if let Some(ty) = &ty { value.of_type(ty) } else { value };
        let var = self.names.declare(ident, ty.clone(), VarKind::Ancilla);
        let pattern = Pattern::bind(var, at);
        Stmt::Begin(Binding { kind: BindingKind::Ancilla, pattern, ty, value, constant: false, span })
    }

    /// Whether a value could have another type in a variable of its own than in this one: that of literals follows from what is done with
    /// them. `integers`: as for those that are integers; where their type matters, `check` says so.
    fn leaves_type_open(&self, var: VarId, value: &Expr, integers: bool) -> bool {
        // Where there are no others, floats are those that literals are without a word.
        let single = Ident::new("f32", proc_macro2::Span::call_site());
        let floats = || self.names.vars.iter().filter_map(|var| var.ty.as_ref()).any(|ty| ty.mentions(&single));
        self.var(var).ty.is_none() && is_open(value, integers, self.numbers.literal().is_none() && floats())
    }

    /// An ancilla that begins in the block that is being read.
    fn own_ancilla(&self, e: &Syn) -> Option<(syn::Ident, crate::ir::VarId)> {
        let Syn::Path(path) = bare(e) else { return None };
        let ident = path.path.get_ident()?;
        let var = self.names.lookup(ident)?;
        let own = self.var(var).kind == VarKind::Ancilla && self.names.in_this_block(var);
        own.then(|| (ident.clone(), var))
    }

    fn overwrite(&mut self, e: &syn::ExprAssign, span: Span) {
        let (left, right) = (text(&e.left), text(&e.right));
        if left == "_" {
            self.error(span, format!("nothing is done with `{right}`; leave the statement out"));
            return;
        }
        if let Some(steps) = steps(&e.left, &e.right) {
            if steps.is_empty() {
                self.error(span, format!("`{left} = {right}` changes nothing; leave the statement out"));
                return;
            }
            let steps = steps.join(" ");
            self.error(
                span,
                format!(
                    "`{left} = {right}` overwrites `{left}` and cannot be undone; `{steps}` does the same, and can be; or keep \
                     what it was, with `#[record]` in front of it"
                ),
            );
            return;
        }
        let ancilla = match bare(&e.left) {
            Syn::Path(path) => path.path.get_ident().and_then(|i| self.names.lookup(i)),
            _ => None,
        };
        if ancilla.is_some_and(|var| self.var(var).kind == VarKind::Ancilla) {
            self.error(
                span,
                format!(
                    "`{left} = {right}` discards the old `{left}` and cannot be undone; in the block that begins an ancilla `=` makes \
                     a new version of it, but not in a loop or branch: write `let {left} = if .. {{ .. }} else {{ .. }};` there, \
                     `{left} += ..;` here, or keep the old one, with `#[record]` in front of it"
                ),
            );
            return;
        }
        let hint = match bare(&e.right) {
            _ if matches!(*e.left, Syn::Tuple(_)) => {
                "to exchange two places write `swap(&mut a, &mut b);`, or `swap(a, b);` where both are references"
                    .to_string()
            }
            Syn::Call(call) if call.args.len() == 1 && text(pointee(&call.args[0])) == text(pointee(&e.left)) => {
                not_a_bijection(&text(&call.func))
            }
            Syn::MethodCall(call) if text(pointee(&call.receiver)) == text(pointee(&e.left)) => match call
                .args
                .is_empty()
            {
                true => not_a_bijection(&call.method.to_string()),
                false => format!("keep both: compute into another variable, `let mut y = {right};` or `y += {right};`"),
            },
            Syn::Lit(_) => {
                format!("move what it holds onto a `Stack` first, `stack.push(&mut {left});`, which leaves zero")
            }
            _ if mentions(&e.right, &e.left) => {
                format!("keep both: compute into another variable, `let next = {right};`")
            }
            _ => {
                format!("write `{left} += {right};` if `{left}` is zero, or `swap(&mut {left}, ..);` to exchange them")
            }
        };
        self.error(
            span,
            format!(
                "`{left} = {right}` discards the old `{left}` and cannot be undone; {hint}; or keep the old one, with `#[record]` in \
                 front of it"
            ),
        );
    }

    /// `%=`, `&=`, `|=`, `<<=`, `>>=`
    pub(super) fn lossy_update(&mut self, e: &syn::ExprBinary, span: Span) -> Option<Stmt> {
        let (left, right, op) = (text(&e.left), text(&e.right), text(&e.op));
        let plain = op.trim_end_matches('=');
        self.error(
            span,
            format!(
                "`{left} {op} {right}` maps several values of `{left}` to one and cannot be undone; compute into another \
                 variable, `y += {left} {plain} {right};`, use `^=`, `+=`, `-=`, `*=`, `/=`, or keep the old value, with `#[record]` in \
                 front of it"
            ),
        );
        None
    }

    /// `g`, `g::inverse`, or `f64::exp`. What another type calls by such a name, `Table::exp`, is a function of its own.
    fn map_function(&self, callee: &syn::ExprPath) -> Option<MapFn> {
        let mut path = super::path::expr_path(callee);
        if path.of.is_none() && path.segments.len() > 1 && path.last() == "inverse" {
            path.segments.pop();
            return Some(MapFn::Function { path, inverse: true });
        }
        match path.is_associated() {
            true if self.numbers.have(&path) => bijection(path.last()).map(MapFn::Method),
            true => None,
            false => Some(MapFn::Function { path, inverse: false }),
        }
    }
}

/// Whether the type of a value may follow only from what it is assigned to, such as that of `Default::default()`, `None`, `vec![]` or
/// `x.iter().collect()`.
fn is_typed_by_target(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Macro { args: MacroArgs::List(all), .. } | ExprKind::Array(all) | ExprKind::Tuple(all) => {
            all.is_empty() || all.iter().any(is_typed_by_target)
        }
        ExprKind::Path(path) => path.last() == "None",
        ExprKind::Method { method, turbofish: None, .. } => {
            matches!(method.known, Some(Known::Sum | Known::Product | Known::Collect)) || method.name == "into"
        }
        ExprKind::Call { callee, args }
            if matches!(&callee.kind, ExprKind::Path(path) if path.is_constructor()) && !args.is_empty() =>
        {
            args.iter().any(is_typed_by_target)
        }
        ExprKind::If { then, otherwise, .. } => is_typed_by_target(then) && is_typed_by_target(otherwise),
        ExprKind::Call { callee, args } if args.is_empty() => {
            matches!(&callee.kind, ExprKind::Path(path) if path.last() == "default" || path.of_the_prelude().is_some())
        }
        _ => false,
    }
}

/// Whether the type of a value, or of a part of it, is that of integers or floats which do not say it.
fn is_open(value: &Expr, integers: bool, floats: bool) -> bool {
    let open = |e: &Expr| is_open(e, integers, floats);
    match &value.kind {
        ExprKind::Lit(literal) => match literal.kind {
            LiteralKind::Integer(_) => integers && literal.suffix.is_none(),
            LiteralKind::Float(_) => floats && literal.is_open_float(),
            LiteralKind::Bool(_) | LiteralKind::Text => false,
        },
        ExprKind::Unary(_, a) | ExprKind::Ref(a) | ExprKind::Repeat(a, _) => open(a),
        ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, a, _) => open(a),
        ExprKind::Binary(op, a, b) => !op.compares() && open(a) && open(b),
        ExprKind::Tuple(all) | ExprKind::Array(all) | ExprKind::Macro { args: MacroArgs::List(all), .. } => {
            all.iter().any(open)
        }
        ExprKind::Macro { args: MacroArgs::Repeat(a, _), .. } => open(a),
        ExprKind::Call { callee, args } => {
            matches!(&callee.kind, ExprKind::Path(path) if path.is_constructor()) && args.iter().any(open)
        }
        ExprKind::If { then, otherwise, .. } => open(then) && open(otherwise),
        ExprKind::Match { arms, .. } => arms.iter().all(|arm| open(&arm.value)),
        ExprKind::Block { tail, .. } => open(tail),
        _ => false,
    }
}

/// The updates, one after the other, that make a place what an expression says, if the place occurs in it just once, behind
/// operators that updates have: `y *= x; y += c;` for `y * x + c`.
fn steps(place: &Syn, e: &Syn) -> Option<Vec<String>> {
    let (left, e) = (text(place), bare(e));
    if spelled(pointee(e)) == spelled(pointee(place)) {
        return Some(Vec::new());
    }
    let and = |inner: &Syn, last: &[String]| -> Option<Vec<String>> {
        let mut all = steps(place, inner)?;
        all.extend_from_slice(last);
        Some(all)
    };
    match e {
        Syn::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => and(&unary.expr, &[format!("{left} = -{left};")]),
        Syn::MethodCall(call) if call.args.is_empty() && bijection(&call.method).is_some() => {
            and(&call.receiver, &[format!("{left} = {left}.{}();", call.method)])
        }
        Syn::Binary(b) => {
            let op = operator(&b.op)?;
            match (mentions(&b.left, place), mentions(&b.right, place)) {
                (true, false) => and(&b.left, &[format!("{left} {op} {};", text(&b.right))]),
                (false, true) => {
                    let last = text(&b.left);
                    let (first, op) = match b.op {
                        BinOp::Sub(_) => (Some(format!("{left} = -{left};")), "+="),
                        BinOp::Div(_) => (Some(format!("{left} = {left}.recip();")), "*="),
                        _ => (None, op),
                    };
                    let last: Vec<String> = first.into_iter().chain([format!("{left} {op} {last};")]).collect();
                    and(&b.right, &last)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// `x = x + e`, `x = e + x` and `x = x - e` are updates, where `e` does not read `x`.
fn added<'e>(place: &Syn, e: &'e Syn) -> Option<(UpdateOp, &'e Syn)> {
    let Syn::Binary(binary) = bare(e) else { return None };
    let is_place = |e: &Syn| spelled(pointee(e)) == spelled(pointee(place));
    let (op, operand) = match binary.op {
        BinOp::Add(_) if is_place(&binary.left) => (UpdateOp::Add, &*binary.right),
        BinOp::Add(_) if is_place(&binary.right) => (UpdateOp::Add, &*binary.left),
        BinOp::Sub(_) if is_place(&binary.left) => (UpdateOp::Sub, &*binary.right),
        _ => return None,
    };
    (!mentions(operand, place)).then_some((op, operand))
}

/// Whether the words of a place occur in an expression.
fn mentions(e: &Syn, place: &Syn) -> bool {
    let (words, place) = (spelled(e), spelled(pointee(place)));
    words.windows(place.len()).any(|part| part == place)
}

/// The method of that name, if it maps a number in place one-to-one.
fn bijection(name: &syn::Ident) -> Option<Elementary> {
    Elementary::by_name(&name.to_string()).filter(|function| crate::invert::inverse_method(*function).is_some())
}

fn not_a_bijection(name: &str) -> String {
    format!(
        "`{name}` is not one-to-one or has no known inverse; the in-place bijections are `exp`/`ln`, `exp_m1`/`ln_1p`, \
         `sinh`/`asinh`, `tanh`/`atanh`, `cbrt`/`cube`, `recip` and `conj`, and your own by `#[bijection(inverse = ..)]`"
    )
}

fn operator(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "+=",
        BinOp::Sub(_) => "-=",
        BinOp::Mul(_) => "*=",
        BinOp::Div(_) => "/=",
        BinOp::BitXor(_) => "^=",
        _ => return None,
    })
}

/// An expression without parentheses, and without the invisible ones of a macro.
pub(super) fn bare(e: &Syn) -> &Syn {
    match e {
        Syn::Paren(e) => bare(&e.expr),
        Syn::Group(e) => bare(&e.expr),
        _ => e,
    }
}

fn pointee(e: &Syn) -> &Syn {
    match bare(e) {
        Syn::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => pointee(&unary.expr),
        other => other,
    }
}

/// The words of an expression, each with the expansion of a macro that it comes from.
fn spelled(syntax: &impl ToTokens) -> Vec<(String, u32)> {
    fn collect(tokens: TokenStream, words: &mut Vec<(String, u32)>) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    words.push((format!("{:?}", group.delimiter()), 0));
                    collect(group.stream(), words);
                    words.push((String::new(), 0));
                }
                other => words.push((other.to_string(), context(other.span()))),
            }
        }
    }
    let mut words = Vec::new();
    collect(syntax.to_token_stream(), &mut words);
    words
}

fn text(tokens: &impl ToTokens) -> String {
    crate::ir::text(tokens.to_token_stream())
}
