//! Dead code by which rustc checks that names of types mean what they say.
//!
//! Which types are inactive is decided by their names. A user may give such a name to a type of their own, `type usize = f64;`, and
//! its derivatives would be zero without a word. So each name that stops derivatives stands in a call that asks for the real one:
//!
//! ```text
//! if false { inactive::<usize>(); inactive::<Vec<()>>(); }
//! ```
//!
//! Each name is asked for once, whatever it is made of: inactive arguments are names of their own, and `()` stands for them.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use crate::ir::{Activity, Program, Stmt, Type, TypeKind, VarKind};
use crate::signature::Parameter;
use crate::signature::numbers::{FLOATS, is_inactive, is_primitive};
use crate::span::Span;

/// For the names that decide on the activity of variables and casts of a program.
pub(super) fn in_program(program: &Program) -> TokenStream {
    let is_judged = |activity, kind: &VarKind| activity != Activity::Constant && *kind != VarKind::Host;
    let vars = program.vars.iter().filter(|var| is_judged(var.activity, &var.kind)).filter_map(|var| var.ty.as_ref());
    let types = dead(vars.chain(&program.casts).filter(|ty| is_inactive(ty)));
    let (functions, methods) = (functions(program), methods(program));
    quote!(#types #functions #methods)
}

/// For the names of numbers of Rust: of these it is not asked whether updates undo each other.
pub(super) fn numbers(program: &Program) -> TokenStream {
    let (mut seen, mut checks) = (BTreeSet::new(), TokenStream::new());
    let updates = |stmt: &Stmt| matches!(stmt, Stmt::Update(_) | Stmt::Flip(_));
    if !program.body.any(&updates) {
        return checks;
    }
    for ty in program.vars.iter().filter_map(|var| var.ty.as_ref()) {
        ty.walk(&mut |ty| {
            let adds = |name: &&Ident| is_primitive(name) && !["bool", "char"].iter().any(|other| *name == other);
            if let Some(name) = ty.as_name().filter(adds)
                && seen.insert(name.to_string())
            {
                checks.extend(quote_spanned!(name.span()=> __private::adds_back::<#name>();));
            }
        });
    }
    if checks.is_empty() { checks } else { quote!(if false { #checks }) }
}

/// For the functions of numbers that are called by a path: a module may have the name of the type, or a trait that of `Real`, and
/// functions of its own.
fn functions(program: &Program) -> TokenStream {
    let mut seen = BTreeSet::new();
    let functions = program.functions.iter().filter(|(_, path)| seen.insert(path.text()));
    let checks: TokenStream = functions
        .map(|(known, path)| {
            let (known, path) = (known.tokens(), path.tokens());
            let name = path.clone().into_iter().last();
            let at = name.map_or_else(proc_macro2::Span::call_site, |name| name.span());
            quote_spanned!(at=> ::retrograd::private::function_of_numbers(#known, #path);)
        })
        .collect();
    if checks.is_empty() {
        return checks;
    }
    quote!(if false {
        #[allow(unused_imports)]
        use ::retrograd::private::Real as _;
        #checks
    })
}

/// For the methods that floats have by `Real`: if another trait gives them one of that name, rustc finds both here.
fn methods(program: &Program) -> TokenStream {
    let types = program.vars.iter().filter_map(|var| var.ty.as_ref()).chain(&program.output);
    let types: Vec<&Type> = types.collect();
    let (mut seen, mut checks) = (BTreeSet::new(), TokenStream::new());
    for method in program.methods.iter().filter(|method| seen.insert(method.to_string())) {
        for number in FLOATS.map(|name| Ident::new(name, method.span())) {
            let used = types.iter().any(|ty| ty.mentions(&number));
            checks.extend(used.then(|| quote_spanned!(method.span()=> let _ = <#number>::#method;)));
        }
    }
    // A generic program has the methods by a bound.
    let scope = quote!(
        #[allow(unused_imports)]
        use ::retrograd::private::Real as _;
    );
    if checks.is_empty() { checks } else { quote!(if false { #scope #checks }) }
}

/// For the names that decide on the activity of parameters.
pub(super) fn in_parameters(parameters: &[Parameter]) -> TokenStream {
    dead(parameters.iter().filter(|p| !p.active && !p.host && !p.constant).map(|p| &p.value))
}

/// For all names of inactive types in these types.
pub(crate) fn dead<'t>(types: impl Iterator<Item = &'t Type>) -> TokenStream {
    let (mut seen, mut checks) = (BTreeSet::new(), TokenStream::new());
    for ty in types {
        ty.walk(&mut |ty| {
            if matches!(ty.kind, TypeKind::Named { .. }) && is_inactive(ty) {
                let at = Span::of(ty.written.tokens()).first;
                let name = alone(ty);
                if seen.insert(name.to_string()) {
                    checks.extend(quote_spanned!(at=> ::retrograd::private::inactive::<#name>();));
                }
            }
        });
    }
    if checks.is_empty() { checks } else { quote!(if false { #checks }) }
}

/// The type with `()` for each argument that is inactive, or left to rustc.
fn alone(ty: &Type) -> TokenStream {
    let TypeKind::Named { bare: false, .. } = ty.kind else { return ty.written.tokens().clone() };
    let mut syntax = ty.syntax();
    if let syn::Type::Path(path) = &mut syntax
        && let Some(last) = path.path.segments.last_mut()
        && let syn::PathArguments::AngleBracketed(arguments) = &mut last.arguments
    {
        for argument in &mut arguments.args {
            if let syn::GenericArgument::Type(argument) = argument
                && (matches!(argument, syn::Type::Infer(_)) || is_inactive(&crate::signature::types::read(argument)))
            {
                *argument = syn::parse_quote!(());
            }
        }
    }
    quote!(#syntax)
}
