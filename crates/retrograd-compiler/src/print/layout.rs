//! Rust on lines, where they are short and simple: as the formatter writes it, which has to parse it first.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::quote;

/// A longer line may have to be broken.
const WIDTH: usize = 84;
const INDENT: &str = "    ";

/// A function, each of its statements on its lines. `formatted` writes those that are not simple.
pub(super) fn function(tokens: &TokenStream, formatted: &dyn Fn(TokenStream) -> Option<String>) -> Option<String> {
    let mut head = trees_of(tokens.clone());
    let body = braced(head.last()?)?;
    head.pop();
    if head.iter().any(|tree| braced(tree).is_some()) || !head.iter().any(|tree| is_word(tree, "fn")) {
        return None;
    }
    let head: TokenStream = head.into_iter().collect();
    let mut text = formatted(quote!(#head {}))?;
    if body.is_empty() {
        return Some(text);
    }
    text.truncate(text.trim_end().strip_suffix('}')?.len());
    text.push('\n');
    Layout { formatted }.block(&trees_of(body), 1, &mut text)?;
    text.push_str("}\n");
    Some(text)
}

/// A statement or an expression on one line.
pub(super) fn line(tokens: &TokenStream) -> Option<String> {
    spaced(&trees_of(tokens.clone()), false)
}

struct Layout<'f> {
    formatted: &'f dyn Fn(TokenStream) -> Option<String>,
}

impl Layout<'_> {
    fn block(&self, mut rest: &[TokenTree], depth: usize, text: &mut String) -> Option<()> {
        while !rest.is_empty() {
            let (stmt, behind) = rest.split_at(length(rest)?);
            let start = text.len();
            if self.stmt(stmt, depth, text).is_none() {
                text.truncate(start);
                text.push_str(&self.by_formatter(stmt, depth)?);
            }
            rest = behind;
        }
        Some(())
    }

    /// A statement on one line, or the heads of one with blocks.
    fn stmt(&self, stmt: &[TokenTree], depth: usize, text: &mut String) -> Option<()> {
        if is_word(stmt.first()?, "match") {
            return None;
        }
        let mut start = INDENT.repeat(depth);
        // Where the words begin that have not been written yet.
        let mut from = 0;
        for (at, tree) in stmt.iter().enumerate() {
            let Some(inner) = braced(tree).map(trees_of) else { continue };
            // A block with a value may stand on one line.
            if inner.last().is_some_and(|last| !is_punct(last, ';') && braced(last).is_none()) {
                return None;
            }
            let words = spaced(&stmt[from..at], false)?;
            let space = if words.is_empty() { "" } else { " " };
            text.push_str(&format!("{start}{words}{space}{{"));
            fits(text)?;
            if !inner.is_empty() {
                text.push('\n');
                self.block(&inner, depth + 1, text)?;
                text.push_str(&INDENT.repeat(depth));
            }
            text.push('}');
            start = " ".to_string();
            from = at + 1;
        }
        if from < stmt.len() {
            // A block in the middle of an expression.
            if from > 0 {
                return None;
            }
            text.push_str(&format!("{start}{}", spaced(stmt, false)?));
            fits(text)?;
        }
        text.push('\n');
        Some(())
    }

    fn by_formatter(&self, stmt: &[TokenTree], depth: usize) -> Option<String> {
        let stmt: TokenStream = stmt.iter().cloned().collect();
        let nested = (0..depth).fold(stmt, |inner, _| quote!({ #inner }));
        let text = (self.formatted)(quote!(fn nested() #nested))?;
        let lines: Vec<&str> = text.lines().collect();
        let inner = lines.get(depth..lines.len().checked_sub(depth)?)?;
        Some(inner.iter().map(|line| format!("{line}\n")).collect())
    }
}

/// Whether the last line fits.
fn fits(text: &str) -> Option<()> {
    let start = text.rfind('\n').map_or(0, |end| end + 1);
    (text.len() - start <= WIDTH).then_some(())
}

/// How many of these trees are the first statement. An item is none.
fn length(trees: &[TokenTree]) -> Option<usize> {
    let through_block = |from: usize| Some(from + trees.get(from..)?.iter().position(|t| braced(t).is_some())? + 1);
    match trees.first()? {
        first if braced(first).is_some() => Some(1),
        TokenTree::Ident(word) => match word.to_string().as_str() {
            "for" | "while" | "loop" | "match" => through_block(0),
            "if" => {
                let mut end = through_block(0)?;
                while trees.get(end).is_some_and(|tree| is_word(tree, "else")) {
                    end = through_block(end)?;
                }
                Some(end)
            }
            "fn" | "const" | "static" | "use" | "struct" | "enum" | "type" | "impl" | "trait" | "mod" | "pub"
            | "extern" | "unsafe" | "async" | "macro_rules" => None,
            _ => Some(trees.iter().position(|tree| is_punct(tree, ';')).map_or(trees.len(), |end| end + 1)),
        },
        // An attribute, or a label, and what it belongs to.
        first if is_punct(first, '#') => Some(2 + length(trees.get(2..)?)?),
        first if is_punct(first, '\'') => Some(3 + length(trees.get(3..)?)?),
        _ => Some(trees.iter().position(|tree| is_punct(tree, ';')).map_or(trees.len(), |end| end + 1)),
    }
}

/// What stands in front of the next word.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Nothing,
    /// Something that has a value, or a name.
    Operand,
    /// A word of the language, a comma, or an operator between two operands: a space follows.
    Space,
    /// An operator of one operand, a path, or a dot: nothing follows.
    Tight,
}

/// Tokens on one line, with the spaces of the formatter. Braces, generic arguments and closures are left to it: behind a colon or
/// `as`, angle brackets are those of types.
fn spaced(trees: &[TokenTree], mut types: bool) -> Option<String> {
    let mut text = String::new();
    let mut before = Before::Nothing;
    let mut i = 0;
    while let Some(tree) = trees.get(i) {
        i += 1;
        match tree {
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                let word = tree.to_string();
                if matches!(before, Before::Operand | Before::Space) {
                    text.push(' ');
                }
                types |= word == "as";
                let of_the_language = ["let", "mut", "in", "as", "if", "else", "for", "while", "return", "ref"];
                let keyword = of_the_language.contains(&word.as_str());
                before = if keyword { Before::Space } else { Before::Operand };
                text.push_str(&word);
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::Brace | Delimiter::None => return None,
                };
                if before == Before::Space {
                    text.push(' ');
                }
                text.push(open);
                text.push_str(&spaced(&trees_of(group.stream()), types)?);
                text.push(close);
                before = Before::Operand;
            }
            TokenTree::Punct(punct) => {
                let mut op = punct.as_char().to_string();
                let mut joint = punct.spacing() == Spacing::Joint;
                while let (true, Some(TokenTree::Punct(next))) = (joint, trees.get(i)) {
                    op.push(next.as_char());
                    joint = next.spacing() == Spacing::Joint;
                    i += 1;
                }
                before = operator(&op, before, types, trees.get(i), &mut text)?;
                types |= op == ":";
            }
        }
    }
    Some(text)
}

/// Writes an operator, and says what follows it.
fn operator(op: &str, before: Before, types: bool, next: Option<&TokenTree>, text: &mut String) -> Option<Before> {
    let infix = before == Before::Operand;
    let after = match op {
        "," | ";" | ":" => Before::Space,
        "." | ".." | "..=" if infix => Before::Tight,
        "::" if !matches!(next, Some(TokenTree::Punct(_))) => Before::Tight,
        "!" if infix => match next {
            Some(TokenTree::Group(_)) => Before::Tight,
            _ => return None,
        },
        "-" | "*" | "&" | "!" if !infix => Before::Tight,
        "<" | ">" if types => return None,
        "+" | "-" | "*" | "/" | "%" | "^" | "&" | "<" | ">" | "==" | "!=" | "<=" | ">=" | "&&" | "||" if infix => {
            Before::Space
        }
        "=" | "+=" | "-=" | "*=" | "/=" | "^=" if infix => Before::Space,
        _ => return None,
    };
    let apart = match op {
        "," | ";" | ":" => false,
        _ if infix => after == Before::Space,
        _ => before == Before::Space,
    };
    if apart {
        text.push(' ');
    }
    text.push_str(op);
    Some(after)
}

fn trees_of(tokens: TokenStream) -> Vec<TokenTree> {
    tokens.into_iter().collect()
}

fn braced(tree: &TokenTree) -> Option<TokenStream> {
    match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(group.stream()),
        _ => None,
    }
}

fn is_word(tree: &TokenTree, word: &str) -> bool {
    matches!(tree, TokenTree::Ident(ident) if ident == word)
}

fn is_punct(tree: &TokenTree, char: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == char)
}
