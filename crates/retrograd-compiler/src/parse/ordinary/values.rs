//! Values that are more than expressions: what computes them are statements that assign to a name.

use proc_macro2::{Ident, Span as Place};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr as Syn, Pat, Stmt};

use super::vectors::{Taken, popped, taken};
use super::{Fresh, Locals, read};
use crate::parse::overwrite::bare;

/// The statements that compute a value which is more than an expression, and the name that it has then.
pub(in crate::parse) fn value(e: &Syn, locals: &dyn Locals, fresh: &mut Fresh) -> Option<(Vec<Stmt>, Syn)> {
    let (name, at) = (fresh.name("value"), e.span());
    let named = syn::parse_quote_spanned!(at=> #name);
    if let Some(Taken { before, value, after }) = taken(e, locals, fresh) {
        return Some((read(quote_spanned!(at=> #before let #name = #value; #after)), named));
    }
    if !runs_statements(e, locals) {
        return None;
    }
    let computed = assigned(e, &name);
    Some((read(quote_spanned!(at=> let #name; #computed;)), named))
}

/// Whether a value is computed by statements that an expression cannot have.
pub(in crate::parse) fn runs_statements(e: &Syn, locals: &dyn Locals) -> bool {
    let takes = |e: &Syn| taken(e, locals, &mut Fresh::default()).is_some();
    match e {
        Syn::Paren(e) => runs_statements(&e.expr, locals),
        Syn::Group(e) => runs_statements(&e.expr, locals),
        Syn::Block(e) if e.label.is_some() => !leaves_a_loop_outside(&e.block),
        Syn::Block(e) => in_block(&e.block, locals),
        Syn::If(whole) => {
            head(e).is_some()
                || matches!(&*whole.cond, Syn::Let(condition) if takes(&condition.expr))
                || in_block(&whole.then_branch, locals)
                || whole.else_branch.as_ref().is_some_and(|(_, e)| runs_statements(e, locals))
        }
        Syn::Match(whole) => {
            head(e).is_some() || takes(&whole.expr) || whole.arms.iter().any(|arm| runs_statements(&arm.body, locals))
        }
        Syn::Return(_) | Syn::Break(_) | Syn::Continue(_) | Syn::Loop(_) => true,
        _ => head(e).is_some() || takes(e),
    }
}

fn in_block(block: &Block, locals: &dyn Locals) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::Local(local) => {
            let init = local.init.as_ref();
            init.is_none_or(|init| init.diverge.is_some() || runs_statements(&init.expr, locals))
                || is_mutable(&local.pat)
        }
        Stmt::Expr(e, None) => {
            runs_statements(e, locals) || matches!(e, Syn::ForLoop(_) | Syn::While(_) | Syn::Loop(_))
        }
        Stmt::Expr(_, Some(_)) | Stmt::Macro(_) => true,
        Stmt::Item(_) => false,
    })
}

fn is_mutable(pat: &syn::Pat) -> bool {
    match pat {
        syn::Pat::Ident(p) => p.mutability.is_some(),
        syn::Pat::Type(p) => is_mutable(&p.pat),
        syn::Pat::Tuple(p) => p.elems.iter().any(is_mutable),
        _ => false,
    }
}

/// The expression as a statement that assigns its value.
fn assigned(e: &Syn, to: &Ident) -> Syn {
    let at = e.span();
    match e {
        Syn::Paren(e) => assigned(&e.expr, to),
        Syn::Group(e) => assigned(&e.expr, to),
        Syn::Block(e) if e.label.is_none() => {
            Syn::Block(syn::ExprBlock { block: assigned_in(&e.block, to), ..e.clone() })
        }
        Syn::Block(e) if !leaves_a_loop_outside(&e.block) => assigned(&Syn::Loop(as_loop(e, true)), to),
        _ if let Some(e) = head(e) => assigned(&e, to),
        Syn::If(e) => Syn::If(syn::ExprIf {
            then_branch: assigned_in(&e.then_branch, to),
            else_branch: e.else_branch.as_ref().map(|(token, e)| (*token, Box::new(assigned(e, to)))),
            ..e.clone()
        }),
        Syn::Match(e) => {
            let mut e = e.clone();
            for arm in &mut e.arms {
                let body = assigned(&arm.body, to);
                *arm.body = syn::parse_quote_spanned!(at=> { #body; });
            }
            Syn::Match(e)
        }
        // `break e` assigns, and leaves.
        Syn::Loop(e) => {
            let mut e = e.clone();
            Broken::of(&e, to).visit_block_mut(&mut e.body);
            Syn::Loop(e)
        }
        Syn::Return(_) | Syn::Break(_) | Syn::Continue(_) | Syn::Macro(_) => e.clone(),
        _ => syn::parse_quote_spanned!(at=> #to = #e),
    }
}

fn assigned_in(block: &Block, to: &Ident) -> Block {
    let mut block = block.clone();
    if let Some(Stmt::Expr(e, semicolon @ None)) = block.stmts.last_mut() {
        *e = assigned(e, to);
        *semicolon = Some(syn::Token![;](e.span()));
    }
    block
}

/// `'a: { .. }` is `'a: loop { ..; break 'a; }`. The last expression is the value, where there is one.
pub(in crate::parse) fn as_loop(e: &syn::ExprBlock, has_value: bool) -> syn::ExprLoop {
    let (mut body, label) = (e.block.clone(), e.label.clone());
    let (at, name) = (e.span(), label.as_ref().map(|label| &label.name));
    let last = match body.stmts.pop() {
        Some(Stmt::Expr(value, None)) if has_value => quote_spanned!(at=> break #name #value;),
        Some(last) => quote_spanned!(at=> #last; break #name;),
        None => quote_spanned!(at=> break #name;),
    };
    body.stmts.extend(read(last).into_iter().filter(|stmt| !matches!(stmt, Stmt::Expr(Syn::Verbatim(_), _))));
    syn::ExprLoop { attrs: Vec::new(), label, loop_token: syn::Token![loop](at), body }
}

/// Whether a block has exits that name no loop: they leave one around the block.
pub(in crate::parse) fn leaves_a_loop_outside(block: &Block) -> bool {
    struct Outside(bool);
    impl<'a> Visit<'a> for Outside {
        fn visit_expr(&mut self, e: &'a Syn) {
            match e {
                Syn::Break(exit) if exit.label.is_none() => self.0 = true,
                Syn::Continue(exit) if exit.label.is_none() => self.0 = true,
                Syn::Loop(_) | Syn::While(_) | Syn::ForLoop(_) | Syn::Closure(_) => {}
                _ => visit::visit_expr(self, e),
            }
        }
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut outside = Outside(false);
    outside.visit_block(block);
    outside.0
}

/// Gives the exits of one loop something to assign to.
struct Broken<'t> {
    to: &'t Ident,
    label: Option<syn::Lifetime>,
    /// How many loops there are inside of it, around what is being looked at.
    inside: usize,
    /// Whether there was one.
    found: bool,
}

impl<'t> Broken<'t> {
    fn of(e: &syn::ExprLoop, to: &'t Ident) -> Broken<'t> {
        Broken { to, label: e.label.as_ref().map(|label| label.name.clone()), inside: 0, found: false }
    }
}

/// Whether a loop has a value.
pub(in crate::parse) fn breaks_with_value(e: &syn::ExprLoop) -> bool {
    let name = Fresh::default().name("value");
    let mut broken = Broken::of(e, &name);
    broken.visit_block_mut(&mut e.body.clone());
    broken.found
}

impl VisitMut for Broken<'_> {
    fn visit_expr_mut(&mut self, e: &mut Syn) {
        let inner = matches!(e, Syn::Loop(_) | Syn::While(_) | Syn::ForLoop(_));
        self.inside += usize::from(inner);
        visit_mut::visit_expr_mut(self, e);
        self.inside -= usize::from(inner);
        if let Syn::Break(exit) = e
            && let Some(value) = &exit.expr
            && (exit.label.is_none() && self.inside == 0 || exit.label.is_some() && exit.label == self.label)
        {
            self.found = true;
            let (to, label) = (self.to, &exit.label);
            *e = syn::parse_quote_spanned!(exit.span()=> { #to = #value; break #label; });
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// A construct whose head takes something out of a vector, or is a pattern of which a `while` goes on: the same without that.
pub(super) fn head(e: &Syn) -> Option<Syn> {
    let at = e.span();
    match bare(e) {
        Syn::If(e) => {
            let Syn::Let(condition) = bare(&e.cond) else { return None };
            let (vector, inner) = (popped(&condition.expr)?, some(&condition.pat)?);
            let (then, otherwise) =
                (&e.then_branch.stmts, e.else_branch.as_ref().map(|(_, e)| quote_spanned!(at=> else #e)));
            let last = last(vector, inner, at);
            Some(syn::parse_quote_spanned!(at=> if (#vector).__len_of_vector() > 0 { #last #(#then)* } #otherwise))
        }
        Syn::Match(e) => {
            let vector = popped(&e.expr)?;
            let none = &e.arms.iter().find(|arm| is_none(&arm.pat))?.body;
            let (last, there) = match e.arms.as_slice() {
                [a, b]
                    if let Some((inner, arm)) =
                        some(&a.pat).map(|p| (p, a)).or_else(|| some(&b.pat).map(|p| (p, b))) =>
                {
                    let there = &arm.body;
                    (last(vector, inner, at), quote_spanned!(at=> #there))
                }
                arms => {
                    let popped = Fresh::default().name("popped");
                    let there = arms.iter().filter(|arm| !is_none(&arm.pat) || matches!(arm.pat, Pat::Wild(_)));
                    let there: Vec<syn::Arm> = there.map(without_some).collect::<Option<_>>()?;
                    let name = syn::parse_quote_spanned!(at=> #popped);
                    (last(vector, &name, at), quote_spanned!(at=> match #popped { #(#there)* }))
                }
            };
            Some(syn::parse_quote_spanned!(at=> if (#vector).__len_of_vector() > 0 { #last #there } else { #none }))
        }
        Syn::While(e) => {
            let Syn::Let(condition) = bare(&e.cond) else { return None };
            let (label, body) = (&e.label, &e.body);
            if let (Some(vector), Some(inner)) = (popped(&condition.expr), some(&condition.pat)) {
                let (last, stmts) = (last(vector, inner, at), &body.stmts);
                return Some(
                    syn::parse_quote_spanned!(at=> #label while (#vector).__len_of_vector() > 0 { #last #(#stmts)* }),
                );
            }
            Some(syn::parse_quote_spanned!(at=> #label loop { if #condition #body else { break; } }))
        }
        // `v.pop().unwrap_or(e)`
        Syn::MethodCall(call) if call.method == "unwrap_or" && call.args.len() == 1 => {
            let (vector, otherwise) = (popped(&call.receiver)?, &call.args[0]);
            Some(
                syn::parse_quote_spanned!(at=> if (#vector).__len_of_vector() > 0 { (#vector).pop().unwrap() } else { #otherwise }),
            )
        }
        _ => None,
    }
}

/// `if let p = o.take() { .. }` and `match o.take() { .. }`: what is taken has a name first.
pub(super) fn decided(e: &Syn, locals: &dyn Locals, fresh: &mut Fresh) -> Option<Syn> {
    let (mut e, at) = (bare(e).clone(), e.span());
    let scrutinee = match &mut e {
        Syn::If(e) => match &mut *e.cond {
            Syn::Let(condition) => &mut condition.expr,
            _ => return None,
        },
        Syn::Match(e) => &mut e.expr,
        _ => return None,
    };
    let Taken { before, value, after } = taken(scrutinee, locals, fresh)?;
    let name = fresh.name("value");
    **scrutinee = syn::parse_quote_spanned!(at=> #name);
    Some(syn::parse_quote_spanned!(at=> { #before let #name = #value; #after #e }))
}

/// The pattern inside of `Some(..)`.
fn some(pat: &Pat) -> Option<&Pat> {
    match pat {
        Pat::TupleStruct(p)
            if p.elems.len() == 1 && p.path.segments.last().is_some_and(|last| last.ident == "Some") =>
        {
            p.elems.first()
        }
        _ => None,
    }
}

/// `None` or `_`
fn is_none(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) => true,
        Pat::Ident(name) => name.ident == "None",
        Pat::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "None"),
        _ => false,
    }
}

/// An arm for what is inside of `Some(..)`.
fn without_some(arm: &syn::Arm) -> Option<syn::Arm> {
    let pat = match &arm.pat {
        Pat::Guard(guarded) => {
            Pat::Guard(syn::PatGuard { pat: Box::new(some(&guarded.pat)?.clone()), ..guarded.clone() })
        }
        Pat::Wild(_) => arm.pat.clone(),
        pat => some(pat)?.clone(),
    };
    Some(syn::Arm { pat, ..arm.clone() })
}

/// Takes the last element out of a vector.
fn last(vector: &Syn, pat: &Pat, at: Place) -> Stmt {
    syn::parse_quote_spanned!(at=> let #pat = (#vector).pop().unwrap();)
}
