//! `AddFrom`, `Join` and `Negate` for a shadow, field by field.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Member;

use super::implement::Implement;
use super::model::{Model, Role};
use super::own::Own;

/// For a struct that is its own shadow.
pub(super) fn same(model: &Model) -> TokenStream {
    arithmetic(model, &model.this(), |bound| {
        let bounded = model.active().filter(|field| !field.recursive);
        Implement::new(&model.generics).bounds(bounded.filter_map(|field| bound(&field.ty.to_token_stream())))
    })
}

/// For a shadow that is a struct of its own.
pub(super) fn own(own: &Own) -> TokenStream {
    arithmetic(own.model, &own.this(), |bound| {
        own.header(|field, owned| match field.role {
            Role::Active => bound(&owned.to_token_stream()).into_iter().collect(),
            Role::Constant | Role::Inert | Role::Phantom => vec![],
        })
    })
}

/// What a field's shadow must be able to, by the type of that.
type Bound<'a> = &'a dyn Fn(&TokenStream) -> Option<TokenStream>;

/// `header` makes the frame of an `impl` for all active fields that have something. Where nothing is added, a field stays as it is.
fn arithmetic<'a>(model: &'a Model, this: &TokenStream, header: impl Fn(Bound) -> Implement<'a>) -> TokenStream {
    let add_from = quote!(::retrograd::private::AddFrom);
    let (join, negate) = (quote!(::retrograd::private::Join), quote!(::retrograd::private::Negate));
    let lifetime = &model.lifetime;
    let members = |active: bool| {
        let fields = model.fields.iter().filter(move |field| (field.role == Role::Active) == active);
        fields.map(|field| &field.member).collect::<Vec<&Member>>()
    };
    let (members, still) = (members(true), members(false));
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
    [
        header(&|ty| Some(quote!(#ty: #add_from<#ty>))).body(
            quote!(#add_from<#this>),
            this,
            accumulate(quote!(), this.clone()),
        ),
        header(&|ty| Some(quote!(#ty: #lifetime + #add_from<&#lifetime #ty>))).lifetime(lifetime).body(
            quote!(#add_from<&#lifetime #this>),
            this,
            accumulate(quote!(&), quote!(&#lifetime #this)),
        ),
        header(&|_| None).body(quote!(#add_from<()>), this, nothing),
        header(&|ty| Some(quote!(#ty: #join<#ty, Output = #ty>))).body(quote!(#join<#this>), this, sum),
        header(&|_| None).body(quote!(#join<()>), this, sum_with_nothing),
        header(&|ty| Some(quote!(#ty: #negate))).body(negate.clone(), this, opposite),
    ]
    .into_iter()
    .collect()
}
