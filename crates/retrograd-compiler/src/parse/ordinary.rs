//! Ordinary Rust that is short for other statements, where a record keeps what is lost: blocks with a value, copies, moves.

mod patterns;
mod values;
mod vectors;

use proc_macro2::Ident;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Block, Expr as Syn, Stmt};

use super::overwrite::bare;
use crate::hygiene::numbered;
pub(super) use values::{as_loop, breaks_with_value, leaves_a_loop_outside, runs_statements, value};
use vectors::replaced;
pub(super) use vectors::{element, popped};

/// What is known of locals by their names.
pub(super) trait Locals {
    fn is_reference(&self, name: &Ident) -> bool;

    /// Whether the type of a local is written, and is not called `Option`.
    fn is_no_option(&self, name: &Ident) -> bool;
}

/// Gives names to values, a new one to each.
#[derive(Default)]
pub(super) struct Fresh {
    names: usize,
    /// Dead code that names what has been written out: rustc sees that it is used, and that it is what it is taken for.
    pub(super) items: Vec<syn::Item>,
}

impl Fresh {
    fn name(&mut self, role: &str) -> Ident {
        self.names += 1;
        // Stages that come later number names of their own.
        numbered(&format!("own_{role}"), self.names)
    }
}

/// The statements that a statement is short for.
pub(super) fn written_out(stmt: &Stmt, locals: &dyn Locals, fresh: &mut Fresh) -> Option<Vec<Stmt>> {
    match stmt {
        Stmt::Local(local) => declared(local, locals, fresh),
        Stmt::Expr(e, _) => statement(e, locals, fresh),
        Stmt::Item(_) | Stmt::Macro(_) => None,
    }
}

fn read(tokens: proc_macro2::TokenStream) -> Vec<Stmt> {
    syn::parse::Parser::parse2(Block::parse_within, tokens).unwrap_or_default()
}

fn declared(local: &syn::Local, locals: &dyn Locals, fresh: &mut Fresh) -> Option<Vec<Stmt>> {
    let (at, init, pat, attrs) = (local.span(), local.init.as_ref()?, &local.pat, &local.attrs);
    if let Some((_, otherwise)) = &init.diverge {
        return Some(read(patterns::or_else(pat, &init.expr, otherwise, at, fresh)));
    }
    // `let old = mem::replace(&mut x, e);`; the `x` of `let x = mem::replace(&mut x, e);` is not the one that is replaced.
    if !patterns::hides(pat, &init.expr)
        && let Some(taken) = vectors::taken(&init.expr, locals, fresh)
    {
        let vectors::Taken { before, value, after } = taken;
        return Some(read(quote_spanned!(at=> #before #(#attrs)* let #pat = #value; #after)));
    }
    if let Some((before, value)) = self::value(&init.expr, locals, fresh) {
        let mut stmts = before;
        stmts.extend(read(quote_spanned!(at=> #(#attrs)* let #pat = #value;)));
        return Some(stmts);
    }
    let value = &init.expr;
    let (pat, begun) = patterns::without_mut(pat, value, fresh)?;
    Some(read(quote_spanned!(at=> #(#attrs)* let #pat = #value; #begun)))
}

fn statement(e: &Syn, locals: &dyn Locals, fresh: &mut Fresh) -> Option<Vec<Stmt>> {
    let at = e.span();
    let mut with_value = |e: &Syn, last: &dyn Fn(&Syn) -> proc_macro2::TokenStream| {
        let (mut stmts, value) = value(e, locals, fresh)?;
        stmts.extend(read(last(&value)));
        Some(stmts)
    };
    match bare(e) {
        Syn::Assign(assign) => {
            let left = &assign.left;
            with_value(&assign.right, &|value| quote_spanned!(at=> #left = #value;))
                .or_else(|| patterns::assigned(left, &assign.right, at, fresh).map(read))
        }
        Syn::Binary(binary) => {
            let (left, op) = (&binary.left, &binary.op);
            with_value(&binary.right, &|value| quote_spanned!(at=> #left #op #value;))
        }
        Syn::Return(e) => with_value(e.expr.as_ref()?, &|value| quote_spanned!(at=> return #value;)),
        Syn::MethodCall(call) => vectors::method(call, locals, at, fresh).map(read),
        Syn::Call(_) => {
            let (place, new) = replaced(e, fresh)?;
            Some(read(quote_spanned!(at=> #place = #new;)))
        }
        Syn::If(_) | Syn::Match(_) | Syn::While(_) => values::head(e)
            .map(|e| vec![Stmt::Expr(e, None)])
            .or_else(|| values::decided(e, locals, fresh).map(|block| vec![Stmt::Expr(block, None)])),
        _ => None,
    }
}
