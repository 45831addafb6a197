//! From the syntax of a type to what the compiler knows of it.

use crate::ir::{Syntax, Type, TypeKind};

/// Reads a type.
pub fn read(ty: &syn::Type) -> Type {
    let kind = match ty {
        syn::Type::Paren(inner) => return read(&inner.elem),
        syn::Type::Group(inner) => return read(&inner.elem),
        syn::Type::Reference(r) => TypeKind::Reference { mutable: r.mutability.is_some(), of: Box::new(read(&r.elem)) },
        syn::Type::Slice(slice) => TypeKind::Slice(Box::new(read(&slice.elem))),
        syn::Type::Array(array) => TypeKind::Array { of: Box::new(read(&array.elem)), len: Syntax::of(&array.len) },
        syn::Type::Tuple(tuple) => TypeKind::Tuple(tuple.elems.iter().map(read).collect()),
        syn::Type::Path(path) if path.qself.is_none() => named(&path.path),
        _ => TypeKind::Other,
    };
    Type::new(kind, Syntax::of(ty))
}

fn named(path: &syn::Path) -> TypeKind {
    let Some(last) = path.segments.last() else { return TypeKind::Other };
    let arguments = match &last.arguments {
        syn::PathArguments::AngleBracketed(arguments) => arguments
            .args
            .iter()
            .filter_map(|argument| match argument {
                syn::GenericArgument::Type(ty) => Some(read(ty)),
                _ => None,
            })
            .collect(),
        syn::PathArguments::None => Vec::new(),
        syn::PathArguments::Parenthesized(_) => return TypeKind::Other,
    };
    TypeKind::Named { name: last.ident.clone(), bare: path.get_ident().is_some(), arguments }
}
