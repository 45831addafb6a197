//! What a parameter is.

use proc_macro2::Ident;

use super::{numbers, types};
use crate::hygiene::numbered;
use crate::ir::{Activity, Mode, Role, Type};

/// A parameter.
pub struct Parameter {
    /// Whether it is `self`.
    pub receiver: bool,
    /// Its name; of a pattern, which the parser refuses, one that nobody can write.
    pub name: Ident,
    /// How it is passed.
    pub mode: Mode,
    /// Whether a derivative flows through it.
    pub active: bool,
    /// Marked `#[constant]`: no derivative flows through it.
    pub constant: bool,
    /// Marked `#[host]`: changed by host statements only, read by nothing else.
    pub host: bool,
    /// Marked `#[index]`: the number of the run of a kernel.
    pub index: bool,
    /// Marked `#[scatter]`: runs of a kernel read it at elements that depend on data.
    pub scatter: bool,
    /// The type as written; `self` has none.
    pub written: Option<Type>,
    /// The type without the reference.
    pub value: Type,
    /// The same in Rust.
    pub syntax: syn::Type,
}

impl Parameter {
    pub(super) fn read(number: usize, input: &syn::FnArg) -> Parameter {
        let has = |attrs: &[syn::Attribute], name: &str| attrs.iter().any(|a| a.path().is_ident(name));
        match input {
            syn::FnArg::Receiver(receiver) => {
                let syntax = syn::parse_quote!(Self);
                let (constant, host) = (has(&receiver.attrs, "constant"), has(&receiver.attrs, "host"));
                Parameter {
                    receiver: true,
                    name: Ident::from(receiver.self_token),
                    mode: match &receiver.kind {
                        syn::ReceiverKind::Reference(_, _, Some(_)) => Mode::Change,
                        syn::ReceiverKind::Reference(_, _, None) => Mode::Borrow,
                        _ => Mode::Value,
                    },
                    active: !constant && !host,
                    constant,
                    host,
                    index: has(&receiver.attrs, "index"),
                    scatter: has(&receiver.attrs, "scatter"),
                    written: None,
                    value: types::read(&syntax),
                    syntax,
                }
            }
            syn::FnArg::Typed(typed) => {
                let (mode, syntax) = match &*typed.ty {
                    syn::Type::Reference(r) if r.mutability.is_some() => (Mode::Change, (*r.elem).clone()),
                    syn::Type::Reference(r) => (Mode::Borrow, (*r.elem).clone()),
                    other => (Mode::Value, other.clone()),
                };
                let name = match &*typed.pat {
                    syn::Pat::Ident(pat) => pat.ident.clone(),
                    _ => numbered("argument", number),
                };
                let (constant, host) = (has(&typed.attrs, "constant"), has(&typed.attrs, "host"));
                let (index, scatter) = (has(&typed.attrs, "index"), has(&typed.attrs, "scatter"));
                let (written, value) = (types::read(&typed.ty), types::read(&syntax));
                let (active, receiver) = (!host && !constant && !numbers::is_inactive(&written), false);
                let written = Some(written);
                Parameter { receiver, name, mode, active, constant, host, index, scatter, written, value, syntax }
            }
        }
    }

    /// What it is for.
    pub fn role(&self) -> Role {
        if self.host { Role::Host } else { Role::Value }
    }

    /// Whether derivatives flow through it, do not, or do not by the user's word.
    pub fn activity(&self) -> Activity {
        match (self.active, self.constant) {
            (true, _) => Activity::Active,
            (false, true) => Activity::Constant,
            (false, false) => Activity::Inactive,
        }
    }
}
