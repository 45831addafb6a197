//! The book is complete and true. Its examples are doctests of `crates/documentation`.

mod markdown;

use std::collections::BTreeSet;
use std::fs;

use markdown::{Block, blocks, links, prose, read, repository};
#[cfg(feature = "inverse")]
use retrograd::{Real, Traced, trace};

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
    let files: BTreeSet<String> = files.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").collect();
    assert_eq!(listed, files);
}

#[test]
fn the_examples_of_every_chapter_are_doctests() {
    let root = read("crates/documentation/src/lib.rs");
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

/// In each chapter, the rejected programs with a message below are those of a file in `tests/ui/book`, in the same order, and
/// the messages are the compiler's. `TRYBUILD=overwrite` writes the messages anew, into that file and into the book.
#[test]
fn messages_are_those_of_the_compiler() {
    trybuild::TestCases::new().compile_fail("tests/ui/book/*.rs");
    for name in chapters() {
        let file = name.replace('-', "_").replace(".md", "");
        let shown: Vec<(String, String)> = rejected(&chapter(&name));
        if shown.is_empty() {
            continue;
        }
        let tested = cases(&file);
        assert_eq!(shown.len(), tested.len(), "{name} and {file}.rs differ in number");
        let mut text = chapter(&name);
        for ((program, message), case) in shown.iter().zip(&tested) {
            assert!(words(&case.program).contains(&words(program)), "{name}: not in {file}.rs:\n{program}");
            text = text.replace(&format!("```text\n{message}```"), &format!("```text\n{}```", case.messages));
        }
        if std::env::var("TRYBUILD").is_ok_and(|wish| wish == "overwrite") {
            fs::write(repository(&format!("book/src/{name}")), &text).unwrap();
        }
        assert!(text == chapter(&name), "{name} shows other messages than {file}.stderr; see CONTRIBUTING.md");
    }
}

/// The programs of a chapter that must not compile and have a message below, each as shown to the reader, with the message.
fn rejected(chapter: &str) -> Vec<(String, String)> {
    let visible = |code: &str| {
        let lines = code.lines().filter(|line| !line.starts_with("# ") && *line != "use retrograd::prelude::*;");
        lines.collect::<Vec<_>>().join("\n")
    };
    let all = blocks(chapter);
    let pairs = all.windows(2).filter(|pair| pair[0].info.contains("compile_fail") && pair[1].info == "text");
    pairs.map(|pair| (visible(&pair[0].code), pair[1].code.clone())).collect()
}

/// A module of a file in `tests/ui/book`, and what the compiler says to it.
struct Case {
    program: String,
    messages: String,
}

fn cases(file: &str) -> Vec<Case> {
    let path = format!("crates/retrograd/tests/ui/book/{file}");
    let mut cases: Vec<(usize, Case)> = Vec::new();
    for (number, line) in read(&format!("{path}.rs")).lines().enumerate() {
        if line.starts_with("mod ") {
            cases.push((number + 1, Case { program: String::new(), messages: String::new() }));
        } else if let Some((_, case)) = cases.last_mut() {
            case.program += &format!("{line}\n");
        }
    }
    let mut message = "";
    for line in read(&format!("{path}.stderr")).lines() {
        if line.starts_with("error") {
            message = line;
        } else if let Some((_, place)) = line.split_once("--> tests/ui/book/") {
            let number: usize = place.split(':').nth(1).and_then(|n| n.parse().ok()).expect("a line number");
            let (_, case) = cases.iter_mut().rfind(|(first, _)| *first < number).expect("errors are inside of modules");
            case.messages += &wrapped(message);
        }
    }
    cases.into_iter().map(|(_, case)| case).collect()
}

/// A message in lines of readable length, broken at blanks outside of quoted code.
fn wrapped(message: &str) -> String {
    let (mut text, mut width, mut quoted) = (String::new(), 0, false);
    for word in message.split_inclusive(|c: char| {
        quoted ^= c == '`';
        c == ' ' && !quoted
    }) {
        if width + word.trim_end().len() > 112 {
            text.truncate(text.trim_end().len());
            text += "\n       ";
            width = 7;
        }
        text += word;
        width += word.len();
    }
    text + "\n"
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

/// The chapter on inverse accumulation has this program beside its drawing.
#[cfg(feature = "inverse")]
fn mixed(x: &[Traced]) -> Vec<Traced> {
    let mut x = x.to_vec();
    for i in 1..x.len() {
        x[i] = x[i] + x[i - 1].sin();
    }
    let common = (x[0] + x[1] + x[2]).tanh();
    for value in &mut x[..3] {
        *value += common;
    }
    x[1] *= Traced::lit(2.0);
    x
}

#[cfg(feature = "inverse")]
#[test]
fn the_drawing_of_lumps_is_that_of_its_program() {
    let drawing = trace(&[0.5; 4], mixed).inverse().unwrap().diagram();
    // Places in the source are not shown in a picture.
    let (begin, _) = drawing.split_once("<title>").unwrap();
    let rest = drawing.split("<title>").skip(1).map(|part| part.split_once("</title>\n").unwrap().1);
    let drawing = std::iter::once(begin).chain(rest).collect::<String>();
    assert!(read("book/src/lumps.svg") == drawing, "write this to book/src/lumps.svg:\n{drawing}");
}
