//! Statements as tokens of the surface language.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::format::{KEEP, as_call, macro_call};
use super::{Printer, exit, label};
use crate::analysis::effects::Effects;
use crate::analysis::need::{After, Need};
use crate::emit::rust::out::Tokens;
use crate::ir::{
    Binding, BindingKind, Block, Budget, Check, Expected, ExprKind, FlipOp, Form, HostKind, If, MapFn, Permutation,
    Place, Rule, Slot, Stmt, Update, VarId, VarKind,
};

impl Printer<'_, '_> {
    pub(super) fn block(&self, block: &Block) -> TokenStream {
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
    pub(super) fn ended_by_hand(&self, block: &Block, needs: &[Need]) -> BTreeSet<VarId> {
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

    pub(super) fn stmt(&self, stmt: &Stmt, by_hand: &BTreeSet<VarId>) -> TokenStream {
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
            Stmt::Swap(_) | Stmt::Call(_) => unreachable!("it is simple"),
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
                let (pattern, iter, body) = (w.pattern(&s.pattern), super::iter(w, &s.iter), self.block(&s.body));
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
                let tokens = as_call(self.hosts[s.number].tokens());
                match s.kind {
                    HostKind::Both if s.marked => {
                        let tokens = braced(tokens);
                        quote!(#[host] #tokens)
                    }
                    HostKind::Both | HostKind::Assert(true) => tokens,
                    HostKind::Assert(false) => quote!(#[inverse] #tokens),
                }
            }
            Stmt::Check(Check::Restored(s)) => {
                let (var, expected) = (w.var(s.var, s.binding.span.first), w.expr(s.expected.expr()));
                match s.expected {
                    Expected::Value(_) | Expected::Kept(_) => quote!(check!(#var == #expected);),
                    Expected::Each(_, depth) | Expected::KeptOne(_, depth) => {
                        let repeated = (0..depth).fold(quote!(#expected), |each, _| quote!([#each; _]));
                        quote!(check!(#var == #repeated);)
                    }
                }
            }
            // Only what back ends read has them.
            Stmt::Check(Check::Witness(_) | Check::Sample(_)) => TokenStream::new(),
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

    pub(super) fn condition(&self, s: &If) -> TokenStream {
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
}

/// What is done with a slot, in words.
fn in_form(word: &str, slot: Slot) -> Ident {
    match slot.form {
        Form::Whole | Form::InPlace | Form::Tried => format_ident!("{word}"),
        Form::Shape => format_ident!("{word}_shape"),
    }
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
