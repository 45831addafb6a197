//! Questions to the type of a field, answered by its syntax.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{GenericArgument, Generics, Ident, PathArguments, Type};

use crate::signature;
use crate::signature::numbers::{Numbers, is_inert};

/// Containers whose numbers are those of their one type argument.
const CONTAINERS: [&str; 4] = ["Vec", "Option", "Box", "Stack"];

/// All names in a piece of syntax; a lifetime has its quote.
pub(super) fn names(syntax: &impl ToTokens) -> BTreeSet<String> {
    fn collect(tokens: TokenStream, names: &mut BTreeSet<String>) {
        let mut quote = false;
        for token in tokens {
            match &token {
                TokenTree::Group(group) => collect(group.stream(), names),
                TokenTree::Ident(ident) if quote => drop(names.insert(format!("'{ident}"))),
                TokenTree::Ident(ident) => drop(names.insert(ident.to_string())),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            quote = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '\'');
        }
    }
    let mut found = BTreeSet::new();
    collect(syntax.to_token_stream(), &mut found);
    found
}

/// `<ty as of>::item`, which an error underlines as `ty`.
pub(super) fn qualified(ty: &Type, of: TokenStream, item: &str) -> TokenStream {
    let crate::span::Span { first, last } = crate::span::Span::of(ty);
    let item = Ident::new(item, last);
    let (begin, end) = (quote_spanned!(first=> <), spanned(quote!(as #of>::#item), last));
    quote!(#begin #ty #end)
}

/// `ty: of`, which an error underlines as `ty`.
pub(super) fn bound(ty: &Type, of: TokenStream) -> TokenStream {
    let crate::span::Span { last, .. } = crate::span::Span::of(ty);
    let of = spanned(quote!(: #of), last);
    quote!(#ty #of)
}

fn spanned(tokens: TokenStream, span: Span) -> TokenStream {
    let set = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = TokenTree::Group(proc_macro2::Group::new(group.delimiter(), spanned(group.stream(), span)));
        }
        token.set_span(span);
        token
    };
    tokens.into_iter().map(set).collect()
}

/// Whether a reference or a lifetime occurs in a type.
pub(super) fn borrows(ty: &Type) -> bool {
    fn search(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Group(group) => search(group.stream()),
            TokenTree::Punct(punct) => matches!(punct.as_char(), '&' | '\''),
            TokenTree::Ident(_) | TokenTree::Literal(_) => false,
        })
    }
    search(ty.to_token_stream())
}

/// Whether two types are written alike.
pub(super) fn same(one: &Type, other: &Type) -> bool {
    one.to_token_stream().to_string() == other.to_token_stream().to_string()
}

/// The name of a generic parameter, as [`names`] finds it.
pub(super) fn parameter(parameter: &syn::GenericParam) -> String {
    match parameter {
        syn::GenericParam::Lifetime(parameter) => parameter.lifetime.to_string(),
        syn::GenericParam::Type(parameter) => parameter.ident.to_string(),
        syn::GenericParam::Const(parameter) => parameter.ident.to_string(),
    }
}

/// Whether a type parameter occurs in a piece of syntax.
pub(super) fn mentions(syntax: &impl ToTokens, parameter: &Ident) -> bool {
    names(syntax).contains(&parameter.to_string())
}

/// Whether one of the type parameters occurs in a piece of syntax.
pub(super) fn mentions_a_type(syntax: &impl ToTokens, generics: &Generics) -> bool {
    generics.type_params().any(|parameter| mentions(syntax, &parameter.ident))
}

/// A type without the references around it.
pub(super) struct Behind<'a> {
    pub(super) ty: &'a Type,
    /// How many references there are.
    pub(super) depth: usize,
    /// Whether one of them is shared, so that what is behind it cannot be changed.
    pub(super) shared: bool,
}

pub(super) fn behind_references(ty: &Type) -> Behind<'_> {
    match ty {
        Type::Reference(reference) => {
            let Behind { ty, depth, shared } = behind_references(&reference.elem);
            Behind { ty, depth: depth + 1, shared: shared || reference.mutability.is_none() }
        }
        Type::Paren(paren) => behind_references(&paren.elem),
        Type::Group(group) => behind_references(&group.elem),
        _ => Behind { ty, depth: 0, shared: false },
    }
}

fn last_segment(ty: &Type) -> Option<&syn::PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

/// Whether no derivative flows through the type, whatever it contains.
pub(super) fn is_inactive(ty: &Type) -> bool {
    is_inert(&signature::types::read(ty))
}

/// Whether the type is of that name, whatever its arguments.
pub(super) fn is_named(ty: &Type, name: &Ident) -> bool {
    last_segment(ty).is_some_and(|segment| segment.ident == *name)
}

/// Whether the type is `PhantomData<..>`.
pub(super) fn is_phantom(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|segment| segment.ident == "PhantomData")
}

/// What the numbers of a type belong to, behind the containers around it: `T` for `Vec<[T; 3]>`, nothing for `[usize; 2]`.
pub(super) fn base(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Array(array) => base(&array.elem),
        Type::Slice(slice) => base(&slice.elem),
        Type::Paren(paren) => base(&paren.elem),
        Type::Group(group) => base(&group.elem),
        Type::Reference(reference) => base(&reference.elem),
        Type::Tuple(tuple) if tuple.elems.is_empty() => None,
        _ if is_inactive(ty) => None,
        _ => contained(ty).map_or(Some(ty), base),
    }
}

/// The type of the elements of a known container; that of `Slots` comes after the keys.
fn contained(ty: &Type) -> Option<&Type> {
    let segment = last_segment(ty)?;
    let PathArguments::AngleBracketed(list) = &segment.arguments else { return None };
    let element = match list.args.len() {
        1 if CONTAINERS.iter().any(|name| segment.ident == name) => list.args.first(),
        2 if segment.ident == "Slots" => list.args.last(),
        _ => None,
    };
    match element? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}

/// Whether a type without parameters, made of numbers, has them in place: arrays do, vectors do not.
pub(super) fn is_in_place(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_in_place(&array.elem),
        Type::Paren(paren) => is_in_place(&paren.elem),
        Type::Group(group) => is_in_place(&group.elem),
        _ => contained(ty).is_none() && matches!(ty, Type::Path(_)),
    }
}

/// Whether the type is one of the numbers that everybody has.
pub(super) fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.get_ident().is_some_and(|name| Numbers::default().contains(name)))
}

/// Whether the type is a number or a type parameter, or made of them by arrays and known containers.
pub(super) fn is_plain(ty: &Type, generics: &Generics) -> bool {
    // What is true of `Slots` depends on their keys.
    let known = !names(ty).contains("Slots");
    known && base(ty).is_none_or(|base| is_number(base) || is_parameter(base, generics))
}

/// Whether the type is such, or a tuple of such.
pub(super) fn is_plain_or_tuple(ty: &Type, generics: &Generics) -> bool {
    match ty {
        Type::Tuple(tuple) => tuple.elems.iter().all(|part| is_plain_or_tuple(part, generics)),
        _ => is_plain(ty, generics),
    }
}

/// Whether the type is a type parameter.
pub(super) fn is_parameter(ty: &Type, generics: &Generics) -> bool {
    let ident = match ty {
        Type::Path(path) => path.path.get_ident(),
        _ => None,
    };
    ident.is_some_and(|ident| is_type_parameter(ident, generics))
}

fn is_type_parameter(ident: &Ident, generics: &Generics) -> bool {
    generics.type_params().any(|parameter| parameter.ident == *ident)
}

/// Whether the shadow of a field may be of the field's type, with the type parameters replaced.
///
/// It is not where the type refers, points or projects: these are shadowed by something else.
pub(super) fn can_be_replaced(ty: &Type, generics: &Generics) -> bool {
    struct Search<'a> {
        generics: &'a Generics,
        fits: bool,
    }
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_type(&mut self, ty: &'ast Type) {
            self.fits &= match ty {
                Type::Array(_) | Type::Group(_) | Type::Paren(_) | Type::Slice(_) | Type::Tuple(_) => true,
                Type::Path(path) => {
                    let first = &path.path.segments[0].ident;
                    let projects = path.path.segments.len() > 1 && is_type_parameter(first, self.generics);
                    path.qself.is_none() && !projects
                }
                _ => false,
            };
            visit::visit_type(self, ty);
        }
    }
    let mut search = Search { generics, fits: true };
    search.visit_type(ty);
    search.fits
}

/// The type with each type parameter replaced.
pub(super) fn replaced(ty: &Type, generics: &Generics, replacement: impl Fn(&Ident) -> TokenStream) -> Type {
    let replacement = |ident: &Ident| Type::Verbatim(replacement(ident));
    with_names(ty, |ident| is_type_parameter(ident, generics).then(|| replacement(ident)))
}

/// The type with `Self` by its name.
pub(super) fn without_self(ty: &Type, this: &Type) -> Type {
    with_names(ty, |ident| (ident == "Self").then(|| this.clone()))
}

/// The type with other types in the places of certain names.
fn with_names(ty: &Type, replacement: impl Fn(&Ident) -> Option<Type>) -> Type {
    struct Replace<F>(F);
    impl<F: Fn(&Ident) -> Option<Type>> VisitMut for Replace<F> {
        fn visit_type_mut(&mut self, ty: &mut Type) {
            let ident = match ty {
                Type::Path(path) if path.qself.is_none() => path.path.get_ident(),
                _ => None,
            };
            match ident.and_then(&self.0) {
                Some(other) => *ty = other,
                None => visit_mut::visit_type_mut(self, ty),
            }
        }
    }
    let mut ty = ty.clone();
    Replace(replacement).visit_type_mut(&mut ty);
    ty
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;

    #[test]
    fn numbers_belong_to_what_the_containers_contain() {
        let base = |ty: Type| base(&ty).map(|base| base.to_token_stream().to_string());
        assert_eq!(base(parse_quote!(Vec<Option<[T; 3]>>)).unwrap(), "T");
        assert_eq!(base(parse_quote!(&'a [std::vec::Vec<Camera<T>>])).unwrap(), "Camera < T >");
        assert_eq!(base(parse_quote!(HashMap<u8, f64>)).unwrap(), "HashMap < u8 , f64 >");
        assert!(base(parse_quote!([Vec<usize>; 3])).is_none() && base(parse_quote!(&'a str)).is_none());
    }

    #[test]
    fn names_are_found_in_every_corner() {
        let ty: Type = parse_quote!(&'a [Box<dyn Fn(T) -> [u8; N]>]);
        let names = names(&ty);
        assert!(["'a", "T", "N", "u8"].iter().all(|name| names.contains(*name)) && !names.contains("a"));
    }

    #[test]
    fn parameters_are_replaced_where_they_are_types() {
        let generics: Generics = parse_quote!(<T, const N: usize>);
        let ty: Type = parse_quote!(Vec<([T; N], module::T<T>)>);
        let ty = replaced(&ty, &generics, |_| quote::quote!(S));
        assert_eq!(ty.to_token_stream().to_string(), "Vec < ([S ; N] , module :: T < S >) >");
    }

    #[test]
    fn references_and_projections_are_not_shadowed_by_themselves() {
        let generics: Generics = parse_quote!(<T>);
        for ty in [parse_quote!(&'a T), parse_quote!(Vec<T::Item>), parse_quote!(<T as Trait>::Item)] {
            assert!(!can_be_replaced(&ty, &generics));
        }
        for ty in [parse_quote!(T), parse_quote!((Vec<T>, [T; 3])), parse_quote!(module::Camera<T>)] {
            assert!(can_be_replaced(&ty, &generics));
        }
    }
}
