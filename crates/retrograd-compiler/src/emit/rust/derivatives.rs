//! The derivative companions of a program.
//!
//! The work is done in hidden entries, flat and generic over the scalar shadow: `f::__pullback(sweep, x, grad_x, ..)`. Calls
//! between generated companions go through them, so a caller need not know the types of its callee. The public companions
//! take pairs, look at the shapes, and call the hidden entry with the shadow that belongs to the program's numbers.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};

use super::body::derivative;
use super::callees::{Callees, with_runs};
use super::companions::{companion_lints, copied_attributes};
use super::paths::{SHADOW, companion_name};
use crate::derivative::shadow_prefix;
use crate::hygiene::{fresh, fresh_for, prefixed};
use crate::ir::{Checks, Kind, Mode, Run, Type};
use crate::signature::numbers::Numbers;
use crate::signature::{Home, Parameter, Signature};
use crate::span::mixed_site;
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
    /// When checks are made.
    pub(crate) checks: Checks,
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

fn located(mut name: Ident, span: proc_macro2::Span) -> Ident {
    name.set_span(span);
    name
}

/// The shadow of a parameter, as the stages name it.
pub(super) fn shadow_name(run: Run, name: &Ident) -> Ident {
    fresh_for(shadow_prefix(run), name)
}

impl<'a> Companions<'a> {
    /// Those of a function without a body of its own.
    pub(crate) fn new(attrs: &'a [syn::Attribute], vis: &'a syn::Visibility, signature: &'a Signature<'a>) -> Self {
        Companions { attrs, vis, signature, callees: None, rejected: false, records: false, checks: Checks::Never }
    }

    /// The same with what its bodies call, and what they keep and check.
    pub(super) fn with(self, callees: &'a Callees, derived: &Derived) -> Self {
        let (records, checks) = (derived.recorded.is_some(), derived.forward.core.checks);
        Companions { callees: Some(callees), records, checks, ..self }
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
        let runs = [
            (Run::Adjoint, false, Some(&derivatives.pullback).filter(|_| !self.keeps())),
            (Run::Tangent, false, Some(&derivatives.pushforward)),
            (Run::Adjoint, true, derivatives.unpullback.as_ref()),
            (Run::Tangent, true, derivatives.unpushforward.as_ref()),
        ];
        let mut tokens = pairs;
        for (run, inverse, form) in runs {
            if let Some(form) = form {
                tokens.extend(self.hidden(run, inverse, Some(self.derived(form))));
                if !matches!(self.signature.home, Home::Trait(_)) && self.has_active() {
                    tokens.extend(self.public(run, inverse));
                }
            }
        }
        if self.keeps() {
            tokens.extend(self.absent_without_record());
            if !matches!(self.signature.home, Home::Trait(_)) && self.has_active() {
                tokens.extend(self.public(Run::Spend, false));
            }
        }
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
        let (value, clause) = match receiver.mode {
            Mode::Value => (quote!(Self), quote!(where Self: ::core::marker::Sized)),
            Mode::Borrow => (quote!(&Self), TokenStream::new()),
            Mode::Change => (quote!(&mut Self), TokenStream::new()),
        };
        quote!(#[doc(hidden)] #(#cfg)* #[allow(unused, clippy::all)] #vis fn #name(#this) -> #value #clause { self })
    }

    /// What a trait asks of the types that implement it: the hidden entries; the public companions follow from them.
    pub(super) fn required(&self, derivatives: bool) -> TokenStream {
        match (derivatives, self.keeps()) {
            (_, true) => self.with_body_and_record(None, derivatives && self.signature.has_derivatives()),
            (true, false) => self.with_body(None),
            (false, false) => self.without_record(false),
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
        let inverses: &[bool] = if self.kind() == Kind::Procedure { &[false, true] } else { &[false] };
        for inverse in inverses {
            for run in [Run::Adjoint, Run::Tangent] {
                tokens.extend(self.hidden(run, *inverse, body.cloned()));
                if !matches!(self.signature.home, Home::Trait(_)) && self.has_active() {
                    tokens.extend(self.public(run, *inverse));
                }
            }
        }
        if !matches!(self.signature.home, Home::Trait(_)) {
            tokens.extend(self.scalar_companions());
        }
        tokens.extend(self.determinants());
        tokens.extend(self.with_runs());
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

    /// The shadows that an entry was given: what a caller does not have is made of zeros.
    pub(super) fn reached(&self, run: Run) -> TokenStream {
        self.reached_at(run, mixed_site())
    }

    /// The shadows under names that code at that span can see.
    pub(super) fn reached_at(&self, run: Run, span: proc_macro2::Span) -> TokenStream {
        let (shadow, private) = (format_ident!("{SHADOW}"), quote!(::retrograd::private));
        let mut reached = quote!(use #private::Shadowed as _;);
        for parameter in self.parameters().iter().filter(|p| p.active) {
            let (name, checked) = (&parameter.name, self.checked(&parameter.value));
            let (own, keep) = (located(shadow_name(run, name), span), fresh_for("keep", name));
            let read = if parameter.mode == Mode::Value { quote!(&#name) } else { quote!(&*#name) };
            reached.extend(match parameter.changes(run) {
                true => quote! {
                    let mut #keep = #private::AdjointArg::<#checked, #shadow>::keep(&#own, #read);
                    let #own = #private::AdjointArg::<#checked, #shadow>::reach(#own, &mut #keep);
                },
                false => quote! {
                    let #keep = #private::TangentArg::<#checked, #shadow>::keep(&#own, #read);
                    let #own = #private::TangentArg::<#checked, #shadow>::reach(#own, &#keep);
                },
            });
        }
        reached
    }

    /// The entry that other companions call: every argument is followed by its shadow.
    pub(super) fn hidden(&self, run: Run, inverse: bool, body: Option<TokenStream>) -> TokenStream {
        self.entry(run, inverse, body, mixed_site())
    }

    /// The entry, with a body that the user wrote.
    pub(super) fn hidden_at(&self, run: Run, inverse: bool, body: TokenStream) -> TokenStream {
        self.entry(run, inverse, Some(body), self.signature.name.span())
    }

    fn entry(&self, run: Run, inverse: bool, body: Option<TokenStream>, span: proc_macro2::Span) -> TokenStream {
        let (sweep, shadow) = (fresh("sweep"), format_ident!("{SHADOW}"));
        let private = quote!(::retrograd::private);
        let mut inputs = Vec::new();
        let mut receiver = None;
        for parameter in self.parameters() {
            let (name, checked) = (&parameter.name, self.checked(&parameter.value));
            let typed = parameter.typed();
            if parameter.receiver {
                receiver = Some(parameter.as_receiver());
            } else {
                inputs.push(quote!(#name: #typed));
            }
            let own = located(shadow_name(run, name), span);
            // A type without derivatives may implement a trait whose other types have them.
            let this_of_trait = parameter.receiver && matches!(self.signature.home, Home::Trait(_));
            if parameter.active {
                let argument = if parameter.changes(run) { quote!(AdjointArg) } else { quote!(TangentArg) };
                inputs.push(quote!(#own: impl #private::#argument<#checked, #shadow>));
            } else if parameter.constant && run == Run::Tangent && !this_of_trait {
                // Types of tangents say what moves; adjoints that a constant would get are made as for any argument.
                inputs.push(quote!(#own: impl #private::Still));
            } else if !parameter.host {
                inputs.push(quote!(#own: impl ::core::marker::Sized));
            }
        }
        let owned = |ty: &Type| {
            let ty = self.checked(ty);
            quote!(<#ty as #private::Shadowed<#shadow>>::Owned)
        };
        let value = self.value();
        if let Some(ty) = value.filter(|_| run.is_adjoint()) {
            let (name, owned) = (fresh("seed"), owned(ty));
            inputs.push(quote!(#name: #owned));
        }
        let output = value.filter(|_| run != Run::Spend).map(|ty| match run {
            Run::Tangent => {
                let owned = owned(ty);
                quote!(-> (#ty, #owned))
            }
            Run::Adjoint | Run::Values | Run::Keep | Run::Spend => quote!(-> #ty),
        });
        inputs.insert(self.sweep_position(), quote!(#sweep: #private::Sweep<#shadow>));
        if run == Run::Spend {
            let record = fresh("record");
            inputs.insert(self.sweep_position() + 1, quote!(#record: &mut #private::Record));
        }
        let mut generics = self.generics();
        generics.params.push(self.scalar_shadow());
        let generics = self.shadowed(generics, &quote!(#shadow));
        let (generics, _, clause) = generics.split_for_impl();
        let name = self.name(run, inverse, false);
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let body = body.map_or_else(|| quote!(;), braced);
        quote! {
            #[doc(hidden)]
            #(#copied)*
            #lints
            #vis fn #name #generics (#receiver #(#inputs),*) #output #clause #body
        }
    }

    /// The signature of a run as a reader would write it: each argument followed by its shadow.
    pub(super) fn printed(&self, run: Run, inverse: bool) -> syn::Signature {
        let mut inputs: Vec<syn::FnArg> = Vec::new();
        for (input, parameter) in self.signature.syntax.inputs.iter().zip(self.parameters()) {
            inputs.push(input.clone());
            if parameter.active {
                let (own, shadow) =
                    (format_ident!("{}_{}", shadow_prefix(run), parameter.name), printed_shadow(parameter));
                let shadow = match (parameter.changes(run), parameter.mode) {
                    (true, _) => quote!(&mut #shadow),
                    (false, Mode::Value) => shadow,
                    (false, _) => quote!(&#shadow),
                };
                inputs.push(syn::parse_quote!(#own: #shadow));
            }
        }
        let mut sig = self.signature.syntax.clone();
        if let Some(ty) = self.value() {
            match run {
                Run::Adjoint => inputs.push(syn::parse_quote!(seed: #ty)),
                Run::Tangent => sig.output = syn::parse_quote!(-> (#ty, #ty)),
                Run::Values | Run::Keep | Run::Spend => {}
            }
        }
        sig.inputs = inputs.into_iter().collect();
        sig.ident = format_ident!("{}_{}", companion_name(run, inverse, true), self.signature.name);
        sig
    }

    /// Where the sweep stands among the arguments of a hidden entry. A caller of `Type::g(..)` does not know whether it takes
    /// `self`: the sweep always stands behind the first argument then.
    pub(super) fn sweep_position(&self) -> usize {
        let associated = !matches!(self.signature.home, Home::Holder) && !self.parameters().is_empty();
        usize::from(associated && !self.parameters().iter().any(|p| p.receiver))
    }

    /// A call of a hidden entry.
    pub(super) fn invoked(&self, callee: &TokenStream, sweep: &TokenStream, mut args: Vec<TokenStream>) -> TokenStream {
        args.insert(self.sweep_position(), sweep.clone());
        quote!(#callee(#(#args),*))
    }

    /// The scalar shadow as a generic parameter.
    pub(super) fn scalar_shadow(&self) -> syn::GenericParam {
        let shadow = format_ident!("{SHADOW}");
        let mut bounds = vec![quote!(::retrograd::private::Base)];
        bounds.extend(self.numbers().parameters.iter().map(|number| quote!(::retrograd::private::Shadow<#number>)));
        bounds.extend(self.named_numbers().iter().map(|number| quote!(::retrograd::private::Shadow<#number>)));
        syn::parse_quote!(#shadow: #(#bounds)+*)
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

    /// The generics of the function, with the bounds that derivatives need.
    pub(super) fn generics(&self) -> syn::Generics {
        let mut generics = self.signature.syntax.generics.clone();
        for name in self.numbers().implied() {
            generics.make_where_clause().predicates.push(syn::parse_quote!(#name: ::retrograd::private::Real));
        }
        if matches!(self.signature.home, Home::Trait(_) | Home::Declaration) {
            generics.make_where_clause().predicates.push(syn::parse_quote!(Self: ::core::marker::Sized));
        }
        generics
    }

    /// The number types of this library that active parameters and the value are written with, such as `Fixed<32>`; each once.
    fn named_numbers(&self) -> Vec<&Type> {
        let mut named: Vec<&Type> = Vec::new();
        let active = self.parameters().iter().filter(|p| p.active).map(|p| &p.value);
        for ty in active.chain(self.value()) {
            ty.walk(&mut |ty| {
                if self.numbers().is_named(ty) && !named.contains(&ty) {
                    named.push(ty);
                }
            });
        }
        named
    }

    /// What nothing else says: that the type of a trait has a shadow, and a type parameter that is no number.
    pub(super) fn shadowed(&self, mut generics: syn::Generics, shadow: &TokenStream) -> syn::Generics {
        if matches!(self.signature.home, Home::Declaration) && self.parameters().iter().any(|p| p.receiver && p.active)
        {
            let predicate = syn::parse_quote!(Self: ::retrograd::private::Shadowed<#shadow>);
            generics.make_where_clause().predicates.push(predicate);
        }
        for name in &self.numbers().others {
            let predicate = syn::parse_quote!(#name: ::retrograd::private::Shadowed<#shadow>);
            generics.make_where_clause().predicates.push(predicate);
        }
        // Numbers of several types meet in one sweep.
        for name in self.numbers().parameters.iter().skip(1) {
            let predicate = syn::parse_quote!(#shadow: ::retrograd::private::Shadow<#name>);
            generics.make_where_clause().predicates.push(predicate);
        }
        generics
    }

    /// The scalar shadow that belongs to the program's numbers.
    pub(super) fn number(&self) -> TokenStream {
        if let Some(number) = self.numbers().parameters.first() {
            return quote!(<#number as ::retrograd::private::Active>::Shadow);
        }
        if let Some(number) = self.named_numbers().first() {
            return quote!(<#number as ::retrograd::private::Active>::Shadow);
        }
        let found =
            |name: &str| self.parameters().iter().any(|p| p.active && p.value.mentions(&format_ident!("{name}")));
        if found("f32") && !found("f64") { quote!(f32) } else { quote!(f64) }
    }
}

/// `{ .. }`
pub(super) fn braced(body: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::Brace, body)).into()
}

/// The shadow of a parameter for readers: of the same type.
fn printed_shadow(parameter: &Parameter) -> TokenStream {
    let value = &parameter.value;
    quote!(#value)
}
