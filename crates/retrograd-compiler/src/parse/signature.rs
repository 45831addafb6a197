//! Parameters become variables; what a reversible program cannot have is reported.

use syn::visit::Visit;
use syn::{FnArg, Pat, ReceiverKind};

use super::Parser;
use crate::ir::{Binding, BindingKind, Expr, Kind, Mode, Param, Pattern, Records, VarKind};
use crate::signature::{Parameter, Signature};
use crate::span::Span;

impl Parser<'_> {
    pub(super) fn params(&mut self, signature: &Signature<'_>) -> Vec<Param> {
        let syntax = &signature.syntax;
        let words = [
            (syntax.constness.as_ref().map(Span::of), "const"),
            (syntax.asyncness.as_ref().map(Span::of), "async"),
            (syntax.abi.as_ref().map(Span::of), "extern"),
            (matches!(syntax.safety, syn::Safety::Unsafe(_)).then(|| Span::of(&syntax.safety)), "unsafe"),
        ];
        for (span, word) in words {
            if let Some(span) = span {
                self.error(span, format!("a reversible function cannot be `{word}`; call it from one that is"));
            }
        }
        if let (true, syn::ReturnType::Type(_, ty)) = (signature.elided, &syntax.output) {
            self.error(
                Span::of(ty),
                "the value borrows from an argument, and companions have to name for how long: write \
                 `fn f<'a>(x: &'a [f64]) -> &'a f64`; or give the value itself, `-> f64`",
            );
        }
        let inputs = syntax.inputs.iter().zip(&signature.parameters);
        inputs.filter_map(|(input, parameter)| self.param(input, parameter)).collect()
    }

    /// Of a trait object nobody knows the type, which derivative runs need.
    pub(super) fn without_objects(&self, signature: &Signature<'_>) {
        for (input, parameter) in signature.syntax.inputs.iter().zip(&signature.parameters) {
            let mut objects = Objects(false);
            objects.visit_type(&parameter.syntax);
            if parameter.active && objects.0 {
                self.error(
                    Span::of(input),
                    "no derivative flows through a trait object: derivative runs need to know the type; take `&impl Trait`, mark the \
                     parameter `#[constant]`, or put `#[reversible(derivatives = \"never\")]` on the program",
                );
            }
        }
    }

    fn param(&mut self, input: &FnArg, parameter: &Parameter) -> Option<Param> {
        let span = Span::of(input);
        let Parameter { name, mode, host, .. } = parameter;
        let mut mutable = false;
        match input {
            FnArg::Receiver(receiver) => {
                let plain = matches!(receiver.kind, ReceiverKind::Value) && receiver.mutability.is_none();
                if !plain && !matches!(receiver.kind, ReceiverKind::Reference(..)) {
                    mutable = true;
                    let mut message =
                        "the receiver of a reversible method is `&mut self`, `&self` or `self`".to_string();
                    if self.records != Records::Nothing && matches!(receiver.kind, ReceiverKind::Value) {
                        message += "; take `self`, and begin the body with `let mut this = self;`";
                    }
                    self.error(span, message);
                }
            }
            FnArg::Typed(typed) => {
                let Some(pat) = plain(&typed.pat) else {
                    self.error(
                        Span::of(&typed.pat),
                        "a parameter of a reversible function is a plain name, `x: ..` or `_x: ..`; take it apart with a `let` in the body",
                    );
                    self.declare_anyway(&typed.pat, None);
                    return None;
                };
                if pat.mutability.is_some() && self.records != Records::Nothing && *mode == Mode::Value {
                    return Some(self.copied(parameter, span));
                }
                if pat.mutability.is_some() {
                    mutable = true;
                    self.error(
                        Span::of(&typed.pat),
                        format!(
                            "`mut {name}` changes a copy that is lost when the function returns; take `{name}: &mut ..` to \
                             change it, begin an ancilla with `let mut`, or put `#[reversible(record)]` on the function"
                        ),
                    );
                }
            }
        }
        if self.kind == Kind::Function && *mode == Mode::Change && !host {
            self.error(
                span,
                format!(
                    "a function with a value changes none of its arguments, but `{name}` is `&mut`; drop the return type \
                     to make it a procedure, or take `{name}` by `&` or by value"
                ),
            );
        }
        let kind = match mutable {
            _ if *host => VarKind::Host,
            // It has been reported; its uses are not.
            true => VarKind::Ancilla,
            false => VarKind::Param(*mode),
        };
        let var = self.names.declare(name, parameter.written.clone(), kind);
        self.names.vars[var.0].activity = parameter.activity();
        Some(Param { var, mode: *mode, role: parameter.role() })
    }

    /// `mut x: T` is a parameter, and an ancilla of the same name that begins as the parameter.
    fn copied(&mut self, parameter: &Parameter, span: Span) -> Param {
        let Parameter { name, mode, constant, .. } = parameter;
        let var = self.names.declare(name, parameter.written.clone(), VarKind::Param(*mode));
        self.names.vars[var.0].activity = parameter.activity();
        let copy = self.names.declare(name, parameter.written.clone(), VarKind::Ancilla);
        self.copies.push(Binding {
            kind: BindingKind::Ancilla,
            pattern: Pattern::bind(copy, span),
            ty: parameter.written.clone(),
            value: Expr::var(var, span),
            constant: *constant,
            span,
        });
        Param { var, mode: *mode, role: parameter.role() }
    }
}

/// A pattern that is a plain name.
fn plain(pat: &Pat) -> Option<&syn::PatIdent> {
    match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat),
        _ => None,
    }
}

/// Whether there are trait objects in a type.
struct Objects(bool);

impl Visit<'_> for Objects {
    fn visit_type_trait_object(&mut self, _: &syn::TypeTraitObject) {
        self.0 = true;
    }
}
