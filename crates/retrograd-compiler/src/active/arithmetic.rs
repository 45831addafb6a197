//! `AddFrom`, `Join` and `Negate` for a shadow, field by field.

use proc_macro2::TokenStream;
use quote::quote;

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

/// For a type that is its own shadow.
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

/// For a shadow that is a type of its own.
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
    let whole = quote!(Self);
    let is_active = |field: &Field| field.role == Role::Active;
    let meets_another = quote!(::retrograd::private::other_variant());
    let accumulate = |g: &TokenStream, add: Operation, subtract: Operation| {
        let each = |operation: Operation| {
            let one = |field: &Field| {
                let (function, to, from) = (function(field, operation), &field.name, &field.other);
                quote!(#function(#to, #from);)
            };
            model.matched_pair(
                (quote!(self), &whole),
                (quote!(g), &whole),
                [&is_active, &is_active],
                |apart| apart.fields.iter().filter(|field| is_active(field)).map(|field| one(field)).collect(),
                meets_another.clone(),
            )
        };
        let (add, subtract) = (each(add), each(subtract));
        quote! {
            type Lost = ();
            #[inline(always)]
            #[track_caller]
            fn add_from(&mut self, g: #g) {
                #add
            }
            #[inline(always)]
            #[track_caller]
            fn sub_from(&mut self, g: #g) {
                #subtract
            }
        }
    };
    let reference = quote!(&#lifetime #this);
    let (by_value, by_reference) =
        (accumulate(this, Add, Subtract), accumulate(&reference, AddReference, SubtractReference));
    let nothing = quote! {
        type Lost = ();
        #[inline(always)]
        fn add_from(&mut self, _: ()) {}
        #[inline(always)]
        fn sub_from(&mut self, _: ()) {}
    };
    let joined = |field: &Field| {
        let (name, other, join) = (&field.name, &field.other, function(field, Join));
        if is_active(field) { quote!(#join(#name, #other)) } else { quote!(#name) }
    };
    let joins = model.matched_pair(
        (quote!(self), &whole),
        (quote!(b), &whole),
        [&|_| true, &is_active],
        |apart| apart.made(&whole, joined),
        meets_another.clone(),
    );
    let sum = quote! {
        type Output = Self;
        #[inline(always)]
        #[track_caller]
        fn join(self, b: Self) -> Self {
            #joins
        }
    };
    let sum_with_nothing = quote! {
        type Output = Self;
        #[inline(always)]
        fn join(self, _: ()) -> Self {
            self
        }
    };
    let negated = |field: &Field| {
        let (name, negate) = (&field.name, function(field, Negate));
        if is_active(field) { quote!(#negate(#name)) } else { quote!(#name) }
    };
    let negates = model.matched(&quote!(self), &whole, |_| true, |apart| apart.made(&whole, negated));
    let opposite = quote! {
        #[inline(always)]
        fn negate(self) -> Self {
            #negates
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
