//! Laws of the generator: its text is the same for the same seed, and rich. That the compiler accepts it, `laws` shows.

use super::{Census, Config, corpus, program};

#[test]
fn a_seed_gives_one_text_and_another_seed_another() {
    let config = Config::default();
    assert_eq!(program(3, &config).source, program(3, &config).source);
    assert_ne!(program(3, &config).source, program(4, &config).source);
}

#[test]
fn every_construct_occurs_often() {
    let mut census = Census::new();
    for program in corpus(400, 2) {
        for (construct, count) in program.census {
            *census.entry(construct).or_default() += count;
        }
    }
    for construct in CONSTRUCTS {
        let count = census.get(construct).copied().unwrap_or_default();
        assert!(count >= 5, "`{construct}` occurs {count} times in 400 programs");
    }
    let unlisted: Vec<_> = census.keys().filter(|construct| !CONSTRUCTS.contains(construct)).collect();
    assert!(unlisted.is_empty(), "not in the list: {unlisted:?}");
}

/// Everything that is counted.
const CONSTRUCTS: &[&str] = &[
    "#[compute]",
    "#[compute] as conjugation",
    "#[constant] let",
    "#[inverse] on a block",
    "#[inverse] on a compound",
    "#[inverse] on an atomic statement",
    "#[unchecked]",
    "#[unroll]",
    "ancilla",
    "array ancilla",
    "asinh",
    "atanh",
    "bijection pair",
    "block",
    "block expression",
    "bool ^=",
    "bool negation",
    "borrowing",
    "call",
    "call and uncall around statements",
    "cast of a float",
    "cbrt",
    "chunks_exact",
    "chunks_exact_mut",
    "computing compound",
    "computing statement",
    "computing while",
    "cube",
    "cycle",
    "cycle of a part",
    "elements of one slice in a call",
    "elimination",
    "else",
    "else if",
    "enumerate",
    "exp",
    "exp_m1",
    "float *=",
    "float +=",
    "float -=",
    "float /=",
    "for over a range",
    "function",
    "function call",
    "generic function",
    "generic procedure",
    "host",
    "if",
    "if expression",
    "inclusive range",
    "index from data",
    "index let",
    "int *=",
    "int *= and /=",
    "int *= in a while",
    "int +=",
    "int -=",
    "int ^=",
    "inverse on a call",
    "inverse on a computing statement",
    "iter",
    "iter_mut",
    "last use",
    "let of one element",
    "ln",
    "ln_1p",
    "match",
    "match binding",
    "match expression",
    "mixed compound",
    "negation",
    "new version of an ancilla",
    "other element of the target's array",
    "postcondition else if",
    "postcondition if",
    "procedure",
    "pure let",
    "range from data",
    "range of a small type",
    "range of i64",
    "range to a variable",
    "range to len",
    "recip",
    "recursion",
    "reduction",
    "reference pattern",
    "release",
    "release of a call's result",
    "release to an expression",
    "rev",
    "rev then step_by",
    "rotate",
    "rotation of ancillas",
    "shadowing",
    "shared view",
    "sinh",
    "split_at_mut",
    "stack",
    "stack in a loop",
    "stack lent to a helper",
    "stack under a condition",
    "step_by",
    "step_by then rev",
    "swap of ancillas",
    "swap of elements",
    "swap of places",
    "tanh",
    "to_vec ancilla",
    "tuple let",
    "tuple let of a function",
    "uncall",
    "vec ancilla",
    "view",
    "view argument",
    "while",
    "zip",
];
