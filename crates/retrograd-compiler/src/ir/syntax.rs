//! Rust that stays as it was written: what the parser puts aside, and only the Rust back end prints.

use std::fmt;
use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// A piece of Rust that no stage looks into: an item, the arguments of a generic, what a host statement does. Compared by its text.
#[derive(Clone)]
pub struct Syntax(Rc<Written>);

struct Written {
    tokens: TokenStream,
    text: String,
}

impl Syntax {
    /// Puts a piece of syntax aside.
    pub fn of(syntax: &impl ToTokens) -> Syntax {
        let tokens = syntax.to_token_stream();
        let text = tokens.to_string();
        Syntax(Rc::new(Written { tokens, text }))
    }

    /// The tokens, for the Rust back end.
    pub fn tokens(&self) -> &TokenStream {
        &self.0.tokens
    }

    /// The tokens as text.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The length that it is, if it is written as a number.
    pub fn as_number(&self) -> Option<usize> {
        self.text().strip_suffix("usize").unwrap_or(self.text()).replace('_', "").parse().ok()
    }
}

impl PartialEq for Syntax {
    fn eq(&self, other: &Syntax) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || self.text() == other.text()
    }
}

impl fmt::Debug for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.text())
    }
}
