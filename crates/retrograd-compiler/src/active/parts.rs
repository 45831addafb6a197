//! The fields of the variants of an enum, by their index: derivatives reach them by it.
//!
//! ```text
//! impl<S> Index<Part<CIRCLE, 0>> for ShapeShadow<S> where .. { .. }    and IndexMut
//! ```

use proc_macro2::TokenStream;
use quote::quote;

use super::implement::Implement;
use super::model::{Field, Model, Shape};
use super::own::Own;
use super::shadowed::path_of;
use crate::variants::part_of;

/// The parts of the shadow. A struct has fields instead.
pub(super) fn parts(model: &Model) -> TokenStream {
    let part = |field: &Field| {
        let name = model.variants[field.variant].name?;
        let name_of_variant = name.to_string();
        let part = part_of(&name_of_variant, &path_of(&field.member));
        let part = quote!(::retrograd::private::#part);
        let (this, ty) = match &model.shape {
            Shape::Same => {
                let ty = &field.ty;
                (model.this(), quote!(#ty))
            }
            Shape::Own(shadow) => {
                let own = Own::new(model, shadow);
                (own.this(), own.field(field))
            }
        };
        let member = &field.member;
        let otherwise =
            (model.variants.len() > 1).then(|| quote!(_ => ::retrograd::private::no_such_part(#name_of_variant),));
        let reached = quote!(match self { Self::#name { #member: part, .. } => part, #otherwise });
        let shared = quote! {
            type Output = #ty;
            #[inline(always)]
            #[track_caller]
            fn index(&self, _: #part) -> &#ty {
                #reached
            }
        };
        let mutable = quote! {
            #[inline(always)]
            #[track_caller]
            fn index_mut(&mut self, _: #part) -> &mut #ty {
                #reached
            }
        };
        let shared = implement(model, quote!(::core::ops::Index<#part>), &this, shared);
        let mutable = implement(model, quote!(::core::ops::IndexMut<#part>), &this, mutable);
        Some(quote!(#shared #mutable))
    };
    model.fields.iter().filter_map(part).collect()
}

fn implement(model: &Model, of: TokenStream, this: &TokenStream, body: TokenStream) -> TokenStream {
    match &model.shape {
        Shape::Same => Implement::new(&model.generics).body(of, this, body),
        Shape::Own(shadow) => Own::new(model, shadow).header().body(of, this, body),
    }
}
