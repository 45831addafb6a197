//! Rust on one line, with the spaces of the formatter.

use proc_macro2::{Delimiter, Ident, Spacing, Span, TokenStream, TokenTree};

use crate::emit::rust::out::Out;
use crate::ir::Syntax;

/// Words behind which a space follows.
const WORDS: [&str; 10] = ["let", "mut", "in", "as", "if", "else", "for", "while", "return", "ref"];

/// A line that is being written. Braces, generic arguments and closures are left to the formatter: behind a colon or `as`, angle brackets
/// are those of types.
#[derive(Default)]
pub(super) struct Line {
    text: String,
    before: Before,
    /// Whether angle brackets are those of types.
    types: bool,
    /// What closes the groups that are not finished, and whether angle brackets around them are those of types.
    around: Vec<(char, bool)>,
    /// Whether there is something in it that is left to the formatter.
    is_complex: bool,
}

/// What stands in front of the next word.
#[derive(Clone, Copy, Default, PartialEq)]
enum Before {
    #[default]
    Nothing,
    /// Something that has a value, or a name.
    Operand,
    /// A word of the language, a comma, or an operator between two operands: a space follows.
    Space,
    /// An operator of one operand, or a dot: nothing follows.
    Tight,
    /// `::`, which no operator follows.
    Path,
    /// The `!` of a macro, which a group follows.
    Macro,
}

impl Line {
    /// The line, if it is a simple one.
    pub(super) fn finish(self) -> Option<String> {
        (!self.is_complex && self.before != Before::Macro).then_some(self.text)
    }

    /// Tokens that belong together.
    pub(super) fn trees(&mut self, trees: &[TokenTree]) {
        let mut rest = trees.iter().peekable();
        while let Some(tree) = rest.next() {
            match tree {
                TokenTree::Ident(_) | TokenTree::Literal(_) => self.text(&tree.to_string()),
                TokenTree::Group(group) => {
                    self.open(group.delimiter(), group.span());
                    self.trees(&group.stream().into_iter().collect::<Vec<_>>());
                    self.close();
                }
                TokenTree::Punct(punct) => {
                    let mut op = punct.as_char().to_string();
                    let mut joint = punct.spacing() == Spacing::Joint;
                    while let (true, Some(TokenTree::Punct(next))) = (joint, rest.peek()) {
                        op.push(next.as_char());
                        joint = next.spacing() == Spacing::Joint;
                        rest.next();
                    }
                    self.op(&op, punct.span());
                }
            }
        }
    }

    /// A word, or a literal.
    fn text(&mut self, word: &str) {
        match self.before {
            Before::Operand | Before::Space => self.text.push(' '),
            Before::Macro => self.is_complex = true,
            Before::Nothing | Before::Tight | Before::Path => {}
        }
        self.types |= word == "as";
        self.before = if WORDS.contains(&word) { Before::Space } else { Before::Operand };
        self.text.push_str(word);
    }
}

impl Out for Line {
    fn ident(&mut self, ident: &Ident) {
        self.text(&ident.to_string());
    }

    fn word(&mut self, word: &str, _: Span) {
        self.text(word);
    }

    fn op(&mut self, op: &str, _: Span) {
        let infix = self.before == Before::Operand;
        let after = match op {
            _ if matches!(self.before, Before::Path | Before::Macro) => None,
            "," | ";" | ":" => Some(Before::Space),
            "." | ".." | "..=" if infix => Some(Before::Tight),
            "::" => Some(Before::Path),
            "!" if infix => Some(Before::Macro),
            "-" | "*" | "&" | "!" if !infix => Some(Before::Tight),
            "<" | ">" if self.types => None,
            "+" | "-" | "*" | "/" | "%" | "^" | "&" | "<" | ">" | "==" | "!=" | "<=" | ">=" | "&&" | "||" if infix => {
                Some(Before::Space)
            }
            "=" | "+=" | "-=" | "*=" | "/=" | "^=" if infix => Some(Before::Space),
            _ => None,
        };
        let Some(after) = after else {
            self.is_complex = true;
            return;
        };
        let apart = match op {
            "," | ";" | ":" => false,
            _ if infix => after == Before::Space,
            _ => self.before == Before::Space,
        };
        if apart {
            self.text.push(' ');
        }
        self.text.push_str(op);
        self.types |= op == ":";
        self.before = after;
    }

    fn open(&mut self, delimiter: Delimiter, _: Span) {
        if self.before == Before::Space {
            self.text.push(' ');
        }
        let (open, close) = match delimiter {
            Delimiter::Parenthesis => ('(', ')'),
            Delimiter::Bracket => ('[', ']'),
            Delimiter::Brace | Delimiter::None => {
                self.is_complex = true;
                ('{', '}')
            }
        };
        self.text.push(open);
        self.around.push((close, self.types));
        self.before = Before::Nothing;
    }

    fn close(&mut self) {
        let (close, types) = self.around.pop().expect("a group that is closed was opened");
        self.text.push(close);
        self.is_complex |= self.before == Before::Macro;
        (self.types, self.before) = (types, Before::Operand);
    }

    fn syntax(&mut self, syntax: &Syntax) {
        // Tokens as text have spaces between them.
        let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte));
        match is_word(syntax.text()) {
            true => self.text(syntax.text()),
            false => self.stream(syntax.tokens().clone()),
        }
    }

    fn stream(&mut self, tokens: TokenStream) {
        self.trees(&tokens.into_iter().collect::<Vec<_>>());
    }
}
