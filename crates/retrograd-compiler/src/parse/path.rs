//! Paths, literals and generic arguments in the terms of the IR.

use proc_macro2::Ident;
use syn::{GenericArgument, PathArguments};

use crate::ir::{Literal, LiteralKind, LiteralParts, Member, Path, Segment, Syntax};
use crate::signature::types;

/// A path in an expression.
pub(crate) fn expr_path(e: &syn::ExprPath) -> Path {
    let of = e.qself.as_ref().map(|of| (Box::new(types::read(&of.ty)), of.position));
    Path { of, ..path(&e.path) }
}

/// A path without a type in front of it.
pub(crate) fn path(path: &syn::Path) -> Path {
    let segments = path.segments.iter().map(|segment| Segment {
        name: segment.ident.clone(),
        arguments: match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => Some(arguments.args.iter().map(Syntax::of).collect()),
            PathArguments::Parenthesized(arguments) => Some(vec![Syntax::of(arguments)]),
            PathArguments::None => None,
        },
    });
    Path { of: None, global: path.leading_colon.is_some(), segments: segments.collect(), companion: None }
}

/// `::<T, N>` behind the name of a method.
pub(super) fn turbofish(arguments: &syn::AngleBracketedGenericArguments) -> Vec<Syntax> {
    arguments.args.iter().map(|argument: &GenericArgument| Syntax::of(argument)).collect()
}

/// A literal.
pub(super) fn literal(literal: &syn::Lit) -> Literal {
    let kind = match literal {
        syn::Lit::Int(n) => LiteralKind::Integer(n.base10_parse().ok()),
        syn::Lit::Float(float) => float.base10_parse().map_or(LiteralKind::Text, LiteralKind::Float),
        syn::Lit::Bool(bool) => LiteralKind::Bool(bool.value),
        _ => LiteralKind::Text,
    };
    let suffix = Some(literal.suffix()).filter(|suffix| !suffix.is_empty());
    let suffix = suffix.map(|suffix| Ident::new(suffix, literal.span()));
    LiteralParts { kind, written: Syntax::of(literal), suffix, ty: None }.into()
}

/// The name of a field.
pub(super) fn member(member: &syn::Member) -> Member {
    match member {
        syn::Member::Named(name) => Member::Named(name.clone()),
        syn::Member::Unnamed(index) => Member::Index(index.index as usize),
    }
}
