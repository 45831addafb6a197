//! Rust on lines, where they are short and simple: as the formatter writes it, which has to parse it first.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use super::format::file;
use super::line::Line;

/// A longer line may have to be broken.
const WIDTH: usize = 84;
const INDENT: &str = "    ";

/// A function, each of its statements on its lines.
pub(super) fn function(tokens: &TokenStream) -> Option<String> {
    let mut trees = trees_of(tokens.clone());
    let body = braced(trees.last()?)?;
    trees.pop();
    if trees.iter().any(|tree| braced(tree).is_some()) || !trees.iter().any(|tree| is_word(tree, "fn")) {
        return None;
    }
    let mut text = head(&trees.into_iter().collect())?;
    block(body, 1, &mut text)?;
    close(0, "\n", &mut text);
    Some(text)
}

/// The head of a function, up to its brace.
pub(super) fn head(signature: &TokenStream) -> Option<String> {
    let mut text = file(quote!(#signature {}))?;
    text.truncate(text.trim_end().strip_suffix('}')?.len());
    Some(text)
}

/// Adds a line, if it is a simple one that fits.
pub(super) fn add(line: Line, depth: usize, text: &mut String) -> Option<()> {
    let line = line.finish().filter(|line| INDENT.len() * depth + line.len() <= WIDTH)?;
    begin(depth, text);
    text.push_str(&line);
    text.push('\n');
    Some(())
}

/// Adds the head of a block and its brace, if it is a simple one that fits.
pub(super) fn open(head: Line, depth: usize, text: &mut String) -> Option<()> {
    let head = head.finish().filter(|head| INDENT.len() * depth + head.len() + " {".len() <= WIDTH)?;
    begin(depth, text);
    text.push_str(&head);
    text.push_str(if head.is_empty() { "{" } else { " {" });
    Some(())
}

/// Adds the brace behind a block, on the line of the other one if there is nothing between them, and what follows it.
pub(super) fn close(depth: usize, behind: &str, text: &mut String) {
    if !text.ends_with('{') {
        text.push_str(&INDENT.repeat(depth));
    }
    text.push('}');
    text.push_str(behind);
}

/// The start of a line, which ends the one that opened a block.
fn begin(depth: usize, text: &mut String) {
    if text.ends_with('{') {
        text.push('\n');
    }
    text.push_str(&INDENT.repeat(depth));
}

/// A statement or an expression on one line.
pub(super) fn line(tokens: &TokenStream) -> Option<String> {
    spaced(&trees_of(tokens.clone()))
}

/// Statements on lines; the formatter writes those that are not simple.
pub(super) fn block(tokens: TokenStream, depth: usize, text: &mut String) -> Option<()> {
    if tokens.is_empty() {
        return Some(());
    }
    if text.ends_with('{') {
        text.push('\n');
    }
    stmts(&trees_of(tokens), depth, text)
}

fn stmts(mut rest: &[TokenTree], depth: usize, text: &mut String) -> Option<()> {
    while !rest.is_empty() {
        let (first, behind) = rest.split_at(length(rest)?);
        let start = text.len();
        if stmt(first, depth, text).is_none() {
            text.truncate(start);
            text.push_str(&by_formatter(first, depth)?);
        }
        rest = behind;
    }
    Some(())
}

/// A statement on one line, or the heads of one with blocks.
fn stmt(stmt: &[TokenTree], depth: usize, text: &mut String) -> Option<()> {
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
        let words = spaced(&stmt[from..at])?;
        let space = if words.is_empty() { "" } else { " " };
        text.push_str(&format!("{start}{words}{space}{{"));
        fits(text)?;
        if !inner.is_empty() {
            text.push('\n');
            stmts(&inner, depth + 1, text)?;
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
        text.push_str(&format!("{start}{}", spaced(stmt)?));
        fits(text)?;
    }
    text.push('\n');
    Some(())
}

fn by_formatter(stmt: &[TokenTree], depth: usize) -> Option<String> {
    let stmt: TokenStream = stmt.iter().cloned().collect();
    let nested = (0..depth).fold(stmt, |inner, _| quote!({ #inner }));
    let text = file(quote!(fn nested() #nested))?;
    let lines: Vec<&str> = text.lines().collect();
    let inner = lines.get(depth..lines.len().checked_sub(depth)?)?;
    Some(inner.iter().map(|line| format!("{line}\n")).collect())
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

/// Tokens on one line.
fn spaced(trees: &[TokenTree]) -> Option<String> {
    let mut line = Line::default();
    line.trees(trees);
    line.finish()
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
