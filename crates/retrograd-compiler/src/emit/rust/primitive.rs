//! Primitives: functions that bring their own derivatives, and procedures given by their companions.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

use super::companions::{holder, stripped};
use super::derivatives::Companions;
use super::paths::SHADOW;
use crate::hygiene::fresh;
use crate::ir::{Mode, Run};
use crate::signature::{Parameter, Signature};
use crate::span::{Span, mixed_site};

/// `fn g` beside `struct g {}` with its derivatives, by argument.
pub fn function(item: &syn::ItemFn, signature: &Signature<'_>, partials: &[(Ident, syn::Expr)]) -> TokenStream {
    let syn::ItemFn { attrs, vis, .. } = item;
    let companions = Companions::new(attrs, vis, signature);
    let hidden = all_runs(item, &companions, partials);
    let public = [companions.public(Run::Adjoint, false), companions.public(Run::Tangent, false)];
    let scalar = companions.scalar_companions();
    let text = format!("// `{}` is a primitive: its derivatives are given by hand.\n", item.sig.ident);
    finish(item, quote!(#hidden #(#public)* #scalar), &text)
}

/// The runs of a function of one argument of which the derivative is given, by which expressions call it.
pub(super) fn runs(item: &syn::ItemFn, companions: &Companions<'_>, derivative: &syn::Expr) -> TokenStream {
    let [parameter] = companions.parameters() else { return TokenStream::new() };
    if !parameter.active {
        return companions.without_record(false, true);
    }
    all_runs(item, companions, &[(parameter.name.clone(), derivative.clone())])
}

/// The hidden entries. A recorded program has the value from its way there: behind that only derivatives are computed.
fn all_runs(item: &syn::ItemFn, companions: &Companions<'_>, partials: &[(Ident, syn::Expr)]) -> TokenStream {
    let (value, result) = (call(item, companions), fresh("result"));
    let pulled = backward(companions, partials, Run::Adjoint);
    let runs = [
        (Run::Adjoint, quote!(let #result = #value; #pulled #result)),
        (Run::Tangent, forward(item, companions, partials)),
        (Run::Spend, backward(companions, partials, Run::Spend)),
    ];
    let runs = runs.map(|(run, body)| companions.hidden(run, false, Some(body)));
    let keep = companions.without_record(false, true);
    quote!(#(#runs)* #keep)
}

/// `fn g` beside `struct g {}` with all its companions, as the user wrote them.
pub fn procedure(item: &syn::ItemFn, signature: &Signature<'_>, bodies: &[(String, syn::Expr)]) -> TokenStream {
    let syn::ItemFn { attrs, vis, .. } = item;
    let companions = Companions::new(attrs, vis, signature);
    let body = |name: &str| bodies.iter().find(|(known, _)| known == name).map(|(_, body)| body);
    let uncall = body("uncall").map(|body| companions.inverse(Some(body.to_token_stream())));
    let runs = [(Run::Adjoint, false), (Run::Tangent, false), (Run::Adjoint, true), (Run::Tangent, true)];
    let derivatives = runs.map(|(run, inverse)| {
        let name = super::paths::companion_name(run, inverse, true);
        let Some(body) = body(&name) else { return TokenStream::new() };
        let reached = companions.reached_at(run, item.sig.ident.span());
        let meant = (run == Run::Adjoint && !inverse).then(|| super::meant::in_parameters(companions.parameters()));
        let shadow = format_ident!("{SHADOW}");
        let body = quote!(
            use ::retrograd::private::{AddFrom as _, Negate as _, Pull as _, Push as _};
            const { ::retrograd::private::given_by_hand::<#shadow>() };
            #meant
            #reached
            #body
        );
        let (hidden, public) = (companions.hidden_at(run, inverse, body), companions.public(run, inverse));
        quote!(#hidden #public)
    });
    let text = format!("// `{}` is a primitive: its companions are given by hand.\n", item.sig.ident);
    let vis = &item.vis;
    let hosts = quote!(#[doc(hidden)] #vis const HOSTS: u128 = 0;);
    let pairs = companions.without_record(true, true);
    finish(item, quote!(#hosts #uncall #(#derivatives)* #pairs), &text)
}

fn finish(item: &syn::ItemFn, members: TokenStream, text: &str) -> TokenStream {
    let syn::ItemFn { attrs, vis, sig, block, .. } = item;
    let (name, signature) = (&sig.ident, stripped(sig));
    let doc = format!("The companions of the primitive `{name}`.");
    let source = quote! {
        /// That it is given by hand.
        #vis fn source(direction: ::retrograd::private::Direction) -> &'static str {
            let _ = direction;
            #text
        }
    };
    let holder = holder(name, vis, attrs, &doc, quote!(#members #source));
    quote!(#(#attrs)* #vis #signature #block #holder)
}

/// To each adjoint the seed times the partial derivative.
fn backward(companions: &Companions<'_>, partials: &[(Ident, syn::Expr)], run: Run) -> TokenStream {
    let (reached, seed) = (companions.reached(run), fresh("seed"));
    let private = quote!(::retrograd::private);
    let steps = companions.parameters().iter().filter(|p| p.active).map(|parameter| {
        let (own, partial) = (super::entries::shadow_name(run, &parameter.name), find(partials, parameter));
        match parameter.mode {
            // An error in a derivative is one in what the user gave.
            Mode::Value => quote_spanned!(at(partial)=> ::retrograd::private::add_pulled(&mut *#own, #seed, #partial);),
            Mode::Borrow | Mode::Change => quote! {
                for (own, partial) in #private::each_partial(&mut #own[..], #partial) {
                    #private::add_pulled(own, #seed, partial);
                }
            },
        }
    });
    let steps: Vec<TokenStream> = steps.collect();
    let meant = super::meant::in_parameters(companions.parameters());
    quote!(#meant #reached #(#steps)*)
}

/// The value, and the sum of the tangents times the partial derivatives.
fn forward(item: &syn::ItemFn, companions: &Companions<'_>, partials: &[(Ident, syn::Expr)]) -> TokenStream {
    let (reached, slope, result) = (companions.reached(Run::Tangent), fresh("slope"), fresh("result"));
    let (private, sweep) = (quote!(::retrograd::private), fresh("sweep"));
    let value = call(item, companions);
    let steps = companions.parameters().iter().filter(|p| p.active).map(|parameter| {
        let (own, partial) = (super::entries::shadow_name(Run::Tangent, &parameter.name), find(partials, parameter));
        match parameter.mode {
            Mode::Value => quote!(#private::add(&mut #slope, #private::push(*#own, #partial));),
            Mode::Borrow | Mode::Change => quote! {
                for (own, partial) in #private::each_partial(&#own[..], #partial) {
                    #private::add(&mut #slope, #private::push(*own, partial));
                }
            },
        }
    });
    let steps: Vec<TokenStream> = steps.collect();
    quote! {
        #reached
        let #result = #value;
        let mut #slope = #result.plain_zero_in(#sweep);
        #(#steps)*
        (#result, #slope)
    }
}

fn call(item: &syn::ItemFn, companions: &Companions<'_>) -> TokenStream {
    let (name, arguments) = (&item.sig.ident, companions.parameters());
    let arguments = arguments.iter().map(|p| &p.name);
    quote!(#name(#(#arguments),*))
}

fn at(partial: Option<&syn::Expr>) -> proc_macro2::Span {
    partial.map_or_else(mixed_site, |partial| crate::span::resolved_at(Span::of(partial).first, mixed_site()))
}

fn find<'a>(partials: &'a [(Ident, syn::Expr)], parameter: &Parameter) -> Option<&'a syn::Expr> {
    partials.iter().find(|(name, _)| *name == parameter.name).map(|(_, partial)| partial)
}
