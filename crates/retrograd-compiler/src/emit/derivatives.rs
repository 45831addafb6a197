//! The derivative companions of a program.
//!
//! The work is done in hidden entries, flat and generic over the scalar shadow: `f::__pullback(sweep, x, grad_x, ..)`. Calls
//! between generated companions go through them, so a caller need not know the types of its callee. The public companions
//! take pairs, look at the shapes, and call the hidden entry with the shadow that belongs to the program's numbers.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

use super::body::derivative;
use super::companions::{companion_lints, copied_attributes, inline};
use super::tokens::{SHADOW, companion_name};
use super::types::{Mentions, NamedNumbers, is_plain, may_be_another, owned_type, shadow_type};
use crate::Derived;
use crate::check::activity::inactive_type;
use crate::hygiene::fresh;
use crate::ir::{Kind, Mode, Run};

/// Where the companions stand.
#[derive(Clone, Copy)]
pub enum Home<'a> {
    /// In the `impl` of `struct f {}`.
    Holder,
    /// In the `impl` of this type, beside the method.
    Inherent(&'a syn::Type),
    /// In the `impl` of a trait.
    Trait,
    /// In a trait.
    Declaration,
}

/// What the companions of one function are written from.
pub(crate) struct Companions<'a> {
    pub(crate) attrs: &'a [syn::Attribute],
    pub(crate) vis: &'a syn::Visibility,
    pub(crate) sig: syn::Signature,
    pub(crate) outer: Option<&'a syn::Generics>,
    pub(crate) home: Home<'a>,
}

/// A parameter, as derivative companions see it.
pub(super) struct Parameter {
    /// `self` has no pattern of its own.
    pub(super) receiver: bool,
    pub(super) name: Ident,
    /// The type as written.
    written: Option<syn::Type>,
    /// The type without the reference.
    pub(super) value: syn::Type,
    pub(super) mode: Mode,
    pub(super) active: bool,
    pub(super) host: bool,
}

impl<'a> Companions<'a> {
    pub(crate) fn new(
        attrs: &'a [syn::Attribute],
        vis: &'a syn::Visibility,
        sig: &syn::Signature,
        outer: Option<&'a syn::Generics>,
        home: Home<'a>,
    ) -> Companions<'a> {
        let mut sig = sig.clone();
        // Companions name the types of their arguments: what is only `impl Trait` gets a name.
        let mut named = Named { generics: Vec::new() };
        sig.inputs.iter_mut().for_each(|input| named.visit_fn_arg_mut(input));
        sig.generics.params.extend(named.generics);
        Companions { attrs, vis, sig, outer, home }
    }
}

struct Named {
    generics: Vec<syn::GenericParam>,
}

impl VisitMut for Named {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::ImplTrait(bounds) = ty {
            let (name, bounds) = (format_ident!("__Argument{}", self.generics.len()), &bounds.bounds);
            self.generics.push(syn::parse_quote!(#name: #bounds));
            *ty = syn::parse_quote!(#name);
        } else {
            syn::visit_mut::visit_type_mut(self, ty);
        }
    }
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
    fn changes(&self, run: Run) -> bool {
        run == Run::Adjoint || self.mode == Mode::Change
    }
}

fn located(mut name: Ident, span: proc_macro2::Span) -> Ident {
    name.set_span(span);
    name
}

/// The shadow of a parameter, as the stages name it.
pub(super) fn shadow_name(run: Run, name: &Ident) -> Ident {
    fresh(&format!("{}_{name}", if run == Run::Adjoint { "grad" } else { "d" }))
}

impl Companions<'_> {
    /// All derivative companions.
    pub(super) fn all(&self, derived: &Derived) -> TokenStream {
        let Some(derivatives) = &derived.derivatives else { return self.absent() };
        let runs = [
            (Run::Adjoint, false, Some(&derivatives.pullback)),
            (Run::Tangent, false, Some(&derivatives.pushforward)),
            (Run::Adjoint, true, derivatives.unpullback.as_ref()),
            (Run::Tangent, true, derivatives.unpushforward.as_ref()),
        ];
        let mut tokens = TokenStream::new();
        for (run, inverse, run_program) in runs {
            if let Some(run_program) = run_program {
                let (before, body) = (self.reached(run), derivative(&run_program.program, run));
                tokens.extend(self.hidden(run, inverse, Some(quote!(#before #body))));
                if !matches!(self.home, Home::Trait) && self.has_active() {
                    tokens.extend(self.public(run, inverse));
                }
            }
        }
        if !matches!(self.home, Home::Trait) {
            tokens.extend(self.scalar_companions());
        }
        tokens
    }

    /// What a trait asks of the types that implement it: the hidden entries; the public companions follow from them.
    pub(super) fn required(&self) -> TokenStream {
        self.with_body(None)
    }

    /// Companions of a program that was rejected: one mistake gives one message.
    pub(crate) fn stubs(&self) -> TokenStream {
        // A type that is not `Active` would be a message of its own.
        let numbers = self.numbers();
        if self.parameters().iter().any(|p| p.active && !is_plain(&p.value, &numbers)) {
            return TokenStream::new();
        }
        self.with_body(Some(&quote!(::core::unreachable!())))
    }

    fn with_body(&self, body: Option<&TokenStream>) -> TokenStream {
        let plain = self.value().is_none_or(inactive_type);
        if !self.has_active() && !plain {
            return TokenStream::new();
        }
        let inverses: &[bool] = if self.kind() == Kind::Procedure { &[false, true] } else { &[false] };
        let mut tokens = TokenStream::new();
        for inverse in inverses {
            for run in [Run::Adjoint, Run::Tangent] {
                tokens.extend(self.hidden(run, *inverse, body.cloned()));
                if !matches!(self.home, Home::Trait) && self.has_active() {
                    tokens.extend(self.public(run, *inverse));
                }
            }
        }
        if !matches!(self.home, Home::Trait) {
            tokens.extend(self.scalar_companions());
        }
        tokens
    }

    /// The derivative of a function of one number: how its value moves when the argument moves by one.
    pub(super) fn slope(&self, derived: &Derived, doc: &str) -> TokenStream {
        let parameters = self.parameters();
        let (Some(derivatives), [parameter], Some(ty)) = (&derived.derivatives, parameters.as_slice(), self.value())
        else {
            return TokenStream::new();
        };
        if !parameter.active {
            return TokenStream::new();
        }
        let (before, body) = (self.reached(Run::Tangent), derivative(&derivatives.pushforward.program, Run::Tangent));
        let hidden = self.hidden(Run::Tangent, false, Some(quote!(#before #body)));
        let (name, typed, vis, number) = (&parameter.name, parameter.typed(), self.vis, self.number());
        let generics = self.generics();
        let (generics, _, clause) = generics.split_for_impl();
        let private = quote!(::retrograd::private);
        // A function of any number runs on dual numbers.
        if let [own] = self.numbers().as_slice() {
            let function = &self.sig.ident;
            return quote! {
                #[doc = #doc]
                #[inline]
                #vis fn derivative #generics (#name: #typed) -> #own #clause {
                    #function(#private::Dual::<#own, 1>::variable(#name, 0)).eps[0]
                }
            };
        }
        quote! {
            #hidden

            #[doc = #doc]
            #[inline]
            #vis fn derivative #generics (#name: #typed) -> #number #clause {
                let one = <#number as #private::Shadow<#ty>>::one();
                Self::__pushforward(#private::Sweep::<#number>::new(), #name, &one).1
            }
        }
    }

    pub(super) fn kind(&self) -> Kind {
        match self.sig.output {
            syn::ReturnType::Default => Kind::Procedure,
            syn::ReturnType::Type(..) => Kind::Function,
        }
    }

    pub(super) fn name(&self, run: Run, inverse: bool, public: bool) -> Ident {
        let name = companion_name(run, inverse, public);
        match self.home {
            Home::Holder => Ident::new(&name, self.sig.ident.span()),
            Home::Inherent(_) | Home::Trait | Home::Declaration => {
                Ident::new(&format!("{name}_{}", self.sig.ident), self.sig.ident.span())
            }
        }
    }

    /// The shadows that an entry was given: what a caller does not have is made of zeros.
    pub(super) fn reached(&self, run: Run) -> TokenStream {
        self.reached_at(run, proc_macro2::Span::mixed_site())
    }

    /// The shadows under names that code at that span can see.
    pub(super) fn reached_at(&self, run: Run, span: proc_macro2::Span) -> TokenStream {
        let (shadow, private) = (format_ident!("{SHADOW}"), quote!(::retrograd::private));
        let mut reached = quote!(use #private::Shadowed as _;);
        // A name is not yet a type: what is inactive by its name has to be what the name says.
        for Parameter { value, .. } in self.parameters().iter().filter(|p| !p.active && !p.host) {
            if may_be_another(value) {
                reached.extend(quote!(#private::inactive::<#value>();));
            }
        }
        for parameter in self.parameters().iter().filter(|p| p.active) {
            let Parameter { name, value, .. } = parameter;
            let (own, keep) = (located(shadow_name(run, name), span), fresh(&format!("keep_{name}")));
            let read = if parameter.mode == Mode::Value { quote!(&#name) } else { quote!(&*#name) };
            reached.extend(match parameter.changes(run) {
                true => quote! {
                    let mut #keep = #private::AdjointArg::<#value, #shadow>::keep(&#own, #read);
                    let #own = #private::AdjointArg::<#value, #shadow>::reach(#own, &mut #keep);
                },
                false => quote! {
                    let #keep = #private::TangentArg::<#value, #shadow>::keep(&#own, #read);
                    let #own = #private::TangentArg::<#value, #shadow>::reach(#own, &#keep);
                },
            });
        }
        reached
    }

    /// The entry that other companions call: every argument is followed by its shadow.
    pub(super) fn hidden(&self, run: Run, inverse: bool, body: Option<TokenStream>) -> TokenStream {
        self.entry(run, inverse, body, proc_macro2::Span::mixed_site())
    }

    /// The entry, with a body that the user wrote.
    pub(super) fn hidden_at(&self, run: Run, inverse: bool, body: TokenStream) -> TokenStream {
        self.entry(run, inverse, Some(body), self.sig.ident.span())
    }

    fn entry(&self, run: Run, inverse: bool, body: Option<TokenStream>, span: proc_macro2::Span) -> TokenStream {
        let (sweep, shadow) = (fresh("sweep"), format_ident!("{SHADOW}"));
        let private = quote!(::retrograd::private);
        let mut inputs = Vec::new();
        let mut receiver = None;
        for parameter in self.parameters() {
            let Parameter { name, value, .. } = &parameter;
            let typed = parameter.typed();
            if parameter.receiver {
                receiver = Some(parameter.as_receiver());
            } else {
                inputs.push(quote!(#name: #typed));
            }
            let own = located(shadow_name(run, name), span);
            if parameter.active {
                let argument = if parameter.changes(run) { quote!(AdjointArg) } else { quote!(TangentArg) };
                inputs.push(quote!(#own: impl #private::#argument<#value, #shadow>));
            } else if !parameter.host {
                inputs.push(quote!(#own: impl ::core::marker::Sized));
            }
        }
        let owned = |ty: &syn::Type| quote!(<#ty as #private::Shadowed<#shadow>>::Owned);
        let value = self.value();
        if let (Some(ty), Run::Adjoint) = (value, run) {
            let (name, owned) = (fresh("seed"), owned(ty));
            inputs.push(quote!(#name: #owned));
        }
        let output = value.map(|ty| match run {
            Run::Tangent => {
                let owned = owned(ty);
                quote!(-> (#ty, #owned))
            }
            Run::Adjoint | Run::Values => quote!(-> #ty),
        });
        inputs.insert(self.sweep_position(), quote!(#sweep: #private::Sweep<#shadow>));
        let mut generics = self.generics();
        generics.params.push(self.scalar_shadow());
        let generics = self.shadowed(generics, &quote!(#shadow));
        let (generics, _, clause) = generics.split_for_impl();
        let name = self.name(run, inverse, false);
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let body = body.map_or_else(|| quote!(;), |body| quote!({ #body }));
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
        let name =
            |run: Run, name: &Ident| format_ident!("{}_{}", if run == Run::Adjoint { "grad" } else { "d" }, name);
        for (input, parameter) in self.sig.inputs.iter().zip(self.parameters()) {
            inputs.push(input.clone());
            if parameter.active {
                let (own, shadow) = (name(run, &parameter.name), printed_shadow(&parameter));
                let shadow = match (parameter.changes(run), parameter.mode) {
                    (true, _) => quote!(&mut #shadow),
                    (false, Mode::Value) => shadow,
                    (false, _) => quote!(&#shadow),
                };
                inputs.push(syn::parse_quote!(#own: #shadow));
            }
        }
        let mut sig = self.sig.clone();
        if let Some(ty) = self.value() {
            match run {
                Run::Adjoint => inputs.push(syn::parse_quote!(seed: #ty)),
                Run::Tangent => sig.output = syn::parse_quote!(-> (#ty, #ty)),
                Run::Values => {}
            }
        }
        sig.inputs = inputs.into_iter().collect();
        sig.ident = format_ident!("{}_{}", companion_name(run, inverse, true), self.sig.ident);
        sig
    }

    /// Where the sweep stands among the arguments of a hidden entry. A caller of `Type::g(..)` does not know whether it takes
    /// `self`: the sweep always stands behind the first argument then.
    pub(super) fn sweep_position(&self) -> usize {
        let associated = !matches!(self.home, Home::Holder) && !self.parameters().is_empty();
        usize::from(associated && !self.parameters().iter().any(|p| p.receiver))
    }

    /// A call of a hidden entry.
    pub(super) fn invoked(&self, callee: &TokenStream, sweep: &TokenStream, mut args: Vec<TokenStream>) -> TokenStream {
        args.insert(self.sweep_position(), sweep.clone());
        quote!(#callee(#(#args),*))
    }

    /// The scalar shadow as a generic parameter.
    fn scalar_shadow(&self) -> syn::GenericParam {
        let shadow = format_ident!("{SHADOW}");
        let mut bounds = vec![quote!(::retrograd::private::Base)];
        bounds.extend(self.numbers().iter().map(|number| quote!(::retrograd::private::Shadow<#number>)));
        bounds.extend(self.named_numbers().iter().map(|number| quote!(::retrograd::private::Shadow<#number>)));
        syn::parse_quote!(#shadow: #(#bounds)+*)
    }

    /// The type of the value of a function.
    pub(super) fn value(&self) -> Option<&syn::Type> {
        match &self.sig.output {
            syn::ReturnType::Type(_, ty) => Some(ty),
            syn::ReturnType::Default => None,
        }
    }

    /// The companion that users call: pairs of values and shadows.
    pub(super) fn public(&self, run: Run, inverse: bool) -> TokenStream {
        let private = quote!(::retrograd::private);
        // Where a type shows its numbers, their shadows can be of any kind: several adjoints at once, dual numbers.
        let plain = self.parameters().iter().any(|p| p.active && is_plain(&p.value, &self.numbers()));
        let any = format_ident!("{SHADOW}");
        let number = if plain { quote!(#any) } else { self.number() };
        let mut inputs = Vec::new();
        let mut passed = Vec::new();
        let mut checks = TokenStream::new();
        let mut receiver = None;
        let hidden = self.name(run, inverse, false);
        for parameter in self.parameters() {
            let Parameter { name, value, mode, .. } = &parameter;
            let typed = parameter.typed();
            if parameter.host {
                inputs.push(quote!(#name: #typed));
                passed.push(quote!(#name));
                continue;
            }
            let changed = parameter.changes(run);
            let own = shadow_name(run, name);
            let shadow = match changed || *mode != Mode::Value {
                true => shadow_type(value, &number, &self.numbers()),
                false => owned_type(value, &number, &self.numbers()),
            };
            let shadow = match (changed, mode) {
                (true, _) => quote!(&mut #shadow),
                (false, Mode::Value) => shadow,
                (false, _) => quote!(&#shadow),
            };
            if parameter.receiver {
                receiver = Some(parameter.as_receiver());
                if !parameter.active {
                    passed.push(quote!(#private::NoShadow));
                    continue;
                }
                inputs.push(quote!(#own: #shadow));
            } else if !parameter.active {
                inputs.push(quote!(#name: #typed));
                passed.push(quote!(#name));
                passed.push(quote!(#private::NoShadow));
                continue;
            } else {
                inputs.push(quote!((#name, #own): (#typed, #shadow)));
                passed.push(quote!(#name));
            }
            let read = if *mode == Mode::Value { quote!(&#name) } else { quote!(&*#name) };
            let by_value = !changed && *mode == Mode::Value;
            let looked_at = match by_value {
                true => quote!(::core::borrow::Borrow::borrow(&#own)),
                false => quote!(&*#own),
            };
            let described = name.to_string();
            checks.extend(
                quote!(#private::fit::<#value, #number>(#private::Sweep::new(), #described, #read, #looked_at);),
            );
            passed.push(if by_value { quote!(&#own) } else { quote!(#own) });
        }
        let value = self.value();
        let owned = |ty: &syn::Type| owned_type(ty, &number, &self.numbers());
        if let (Some(ty), Run::Adjoint) = (value, run) {
            let (owned, seed) = (owned(ty), fresh("seed"));
            inputs.push(quote!(#seed: #owned));
            passed.push(quote!(#seed));
        }
        let output = value.map(|ty| match run {
            Run::Tangent => {
                let owned = owned(ty);
                quote!(-> (#ty, #owned))
            }
            Run::Adjoint | Run::Values => quote!(-> #ty),
        });
        let mut generics = self.shadowed(self.generics(), &number);
        if plain {
            generics.params.push(self.scalar_shadow());
        }
        let (generics, _, clause) = generics.split_for_impl();
        let name = self.name(run, inverse, true);
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let inline = inline(self.attrs);
        let callee = match (&receiver, self.home) {
            (Some(_), _) => quote!(self.#hidden),
            (None, _) => quote!(Self::#hidden),
        };
        let doc = self.doc(run, inverse);
        let call = self.invoked(&callee, &quote!(#private::Sweep::<#number>::new()), passed);
        // Where an argument may be a stack, its adjoints are told whether the run undoes another one.
        let stores = |p: &Parameter| p.active && p.mode == Mode::Change && !is_plain(&p.value, &self.numbers());
        let told = (run == Run::Adjoint && self.parameters().iter().any(stores)).then(|| {
            let (told, begin) = (fresh("run"), if inverse { quote!(unpullback) } else { quote!(pullback) });
            quote!(let #told = #private::AdjointRun::#begin();)
        });
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #inline
            #[track_caller]
            #vis fn #name #generics (#receiver #(#inputs),*) #output #clause {
                #checks
                #told
                #call
            }
        }
    }

    fn doc(&self, run: Run, inverse: bool) -> String {
        let name = &self.sig.ident;
        match (run, inverse, self.kind()) {
            (Run::Adjoint, false, Kind::Procedure) => format!(
                "Runs `{name}` backwards, carrying adjoints: values become what they were, and each `grad_..` becomes the \
                 adjoint of what was given; those of read-only arguments are added to."
            ),
            (Run::Adjoint, false, Kind::Function) => format!(
                "The value of `{name}`; adds to each `grad_..` the derivative with respect to that argument, times `seed`."
            ),
            (Run::Tangent, false, Kind::Procedure) => {
                format!("Runs `{name}`, carrying tangents: each `d_..` becomes how its value moves.")
            }
            (Run::Tangent, false, Kind::Function) => {
                format!("The value of `{name}`, and how it moves when the arguments move by `d_..`.")
            }
            (Run::Adjoint, true, _) => format!("Runs `{name}` forwards, carrying adjoints: it undoes `pullback`."),
            (Run::Tangent, true, _) => format!("Runs `{name}` backwards, carrying tangents: it undoes `pushforward`."),
            (Run::Values, _, _) => String::new(),
        }
    }

    /// The companions of functions with a value: derivatives of the value.
    pub(super) fn scalar_companions(&self) -> TokenStream {
        let all =
            [self.gradient(), self.gradient_over(), self.jacobian(), self.hessian(), self.hvp(), self.absent_values()];
        quote!(#(#all)*)
    }

    pub(super) fn parameters(&self) -> Vec<Parameter> {
        let has = |attrs: &[syn::Attribute], name: &str| attrs.iter().any(|a| a.path().is_ident(name));
        self.sig
            .inputs
            .iter()
            .map(|input| match input {
                syn::FnArg::Receiver(receiver) => Parameter {
                    receiver: true,
                    name: Ident::from(receiver.self_token),
                    written: None,
                    value: syn::parse_quote!(Self),
                    mode: match &receiver.kind {
                        syn::ReceiverKind::Reference(_, _, Some(_)) => Mode::Change,
                        syn::ReceiverKind::Reference(_, _, None) => Mode::Borrow,
                        _ => Mode::Value,
                    },
                    active: !has(&receiver.attrs, "constant"),
                    host: false,
                },
                syn::FnArg::Typed(typed) => {
                    let (mode, value) = match &*typed.ty {
                        syn::Type::Reference(r) if r.mutability.is_some() => (Mode::Change, (*r.elem).clone()),
                        syn::Type::Reference(r) => (Mode::Borrow, (*r.elem).clone()),
                        other => (Mode::Value, other.clone()),
                    };
                    let name = match &*typed.pat {
                        syn::Pat::Ident(pat) => pat.ident.clone(),
                        _ => fresh("argument"),
                    };
                    let host = has(&typed.attrs, "host");
                    let active = !host && !has(&typed.attrs, "constant") && !inactive_type(&typed.ty);
                    Parameter { receiver: false, name, written: Some((*typed.ty).clone()), value, mode, active, host }
                }
            })
            .collect()
    }

    /// The type parameters that are numbers: those bound by `Real`, and those that active parameters are made of.
    pub(super) fn numbers(&self) -> Vec<Ident> {
        let mut numbers = crate::parse::real_parameters(self.outer, &self.sig.generics);
        numbers.extend(self.unbound().into_iter().filter(|(_, arithmetic)| *arithmetic).map(|(name, _)| name));
        numbers
    }

    /// Type parameters that active parameters are made of, and that nothing says to be numbers; whether they are calculated with.
    fn unbound(&self) -> Vec<(Ident, bool)> {
        let bound = crate::parse::real_parameters(self.outer, &self.sig.generics);
        let generics = self.outer.into_iter().chain([&self.sig.generics]);
        let mut unbound = Vec::new();
        for param in generics.flat_map(|generics| generics.type_params()) {
            let mut mentions = Mentions { name: &param.ident, found: false };
            for parameter in self.parameters().iter().filter(|p| p.active && !p.host) {
                mentions.visit_type(&parameter.value);
            }
            if mentions.found && !bound.contains(&param.ident) {
                unbound.push((param.ident.clone(), self.is_arithmetic(param)));
            }
        }
        unbound
    }

    /// Whether a type parameter is bound by an operator.
    fn is_arithmetic(&self, param: &syn::TypeParam) -> bool {
        const OPERATORS: &[&str] =
            &["Add", "Sub", "Mul", "Div", "Neg", "AddAssign", "SubAssign", "MulAssign", "DivAssign", "Num", "Float"];
        let is_operator = |bound: &syn::TypeParamBound| match bound {
            syn::TypeParamBound::Trait(bound) => {
                bound.path.segments.last().is_some_and(|last| OPERATORS.iter().any(|name| last.ident == name))
            }
            _ => false,
        };
        let generics = self.outer.into_iter().chain([&self.sig.generics]);
        let clauses = generics.flat_map(|generics| &generics.where_clause).flat_map(|clause| &clause.predicates);
        let in_clause = clauses.into_iter().any(|predicate| match predicate {
            syn::WherePredicate::Type(predicate) => {
                matches!(&predicate.bounded_ty, syn::Type::Path(path) if path.path.is_ident(&param.ident))
                    && predicate.bounds.iter().any(is_operator)
            }
            _ => false,
        });
        in_clause || param.bounds.iter().any(is_operator)
    }

    /// The generics of the function, with the bounds that derivatives need.
    pub(super) fn generics(&self) -> syn::Generics {
        let mut generics = self.sig.generics.clone();
        for (name, arithmetic) in self.unbound() {
            if arithmetic {
                generics.make_where_clause().predicates.push(syn::parse_quote!(#name: ::retrograd::private::Real));
            }
        }
        if matches!(self.home, Home::Trait | Home::Declaration) {
            generics.make_where_clause().predicates.push(syn::parse_quote!(Self: ::core::marker::Sized));
        }
        generics
    }

    /// The number types of this library that active parameters and the value are written with, such as `Fixed<32>`.
    fn named_numbers(&self) -> Vec<syn::Type> {
        let numbers = self.numbers();
        let mut named = NamedNumbers { generic: &numbers, found: Vec::new() };
        for parameter in self.parameters().iter().filter(|p| p.active && !p.host) {
            named.visit_type(&parameter.value);
        }
        if let Some(ty) = self.value() {
            named.visit_type(ty);
        }
        named.found
    }

    /// What nothing else says: that the type of a trait has a shadow, and a type parameter that is no number.
    pub(super) fn shadowed(&self, mut generics: syn::Generics, shadow: &TokenStream) -> syn::Generics {
        if matches!(self.home, Home::Declaration) && self.parameters().iter().any(|p| p.receiver && p.active) {
            let predicate = syn::parse_quote!(Self: ::retrograd::private::Shadowed<#shadow>);
            generics.make_where_clause().predicates.push(predicate);
        }
        for (name, _) in self.unbound().into_iter().filter(|(_, arithmetic)| !arithmetic) {
            let predicate = syn::parse_quote!(#name: ::retrograd::private::Shadowed<#shadow>);
            generics.make_where_clause().predicates.push(predicate);
        }
        // Numbers of several types meet in one sweep.
        for name in self.numbers().iter().skip(1) {
            let predicate = syn::parse_quote!(#shadow: ::retrograd::private::Shadow<#name>);
            generics.make_where_clause().predicates.push(predicate);
        }
        generics
    }

    /// The scalar shadow that belongs to the program's numbers.
    pub(super) fn number(&self) -> TokenStream {
        if let Some(number) = self.numbers().first() {
            return quote!(<#number as ::retrograd::private::Active>::Shadow);
        }
        if let Some(number) = self.named_numbers().first() {
            return quote!(<#number as ::retrograd::private::Active>::Shadow);
        }
        let name = format_ident!("f32");
        let wide = format_ident!("f64");
        let mut single = Mentions { name: &name, found: false };
        let mut double = Mentions { name: &wide, found: false };
        for parameter in self.parameters().iter().filter(|p| p.active) {
            single.visit_type(&parameter.value);
            double.visit_type(&parameter.value);
        }
        if single.found && !double.found { quote!(f32) } else { quote!(f64) }
    }
}

/// The shadow of a parameter for readers: of the same type.
fn printed_shadow(parameter: &Parameter) -> TokenStream {
    let value = &parameter.value;
    quote!(#value)
}
