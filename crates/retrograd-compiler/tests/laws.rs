//! Laws of the stages on every program of the corpus: inversion is an involution, and what is printed is a program.

use std::path::Path;

use retrograd_compiler::elaborate::inverse;
use retrograd_compiler::invert::invert;
use retrograd_compiler::ir::{Checks, Kind};
use retrograd_compiler::parse::Input;
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
            let file = syn::parse_file(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            found.visit_file(&file);
        }
    }
    found.0
}

/// The programs of the laboratory and of the language tests.
fn corpus() -> Vec<syn::ItemFn> {
    let mut all = functions_in("../lab/src/programs");
    all.extend(functions_in("../retrograd/tests"));
    assert!(all.len() >= 70, "only {} programs were found", all.len());
    all
}

fn compile(item: &syn::ItemFn) -> Derived {
    let input = Input { signature: &item.sig, body: &item.block, outer: None, checks: Checks::Debug };
    derive(&input).unwrap_or_else(|errors| panic!("`{}`: {errors}", item.sig.ident))
}

#[test]
fn inverted_twice_a_program_is_itself() {
    for item in corpus() {
        let Derived { forward, inverse: backward } = compile(&item);
        assert_eq!(invert(&invert(&forward.body)), forward.body, "{}", item.sig.ident);
        if let Some(backward) = backward {
            assert_eq!(inverse(&backward), forward, "{}", item.sig.ident);
            assert_ne!(forward.kind, Kind::Function);
        }
    }
}

#[test]
fn what_is_printed_is_a_program_that_prints_the_same() {
    for item in corpus() {
        let derived = compile(&item);
        let forward = print::program(&derived.forward, &item.sig);
        let again: syn::ItemFn = syn::parse_str(&forward).unwrap_or_else(|e| panic!("{e}:\n{forward}"));
        assert_eq!(print::program(&compile(&again).forward, &again.sig), forward);
    }
}

#[test]
fn a_printed_inverse_is_a_program_whose_inverse_is_the_first() {
    for item in corpus() {
        let derived = compile(&item);
        let Some(inverse) = &derived.inverse else { continue };
        let text = print::program(inverse, &item.sig);
        let again: syn::ItemFn = syn::parse_str(&text).unwrap_or_else(|e| panic!("{e}:\n{text}"));
        let input = Input { signature: &again.sig, body: &again.block, outer: None, checks: Checks::Debug };
        let twice = derive(&input).unwrap_or_else(|errors| panic!("{errors} in the inverse\n{text}"));
        assert_eq!(print::program(&twice.forward, &again.sig), text);
    }
}
