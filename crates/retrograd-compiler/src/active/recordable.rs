//! `Recordable`: a value goes into a record field by field, and comes back in the same order.
//!
//! ```text
//! struct Layer<T> { weights: Vec<T>, size: usize }
//!
//! impl<T> Recordable for Layer<T> where Vec<T>: Recordable {
//!     fn keep(&self, record: &mut Record) { match self { Self { weights: field_0, size: field_1 } => {
//!         usize::keep(field_1, record);
//!         Vec::keep(field_0, record);
//!     } } }
//!     fn recall(record: &mut Record) -> Self { Self { weights: Vec::recall(record), size: usize::recall(record) } }
//!     ..    and the same for shapes
//! }
//! ```
//!
//! An enum also keeps which of its variants it is.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Fields, Generics, Ident, Member, Type};

use super::implement::Implement;
use super::types;

/// `#[derive(Recordable)]` on a struct or an enum.
pub fn derive_recordable(item: TokenStream) -> TokenStream {
    crate::panics::guarded(item, |item| match syn::parse2(item) {
        Ok(item) => expand(&item),
        Err(error) => error.to_compile_error(),
    })
}

fn expand(item: &DeriveInput) -> TokenStream {
    let tokens = match &item.data {
        Data::Struct(_) | Data::Enum(_) => recordable(item, Bounds::OfParameters),
        Data::Union(data) => {
            let (keyword, name) = (&data.union_token, &item.ident);
            let message = "a `union` does not know which of its fields is in use; write an `enum`";
            syn::Error::new_spanned(quote!(#keyword #name), message).to_compile_error()
        }
    };
    crate::expand::dump(&item.ident, &tokens);
    tokens
}

/// Of which fields the `impl` requires that they can be kept.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Bounds {
    /// Those that depend on the parameters. All others have to be `Recordable`, and rustc says which one is not.
    OfParameters,
    /// All: a struct that has a field which cannot be kept is not `Recordable`, and no error.
    OfAll,
}

/// The `impl`.
pub(super) fn recordable(item: &DeriveInput, bounds: Bounds) -> TokenStream {
    let mut generics = item.generics.clone();
    for parameter in &mut generics.params {
        match parameter {
            syn::GenericParam::Type(parameter) => parameter.default = None,
            syn::GenericParam::Const(parameter) => parameter.default = None,
            syn::GenericParam::Lifetime(_) => {}
        }
    }
    let name = &item.ident;
    let (_, arguments, _) = generics.split_for_impl();
    let this: Type = syn::parse_quote!(#name #arguments);
    let variants: Vec<Variant> = match &item.data {
        Data::Struct(data) => vec![Variant::new(quote!(Self), &data.fields, &this)],
        Data::Enum(data) => {
            let variant = |variant: &syn::Variant| {
                let name = &variant.ident;
                Variant::new(quote!(Self::#name), &variant.fields, &this)
            };
            data.variants.iter().map(variant).collect()
        }
        Data::Union(_) => Vec::new(),
    };
    let fields = || variants.iter().flat_map(|variant| &variant.fields);
    // What is borrowed cannot be kept; and if two types differ in lifetimes only, rustc does not know which bound is meant.
    if bounds == Bounds::OfAll && fields().any(|field| types::borrows(&field.ty) && !types::is_phantom(&field.ty)) {
        return TokenStream::new();
    }
    let bounds: Vec<TokenStream> = fields().filter_map(|field| field.bound(name, &generics, bounds)).collect();
    let is_enum = matches!(item.data, Data::Enum(_));
    let (keep, recall) = (keep(&variants, is_enum, "keep"), recall(&variants, is_enum, name, "recall"));
    let keep_shape = self::keep(&variants, is_enum, "keep_shape");
    let recall_shape = self::recall(&variants, is_enum, name, "recall_shape");
    let allow = quote!(#[allow(unused_variables, reason = "there may be no fields")]);
    let record = quote!(record: &mut ::retrograd::private::Record);
    let body = quote! {
        #[inline]
        #allow
        fn keep(&self, #record) { #keep }
        #[inline]
        #allow
        fn recall(#record) -> Self { #recall }
        #[inline]
        #allow
        fn keep_shape(&self, #record) { #keep_shape }
        #[inline]
        #allow
        fn recall_shape(#record) -> Self { #recall_shape }
    };
    Implement::new(&generics).bounds(bounds).body(quote!(::retrograd::private::Recordable), &quote!(#this), body)
}

/// The fields of a struct, or of one variant of an enum.
struct Variant {
    path: TokenStream,
    fields: Vec<Field>,
}

struct Field {
    member: Member,
    ty: Type,
}

impl Variant {
    fn new(path: TokenStream, fields: &Fields, this: &Type) -> Variant {
        let field = |(field, member): (&syn::Field, Member)| Field { member, ty: types::without_self(&field.ty, this) };
        Variant { path, fields: fields.iter().zip(fields.members()).map(field).collect() }
    }
}

impl Field {
    /// What the `impl` requires of this field. A bound on what contains the type itself would be circular, and `PhantomData` can
    /// always be kept.
    fn bound(&self, this: &Ident, generics: &Generics, bounds: Bounds) -> Option<TokenStream> {
        let names = types::names(&self.ty);
        let is_generic = generics.params.iter().any(|parameter| names.contains(&types::parameter(parameter)));
        let of = quote!(::retrograd::private::Recordable);
        if types::is_phantom(&self.ty) || types::base(&self.ty).is_some_and(|base| types::is_named(base, this)) {
            None
        } else if is_generic {
            Some(types::bound(&self.ty, of))
        } else if bounds == Bounds::OfAll {
            // Without the lifetime rustc would look at once whether it holds, and complain if it does not.
            let ty = &self.ty;
            Some(quote!(for<'retrograd> #ty: #of))
        } else {
            None
        }
    }

    /// `<F as Recordable>::method`
    fn method(&self, method: &str) -> TokenStream {
        types::qualified(&self.ty, quote!(::retrograd::private::Recordable), method)
    }
}

fn keep(variants: &[Variant], is_enum: bool, method: &str) -> TokenStream {
    let count = variants.len();
    let arms = variants.iter().enumerate().map(|(number, Variant { path, fields })| {
        let names: Vec<Ident> = (0..fields.len()).map(|field| format_ident!("field_{field}")).collect();
        let members = fields.iter().map(|field| &field.member);
        // In reverse, because a record is a stack.
        let calls = fields.iter().zip(&names).rev().map(|(field, name)| {
            let method = field.method(method);
            quote!(#method(#name, record);)
        });
        let which = is_enum.then(|| quote!(::retrograd::private::keep_variant(#number, #count, record);));
        quote!(#path { #(#members: #names),* } => { #(#calls)* #which })
    });
    // An enum without variants is behind its reference.
    let this = if count == 0 { quote!(*self) } else { quote!(self) };
    quote!(match #this { #(#arms)* })
}

fn recall(variants: &[Variant], is_enum: bool, name: &Ident, method: &str) -> TokenStream {
    let count = variants.len();
    let mut values = variants.iter().map(|Variant { path, fields }| {
        let members = fields.iter().map(|field| &field.member);
        let methods = fields.iter().map(|field| field.method(method));
        quote!(#path { #(#members: #methods(record)),* })
    });
    if is_enum {
        let (numbers, name) = (0..count, name.to_string());
        quote! {
            match ::retrograd::private::recall_variant(#count, record) {
                #(#numbers => #values,)*
                _ => ::retrograd::private::no_variant(#name, record),
            }
        }
    } else {
        values.next().unwrap_or_else(|| quote!(Self {}))
    }
}
