//! Types as they are written: which are numbers, and what shadows of them are called.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit::Visit;

pub(super) struct Mentions<'a> {
    pub(super) name: &'a Ident,
    pub(super) found: bool,
}

impl<'ast> Visit<'ast> for Mentions<'_> {
    fn visit_ident(&mut self, ident: &'ast Ident) {
        self.found |= ident == self.name;
    }
}

/// Whether a type has the name of an inactive type, of the standard library or of retrograd, that a user might give to his own.
pub(super) fn may_be_another(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|last| {
        last.ident == "String" || last.ident == "InformationBuffer" || last.ident.to_string().starts_with("Range")
    })
}

/// Whether a type is that of the program's numbers.
pub(super) fn is_number(ty: &syn::Type, numbers: &[Ident]) -> bool {
    let name = match ty {
        syn::Type::Path(path) => path.path.get_ident(),
        _ => None,
    };
    name.is_some_and(|name| numbers.contains(name) || name == "f64" || name == "f32") || is_named_number(ty, numbers)
}

/// Whether a type is written as one of the number types of this library, and not made of the numbers that a program is generic in.
pub(super) fn is_named_number(ty: &syn::Type, numbers: &[Ident]) -> bool {
    const NAMED: &[&str] = &["Dual", "Fixed", "Lanes", "LogNumber", "Taylor", "Traced"];
    let syn::Type::Path(path) = ty else { return false };
    let mentioned = |name: &Ident| {
        let mut mentions = Mentions { name, found: false };
        mentions.visit_type(ty);
        mentions.found
    };
    path.path.segments.last().is_some_and(|last| NAMED.iter().any(|name| last.ident == name))
        && !numbers.iter().any(mentioned)
}

/// The number types of this library in a type, each once.
pub(super) struct NamedNumbers<'a> {
    pub(super) generic: &'a [Ident],
    pub(super) found: Vec<syn::Type>,
}

impl Visit<'_> for NamedNumbers<'_> {
    fn visit_type(&mut self, ty: &syn::Type) {
        if !is_named_number(ty, self.generic) {
            syn::visit::visit_type(self, ty);
        } else if !self.found.iter().any(|known| quote!(#known).to_string() == quote!(#ty).to_string()) {
            self.found.push(ty.clone());
        }
    }
}

/// Whether a type shows its numbers: a number, or arrays, slices and `Vec`s of such.
pub(super) fn is_plain(ty: &syn::Type, numbers: &[Ident]) -> bool {
    match ty {
        syn::Type::Slice(slice) => is_plain(&slice.elem, numbers),
        syn::Type::Array(array) => is_plain(&array.elem, numbers),
        _ => is_number(ty, numbers) || vec_element(ty).is_some_and(|element| is_plain(element, numbers)),
    }
}

/// The type of the elements of a `Vec`.
fn vec_element(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Vec")?;
    match &last.arguments {
        syn::PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            syn::GenericArgument::Type(element) => Some(element),
            _ => None,
        },
        _ => None,
    }
}

/// The type of the elements of a `Vec`, to be changed.
pub(super) fn vec_element_mut(ty: &mut syn::Type) -> Option<&mut syn::Type> {
    vec_element(ty)?;
    let syn::Type::Path(path) = ty else { return None };
    match &mut path.path.segments.last_mut()?.arguments {
        syn::PathArguments::AngleBracketed(arguments) => match arguments.args.first_mut()? {
            syn::GenericArgument::Type(element) => Some(element),
            _ => None,
        },
        _ => None,
    }
}

/// The shadow of a type, spelled out where that is plain.
pub(super) fn shadow_type(ty: &syn::Type, number: &TokenStream, numbers: &[Ident]) -> TokenStream {
    match ty {
        syn::Type::Slice(slice) => {
            let element = owned_type(&slice.elem, number, numbers);
            quote!([#element])
        }
        _ => owned_or(ty, number, numbers, "Shadow"),
    }
}

/// The owned shadow of a type.
pub(super) fn owned_type(ty: &syn::Type, number: &TokenStream, numbers: &[Ident]) -> TokenStream {
    match ty {
        syn::Type::Slice(slice) => {
            let element = owned_type(&slice.elem, number, numbers);
            quote!(::retrograd::private::Vec<#element>)
        }
        _ => owned_or(ty, number, numbers, "Owned"),
    }
}

fn owned_or(ty: &syn::Type, number: &TokenStream, numbers: &[Ident], other: &str) -> TokenStream {
    match ty {
        syn::Type::Array(array) => {
            let (element, len) = (owned_type(&array.elem, number, numbers), &array.len);
            quote!([#element; #len])
        }
        syn::Type::Path(_) if vec_element(ty).is_some_and(|element| is_plain(element, numbers)) => {
            let element = vec_element(ty).map(|element| owned_type(element, number, numbers));
            quote!(::retrograd::private::Vec<#element>)
        }
        _ if is_number(ty, numbers) => number.clone(),
        _ => {
            let other = format_ident!("{other}");
            quote!(<#ty as ::retrograd::private::Shadowed<#number>>::#other)
        }
    }
}

/// Whether there is a reference or a lifetime in a type.
pub(super) fn is_borrowed(ty: &syn::Type) -> bool {
    let mut borrowed = Borrowed(false);
    borrowed.visit_type(ty);
    borrowed.0
}

struct Borrowed(bool);

impl Visit<'_> for Borrowed {
    fn visit_type_reference(&mut self, _: &syn::TypeReference) {
        self.0 = true;
    }
    fn visit_lifetime(&mut self, _: &syn::Lifetime) {
        self.0 = true;
    }
}
