//! What the compiler says to programs that it does not take, one mistake each; `neighbours` has those close by that it takes.

/// The folders of `tests/ui` whose programs must not compile, by the kind of mistake.
const MISTAKES: [&str; 12] = [
    "active",
    "alias",
    "ancilla",
    "casts",
    "control",
    "derivatives",
    "kernels",
    "meanings",
    "overwrite",
    "purity",
    "records",
    "syntax",
];

#[test]
fn mistakes_are_explained() {
    let cases = trybuild::TestCases::new();
    for folder in MISTAKES {
        cases.compile_fail(format!("tests/ui/{folder}/*.rs"));
    }
    // Of some types rustc says what other types it knows, and these depend on the feature.
    if cfg!(feature = "num-complex") {
        cases.compile_fail("tests/ui/complex/*.rs");
    }
}
