//! `hessian` and `hvp`: a program over any number, run on dual numbers.
//!
//! An argument `&[T]` is lifted to `Vec<Dual<T, N>>`, and a struct `&Camera<T>` to `Camera<Dual<T, N>>`, if that is its shadow in a
//! sweep over dual numbers. Only rustc knows whether it is: it is a bound of the companion.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::companions::{companion_lints, copied_attributes};
use super::derivatives::Companions;
use super::types::owned_type;
use crate::hygiene::{fresh, fresh_for};
use crate::ir::{Mode, Run};
use crate::signature::numbers::{is_borrowed, is_real, mentions};
use crate::signature::{Home, Parameter, types};

/// What a companion is made of that runs on dual numbers.
struct Lifted<'a> {
    number: Ident,
    /// `Dual<T, N>`
    dual: TokenStream,
    generics: syn::Generics,
    receiver: Option<TokenStream>,
    inputs: Vec<TokenStream>,
    /// The active arguments.
    active: Vec<LiftedArgument<'a>>,
    /// Statements that lift the arguments.
    lifts: Vec<TokenStream>,
    /// Statements that begin the adjoints.
    begun: Vec<TokenStream>,
    /// The call of the hidden entry.
    call: TokenStream,
}

struct LiftedArgument<'a> {
    parameter: &'a Parameter,
    /// Its type, with dual numbers.
    over: syn::Type,
    /// A reference to it.
    read: TokenStream,
    lift: Ident,
    adjoint: Ident,
}

impl Companions<'_> {
    /// The one number type, where a scalar function is generic in it: then it runs on dual numbers, if they have what it asks for.
    pub(super) fn generic_number(&self) -> Option<Ident> {
        let numbers = self.numbers();
        let [number] = numbers.parameters.as_slice() else { return None };
        let bounds = self.bounds(number)?;
        let plain = self.signature.where_predicates().count() <= usize::from(bounds.is_empty());
        let made_of = |p: &Parameter| !p.host && (!p.active || self.mentions(&p.syntax, number));
        let by_value =
            |p: &Parameter| p.mode != Mode::Value || !self.mentions(&p.syntax, number) || numbers.is_copied(&p.value);
        // What is borrowed inside of a value has no shadow of its own type.
        let owned = |p: &Parameter| !p.active || !is_borrowed(&p.syntax);
        let lifted = self.parameters().iter().all(|p| made_of(p) && by_value(p) && owned(p));
        let here = matches!(self.signature.home, Home::Holder | Home::Inherent(_));
        (here && plain && lifted && self.is_scalar() && self.has_active()).then(|| number.clone())
    }

    /// What a type parameter is bound by where it is declared.
    pub(super) fn bounds(
        &self,
        number: &Ident,
    ) -> Option<&syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>> {
        let generics = self.signature.all_generics();
        generics.flat_map(|generics| generics.type_params()).find(|p| p.ident == *number).map(|own| &own.bounds)
    }

    /// Whether a type is made of a number type.
    fn mentions(&self, ty: &syn::Type, number: &Ident) -> bool {
        mentions(&self.without_self(ty), number)
    }

    /// A type with `Self` by its name.
    fn without_self(&self, ty: &syn::Type) -> syn::Type {
        match self.signature.home {
            Home::Inherent(this) => substituted(ty, &format_ident!("Self"), this),
            Home::Holder | Home::Trait(_) | Home::Declaration => ty.clone(),
        }
    }

    /// The arguments on dual numbers, and the call of the pullback with them; `along` says whether each active argument comes with
    /// a direction `d_..`.
    fn lifted(&self, directions: &TokenStream, along: bool) -> Option<Lifted<'_>> {
        let number = self.generic_number()?;
        let private = quote!(::retrograd::private);
        let dual = quote!(#private::Dual<#number, { #directions }>);
        let over_dual: syn::Type = syn::parse_quote!(#dual);
        let sweep = fresh("sweep");
        let (mut inputs, mut receiver, mut active) = (Vec::new(), None, Vec::new());
        let (mut lifts, mut begun, mut passed, mut first) = (Vec::new(), Vec::new(), Vec::new(), None);
        let mut generics = self.generics();
        let mut bound = |predicate| generics.make_where_clause().predicates.push(predicate);
        bound(syn::parse_quote!(#dual: #private::Shadow<#number>));
        // What the program asks of its number, it asks of dual numbers. That they are real is known.
        for asked in self.bounds(&number)?.iter().filter(|asked| !is_real(asked)) {
            let mut asked = asked.clone();
            syn::visit_mut::VisitMut::visit_type_param_bound_mut(&mut Substitution(&number, &over_dual), &mut asked);
            bound(syn::parse_quote!(#dual: #asked));
        }
        for parameter in self.parameters() {
            let Parameter { name, value, mode, .. } = parameter;
            let typed = parameter.typed();
            let read = if *mode == Mode::Value { quote!(&#name) } else { quote!(#name) };
            let (adjoint, lift) = (fresh_for("grad", name), fresh_for("lifted", name));
            let direction = fresh_for("d", name);
            match (parameter.receiver, along && parameter.active) {
                (true, false) => receiver = Some(parameter.as_receiver()),
                (true, true) => {
                    receiver = Some(parameter.as_receiver());
                    inputs.push(quote!(#direction: &#value));
                }
                (false, false) => inputs.push(quote!(#name: #typed)),
                (false, true) => inputs.push(quote!((#name, #direction): (#typed, &#value))),
            }
            if !self.mentions(&parameter.syntax, &number) {
                passed.push(quote!(::core::clone::Clone::clone(&#name)));
                passed.push(quote!(#private::NoShadow));
                continue;
            }
            let over = self.checked(&types::read(&self.without_self(&parameter.syntax))).syntax();
            let over = substituted(&over, &number, &over_dual);
            let owned = owned_form(&over);
            if !self.numbers().is_plain(value) {
                bound(syn::parse_quote!(#value: #private::Active<Number = #number>));
                bound(syn::parse_quote!(#value: #private::second::Lift<#dual, #over, #owned>));
            }
            lifts.push(quote!(let mut #lift = #private::second::lift::<#value, #number, { #directions }>(#read);));
            let argument = match mode {
                Mode::Value => quote!(#lift),
                Mode::Borrow | Mode::Change => quote!(#private::second::lent::<_, #over>(&#lift)),
            };
            match parameter.receiver {
                true => first = Some(quote!(#argument,)),
                false => passed.push(argument),
            }
            if parameter.active {
                begun.push(quote!(let mut #adjoint = #private::zero::<#owned, _>(#sweep, &#lift);));
                passed.push(quote!(&mut #adjoint));
                active.push(LiftedArgument { parameter, over, read, lift, adjoint });
            } else {
                passed.push(quote!(#private::NoShadow));
            }
        }
        passed.push(quote!(<#dual as #private::Shadow<#dual>>::one()));
        passed.insert(self.sweep_position(), sweep.to_token_stream());
        // Generic arguments are spelled out: the bounds of a companion would mislead rustc in finding them.
        let arguments = self.signature.syntax.generics.params.iter().filter_map(|param| match param {
            syn::GenericParam::Type(param) if param.ident == number => Some(dual.clone()),
            syn::GenericParam::Type(param) => Some(param.ident.to_token_stream()),
            syn::GenericParam::Const(param) => Some(param.ident.to_token_stream()),
            syn::GenericParam::Lifetime(_) => None,
        });
        let (hidden, holder) = (self.name(Run::Adjoint, false, false), syn::parse_quote!(Self));
        let holder = substituted(&self.without_self(&holder), &number, &over_dual);
        let call = quote!(<#holder>::#hidden::<#(#arguments,)* #dual>(#first #(#passed),*));
        Some(Lifted { number, dual, generics, receiver, inputs, active, lifts, begun, call })
    }

    /// The value, the gradient and the Hessian, with all active arguments flattened in order.
    pub(super) fn hessian(&self) -> TokenStream {
        let private = quote!(::retrograd::private);
        let Some(lifted) = self.lifted(&quote!(#private::second::DIRECTIONS), false) else { return TokenStream::new() };
        let Lifted { number, dual, generics, receiver, inputs, active, lifts, begun, call } = lifted;
        let (mut counts, mut moved, mut gathered) = (Vec::new(), Vec::new(), Vec::new());
        let (start, offset, total) = (fresh("start"), fresh("offset"), fresh("total"));
        let (gradient, hessian) = (fresh("gradient"), fresh("hessian"));
        for LiftedArgument { parameter: Parameter { value, .. }, over, read, lift, adjoint } in &active {
            counts.push(quote!(#private::Active::count(#read)));
            moved.push(quote!(
                #offset = #private::second::move_along_axes::<#value, #number, _>(
                    ::core::borrow::BorrowMut::borrow_mut(&mut #lift), #offset, #start,
                );
            ));
            gathered.push(quote!(
                #offset = #private::second::gather::<#over, #number, _>(
                    ::core::borrow::Borrow::borrow(&#adjoint), #offset, #start, &mut #gradient, &mut #hessian,
                );
            ));
        }
        let (name, sweep, found) = (self.named("hessian"), fresh("sweep"), fresh("found"));
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let (generics, _, clause) = generics.split_for_impl();
        let doc = format!(
            "The value of `{}`, its gradient and its Hessian, row by row; the active arguments are flattened in order.",
            self.signature.name
        );
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #vis fn #name #generics (#receiver #(#inputs),*) -> (#number, #private::Vec<#number>, #private::Vec<#number>) #clause {
                let #sweep = #private::Sweep::<#dual>::new();
                let #total = 0 #(+ #counts)*;
                let mut #gradient = #private::vec![<#number as #private::Real>::zero(); #total];
                let mut #hessian = #private::vec![<#number as #private::Real>::zero(); #total * #total];
                #(#lifts)*
                let mut #start = 0;
                loop {
                    let mut #offset = 0;
                    #(#moved)*
                    #(#begun)*
                    let #found = #call;
                    let mut #offset = 0;
                    #(#gathered)*
                    #start += #private::second::DIRECTIONS;
                    if #start >= #total {
                        return (#found.re, #gradient, #hessian);
                    }
                }
            }
        }
    }

    /// The value, how it moves along a direction, and the Hessian times that direction.
    pub(super) fn hvp(&self) -> TokenStream {
        let private = quote!(::retrograd::private);
        let Some(lifted) = self.lifted(&quote!(1), true) else { return TokenStream::new() };
        let Lifted { number, dual, mut generics, receiver, inputs, active, mut lifts, begun, call } = lifted;
        let (mut results, mut types) = (Vec::new(), Vec::new());
        let mut bound = |predicate| generics.make_where_clause().predicates.push(predicate);
        bound(syn::parse_quote!(#number: #private::Shadow<#number>));
        for LiftedArgument { parameter: Parameter { name, value, .. }, over, read, lift, adjoint } in &active {
            let (along, text) = (fresh_for("d", name), name.to_string());
            types.push(match self.numbers().is_plain(value) {
                true => owned_type(value, &quote!(#number), self.numbers()),
                false => {
                    bound(syn::parse_quote!(#value: #private::Shadowed<#number>));
                    quote!(<#value as #private::Shadowed<#number>>::Owned)
                }
            });
            lifts.push(quote!(
                #private::second::move_along::<#value, #number>(
                    ::core::borrow::BorrowMut::borrow_mut(&mut #lift), #along, #read, #text,
                );
            ));
            results.push(quote!(
                #private::second::slope::<#value, #over, #number>(#read, ::core::borrow::Borrow::borrow(&#adjoint))
            ));
        }
        let (name, sweep, found) = (self.named("hvp"), fresh("sweep"), fresh("found"));
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let (generics, _, clause) = generics.split_for_impl();
        let doc = format!(
            "The value of `{}`, its slope along the direction `d_..`, and for each active argument the Hessian times the direction.",
            self.signature.name
        );
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #vis fn #name #generics (#receiver #(#inputs),*) -> (#number, #number, #(#types),*) #clause {
                let #sweep = #private::Sweep::<#dual>::new();
                #(#lifts)*
                #(#begun)*
                let #found = #call;
                (#found.re, #found.eps[0], #(#results),*)
            }
        }
    }
}

/// The type of a local that holds what a reference to this type refers to.
fn owned_form(ty: &syn::Type) -> syn::Type {
    match ty {
        syn::Type::Slice(slice) => {
            let element = owned_form(&slice.elem);
            syn::parse_quote!(::retrograd::private::Vec<#element>)
        }
        other => other.clone(),
    }
}

/// Another type in the place of a name.
struct Substitution<'a>(&'a Ident, &'a syn::Type);

impl syn::visit_mut::VisitMut for Substitution<'_> {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        match ty {
            syn::Type::Path(path) if path.path.is_ident(self.0) => *ty = self.1.clone(),
            _ => syn::visit_mut::visit_type_mut(self, ty),
        }
    }
}

/// A type with another type in the place of a name.
fn substituted(ty: &syn::Type, name: &Ident, with: &syn::Type) -> syn::Type {
    let mut ty = ty.clone();
    syn::visit_mut::VisitMut::visit_type_mut(&mut Substitution(name, with), &mut ty);
    ty
}
