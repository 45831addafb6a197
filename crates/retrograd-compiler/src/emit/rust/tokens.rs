//! Expressions, patterns and places as Rust tokens, on the user's spans, with parentheses where Rust needs them.

use proc_macro2::{Delimiter, Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::callees::{Callees, Purpose};
use super::operators::Binding;
use super::out::{Out, Tokens};
use super::paths::turbofish as turbofish_of;
use crate::analysis::activity;
use crate::derivative::rules;
use crate::ir::{
    BinaryOp, DUPLICATE, Expr, ExprKind, Known, LEN_OF_SLICE, LEN_OF_VECTOR, Literal, MacroArgs, Member, Place, Type,
    UnaryOp, Var, VarId, VarKind,
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
    /// In dead code of a program with derivatives, which go by the names of methods, operators and functions.
    pub asks: bool,
    /// Whether what a called function keeps is enclosed, as in a procedure.
    pub encloses: bool,
    /// The functions that are called, where their companions are.
    pub(crate) callees: Option<&'p Callees>,
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
            asks: false,
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

    /// Writes an expression.
    pub(crate) fn write_expr<O: Out>(&self, e: &Expr, out: &mut O) {
        self.write(e, Binding::Loosest, out);
    }

    /// An expression in the head of an `if`, `while`, `for` or `match`.
    pub fn head(&self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Binary(BinaryOp::And, a, b) if e.lets().next().is_some() => {
                let (a, b) = (self.head(a), self.head(b));
                return quote_spanned!(e.span.first=> #a && #b);
            }
            _ => {}
        }
        let tokens = self.expr(e);
        if has_struct(e) && !matches!(e.kind, ExprKind::Let(..)) { quote!((#tokens)) } else { tokens }
    }

    /// An expression behind `==`.
    pub fn compared(&self, e: &Expr) -> TokenStream {
        self.at_least(e, Binding::BitOr)
    }

    /// An element of a row as the user wrote it, for those who read it.
    fn in_row(&self, row: &Expr) -> Option<&Expr> {
        let row = row.as_place().filter(|place| self.as_written && place.is_all())?;
        self.vars[row.root.0].in_row.as_deref()
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
        let mut tokens = Tokens::default();
        self.write(e, needed, &mut tokens);
        tokens.finish()
    }

    pub(super) fn list<'e>(&self, all: impl IntoIterator<Item = &'e Expr>) -> Vec<TokenStream> {
        all.into_iter().map(|e| self.expr(e)).collect()
    }

    /// Writes expressions with commas between them, in parentheses or brackets.
    pub(super) fn write_list<O: Out>(&self, all: &[Expr], delimiter: Delimiter, at: proc_macro2::Span, out: &mut O) {
        out.open(delimiter, at);
        for (i, e) in all.iter().enumerate() {
            if i > 0 {
                out.op(",", at);
            }
            self.write(e, Binding::Loosest, out);
        }
        out.close();
    }

    /// The number type of the program, if that is what a cast goes to.
    pub(super) fn casts_to_real(&self, ty: &Type) -> Option<&Ident> {
        self.real.filter(|real| ty.as_name() == Some(real))
    }

    /// Writes an expression, in parentheses if its outermost operator does not bind that tightly.
    pub(super) fn write<O: Out>(&self, e: &Expr, needed: Binding, out: &mut O) {
        if self.asks
            && let Some(asked) = self.asked(e)
        {
            return out.stream(asked);
        }
        if self.binding(e) >= needed {
            return self.write_bare(e, out);
        }
        out.open(Delimiter::Parenthesis, e.span.first);
        self.write_bare(e, out);
        out.close();
    }

    pub(super) fn write_bare<O: Out>(&self, e: &Expr, out: &mut O) {
        if let ExprKind::Index(row, _) = &e.kind
            && let Some(element) = self.in_row(row)
        {
            return self.write_bare(element, out);
        }
        let at = e.span.first;
        match &e.kind {
            ExprKind::Lit(lit) => self.literal(lit, out),
            ExprKind::Var(var) => out.ident(&self.var(*var, at)),
            ExprKind::Path(path) => out.stream(match &path.companion {
                Some(companion) if !self.readable => {
                    let holder = self.holder(path, Purpose::Bijection);
                    quote_spanned!(at=> <#holder>::#companion)
                }
                _ => path.to_token_stream(),
            }),
            ExprKind::Unary(UnaryOp::Neg, inner) => self.prefix("-", inner, at, out),
            ExprKind::Unary(UnaryOp::Not, inner) => self.prefix("!", inner, at, out),
            ExprKind::Unary(UnaryOp::Deref, inner) => self.prefix("*", inner, at, out),
            ExprKind::Ref(inner) => self.prefix("&", inner, at, out),
            ExprKind::RefMut(inner) => {
                out.op("&", at);
                out.word("mut", at);
                self.write(inner, Binding::Prefix, out);
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, at, out),
            ExprKind::Cast(inner, ty) => match self.casts_to_real(ty) {
                Some(real) => {
                    let inner = self.expr(inner);
                    out.stream(quote_spanned!(at=> <#real as __private::Real>::from_int(#inner)));
                }
                None => {
                    self.write(inner, Binding::Cast, out);
                    out.word("as", at);
                    out.syntax(&ty.written);
                }
            },
            ExprKind::Field(base, member) => {
                self.write(base, Binding::Postfix, out);
                out.op(".", at);
                match member {
                    Member::Named(name) => out.ident(name),
                    Member::Index(_) => out.stream(member.to_token_stream()),
                }
            }
            ExprKind::Index(base, index) => {
                self.write(base, Binding::Postfix, out);
                out.open(Delimiter::Bracket, at);
                self.write(index, Binding::Loosest, out);
                out.close();
            }
            ExprKind::Array(all) => self.write_list(all, Delimiter::Bracket, at, out),
            ExprKind::Call { callee, args } => {
                // `T::lit(2.0)` takes the literal as it is.
                let literal = matches!(&callee.kind, ExprKind::Path(path) if path.last() == "lit");
                let plain = Writer { real: if literal { None } else { self.real }, ..*self };
                self.write(callee, Binding::Postfix, out);
                plain.write_list(args, Delimiter::Parenthesis, at, out);
            }
            ExprKind::Method { receiver, method, .. } if !self.readable && method.name == LEN_OF_SLICE => {
                let receiver = self.at_least(receiver, Binding::Prefix);
                out.stream(quote_spanned!(at=> __private::len_of_slice(&#receiver)));
            }
            ExprKind::Method { receiver, method, .. } if !self.readable && method.name == LEN_OF_VECTOR => {
                let refers =
                    matches!(receiver.kind, ExprKind::Var(var) if self.vars[var.0].kind.is_mutable_reference());
                let (at, behind) = (receiver.span.first, refers.then(|| quote!(*)));
                let receiver = self.at_least(receiver, Binding::Prefix);
                out.stream(quote_spanned!(at=> __private::len_of_vector(&#behind #receiver)));
            }
            ExprKind::Method { receiver, method, .. } if self.has_to_copy(receiver, method) => {
                let (value, receiver) = (self.expr(receiver), self.at_least(receiver, Binding::Postfix));
                let name = &method.name;
                out.stream(match method.name == DUPLICATE {
                    true => quote_spanned!(at=> __private::duplicated!(#value)),
                    false => quote_spanned!(at=> __private::copied!(#value, #receiver.#name())),
                });
            }
            ExprKind::Method { receiver, method, turbofish, args } => {
                let length = self.dead && method.known == Some(Known::Shape) && self.may_change(receiver);
                let stops = method.known.is_some_and(|known| known.stops(receiver));
                let asked = stops && matches!(receiver.kind, ExprKind::Range { .. });
                // Where a name says that no derivative flows, the type has to agree.
                let wrapper = match method.known {
                    _ if !self.derivative || !activity::active(self.vars, receiver) => None,
                    Some(_) if stops => Some("stops"),
                    Some(Known::Elementary(function)) if rules::is_step(function) => Some("numeric"),
                    _ => None,
                };
                if wrapper.is_some() {
                    out.word("__private", at);
                    out.op("::", at);
                    out.word(wrapper.unwrap_or_default(), at);
                    out.open(Delimiter::Parenthesis, at);
                }
                match length {
                    true => out.stream(self.looked_at(receiver, at)),
                    // What is only asked of a range carries no derivative.
                    false => {
                        Writer { derivative: self.derivative && !asked, ..*self }.write(receiver, Binding::Postfix, out)
                    }
                }
                if wrapper == Some("numeric") {
                    out.close();
                }
                out.op(".", at);
                out.ident(&method.readable());
                if let Some(turbofish) = turbofish {
                    out.stream(turbofish_of(turbofish));
                }
                self.write_list(if length { &[] } else { args }, Delimiter::Parenthesis, at, out);
                if wrapper == Some("stops") {
                    out.close();
                }
            }
            ExprKind::Rule(rule, args) if self.readable => self.readable_rule(rule, args, at, out),
            ExprKind::Rule(rule, args) => self.rule(rule, args, at, out),
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
                out.stream(quote!(#start #dots #end));
            }
            ExprKind::Tuple(all) => {
                let list = self.list(all);
                let comma = (all.len() == 1).then(|| quote!(,));
                out.stream(quote_spanned!(at=> (#(#list),* #comma)));
            }
            ExprKind::Repeat(value, count) => {
                let (value, count) = (self.expr(value), self.expr(count));
                out.stream(quote_spanned!(at=> [#value; #count]));
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
                out.stream(quote_spanned!(at=> #path { #(#fields,)* #rest }));
            }
            ExprKind::Macro { path, args } => out.stream(match args {
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
                out.stream(quote_spanned!(at=> if #condition { #then } else { #otherwise }));
            }
            ExprKind::Let(pattern, value) => {
                // `let p = a && b` would be read as two conditions.
                let (pattern, tokens) = (self.pattern(pattern), self.at_least(value, Binding::Compare));
                let value = if has_struct(value) { quote!((#tokens)) } else { tokens };
                out.stream(quote_spanned!(at=> let #pattern = #value));
            }
            ExprKind::Match { scrutinee, arms } => {
                let scrutinee = self.head(scrutinee);
                let arms = arms.iter().map(|arm| {
                    let (pattern, value) = (self.pattern(&arm.pattern), self.expr(&arm.value));
                    let guard = arm.guard.as_ref().map(|e| self.expr(e)).map(|e| quote!(if #e));
                    quote!(#pattern #guard => #value,)
                });
                out.stream(quote_spanned!(at=> match #scrutinee { #(#arms)* }));
            }
            ExprKind::Block { lets, tail } => {
                let lets = lets.iter().map(|(pattern, ty, value)| {
                    // Through a constant no derivative flows, whatever it is made of.
                    let constant = activity::is_constant(self.vars, pattern);
                    let w = Writer { derivative: self.derivative && !constant, ..*self };
                    let pattern = w.pattern(pattern);
                    let value = if constant { w.held(value) } else { w.expr(value) };
                    let ty = ty.as_ref().map(|ty| ty.written.tokens()).map(|ty| quote!(: #ty));
                    let marked = (constant && self.readable).then(|| quote!(#[constant]));
                    quote!(#marked let #pattern #ty = #value;)
                });
                let tail = self.expr(tail);
                out.stream(quote_spanned!(at=> { #(#lets)* #tail }));
            }
            ExprKind::Closure { params, body } => {
                let params = params.iter().map(|(pattern, ty)| {
                    let pattern = self.pattern(pattern);
                    let ty = ty.as_ref().map(|ty| ty.written.tokens()).map(|ty| quote!(: #ty));
                    quote!(#pattern #ty)
                });
                let body = self.expr(body);
                out.stream(quote_spanned!(at=> |#(#params),*| #body));
            }
            ExprKind::Companion { callee, run, args } => out.stream(self.companion(callee, *run, args, at)),
        }
    }

    /// The value that a `#[constant] let` names. In a program over any number, those that carry derivatives lose them here.
    pub(super) fn held(&self, value: &Expr) -> TokenStream {
        let tokens = self.expr(value);
        match self.real.is_some() && !self.readable && activity::active(self.vars, value) {
            true => quote_spanned!(value.span.first=> __private::held!(#tokens)),
            false => tokens,
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

    /// With one `T: Real`, an unsuffixed float literal is a `T`.
    fn literal<O: Out>(&self, literal: &Literal, out: &mut O) {
        match self.real.filter(|_| self.is_real(literal)) {
            Some(real) => {
                let written = literal.written.tokens();
                let at = crate::span::Span::of(written).first;
                out.stream(quote_spanned!(at=> <#real as __private::Real>::lit(#written)));
            }
            // In a derivative run the types around it are many, and rustc would ask all of them again for each literal.
            None => match literal.ty.as_ref().filter(|_| self.typed) {
                Some(ty) => out.stream(suffixed(literal.written.tokens(), ty)),
                None => out.syntax(&literal.written),
            },
        }
    }

    /// Whether a literal is a number of the type that the program is generic over.
    pub(super) fn is_real(&self, literal: &Literal) -> bool {
        self.real.is_some() && literal.is_open_float()
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
