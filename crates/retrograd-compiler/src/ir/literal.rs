//! Literals.

use proc_macro2::{Ident, Span};

use super::Syntax;

/// A literal, with the text that it was written with.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal {
    /// What it is.
    pub kind: LiteralKind,
    /// How it is written, digits, suffix and all.
    pub written: Syntax,
    /// The type that it says itself, as `1.0_f32` does.
    pub suffix: Option<Ident>,
    /// The type of a float without a suffix, where it is known from what stands beside it.
    pub ty: Option<Ident>,
}

/// What a literal is.
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralKind {
    /// An integer; `None` if no `u128` holds it.
    Integer(Option<u128>),
    /// A float: the nearest `f64`.
    Float(f64),
    /// `true` or `false`
    Bool(bool),
    /// A character or a text.
    Text,
}

impl Literal {
    /// An integer without a suffix.
    pub fn integer(value: usize, at: Span) -> Literal {
        let mut literal = proc_macro2::Literal::usize_unsuffixed(value);
        literal.set_span(at);
        let kind = LiteralKind::Integer(Some(value as u128));
        Literal { kind, written: Syntax::of(&literal), suffix: None, ty: None }
    }

    /// Whether it is this integer.
    pub fn is_integer(&self, value: u128) -> bool {
        self.kind == LiteralKind::Integer(Some(value))
    }

    /// Whether it is a float that does not say of which type.
    pub fn is_open_float(&self) -> bool {
        matches!(self.kind, LiteralKind::Float(_)) && self.suffix.is_none()
    }

    /// Whether it is this number, as a float.
    pub fn is_float(&self, number: f64) -> bool {
        matches!(self.kind, LiteralKind::Float(value) if value == number)
    }
}
