//! The determinant of a procedure: `log_det`, `uncall_log_det` and `pullback_log_det`.
//!
//! They need no run of their own: the tangent runs follow the elements of the arguments in a sweep over `Volume`, and the pullback
//! carries the adjoint of the logarithm in one over `Weighted`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::companions::{companion_lints, copied_attributes, inline};
use super::derivatives::Companions;
use super::over::is_implied;
use super::types::{owned_type, shadow_type};
use crate::hygiene::{fresh, fresh_for};
use crate::ir::{Kind, Mode, Run};
use crate::signature::{Home, Parameter};

const NAMES: [&str; 3] = ["log_det", "uncall_log_det", "pullback_log_det"];

impl Companions<'_> {
    /// All three, of a procedure that changes numbers.
    pub(super) fn determinants(&self) -> TokenStream {
        let changes = |p: &Parameter| p.active && p.mode == Mode::Change;
        if self.kind() != Kind::Procedure
            || matches!(self.signature.home, Home::Trait(_))
            || !self.parameters().iter().any(changes)
        {
            return TokenStream::new();
        }
        if self.keeps() {
            return self.absent_determinants("OneToOne");
        }
        let (there, back, pullback) = (self.log_det(false), self.log_det(true), self.pullback_log_det());
        quote!(#there #back #pullback)
    }

    /// The same, of a procedure that has none.
    pub(super) fn absent_determinants(&self, bound: &str) -> TokenStream {
        if !matches!(self.signature.home, Home::Holder) || self.kind() != Kind::Procedure {
            return TokenStream::new();
        }
        let count = self.parameters().len();
        NAMES.iter().zip([count, count, count + 1]).map(|(name, count)| self.refused(name, count, bound)).collect()
    }

    /// Runs the procedure, there or back, with a volume for each number that it changes.
    fn log_det(&self, inverse: bool) -> TokenStream {
        let (private, number, det) = (quote!(::retrograd::private), self.number(), fresh("determinant"));
        let (mut inputs, mut passed, mut begun, mut ended) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut receiver = None;
        for parameter in self.parameters() {
            let Parameter { name, value, .. } = parameter;
            let typed = parameter.typed();
            match parameter.receiver {
                true => receiver = Some(parameter.as_receiver()),
                false => {
                    inputs.push(quote!(#name: #typed));
                    passed.push(quote!(#name));
                }
            }
            if parameter.host {
                continue;
            }
            if !parameter.active || parameter.mode != Mode::Change {
                passed.push(quote!(#private::NoShadow));
                continue;
            }
            let (own, checked, described) = (fresh_for("volume", name), self.checked(value), name.to_string());
            begun.push(quote!(let mut #own = #det.begin::<#checked>(&*#name);));
            passed.push(quote!(&mut #own));
            ended.push(quote!(#det.end::<#checked>(#described, &#own);));
        }
        let volume = quote!(#private::Volume<#number>);
        let generics = self.swept(self.generics(), &volume);
        let (generics, _, clause) = generics.split_for_impl();
        let call =
            self.invoked(&self.entered(Run::Tangent, inverse), &quote!(#private::Sweep::<#volume>::new()), passed);
        let (vis, copied, lints, inline) =
            (self.vis, copied_attributes(self.attrs), companion_lints(), inline(self.attrs));
        let (name, program) = (self.named(NAMES[usize::from(inverse)]), self.signature.name.to_string());
        let doc = match inverse {
            false => format!("Runs `{program}`: the determinant of its Jacobian over the arguments that it changes."),
            true => format!("Runs `{program}` backwards: the determinant of the Jacobian of its inverse."),
        };
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #inline
            #[track_caller]
            #vis fn #name #generics (#receiver #(#inputs),*) -> #private::LogDet<#number> #clause {
                let mut #det = #private::Determinant::<#number>::of(#program);
                #(#begun)*
                #call;
                #(#ended)*
                #det.finish()
            }
        }
    }

    /// The pullback, with an adjoint of the logarithm.
    fn pullback_log_det(&self) -> TokenStream {
        let (private, number, seed) = (quote!(::retrograd::private), self.number(), fresh("seed"));
        let weighted = quote!(#private::Weighted<#number>);
        let (mut inputs, mut passed, mut begun, mut ended) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut receiver = None;
        for parameter in self.parameters() {
            let Parameter { name, value, mode, .. } = parameter;
            let typed = parameter.typed();
            if !parameter.active {
                match parameter.receiver {
                    true => receiver = Some(parameter.as_receiver()),
                    false => {
                        inputs.push(quote!(#name: #typed));
                        passed.push(quote!(#name));
                    }
                }
                if !parameter.host {
                    passed.push(quote!(#private::NoShadow));
                }
                continue;
            }
            let checked = self.checked(value);
            let (own, weighed) = (super::entries::shadow_name(Run::Adjoint, name), fresh_for("weighted", name));
            let shadow = match parameter.mode {
                Mode::Value => owned_type(&checked, &number, self.numbers()),
                Mode::Change | Mode::Borrow => shadow_type(&checked, &number, self.numbers()),
            };
            match parameter.receiver {
                true => {
                    receiver = Some(parameter.as_receiver());
                    inputs.push(quote!(#own: &mut #shadow));
                }
                false => {
                    inputs.push(quote!((#name, #own): (#typed, &mut #shadow)));
                    passed.push(quote!(#name));
                }
            }
            let (read, given, described) = (
                if *mode == Mode::Value { quote!(&#name) } else { quote!(&*#name) },
                if *mode == Mode::Value { quote!(::core::borrow::Borrow::borrow(&*#own)) } else { quote!(&*#own) },
                name.to_string(),
            );
            let found = match mode {
                Mode::Value => quote!(::core::borrow::BorrowMut::borrow_mut(&mut *#own)),
                Mode::Change | Mode::Borrow => quote!(&mut *#own),
            };
            let weight = match mode {
                Mode::Change => quote!(#seed),
                Mode::Value | Mode::Borrow => quote!(<#number as #private::Scalar>::zero()),
            };
            begun.push(quote! {
                #private::fit::<#checked, #number>(#private::Sweep::new(), #described, #read, #given);
                let mut #weighed = #private::weigh::<#checked, #number>(#read, #given, #weight);
            });
            passed.push(quote!(&mut #weighed));
            ended.push(quote!(#private::unweigh::<#checked, #number>(&#weighed, #found);));
        }
        let generics = self.swept(self.shadowed(self.generics(), &number), &weighted);
        let (generics, _, clause) = generics.split_for_impl();
        let call =
            self.invoked(&self.entered(Run::Adjoint, false), &quote!(#private::Sweep::<#weighted>::new()), passed);
        let (vis, copied, lints, inline) =
            (self.vis, copied_attributes(self.attrs), companion_lints(), inline(self.attrs));
        let name = self.named(NAMES[2]);
        let doc = format!(
            "Runs `{}` backwards, carrying adjoints, as `pullback` does; `seed` is the adjoint of `log_abs` of its determinant.",
            self.signature.name
        );
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #inline
            #[track_caller]
            #vis fn #name #generics (#receiver #(#inputs,)* #seed: #number) #clause {
                #(#begun)*
                #call;
                #(#ended)*
            }
        }
    }

    /// m″/m′ of a bijection m, from its slope at a dual number; of one that is not for all numbers, that there is none.
    pub(super) fn bend(&self) -> TokenStream {
        let [parameter] = self.parameters() else { return TokenStream::new() };
        let (name, typed, vis, private) = (&parameter.name, parameter.typed(), self.vis, quote!(::retrograd::private));
        let generics = self.generics();
        let (generics, _, clause) = generics.split_for_impl();
        let of_any_number = |number: &Ident| self.bounds(number).is_some_and(|bounds| bounds.iter().all(is_implied));
        let number = self.generic_number().filter(of_any_number);
        let (output, body) = match number {
            Some(number) => {
                let slope = fresh("slope");
                let body = quote! {
                    let #slope = Self::derivative(#private::Dual::<#number, 1>::variable(#name, 0));
                    #private::number(#slope.eps[0] / #slope.re)
                };
                (quote!(<#number as #private::Number>::Value), body)
            }
            None => (quote!(#private::NoBend), quote!(#private::NoBend)),
        };
        quote! {
            #[doc(hidden)]
            // Without a number nothing reads the argument, and only determinants ask for it.
            #[allow(unused)]
            #[inline]
            #vis fn __bend #generics (#name: #typed) -> #output #clause { #body }
        }
    }

    /// The bounds of a sweep that is no type parameter. Numbers of several types are all named: rustc takes one that stands there alone
    /// for the one that is meant.
    fn swept(&self, generics: syn::Generics, sweep: &TokenStream) -> syn::Generics {
        let mut generics = self.shadowed(generics, sweep);
        if let [first, _, ..] = self.numbers().parameters.as_slice() {
            let predicate = syn::parse_quote!(#sweep: ::retrograd::private::Shadow<#first>);
            generics.make_where_clause().predicates.push(predicate);
        }
        generics
    }

    /// How the hidden entry of a run is called.
    fn entered(&self, run: Run, inverse: bool) -> TokenStream {
        let hidden = self.name(run, inverse, false);
        match self.signature.receiver().is_some() {
            true => quote!(self.#hidden),
            false => quote!(Self::#hidden),
        }
    }
}
