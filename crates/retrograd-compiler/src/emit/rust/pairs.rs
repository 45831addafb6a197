//! The hidden runs that programs with a record call: *keep*, forwards, filling the record, and *spend*, backwards with adjoints,
//! emptying it; of procedures also *unkeep*, backwards on values alone.
//!
//! A program without a record keeps nothing: it is called, and its pullback is.

use proc_macro2::TokenStream;
use quote::quote;

use super::body::recorded;
use super::companions::{companion_lints, copied_attributes};
use super::derivatives::Companions;
use crate::hygiene::fresh;
use crate::ir::{Kind, Mode, Run};
use crate::signature::{Home, Parameter};
use crate::{Derived, Recorded};

impl Companions<'_> {
    /// The runs with a record.
    pub(super) fn pairs(&self, derived: &Derived) -> TokenStream {
        let Some(Recorded { keep, unkeep, spend }) = &derived.recorded else {
            return self.without_record(derived.derivatives.is_some());
        };
        let kept = Some(&keep.core);
        let [kept_run, unkept_run] = [
            self.kept(false, Some(recorded(&keep.core, Run::Keep, None, self.callees))),
            unkeep.as_ref().map_or_else(TokenStream::new, |unkeep| {
                self.kept(true, Some(recorded(&unkeep.core, Run::Keep, kept, self.callees)))
            }),
        ];
        let spent_run = spend.as_ref().map(|spend| {
            let (before, body) = (self.reached(Run::Spend), recorded(&spend.core, Run::Spend, kept, self.callees));
            self.hidden(Run::Spend, false, Some(quote!(#before #body)))
        });
        quote!(#kept_run #unkept_run #spent_run)
    }

    /// Those of a program that keeps nothing.
    pub(super) fn without_record(&self, derivatives: bool) -> TokenStream {
        let (name, has_receiver) = (&self.signature.name, self.parameters().iter().any(|p| p.receiver));
        let arguments: Vec<TokenStream> =
            self.parameters().iter().filter(|p| !p.receiver).map(Parameter::handed_on).collect();
        let uncall = match self.signature.home {
            Home::Holder => quote!(Self::uncall),
            _ => {
                let uncall = quote::format_ident!("uncall_{}", name);
                if has_receiver { quote!(self.#uncall) } else { quote!(Self::#uncall) }
            }
        };
        let call = match self.signature.home {
            Home::Holder => quote!(#name),
            _ if has_receiver => quote!(self.#name),
            _ => quote!(Self::#name),
        };
        let keep = self.kept(false, Some(quote!(#call(#(#arguments),*))));
        let unkeep = (self.kind() == Kind::Procedure).then(|| self.kept(true, Some(quote!(#uncall(#(#arguments),*)))));
        let spend = derivatives.then(|| {
            let mut passed = Vec::new();
            for parameter in self.parameters() {
                if !parameter.receiver {
                    passed.push(parameter.handed_on());
                }
                let own = super::derivatives::shadow_name(Run::Spend, &parameter.name);
                match (parameter.active, parameter.host) {
                    (true, _) => passed.push(quote!(#own)),
                    (false, false) => passed.push(quote!(::retrograd::private::NoShadow)),
                    (false, true) => {}
                }
            }
            if self.value().is_some() {
                let seed = fresh("seed");
                passed.push(quote!(#seed));
            }
            let (pullback, sweep) = (self.name(Run::Adjoint, false, false), fresh("sweep"));
            let callee = if has_receiver { quote!(self.#pullback) } else { quote!(Self::#pullback) };
            let call = self.invoked(&callee, &quote!(#sweep), passed);
            // A generic parameter may be in the value alone.
            let body = match self.value() {
                Some(ty) => quote!(let _: #ty = #call;),
                None => quote!(#call;),
            };
            self.hidden(Run::Spend, false, Some(body))
        });
        quote!(#keep #unkeep #spend)
    }

    /// The runs that a trait asks of the types that implement it, or that are never run.
    pub(super) fn pairs_with_body(&self, body: Option<&TokenStream>) -> TokenStream {
        let keep = self.kept(false, body.cloned());
        let unkeep = (self.kind() == Kind::Procedure).then(|| self.kept(true, body.cloned()));
        let spend = self.signature.has_derivatives().then(|| self.hidden(Run::Spend, false, body.cloned()));
        quote!(#keep #unkeep #spend)
    }

    /// A run on values with a record, in the arguments of the program.
    fn kept(&self, inverse: bool, body: Option<TokenStream>) -> TokenStream {
        let mut inputs = Vec::new();
        let mut receiver = None;
        for parameter in self.parameters() {
            let (name, typed) = (&parameter.name, parameter.typed());
            match parameter.receiver {
                true => receiver = Some(parameter.as_receiver()),
                false => inputs.push(quote!(#name: #typed)),
            }
        }
        let record = fresh("record");
        inputs.insert(self.sweep_position(), quote!(#record: &mut ::retrograd::private::Record));
        let output = self.value().filter(|_| !inverse).map(|ty| quote!(-> #ty));
        let generics = self.generics();
        let (generics, _, clause) = generics.split_for_impl();
        let name = self.name(Run::Keep, inverse, false);
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let body = body.map_or_else(|| quote!(;), |body| quote!({ #body }));
        quote! {
            #[doc(hidden)]
            #(#copied)*
            #lints
            #vis fn #name #generics (#receiver #(#inputs),*) #output #clause #body
        }
    }
}

impl Parameter {
    /// The argument, in a call with the same arguments.
    fn handed_on(&self) -> TokenStream {
        let name = &self.name;
        if self.mode == Mode::Change { quote!(&mut *#name) } else { quote!(#name) }
    }
}
