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
#[derive(Clone, Copy, PartialEq, Eq)]
enum Passed {
    Value,
    Shared,
    Mutable,
}

/// What is taken out of a container.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Parts of the state.
    Values,
    /// Parts of its tangent: they are passed as the values are.
    Tangents,
    /// Parts of its adjoint: all of them are changed.
    Adjoints,
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
        let others = || arguments.iter().enumerate().filter(|(other, _)| *other != argument).filter_map(|(_, e)| *e);
        let has_another = |index: &&syn::ExprIndex, differs: bool| {
            others()
                .flat_map(|other| indices(Passed::of(other).1))
                .any(|other| same(&other.expr, &index.expr) && same(&other.index, &index.index) != differs)
        };
        // The outermost container in which another argument has another element, or the innermost one in which it has a part of the same.
        let steps = indices(place);
        let another = steps.iter().rev().copied().find(|index| has_another(index, true));
        let found = another.or_else(|| steps.iter().copied().find(|index| has_another(index, false)));
        let Some(index) = found else { continue };
        let member = Member { argument, place: place.clone(), index: (*index.index).clone(), passed };
        match groups.iter_mut().find(|group| same(&group.container, &index.expr)) {
            Some(group) => group.members.push(member),
            None => groups.push(Group { container: (*index.expr).clone(), members: vec![member] }),
        }
    }
    groups
}

/// Of the arguments that are only read, those that may share an element with another one in front: in an adjoint run each has an
/// adjoint of its own, which is added to that of the state behind the call.
pub(super) fn shared_reads(arguments: &[Option<&syn::Expr>]) -> Vec<usize> {
    let read = |argument: &Option<&syn::Expr>| match argument.map(Passed::of) {
        // The bare state is a reference, which counts as changed.
        Some((Passed::Value, syn::Expr::Path(_)) | (Passed::Mutable, _)) | None => None,
        Some((Passed::Value | Passed::Shared, place)) => Some(place.clone()),
    };
    let reads: Vec<Option<syn::Expr>> = arguments.iter().map(read).collect();
    let overlaps = |i: usize| {
        let own = reads[i].as_ref()?;
        reads[..i].iter().flatten().any(|other| may_overlap(own, other)).then_some(i)
    };
    (0..reads.len()).filter_map(overlaps).collect()
}

impl Group {
    /// Statements that take the elements out of the container, and the arguments by their numbers; without those that are not
    /// `wanted`.
    pub(super) fn taken(
        &self,
        role: Role,
        site: &TokenStream,
        wanted: impl Fn(usize) -> bool,
        moved: impl Fn(&syn::Expr) -> syn::Expr,
    ) -> (TokenStream, Vec<(usize, TokenStream)>) {
        let container = moved(&self.container);
        let any_range = self.members.iter().any(|member| is_range(&member.index));
        let changes = |member: &Member| role == Role::Adjoints || member.passed == Passed::Mutable;
        // Different fields of one element need it only once.
        let mut elements: Vec<Vec<&Member>> = Vec::new();
        for member in self.members.iter().filter(|member| wanted(member.argument)) {
            match elements.iter_mut().find(|element| same(&element[0].index, &member.index)) {
                Some(element) => element.push(member),
                None => elements.push(vec![member]),
            }
        }
        let (changed, read): (Vec<_>, Vec<_>) =
            elements.into_iter().partition(|element| element.iter().any(|member| changes(member)));
        let prefix = if role == Role::Values { "element" } else { "shadow" };
        let names = |elements: &[Vec<&Member>]| -> Vec<Ident> {
            elements.iter().map(|element| numbered(prefix, element[0].argument)).collect()
        };
        let indices = |elements: &[Vec<&Member>]| -> Vec<TokenStream> {
            let index = |element: &Vec<&Member>| {
                let index = &element[0].index;
                match any_range {
                    true => quote!((#index).to_range(#container.len())),
                    false => quote!(#index),
                }
            };
            elements.iter().map(index).collect()
        };
        let (changed_names, read_names) = (names(&changed), names(&read));
        let (changed_at, read_at) = (indices(&changed), indices(&read));
        let (listed, looked_at) = (fresh("indices"), fresh("reads"));
        // Which of the traits a call uses depends on its container.
        let begun = quote! {
            #[allow(unused_imports)]
            use ::retrograd::private::{Disjoint as _, ToRange as _};
        };
        let taken = match (changed.is_empty(), read.is_empty()) {
            (true, true) => TokenStream::new(),
            (_, true) => quote! {
                #begun
                let #listed = [#(#changed_at),*];
                let [#(#changed_names),*] = #container.disjoint_mut(#listed, #site);
            },
            (_, false) => quote! {
                #begun
                let (#listed, #looked_at) = ([#(#changed_at),*], [#(#read_at),*]);
                let ([#(#changed_names),*], [#(#read_names),*]) = #container.changed_and_read(#listed, #looked_at, #site);
            },
        };
        let elements = changed.into_iter().zip(changed_names).chain(read.into_iter().zip(read_names));
        let members =
            elements.flat_map(|(element, name)| element.into_iter().map(move |member| (member, name.clone())));
        let arguments = members.map(|(member, name)| {
            let element: syn::Expr = match any_range && !is_range(&member.index) {
                true => syn::parse_quote!((*#name)[0]),
                false => syn::parse_quote!((*#name)),
            };
            let place = self.with_element(&member.place, &member.index, &element);
            let argument = match (role, member.passed) {
                (_, Passed::Mutable) | (Role::Adjoints, _) => quote!(&mut #place),
                (Role::Tangents, Passed::Value) | (_, Passed::Shared) => quote!(&#place),
                (Role::Values, Passed::Value) => quote!(#place),
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

/// Whether two parts of the state may have an element in common: they part at no field.
fn may_overlap(a: &syn::Expr, b: &syn::Expr) -> bool {
    let same_field = |(a, b): (&Option<String>, &Option<String>)| a.is_none() || b.is_none() || a == b;
    fields(a).iter().zip(&fields(b)).all(same_field)
}

/// The way to a part of the state: the names of fields, and `None` for an index.
fn fields(place: &syn::Expr) -> Vec<Option<String>> {
    let (base, step) = match place {
        syn::Expr::Field(field) => (&field.base, Some(Some(field.member.to_token_stream().to_string()))),
        syn::Expr::Index(index) => (&index.expr, Some(None)),
        syn::Expr::Unary(unary) => (&unary.expr, None),
        syn::Expr::Paren(inner) => (&inner.expr, None),
        _ => return Vec::new(),
    };
    fields(base).into_iter().chain(step).collect()
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
