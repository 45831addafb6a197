//! What the README shows is what there is, and so is what the map in ARCHITECTURE.md names. The examples of the README
//! are doctests of `crates/documentation`.

mod markdown;

use markdown::{Block, blocks, links, read, repository};
use retrograd::prelude::*;

#[reversible]
fn scramble(block: &mut [u32], keys: &[u32]) {
    for i in 0..keys.len() {
        let mixed = block[1].wrapping_mul(0x9e37_79b9) ^ keys[i];
        block[0] ^= mixed;
        block.swap(0, 1);
    }
}

/// The blocks of code of the README: the program, its inverse, an ordinary program, a rejected one, its error, one of rustc, how
/// to depend on the crate, two commands.
fn shown() -> [String; 9] {
    let all = blocks(&read("README.md"));
    let kinds: Vec<&str> = all.iter().map(|block| block.info.as_str()).collect();
    assert_eq!(kinds, ["rust", "text", "rust", "rust,compile_fail", "text", "text", "toml", "sh", "sh"]);
    let code: Vec<String> = all.into_iter().map(|block| block.code).collect();
    code.try_into().expect("as many as there are kinds")
}

#[test]
fn the_examples_are_doctests() {
    assert!(read("crates/documentation/src/lib.rs").contains(r#"#[doc = include_str!("../../../README.md")]"#));
}

/// Where a block has a `main` and hides no lines, its doctest compiles just what a reader pastes into `main.rs`.
#[test]
fn first_examples_can_be_pasted_into_the_main_file_of_a_crate() {
    for document in ["README.md", "book/src/gradients.md"] {
        for Block { info, code } in blocks(&read(document)).into_iter().filter(|block| block.info.starts_with("rust")) {
            assert!(code.contains("\nfn main() {"), "{document}: no main in `{info}`\n{code}");
            let hidden = code.lines().find(|line| line.starts_with("# ") || *line == "#");
            assert_eq!(hidden, None, "{document}: a line of `{info}` is not shown\n{code}");
        }
    }
}

#[test]
fn the_inverse_is_the_one_that_source_returns() {
    let [program, inverse, ..] = shown();
    let (definition, _) = program.split_once("\n\n///").expect("the definition comes before the next one");
    assert!(include_str!("readme.rs").contains(definition), "the test has another program than the README");
    assert_eq!(inverse, scramble::source(Direction::Inverse));
}

#[test]
fn the_rejected_program_is_rejected_in_these_words() {
    let [_, _, _, program, message, of_rustc, ..] = shown();
    assert_eq!(program, include_str!("ui/readme/overwrite.rs"));
    assert!(include_str!("ui/readme/overwrite.stderr").contains(message.trim_end()));
    assert!(include_str!("ui/derivatives/function_without_a_rule.stderr").contains(of_rustc.trim_end()));
    trybuild::TestCases::new().compile_fail("tests/ui/readme/*.rs");
}

#[test]
fn the_commands_are_those_of_the_workspace() {
    let [.., dependency, run, test] = shown();
    assert!(dependency.contains("/crates/retrograd\""));
    assert!(repository("crates/retrograd/Cargo.toml").exists());
    assert_eq!(run.trim(), "cargo run --release");
    assert!(read("Cargo.toml").contains(r#"default-members = ["crates/lab"]"#));
    let lab = read("crates/lab/Cargo.toml");
    assert!(lab.contains("[[bin]]\nname = \"retrograd\"\npath = \"src/main.rs\"\n"), "{lab}");
    assert!(read("crates/lab/src/main.rs").contains("fn main()"));
    assert_eq!(test.trim(), "cargo test --workspace");
    assert!(read(".ci/run").lines().any(|line| line.trim() == test.trim()), "`.ci/run` calls it");
}

#[test]
fn the_links_lead_somewhere() {
    for target in links(&read("README.md")) {
        assert!(repository(&target).exists(), "{target}");
    }
}

/// The first column of each table of files, below the heading that says the folder.
#[test]
fn the_map_names_files_that_exist() {
    let mut folder = String::new();
    let mut files = 0;
    for line in read("ARCHITECTURE.md").lines() {
        if let Some(heading) = line.strip_prefix("#") {
            folder = heading.split('`').nth(1).map(|path| format!("{path}/")).unwrap_or_default();
        }
        if let Some(name) = line.strip_prefix("| `").and_then(|row| row.split('`').next())
            && name.contains('.')
        {
            assert!(repository(&format!("{folder}{name}")).exists(), "{folder}{name}");
            files += 1;
        }
    }
    assert!(files > 80, "only {files} files found: the tables have another form");
}

/// Behind each law stand tests, each in the file that is named after it, or a file.
#[test]
fn the_invariants_name_tests_that_exist() {
    let text = read("ARCHITECTURE.md");
    let (_, laws) = text.split_once("## Invariants").expect("there is such a section");
    for law in laws.lines().filter(|line| line.starts_with("| ")) {
        let mut tests = Vec::new();
        for name in law.split('`').skip(1).step_by(2) {
            if name.contains('/') {
                let file = read(name);
                for test in tests.drain(..) {
                    assert!(file.contains(&format!("fn {test}(")), "{test} is not in {name}");
                }
            } else if name.matches('_').count() > 2 {
                tests.push(name);
            }
        }
        assert!(tests.is_empty(), "in which file are {tests:?}?");
    }
}

#[test]
fn the_links_of_the_other_documents_lead_somewhere() {
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        for target in links(&read(document)).iter().filter(|target| !target.starts_with("https://")) {
            assert!(repository(target).exists(), "{document}: {target}");
        }
    }
}
