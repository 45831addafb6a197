//! Values taken apart: a `match` with an arm for each variant, and one for a struct.
//!
//! ```text
//! match self { Self::Circle { 0: field_0, .. } => .., Self::Square { side: field_1, .. } => .. }
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Ident;

use super::model::{Field, Model, Variant};

/// A variant, and its fields.
pub(super) struct Apart<'m, 'a> {
    pub(super) variant: &'m Variant<'a>,
    pub(super) fields: Vec<&'m Field<'a>>,
}

impl Apart<'_, '_> {
    /// `of { x: .., y: .. }` with a value for each field.
    pub(super) fn made(&self, of: &TokenStream, value: impl Fn(&Field) -> TokenStream) -> TokenStream {
        let path = self.path(of);
        let members = self.fields.iter().map(|field| &field.member);
        let values = self.fields.iter().map(|field| value(field));
        quote!(#path { #(#members: #values,)* })
    }

    /// The variant of the type `of`.
    pub(super) fn path(&self, of: &TokenStream) -> TokenStream {
        let name = self.variant.name.iter();
        quote!(#of #(:: #name)*)
    }

    /// The name of the variant or, of a struct, `whole`.
    pub(super) fn name(&self, whole: &Ident) -> String {
        let name = self.variant.name.unwrap_or(whole).to_string();
        name.trim_start_matches("r#").to_owned()
    }

    /// A pattern that gives names to the fields for which there is one.
    fn pattern(&self, of: &TokenStream, name: impl Fn(&Field) -> Option<Ident>) -> TokenStream {
        let path = self.path(of);
        let named = self.fields.iter().filter_map(|field| {
            let (member, name) = (&field.member, name(field)?);
            Some(quote!(#member: #name,))
        });
        quote!(#path { #(#named)* .. })
    }
}

impl<'a> Model<'a> {
    /// All variants with their fields.
    pub(super) fn apart(&self) -> impl Iterator<Item = Apart<'_, 'a>> {
        self.variants.iter().enumerate().map(|(number, variant)| {
            let fields = self.fields.iter().filter(|field| field.variant == number).collect();
            Apart { variant, fields }
        })
    }

    /// `match value { .. }` over the variants of the type `of`, with names for the fields that are `used`.
    pub(super) fn matched(
        &self,
        value: &dyn ToTokens,
        of: &TokenStream,
        used: impl Fn(&Field) -> bool,
        arm: impl Fn(&Apart) -> TokenStream,
    ) -> TokenStream {
        let arms = self.apart().map(|apart| {
            let pattern = apart.pattern(of, |field| used(field).then(|| field.name.clone()));
            let arm = arm(&apart);
            quote!(#pattern => { #arm })
        });
        quote!(match #value { #(#arms)* })
    }

    /// `match (value, other) { .. }` where both are of the same variant, and `otherwise`. The second value is of type `of_other`.
    pub(super) fn matched_pair(
        &self,
        (value, of): (TokenStream, &TokenStream),
        (other, of_other): (TokenStream, &TokenStream),
        used: [&dyn Fn(&Field) -> bool; 2],
        arm: impl Fn(&Apart) -> TokenStream,
        otherwise: TokenStream,
    ) -> TokenStream {
        let arms = self.apart().map(|apart| {
            let one = apart.pattern(of, |field| used[0](field).then(|| field.name.clone()));
            let two = apart.pattern(of_other, |field| used[1](field).then(|| field.other.clone()));
            let arm = arm(&apart);
            quote!((#one, #two) => { #arm })
        });
        let otherwise = (self.variants.len() > 1).then(|| quote!(_ => #otherwise));
        quote!(match (#value, #other) { #(#arms)* #otherwise })
    }
}
