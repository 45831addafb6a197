//! `AddFrom`, `Join` and `Negate` for a shadow, field by field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Member;

use super::implement::Implement;
use super::model::{Model, Role};
use super::own::Own;

/// A field that takes part, with its type where a bound may say something about it.
type Part<'a> = (&'a Member, Option<TokenStream>);

/// For a struct that is its own shadow.
pub(super) fn same(model: &Model) -> TokenStream {
    let part = |field: &super::model::Field| {
        let ty = &field.ty;
        (!field.recursive).then(|| quote!(#ty))
    };
    let parts: Vec<Part> = model.active().map(|field| (&field.member, part(field))).collect();
    arithmetic(model, &parts, &model.this(), || Implement::new(&model.generics))
}

/// For a shadow that is a struct of its own.
pub(super) fn own(own: &Own) -> TokenStream {
    let ty = |field: &super::model::Field| (!field.recursive).then(|| own.field(field));
    let parts: Vec<Part> = own.model.active().map(|field| (&field.member, ty(field))).collect();
    arithmetic(own.model, &parts, &own.this(), || own.header())
}

/// Where nothing is added, the field stays as it is.
fn arithmetic<'a>(
    model: &'a Model,
    parts: &[Part],
    this: &TokenStream,
    header: impl Fn() -> Implement<'a>,
) -> TokenStream {
    let add_from = quote!(::retrograd::private::AddFrom);
    let (join, negate) = (quote!(::retrograd::private::Join), quote!(::retrograd::private::Negate));
    let lifetime = &model.lifetime;
    let members: Vec<&Member> = parts.iter().map(|(member, _)| *member).collect();
    let still = model.fields.iter().filter(|field| field.role != Role::Active).map(|field| &field.member);
    let still: Vec<&Member> = still.collect();
    let bounds = |bound: &dyn Fn(&TokenStream) -> TokenStream| {
        parts.iter().filter_map(|(_, ty)| ty.as_ref().map(bound)).collect::<Vec<_>>()
    };
    let accumulate = |borrow: TokenStream, g: TokenStream| {
        quote! {
            #[inline(always)]
            #[allow(unused_variables)]
            fn add_from(&mut self, g: #g) {
                #(#add_from::add_from(&mut self.#members, #borrow g.#members);)*
            }
            #[inline(always)]
            #[allow(unused_variables)]
            fn sub_from(&mut self, g: #g) {
                #(#add_from::sub_from(&mut self.#members, #borrow g.#members);)*
            }
        }
    };
    let nothing = quote! {
        #[inline(always)]
        fn add_from(&mut self, _: ()) {}
        #[inline(always)]
        fn sub_from(&mut self, _: ()) {}
    };
    let sum = quote! {
        type Output = Self;
        #[inline(always)]
        #[allow(unused_variables)]
        fn join(self, b: Self) -> Self {
            Self { #(#members: #join::join(self.#members, b.#members),)* #(#still: self.#still,)* }
        }
    };
    let sum_with_nothing = quote! {
        type Output = Self;
        #[inline(always)]
        fn join(self, _: ()) -> Self {
            self
        }
    };
    let opposite = quote! {
        #[inline(always)]
        fn negate(self) -> Self {
            Self { #(#members: #negate::negate(self.#members),)* #(#still: self.#still,)* }
        }
    };
    let by_value = bounds(&|ty| quote!(#ty: #add_from<#ty>));
    let by_reference = bounds(&|ty| quote!(#ty: #add_from<&#lifetime #ty>));
    let by_joining = bounds(&|ty| quote!(#ty: #join<#ty, Output = #ty>));
    let by_sign = bounds(&|ty| quote!(#ty: #negate));
    [
        header().bounds(by_value).body(quote!(#add_from<#this>), this, accumulate(quote!(), this.clone())),
        header().lifetime(lifetime).bounds(by_reference).body(
            quote!(#add_from<&#lifetime #this>),
            this,
            accumulate(quote!(&), quote!(&#lifetime #this)),
        ),
        header().body(quote!(#add_from<()>), this, nothing),
        header().bounds(by_joining).body(quote!(#join<#this>), this, sum),
        header().body(quote!(#join<()>), this, sum_with_nothing),
        header().bounds(by_sign).body(negate.clone(), this, opposite),
    ]
    .into_iter()
    .collect()
}
