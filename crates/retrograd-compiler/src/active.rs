//! `#[derive(Active)]`: a struct's shadow, its zero, accumulation, and flattening into and out of a vector.
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
//! A struct is also `Recordable`, if all of its fields are.
//!
//! Bounds are about the types of fields. Where rustc would have to find a bound again that is about an associated type of those,
//! the runtime has a trait for it, such as `AddShadow` here.

mod arithmetic;
mod implement;
mod model;
mod numbers;
mod own;
mod recordable;
mod shadowed;
mod types;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Ident};

use crate::diagnostics::Diagnostics;
use model::{Model, Shape};
pub use recordable::derive_recordable;
use recordable::{Bounds, recordable};

/// `#[derive(Active)]` on a struct. Errors come out as `compile_error!`s, beside what keeps them from spreading.
pub fn derive_active(item: TokenStream) -> TokenStream {
    crate::panics::guarded(item, expand)
}

fn expand(item: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.to_compile_error(),
    };
    let diagnostics = Diagnostics::default();
    let fields = match &item.data {
        Data::Struct(data) => Some(&data.fields),
        Data::Enum(data) => {
            no_struct(&data.enum_token, &item.ident, "an `enum`", &diagnostics);
            None
        }
        Data::Union(data) => {
            no_struct(&data.union_token, &item.ident, "a `union`", &diagnostics);
            None
        }
    };
    let Options { shadow, linear } = options(&item.attrs, &diagnostics);
    let mut tokens = match fields {
        Some(fields) => {
            fields.iter().for_each(|field| check_attributes(field, &diagnostics));
            let mut model = Model::new(&item, fields, shadow);
            if matches!(model.shape, Shape::Same) && !check_bounds(&item, &diagnostics) {
                model.shape = Shape::Own(model::shadow_name(&item.ident));
            }
            let impls = struct_impls(&model);
            let linear = linear.then(|| arithmetic::linear(&model));
            let recordable = recordable(&item, Bounds::OfAll);
            quote!(#impls #linear #recordable)
        }
        None => shadowed::inert(&item),
    };
    if let Err(errors) = diagnostics.finish() {
        tokens.extend(errors.to_compile_error());
    }
    crate::expand::dump(&item.ident, &tokens);
    tokens
}

fn struct_impls(model: &Model) -> TokenStream {
    let active = numbers::active(model);
    let shadowed = shadowed::shadowed(model);
    let shadow = match &model.shape {
        Shape::Same => arithmetic::same(model),
        Shape::Own(name) => own::shadow(model, name),
    };
    quote!(#active #shadowed #shadow)
}

fn no_struct(keyword: &impl ToTokens, name: &Ident, kind: &str, diagnostics: &Diagnostics) {
    let message = format!(
        "derivatives flow through structs, and the fields of {kind} are not always there; keep the numbers in a struct, and what \
         is left of this in one of its fields, marked `#[constant]`"
    );
    diagnostics.push(syn::Error::new_spanned(quote!(#keyword #name), message));
}

/// What stands in `#[active(..)]` on the struct.
#[derive(Default)]
struct Options {
    /// `shadow = Name`: the name of the shadow.
    shadow: Option<Ident>,
    /// `linear`: its operators act number by number.
    linear: bool,
}

fn options(attrs: &[syn::Attribute], diagnostics: &Diagnostics) -> Options {
    let mut options = Options::default();
    for attribute in attrs {
        if attribute.path().is_ident("active") {
            let result = attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("linear") {
                    options.linear = true;
                } else if meta.path.is_ident("shadow") {
                    options.shadow = Some(meta.value()?.parse()?);
                } else {
                    return Err(meta.error(
                        "`#[active]` knows `shadow = Name`, the name of a struct to be made, and `linear`, if `+` and `-` of the struct \
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
            let message = "`#[active(shadow = Name)]` goes on the struct; on a field there is `#[constant]`";
            diagnostics.push(syn::Error::new_spanned(attribute, message));
        } else if attribute.path().is_ident("constant") && attribute.meta.require_path_only().is_err() {
            diagnostics.push(syn::Error::new_spanned(attribute, "`#[constant]` has no options"));
        }
    }
}

/// A struct that is its own shadow has no bounds on its type parameters: the shadow of a number need not be a number.
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
