//! The book is complete and true. Its examples are run as doctests of the crate.

mod markdown;

use std::collections::BTreeSet;
use std::fs;

use markdown::{Block, blocks, links, prose, read, repository};

/// The chapters that the summary lists, in order.
fn chapters() -> Vec<String> {
    links(&read("book/src/SUMMARY.md"))
}

fn chapter(name: &str) -> String {
    read(&format!("book/src/{name}"))
}

#[test]
fn the_summary_lists_every_chapter() {
    let listed: BTreeSet<String> = chapters().into_iter().collect();
    let files = fs::read_dir(repository("book/src")).unwrap();
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.filter(|name| name != "SUMMARY.md").collect();
    assert_eq!(listed, files);
}

#[test]
fn the_examples_of_every_chapter_are_doctests() {
    let root = include_str!("../src/lib.rs");
    for name in chapters() {
        let included = format!(r#"#[doc = include_str!("../../../book/src/{name}")]"#);
        assert!(root.contains(&included), "{name}");
    }
}

#[test]
fn no_example_is_left_out() {
    for name in chapters() {
        for Block { info, code } in blocks(&chapter(&name)) {
            let mut kind = info.split(',');
            match kind.next() {
                Some("rust") => assert!(
                    kind.all(|k| k == "compile_fail" || k.starts_with('E')),
                    "{name}: `{info}` is not compiled and run:\n{code}"
                ),
                other => assert!(matches!(other, Some("text" | "toml" | "sh")), "{name}: what is `{info}`?\n{code}"),
            }
        }
    }
}

/// In each chapter a rejected program with a message below is one of `tests/ui/book`, and the message is the compiler's.
#[test]
fn messages_are_those_of_the_compiler() {
    for name in chapters() {
        let all = blocks(&chapter(&name));
        let rejected = |block: &Block| block.info.contains("compile_fail");
        let pairs: Vec<(&Block, &Block)> = all
            .windows(2)
            .map(|pair| (&pair[0], &pair[1]))
            .filter(|(program, message)| rejected(program) && message.info == "text")
            .collect();
        if pairs.is_empty() {
            continue;
        }
        let case = format!("crates/retrograd/tests/ui/book/{}", name.replace('-', "_").replace(".md", ""));
        let (programs, messages) = (words(&read(&format!("{case}.rs"))), words(&read(&format!("{case}.stderr"))));
        assert_eq!(programs.matches("mod ").count(), pairs.len(), "{name} and {case}.rs differ in number");
        for (program, message) in pairs {
            let program = words(&shown(&program.code).replace("use retrograd::prelude::*;", ""));
            assert!(programs.contains(&program), "{name}: not in {case}.rs:\n{program}");
            for message in words(&message.code).split("error: ").skip(1) {
                assert!(messages.contains(&format!("error: {}", message.trim())), "{name}: not in {case}.stderr:\n{message}");
            }
        }
    }
}

/// `TRYBUILD=overwrite` writes the messages anew; the book then has to follow.
#[test]
fn rejected_programs_are_rejected() {
    trybuild::TestCases::new().compile_fail("tests/ui/book/*.rs");
}

/// Code as the reader sees it: without the lines that are hidden by `# `.
fn shown(code: &str) -> String {
    code.lines().filter(|line| *line != "#" && !line.starts_with("# ")).collect::<Vec<_>>().join("\n")
}

/// Text with all white space reduced to single blanks, to compare it across line breaks and indentation.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_links_lead_somewhere() {
    for name in chapters() {
        for target in links(&chapter(&name)) {
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let file = if file.is_empty() { &name } else { file };
            assert!(repository(&format!("book/src/{file}")).exists(), "{name}: {target}");
            assert!(anchor.is_empty() || anchors(file).contains(anchor), "{name}: {target}");
        }
    }
}

/// The anchors that mdBook gives to the headings of a chapter.
fn anchors(file: &str) -> BTreeSet<String> {
    let text = prose(&chapter(file));
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}
