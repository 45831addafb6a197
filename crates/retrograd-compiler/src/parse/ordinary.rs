//! Ordinary Rust that is short for other statements, where a record keeps what is lost: blocks with a value, copies, moves.

use proc_macro2::{Ident, Span as Place};
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Block, Expr as Syn, Stmt};

use super::last_two;
use super::overwrite::bare;
use crate::hygiene::fresh;

/// The statements that a statement is short for.
pub(super) fn written_out(stmt: &Stmt) -> Option<Vec<Stmt>> {
    match stmt {
        Stmt::Local(local) => declared(local),
        Stmt::Expr(e, Some(_)) => statement(e),
        Stmt::Expr(e @ (Syn::MethodCall(_) | Syn::Call(_)), None) => statement(e),
        Stmt::Expr(..) | Stmt::Item(_) | Stmt::Macro(_) => None,
    }
}

/// The statements that compute a value which is more than an expression, and the name that it has then.
pub(super) fn value(e: &Syn) -> Option<(Vec<Stmt>, Syn)> {
    if !runs_statements(e) {
        return None;
    }
    let (name, at) = (fresh("value"), e.span());
    let computed = assigned(e, &name);
    Some((read(quote_spanned!(at=> let #name; #computed;)), syn::parse_quote_spanned!(at=> #name)))
}

fn read(tokens: proc_macro2::TokenStream) -> Vec<Stmt> {
    syn::parse::Parser::parse2(Block::parse_within, tokens).unwrap_or_default()
}

fn declared(local: &syn::Local) -> Option<Vec<Stmt>> {
    let (at, init, pat, attrs) = (local.span(), local.init.as_ref()?, &local.pat, &local.attrs);
    if let Some((_, otherwise)) = &init.diverge {
        // `let p = e else { .. };`: the names in `p` are those of an arm.
        let (names, e) = (names(pat), &init.expr);
        let name = match names.as_slice() {
            [name] => quote_spanned!(at=> #name),
            names => quote_spanned!(at=> (#(#names),*)),
        };
        return Some(read(quote_spanned!(at=> let #name = match #e { #pat => #name, _ => #otherwise };)));
    }
    // `let old = mem::replace(&mut x, e);`
    if let Some((place, new)) = replaced(&init.expr) {
        let value = fresh("value");
        return Some(read(
            quote_spanned!(at=> let #value = #new; #(#attrs)* let #pat = (#place).clone(); #place = #value;),
        ));
    }
    if let Some(vector) = popped(&init.expr) {
        return Some(read(quote_spanned! {at=>
            #(#attrs)* let #pat = (#vector)[(#vector).len() - 1].clone();
            ::retrograd::private::shrink(&mut #vector);
        }));
    }
    let (before, value) = self::value(&init.expr)?;
    let mut stmts = before;
    stmts.extend(read(quote_spanned!(at=> #(#attrs)* let #pat = #value;)));
    Some(stmts)
}

fn statement(e: &Syn) -> Option<Vec<Stmt>> {
    let at = e.span();
    match bare(e) {
        Syn::Assign(assign) => {
            let (mut stmts, value) = value(&assign.right)?;
            let left = &assign.left;
            stmts.extend(read(quote_spanned!(at=> #left = #value;)));
            Some(stmts)
        }
        Syn::Binary(binary) => {
            let (mut stmts, value) = value(&binary.right)?;
            let (left, op) = (&binary.left, &binary.op);
            stmts.extend(read(quote_spanned!(at=> #left #op #value;)));
            Some(stmts)
        }
        Syn::Return(e) => {
            let (mut stmts, value) = value(e.expr.as_ref()?)?;
            stmts.extend(read(quote_spanned!(at=> return #value;)));
            Some(stmts)
        }
        Syn::MethodCall(call) => method(call, at),
        Syn::Call(_) => {
            let (place, new) = replaced(e)?;
            Some(read(quote_spanned!(at=> #place = #new;)))
        }
        _ => None,
    }
}

/// Methods of slices that overwrite element by element, and those of vectors that add or take elements one by one.
fn method(call: &syn::ExprMethodCall, at: Place) -> Option<Vec<Stmt>> {
    let (slice, turn, value) = (&call.receiver, fresh("turn"), fresh("value"));
    let by_value = |e: &Syn| !matches!(bare(e), Syn::Reference(r) if r.mutability.is_some());
    let mut args = call.args.iter();
    match (call.method.to_string().as_str(), args.next(), args.next()) {
        ("copy_from_slice" | "clone_from_slice", Some(from), None) => {
            let from = match bare(from) {
                Syn::Reference(r) => &r.expr,
                other => other,
            };
            Some(read(quote_spanned! {at=>
                assert_eq!((#slice).len(), (#from).len(), "the slices have different lengths");
                for #turn in 0..(#slice).len() { (#slice)[#turn] = (#from)[#turn].clone(); }
            }))
        }
        ("fill", Some(with), None) => Some(read(quote_spanned! {at=>
            { let #value = #with; for #turn in 0..(#slice).len() { (#slice)[#turn] = #value.clone(); } }
        })),
        ("push", Some(x), None) if by_value(x) => {
            Some(read(quote_spanned!(at=> ::retrograd::private::append(&mut #slice, #x);)))
        }
        ("pop", None, None) => Some(read(quote_spanned!(at=> ::retrograd::private::shrink(&mut #slice);))),
        ("clear", None, None) => Some(read(quote_spanned! {at=>
            while !(#slice).is_empty() { ::retrograd::private::shrink(&mut #slice); }
        })),
        ("truncate", Some(length), None) => Some(read(quote_spanned! {at=>
            { let #value = #length; while (#slice).len() > #value { ::retrograd::private::shrink(&mut #slice); } }
        })),
        ("extend_from_slice", Some(from), None) => {
            let from = match bare(from) {
                Syn::Reference(r) => &r.expr,
                other => other,
            };
            Some(read(quote_spanned! {at=>
                for #turn in 0..(#from).len() { ::retrograd::private::append(&mut #slice, (#from)[#turn].clone()); }
            }))
        }
        _ => None,
    }
}

/// `v.pop().unwrap()` and `v.pop().expect(..)`: the vector.
fn popped(e: &Syn) -> Option<&Syn> {
    let Syn::MethodCall(outer) = bare(e) else { return None };
    let Syn::MethodCall(inner) = bare(&outer.receiver) else { return None };
    let known =
        (outer.method == "unwrap" || outer.method == "expect") && inner.method == "pop" && inner.args.is_empty();
    known.then_some(&*inner.receiver)
}

/// `mem::replace(&mut x, e)` and `mem::take(&mut x)`: the place, and what it becomes.
fn replaced(e: &Syn) -> Option<(Syn, Syn)> {
    let Syn::Call(call) = bare(e) else { return None };
    let Syn::Path(path) = bare(&call.func) else { return None };
    let (last, before) = last_two(&path.path);
    if before.is_some_and(|before| before != "mem") {
        return None;
    }
    let mut args = call.args.iter();
    let (first, new) = (args.next()?, args.next());
    let Syn::Reference(r) = bare(first) else { return None };
    r.mutability?;
    let place = (*r.expr).clone();
    match (last?.to_string().as_str(), new) {
        ("replace", Some(new)) => Some((place, new.clone())),
        ("take", None) => Some((place, syn::parse_quote_spanned!(e.span()=> ::core::default::Default::default()))),
        _ => None,
    }
}

/// Whether a value is computed by statements that an expression cannot have.
fn runs_statements(e: &Syn) -> bool {
    match e {
        Syn::Paren(e) => runs_statements(&e.expr),
        Syn::Group(e) => runs_statements(&e.expr),
        Syn::Block(e) => e.label.is_none() && in_block(&e.block),
        Syn::If(e) => in_block(&e.then_branch) || e.else_branch.as_ref().is_some_and(|(_, e)| runs_statements(e)),
        Syn::Match(e) => e.arms.iter().any(|arm| runs_statements(&arm.body)),
        Syn::Return(_) | Syn::Break(_) | Syn::Continue(_) => true,
        _ => false,
    }
}

fn in_block(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| match stmt {
        Stmt::Local(local) => {
            let init = local.init.as_ref();
            init.is_none_or(|init| init.diverge.is_some() || runs_statements(&init.expr)) || is_mutable(&local.pat)
        }
        Stmt::Expr(e, None) => runs_statements(e) || matches!(e, Syn::ForLoop(_) | Syn::While(_) | Syn::Loop(_)),
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

/// The names that a pattern binds.
fn names(pat: &syn::Pat) -> Vec<Ident> {
    match pat {
        syn::Pat::Ident(p) => vec![p.ident.clone()],
        syn::Pat::Tuple(p) => p.elems.iter().flat_map(names).collect(),
        syn::Pat::TupleStruct(p) => p.elems.iter().flat_map(names).collect(),
        syn::Pat::Slice(p) => p.elems.iter().flat_map(names).collect(),
        syn::Pat::Struct(p) => p.fields.iter().flat_map(|field| names(&field.pat)).collect(),
        syn::Pat::Reference(p) => names(&p.pat),
        syn::Pat::Paren(p) => names(&p.pat),
        syn::Pat::Type(p) => names(&p.pat),
        _ => Vec::new(),
    }
}
