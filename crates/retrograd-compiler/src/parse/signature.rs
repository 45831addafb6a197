//! Parameters, and what the generics say about numbers.

use syn::{FnArg, Pat, ReceiverKind, Type};

use super::{Input, Parser};
use crate::ir::{Kind, Mode, Param, VarKind};
use crate::span::Span;

impl Parser<'_> {
    pub(super) fn params(&mut self, signature: &syn::Signature) -> Vec<Param> {
        let words = [
            (signature.constness.as_ref().map(Span::of), "const"),
            (signature.asyncness.as_ref().map(Span::of), "async"),
            (signature.abi.as_ref().map(Span::of), "extern"),
            (matches!(signature.safety, syn::Safety::Unsafe(_)).then(|| Span::of(&signature.safety)), "unsafe"),
        ];
        for (span, word) in words {
            if let Some(span) = span {
                self.error(span, format!("a reversible function cannot be `{word}`; call it from one that is"));
            }
        }
        signature.inputs.iter().filter_map(|input| self.param(input)).collect()
    }

    fn param(&mut self, input: &FnArg) -> Option<Param> {
        let span = Span::of(input);
        let mut mutable = false;
        let (attrs, ident, ty, mode) = match input {
            FnArg::Receiver(receiver) => {
                let mode = match &receiver.kind {
                    ReceiverKind::Reference(_, _, Some(_)) => Mode::Change,
                    ReceiverKind::Reference(_, _, None) => Mode::Borrow,
                    ReceiverKind::Value if receiver.mutability.is_none() => Mode::Value,
                    _ => {
                        mutable = true;
                        self.error(span, "the receiver of a reversible method is `&mut self`, `&self` or `self`");
                        Mode::Value
                    }
                };
                (&receiver.attrs, syn::Ident::from(receiver.self_token), None, mode)
            }
            FnArg::Typed(typed) => {
                let Pat::Ident(pat) = &*typed.pat else {
                    self.error(
                        Span::of(&typed.pat),
                        "a parameter of a reversible function is a plain name; take it apart with a `let` in the body",
                    );
                    return None;
                };
                if pat.mutability.is_some() {
                    mutable = true;
                    self.error(
                        Span::of(&typed.pat),
                        format!(
                            "`mut {0}` changes a copy that is lost when the function returns; take `{0}: &mut ..` to \
                             change it, or begin an ancilla with `let mut`",
                            pat.ident
                        ),
                    );
                }
                let mode = match &*typed.ty {
                    Type::Reference(r) if r.mutability.is_some() => Mode::Change,
                    Type::Reference(_) => Mode::Borrow,
                    _ => Mode::Value,
                };
                (&typed.attrs, pat.ident.clone(), Some((*typed.ty).clone()), mode)
            }
        };
        let has = |name: &str| attrs.iter().any(|a| a.path().is_ident(name));
        let (constant, host) = (has("constant"), has("host"));
        if self.kind == Kind::Function && mode == Mode::Change && !host {
            self.error(
                span,
                format!(
                    "a function with a value changes none of its arguments, but `{ident}` is `&mut`; drop the return type \
                     to make it a procedure, or take `{ident}` by `&` or by value"
                ),
            );
        }
        let kind = match mutable {
            _ if host => VarKind::Host,
            // It has been reported; its uses are not.
            true => VarKind::Ancilla,
            false => VarKind::Param(mode),
        };
        let var = self.names.declare(&ident, ty, kind);
        Some(Param { var, mode, constant, host })
    }
}

/// The type parameter bound by `Real`, if there is exactly one: float literals are of that type.
pub(super) fn real_parameter(input: &Input<'_>) -> Option<syn::Ident> {
    match real_parameters(input.outer, &input.signature.generics).as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    }
}

/// The type parameters bound by `Real`, of a function and of the `impl` around it.
pub(crate) fn real_parameters(outer: Option<&syn::Generics>, own: &syn::Generics) -> Vec<syn::Ident> {
    let mut found = Vec::new();
    for generics in outer.into_iter().chain([own]) {
        for param in generics.type_params() {
            if param.bounds.iter().any(is_real) {
                found.push(param.ident.clone());
            }
        }
        let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        for predicate in predicates {
            if let syn::WherePredicate::Type(predicate) = predicate
                && let Type::Path(path) = &predicate.bounded_ty
                && let Some(ident) = path.path.get_ident()
                && predicate.bounds.iter().any(is_real)
                && !found.contains(ident)
            {
                found.push(ident.clone());
            }
        }
    }
    found
}

/// Whether a bound is `Real`.
pub(crate) fn is_real(bound: &syn::TypeParamBound) -> bool {
    match bound {
        syn::TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|segment| segment.ident == "Real"),
        _ => false,
    }
}
