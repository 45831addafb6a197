//! The companion of functions with shared arguments: a gradient over many data points, in lanes.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::{self, VisitMut};

use super::companions::companion_lints;
use super::derivatives::Companions;
use crate::hygiene::{fresh, numbered};
use crate::ir::Mode;
use crate::signature::numbers::{is_borrowed, is_inactive, is_real, mentions};
use crate::signature::{Home, Parameter};

/// What an argument is to a run over many data points.
enum Role<'a> {
    /// The same for all of them: numbers behind a reference.
    Shared,
    /// Another one for each: so many numbers, or one.
    Point { len: Option<&'a syn::Expr> },
    /// The same for all of them, and not made of numbers.
    Other,
}

impl Companions<'_> {
    /// The sum of the values at many data points, and its gradient with respect to each active argument: for functions of one
    /// kind of number, some of which are `Shared`.
    pub(super) fn gradient_over(&self) -> TokenStream {
        self.over().unwrap_or_else(|| self.absent_over())
    }

    fn over(&self) -> Option<TokenStream> {
        let numbers = self.numbers();
        let [number] = numbers.parameters.as_slice() else { return None };
        let generics = &self.signature.syntax.generics;
        let others = generics.params.iter().filter(|param| !matches!(param, syn::GenericParam::Const(_)));
        if !matches!(self.signature.home, Home::Holder)
            || others.count() != 1
            || generics.where_clause.is_some()
            || !self.bounds(number)?.iter().all(is_implied)
            || !self.is_scalar()
        {
            return None;
        }
        let parameters = self.parameters();
        let roles = parameters.iter().map(|p| role(p, number)).collect::<Option<Vec<Role<'_>>>>()?;
        let is_shared = |role: &&Role<'_>| matches!(role, Role::Shared);
        let is_point = |role: &&Role<'_>| matches!(role, Role::Point { .. });
        if roles.iter().filter(is_shared).count() == 0 || roles.iter().filter(is_point).count() == 0 {
            return None;
        }
        Some(self.over_points(number, parameters, &roles))
    }

    fn over_points(&self, number: &Ident, parameters: &[Parameter], roles: &[Role<'_>]) -> TokenStream {
        let over = quote!(::retrograd::private::over);
        let consts: Vec<&syn::ConstParam> = self.signature.syntax.generics.const_params().collect();
        let names: Vec<&Ident> = consts.iter().map(|param| &param.ident).collect();
        let (start, sums, sweep, value) = (fresh("start"), fresh("sums"), fresh("sweep"), fresh("value"));
        let summed_in = quote!(__Sum);
        let (mut inputs, mut fields, mut given) = (Vec::new(), Vec::new(), Vec::new());
        let (mut summed, mut zeros, mut passed, mut taken, mut put) = (vec![], vec![], vec![], vec![], vec![]);
        let (mut lengths, mut begun, mut gradients, mut owned) = (vec![], vec![], vec![], vec![]);
        let (mut cuts, mut firsts, mut seconds) = (vec![], vec![], vec![]);
        for (i, (parameter, role)) in parameters.iter().zip(roles).enumerate() {
            let Parameter { name, syntax: value, mode, active, .. } = parameter;
            // Fields have no hygiene: they are numbered.
            let (field, gradient_field) = (format_ident!("argument_{i}"), format_ident!("gradient_{i}"));
            let (point, gradient) = (numbered("point", i), numbered("gradient", i));
            let (first, second) = (numbered("first", i), numbered("second", i));
            match role {
                Role::Shared => {
                    firsts.push(quote!(#field: self.#field));
                    seconds.push(quote!(#field: self.#field));
                    let plain = with_shared(value, number, &quote!(f64));
                    inputs.push(quote!(#name: &#plain));
                    fields.push(quote!(#field: &'a #plain));
                    given.push(quote!(#field: #name));
                    let shared = quote!(#over::share::<#number, _>(self.#field));
                    if *active {
                        let sum = nth(&sums, summed.len());
                        summed.push(in_vectors(with_shared(value, number, &summed_in)));
                        zeros.push(quote!(::retrograd::private::zero(#sweep, #shared)));
                        passed.push(quote!((#shared, &mut #sum)));
                        gradients.push(sum);
                        owned.push(in_vectors(plain));
                    } else {
                        passed.push(shared);
                    }
                }
                Role::Point { len } => {
                    let text = name.to_string();
                    // A number by itself is a row of one.
                    let (row, rows) = match len {
                        Some(len) => (quote!([f64; #len]), quote!(#name)),
                        None => (quote!([f64; 1]), quote!(#name.as_chunks().0)),
                    };
                    let (element, zero) = match len {
                        Some(len) => (row.clone(), quote!([0.0; #len])),
                        None => (quote!(f64), quote!(0.0)),
                    };
                    inputs.push(quote!(#name: &[#element]));
                    fields.push(quote!(#field: &'a [#row]));
                    given.push(quote!(#field: #rows));
                    lengths.push(quote!((#text, self.#field.len())));
                    taken.push(quote!(let #point = #number::take(self.#field, #start);));
                    cuts.push(quote!(let (#first, #second) = self.#field.split_at(#start);));
                    firsts.push(quote!(#field: #first));
                    seconds.push(quote!(#field: #second));
                    let read = match (len, mode) {
                        (None, Mode::Value) => quote!(#point[0]),
                        (None, _) => quote!(&#point[0]),
                        (Some(_), Mode::Value) => quote!(#point),
                        (Some(_), _) => quote!(&#point),
                    };
                    if *active {
                        fields.push(quote!(#gradient_field: &'a mut [#row]));
                        let (first, second) = (numbered("first_gradient", i), numbered("second_gradient", i));
                        cuts.push(quote!(let (#first, #second) = self.#gradient_field.split_at_mut(#start);));
                        firsts.push(quote!(#gradient_field: #first));
                        seconds.push(quote!(#gradient_field: #second));
                        let of_one = if len.is_some() { quote!(&mut #gradient) } else { quote!(&mut #gradient[0]) };
                        passed.push(quote!((#read, #of_one)));
                        taken.push(quote!(let mut #gradient = ::retrograd::private::zero(#sweep, &#point);));
                        put.push(quote!(#number::put(&#gradient, self.#gradient_field, #start);));
                        begun.push(quote!(let mut #gradient: ::retrograd::private::Vec<#element> =
                            ::retrograd::private::vec![#zero; #name.len()];));
                        let rows =
                            if len.is_some() { quote!(&mut #gradient) } else { quote!(#gradient.as_chunks_mut().0) };
                        given.push(quote!(#gradient_field: #rows));
                        gradients.push(quote!(#gradient));
                        owned.push(syn::parse_quote!(::retrograd::private::Vec<#element>));
                    } else {
                        passed.push(read);
                    }
                }
                Role::Other => {
                    let lifetime = (*mode != Mode::Value).then(|| quote!(&'a));
                    let reference = (*mode != Mode::Value).then(|| quote!(&));
                    inputs.push(quote!(#name: #reference #value));
                    fields.push(quote!(#field: #lifetime #value));
                    given.push(quote!(#field: #name));
                    passed.push(quote!(self.#field));
                    firsts.push(quote!(#field: self.#field));
                    seconds.push(quote!(#field: self.#field));
                }
            }
        }
        let (summed, zeros) = (nested(summed), nested(zeros));
        let (vis, lints, function) = (self.vis, companion_lints(), &self.signature.name);
        let arguments = self.passed_on(true);
        let doc = format!(
            "The sum of the values of `{function}` at many data points, and its gradient with respect to each active argument: a \
             sum for those that are shared, and one for each data point for the others. The data points go through the function in \
             lanes, with the best instructions that the machine has; with the feature `rayon`, on several threads.\n\n# Panics\n\nIf two arguments have different numbers of data \
             points."
        );
        quote! {
            #[doc = #doc]
            #lints
            #[track_caller]
            #vis fn gradient_over<#(#consts),*>(#(#inputs),*) -> (f64, #(#owned),*) {
                struct __Each<'a, #(#consts),*> { #(#fields),* }
                impl<'a, #(#consts),*> #over::Each for __Each<'a, #(#names),*> {
                    type Sums<#summed_in: #over::Sum> = #summed;
                    #[track_caller]
                    fn count(&self) -> usize {
                        #over::count(&[#(#lengths),*])
                    }
                    #[inline(always)]
                    fn zero<#number: #over::Batch>(&self) -> Self::Sums<#over::SumsOf<#number>> {
                        let #sweep = ::retrograd::private::Sweep::<#number>::new();
                        #zeros
                    }
                    fn split(self, #start: usize) -> (Self, Self) {
                        #(#cuts)*
                        (Self { #(#firsts),* }, Self { #(#seconds),* })
                    }
                    #[inline(always)]
                    fn points<#number: #over::Batch>(
                        &mut self, #start: usize, #sums: &mut Self::Sums<#over::SumsOf<#number>>
                    ) -> #number {
                        let #sweep = ::retrograd::private::Sweep::<#number>::new();
                        #(#taken)*
                        let #value = #function::pullback #arguments(#(#passed,)* <#number as ::retrograd::private::Real>::one());
                        #(#put)*
                        #value
                    }
                }
                #(#begun)*
                let (#value, #sums) = #over::gradient_over(__Each::<'_, #(#names),*> { #(#given),* });
                (#value, #(#gradients),*)
            }
        }
    }
}

/// As many as there are, in pairs: `(a, (b, ()))`.
fn nested(all: impl IntoIterator<Item = impl ToTokens, IntoIter: DoubleEndedIterator>) -> TokenStream {
    all.into_iter().rev().fold(quote!(()), |rest, first| quote!((#first, #rest)))
}

/// One of them.
fn nth(all: &Ident, n: usize) -> TokenStream {
    let seconds = (0..n).map(|_| quote!(.1));
    quote!(#all #(#seconds)* .0)
}

/// The role of a parameter, if it has one.
fn role<'a>(parameter: &'a Parameter, number: &Ident) -> Option<Role<'a>> {
    let Parameter { syntax: value, mode, host, receiver, .. } = parameter;
    if *host || *receiver || *mode == Mode::Change {
        return None;
    }
    if is_made_of_shared(value, number) {
        return (*mode != Mode::Value).then_some(Role::Shared);
    }
    match value {
        syn::Type::Path(path) if path.path.is_ident(number) => return Some(Role::Point { len: None }),
        syn::Type::Array(array) if matches!(&*array.elem, syn::Type::Path(path) if path.path.is_ident(number)) => {
            return Some(Role::Point { len: Some(&array.len) });
        }
        _ => {}
    }
    let repeated = *mode != Mode::Value || is_inactive(&parameter.value);
    (!mentions(value, number) && !is_borrowed(value) && repeated).then_some(Role::Other)
}

/// Whether every number of a run in lanes satisfies a bound: `Real`, and what real numbers are anyway.
pub(super) fn is_implied(bound: &syn::TypeParamBound) -> bool {
    const IMPLIED: &[&str] = &["Active", "Clone", "Copy", "Debug", "Default", "PartialEq", "PartialOrd", "Sized"];
    let of_real = match bound {
        syn::TypeParamBound::Trait(bound) => bound
            .path
            .segments
            .last()
            .is_some_and(|last| last.arguments.is_none() && IMPLIED.iter().any(|name| last.ident == name)),
        syn::TypeParamBound::Lifetime(_) => true,
        _ => false,
    };
    of_real || is_real(bound)
}

/// `Shared<T>`, and arrays and slices of it.
fn is_made_of_shared(ty: &syn::Type, number: &Ident) -> bool {
    match ty {
        syn::Type::Array(array) => is_made_of_shared(&array.elem, number),
        syn::Type::Slice(slice) => is_made_of_shared(&slice.elem, number),
        _ => is_shared(ty, number),
    }
}

fn is_shared(ty: &syn::Type, number: &Ident) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    let Some(last) = path.path.segments.last() else { return false };
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return false };
    let of_number = matches!(arguments.args.first(), Some(syn::GenericArgument::Type(syn::Type::Path(path)))
        if path.path.is_ident(number));
    last.ident == "Shared" && arguments.args.len() == 1 && of_number
}

/// The type with other numbers in the place of shared ones.
fn with_shared(ty: &syn::Type, number: &Ident, other: &TokenStream) -> syn::Type {
    struct Replace<'a>(&'a Ident, &'a TokenStream);
    impl VisitMut for Replace<'_> {
        fn visit_type_mut(&mut self, ty: &mut syn::Type) {
            if is_shared(ty, self.0) {
                *ty = syn::Type::Verbatim(self.1.clone());
            } else {
                visit_mut::visit_type_mut(self, ty);
            }
        }
    }
    let mut ty = ty.clone();
    Replace(number, other).visit_type_mut(&mut ty);
    ty
}

/// The type of a gradient: vectors for slices.
fn in_vectors(ty: syn::Type) -> syn::Type {
    match ty {
        syn::Type::Slice(slice) => {
            let element = in_vectors(*slice.elem);
            syn::parse_quote!(::retrograd::private::Vec<#element>)
        }
        other => other,
    }
}
