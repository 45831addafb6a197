//! Literals.

use std::ops::Deref;
use std::rc::Rc;

use proc_macro2::{Ident, Span};

use super::Syntax;

/// A literal. Its copies share what it says: an expression that is none has no room for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Literal(Rc<LiteralParts>);

/// What a literal says, with the text that it was written with.
#[derive(Clone, Debug, PartialEq)]
pub struct LiteralParts {
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

impl Deref for Literal {
    type Target = LiteralParts;

    fn deref(&self) -> &LiteralParts {
        &self.0
    }
}

impl From<LiteralParts> for Literal {
    fn from(parts: LiteralParts) -> Literal {
        Literal(Rc::new(parts))
    }
}

impl Literal {
    /// The type of a float without a suffix becomes known from what stands beside it.
    pub fn set_type(&mut self, ty: Option<Ident>) {
        Rc::make_mut(&mut self.0).ty = ty;
    }

    /// The integer that it is, if it is one.
    pub fn as_integer(&self) -> Option<u128> {
        match self.kind {
            LiteralKind::Integer(value) => value,
            LiteralKind::Float(_) | LiteralKind::Bool(_) | LiteralKind::Text => None,
        }
    }

    /// An integer without a suffix.
    pub fn integer(value: usize, at: Span) -> Literal {
        let mut literal = proc_macro2::Literal::usize_unsuffixed(value);
        literal.set_span(at);
        let kind = LiteralKind::Integer(Some(value as u128));
        LiteralParts { kind, written: Syntax::of(&literal), suffix: None, ty: None }.into()
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
