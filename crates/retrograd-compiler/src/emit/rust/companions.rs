//! A program and its companions as items.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit_mut::VisitMut;

use super::body::{body, forward as forward_body};
use super::callees::Callees;
use super::composed::Composition;
use super::derivatives::{Companions, braced};
use super::literals::Literals;
use crate::ir::{Kind, Program, Records, Role, Run};
use crate::parse::Options;
use crate::print;
use crate::signature::{Home, Signature};
use crate::{Derived, Form};

/// `fn f` beside `struct f {}` with the companions.
pub fn function(item: &syn::ItemFn, signature: &Signature<'_>, derived: &Derived) -> TokenStream {
    let syn::ItemFn { attrs, vis, sig, .. } = item;
    let name = &sig.ident;
    let doc = match signature.kind {
        Kind::Procedure => {
            format!("The companions of the procedure `{name}`: its inverse `{name}::uncall` and its kin.")
        }
        Kind::Function => format!("The companions of the function `{name}`."),
    };
    let callees = &Callees::of(name);
    let companions = Companions::new(attrs, vis, signature).with(callees, derived);
    let forward = companions.forward(sig, derived);
    let hosts = hosts(&derived.forward.core, vis);
    let uncall = companions.uncall(derived);
    let source = source(&format_ident!("source"), name, &companions, derived);
    let (derivatives, kernel) = (companions.all(derived), companions.kernel_source(derived));
    let (launches, rows) = (companions.launches(derived.derivatives.is_some()), companions.rows(derived));
    let holder = holder(name, vis, attrs, &doc, quote!(#hosts #uncall #derivatives #source #kernel #launches #rows));
    let ordinary = callees.ordinary(attrs);
    quote!(#forward #holder #ordinary)
}

impl Companions<'_> {
    /// The program itself.
    fn forward(&self, sig: &syn::Signature, derived: &Derived) -> TokenStream {
        let (attrs, vis, signature, allowed) = (self.attrs, self.vis, stripped(sig), forward_lints());
        // In iterations that never run rustc may see an index that there is not.
        let unrolled = crate::lower::unrolls(&derived.forward.program.body)
            .then(|| quote!(#[allow(arithmetic_overflow, unconditional_panic)]));
        let body = braced(forward_body(&derived.forward.core, derived.derivatives.is_some(), self.callees));
        quote!(#(#attrs)* #allowed #unrolled #vis #signature #body)
    }

    /// Its inverse, if it has one without a record.
    fn uncall(&self, derived: &Derived) -> Option<TokenStream> {
        let inverse = &derived.inverse.as_ref()?.core;
        Some(self.inverse(Some(body(inverse, derived.derivatives.is_some(), self.callees))))
    }

    /// The inverse of a procedure: the hidden entry with that body, or required of the types that implement a trait; and what users
    /// call.
    pub(crate) fn inverse(&self, body: Option<TokenStream>) -> TokenStream {
        let (vis, name, signature) = (self.vis, &self.signature.name, stripped(&self.signature.syntax));
        let (copied, lints) = (copied_attributes(self.attrs), companion_lints());
        let hidden = syn::Signature { ident: self.name(Run::Values, true, false), ..signature.clone() };
        let body = body.map_or_else(|| quote!(;), braced);
        let entry = quote!(#[doc(hidden)] #(#copied)* #lints #vis #hidden #body);
        if let Home::Trait(_) = self.signature.home {
            return entry;
        }
        let call = self.handed_on(&hidden.ident);
        let public = syn::Signature { ident: self.name(Run::Values, true, true), ..signature };
        let doc = format!("Runs `{name}` backwards: what `{name}` left becomes what it was given.");
        let (inline, over) = (inline(self.attrs), self.over_values());
        quote!(#entry #[doc = #doc] #(#copied)* #lints #inline #vis #public { #call } #over)
    }
}

/// `struct f {}`, which holds the companions of `fn f` under the same name.
pub(super) fn holder(
    name: &Ident,
    vis: &syn::Visibility,
    attrs: &[syn::Attribute],
    doc: &str,
    members: TokenStream,
) -> TokenStream {
    let cfg: Vec<_> = attrs.iter().filter(|a| a.path().is_ident("cfg")).collect();
    // It is called like the function, has braces to leave the name of the function free, and need not be used.
    quote! {
        #[doc = #doc]
        #(#cfg)*
        #[allow(non_camel_case_types, dead_code, clippy::empty_structs_with_brackets)]
        #vis struct #name {}

        #(#cfg)*
        #[allow(dead_code)]
        impl #name { #members }
    }
}

/// Says which parameters of a procedure are host parameters, one bit each: its callers may hand theirs on to these.
fn hosts(program: &Program, vis: &syn::Visibility) -> TokenStream {
    let params = program.params.iter().enumerate();
    let bits = params.filter(|(_, param)| param.role == Role::Host).fold(0_u128, |bits, (i, _)| bits | 1 << i);
    quote!(#[doc(hidden)] #vis const HOSTS: u128 = #bits;)
}

/// A method of a `#[reversible] impl` or trait with its companions beside it.
pub(crate) fn associated(
    item: &syn::ImplItemFn,
    signature: &Signature<'_>,
    derived: &Derived,
    callees: &Callees,
    composition: Option<&Composition>,
) -> TokenStream {
    let syn::ImplItemFn { attrs, vis, sig, .. } = item;
    let name = &sig.ident;
    let companions = Companions { composition, ..Companions::new(attrs, vis, signature).with(callees, derived) };
    let forward = companions.forward(sig, derived);
    let uncall = companions.uncall(derived);
    let source = source(&format_ident!("source_{}", name), name, &companions, derived);
    let derivatives = companions.all(derived);
    quote!(#forward #uncall #derivatives #source)
}

/// A method of a trait without a body: the companions are required as well.
pub fn required(item: &syn::TraitItemFn, outer: &syn::Generics, options: Options) -> TokenStream {
    let syn::TraitItemFn { attrs, sig, .. } = item;
    let own = Signature::read(sig, Some(outer), Home::Declaration);
    let (name, signature) = (&sig.ident, stripped(sig));
    let source = format_ident!("source_{}", name);
    let doc = format!("`{name}` or its inverse as text.");
    let vis = &syn::Visibility::Inherited;
    let records = options.records != Records::Nothing;
    let companions = Companions { records, ..Companions::new(attrs, vis, &own) };
    let uncall = (own.kind == Kind::Procedure && !records).then(|| companions.inverse(None));
    let derivatives = companions.required(options.derivatives);
    quote! {
        #(#attrs)*
        #signature;
        #uncall
        #derivatives
        #[doc = #doc]
        fn #source(direction: ::retrograd::private::Direction) -> &'static str where Self: Sized;
    }
}

/// Where the derivative of a bijection comes from.
pub enum Slope<'a> {
    /// The user wrote it.
    Given(&'a syn::Expr),
    /// It follows from the body.
    Derived(&'a Derived),
}

/// A bijection of the user: `fn g` beside `struct g {}` with its inverse and derivative.
pub fn bijection(
    item: &syn::ItemFn,
    signature: &Signature<'_>,
    inverse: &syn::Expr,
    derivative: &Slope<'_>,
) -> TokenStream {
    let syn::ItemFn { attrs, vis, sig, .. } = item;
    let name = &sig.ident;
    let Some(syn::FnArg::Typed(argument)) = sig.inputs.first() else { return TokenStream::new() };
    let argument = &argument.pat;
    let mut literals = Literals(signature.numbers.literal());
    let (mut block, mut inverse) = (item.block.clone(), inverse.clone());
    literals.visit_block_mut(&mut block);
    literals.visit_expr_mut(&mut inverse);
    let inverse = match inverse {
        syn::Expr::Path(path) => quote!(#path(#argument)),
        other => quote!(#other),
    };
    let named = |ident: &str| syn::Signature { ident: Ident::new(ident, name.span()), ..sig.clone() };
    let there = named("inverse");
    let doc = format!("The companions of the bijection `{name}`.");
    let inverse_doc = format!("The inverse of `{name}`.");
    let slope_doc = format!("The derivative of `{name}`.");
    let callees = &Callees::of(name);
    let companions = Companions { callees: Some(callees), ..Companions::new(attrs, vis, signature) };
    let derivative = match derivative {
        Slope::Given(derivative) => {
            let mut derivative = (*derivative).clone();
            literals.visit_expr_mut(&mut derivative);
            let runs = super::primitive::runs(item, &companions, &derivative);
            let named = named("derivative");
            // A derivative may be a constant.
            quote!(#[doc = #slope_doc] #[allow(unused_variables)] #vis #named { #derivative } #runs)
        }
        Slope::Derived(derived) => {
            let (runs, slope) = (companions.runs(derived), companions.slope(&slope_doc));
            quote!(#runs #slope)
        }
    };
    let bend = companions.bend();
    let members = quote!(#[doc = #inverse_doc] #vis #there { #inverse } #derivative #bend);
    let holder = holder(name, vis, attrs, &doc, members);
    let ordinary = callees.ordinary(attrs);
    quote!(#(#attrs)* #vis #sig #block #holder #ordinary)
}

/// A run of a program, or of its inverse, as text in the language it is written in; if there is no such run, a comment that says why.
pub fn text(signature: &Signature<'_>, derived: &Derived, run: Run, inverse: bool) -> String {
    match readable(derived, run, inverse) {
        Some(form) => print::program(&form.program, &printed(signature, run, inverse)),
        None => absent(&signature.name, derived, run),
    }
}

/// For each line of that text, counted from zero, the line of the user's source that it comes from, if there is one.
pub fn origins(derived: &Derived, run: Run, inverse: bool, text: &str) -> Vec<Option<u32>> {
    match readable(derived, run, inverse) {
        Some(form) => print::origins(&form.program, text),
        None => text.lines().map(|_| None).collect(),
    }
}

/// What readers see of a run.
fn readable(derived: &Derived, run: Run, inverse: bool) -> Option<&Form> {
    let runs = derived.derivatives.as_ref();
    let recorded = derived.recorded.as_ref();
    match (run, inverse) {
        (Run::Values, false) => Some(&derived.forward),
        (Run::Values, true) => {
            derived.inverse.as_ref().or_else(|| recorded.and_then(|recorded| recorded.unkeep.as_ref()))
        }
        (Run::Adjoint, false) => runs.map(|runs| &runs.pullback),
        (Run::Adjoint, true) => runs.and_then(|runs| runs.unpullback.as_ref()),
        (Run::Tangent, false) => runs.map(|runs| &runs.pushforward),
        (Run::Tangent, true) => runs.and_then(|runs| runs.unpushforward.as_ref()),
        (Run::Keep, false) => recorded.map(|recorded| &recorded.keep),
        (Run::Keep, true) => recorded.and_then(|recorded| recorded.unkeep.as_ref()),
        (Run::Spend, _) => recorded.and_then(|recorded| recorded.spend.as_ref()),
    }
}

/// The signature of a run as a reader would write it.
fn printed(signature: &Signature<'_>, run: Run, inverse: bool) -> syn::Signature {
    match (run, inverse) {
        (Run::Values, false) => signature.syntax.clone(),
        (Run::Values, true) => print::inverse_signature(&signature.syntax),
        (run, inverse) => Companions::new(&[], &syn::Visibility::Inherited, signature).printed(run, inverse),
    }
}

/// Why there is no such run.
fn absent(program: &Ident, derived: &Derived, run: Run) -> String {
    let has_derivatives = derived.derivatives.is_some();
    if run != Run::Values && !has_derivatives {
        return format!("// No argument of `{program}` is active: it has no derivatives.\n");
    }
    if run != Run::Values && derived.keeps() {
        return format!("// `{program}` keeps a record of what it loses, and is not one-to-one.\n");
    }
    format!("// `{program}` is a function: it has a value and no inverse.\n")
}

/// `source(direction)`
fn source(name: &Ident, program: &Ident, companions: &Companions<'_>, derived: &Derived) -> TokenStream {
    let vis = companions.vis;
    let text = |run, inverse| text(companions.signature, derived, run, inverse);
    let (forward, inverse) = (text(Run::Values, false), text(Run::Values, true));
    let (pullback, unpullback) = (text(Run::Adjoint, false), text(Run::Adjoint, true));
    let (pushforward, unpushforward) = (text(Run::Tangent, false), text(Run::Tangent, true));
    let doc = format!("`{program}`, its inverse or a derivative run of it, as text in the language it is written in.");
    let sized = (matches!(vis, syn::Visibility::Inherited) && name != "source")
        .then(|| quote!(where Self: ::core::marker::Sized));
    let direction = quote!(::retrograd::private::Direction);
    // What a trait asks of its methods is no more than their text.
    let diagram = matches!(companions.signature.home, Home::Holder | Home::Inherent(_)).then(|| {
        let drawing = format_ident!("{}", name.to_string().replacen("source", "diagram", 1));
        let doc = format!("`{program}` as a drawing in SVG: a line for each variable, dots where it is read, boxes where it is changed.");
        // A private program may never be drawn.
        quote! {
            #[doc = #doc]
            #[allow(dead_code)]
            #vis fn #drawing() -> ::retrograd::private::String {
                ::retrograd::private::diagram(Self::#name(#direction::Forward))
            }
        }
    });
    quote! {
        #[doc = #doc]
        #[allow(dead_code)]
        #vis fn #name(direction: #direction) -> &'static str #sized {
            match direction {
                #direction::Inverse => #inverse,
                #direction::Pullback => #pullback,
                #direction::Pushforward => #pushforward,
                #direction::Unpullback => #unpullback,
                #direction::Unpushforward => #unpushforward,
                _ => #forward,
            }
        }

        #diagram
    }
}

/// The signature without the attributes of the language.
pub(crate) fn stripped(sig: &syn::Signature) -> syn::Signature {
    let mut sig = sig.clone();
    for input in &mut sig.inputs {
        let attrs = match input {
            syn::FnArg::Receiver(receiver) => &mut receiver.attrs,
            syn::FnArg::Typed(typed) => {
                // What is changed is a copy of the parameter.
                if let syn::Pat::Ident(name) = &mut *typed.pat {
                    name.mutability = None;
                }
                &mut typed.attrs
            }
        };
        attrs.retain(|a| !["constant", "host", "index", "scatter"].iter().any(|mark| a.path().is_ident(mark)));
    }
    sig
}

/// What holds for a function holds for its companions: how it is compiled, and whether it exists.
pub(super) fn copied_attributes(attrs: &[syn::Attribute]) -> Vec<&syn::Attribute> {
    const COPIED: &[&str] = &["inline", "cold", "cfg", "cfg_attr", "target_feature", "allow", "deprecated"];
    attrs.iter().filter(|a| COPIED.iter().any(|name| a.path().is_ident(name))).collect()
}

/// Entries are small, unless the user says how they are compiled.
pub(super) fn inline(attrs: &[syn::Attribute]) -> TokenStream {
    if attrs.iter().any(|a| a.path().is_ident("inline")) { TokenStream::new() } else { quote!(#[inline]) }
}

/// Lints that are about what the language asks for, or about what stands beside the code of the user.
fn forward_lints() -> TokenStream {
    quote!(#[allow(
        // Indices are the natural style here, and what is done element by element can be undone.
        clippy::needless_range_loop, clippy::manual_memcpy, clippy::explicit_counter_loop,
        // Arguments are what the program maps, and locals what a derivative flows through.
        clippy::too_many_arguments, clippy::ptr_arg, clippy::let_and_return,
        // Expressions are written anew, with references and parentheses of their own.
        unused_braces, clippy::needless_borrow, clippy::explicit_auto_deref, clippy::borrow_deref_ref, clippy::op_ref,
        clippy::nonminimal_bool, clippy::precedence, clippy::unnecessary_cast, clippy::blocks_in_conditions,
        // What a record keeps is written out: updates as assignments, blocks with a value, copies element by element.
        clippy::assign_op_pattern, clippy::clone_on_copy, clippy::needless_late_init, clippy::while_let_loop,
        // Closures that methods of options take stand in the arms of a `match`.
        clippy::unnecessary_unwrap, clippy::manual_unwrap_or, clippy::manual_unwrap_or_default, clippy::manual_map,
        // Dead code with closures is how purity is checked, without what is moved.
        clippy::redundant_closure, clippy::redundant_closure_call, clippy::unit_arg, clippy::if_same_then_else,
        // Numbers have methods by `Real` that floats may get from the standard library, and assertions are statements.
        unstable_name_collisions, clippy::assertions_on_constants
    )])
}

/// Companions are not the user's code: nothing in them is theirs to mend, and what rustc finds wrong in a body it says about the
/// function. The groups of clippy are allowed as a whole, because code that runs backwards keeps no style.
pub(super) fn companion_lints() -> TokenStream {
    quote!(#[allow(unused, arithmetic_overflow, unconditional_panic, clippy::all, clippy::pedantic, clippy::nursery)])
}
