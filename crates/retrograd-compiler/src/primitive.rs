//! `#[primitive]`: what it goes on, and what it must say.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;

use crate::emit::rust;
use crate::expand::with_error;
use crate::hygiene::plain;
use crate::panics::guarded;
use crate::signature::Signature;

/// The companions that a procedure is given by.
const COMPANIONS: &[&str] = &["uncall", "pullback", "pushforward", "unpullback", "unpushforward"];

/// `#[primitive(d_x = ..)]` on a function, `#[primitive(uncall = .., pullback = .., ..)]` on a procedure.
pub fn primitive(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let attribute = plain(attribute);
    guarded(item, |item| try_primitive(attribute, &item).unwrap_or_else(|error| with_error(&error, item)))
}

fn try_primitive(attribute: TokenStream, item: &TokenStream) -> syn::Result<TokenStream> {
    let item: syn::ItemFn = syn::parse2(item.clone())?;
    let mut given: Vec<(Ident, syn::Expr)> = Vec::new();
    let parser = syn::meta::parser(|meta| {
        let Some(name) = meta.path.get_ident().cloned() else {
            return Err(meta.error("`#[primitive]` takes names: `d_x = ..`"));
        };
        given.push((name, meta.value()?.parse()?));
        Ok(())
    });
    syn::parse::Parser::parse2(parser, attribute)?;
    match item.sig.output {
        syn::ReturnType::Default => procedure(&item, given),
        syn::ReturnType::Type(..) => function(&item, given),
    }
}

/// What the companions are written from, if its arguments are plain names.
fn signature(item: &syn::ItemFn) -> syn::Result<Signature<'_>> {
    for input in &item.sig.inputs {
        let syn::FnArg::Typed(typed) = input else {
            return Err(syn::Error::new_spanned(input, "a primitive is a free function, not a method"));
        };
        if !matches!(&*typed.pat, syn::Pat::Ident(_)) {
            return Err(syn::Error::new_spanned(&typed.pat, "an argument of a primitive is a plain name"));
        }
    }
    Ok(Signature::of_function(&item.sig))
}

fn function(item: &syn::ItemFn, given: Vec<(Ident, syn::Expr)>) -> syn::Result<TokenStream> {
    let signature = signature(item)?;
    let parameters = &signature.parameters;
    let active: Vec<&Ident> = parameters.iter().filter(|p| p.active).map(|p| &p.name).collect();
    let mut partials: Vec<(Ident, syn::Expr)> = Vec::new();
    for (name, partial) in given {
        let text = name.to_string();
        let Some(argument) = text.strip_prefix("d_").and_then(|of| parameters.iter().find(|p| p.name.unraw() == of))
        else {
            let known: Vec<String> = active.iter().map(|a| format!("`d_{}`", a.unraw())).collect();
            let message =
                format!("`{text}` is the derivative with respect to no argument; this function has {}", listed(&known));
            return Err(syn::Error::new(name.span(), message));
        };
        let argument = &argument.name;
        if !active.contains(&argument) {
            let message = format!("no derivative flows through `{argument}`, so `{text}` is never used; leave it out");
            return Err(syn::Error::new(name.span(), message));
        }
        if partials.iter().any(|(known, _)| known == argument) {
            return Err(syn::Error::new(name.span(), format!("`{text}` is given twice")));
        }
        partials.push((argument.clone(), partial));
    }
    let missing: Vec<String> = active
        .iter()
        .filter(|a| partials.iter().all(|(known, _)| known != **a))
        .map(|a| format!("`d_{} = ..`", a.unraw()))
        .collect();
    if !missing.is_empty() {
        let message = format!(
            "a primitive brings the derivative with respect to every active argument: add {}, or mark the argument `#[constant]`",
            listed(&missing)
        );
        return Err(syn::Error::new_spanned(&item.sig, message));
    }
    Ok(rust::primitive::function(item, &signature, &partials))
}

fn procedure(item: &syn::ItemFn, given: Vec<(Ident, syn::Expr)>) -> syn::Result<TokenStream> {
    let signature = signature(item)?;
    let mut bodies: Vec<(String, syn::Expr)> = Vec::new();
    for (name, body) in given {
        let text = name.to_string();
        if !COMPANIONS.contains(&text.as_str()) {
            let known: Vec<String> = COMPANIONS.iter().map(|name| format!("`{name}`")).collect();
            let message = format!("a procedure is given by its companions {}", listed(&known));
            return Err(syn::Error::new(name.span(), message));
        }
        bodies.push((text, body));
    }
    let missing: Vec<String> = COMPANIONS
        .iter()
        .filter(|name| bodies.iter().all(|(known, _)| known != *name))
        .map(|name| format!("`{name} = {{ .. }}`"))
        .collect();
    if !missing.is_empty() {
        let message =
            format!("a procedure that is a primitive is given by all of its companions: add {}", listed(&missing));
        return Err(syn::Error::new_spanned(&item.sig, message));
    }
    Ok(rust::primitive::procedure(item, &signature, &bodies))
}

fn listed(names: &[String]) -> String {
    match names {
        [] => "none".to_string(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}
