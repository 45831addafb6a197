//! Programs as text in the surface language: for `source()`, for messages and for dumps.

mod format;
mod layout;
mod line;

use std::collections::BTreeSet;
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

pub use self::format::tidy;
use self::format::{KEEP, as_call, macro_call, with_macros};
use self::line::Line;
use crate::analysis::Context;
use crate::analysis::effects::Effects;
use crate::analysis::need::{After, Need};
use crate::emit::rust::out::{Out, Tokens};
use crate::emit::rust::paths::{callee_path, companion_name, companion_path, turbofish as turbofish_of};
use crate::emit::rust::tokens::Writer;
use crate::hygiene::prefixed;
use crate::ir::{
    Adapter, ArgKind, Binding, BindingKind, Block, Budget, Call, Callee, Check, ExitKind, Expected, Expr, ExprKind,
    FlipOp, Form, HostKind, If, Iter, MapFn, Pattern, Permutation, Place, Program, Rule, Run, Slot, Source, Stmt,
    Syntax, Update, UpdateOp, Var, VarId, VarKind,
};

/// A program under the given signature, formatted.
pub fn program(program: &Program, signature: &syn::Signature) -> String {
    let context = Context::new(program);
    let printer = Printer { writer: Writer::for_readers(&program.vars), context: &context };
    if let Some(text) = printer.program(program, signature) {
        return text;
    }
    let items = program.items.iter().map(Syntax::tokens);
    let body = printer.block(&program.body);
    let result = program.result.as_ref().map(|e| printer.writer.expr(e));
    tidy(quote!(#signature { #(#items)* #body #result }))
}

/// The signature of the inverse of `f` in printed programs.
pub fn inverse_signature(signature: &syn::Signature) -> syn::Signature {
    syn::Signature { ident: format_ident!("uncall_{}", signature.ident), ..signature.clone() }
}

/// What is done with a slot, in words.
fn in_form(word: &str, slot: Slot) -> Ident {
    match slot.form {
        Form::Whole | Form::InPlace => format_ident!("{word}"),
        Form::Shape => format_ident!("{word}_shape"),
    }
}

/// The label of a loop that an exit inside of it names.
pub(crate) fn label(number: usize, body: &Block) -> Option<TokenStream> {
    let label = lifetime(number);
    body.exits(number).then(|| quote!(#label:))
}

fn lifetime(number: usize) -> syn::Lifetime {
    syn::Lifetime::new(&format!("'loop_{number}"), crate::span::mixed_site())
}

/// A way out.
pub(crate) fn exit(kind: &ExitKind, expr: impl Fn(&Expr) -> TokenStream) -> TokenStream {
    match kind {
        ExitKind::Break(number) => {
            let label = lifetime(*number);
            quote!(break #label;)
        }
        ExitKind::Continue(number) => {
            let label = lifetime(*number);
            quote!(continue #label;)
        }
        ExitKind::Return(value) => {
            let value = value.as_ref().map(expr);
            quote!(return #value;)
        }
    }
}

/// An expression as the user would write it.
pub fn expr(vars: &[Var], e: &Expr) -> String {
    let writer = Writer { as_written: true, ..Writer::for_readers(vars) };
    let mut line = Line::default();
    writer.write_expr(e, &mut line);
    line.finish().unwrap_or_else(|| tidy(writer.expr(e)))
}

/// A place as the user would write it.
pub fn place(vars: &[Var], place: &Place) -> String {
    expr(vars, &place.to_expr())
}

/// A pattern as the user would write it.
pub fn pattern(vars: &[Var], pattern: &Pattern) -> String {
    let writer = Writer { as_written: true, ..Writer::for_readers(vars) };
    let pattern = writer.pattern(pattern);
    let text = tidy(quote!(let #pattern = value;));
    text.trim().trim_start_matches("let ").trim_end_matches(" = value;").to_string()
}

/// A statement on one line, by the names that the user gave; of a compound statement its head.
pub fn head(context: &Context<'_>, stmt: &Stmt) -> String {
    let writer = Writer { as_written: true, ..Writer::for_readers(context.vars) };
    let printer = Printer { writer, context };
    let w = printer.writer;
    let cut = |text: String| text.trim_end_matches("{}").trim_end().to_string();
    if let Stmt::If(s) = stmt {
        let condition = printer.condition(s);
        return cut(tidy(quote!(if #condition {})));
    }
    if let Stmt::While(s) = stmt {
        let (pre, post) = (w.expr(&s.pre), w.expr(&s.post));
        return cut(tidy(quote!(while (#pre, #post) {})));
    }
    let mut line = Line::default();
    let simple = printer.simple(stmt, &mut line).then(|| line.finish()).flatten();
    simple.unwrap_or_else(|| tidy(printer.stmt(stmt, &BTreeSet::new())))
}

struct Printer<'c, 'p> {
    writer: Writer<'p>,
    context: &'c Context<'p>,
}

impl Printer<'_, '_> {
    /// A program, statement by statement: the formatter is asked only for those that it has to break.
    fn program(&self, program: &Program, signature: &syn::Signature) -> Option<String> {
        if !program.items.is_empty() {
            return None;
        }
        let mut text = layout::head(&quote!(#signature))?;
        self.lines(&program.body, 1, &mut text)?;
        if let Some(e) = &program.result {
            let mut line = Line::default();
            self.writer.write_expr(e, &mut line);
            layout::add(line, 1, &mut text).or_else(|| layout::block(self.writer.expr(e), 1, &mut text))?;
        }
        layout::close(0, "\n", &mut text);
        Some(with_macros(text))
    }

    /// The statements of a block on lines.
    fn lines(&self, block: &Block, depth: usize, text: &mut String) -> Option<()> {
        let needs = self.context.needs(block, After::These(&[]));
        let by_hand = self.ended_by_hand(block, &needs);
        // How a `#[compute]` block is written depends on what follows it.
        if block.stmts.iter().any(|stmt| matches!(stmt, Stmt::Conjugate(_))) {
            return layout::block(self.block(block), depth, text);
        }
        for (stmt, _) in block.stmts.iter().zip(&needs).filter(|(_, need)| **need != Need::Cancelled) {
            let mut line = Line::default();
            if self.simple(stmt, &mut line) && layout::add(line, depth, text).is_some() {
                continue;
            }
            let mut line = Line::default();
            match self.blocks(stmt, &mut line) {
                Some((first, second)) if layout::open(line, depth, text).is_some() => {
                    self.lines(first, depth + 1, text)?;
                    if let Some(second) = second {
                        layout::close(depth, " else {", text);
                        self.lines(second, depth + 1, text)?;
                    }
                    layout::close(depth, "\n", text);
                }
                _ => layout::block(self.stmt(stmt, &by_hand), depth, text)?,
            }
        }
        Some(())
    }

    /// Writes the head of a statement that is nothing but a block, and perhaps another one behind `else`.
    fn blocks<'s>(&self, stmt: &'s Stmt, out: &mut Line) -> Option<(&'s Block, Option<&'s Block>)> {
        let w = self.writer;
        if let Stmt::Block(block) = stmt {
            return Some((block, None));
        }
        if let Stmt::If(s) = stmt {
            let chained = s.otherwise.as_ref().is_some_and(|block| matches!(block.stmts.as_slice(), [Stmt::If(_)]));
            out.word("if", s.span.first);
            out.stream(self.condition(s));
            return (!chained).then_some((&s.then, s.otherwise.as_ref()));
        }
        let Stmt::For(s) = stmt else { return None };
        let marked = s.unroll.is_some() || s.early.is_some() || s.part.is_some();
        if marked || s.number.and_then(|number| label(number, &s.body)).is_some() {
            return None;
        }
        out.word("for", s.span.first);
        out.stream(w.pattern(&s.pattern));
        out.word("in", s.span.first);
        out.stream(iter(w, &s.iter));
        Some((&s.body, None))
    }

    fn block(&self, block: &Block) -> TokenStream {
        let needs = self.context.needs(block, After::These(&[]));
        let by_hand = self.ended_by_hand(block, &needs);
        let mut printed: Vec<TokenStream> = Vec::new();
        for (stmt, need) in block.stmts.iter().zip(&needs).rev() {
            let mut tokens = match need {
                Need::Cancelled => continue,
                Need::Runs | Need::Dropped => self.stmt(stmt, &by_hand),
            };
            // What follows a `#[compute]` block is what it is computed for; if that is not all, braces say where it ends.
            if matches!(stmt, Stmt::Conjugate(_)) && printed.iter().any(|later| !later.is_empty()) {
                tokens = quote!({ #tokens });
            }
            printed.push(tokens);
        }
        printed.into_iter().rev().collect()
    }

    /// An ancilla that is undone in between, or that a slice computes and the whole statement undoes, does not end by
    /// itself, nor does one that is computed from it or changed together with it: all of their undoing is written out.
    fn ended_by_hand(&self, block: &Block, needs: &[Need]) -> BTreeSet<VarId> {
        let mut by_hand = BTreeSet::new();
        for (stmt, need) in block.stmts.iter().zip(needs) {
            let sliced = matches!(stmt, Stmt::Compute(c) if c.slice);
            if sliced || matches!(stmt, Stmt::Uncompute(_)) && *need == Need::Runs {
                by_hand.extend(self.context.effects(stmt).changed());
            }
        }
        if by_hand.is_empty() {
            return by_hand;
        }
        // Through lets as well: they name what is computed from it.
        let computing = block.stmts.iter().filter(|stmt| stmt.begun().is_some() || matches!(stmt, Stmt::Compute(_)));
        let computing: Vec<(Vec<VarId>, Effects)> = computing
            .map(|stmt| {
                let effects = self.context.effects(stmt);
                (stmt.begun().map_or_else(|| effects.changed(), |b| b.pattern.bindings()), effects)
            })
            .collect();
        let mut derived: BTreeSet<VarId> = by_hand.clone();
        loop {
            let before = derived.len();
            for (computed, effects) in &computing {
                if effects.mentioned().any(|var| derived.contains(&var)) {
                    derived.extend(computed);
                }
            }
            if derived.len() == before {
                break;
            }
        }
        by_hand.extend(derived.into_iter().filter(|var| self.context.vars[var.0].kind == VarKind::Ancilla));
        by_hand
    }

    /// Writes a statement that fills one line, as most do; `false` if it is another one.
    fn simple<O: Out>(&self, stmt: &Stmt, out: &mut O) -> bool {
        let w = self.writer;
        if let Stmt::Update(s) = stmt {
            // A plain adjoint has no part in a determinant.
            if s.kept.is_some() || matches!(s.operand.kind, ExprKind::Rule(Rule::Bend, _)) {
                return false;
            }
            let at = s.span.first;
            w.write_expr(&s.target.to_expr(), out);
            out.op(update_op(s.op), at);
            w.write_expr(&s.operand, out);
            out.op(";", at);
            return true;
        }
        let Stmt::Begin(s) = stmt else { return false };
        let at = s.span.first;
        let later = matches!(s.value.kind, ExprKind::Rule(Rule::Later, _));
        let is_marked = |var: VarId| self.context.vars[var.0].again || self.context.vars[var.0].unchecked;
        let marked = s.pattern.as_var().is_none_or(is_marked);
        if later || marked || s.constant || s.kind == BindingKind::View {
            return false;
        }
        out.word("let", at);
        if s.kind != BindingKind::Let {
            out.word("mut", at);
        }
        out.stream(w.pattern(&s.pattern));
        if let Some(ty) = &s.ty {
            out.op(":", at);
            out.syntax(&ty.written);
        }
        out.op("=", at);
        w.write_expr(&s.value, out);
        out.op(";", at);
        true
    }

    fn stmt(&self, stmt: &Stmt, by_hand: &BTreeSet<VarId>) -> TokenStream {
        let w = self.writer;
        let mut tokens = Tokens::default();
        if self.simple(stmt, &mut tokens) {
            return tokens.finish();
        }
        match stmt {
            Stmt::Update(s) => {
                let keep = s.kept.map(|slot| self.kept(&s.target, slot));
                let mut tokens = Tokens::default();
                let update = self.simple(&Stmt::Update(Update { kept: None, ..s.clone() }), &mut tokens);
                let update = update.then(|| tokens.finish());
                quote!(#keep #update)
            }
            Stmt::Flip(s) => {
                let target = w.place(&s.target);
                match s.op {
                    FlipOp::Neg => quote!(#target = -#target;),
                    FlipOp::Not => quote!(#target = !#target;),
                }
            }
            Stmt::Map(s) => {
                let (target, receiver) = (w.place(&s.target), w.receiver(&s.target));
                match &s.function {
                    MapFn::Method(function) => {
                        let name = format_ident!("{}", function.name());
                        quote!(#target = #receiver.#name();)
                    }
                    MapFn::Function { path, inverse: false } => quote!(#target = #path(#target);),
                    MapFn::Function { path, inverse: true } => quote!(#target = #path::inverse(#target);),
                }
            }
            Stmt::Swap(s) => {
                let (a, b) = (self.changed(&s.a), self.changed(&s.b));
                quote!(swap(#a, #b);)
            }
            Stmt::Permute(s) => {
                let target = w.receiver(&s.target);
                match &s.permutation {
                    Permutation::Swap(i, j) => {
                        let (i, j) = (w.expr(i), w.expr(j));
                        quote!(#target.swap(#i, #j);)
                    }
                    Permutation::Reverse => quote!(#target.reverse();),
                    Permutation::RotateLeft(k) => {
                        let k = w.expr(k);
                        quote!(#target.rotate_left(#k);)
                    }
                    Permutation::RotateRight(k) => {
                        let k = w.expr(k);
                        quote!(#target.rotate_right(#k);)
                    }
                }
            }
            Stmt::Call(s) => self.call(s),
            Stmt::Begin(s) => self.begin(s),
            Stmt::End(s) => {
                let explicit = match s.kind {
                    BindingKind::Let | BindingKind::View => false,
                    BindingKind::Ancilla => s.pattern.bindings().iter().any(|var| by_hand.contains(var)),
                    BindingKind::Manual => true,
                };
                let (name, value) = (w.pattern(&s.pattern), w.compared(&s.value));
                let release = macro_call("release");
                if explicit { quote!(#release(#name == #value);) } else { TokenStream::new() }
            }
            Stmt::If(s) => self.if_stmt(s),
            Stmt::Match(s) => {
                let scrutinee = w.head(&s.scrutinee);
                let arms = s.arms.iter().map(|arm| {
                    let (pattern, body) = (w.pattern(&arm.pattern), self.block(&arm.body));
                    let guard = arm.guard.as_ref().map(|e| w.expr(e)).map(|e| quote!(if #e));
                    let keep = format_ident!("{KEEP}");
                    quote!(#pattern #guard => { #keep(); #body })
                });
                quote!(match #scrutinee { #(#arms)* })
            }
            Stmt::While(s) => {
                let (pre, post, body) = (w.expr(&s.pre), w.expr(&s.post), self.block(&s.body));
                quote!(while (#pre, #post) { #body })
            }
            Stmt::For(s) => {
                let (pattern, iter, body) = (w.pattern(&s.pattern), iter(w, &s.iter), self.block(&s.body));
                let unroll = s.unroll.map(proc_macro2::Literal::usize_unsuffixed).map(|n| quote!(#[unroll(#n)]));
                let until = s.early.as_ref().map(|early| w.expr(&early.until)).map(|e| quote!(if #e { break; }));
                let label = s.number.and_then(|number| label(number, &s.body));
                let iter = match s.part.map(|plan| w.var(plan, s.span.first)) {
                    Some(plan) => quote!(part(#plan, #iter)),
                    None => iter,
                };
                quote!(#unroll #label for #pattern in #iter { #body #until })
            }
            Stmt::Assign(s) => {
                let (target, value) = (w.place(&s.target), w.expr(&s.value));
                let keep = s.kept.map(|slot| self.kept(&s.target, slot));
                quote!(#keep #target = #value;)
            }
            Stmt::Keep(s) => self.kept(&s.place, s.slot),
            Stmt::Restore(s) => {
                let (place, name) = (w.place(&s.place), in_form("restore", s.slot));
                match &s.local {
                    Some(_) => quote!(let mut #place = #name();),
                    None => quote!(#place = #name();),
                }
            }
            Stmt::Give(s) => {
                let (result, value) = (w.var(s.result, s.span.first), w.expr(&s.value));
                quote!(#result = Some(#value);)
            }
            Stmt::Loop(s) => {
                let (body, label) = (self.block(&s.body), label(s.number, &s.body));
                let until = s.until.as_ref().map(|e| w.expr(e)).map(|e| quote!(if #e { break; }));
                let count = s.count.map(|count| w.var(count, s.span.first)).map(|count| quote!(#count += 1;));
                let goes_on = s.part.map(|plan| w.var(plan, s.span.first)).map(|plan| quote!(goes_on(#plan)));
                match (s.condition.as_ref().map(|e| w.head(e)), goes_on) {
                    (Some(condition), Some(goes_on)) => quote!(while (#condition) && #goes_on { #body #count #until }),
                    (Some(head), None) | (None, Some(head)) => quote!(#label while #head { #body #count #until }),
                    (None, None) => quote!(#label loop { #body #count #until }),
                }
            }
            Stmt::Recompute(s) => {
                let (kept, body) =
                    (s.kept.iter().map(|entry| self.kept(&entry.place, entry.slot)), self.block(&s.body));
                match &s.schedule {
                    None => quote!(#(#kept)* #[recompute] { #body }),
                    Some(schedule) => {
                        let limit = w.expr(schedule.budget.limit());
                        let name = match schedule.budget {
                            Budget::Snapshots(_) => quote!(snapshots),
                            Budget::Bytes(_) => quote!(bytes),
                        };
                        quote!(#(#kept)* #[checkpoint(#name = #limit)] #body)
                    }
                }
            }
            Stmt::Exit(s) => exit(&s.kind, |e| w.expr(e)),
            Stmt::Block(s) => {
                let body = self.block(s);
                quote!({ #body })
            }
            Stmt::Conjugate(s) => {
                let (compute, rest) = (self.block(&s.compute), self.block(&s.rest));
                quote!(#[compute] { #compute } #rest)
            }
            Stmt::Unchecked(s) => {
                let inner = braced(self.stmt(s, by_hand));
                quote!(#[unchecked] #inner)
            }
            Stmt::Inverse(s) => {
                let inner = braced(self.stmt(s, by_hand));
                quote!(#[inverse] #inner)
            }
            Stmt::Host(s) => {
                let tokens = &as_call(s.tokens.tokens());
                let printing = ["print", "eprint", "dbg"].iter().any(|p| s.tokens.text().starts_with(p));
                match s.kind {
                    HostKind::Both if printing => tokens.clone(),
                    HostKind::Both => {
                        let tokens = braced(tokens.clone());
                        quote!(#[host] #tokens)
                    }
                    HostKind::Assert(true) => tokens.clone(),
                    HostKind::Assert(false) => quote!(#[inverse] #tokens),
                }
            }
            Stmt::Check(Check::Restored(s)) => {
                let (var, expected) = (w.var(s.var, s.binding.span.first), w.expr(s.expected.expr()));
                match s.expected {
                    Expected::Value(_) | Expected::Kept(_) => quote!(check!(#var == #expected);),
                    Expected::Each(_, depth) => {
                        let repeated = (0..depth).fold(quote!(#expected), |each, _| quote!([#each; _]));
                        quote!(check!(#var == #repeated);)
                    }
                }
            }
            // Only what back ends read has them.
            Stmt::Check(Check::Witness(_)) => TokenStream::new(),
            Stmt::Check(Check::Distinct(s)) => {
                let pairs = s.pairs.iter().map(|(a, b)| {
                    let (a, b) = (w.expr(a), w.expr(b));
                    quote!(#a != #b)
                });
                quote!(check!(#(#pairs)||*);)
            }
            Stmt::Compute(s) => self.block(&s.body),
            Stmt::Uncompute(s) => {
                let changed = self.context.block_effects(&s.body).changed();
                let explicit = changed.iter().any(|var| by_hand.contains(var));
                if explicit { self.block(&s.body) } else { TokenStream::new() }
            }
        }
    }

    fn kept(&self, place: &Place, slot: Slot) -> TokenStream {
        let (place, name) = (self.writer.place(place), in_form("keep", slot));
        quote!(#name(&#place);)
    }

    fn begin(&self, binding: &Binding) -> TokenStream {
        let w = self.writer;
        if let ExprKind::Rule(Rule::Later, _) = binding.value.kind {
            let (pattern, ty) = (w.pattern(&binding.pattern), binding.ty.as_ref().map(|ty| ty.written.tokens()));
            let ty = ty.map(|ty| quote!(: #ty));
            return quote!(let mut #pattern #ty;);
        }
        let (pattern, value) = (w.pattern(&binding.pattern), w.expr(&binding.value));
        let ty = binding.ty.as_ref().map(|ty| ty.written.tokens()).map(|ty| quote!(: #ty));
        let again = binding.pattern.bindings().iter().any(|var| self.context.vars[var.0].again);
        let again = again.then(|| quote!(#[recompute]));
        let unchecked = binding.pattern.as_var().is_some_and(|var| self.context.vars[var.0].unchecked);
        let unchecked = unchecked.then(|| quote!(#[unchecked]));
        let constant = binding.constant.then(|| quote!(#[constant]));
        match binding.kind {
            BindingKind::Let => quote!(#again #constant let #pattern #ty = #value;),
            BindingKind::View if binding.value.is_place() => quote!(let #pattern #ty = &mut #value;),
            BindingKind::View => quote!(let #pattern #ty = #value;),
            // Shadows of several names at once; each of them can be changed.
            BindingKind::Ancilla if binding.pattern.as_var().is_none() => quote!(let #pattern = #value;),
            BindingKind::Ancilla | BindingKind::Manual => {
                quote!(#again #unchecked #constant let mut #pattern #ty = #value;)
            }
        }
    }

    fn condition(&self, s: &If) -> TokenStream {
        let pre = &s.condition.pre;
        match &s.condition.post {
            Some(post) => {
                let (pre, post) = (self.writer.expr(pre), self.writer.expr(post));
                quote!((#pre, #post))
            }
            None => self.writer.head(pre),
        }
    }

    fn if_stmt(&self, s: &If) -> TokenStream {
        let (condition, then) = (self.condition(s), self.block(&s.then));
        let otherwise = s.otherwise.as_ref().map(|block| match block.stmts.as_slice() {
            [Stmt::If(chained)] => {
                let chained = self.if_stmt(chained);
                quote!(else #chained)
            }
            _ => {
                let body = self.block(block);
                quote!(else { #body })
            }
        });
        quote!(if #condition { #then } #otherwise)
    }

    fn call(&self, call: &Call) -> TokenStream {
        let w = self.writer;
        let args: Vec<TokenStream> = call
            .args
            .iter()
            .map(|arg| match &arg.kind {
                ArgKind::Change(place) => self.changed(place),
                ArgKind::Borrow(place) => {
                    let place = w.place(place);
                    quote!(&#place)
                }
                ArgKind::Value(e) => w.expr(e),
                ArgKind::Host(var) => {
                    let var = w.var(*var, arg.span.first);
                    quote!(#var)
                }
            })
            .collect();
        match &call.callee {
            Callee::Path(_) | Callee::Associated(_) if call.run != Run::Values => {
                let path = companion_path(&call.callee, call.run, call.inverse);
                quote!(#path(#(#args),*);)
            }
            Callee::Path(_) | Callee::Associated(_) => {
                let path = callee_path(&call.callee, call.inverse);
                quote!(#path(#(#args),*);)
            }
            Callee::Method { name, turbofish } => {
                let name = method_name(name, call);
                let turbofish = turbofish.as_deref().map(turbofish_of);
                let args = &args[1..];
                let receiver = match &call.args[0].kind {
                    ArgKind::Change(place) | ArgKind::Borrow(place) => w.receiver(place),
                    ArgKind::Value(e) => {
                        let e = w.expr(e);
                        quote!((#e))
                    }
                    ArgKind::Host(var) => {
                        let var = w.var(*var, call.args[0].span.first);
                        quote!(#var)
                    }
                };
                quote!(#receiver.#name #turbofish (#(#args),*);)
            }
        }
    }

    /// A place that is passed to be changed.
    fn changed(&self, place: &Place) -> TokenStream {
        let tokens = self.writer.place(place);
        let reference = place.path.is_empty() && self.context.vars[place.root.0].kind.is_mutable_reference();
        if reference { tokens } else { quote!(&mut #tokens) }
    }
}

/// The name of a method in its direction; the two of a container have names of their own.
fn method_name(name: &Ident, call: &Call) -> Ident {
    if call.run != Run::Values {
        return Ident::new(&prefixed(&companion_name(call.run, call.inverse, true), name), name.span());
    }
    if !call.inverse {
        return name.clone();
    }
    let text = match (name.to_string().as_str(), call.args.len()) {
        ("push", 2) => "pop".to_string(),
        ("pop", 2) => "push".to_string(),
        ("allocate", 2) => "free".to_string(),
        ("free", 2) => "allocate".to_string(),
        _ => prefixed("uncall", name),
    };
    Ident::new(&text, name.span())
}

/// A statement as a block: the formatter keeps the attributes of blocks.
fn braced(tokens: TokenStream) -> TokenStream {
    let mut trees = tokens.clone().into_iter();
    let block = matches!(
        (trees.next(), trees.next()),
        (Some(proc_macro2::TokenTree::Group(group)), None) if group.delimiter() == proc_macro2::Delimiter::Brace
    );
    if block { tokens } else { quote!({ #tokens }) }
}

fn update_op(op: UpdateOp) -> &'static str {
    match op {
        UpdateOp::Add => "+=",
        UpdateOp::Sub => "-=",
        UpdateOp::Mul => "*=",
        UpdateOp::Div => "/=",
        UpdateOp::Xor => "^=",
    }
}

/// What a loop goes through.
pub fn iter(w: Writer<'_>, iter: &Iter) -> TokenStream {
    let adapted = !iter.adapters.is_empty();
    let source = match &iter.source {
        Source::Range { start, end, inclusive } => {
            let range = Expr::new(
                crate::ir::ExprKind::Range {
                    start: Some(Rc::new(start.clone())),
                    end: Some(Rc::new(end.clone())),
                    inclusive: *inclusive,
                },
                iter.span,
            );
            let range = w.head(&range);
            if adapted { quote!((#range)) } else { range }
        }
        Source::Value(e) => w.head(e),
        Source::Elements(e) => {
            let e = w.receiver_expr(e);
            quote!(#e.iter())
        }
        Source::ElementsMut(place) => {
            let place = w.receiver(place);
            quote!(#place.iter_mut())
        }
        Source::Chunks(e, size) => {
            let (e, size) = (w.receiver_expr(e), w.expr(size));
            quote!(#e.chunks_exact(#size))
        }
        Source::ChunksMut(place, size) => {
            let (place, size) = (w.receiver(place), w.expr(size));
            quote!(#place.chunks_exact_mut(#size))
        }
    };
    iter.adapters.iter().fold(source, |source, adapter| match adapter {
        Adapter::Rev => quote!(#source.rev()),
        Adapter::StepBy(step) => {
            let step = w.expr(step);
            quote!(#source.step_by(#step))
        }
        Adapter::Skip(count) => {
            let count = w.expr(count);
            quote!(#source.skip(#count))
        }
        Adapter::Enumerate => quote!(#source.enumerate()),
        Adapter::Zip(other) => {
            let other = self::iter(w, other);
            quote!(#source.zip(#other))
        }
        Adapter::Copied(step) => {
            let name = format_ident!("{}", step.name());
            quote!(#source.#name())
        }
    })
}
