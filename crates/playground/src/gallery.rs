//! Programs to begin with: those of the lab that show something on a page.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

/// A program of the gallery.
#[derive(Clone, Copy, Debug)]
pub struct Exhibit {
    /// What it shows.
    pub title: &'static str,
    /// The file that it stands in.
    pub file: &'static str,
    /// The program to look at.
    pub name: &'static str,
    /// Its arguments.
    pub args: &'static [&'static str],
}

macro_rules! lab {
    ($file:literal) => {
        include_str!(concat!("../../lab-corpus/src/programs/", $file, ".rs"))
    };
}

/// All of them.
pub const ALL: &[Exhibit] = &[
    Exhibit {
        title: "A chain of springs",
        file: lab!("leapfrog"),
        name: "leapfrog",
        args: &["[1.0, 0.0, 0.0]", "[0.0, 0.0, 0.5]", "0.1", "20"],
    },
    Exhibit { title: "Fibonacci numbers", file: lab!("rrfib"), name: "rrfib", args: &["0", "8"] },
    Exhibit { title: "Factorials", file: lab!("factorial"), name: "add_factorial", args: &["0", "6"] },
    Exhibit {
        title: "Log-sum-exp",
        file: lab!("log_sum_exp"),
        name: "log_sum_exp",
        args: &["0.0", "[0.5, 1.5, -0.25, 3.0]"],
    },
    Exhibit {
        title: "Mean and variance",
        file: lab!("variance"),
        name: "mean_and_variance",
        args: &["[1.0, 2.0, 4.0]"],
    },
    Exhibit { title: "A Bessel function", file: lab!("bessel"), name: "bessel", args: &["0.0", "2", "1.5"] },
    Exhibit {
        title: "An affine map",
        file: lab!("affine"),
        name: "affine",
        args: &["[1.0, 2.0]", "[2.0, 1.0, 0.5, 3.0]", "[0.25, -0.5]"],
    },
    Exhibit {
        title: "Sorting, undone by a stack",
        file: lab!("sort"),
        name: "sort",
        args: &["[4, 2, 9, 1]", "Stack::new()"],
    },
    Exhibit {
        title: "A Turing machine",
        file: lab!("turing"),
        name: "turing",
        args: &["[BLANK, 1, 1, 0, BLANK]", "0", "START", "INCREMENT"],
    },
];

impl Exhibit {
    /// The part of its file that a page needs: the reversible programs, and what these and the arguments mention. Examples in the
    /// documentation are left out.
    pub fn text(&self) -> syn::Result<String> {
        let items = syn::parse_file(self.file)?.items;
        let mut mentioned = Vec::new();
        for arg in self.args {
            collect(syn::parse_str(arg)?, &mut mentioned);
        }
        let mut kept = vec![false; items.len()];
        loop {
            let before = kept.clone();
            for (item, kept) in items.iter().zip(&mut kept) {
                if !*kept && (is_marked(item) || name(item).is_some_and(|name| mentioned.contains(&name))) {
                    *kept = true;
                    collect(item.to_token_stream(), &mut mentioned);
                }
            }
            if kept == before {
                break;
            }
        }
        let lines: Vec<&str> = self.file.lines().collect();
        let parts = items.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(item, _)| {
            let (start, end) = (item.span().start().line, item.span().end().line);
            without_examples(&lines[start - 1..end])
        });
        Ok(parts.collect::<Vec<_>>().join("\n"))
    }
}

/// Whether an item is marked `#[reversible]`.
fn is_marked(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|a| a.path().segments.last().is_some_and(|last| last.ident == "reversible"))
}

/// The name of a function, a type or a constant.
fn name(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Fn(item) => Some(item.sig.ident.to_string()),
        syn::Item::Struct(item) => Some(item.ident.to_string()),
        syn::Item::Enum(item) => Some(item.ident.to_string()),
        syn::Item::Const(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

/// Adds the words among tokens.
fn collect(tokens: TokenStream, words: &mut Vec<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(word) => words.push(word.to_string()),
            TokenTree::Group(group) => collect(group.stream(), words),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Lines without the code in their documentation, and without the empty line of documentation in front of that.
fn without_examples(lines: &[&str]) -> String {
    let mut text: Vec<&str> = Vec::new();
    let mut is_example = false;
    for line in lines {
        let is_fence = line.trim().starts_with("/// ```");
        if is_fence && !is_example && text.last().is_some_and(|last| last.trim() == "///") {
            text.pop();
        }
        if !is_fence && !is_example {
            text.push(line);
        }
        is_example ^= is_fence;
    }
    text.iter().map(|line| format!("{line}\n")).collect()
}
