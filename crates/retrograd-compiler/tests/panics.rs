//! No program makes the compiler panic, however mutilated: it is read, or refused with an error.

use std::path::Path;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::Visit;

/// The items in a file that a macro of retrograd goes on.
#[derive(Default)]
struct Items(Vec<TokenStream>);

impl Items {
    fn add(&mut self, attrs: &[syn::Attribute], item: &impl ToTokens) {
        if attrs.iter().any(|a| a.path().is_ident("reversible")) {
            self.0.push(item.to_token_stream());
        }
    }
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.attrs, item);
    }
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.add(&item.attrs, item);
    }
    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.add(&item.attrs, item);
    }
}

fn corpus() -> Vec<TokenStream> {
    let mut found = Items::default();
    for folder in ["../lab-corpus/src/programs", "../retrograd/tests"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
            found.visit_file(&syn::parse_file(&std::fs::read_to_string(path).unwrap()).unwrap());
        }
    }
    found.0
}

/// How many tokens there are, those in groups included.
fn count(tokens: &TokenStream) -> usize {
    let inside = |token| match token {
        TokenTree::Group(group) => 1 + count(&group.stream()),
        _ => 1,
    };
    tokens.clone().into_iter().map(inside).sum()
}

/// What becomes of the token whose turn it is.
#[derive(Clone, Copy)]
enum Change {
    Drop,
    Double,
    SwapWithNext,
}

/// The tokens with one of them changed.
fn mutilated(tokens: TokenStream, left: &mut Option<usize>, change: Change) -> TokenStream {
    let mut changed: Vec<TokenTree> = Vec::new();
    let mut held = None;
    for token in tokens {
        let mine = matches!(left, Some(0));
        *left = left.and_then(|n| n.checked_sub(1));
        let token = match token {
            TokenTree::Group(group) if !mine => {
                let mut new = Group::new(group.delimiter(), mutilated(group.stream(), left, change));
                new.set_span(group.span());
                TokenTree::Group(new)
            }
            other => other,
        };
        match (mine, change) {
            (true, Change::Drop) => {}
            (true, Change::Double) => changed.extend([token.clone(), token]),
            (true, Change::SwapWithNext) => held = Some(token),
            (false, _) => {
                changed.push(token);
                changed.extend(held.take());
            }
        }
    }
    changed.extend(held);
    changed.into_iter().collect()
}

#[test]
fn no_mutilated_program_makes_the_compiler_panic() {
    let corpus = corpus();
    assert!(corpus.len() >= 300, "only {} items were found", corpus.len());
    for (i, item) in corpus.iter().enumerate() {
        for (k, change) in [Change::Drop, Change::Double, Change::SwapWithNext].into_iter().enumerate() {
            // Another place in each item, and all kinds of places in all of them.
            let at = (i * 7919 + k * 104_729) % count(item);
            let tokens = mutilated(item.clone(), &mut Some(at), change);
            let expanded = retrograd_compiler::reversible(TokenStream::new(), tokens.clone()).to_string();
            assert!(!expanded.contains("panicked on"), "{tokens}\n\n{expanded:.2000}");
        }
    }
}
