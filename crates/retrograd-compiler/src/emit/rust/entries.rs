//! The hidden entries: every argument is followed by its shadow.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::companions::{companion_lints, copied_attributes};
use super::composed::Entry;
use super::derivatives::{Companions, braced};
use super::paths::{SHADOW, companion_name};
use crate::derivative::shadow_prefix;
use crate::hygiene::{fresh, fresh_for};
use crate::ir::{Mode, Run, Type};
use crate::signature::{Home, Parameter};
use crate::span::mixed_site;

impl Companions<'_> {
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
        let mut passed = Vec::new();
        let mut receiver = None;
        for parameter in self.parameters() {
            let (name, checked) = (&parameter.name, self.checked(&parameter.value));
            let typed = self.checked_parameter(parameter);
            if parameter.receiver {
                receiver = Some(parameter.as_receiver());
            } else {
                inputs.push(quote!(#name: #typed));
                passed.push(quote!(#name));
            }
            let own = located(shadow_name(run, name), span);
            // A type without derivatives may implement a trait whose other types have them.
            let this_of_trait = parameter.receiver && matches!(self.signature.home, Home::Trait(_));
            if !parameter.host {
                passed.push(quote!(#own));
            }
            if parameter.active {
                let argument = if parameter.changes(run) { quote!(AdjointArg) } else { quote!(TangentArg) };
                inputs.push(quote!(#own: impl #private::#argument<#checked, #shadow>));
            } else if parameter.constant && run == Run::Tangent {
                // Types of tangents say what moves; adjoints that a constant would get are made as for any argument.
                let still = if this_of_trait { self.still_self(&parameter.value) } else { quote!(#private::Still) };
                inputs.push(quote!(#own: impl #still));
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
            passed.push(quote!(#name));
        }
        let output = value.filter(|_| run != Run::Spend).map(|ty| match run {
            Run::Tangent => {
                let owned = owned(ty);
                quote!(-> (#ty, #owned))
            }
            Run::Adjoint | Run::Values | Run::Keep | Run::Spend => quote!(-> #ty),
        });
        inputs.insert(self.sweep_position(), quote!(#sweep: #private::Sweep<#shadow>));
        passed.insert(self.sweep_position(), quote!(#sweep));
        if run == Run::Spend {
            let record = fresh("record");
            inputs.insert(self.sweep_position() + 1, quote!(#record: &mut #private::Record));
            passed.insert(self.sweep_position() + 1, quote!(#record));
        }
        let body = match (self.composition, &receiver, body) {
            (Some(composition), Some(receiver), Some(body)) if !self.rejected => {
                let (receiver, inputs, output) = (receiver.clone(), inputs.clone(), output.clone());
                Some(self.through(composition, run, &Entry { receiver, inputs, passed, output }, &body))
            }
            (_, _, body) => body,
        };
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
        let arguments = self.passed_on(true);
        quote!(#callee #arguments(#(#args),*))
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

/// The shadow of a parameter for readers: of the same type.
fn printed_shadow(parameter: &Parameter) -> TokenStream {
    let value = &parameter.value;
    quote!(#value)
}
