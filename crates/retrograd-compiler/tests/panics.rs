//! No program makes a macro panic, however mutilated, and however large its numbers: it is read, or refused with an error.

use std::path::Path;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};

/// What a macro of retrograd is given: what stands in its attribute, and the item.
struct Use {
    name: &'static str,
    expand: fn(TokenStream, TokenStream) -> TokenStream,
    attribute: TokenStream,
    item: TokenStream,
}

/// The uses of macros in a file.
#[derive(Default)]
struct Uses(Vec<Use>);

impl Uses {
    fn add(&mut self, attrs: &[syn::Attribute], item: &impl ToTokens) {
        for attr in attrs {
            let (name, attribute) = match &attr.meta {
                syn::Meta::Path(path) => (path, TokenStream::new()),
                syn::Meta::List(list) => (&list.path, list.tokens.clone()),
                syn::Meta::NameValue(_) => continue,
            };
            let item = item.to_token_stream();
            let derives = |name| attribute.clone().into_iter().any(|token| token.to_string() == name);
            if name.is_ident("reversible") {
                // Without its options.
                self.push("reversible", retrograd_compiler::reversible, TokenStream::new(), item);
            } else if name.is_ident("bijection") {
                self.push("bijection", retrograd_compiler::bijection, attribute, item);
            } else if name.is_ident("primitive") {
                self.push("primitive", retrograd_compiler::primitive, attribute, item);
            } else if name.is_ident("derive") && derives("Active") {
                self.push("Active", |_, item| retrograd_compiler::derive_active(item), TokenStream::new(), item);
            } else if name.is_ident("derive") && derives("Recordable") {
                self.push(
                    "Recordable",
                    |_, item| retrograd_compiler::derive_recordable(item),
                    TokenStream::new(),
                    item,
                );
            }
        }
    }

    fn push(
        &mut self,
        name: &'static str,
        expand: fn(TokenStream, TokenStream) -> TokenStream,
        attribute: TokenStream,
        item: TokenStream,
    ) {
        self.0.push(Use { name, expand, attribute, item });
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.attrs, item);
        visit::visit_item_fn(self, item);
    }
    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.add(&item.attrs, item);
    }
    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.add(&item.attrs, item);
    }
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.add(&item.attrs, item);
    }
    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.add(&item.attrs, item);
    }
    fn visit_macro(&mut self, item: &'ast syn::Macro) {
        if item.path.is_ident("procedure") {
            let expand = |_, input| retrograd_compiler::procedure(input);
            self.push("procedure", expand, TokenStream::new(), item.tokens.clone());
        }
    }
}

fn corpus() -> Vec<Use> {
    let mut found = Uses::default();
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
    let names =
        [("reversible", 300), ("bijection", 5), ("primitive", 5), ("Active", 40), ("Recordable", 3), ("procedure", 10)];
    for (name, least) in names {
        let found = corpus.iter().filter(|used| used.name == name).count();
        assert!(found >= least, "only {found} uses of `{name}` were found");
    }
    for (i, used) in corpus.iter().enumerate() {
        for (k, change) in [Change::Drop, Change::Double, Change::SwapWithNext].into_iter().enumerate() {
            // Another place in each item, and all kinds of places in all of them.
            let at = (i * 7919 + k * 104_729) % (count(&used.attribute) + count(&used.item));
            let mut left = Some(at);
            let attribute = mutilated(used.attribute.clone(), &mut left, change);
            let item = mutilated(used.item.clone(), &mut left, change);
            let expanded = (used.expand)(attribute.clone(), item.clone()).to_string();
            assert!(!expanded.contains("panicked on"), "{attribute}\n{item}\n\n{expanded:.2000}");
        }
    }
}

/// Programs that compute with numbers as large as an index can be, and larger: of these rustc says that they do not fit.
const LARGE: &[&str] = &[
    "fn f(x: &mut [f64], i: usize) { x[i * 170141183460469231731687303715884105727 * 4] += x[i + 1]; }",
    "fn f(x: &mut [f64], i: usize) { x[i + 340282366920938463463374607431768211455 + 1] += x[i - 340282366920938463463374607431768211455]; }",
    "fn f(x: &mut [f64], i: i128) { x[(i * -170141183460469231731687303715884105728) as usize] += x[(i - 1) as usize]; }",
    "fn f(x: &mut [f64]) { x[999999999999999999999999999999999999999999] += x[1]; }",
    "fn f(x: &mut [f64], n: usize) { for i in 0..340282366920938463463374607431768211455 { x[i * n * 18446744073709551615] += x[n]; } }",
    "fn f(x: &mut [f64], n: usize) { for i in (9223372036854775807..n).step_by(9223372036854775807) { x[i * 4] += x[i * 4 + 1]; } }",
    "fn f(x: &mut [f64], n: usize) { #[unroll(4)] for i in 340282366920938463463374607431768211453..n { x[i * i] += x[i + 1]; } }",
    "fn f(x: &mut [f64], n: usize) { #[unroll(18446744073709551616)] for i in 0..n { x[i] += 1.0; } }",
    "fn f(x: &mut [f64], i: usize) { swap(&mut x[i << 127], &mut x[(i << 127) * 340282366920938463463374607431768211455]); }",
    "fn f(x: &mut [f64], i: usize) { let v = &mut x[i * 18446744073709551615..]; v[i * 18446744073709551615 * 18446744073709551615] += v[0]; }",
    "fn f(x: f64) -> f64 { let t = [x; 340282366920938463463374607431768211455]; t[170141183460469231731687303715884105727] * t[1] }",
    "fn f(x: &(f64, f64)) -> f64 { x.18446744073709551616 * x.0 }",
    "fn f(x: &[f64]) -> f64 { x.windows(170141183460469231731687303715884105727).map(|w| w[170141183460469231731687303715884105727 * 2]).sum() }",
];

#[test]
fn no_large_number_makes_the_compiler_panic() {
    for program in LARGE {
        let tokens: TokenStream = program.parse().unwrap();
        for options in ["", "record", "checks = \"always\""] {
            let expanded = retrograd_compiler::reversible(options.parse().unwrap(), tokens.clone()).to_string();
            assert!(!expanded.contains("panicked on"), "{program}\n\n{expanded:.2000}");
        }
    }
}
