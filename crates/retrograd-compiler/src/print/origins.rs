//! Which line of the user's source a printed line comes from.

use std::collections::HashSet;

use proc_macro2::{LineColumn, TokenStream, TokenTree};
use quote::quote;

use super::Printer;
use crate::analysis::Context;
use crate::emit::rust::tokens::Writer;
use crate::ir::Program;

/// How many tokens one side may have alone: the formatter adds commas and braces, and names of macros differ.
const APART: usize = 12;

/// For each line of a printed program, counted from zero, the line of the source that it comes from, if there is one.
///
/// The tokens of a program know where they come from, and those of its text where they stand. Both say the same in the same
/// order, but for what the formatter adds. Variables come from where they are declared, and say nothing about their line.
pub fn origins(program: &Program, text: &str) -> Vec<Option<u32>> {
    let mut lines = vec![None; text.lines().count()];
    let context = Context::new(program);
    let printer = Printer { writer: Writer::for_readers(&program.vars), context: &context, hosts: &program.hosts };
    let (body, result) = (printer.block(&program.body), program.result.as_ref().map(|e| printer.writer.expr(e)));
    let Ok(printed) = text.parse::<TokenStream>() else { return lines };
    // The body is the last group of the function.
    let Some(TokenTree::Group(printed)) = printed.into_iter().last() else { return lines };
    let names: HashSet<String> = program.vars.iter().map(|var| var.name.to_string()).collect();
    let (own, printed) = (flat(quote!(#body #result)), flat(printed.stream()));
    let (mut a, mut b) = (0, 0);
    while a < own.len() && b < printed.len() {
        if own[a].text != printed[b].text {
            (a, b) = together(&own, &printed, a, b);
            continue;
        }
        // Tokens of the language are nowhere in the source.
        let (from, line) = (own[a].start, &mut lines[printed[b].start.line - 1]);
        if own[a].is_written && line.is_none() && !names.contains(&own[a].text) {
            *line = Some(from.line as u32);
        }
        (a, b) = (a + 1, b + 1);
    }
    lines
}

/// The next tokens of both that are the same, with the one that follows.
fn together(own: &[Token], printed: &[Token], a: usize, b: usize) -> (usize, usize) {
    let same = |i: usize, j: usize| match (own.get(i), printed.get(j)) {
        (Some(own), Some(printed)) => own.text == printed.text,
        (None, None) => true,
        _ => false,
    };
    let pairs = (1..=APART).flat_map(|far| (0..=far).map(move |skipped| (a + skipped, b + far - skipped)));
    let found = pairs.into_iter().find(|&(i, j)| same(i, j) && same(i + 1, j + 1));
    found.unwrap_or((a + 1, b + 1))
}

struct Token {
    text: String,
    start: LineColumn,
    /// Whether it stands in the source.
    is_written: bool,
}

fn flat(tokens: TokenStream) -> Vec<Token> {
    let mut all = Vec::new();
    add(tokens, &mut all);
    all
}

fn add(tokens: TokenStream, all: &mut Vec<Token>) {
    for tree in tokens {
        let (span, text) = match &tree {
            TokenTree::Group(group) => (group.span_open(), format!("{:?}", group.delimiter())),
            other => (other.span(), other.to_string()),
        };
        all.push(Token { text, start: span.start(), is_written: span.byte_range().end > 0 });
        if let TokenTree::Group(group) = tree {
            add(group.stream(), all);
        }
    }
}
