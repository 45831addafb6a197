//! The hidden runs that programs with a record call: *keep*, forwards, filling the record, and *spend*, backwards with adjoints,
//! emptying it; of procedures also *unkeep*, backwards on values alone.
//!
//! A program without a record keeps nothing: it is called, and its pullback is.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::body::recorded;
use super::companions::{companion_lints, copied_attributes};
use super::derivatives::Companions;
use super::paths::SHADOW;
use crate::hygiene::{fresh, fresh_for, prefixed};
use crate::ir::{Checks, Kind, Mode, Run};
use crate::signature::{Home, Parameter};
use crate::{Derived, Recorded};

/// What the parameters are called: in a body that the user wrote by their names; in one that calls the program, which may be called
/// like one of them, by others.
#[derive(Clone, Copy)]
pub(super) enum Names {
    Written,
    Own,
}

impl Companions<'_> {
    /// The runs with a record.
    pub(super) fn pairs(&self, derived: &Derived) -> TokenStream {
        let Some(Recorded { keep, unkeep, spend }) = &derived.recorded else {
            // Types that implement a trait have them from the trait.
            return match self.signature.home {
                Home::Trait(_) => TokenStream::new(),
                _ => self.without_record(derived.derivatives.is_some(), derived.decides),
            };
        };
        let kept = Some(&keep.core);
        let [kept_run, unkept_run] = [
            self.kept(false, Names::Written, {
                let (decides, body) = (deciding(derived.decides), recorded(&keep.core, None, self.callees));
                quote!(#decides #body)
            }),
            unkeep.as_ref().map_or_else(TokenStream::new, |unkeep| {
                self.kept(true, Names::Written, recorded(&unkeep.core, kept, self.callees))
            }),
        ];
        let spent_run = spend.as_ref().map(|spend| {
            let (before, body) = (self.reached(Run::Spend), recorded(&spend.core, kept, self.callees));
            self.hidden(Run::Spend, false, Some(quote!(#before #body)))
        });
        let public =
            unkeep.as_ref().filter(|_| !matches!(self.signature.home, Home::Trait(_))).map(|_| self.with_record());
        quote!(#kept_run #unkept_run #spent_run #public)
    }

    /// What a user calls: `recorded`, and `uncall` behind it.
    fn with_record(&self) -> TokenStream {
        let name = &self.signature.name;
        let (receiver, mut inputs) = self.inputs(Names::Written, false);
        let given = self.parameters().iter().filter(|p| !p.receiver);
        let mut passed: Vec<TokenStream> = given.map(|p| p.handed_on(Names::Written)).collect();
        let (record, frame) = (fresh("record"), fresh("frame"));
        inputs.push(quote!(#record: &mut ::retrograd::private::Record));
        passed.insert(self.sweep_position(), quote!(&mut #frame));
        let generics = self.generics();
        let (generics, _, clause) = generics.split_for_impl();
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        let public = |public: &str| match self.signature.home {
            Home::Holder => Ident::new(public, name.span()),
            _ => Ident::new(&prefixed(public, name), name.span()),
        };
        let called = |inverse: bool| {
            let hidden = self.name(Run::Keep, inverse, false);
            let callee = if receiver.is_some() { quote!(self.#hidden) } else { quote!(Self::#hidden) };
            let arguments = self.passed_on(false);
            quote!(#callee #arguments(#(#passed),*))
        };
        let (recorded, uncall) = (public("recorded"), public("uncall"));
        let ((program, shape, values), keep) = (self.identity(), called(false));
        let spend = self.spending(&called(true), "uncall");
        let doc = format!("Runs `{name}`, and keeps in the record what `uncall` and `pullback` need.");
        let undoing = format!("Runs `{name}` backwards, behind `recorded`: the record gives back its last frame.");
        quote! {
            #[doc = #doc]
            #(#copied)*
            #lints
            #vis fn #recorded #generics (#receiver #(#inputs),*) #clause {
                let mut #frame = #record.begin_frame(#program, 0).with_hosts();
                #keep;
                #frame.leaving(#values).finish_as(#shape);
            }

            #[doc = #undoing]
            #(#copied)*
            #lints
            #[track_caller]
            #vis fn #uncall #generics (#receiver #(#inputs),*) #clause { #spend }
        }
    }

    /// Those of a procedure with a record, with a body that is never run. The types that implement a trait bring their own, and without
    /// a body their pushforward too.
    pub(super) fn with_body_and_record(&self, body: Option<&TokenStream>, derivatives: bool) -> TokenStream {
        let never = body.map_or_else(|| quote!(::core::unreachable!()), TokenStream::clone);
        let of_trait = matches!(self.signature.home, Home::Trait(_));
        let mut tokens = TokenStream::new();
        for inverse in [false, true] {
            tokens.extend(self.kept(inverse, Names::Written, never.clone()));
        }
        if !of_trait {
            tokens.extend(self.with_record());
        }
        if derivatives {
            tokens.extend(self.hidden(Run::Spend, false, Some(never)));
            tokens.extend(self.hidden(Run::Tangent, false, body.cloned()));
            if !of_trait && self.has_active() {
                tokens.extend([self.public(Run::Spend, false), self.public(Run::Tangent, false)]);
            }
            tokens.extend(self.absent_without_record());
            tokens.extend(self.with_runs());
        } else {
            tokens.extend(self.absent_inverse());
        }
        tokens
    }

    /// A call of a hidden entry on values, with the arguments of the program.
    pub(super) fn handed_on(&self, entry: &Ident) -> TokenStream {
        let given = self.parameters().iter().filter(|p| !p.receiver).map(|p| p.handed_on(Names::Written));
        let arguments = self.passed_on(false);
        match self.parameters().iter().any(|p| p.receiver) {
            true => quote!(self.#entry #arguments(#(#given),*)),
            false => quote!(Self::#entry #arguments(#(#given),*)),
        }
    }

    /// A companion that uses a given record: `gradient_in(&mut record, ..)` beside `gradient(..)`.
    pub(super) fn in_record(&self, companion: TokenStream) -> TokenStream {
        let Ok(mut function) = syn::parse2::<syn::ImplItemFn>(companion) else { return TokenStream::new() };
        let (name, record) = (function.sig.ident.clone(), fresh("record"));
        let passed = function.sig.inputs.iter().map(|input| match input {
            syn::FnArg::Receiver(_) => quote!(self),
            syn::FnArg::Typed(typed) => typed.pat.to_token_stream(),
        });
        let public = self.signature.name.to_string();
        let ident = match name.to_string().strip_suffix(&format!("_{public}")) {
            Some(companion) => quote::format_ident!("{companion}_in_{public}", span = name.span()),
            None => quote::format_ident!("{name}_in", span = name.span()),
        };
        let arguments = self.passed_on(function.sig.generics.type_params().any(|param| param.ident == SHADOW));
        let run: syn::Block =
            syn::parse_quote!({ ::retrograd::private::using(#record, move || Self::#name #arguments(#(#passed),*)) });
        let position = usize::from(matches!(function.sig.inputs.first(), Some(syn::FnArg::Receiver(_))));
        let doc = format!("[`{name}`](Self::{name}), with its record in memory that is used again.");
        function.attrs.retain(|attribute| !attribute.path().is_ident("doc"));
        function.attrs.push(syn::parse_quote!(#[doc = #doc]));
        function.sig.inputs.insert(position, syn::parse_quote!(#record: &mut ::retrograd::private::Record));
        (function.sig.ident, function.block) = (ident, run);
        function.into_token_stream()
    }

    /// A run backwards on the last frame of a record, if that is one of this program.
    pub(super) fn spending(&self, call: &TokenStream, companion: &str) -> TokenStream {
        let hosts = (companion == "uncall").then(|| quote!(.with_hosts()));
        let (record, frame, (program, shape, values)) = (fresh("record"), fresh("frame"), self.identity());
        let name = self.signature.name.to_string();
        let statement = match self.signature.home {
            Home::Holder => format!("{name}::{companion}(.., &mut record);"),
            _ => format!("{companion}_{name}(.., &mut record);"),
        };
        quote! {
            let mut #frame = #record
                .end_frame(#program, #shape, &::retrograd::private::Site::caller(#name, #statement))
                .behind(#values) #hosts;
            #call;
            #frame.finish();
        }
    }

    /// What tells the frames of programs apart: the program and the type of its numbers, the shapes that it leaves, and where
    /// checks are made, the values.
    fn identity(&self) -> (TokenStream, TokenStream, TokenStream) {
        let (name, private) = (self.signature.name.to_string(), quote!(::retrograd::private));
        let own = |number: &&Ident| self.signature.syntax.generics.type_params().any(|own| own.ident == **number);
        let number = match (self.numbers().parameters.iter().find(own), self.signature.home) {
            (Some(number), Home::Holder) => quote!(::core::any::type_name::<#number>()),
            (None, Home::Holder) => quote!(""),
            // Methods of several types may have one name, and be those of one trait.
            (Some(number), _) => quote!(::core::any::type_name::<(Self, #number)>()),
            (None, _) => quote!(::core::any::type_name::<Self>()),
        };
        let shaped =
            |p: &&Parameter| p.active && p.mode != Mode::Value && !p.receiver && self.numbers().is_plain(&p.value);
        let names = || self.parameters().iter().filter(shaped).map(|p| &p.name);
        let shapes = names().map(|name| quote!(#private::shape_of(&*#name)));
        let checked = match self.checks {
            Checks::Debug => quote!(::core::cfg!(debug_assertions)),
            Checks::Always => quote!(true),
            Checks::Never => quote!(false),
        };
        let values = names().map(|name| quote!(.with(&*#name)));
        let values = quote!(#checked.then(|| #private::Digest::new() #(#values)*));
        let program = quote!(::core::concat!(::core::module_path!(), "::", #name), #number);
        (program, quote!(#private::shapes(&[#(#shapes),*])), values)
    }

    /// Those of a program that keeps nothing, but may decide by floats that it is given.
    pub(super) fn without_record(&self, derivatives: bool, decides: bool) -> TokenStream {
        let (name, has_receiver) = (&self.signature.name, self.parameters().iter().any(|p| p.receiver));
        let arguments: Vec<TokenStream> =
            self.parameters().iter().filter(|p| !p.receiver).map(|p| p.handed_on(Names::Own)).collect();
        let uncall = self.name(Run::Values, true, false);
        let uncall = if has_receiver { quote!(self.#uncall) } else { quote!(Self::#uncall) };
        let call = match self.signature.home {
            Home::Holder => quote!(#name),
            _ if has_receiver => quote!(self.#name),
            _ => quote!(Self::#name),
        };
        let generic = self.passed_on(false);
        let decides = deciding(decides);
        let keep = self.kept(false, Names::Own, quote!(#decides #call #generic(#(#arguments),*)));
        let unkeep = (self.kind() == Kind::Procedure)
            .then(|| self.kept(true, Names::Own, quote!(#uncall #generic(#(#arguments),*))));
        let spend = derivatives.then(|| {
            let mut passed = Vec::new();
            for parameter in self.parameters() {
                if !parameter.receiver {
                    passed.push(parameter.handed_on(Names::Written));
                }
                let own = super::entries::shadow_name(Run::Spend, &parameter.name);
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

    /// The same with a body that is never run; without one, what a trait says of the types that implement it.
    pub(super) fn pairs_with_body(&self, body: Option<&TokenStream>) -> TokenStream {
        let Some(body) = body else { return self.without_record(self.signature.has_derivatives(), true) };
        if let Home::Trait(_) = self.signature.home {
            return TokenStream::new();
        }
        let keep = self.kept(false, Names::Written, body.clone());
        let unkeep = (self.kind() == Kind::Procedure).then(|| self.kept(true, Names::Written, body.clone()));
        let spend = self.signature.has_derivatives().then(|| self.hidden(Run::Spend, false, Some(body.clone())));
        quote!(#keep #unkeep #spend)
    }

    /// The receiver, if there is one, and the other parameters of the program, whose types may be `checked`.
    fn inputs(&self, names: Names, checked: bool) -> (Option<TokenStream>, Vec<TokenStream>) {
        let receiver = self.parameters().iter().find(|p| p.receiver).map(Parameter::as_receiver);
        let others = self.parameters().iter().filter(|p| !p.receiver).map(|p| {
            let (name, typed) = (p.named(names), if checked { self.checked_parameter(p) } else { p.typed() });
            quote!(#name: #typed)
        });
        (receiver, others.collect())
    }

    /// A run on values with a record, in the arguments of the program.
    fn kept(&self, inverse: bool, names: Names, body: TokenStream) -> TokenStream {
        let (receiver, mut inputs) = self.inputs(names, self.derivatives);
        let record = fresh("record");
        inputs.insert(self.sweep_position(), quote!(#record: &mut ::retrograd::private::Record));
        let output = self.value().filter(|_| !inverse).map(|ty| quote!(-> #ty));
        let generics = self.generics();
        let (generics, _, clause) = generics.split_for_impl();
        let name = self.name(Run::Keep, inverse, false);
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        quote! {
            #[doc(hidden)]
            #(#copied)*
            #lints
            #vis fn #name #generics (#receiver #(#inputs),*) #output #clause { #body }
        }
    }
}

/// Tells the record that the run decides by floats that it is given.
fn deciding(decides: bool) -> Option<TokenStream> {
    let record = fresh("record");
    decides.then(|| quote!(#record.decide();))
}

impl Parameter {
    pub(super) fn named(&self, names: Names) -> Ident {
        match names {
            Names::Written => self.name.clone(),
            Names::Own => fresh_for("given", &self.name),
        }
    }

    /// The argument, in a call with the same arguments.
    pub(super) fn handed_on(&self, names: Names) -> TokenStream {
        let name = self.named(names);
        if self.mode == Mode::Change { quote!(&mut *#name) } else { quote!(#name) }
    }
}
