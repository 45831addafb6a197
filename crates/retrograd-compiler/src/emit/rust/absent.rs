//! Companions that a program does not have. They are there to be refused: a call of one says what there is instead.
//!
//! ```text
//! fn gradient(_: impl Sized) -> ! where for<'__any> Self: OneOfSeveralNumbers { .. }
//! ```
//!
//! Nothing satisfies the bound. It is said for all lifetimes, because rustc would refuse it here already otherwise.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::companions::{companion_lints, stripped};
use super::derivatives::Companions;
use super::paths::{SHADOW, companion_name};
use crate::ir::{Kind, Run};
use crate::signature::Home;

const VALUES: [&str; 4] = ["gradient", "jacobian", "hessian", "hvp"];

impl Companions<'_> {
    /// Of `gradient` and its kin, those that do not belong to the kind of value that the function has.
    pub(super) fn absent_values(&self) -> TokenStream {
        if !matches!(self.signature.home, Home::Holder) || !self.has_active() {
            return TokenStream::new();
        }
        let absent: &[(&str, &[&str])] = match self.value() {
            None => &[("Value", &VALUES)],
            Some(_) if self.generic_number().is_some() => &[("SeveralNumbers", &["jacobian"])],
            Some(_) if self.is_scalar() => &[("SeveralNumbers", &["jacobian"]), ("AnyNumber", &["hessian", "hvp"])],
            Some(_) if self.has_jacobian() => &[("OneOfSeveralNumbers", &["gradient", "hessian", "hvp"])],
            Some(_) if self.may_be_scalar() => &[("Numbers", &["jacobian", "hessian", "hvp"])],
            Some(_) => &[("Numbers", &VALUES)],
        };
        let refused = |bound, names: &[&str]| -> TokenStream {
            names.iter().map(|name| self.refused(name, self.parameters().len(), bound)).collect()
        };
        absent.iter().map(|(bound, names)| refused(bound, names)).collect()
    }

    /// `gradient_over` of a function that no data points go through.
    pub(super) fn absent_over(&self) -> TokenStream {
        if !matches!(self.signature.home, Home::Holder) || !self.has_active() {
            return TokenStream::new();
        }
        self.refused("gradient_over", self.parameters().len(), "DataPoints")
    }

    /// All derivative companions of a program that is said to have none, for its callers. A trait has none of them: it may be used
    /// behind `dyn`.
    pub(super) fn absent(&self) -> TokenStream {
        if !self.has_active() || matches!(self.signature.home, Home::Trait(_) | Home::Declaration) {
            return TokenStream::new();
        }
        let inverses: &[bool] = if self.kind() == Kind::Procedure { &[false, true] } else { &[false] };
        let mut tokens = TokenStream::new();
        for inverse in inverses {
            for run in [Run::Adjoint, Run::Tangent] {
                // Each caller has a pushforward, so that one of them says it for all.
                let bound = (run == Run::Tangent && !inverse).then_some("Derivatives");
                tokens.extend(self.never_entered(run, *inverse, bound));
                if matches!(self.signature.home, Home::Holder) {
                    let seed = usize::from(run == Run::Adjoint && self.value().is_some());
                    let name = companion_name(run, *inverse, true);
                    tokens.extend(self.refused(&name, self.parameters().len() + seed, "Derivatives"));
                }
            }
        }
        if matches!(self.signature.home, Home::Holder) {
            tokens.extend(VALUES.map(|name| self.refused(name, self.parameters().len(), "Derivatives")));
        }
        tokens.extend(self.absent_determinants("Derivatives"));
        tokens.extend(self.with_runs());
        tokens
    }

    /// A companion with so many arguments, and a bound that nothing satisfies.
    pub(super) fn refused(&self, name: &str, arguments: usize, bound: &str) -> TokenStream {
        let (name, bound) = (Ident::new(name, self.signature.name.span()), format_ident!("{bound}"));
        let (vis, lints) = (self.vis, companion_lints());
        let arguments = vec![quote!(_: impl ::core::marker::Sized); arguments];
        quote! {
            #[doc(hidden)]
            #lints
            #vis fn #name(#(#arguments),*) -> ! where for<'__any> Self: ::retrograd::private::absent::#bound {
                ::core::unreachable!()
            }
        }
    }

    /// What a procedure with a record does not have, for its users and for its callers.
    pub(super) fn absent_without_record(&self) -> TokenStream {
        let mut tokens = self.absent_inverse();
        // Each caller through which a derivative flows has a pullback, so that this one says it for all.
        let missing = [(Run::Adjoint, false, Some("Caller")), (Run::Adjoint, true, None), (Run::Tangent, true, None)];
        for (run, inverse, bound) in missing {
            tokens.extend(match self.signature.home {
                Home::Holder | Home::Inherent(_) => self.never_entered(run, inverse, bound),
                // An `impl` asks for nothing that the trait does not ask for.
                Home::Trait(_) => self.never_entered(run, inverse, None),
                Home::Declaration => self.never_implemented(run, inverse, bound),
            });
            if inverse && self.has_active() && matches!(self.signature.home, Home::Holder) {
                let name = companion_name(run, true, true);
                tokens.extend(self.refused(&name, self.parameters().len(), "OneToOne"));
            }
        }
        tokens
    }

    /// The same in a trait, with the bounds that an `impl` without a record has.
    fn never_implemented(&self, run: Run, inverse: bool, bound: Option<&str>) -> TokenStream {
        let entry = self.hidden(run, inverse, Some(quote!(::core::unreachable!())));
        let (Some(bound), Ok(mut entry)) = (bound, syn::parse2::<syn::ImplItemFn>(entry.clone())) else { return entry };
        let bound = format_ident!("{bound}");
        let predicate = syn::parse_quote!(for<'__any> Self: ::retrograd::private::absent::#bound);
        entry.sig.generics.make_where_clause().predicates.push(predicate);
        entry.into_token_stream()
    }

    /// The inverse without a record, which a procedure with a record does not have.
    pub(super) fn absent_inverse(&self) -> TokenStream {
        let signature =
            syn::Signature { ident: self.name(Run::Values, true, false), ..stripped(&self.signature.syntax) };
        let (vis, lints) = (self.vis, companion_lints());
        quote!(#[doc(hidden)] #lints #vis #signature { ::core::unreachable!() })
    }

    /// A hidden entry that the companions of a caller name, with a bound that nothing satisfies, if it is this one that says so.
    fn never_entered(&self, run: Run, inverse: bool, bound: Option<&str>) -> TokenStream {
        let (shadow, sweep) = (format_ident!("{SHADOW}"), quote!(_: ::retrograd::private::Sweep));
        let (mut inputs, mut receiver) = (Vec::new(), None);
        for parameter in self.parameters() {
            let typed = parameter.typed();
            match parameter.receiver {
                true => receiver = Some(parameter.as_receiver()),
                false => inputs.push(quote!(_: #typed)),
            }
            if !parameter.host {
                inputs.push(quote!(_: impl ::core::marker::Sized));
            }
        }
        let output = self.value().map(|ty| match run {
            Run::Tangent => quote!(-> (#ty, ())),
            Run::Adjoint | Run::Values | Run::Keep | Run::Spend => quote!(-> #ty),
        });
        if run == Run::Adjoint && self.value().is_some() {
            inputs.push(quote!(_: impl ::core::marker::Sized));
        }
        inputs.insert(self.sweep_position(), quote!(#sweep<#shadow>));
        let mut generics = self.signature.syntax.generics.clone();
        generics.params.push(syn::parse_quote!(#shadow));
        if let Some(bound) = bound {
            let bound = format_ident!("{bound}");
            let predicate = syn::parse_quote!(for<'__any> Self: ::retrograd::private::absent::#bound);
            generics.make_where_clause().predicates.push(predicate);
        }
        let (generics, _, clause) = generics.split_for_impl();
        let (name, vis, lints) = (self.name(run, inverse, false), self.vis, companion_lints());
        quote! {
            #[doc(hidden)]
            #lints
            #vis fn #name #generics (#receiver #(#inputs),*) #output #clause { ::core::unreachable!() }
        }
    }
}
