//! What a signature says, decided once and read by every stage: what each parameter is, which types are numbers, and whether
//! the program has derivatives.

mod home;
mod named;
pub mod numbers;
mod parameter;
pub mod types;

use proc_macro2::Ident;

pub use self::home::Home;
pub(crate) use self::named::has_no_value;
pub use self::numbers::Numbers;
pub use self::parameter::Parameter;
use crate::ir::{Kind, Type};

/// The signature of a program.
pub struct Signature<'a> {
    /// The name of the program.
    pub name: Ident,
    /// Procedure or function.
    pub kind: Kind,
    /// The parameters, `self` included, in order.
    pub parameters: Vec<Parameter>,
    /// The type of the value of a function.
    pub output: Option<Type>,
    /// Which types are numbers.
    pub numbers: Numbers,
    /// Where the program stands.
    pub home: Home<'a>,
    /// The signature in Rust, with names for what its arguments have none for.
    pub syntax: syn::Signature,
    /// Whether its value borrows, and leaves out for how long.
    pub elided: bool,
    /// The generics of the `impl` or `trait` around a method.
    pub outer: Option<&'a syn::Generics>,
}

impl<'a> Signature<'a> {
    /// Reads a signature. What is wrong with it is reported by the parser.
    pub fn read(signature: &syn::Signature, outer: Option<&'a syn::Generics>, home: Home<'a>) -> Signature<'a> {
        let syntax = named::named(signature);
        let parameters: Vec<Parameter> =
            syntax.inputs.iter().enumerate().map(|(i, input)| Parameter::read(i, input)).collect();
        let (kind, output) = match &syntax.output {
            syn::ReturnType::Default => (Kind::Procedure, None),
            syn::ReturnType::Type(_, ty) => (Kind::Function, Some(types::read(ty))),
        };
        let numbers = Numbers::read(outer, &syntax.generics, &parameters);
        let elided = named::elides(signature);
        Signature { name: syntax.ident.clone(), kind, parameters, output, numbers, home, syntax, elided, outer }
    }

    /// Reads the signature of a free function.
    pub fn of_function(signature: &syn::Signature) -> Signature<'static> {
        Signature::read(signature, None, Home::Holder)
    }

    /// Whether a derivative flows through any argument.
    pub fn has_active(&self) -> bool {
        self.parameters.iter().any(|parameter| parameter.active)
    }

    /// Whether there are derivative runs. Without an active argument they run on values alone, for the sake of callers; a
    /// function needs a value then that a derivative run can give.
    pub fn has_derivatives(&self) -> bool {
        let plain = |ty: &Type| numbers::is_inactive(ty) || self.numbers.is_number(ty);
        self.has_active() || self.output.as_ref().is_none_or(plain)
    }

    /// The number of the run of a kernel.
    pub fn index(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.index)
    }

    /// The receiver of a method.
    pub fn receiver(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.receiver)
    }

    /// The generics of the `impl` or `trait` around a method, and its own.
    pub fn all_generics(&self) -> impl Iterator<Item = &syn::Generics> {
        self.outer.into_iter().chain([&self.syntax.generics])
    }

    /// The generic arguments that are types or constants: what a Rust caller may spell out.
    pub fn where_predicates(&self) -> impl Iterator<Item = &syn::WherePredicate> {
        self.all_generics().flat_map(|generics| &generics.where_clause).flat_map(|clause| &clause.predicates)
    }
}
