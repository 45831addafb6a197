//! Several elements of one container of the state in one call: rustc sees one borrow of the container, so they are taken out of it
//! together.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use crate::hygiene::{fresh, numbered};

/// Arguments that are elements of the same container.
pub(super) struct Group {
    container: syn::Expr,
    members: Vec<Member>,
}

struct Member {
    argument: usize,
    /// The argument as it was written, from the container on.
    place: syn::Expr,
    index: syn::Expr,
    passed: Passed,
}

/// How an argument is passed.
#[derive(Clone, Copy)]
enum Passed {
    Value,
    Shared,
    Mutable,
}

impl Passed {
    fn of(argument: &syn::Expr) -> (Passed, &syn::Expr) {
        match argument {
            syn::Expr::Reference(r) if r.mutability.is_some() => (Passed::Mutable, &r.expr),
            syn::Expr::Reference(r) => (Passed::Shared, &r.expr),
            place => (Passed::Value, place),
        }
    }
}

/// The groups among the arguments of a call, which are all parts of the state, or no parts of it (`None`).
pub(super) fn groups(arguments: &[Option<&syn::Expr>]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (argument, written) in arguments.iter().enumerate() {
        let Some((passed, place)) = written.map(Passed::of) else { continue };
        // The outermost container in which another argument has another element.
        let found = indices(place).into_iter().rev().find(|index| {
            let others = arguments.iter().enumerate().filter(|(other, _)| *other != argument);
            others.filter_map(|(_, other)| other.map(Passed::of)).any(|(_, other)| {
                let differs = |own: &&syn::ExprIndex| same(&own.expr, &index.expr) && !same(&own.index, &index.index);
                indices(other).iter().any(differs)
            })
        });
        let Some(index) = found else { continue };
        let member = Member { argument, place: place.clone(), index: (*index.index).clone(), passed };
        match groups.iter_mut().find(|group| same(&group.container, &index.expr)) {
            Some(group) => group.members.push(member),
            None => groups.push(Group { container: (*index.expr).clone(), members: vec![member] }),
        }
    }
    groups
}

impl Group {
    /// Statements that take the elements out of the container, and the arguments by their numbers. In the shadow all are changed.
    pub(super) fn taken(
        &self,
        role: &str,
        site: &TokenStream,
        moved: impl Fn(&syn::Expr) -> syn::Expr,
    ) -> (TokenStream, Vec<(usize, TokenStream)>) {
        let container = moved(&self.container);
        let names: Vec<Ident> = self.members.iter().map(|member| numbered(role, member.argument)).collect();
        let any_range = self.members.iter().any(|member| is_range(&member.index));
        let indices = self.members.iter().map(|Member { index, .. }| match any_range {
            true => quote!((#index).to_range(#container.len())),
            false => quote!(#index),
        });
        let listed = fresh("indices");
        // Which of the traits a call uses depends on its container.
        let taken = quote! {
            #[allow(unused_imports)]
            use ::retrograd::private::{Disjoint as _, ToRange as _};
            let #listed = [#(#indices),*];
            let [#(#names),*] = #container.disjoint_mut(#listed, #site);
        };
        let arguments = self.members.iter().zip(names).map(|(member, name)| {
            let element: syn::Expr = match any_range && !is_range(&member.index) {
                true => syn::parse_quote!((*#name)[0]),
                false => syn::parse_quote!((*#name)),
            };
            let place = self.with_element(&member.place, &member.index, &element);
            let argument = match member.passed {
                Passed::Mutable => quote!(&mut #place),
                _ if role == "shadow" => quote!(&mut #place),
                Passed::Shared => quote!(&#place),
                Passed::Value => quote!(#place),
            };
            (member.argument, argument)
        });
        (taken, arguments.collect())
    }

    /// A place in which the element stands under another name.
    fn with_element(&self, place: &syn::Expr, index: &syn::Expr, element: &syn::Expr) -> syn::Expr {
        let mut place = place.clone();
        match &mut place {
            syn::Expr::Index(e) if same(&e.expr, &self.container) && same(&e.index, index) => return element.clone(),
            syn::Expr::Index(e) => *e.expr = self.with_element(&e.expr, index, element),
            syn::Expr::Field(e) => *e.base = self.with_element(&e.base, index, element),
            syn::Expr::Unary(e) => *e.expr = self.with_element(&e.expr, index, element),
            syn::Expr::Paren(e) => *e.expr = self.with_element(&e.expr, index, element),
            _ => {}
        }
        place
    }
}

/// The steps of a place that are indices, the last one first.
fn indices(place: &syn::Expr) -> Vec<&syn::ExprIndex> {
    match place {
        syn::Expr::Index(index) => std::iter::once(index).chain(indices(&index.expr)).collect(),
        syn::Expr::Field(field) => indices(&field.base),
        syn::Expr::Unary(unary) => indices(&unary.expr),
        syn::Expr::Paren(inner) => indices(&inner.expr),
        _ => Vec::new(),
    }
}

fn is_range(index: &syn::Expr) -> bool {
    match index {
        syn::Expr::Range(_) => true,
        syn::Expr::Paren(inner) => is_range(&inner.expr),
        _ => false,
    }
}

fn same(a: &impl ToTokens, b: &impl ToTokens) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}
