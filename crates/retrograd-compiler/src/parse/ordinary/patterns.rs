//! Patterns of which a part is memory, or that may not match.

use proc_macro2::{Ident, Span as Place, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr as Syn, Pat};

use super::Fresh;
use crate::parse::overwrite::bare;

/// `let (mut a, b) = e;` is `let (value_0, b) = e; let mut a = value_0;`: the pattern without `mut`, and the locals that begin with its
/// parts.
pub(super) fn without_mut(pat: &Pat, value: &Syn, fresh: &mut Fresh) -> Option<(Pat, TokenStream)> {
    struct Values<'f> {
        fresh: &'f mut Fresh,
        named: Vec<(Ident, Ident)>,
    }
    impl VisitMut for Values<'_> {
        fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
            if p.mutability.is_some() && p.by_ref.is_none() && p.subpat.is_none() {
                let value = self.fresh.name("value");
                self.named.push((std::mem::replace(&mut p.ident, value.clone()), value));
                p.mutability = None;
            }
            visit_mut::visit_pat_ident_mut(self, p);
        }

        fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
            // `P { mut x }` is `P { x: mut x }`.
            let mutable = matches!(&*field.pat, Pat::Ident(p) if p.mutability.is_some());
            if mutable && field.colon_token.is_none() {
                field.colon_token = Some(syn::Token![:](field.span()));
            }
            visit_mut::visit_field_pat_mut(self, field);
        }
    }
    let plain = match pat {
        Pat::Type(p) => &*p.pat,
        other => other,
    };
    // Locals that begin side by side are bound one by one.
    let is_one = |pat: &Pat| matches!(pat, Pat::Ident(_) | Pat::Wild(_));
    let side_by_side = matches!((plain, bare(value)), (Pat::Tuple(p), Syn::Tuple(values))
        if p.elems.len() == values.elems.len() && p.elems.iter().all(is_one));
    if matches!(plain, Pat::Ident(_)) || side_by_side {
        return None;
    }
    let (mut pat, mut values) = (pat.clone(), Values { fresh, named: Vec::new() });
    values.visit_pat_mut(&mut pat);
    if values.named.is_empty() {
        return None;
    }
    let begun = values.named.iter().map(|(name, value)| quote_spanned!(name.span()=> let mut #name = #value;));
    Some((pat, begun.collect()))
}

/// `(a, b) = (e, f);` is `{ let value_0 = e; let value_1 = f; a = value_0; b = value_1; }`.
pub(super) fn assigned(left: &Syn, right: &Syn, at: Place, fresh: &mut Fresh) -> Option<TokenStream> {
    let (Syn::Tuple(syn::ExprTuple { elems, .. }) | Syn::Array(syn::ExprArray { elems, .. })) = bare(left) else {
        return None;
    };
    let names: Vec<Ident> = elems.iter().map(|_| fresh.name("value")).collect();
    let begun = match (bare(left), bare(right)) {
        (Syn::Tuple(_), Syn::Tuple(values)) if values.elems.len() == elems.len() => {
            let values = values.elems.iter();
            quote_spanned!(at=> #(let #names = #values;)*)
        }
        (Syn::Tuple(_), _) => quote_spanned!(at=> let (#(#names,)*) = #right;),
        _ => quote_spanned!(at=> let [#(#names),*] = #right;),
    };
    let assigned = elems.iter().zip(&names).filter(|(place, _)| !matches!(place, Syn::Infer(_)));
    let assigned = assigned.map(|(place, name)| quote_spanned!(at=> #place = #name;));
    Some(quote_spanned!(at=> { #begun #(#assigned)* }))
}

/// `let p = e else { .. };`
pub(super) fn or_else(pat: &Pat, e: &Syn, otherwise: &Syn, at: Place, fresh: &mut Fresh) -> TokenStream {
    if let Some(parts) = elements(pat, e, otherwise, at, fresh) {
        return parts;
    }
    // The names in `p` are those of an arm.
    let names = names(pat);
    let name = match names.as_slice() {
        [name] => quote_spanned!(at=> #name),
        names => quote_spanned!(at=> (#(#names),*)),
    };
    quote_spanned!(at=> let #name = match #e { #pat => #name, _ => #otherwise };)
}

/// `let [first, .., last] = x else { .. };` of a slice is `if x.len() < 2 { .. } let first = &x[0]; let last = &x[x.len() - 1];`.
fn elements(pat: &Pat, e: &Syn, otherwise: &Syn, at: Place, fresh: &mut Fresh) -> Option<TokenStream> {
    let Pat::Slice(slice) = pat else { return None };
    let slice_of = match bare(e) {
        Syn::Reference(r) => &*r.expr,
        other => other,
    };
    let count = slice.elems.len();
    let rest = slice.elems.iter().position(is_rest);
    let fewest = count - usize::from(rest.is_some());
    let test = match rest {
        Some(_) => quote_spanned!(at=> <),
        None => quote_spanned!(at=> !=),
    };
    let parts = slice.elems.iter().enumerate().filter_map(|(i, pat)| {
        let behind = count - i;
        let at = pat.span();
        match rest {
            Some(rest) if rest == i => {
                let Pat::Ident(named) = pat else { return None };
                let (name, after) = (&named.ident, behind - 1);
                let part = quote_spanned!(at=> &(#slice_of)[#i..(#slice_of).len() - #after]);
                Some((quote_spanned!(at=> #name), part))
            }
            Some(rest) if rest < i => {
                Some((quote_spanned!(at=> #pat), quote_spanned!(at=> &(#slice_of)[(#slice_of).len() - #behind])))
            }
            _ => Some((quote_spanned!(at=> #pat), quote_spanned!(at=> &(#slice_of)[#i]))),
        }
    });
    let (pats, parts): (Vec<TokenStream>, Vec<TokenStream>) = parts.unzip();
    let begun = if hides(pat, slice_of) {
        // The first part may have the name of what the others are parts of.
        let names: Vec<Ident> = pats.iter().map(|_| fresh.name("value")).collect();
        quote_spanned!(at=> #(let #names = #parts;)* #(let #pats = #names;)*)
    } else {
        quote_spanned!(at=> #(let #pats = #parts;)*)
    };
    Some(quote_spanned!(at=> if (#slice_of).len() #test #fewest #otherwise #begun))
}

/// Whether a pattern binds a name that an expression mentions.
pub(super) fn hides(pat: &Pat, e: &Syn) -> bool {
    fn mentions(tokens: TokenStream, name: &Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(other) => other == *name,
            TokenTree::Group(group) => mentions(group.stream(), name),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        })
    }
    names(pat).iter().any(|name| mentions(e.to_token_stream(), name))
}

/// `..` or `rest @ ..`
fn is_rest(pat: &Pat) -> bool {
    match pat {
        Pat::Rest(_) => true,
        Pat::Ident(p) => p.subpat.as_ref().is_some_and(|(_, sub)| matches!(&**sub, Pat::Rest(_))),
        _ => false,
    }
}

/// The names that a pattern binds.
fn names(pat: &Pat) -> Vec<Ident> {
    match pat {
        Pat::Ident(p) => {
            let inner = p.subpat.iter().flat_map(|(_, pat)| names(pat));
            std::iter::once(p.ident.clone()).chain(inner).collect()
        }
        Pat::Or(p) => p.cases.first().map(names).unwrap_or_default(),
        Pat::Tuple(p) => p.elems.iter().flat_map(names).collect(),
        Pat::TupleStruct(p) => p.elems.iter().flat_map(names).collect(),
        Pat::Slice(p) => p.elems.iter().flat_map(names).collect(),
        Pat::Struct(p) => p.fields.iter().flat_map(|field| names(&field.pat)).collect(),
        Pat::Reference(p) => names(&p.pat),
        Pat::Paren(p) => names(&p.pat),
        Pat::Type(p) => names(&p.pat),
        _ => Vec::new(),
    }
}
