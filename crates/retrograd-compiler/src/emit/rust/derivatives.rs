//! The derivative companions of a program.
//!
//! The work is done in hidden entries, flat and generic over the scalar shadow: `f::__pullback(sweep, x, grad_x, ..)`. Calls
//! between generated companions go through them, so a caller need not know the types of its callee. The public companions
//! take pairs, look at the shapes, and call the hidden entry with the shadow that belongs to the program's numbers.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::body::derivative;
use super::callees::{Callees, with_runs};
use super::companions::copied_attributes;
use super::composed::Composition;
use super::paths::companion_name;
use crate::hygiene::{fresh, prefixed};
use crate::ir::{Checks, Kind, Mode, Run, Type};
use crate::signature::numbers::Numbers;
use crate::signature::{Home, Parameter, Signature};
use crate::{Derived, Form};

/// What the companions of one function are written from.
pub(crate) struct Companions<'a> {
    pub(crate) attrs: &'a [syn::Attribute],
    pub(crate) vis: &'a syn::Visibility,
    pub(crate) signature: &'a Signature<'a>,
    /// The functions that bodies call, where there are bodies.
    pub(crate) callees: Option<&'a Callees>,
    /// Whether the program has errors, so that nothing more is said about its types.
    pub(crate) rejected: bool,
    /// Whether it has a record.
    pub(crate) records: bool,
    /// Whether it has derivatives.
    pub(crate) derivatives: bool,
    /// When checks are made.
    pub(crate) checks: Checks,
    /// What `self` is made of, where that has the same trait.
    pub(crate) composition: Option<&'a Composition>,
}

impl Parameter {
    /// The type as it was written.
    pub(super) fn typed(&self) -> TokenStream {
        let value = &self.value;
        if let Some(written) = &self.written {
            return quote!(#written);
        }
        match self.mode {
            Mode::Change => quote!(&mut #value),
            Mode::Borrow => quote!(&#value),
            Mode::Value => quote!(#value),
        }
    }

    pub(super) fn as_receiver(&self) -> TokenStream {
        match self.mode {
            Mode::Change => quote!(&mut self,),
            Mode::Borrow => quote!(&self,),
            Mode::Value => quote!(self,),
        }
    }

    /// Whether a run changes the shadow: tangents of read-only arguments are read-only.
    pub(super) fn changes(&self, run: Run) -> bool {
        self.mode.of_shadow(run) == Mode::Change
    }
}

impl<'a> Companions<'a> {
    /// Those of a function without a body of its own.
    pub(crate) fn new(attrs: &'a [syn::Attribute], vis: &'a syn::Visibility, signature: &'a Signature<'a>) -> Self {
        Companions {
            attrs,
            vis,
            signature,
            callees: None,
            rejected: false,
            records: false,
            derivatives: false,
            checks: Checks::Never,
            composition: None,
        }
    }

    /// The same with what its bodies call, and what they keep and check.
    pub(super) fn with(self, callees: &'a Callees, derived: &Derived) -> Self {
        let (records, checks) = (derived.recorded.is_some(), derived.forward.core.checks);
        let derivatives = derived.derivatives.is_some();
        Companions { callees: Some(callees), records, derivatives, checks, ..self }
    }
}

impl Companions<'_> {
    /// All derivative companions.
    pub(super) fn all(&self, derived: &Derived) -> TokenStream {
        let pairs = self.pairs(derived);
        let Some(derivatives) = &derived.derivatives else {
            let absent = if self.keeps() { self.absent_inverse() } else { self.absent() };
            return quote!(#pairs #absent);
        };
        let mut tokens = pairs;
        tokens.extend(self.both(&|run, inverse| {
            let form = match (run, inverse) {
                (Run::Tangent, false) => Some(&derivatives.pushforward),
                (Run::Tangent, true) => derivatives.unpushforward.as_ref(),
                (_, false) => Some(&derivatives.pullback).filter(|_| !self.keeps()),
                (_, true) => derivatives.unpullback.as_ref(),
            };
            form.map(|form| Some(self.derived(form)))
        }));
        if self.keeps() {
            tokens.extend(self.absent_without_record());
            if !matches!(self.signature.home, Home::Trait(_)) && self.has_active() {
                tokens.extend(self.public(Run::Spend, false));
            }
        }
        tokens.extend(self.beside_runs());
        tokens
    }

    /// The derivative runs that there are, forwards and backwards: the hidden entries with these bodies, and what users call.
    fn both(&self, body: &dyn Fn(Run, bool) -> Option<Option<TokenStream>>) -> TokenStream {
        let mut tokens = TokenStream::new();
        let public = !matches!(self.signature.home, Home::Trait(_)) && self.has_active();
        for (inverse, run) in
            [false, true].into_iter().flat_map(|inverse| [(inverse, Run::Adjoint), (inverse, Run::Tangent)])
        {
            if let Some(body) = body(run, inverse) {
                tokens.extend(self.hidden(run, inverse, body));
                tokens.extend(public.then(|| self.public(run, inverse)));
            }
        }
        tokens
    }

    /// What is made of calls of these runs.
    fn beside_runs(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        if !matches!(self.signature.home, Home::Trait(_)) {
            tokens.extend(self.scalar_companions());
        }
        tokens.extend(self.determinants());
        tokens.extend(self.with_runs());
        tokens
    }

    /// The body of a derivative run.
    fn derived(&self, form: &Form) -> TokenStream {
        let mut body = self.reached(form.core.run);
        body.extend(derivative(&form.core, self.callees, self.checked_value()));
        body
    }

    /// The type of the value, if it has to be `Active`.
    fn checked_value(&self) -> Option<TokenStream> {
        let (ty, checked) = (self.value()?, self.checked(self.value()?));
        (*ty != checked).then(|| checked.into_token_stream())
    }

    /// Says of a method that it has derivative runs.
    pub(super) fn with_runs(&self) -> TokenStream {
        let Some(receiver) = self.parameters().iter().find(|p| p.receiver) else { return TokenStream::new() };
        // Types that implement a trait have it from the trait.
        if matches!(self.signature.home, Home::Trait(_)) {
            return TokenStream::new();
        }
        let (vis, name, cfg) = (self.vis, with_runs(&self.signature.name), copied_attributes(self.attrs));
        let this = receiver.as_receiver();
        let value = match receiver.mode {
            Mode::Value => quote!(Self),
            Mode::Borrow => quote!(&Self),
            Mode::Change => quote!(&mut Self),
        };
        // A trait may have objects, of which no derivative run knows the type.
        let clause =
            matches!(self.signature.home, Home::Declaration).then(|| quote!(where Self: ::core::marker::Sized));
        quote!(#[doc(hidden)] #(#cfg)* #[allow(unused, clippy::all)] #vis fn #name(#this) -> #value #clause { self })
    }

    /// What a trait asks of the types that implement it: the hidden entries; the public companions follow from them.
    pub(super) fn required(&self, derivatives: bool) -> TokenStream {
        match (derivatives, self.keeps()) {
            (_, true) => self.with_body_and_record(None, derivatives && self.signature.has_derivatives()),
            (true, false) => self.with_body(None),
            (false, false) => self.without_record(false, true),
        }
    }

    /// Companions of a program that was rejected, none of which does anything: one mistake gives one message.
    pub(crate) fn stubs(&self) -> TokenStream {
        let unreachable = quote!(::core::unreachable!());
        let companions = match self.keeps() {
            true => self.with_body_and_record(Some(&unreachable), self.signature.has_derivatives()),
            false => {
                let uncall = (self.kind() == Kind::Procedure).then(|| self.inverse(Some(unreachable.clone())));
                let others = self.with_body(Some(&unreachable));
                quote!(#uncall #others)
            }
        };
        let Ok(mut holder) = syn::parse2::<syn::ItemImpl>(quote!(impl () { #companions })) else { return companions };
        for item in &mut holder.items {
            if let syn::ImplItem::Fn(companion) = item {
                companion.block = syn::parse_quote!({ #unreachable });
            }
        }
        holder.items.iter().map(ToTokens::to_token_stream).collect()
    }

    fn with_body(&self, body: Option<&TokenStream>) -> TokenStream {
        let mut tokens = self.pairs_with_body(body);
        if !self.signature.has_derivatives() {
            return tokens;
        }
        let has = |inverse: bool| !inverse || self.kind() == Kind::Procedure;
        tokens.extend(self.both(&|_, inverse| has(inverse).then(|| body.cloned())));
        tokens.extend(self.beside_runs());
        tokens
    }

    /// The runs of a function by which expressions call it.
    pub(super) fn runs(&self, derived: &Derived) -> TokenStream {
        let mut tokens = self.pairs(derived);
        if let Some(derivatives) = &derived.derivatives {
            for (run, form) in [(Run::Adjoint, &derivatives.pullback), (Run::Tangent, &derivatives.pushforward)] {
                tokens.extend(self.hidden(run, false, Some(self.derived(form))));
            }
        }
        tokens
    }

    /// The derivative of a function of one number: how its value moves when the argument moves by one.
    pub(super) fn slope(&self, doc: &str) -> TokenStream {
        let ([parameter], Some(ty)) = (self.parameters(), self.value()) else { return TokenStream::new() };
        if !parameter.active {
            return TokenStream::new();
        }
        let (name, typed, vis, number) = (&parameter.name, parameter.typed(), self.vis, self.number());
        let generics = self.generics();
        let (generics, _, clause) = generics.split_for_impl();
        let (private, one) = (quote!(::retrograd::private), fresh("one"));
        // A function of any number runs on dual numbers.
        let value = match self.numbers().parameters.as_slice() {
            [own] => {
                let function = &self.signature.name;
                quote!(#function(#private::Dual::<#own, 1>::variable(#name, 0)).eps[0])
            }
            _ => quote! {
                let #one = <#number as #private::Shadow<#ty>>::one();
                Self::__pushforward(#private::Sweep::<#number>::new(), #name, &#one).1
            },
        };
        let output = match self.numbers().parameters.as_slice() {
            [own] => quote!(#own),
            _ => quote!(#number),
        };
        quote! {
            #[doc = #doc]
            #[inline]
            #vis fn derivative #generics (#name: #typed) -> #output #clause { #value }
        }
    }

    pub(super) fn kind(&self) -> Kind {
        self.signature.kind
    }

    /// Whether it is a procedure with a record, which its callers give.
    pub(super) fn keeps(&self) -> bool {
        self.records && self.kind() == Kind::Procedure
    }

    pub(super) fn name(&self, run: Run, inverse: bool, public: bool) -> Ident {
        let name = companion_name(run, inverse, public);
        match self.signature.home {
            Home::Holder => Ident::new(&name, self.signature.name.span()),
            Home::Inherent(_) | Home::Trait(_) | Home::Declaration => {
                Ident::new(&prefixed(&name, &self.signature.name), self.signature.name.span())
            }
        }
    }

    /// The type of the value of a function.
    pub(super) fn value(&self) -> Option<&Type> {
        self.signature.output.as_ref()
    }

    pub(super) fn parameters(&self) -> &[Parameter] {
        &self.signature.parameters
    }

    pub(super) fn numbers(&self) -> &Numbers {
        &self.signature.numbers
    }

    pub(super) fn has_active(&self) -> bool {
        self.signature.has_active()
    }

    /// The companions of functions with a value: derivatives of the value.
    pub(super) fn scalar_companions(&self) -> TokenStream {
        let all = [self.gradient(), self.jacobian(), self.hessian(), self.hvp()];
        let (over, absent) = (self.gradient_over(), self.absent_values());
        let in_record = (self.records && self.kind() == Kind::Function && self.has_active()).then(|| {
            let pullback = self.public(Run::Adjoint, false);
            let each = [&pullback].into_iter().chain(&all);
            each.map(|companion| self.in_record(companion.clone())).collect::<TokenStream>()
        });
        quote!(#(#all)* #over #absent #in_record)
    }
}

/// `{ .. }`
pub(super) fn braced(body: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::Brace, body)).into()
}
