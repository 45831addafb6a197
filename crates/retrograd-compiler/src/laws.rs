//! Laws of the stages on random programs.

use crate::elaborate::inverse;
use crate::invert::invert;
use crate::ir::{Block, Program, Stmt};
use crate::parse::{Input, Options};
use crate::signature::Signature;
use crate::{Derived, derive, print};

use retrograd_random::{Config, program};

fn functions(source: &str) -> Vec<syn::ItemFn> {
    let file = syn::parse_file(source).unwrap_or_else(|error| panic!("{error}:\n{source}"));
    file.items
        .into_iter()
        .filter_map(|item| match item {
            syn::Item::Fn(item) => Some(item),
            _ => None,
        })
        .collect()
}

fn compile(item: &syn::ItemFn) -> Result<Derived, String> {
    let options = Options { derivatives: false, ..Options::default() };
    derive(&Input { signature: &Signature::of_function(&item.sig), body: &item.block, options })
        .map_err(|errors| errors.into_iter().map(|e| format!("{}: {e}\n", e.span().start().line)).collect())
}

fn small(seed: u64) -> Config {
    Config {
        size: 2 + (seed % 4) as usize,
        depth: 1 + (seed % 3) as usize,
        helpers: (seed % 2) as usize,
        ..Config::default()
    }
}

/// Inverted twice, a program is itself; and an elaborated program is not changed by the printer's round trip.
fn check_laws(forward: &Program, backward: Option<&Program>, context: &str) {
    assert_eq!(invert(&invert(&forward.body)), forward.body, "{context}");
    if let Some(backward) = backward {
        assert_eq!(inverse(backward), *forward, "{context}");
    }
}

/// A core program has no statement that stands for several runs of others.
fn is_core(block: &Block, source: &str) {
    block.walk(&mut |stmt| {
        let several = matches!(stmt, Stmt::Conjugate(_) | Stmt::Inverse(_) | Stmt::Compute(_) | Stmt::Uncompute(_));
        assert!(!several, "{stmt:?}\n{source}");
    });
}

#[test]
fn ten_thousand_random_programs_are_themselves_again_when_inverted_twice() {
    let mut programs = 0;
    for seed in 0.. {
        let source = program(seed, &small(seed)).source;
        for item in functions(&source) {
            let derived = compile(&item).unwrap_or_else(|errors| panic!("seed {seed}: {errors}{source}"));
            check_laws(&derived.forward.program, derived.inverse.as_ref().map(|form| &form.program), &source);
            is_core(&derived.forward.core.body, &source);
            programs += 1;
        }
        if programs >= 10_000 {
            break;
        }
    }
}

#[test]
fn printed_inverses_of_random_programs_are_programs() {
    for seed in 0..300 {
        let source = program(seed, &small(seed)).source;
        for item in functions(&source) {
            let derived = compile(&item).unwrap_or_else(|errors| panic!("seed {seed}: {errors}{source}"));
            for direction in std::iter::once(&derived.forward).chain(&derived.inverse) {
                let text = print::program(&direction.program, &item.sig);
                let again = functions(&text).remove(0);
                let twice = compile(&again).unwrap_or_else(|errors| panic!("seed {seed}: {errors}{text}\n{source}"));
                assert_eq!(print::program(&twice.forward.program, &again.sig), text, "{source}");
            }
        }
    }
}
