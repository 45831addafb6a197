//! Laws of the stages on every program of the corpus: inversion is an involution, and what is printed is a program.

use std::collections::BTreeSet;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use retrograd_compiler::elaborate::inverse;
use retrograd_compiler::emit::rust;
use retrograd_compiler::hygiene::plain;
use retrograd_compiler::invert::invert;
use retrograd_compiler::ir::{Kind, Records};
use retrograd_compiler::parse::{Input, Options};
use retrograd_compiler::passes::Pass;
use retrograd_compiler::signature::Signature;
use retrograd_compiler::{Derived, derive, print};
use syn::visit::Visit;

/// The reversible functions in a file.
#[derive(Default)]
struct Functions(Vec<syn::ItemFn>);

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.attrs.iter().any(|a| a.path().is_ident("reversible")) {
            self.0.push(item.clone());
        }
        syn::visit::visit_item_fn(self, item);
    }
}

fn functions_in(folder: &str) -> Vec<syn::ItemFn> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Functions::default();
    for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("a folder can be read").path();
        if path.extension().is_some_and(|e| e == "rs") {
            let text = std::fs::read_to_string(&path).expect("a file can be read");
            let tokens = text.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let file = syn::parse2(plain(tokens)).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            found.visit_file(&file);
        }
    }
    found.0
}

/// The programs of the laboratory and of the language tests.
fn everything() -> Vec<syn::ItemFn> {
    let mut all = functions_in("../lab-corpus/src/programs");
    all.extend(functions_in("../retrograd/tests"));
    assert!(all.len() >= 70, "only {} programs were found", all.len());
    all
}

/// Those that can be run backwards without a record.
fn corpus() -> Vec<syn::ItemFn> {
    everything().into_iter().filter(|item| records(item) == Records::Nothing).collect()
}

/// What the attribute says about a record, or an attribute in the body.
fn records(item: &syn::ItemFn) -> Records {
    let text = |tokens: &dyn quote::ToTokens| tokens.to_token_stream().to_string();
    let said = |a: &&syn::Attribute| a.path().is_ident("reversible") && text(a).contains("record");
    match item.attrs.iter().find(said) {
        Some(attribute) if text(attribute).contains("all") => Records::All,
        Some(_) => Records::Lossy,
        None if ["# [record", "# [checkpoint"].iter().any(|mark| text(&item.block).contains(mark)) => Records::Lossy,
        None => Records::Nothing,
    }
}

/// The program and its inverse alone: what is printed has lost the word that it is to have no derivatives.
fn compile(item: &syn::ItemFn) -> Derived {
    compile_with(item, false)
}

fn compile_with(item: &syn::ItemFn, derivatives: bool) -> Derived {
    let never = |a: &syn::Attribute| quote::ToTokens::to_token_stream(a).to_string().contains("derivatives");
    let derivatives = derivatives && !item.attrs.iter().any(never);
    let signature = Signature::of_function(&item.sig);
    let kernel = signature.index().is_some();
    let options = Options { derivatives, records: records(item), kernel, ..Options::default() };
    let input = Input { signature: &signature, body: &item.block, options };
    derive(&input).unwrap_or_else(|errors| panic!("`{}`: {errors}", item.sig.ident))
}

#[test]
fn inverted_twice_a_program_is_itself() {
    for item in corpus() {
        let Derived { forward, inverse: backward, .. } = compile(&item);
        let forward = forward.program;
        assert_eq!(invert(&invert(&forward.body)), forward.body, "{}", item.sig.ident);
        if let Some(backward) = backward {
            assert_eq!(inverse(&backward.program), forward, "{}", item.sig.ident);
            assert_ne!(forward.kind, Kind::Function);
        }
    }
}

#[test]
fn what_is_printed_is_a_program_that_prints_the_same() {
    for item in corpus() {
        let derived = compile(&item);
        let forward = print::program(&derived.forward.program, &item.sig);
        let again: syn::ItemFn = syn::parse_str(&forward).unwrap_or_else(|e| panic!("{e}:\n{forward}"));
        assert_eq!(print::program(&compile(&again).forward.program, &again.sig), forward);
    }
}

/// Short lines do not go through the formatter; macros, attributes and arms do so in disguise.
#[test]
fn what_is_printed_is_what_the_formatter_writes() {
    let mut compared = 0;
    for item in everything() {
        let derived = compile_with(&item, true);
        let runs = derived.derivatives.iter().flat_map(|runs| [&runs.pullback, &runs.pushforward]);
        for form in [&derived.forward].into_iter().chain(&derived.inverse).chain(runs) {
            let text = print::program(&form.program, &item.sig);
            if ["!(", "![", "#[", "=> {"].iter().any(|mark| text.contains(mark)) {
                continue;
            }
            let file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{e}:\n{text}"));
            assert_eq!(prettyplease::unparse(&file), text);
            compared += 1;
        }
    }
    assert!(compared >= 200, "only {compared} programs were compared");
}

#[test]
fn a_printed_inverse_is_a_program_whose_inverse_is_the_first() {
    for item in corpus() {
        let derived = compile(&item);
        let Some(inverse) = &derived.inverse else { continue };
        let text = print::program(&inverse.program, &item.sig);
        let again: syn::ItemFn = syn::parse_str(&text).unwrap_or_else(|e| panic!("{e}:\n{text}"));
        let signature = Signature::of_function(&again.sig);
        let options = Options { derivatives: false, kernel: signature.index().is_some(), ..Options::default() };
        let input = Input { signature: &signature, body: &again.block, options };
        let twice = derive(&input).unwrap_or_else(|errors| panic!("{errors} in the inverse\n{text}"));
        assert_eq!(print::program(&twice.forward.program, &again.sig), text);
    }
}

/// The first two names of every path that starts with `::`, and all words.
fn roots(tokens: TokenStream, roots: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let colon = |i: usize| matches!(tokens.get(i), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    let word = |i: usize| match tokens.get(i) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    };
    for i in 0..tokens.len() {
        // Behind a name or `>` the colons go on with a path that began before them.
        let begins = match i.checked_sub(1).and_then(|before| tokens.get(before)) {
            Some(TokenTree::Ident(before)) => ["as", "in", "use", "mut", "else", "return"].iter().any(|w| before == w),
            Some(TokenTree::Punct(p)) => p.as_char() != '>' && p.as_char() != ':',
            _ => true,
        };
        // In `[T]: ::path` the first colon is no part of the path.
        if begins && colon(i) && colon(i + 1) && !colon(i + 2) {
            let path: Vec<String> = [i + 2, i + 5].into_iter().filter_map(word).collect();
            roots.insert(path.join("::"));
        }
        if let TokenTree::Group(group) = &tokens[i] {
            self::roots(group.stream(), roots, words);
        }
        words.extend(word(i));
    }
}

#[test]
fn generated_code_names_only_the_private_module_and_core_and_is_safe() {
    let (mut paths, mut words) = (BTreeSet::new(), BTreeSet::new());
    for item in everything() {
        roots(
            rust::function(&item, &Signature::of_function(&item.sig), &compile_with(&item, true)),
            &mut paths,
            &mut words,
        );
    }
    let foreign: Vec<&String> =
        paths.iter().filter(|p| !p.starts_with("core::") && *p != "retrograd::private").collect();
    assert!(paths.contains("retrograd::private") && foreign.is_empty(), "{foreign:?}");
    assert!(!words.contains("unsafe"));
}

#[test]
fn every_pass_does_something_for_a_program_of_the_laboratory() {
    let generated = |item: &syn::ItemFn, options: &str| {
        let item = syn::ItemFn { attrs: Vec::new(), ..item.clone() };
        let options = options.parse().expect("options are tokens");
        retrograd_compiler::reversible(options, quote::ToTokens::to_token_stream(&item)).to_string()
    };
    let programs = functions_in("../lab-corpus/src/programs");
    for pass in Pass::ALL {
        let without = format!("without = \"{}\"", pass.name());
        let differs = |item: &syn::ItemFn| generated(item, "") != generated(item, &without);
        assert!(programs.iter().any(differs), "{pass:?} does nothing");
    }
}
