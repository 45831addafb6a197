//! Where Rust is written to: tokens for rustc, or text for readers.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::ir::Syntax;

/// Takes Rust, one token after the other.
pub(crate) trait Out {
    /// A name.
    fn ident(&mut self, ident: &Ident);
    /// A word of the language, or a name.
    fn word(&mut self, word: &str, at: Span);
    /// An operator, all of its characters.
    fn op(&mut self, op: &str, at: Span);
    /// The start of a group.
    fn open(&mut self, delimiter: Delimiter, at: Span);
    /// The end of the group that was opened last.
    fn close(&mut self);
    /// What stays as the user wrote it.
    fn syntax(&mut self, syntax: &Syntax);
    /// Tokens that are there already.
    fn stream(&mut self, tokens: TokenStream);
}

/// Tokens for rustc. Each is moved to where it belongs, while `quote!` copies what it is given.
#[derive(Default)]
pub(crate) struct Tokens {
    trees: Vec<TokenTree>,
    /// The groups around them that are not finished.
    around: Vec<(Vec<TokenTree>, Delimiter, Span)>,
}

impl Tokens {
    /// All of them.
    pub(crate) fn finish(self) -> TokenStream {
        TokenStream::from_iter(self.trees)
    }
}

impl Out for Tokens {
    fn ident(&mut self, ident: &Ident) {
        self.trees.push(TokenTree::Ident(ident.clone()));
    }

    fn word(&mut self, word: &str, at: Span) {
        self.trees.push(TokenTree::Ident(Ident::new(word, at)));
    }

    fn op(&mut self, op: &str, at: Span) {
        let mut rest = op.chars();
        while let Some(char) = rest.next() {
            let spacing = if rest.as_str().is_empty() { Spacing::Alone } else { Spacing::Joint };
            let mut punct = Punct::new(char, spacing);
            punct.set_span(at);
            self.trees.push(TokenTree::Punct(punct));
        }
    }

    fn open(&mut self, delimiter: Delimiter, at: Span) {
        self.around.push((std::mem::take(&mut self.trees), delimiter, at));
    }

    fn close(&mut self) {
        let (around, delimiter, at) = self.around.pop().expect("a group that is closed was opened");
        let inside = std::mem::replace(&mut self.trees, around);
        let mut group = Group::new(delimiter, TokenStream::from_iter(inside));
        group.set_span(at);
        self.trees.push(TokenTree::Group(group));
    }

    fn syntax(&mut self, syntax: &Syntax) {
        self.stream(syntax.tokens().clone());
    }

    fn stream(&mut self, tokens: TokenStream) {
        self.trees.extend(tokens);
    }
}
