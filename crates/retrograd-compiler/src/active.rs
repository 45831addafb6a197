//! `#[derive(Active)]`: the shadow of a struct or an enum, its zero, accumulation, and flattening into and out of a vector.
//!
//! Two kinds of structs have two kinds of shadows. A struct that is made of its type parameters is its own shadow:
//!
//! ```text
//! struct Camera<T> { rotation: [T; 3], focal: T }
//!
//! impl<T: Active<Shadow: Sized>> Active for Camera<T> { type Shadow = Camera<T::Shadow>; type Number = T::Number; .. }
//! impl<T: Shadowed<S>, S> Shadowed<S> for Camera<T>   { type Shadow = Camera<T::Owned>; .. }
//! impl<T> AddFrom<Camera<T>> for Camera<T> where [T; 3]: AddFrom<[T; 3]>, T: AddFrom<T> { .. }    and Join, Negate
//! ```
//!
//! Any other has a shadow beside it, with a field for each field; the scalar of the sweep comes last, after what the fields need:
//!
//! ```text
//! struct Layer<T> { weights: Vec<T>, size: usize }
//!
//! struct LayerShadow<T, S = <T as Active>::Shadow> where Vec<T>: Shadowed<S> {
//!     weights: <Vec<T> as Shadowed<S>>::Owned,
//!     size: (),
//! }
//! impl<T, S> Shadowed<S> for Layer<T> where Vec<T>: Shadowed<S>           { type Shadow = LayerShadow<T, S>; .. }    and Active
//! impl<T, S> AddFrom<Self> for LayerShadow<T, S> where Vec<T>: AddShadow<S> { .. }    and Join, Negate, Clone, Active, ..
//! impl<T, S, R, Q> Shadowed<R> for LayerShadow<T, S> where S: Shadowed<R, Owned = Q>, Vec<T>: Twice<S, R, Q> {
//!     type Shadow = LayerShadow<T, Q>; ..
//! }
//! ```
//!
//! The shadow of an enum is an enum with the same variants, of either kind; a value and its shadow are always of the same one. Parts of
//! a variant are reached by an index, `shadow[Part::<CIRCLE, 0>]`. Every `impl` here takes values apart by a `match`, in which a struct
//! is an enum with one variant.
//!
//! What is derived is also `Recordable`, if all of its fields are.
//!
//! Bounds are about the types of fields. Where rustc would have to find a bound again that is about an associated type of those,
//! the runtime has a trait for it, such as `AddShadow` here.

mod apart;
mod arithmetic;
mod implement;
mod model;
mod numbers;
mod own;
mod parts;
mod recordable;
mod shadowed;
mod types;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Fields, Ident};

use crate::diagnostics::Diagnostics;
use model::{Model, Shape};
pub use recordable::derive_recordable;
use recordable::{Bounds, recordable};

/// `#[derive(Active)]` on a struct or an enum. Errors come out as `compile_error!`s, beside what keeps them from spreading.
pub fn derive_active(item: TokenStream) -> TokenStream {
    crate::panics::guarded(item, expand)
}

fn expand(item: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    let diagnostics = Diagnostics::default();
    let parts: Vec<(Option<&Ident>, &Fields)> = match &item.data {
        Data::Struct(data) => vec![(None, &data.fields)],
        Data::Enum(data) => data.variants.iter().map(|variant| (Some(&variant.ident), &variant.fields)).collect(),
        Data::Union(_) => Vec::new(),
    };
    if parts.is_empty() {
        no_fields(&item, &diagnostics);
    }
    let Options { shadow, linear } = options(&item, &diagnostics);
    let mut tokens = match parts.is_empty() {
        false => {
            parts.iter().flat_map(|(_, fields)| *fields).for_each(|field| check_attributes(field, &diagnostics));
            let mut model = Model::new(&item, &parts, shadow);
            if matches!(model.shape, Shape::Same) && !check_bounds(&item, &diagnostics) {
                model.shape = Shape::Own(model::shadow_name(&item.ident));
            }
            let impls = impls(&model);
            let linear = linear.then(|| arithmetic::linear(&model));
            let recordable = recordable(&item, Bounds::OfAll);
            quote!(#impls #linear #recordable)
        }
        true => shadowed::inert(&item),
    };
    if let Err(errors) = diagnostics.finish() {
        tokens.extend(errors.to_compile_error());
    }
    crate::expand::dump(&item.ident, &tokens);
    tokens
}

fn impls(model: &Model) -> TokenStream {
    let active = numbers::active(model);
    let shadowed = shadowed::shadowed(model);
    let shadow = match &model.shape {
        Shape::Same => arithmetic::same(model),
        Shape::Own(name) => own::shadow(model, name),
    };
    let parts = parts::parts(model);
    quote!(#active #shadowed #shadow #parts)
}

/// Reports what has no fields that could be told apart.
fn no_fields(item: &DeriveInput, diagnostics: &Diagnostics) {
    let (name, keyword, message) = match &item.data {
        Data::Union(data) => (
            &item.ident,
            data.union_token.to_token_stream(),
            "a `union` does not know which of its fields is in use; write an `enum`",
        ),
        Data::Enum(data) => (
            &item.ident,
            data.enum_token.to_token_stream(),
            "an `enum` without variants has no values, and nothing has a derivative",
        ),
        Data::Struct(_) => return,
    };
    diagnostics.push(syn::Error::new_spanned(quote!(#keyword #name), message));
}

/// What stands in `#[active(..)]` on the type.
#[derive(Default)]
struct Options {
    /// `shadow = Name`: the name of the shadow.
    shadow: Option<Ident>,
    /// `linear`: its operators act number by number.
    linear: bool,
}

fn options(item: &DeriveInput, diagnostics: &Diagnostics) -> Options {
    let mut options = Options::default();
    let is_enum = matches!(item.data, Data::Enum(_));
    for attribute in &item.attrs {
        if attribute.path().is_ident("active") {
            let result = attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("linear") && is_enum {
                    return Err(meta.error("two variants of an `enum` cannot be added number by number; `linear` goes on a struct"));
                } else if meta.path.is_ident("linear") {
                    options.linear = true;
                } else if meta.path.is_ident("shadow") {
                    options.shadow = Some(meta.value()?.parse()?);
                } else {
                    return Err(meta.error(
                        "`#[active]` knows `shadow = Name`, the name of a type to be made, and `linear`, if `+` and `-` of the struct \
                         act number by number",
                    ));
                }
                Ok(())
            });
            result.unwrap_or_else(|error| diagnostics.push(error));
        } else if attribute.path().is_ident("constant") {
            let message = "`#[constant]` goes on a field, through which no derivative is to flow";
            diagnostics.push(syn::Error::new_spanned(attribute, message));
        }
    }
    options
}

fn check_attributes(field: &syn::Field, diagnostics: &Diagnostics) {
    for attribute in &field.attrs {
        if attribute.path().is_ident("active") {
            let message = "`#[active(shadow = Name)]` goes on the type; on a field there is `#[constant]`";
            diagnostics.push(syn::Error::new_spanned(attribute, message));
        } else if attribute.path().is_ident("constant") && attribute.meta.require_path_only().is_err() {
            diagnostics.push(syn::Error::new_spanned(attribute, "`#[constant]` has no options"));
        }
    }
}

/// A type that is its own shadow has no bounds on its type parameters: the shadow of a number need not be a number.
fn check_bounds(item: &DeriveInput, diagnostics: &Diagnostics) -> bool {
    let (name, shadow) = (&item.ident, model::shadow_name(&item.ident));
    let mut fits = true;
    let mut refuse = |parameter: &dyn ToTokens, bound: &dyn ToTokens| {
        fits = false;
        let message = format!(
            "the shadow of `{name}` is `{name}` with the shadow of `{parameter}` in its place, which is not bound to be \
             `{bound}`; move the bound to the `impl`s and functions that need it, or write `#[active(shadow = {shadow})]` \
             for a shadow of another type",
            parameter = parameter.to_token_stream(),
            bound = bound.to_token_stream(),
        );
        diagnostics.push(syn::Error::new_spanned(bound.to_token_stream(), message));
    };
    for parameter in item.generics.type_params().filter(|parameter| !parameter.bounds.is_empty()) {
        refuse(&parameter.ident, &parameter.bounds);
    }
    for predicate in item.generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if let syn::WherePredicate::Type(predicate) = predicate
            && types::mentions_a_type(&predicate.bounded_ty, &item.generics)
        {
            refuse(&predicate.bounded_ty, &predicate.bounds);
        }
    }
    fits
}
