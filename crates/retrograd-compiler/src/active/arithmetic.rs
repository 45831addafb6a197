//! `AddFrom`, `Join` and `Negate` for a shadow, field by field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Member;

use super::implement::Implement;
use super::model::{Field, Model, Role, Shape};
use super::own::Own;

/// What is done with the fields of a shadow.
#[derive(Clone, Copy)]
enum Operation {
    Add,
    Subtract,
    AddReference,
    SubtractReference,
    Join,
    Negate,
}

use Operation::{Add, AddReference, Join, Negate, Subtract, SubtractReference};

/// For a struct that is its own shadow.
pub(super) fn same(model: &Model) -> TokenStream {
    let function = |_: &Field, operation| match operation {
        Add | AddReference => quote!(::retrograd::private::AddFrom::add_from),
        Subtract | SubtractReference => quote!(::retrograd::private::AddFrom::sub_from),
        Join => quote!(::retrograd::private::Join::join),
        Negate => quote!(::retrograd::private::Negate::negate),
    };
    let lifetime = &model.lifetime;
    let header = |operation| {
        let bound = |Field { ty, .. }: &Field| match operation {
            Add | Subtract => quote!(#ty: ::retrograd::private::AddFrom<#ty>),
            AddReference | SubtractReference => quote!(#ty: ::retrograd::private::AddFrom<&#lifetime #ty>),
            Join => quote!(#ty: ::retrograd::private::Join<#ty, Output = #ty>),
            Negate => quote!(#ty: ::retrograd::private::Negate),
        };
        Implement::new(&model.generics).bounds(model.active().filter(|field| !field.recursive).map(bound))
    };
    arithmetic(model, &model.this(), function, header, || Implement::new(&model.generics))
}

/// For a shadow that is a struct of its own.
pub(super) fn own(own: &Own) -> TokenStream {
    let function = |field: &Field, operation| match operation {
        Add => own.does(field, "AddShadow", "add_shadow"),
        Subtract => own.does(field, "AddShadow", "sub_shadow"),
        AddReference => own.does(field, "AddShadow", "add_shadow_ref"),
        SubtractReference => own.does(field, "AddShadow", "sub_shadow_ref"),
        Join => own.does(field, "JoinShadow", "join_shadow"),
        Negate => own.does(field, "NegateShadow", "negate_shadow"),
    };
    let header = |operation| {
        let can = match operation {
            Add | Subtract | AddReference | SubtractReference => "AddShadow",
            Join => "JoinShadow",
            Negate => "NegateShadow",
        };
        own.header_where(|field| field.role == Role::Active, can)
    };
    arithmetic(own.model, &own.this(), function, header, || own.header())
}

/// That the operators of a struct act number by number, and so undo each other.
pub(super) fn linear(model: &Model) -> TokenStream {
    let (this, operand) = (model.this(), &model.scalar);
    let header = || Implement::new(&model.generics);
    let of_shadow = match &model.shape {
        Shape::Same => None,
        Shape::Own(name) => {
            let own = Own::new(model, name);
            Some(own.header().body(quote!(::retrograd::private::Linear), &own.this(), TokenStream::new()))
        }
    };
    let linear = header().body(quote!(::retrograd::private::Linear), &this, TokenStream::new());
    let adds = header().scalars([operand.clone()]);
    let adds = adds.body(quote!(::retrograd::private::AddUpdate<#operand>), &this, TokenStream::new());
    let negates = header().body(quote!(::retrograd::private::NegUpdate), &this, TokenStream::new());
    quote!(#linear #of_shadow #adds #negates)
}

/// `function` is what an operation does with a field, `header` the frame of an `impl` where the fields can do that. A field through
/// which no derivative flows stays as it is.
fn arithmetic<'a>(
    model: &'a Model,
    this: &TokenStream,
    function: impl Fn(&Field, Operation) -> TokenStream,
    header: impl Fn(Operation) -> Implement<'a>,
    plain: impl Fn() -> Implement<'a>,
) -> TokenStream {
    let (add_from, join) = (quote!(::retrograd::private::AddFrom), quote!(::retrograd::private::Join));
    let lifetime = &model.lifetime;
    let members: Vec<&Member> = model.active().map(|field| &field.member).collect();
    let still = model.fields.iter().filter(|field| field.role != Role::Active).map(|field| &field.member);
    let still: Vec<&Member> = still.collect();
    let functions = |operation| model.active().map(|field| function(field, operation)).collect::<Vec<_>>();
    let accumulate = |g: &TokenStream, borrow: TokenStream, add: Operation, subtract: Operation| {
        let (add, subtract) = (functions(add), functions(subtract));
        quote! {
            type Lost = ();
            #[inline(always)]
            #[track_caller]
            #[allow(unused_variables, reason = "a struct may have no active field")]
            fn add_from(&mut self, g: #g) {
                #(#add(&mut self.#members, #borrow g.#members);)*
            }
            #[inline(always)]
            #[track_caller]
            #[allow(unused_variables, reason = "a struct may have no active field")]
            fn sub_from(&mut self, g: #g) {
                #(#subtract(&mut self.#members, #borrow g.#members);)*
            }
        }
    };
    let reference = quote!(&#lifetime #this);
    let (by_value, by_reference) =
        (accumulate(this, quote!(), Add, Subtract), accumulate(&reference, quote!(&), AddReference, SubtractReference));
    let nothing = quote! {
        type Lost = ();
        #[inline(always)]
        fn add_from(&mut self, _: ()) {}
        #[inline(always)]
        fn sub_from(&mut self, _: ()) {}
    };
    let (joins, negates) = (functions(Join), functions(Negate));
    let sum = quote! {
        type Output = Self;
        #[inline(always)]
        #[track_caller]
        #[allow(unused_variables, reason = "a struct may have no active field")]
        fn join(self, b: Self) -> Self {
            Self { #(#members: #joins(self.#members, b.#members),)* #(#still: self.#still,)* }
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
            Self { #(#members: #negates(self.#members),)* #(#still: self.#still,)* }
        }
    };
    [
        header(Add).body(quote!(#add_from<#this>), this, by_value),
        header(AddReference).lifetime(lifetime).body(quote!(#add_from<#reference>), this, by_reference),
        plain().body(quote!(#add_from<()>), this, nothing),
        header(Join).body(quote!(#join<#this>), this, sum),
        plain().body(quote!(#join<()>), this, sum_with_nothing),
        header(Negate).body(quote!(::retrograd::private::Negate), this, opposite),
    ]
    .into_iter()
    .collect()
}
