//! Expressions, patterns and places as Rust tokens, on the user's spans, with parentheses where Rust needs them.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::callees::{Callees, Purpose};
use super::paths::turbofish as turbofish_of;
use crate::analysis::activity;
use crate::derivative::rules;
use crate::ir::{
    BinaryOp, Expr, ExprKind, Known, Literal, MacroArgs, Member, Pattern, PatternKind, Place, UnaryOp, Var, VarId,
    VarKind,
};

/// Writes expressions: as the user wrote them, or with literals of the number type of a generic program.
#[derive(Clone, Copy)]
pub struct Writer<'p> {
    /// The variables of the program.
    pub vars: &'p [Var],
    /// The number type that float literals belong to.
    pub real: Option<&'p Ident>,
    /// For readers: derivatives as arithmetic, not as calls of the runtime.
    pub readable: bool,
    /// Variables by the names that the user gave them, though several may have the same.
    pub as_written: bool,
    /// In a derivative run.
    pub derivative: bool,
    /// Whether literals say their types, where these are known.
    pub typed: bool,
    /// In dead code by which rustc checks types.
    pub dead: bool,
    /// Whether what a called function keeps is enclosed, as in a procedure.
    pub encloses: bool,
    /// The functions that are called, where their companions are.
    pub(crate) callees: Option<&'p Callees>,
}

/// How tightly the outermost operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    Loosest,
    Range,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Prefix,
    Postfix,
}

impl<'p> Writer<'p> {
    /// Writes the language itself.
    pub fn for_readers(vars: &'p [Var]) -> Writer<'p> {
        Writer {
            vars,
            real: None,
            readable: true,
            as_written: false,
            derivative: false,
            typed: false,
            dead: false,
            encloses: false,
            callees: None,
        }
    }
}

impl Writer<'_> {
    /// A variable, where it is used.
    pub fn var(&self, var: VarId, at: proc_macro2::Span) -> Ident {
        let Var { name, written, .. } = &self.vars[var.0];
        if self.readable {
            let differs = self.as_written && name != written;
            return differs.then(|| syn::parse_str(written).ok()).flatten().unwrap_or_else(|| name.clone());
        }
        let mut ident = name.clone();
        // Wherever it stands, it is the name that was declared, by the user, by a macro of theirs, or here.
        ident.set_span(crate::span::resolved_at(at, name.span()));
        ident
    }

    /// An expression.
    pub fn expr(&self, e: &Expr) -> TokenStream {
        self.at_least(e, Binding::Loosest)
    }

    /// An expression in the head of an `if`, `while`, `for` or `match`.
    pub fn head(&self, e: &Expr) -> TokenStream {
        let tokens = self.expr(e);
        if has_struct(e) && !matches!(e.kind, ExprKind::Let(..)) { quote!((#tokens)) } else { tokens }
    }

    /// An expression behind `==`.
    pub fn compared(&self, e: &Expr) -> TokenStream {
        self.at_least(e, Binding::BitOr)
    }

    /// A place, to be changed.
    pub fn place(&self, place: &Place) -> TokenStream {
        self.expr(&place.to_expr())
    }

    /// A place as the receiver of a method.
    pub fn receiver(&self, place: &Place) -> TokenStream {
        self.at_least(&place.to_expr(), Binding::Postfix)
    }

    /// An expression as the receiver of a method in the head of a loop.
    pub fn receiver_expr(&self, e: &Expr) -> TokenStream {
        let tokens = self.at_least(e, Binding::Postfix);
        if has_struct(e) { quote!((#tokens)) } else { tokens }
    }

    pub(super) fn at_least(&self, e: &Expr, needed: Binding) -> TokenStream {
        let (tokens, binding) = self.parts(e);
        if binding < needed { quote_spanned!(e.span.first=> (#tokens)) } else { tokens }
    }

    pub(super) fn list<'e>(&self, all: impl IntoIterator<Item = &'e Expr>) -> Vec<TokenStream> {
        all.into_iter().map(|e| self.expr(e)).collect()
    }

    pub(super) fn parts(&self, e: &Expr) -> (TokenStream, Binding) {
        let at = e.span.first;
        let postfix = |tokens| (tokens, Binding::Postfix);
        match &e.kind {
            ExprKind::Lit(lit) => postfix(self.literal(lit)),
            ExprKind::Var(var) => postfix(self.var(*var, at).into_token_stream()),
            ExprKind::Path(path) => postfix(match &path.companion {
                Some(companion) if !self.readable => {
                    let holder = self.holder(path, Purpose::Bijection);
                    quote_spanned!(at=> <#holder>::#companion)
                }
                _ => path.to_token_stream(),
            }),
            ExprKind::Unary(op, inner) => {
                let inner = self.at_least(inner, Binding::Prefix);
                let tokens = match op {
                    UnaryOp::Neg => quote_spanned!(at=> -#inner),
                    UnaryOp::Not => quote_spanned!(at=> !#inner),
                    UnaryOp::Deref => quote_spanned!(at=> *#inner),
                };
                (tokens, Binding::Prefix)
            }
            ExprKind::Ref(inner) => {
                let inner = self.at_least(inner, Binding::Prefix);
                (quote_spanned!(at=> &#inner), Binding::Prefix)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, at),
            ExprKind::Cast(inner, ty) => match self.real {
                Some(real) if ty.as_name() == Some(real) => {
                    let inner = self.expr(inner);
                    postfix(quote_spanned!(at=> <#real as __private::Real>::from_int(#inner)))
                }
                _ => {
                    let inner = self.at_least(inner, Binding::Cast);
                    let ty = ty.written.tokens();
                    (quote_spanned!(at=> #inner as #ty), Binding::Cast)
                }
            },
            ExprKind::Field(base, member) => {
                let (base, member) = (self.at_least(base, Binding::Postfix), member);
                postfix(quote_spanned!(at=> #base.#member))
            }
            ExprKind::Index(base, index) => {
                let (base, index) = (self.at_least(base, Binding::Postfix), self.expr(index));
                postfix(quote_spanned!(at=> #base[#index]))
            }
            ExprKind::Range { start, end, inclusive } => {
                // No derivative goes through a range: where one arrives at its ends, which are of one type, they have to be integers.
                let flows = |e: &Expr| self.derivative && activity::active(self.vars, e);
                let first = [start, end].into_iter().position(|e| e.as_deref().is_some_and(flows));
                let ends = [start, end].map(|e| e.as_deref().map(|e| (self.at_least(e, Binding::Or), e.span.first)));
                let [start, end] = std::array::from_fn(|i| match &ends[i] {
                    Some((tokens, at)) if first == Some(i) => Some(quote_spanned!(*at=> __private::range_end(#tokens))),
                    other => other.as_ref().map(|(tokens, _)| tokens.clone()),
                });
                let dots = if *inclusive { quote_spanned!(at=> ..=) } else { quote_spanned!(at=> ..) };
                (quote!(#start #dots #end), Binding::Range)
            }
            ExprKind::Tuple(all) => {
                let list = self.list(all);
                let comma = (all.len() == 1).then(|| quote!(,));
                postfix(quote_spanned!(at=> (#(#list),* #comma)))
            }
            ExprKind::Array(all) => {
                let list = self.list(all);
                postfix(quote_spanned!(at=> [#(#list),*]))
            }
            ExprKind::Repeat(value, count) => {
                let (value, count) = (self.expr(value), self.expr(count));
                postfix(quote_spanned!(at=> [#value; #count]))
            }
            ExprKind::Struct { path, fields, rest } => {
                let fields = fields.iter().map(|(member, value)| {
                    let tokens = self.expr(value);
                    let shorthand = matches!((member, &value.kind), (Member::Named(name), ExprKind::Var(var))
                        if *name == self.vars[var.0].name);
                    if shorthand { tokens } else { quote!(#member: #tokens) }
                });
                let rest = rest.as_ref().map(|rest| {
                    let rest = self.expr(rest);
                    quote!(..#rest)
                });
                postfix(quote_spanned!(at=> #path { #(#fields,)* #rest }))
            }
            ExprKind::Call { callee, args } => {
                // `T::lit(2.0)` takes the literal as it is.
                let literal = matches!(&callee.kind, ExprKind::Path(path) if path.last() == "lit");
                let plain = Writer { real: if literal { None } else { self.real }, ..*self };
                let (callee, args) = (self.at_least(callee, Binding::Postfix), plain.list(args));
                postfix(quote_spanned!(at=> #callee(#(#args),*)))
            }
            ExprKind::Method { receiver, method, turbofish, args } => {
                let length = self.dead && method.known == Some(Known::Shape) && self.may_change(receiver);
                let stops = method.known.is_some_and(|known| known.stops(receiver));
                let asked = stops && matches!(receiver.kind, ExprKind::Range { .. });
                let flows = self.derivative && activity::active(self.vars, receiver);
                // What is only asked of a range carries no derivative.
                let writer = Writer { derivative: self.derivative && !asked, ..*self };
                let (receiver, list) = match length {
                    true => (self.looked_at(receiver, at), Vec::new()),
                    false => (writer.at_least(receiver, Binding::Postfix), self.list(args)),
                };
                let turbofish = turbofish.as_deref().map(turbofish_of);
                let name = &method.name;
                let call = quote_spanned!(at=> #receiver.#name #turbofish (#(#list),*));
                // Where a name says that no derivative flows, the type has to agree.
                postfix(match method.known.filter(|_| flows) {
                    Some(_) if stops => quote_spanned!(at=> __private::stops(#call)),
                    Some(Known::Elementary(function)) if rules::is_step(function) => {
                        quote_spanned!(at=> __private::numeric(#receiver).#name())
                    }
                    _ => call,
                })
            }
            ExprKind::Macro { path, args } => postfix(match args {
                MacroArgs::List(all) => {
                    let list = self.list(all);
                    quote_spanned!(at=> #path![#(#list),*])
                }
                MacroArgs::Repeat(value, count) => {
                    let (value, count) = (self.expr(value), self.expr(count));
                    quote_spanned!(at=> #path![#value; #count])
                }
                MacroArgs::Matches(value, pattern, guard) => {
                    let (value, pattern) = (self.expr(value), self.pattern(pattern));
                    let guard = guard.as_ref().map(|e| self.expr(e)).map(|e| quote!(if #e));
                    quote_spanned!(at=> #path!(#value, #pattern #guard))
                }
            }),
            ExprKind::If { condition, then, otherwise } => {
                let condition = self.head(condition);
                let (then, otherwise) = (self.expr(then), self.expr(otherwise));
                (quote_spanned!(at=> if #condition { #then } else { #otherwise }), Binding::Loosest)
            }
            ExprKind::Let(pattern, value) => {
                // `let p = a && b` would be read as two conditions.
                let (pattern, tokens) = (self.pattern(pattern), self.at_least(value, Binding::Compare));
                let value = if has_struct(value) { quote!((#tokens)) } else { tokens };
                (quote_spanned!(at=> let #pattern = #value), Binding::And)
            }
            ExprKind::Match { scrutinee, arms } => {
                let scrutinee = self.head(scrutinee);
                let arms = arms.iter().map(|arm| {
                    let (pattern, value) = (self.pattern(&arm.pattern), self.expr(&arm.value));
                    let guard = arm.guard.as_ref().map(|e| self.expr(e)).map(|e| quote!(if #e));
                    quote!(#pattern #guard => #value,)
                });
                (quote_spanned!(at=> match #scrutinee { #(#arms)* }), Binding::Loosest)
            }
            ExprKind::Block { lets, tail } => {
                let lets = lets.iter().map(|(pattern, ty, value)| {
                    // Through a constant no derivative flows, whatever it is made of.
                    let constant = activity::is_constant(self.vars, pattern);
                    let w = Writer { derivative: self.derivative && !constant, ..*self };
                    let (pattern, value) = (w.pattern(pattern), w.expr(value));
                    let ty = ty.as_ref().map(|ty| ty.written.tokens()).map(|ty| quote!(: #ty));
                    let marked = (constant && self.readable).then(|| quote!(#[constant]));
                    quote!(#marked let #pattern #ty = #value;)
                });
                let tail = self.expr(tail);
                (quote_spanned!(at=> { #(#lets)* #tail }), Binding::Loosest)
            }
            ExprKind::Closure { params, body } => {
                let params = params.iter().map(|(pattern, ty)| {
                    let pattern = self.pattern(pattern);
                    let ty = ty.as_ref().map(|ty| ty.written.tokens()).map(|ty| quote!(: #ty));
                    quote!(#pattern #ty)
                });
                let body = self.expr(body);
                (quote_spanned!(at=> |#(#params),*| #body), Binding::Loosest)
            }
            ExprKind::RefMut(inner) => {
                let inner = self.at_least(inner, Binding::Prefix);
                (quote_spanned!(at=> &mut #inner), Binding::Prefix)
            }
            ExprKind::Rule(rule, args) if self.readable => self.readable_rule(rule, args, at),
            ExprKind::Rule(rule, args) => postfix(self.rule(rule, args, at)),
            ExprKind::Companion { callee, run, args } => postfix(self.companion(callee, *run, args, at)),
        }
    }

    /// Whether a place belongs to a variable that can be changed.
    fn may_change(&self, e: &Expr) -> bool {
        e.as_place().is_some_and(|place| {
            let kind = &self.vars[place.root.0].kind;
            kind.is_mutable_reference() || *kind == VarKind::Ancilla
        })
    }

    /// A value of which a length or a shape is read; its type has to say that it does not depend on elements.
    fn looked_at(&self, e: &Expr, at: proc_macro2::Span) -> TokenStream {
        let value = self.at_least(e, Binding::Prefix);
        quote_spanned!(at=> __private::shaped(&#value))
    }

    pub(super) fn binary(&self, op: BinaryOp, a: &Expr, b: &Expr, at: proc_macro2::Span) -> (TokenStream, Binding) {
        use BinaryOp::*;
        let binding = match op {
            Mul | Div | Rem => Binding::Product,
            Add | Sub => Binding::Sum,
            Shl | Shr => Binding::Shift,
            BitAnd => Binding::BitAnd,
            BitXor => Binding::BitXor,
            BitOr => Binding::BitOr,
            Eq | Ne | Lt | Le | Gt | Ge => Binding::Compare,
            And => Binding::And,
            Or => Binding::Or,
        };
        let tighter = |binding| match binding {
            Binding::Product => Binding::Cast,
            Binding::Sum => Binding::Product,
            Binding::Shift => Binding::Sum,
            Binding::BitAnd => Binding::Shift,
            Binding::BitXor => Binding::BitAnd,
            Binding::BitOr => Binding::BitXor,
            Binding::Compare => Binding::BitOr,
            Binding::And => Binding::Compare,
            _ => Binding::And,
        };
        // `a as T < b` would be read as the start of generic arguments; comparisons do not chain.
        let left = match op {
            Lt | Shl if self.ends_in_a_cast(a) => Binding::Prefix,
            Eq | Ne | Lt | Le | Gt | Ge => tighter(binding),
            _ => binding,
        };
        let (a, b) = (self.at_least(a, left), self.at_least(b, tighter(binding)));
        let op = match op {
            Add => quote_spanned!(at=> +),
            Sub => quote_spanned!(at=> -),
            Mul => quote_spanned!(at=> *),
            Div => quote_spanned!(at=> /),
            Rem => quote_spanned!(at=> %),
            And => quote_spanned!(at=> &&),
            Or => quote_spanned!(at=> ||),
            BitAnd => quote_spanned!(at=> &),
            BitOr => quote_spanned!(at=> |),
            BitXor => quote_spanned!(at=> ^),
            Shl => quote_spanned!(at=> <<),
            Shr => quote_spanned!(at=> >>),
            Eq => quote_spanned!(at=> ==),
            Ne => quote_spanned!(at=> !=),
            Lt => quote_spanned!(at=> <),
            Le => quote_spanned!(at=> <=),
            Gt => quote_spanned!(at=> >),
            Ge => quote_spanned!(at=> >=),
        };
        (quote!(#a #op #b), binding)
    }

    /// Whether the last thing that is written is the type of a cast: `a + n as usize`.
    fn ends_in_a_cast(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Cast(..) => true,
            ExprKind::Binary(_, _, last) => self.ends_in_a_cast(last),
            _ => false,
        }
    }

    /// With one `T: Real`, an unsuffixed float literal is a `T`.
    fn literal(&self, literal: &Literal) -> TokenStream {
        let written = literal.written.tokens();
        match self.real.filter(|_| self.is_real(literal)) {
            Some(real) => {
                let at = crate::span::Span::of(written).first;
                quote_spanned!(at=> <#real as __private::Real>::lit(#written))
            }
            // In a derivative run the types around it are many, and rustc would ask all of them again for each literal.
            None => match literal.ty.as_ref().filter(|_| self.typed) {
                Some(ty) => suffixed(written, ty),
                None => written.clone(),
            },
        }
    }

    /// Whether a literal is a number of the type that the program is generic over.
    pub(super) fn is_real(&self, literal: &Literal) -> bool {
        self.real.is_some() && literal.is_open_float()
    }

    /// A pattern.
    pub fn pattern(&self, pattern: &Pattern) -> TokenStream {
        let at = pattern.span.first;
        let list = |all: &[Pattern]| all.iter().map(|p| self.pattern(p)).collect::<Vec<_>>();
        match &pattern.kind {
            PatternKind::Wild => quote_spanned!(at=> _),
            PatternKind::Rest => quote_spanned!(at=> ..),
            PatternKind::Constant(syntax) => syntax.tokens().clone(),
            PatternKind::Bind { var, by_ref, sub } => {
                let changed = matches!(self.vars[var.0].kind, VarKind::Shadow { reference: false }) && !self.readable;
                let changed = changed.then(|| quote!(mut));
                let var = self.var(*var, at);
                let by_ref = by_ref.then(|| quote_spanned!(at=> ref));
                let sub = sub.as_ref().map(|sub| self.inner_pattern(sub)).map(|sub| quote!(@ #sub));
                quote!(#by_ref #changed #var #sub)
            }
            PatternKind::Tuple(all) => {
                let comma = (all.len() == 1).then(|| quote!(,));
                let all = list(all);
                quote_spanned!(at=> (#(#all),* #comma))
            }
            PatternKind::Slice(all) => {
                let all = list(all);
                quote_spanned!(at=> [#(#all),*])
            }
            PatternKind::TupleStruct(path, all) => {
                let all = list(all);
                quote_spanned!(at=> #path(#(#all),*))
            }
            PatternKind::Struct { path, fields, rest } => {
                let fields = fields.iter().map(|field| {
                    let (member, pattern) = (&field.member, self.pattern(&field.pattern));
                    let shorthand = matches!(member, Member::Named(name) if *name == pattern.to_string());
                    if shorthand { pattern } else { quote!(#member: #pattern) }
                });
                let rest = rest.then(|| quote!(..));
                quote_spanned!(at=> #path { #(#fields,)* #rest })
            }
            PatternKind::Ref(inner) => {
                let inner = self.inner_pattern(inner);
                quote_spanned!(at=> &#inner)
            }
            PatternKind::Or(all) => {
                let all = list(all);
                quote_spanned!(at=> #(#all)|*)
            }
        }
    }

    /// A pattern behind `@` or `&`.
    fn inner_pattern(&self, p: &Pattern) -> TokenStream {
        let written = self.pattern(p);
        if matches!(p.kind, PatternKind::Or(_)) { quote!((#written)) } else { written }
    }
}

/// Whether there are braces in an expression that would be taken for a block behind a head.
fn has_struct(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.kind, ExprKind::Struct { .. } | ExprKind::Closure { .. }));
    found
}

/// A float literal with its type behind it.
fn suffixed(written: &TokenStream, ty: &Ident) -> TokenStream {
    let text = written.to_string();
    let zero = if text.ends_with('.') { "0" } else { "" };
    let Ok(mut literal) = format!("{text}{zero}_{ty}").parse::<proc_macro2::Literal>() else { return written.clone() };
    literal.set_span(crate::span::Span::of(written).first);
    quote!(#literal)
}
