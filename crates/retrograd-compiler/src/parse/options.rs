//! Closures that a method of `Option` takes: what they compute is the value of an arm, and has the derivative of that.

use syn::spanned::Spanned;
use syn::{Expr as Syn, ExprMethodCall};

use super::ordinary::{self, Locals};
use super::overwrite::bare;

/// `x.map_or(e, |v| f)`, `x.map(|v| f).unwrap_or(e)` and their kin are `match x { Some(v) => f, None => e }`; `x.unwrap_or_else(|| e)` is
/// `if x.is_some() { x.unwrap() } else { e }`. Only where `x` is visibly no iterator: a place, or what it refers to.
pub(super) fn by_cases(call: &ExprMethodCall, locals: &dyn Locals) -> Option<Syn> {
    let args: Vec<&Syn> = call.args.iter().collect();
    let (receiver, some, none) = match (call.method.to_string().as_str(), args.as_slice()) {
        ("map_or", [none, some]) => (&*call.receiver, Some(*some), (*none).clone()),
        ("map_or_else", [none, some]) => (&*call.receiver, Some(*some), computed(none, locals)?),
        ("unwrap_or", [none]) => {
            let (receiver, some) = mapped(&call.receiver)?;
            (receiver, Some(some), (*none).clone())
        }
        ("unwrap_or_else", [none]) => {
            let none = computed(none, locals)?;
            match mapped(&call.receiver) {
                Some((receiver, some)) => (receiver, Some(some), none),
                None => (&*call.receiver, None, none),
            }
        }
        _ => return None,
    };
    if !is_option(receiver) {
        return None;
    }
    let at = call.span();
    // What is in it may be behind a reference, which `unwrap` sees through and a pattern does not.
    let Some(some) = some else {
        return Some(syn::parse_quote_spanned!(at=> if (#receiver).is_some() { (#receiver).unwrap() } else { #none }));
    };
    let closure = plain(some, locals)?;
    let (pat, value) = (closure.inputs.first().filter(|_| closure.inputs.len() == 1)?, &closure.body);
    Some(syn::parse_quote_spanned! {at=>
        match #receiver { ::core::option::Option::Some(#pat) => #value, ::core::option::Option::None => #none }
    })
}

/// `x.map(f)`
fn mapped(e: &Syn) -> Option<(&Syn, &Syn)> {
    let Syn::MethodCall(call) = bare(e) else { return None };
    (call.method == "map" && call.args.len() == 1).then(|| (&*call.receiver, &call.args[0]))
}

/// What `|| e` computes.
fn computed(e: &Syn, locals: &dyn Locals) -> Option<Syn> {
    plain(e, locals).filter(|closure| closure.inputs.is_empty()).map(|closure| (*closure.body).clone())
}

fn plain<'e>(e: &'e Syn, locals: &dyn Locals) -> Option<&'e syn::ExprClosure> {
    let Syn::Closure(closure) = bare(e) else { return None };
    (closure.asyncness.is_none() && !ordinary::runs_statements(&closure.body, locals)).then_some(closure)
}

fn is_option(e: &Syn) -> bool {
    match bare(e) {
        Syn::Path(path) => path.path.get_ident().is_some(),
        Syn::Field(e) => is_option(&e.base),
        Syn::Index(e) => is_option(&e.expr),
        Syn::Unary(e) => is_option(&e.expr),
        Syn::MethodCall(e) => {
            e.args.is_empty()
                && ["as_ref", "as_deref", "copied", "cloned"].iter().any(|name| e.method == name)
                && is_option(&e.receiver)
        }
        _ => false,
    }
}
