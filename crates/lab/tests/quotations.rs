//! The README and the book say what `book/report.json` says, and no other figures of speed and memory.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lab::experiments::ALL;
use lab_report::quote::{excerpt, quote, unquoted};
use lab_report::{Report, Size};

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The README and all chapters, each with what is in it.
fn texts() -> Vec<(PathBuf, String)> {
    let chapters = fs::read_dir(repository("book/src")).unwrap().map(|file| file.unwrap().path());
    let chapters = chapters.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let paths = chapters.chain([repository("README.md")]);
    paths.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

fn report() -> Report {
    Report::read(&repository("book/report.json")).unwrap()
}

#[test]
fn the_report_of_the_book_is_a_full_one_and_has_what_is_quoted_and_no_more() {
    let (report, texts) = (report(), texts());
    assert_eq!((report.size, &*report.machine.build), (Size::Full, "release"));
    assert!(report.succeeded());
    let names = report.experiments.iter().map(|entry| entry.name.as_str());
    let all: Vec<&str> = ALL.iter().map(|experiment| experiment.name).collect();
    assert!(names.map(|name| all.iter().position(|other| *other == name).unwrap()).is_sorted());
    assert!(
        excerpt(&report, texts.iter().map(|(_, text)| text.as_str())) == report,
        "`scripts/measure` has the command"
    );
}

#[test]
fn quotations_are_those_of_the_report() {
    let report = report();
    let mut shown = BTreeSet::new();
    for (path, text) in texts() {
        let quoted = quote(&report, &text).unwrap_or_else(|wrong| panic!("{}:{wrong}", path.display()));
        assert!(quoted.text == text, "{} quotes another report; `scripts/measure` has the command", path.display());
        for (picture, drawing) in quoted.pictures {
            let picture = path.with_file_name(picture);
            let old = fs::read_to_string(&picture).unwrap_or_else(|error| panic!("{}: {error}", picture.display()));
            assert!(old == drawing, "{} is of another report", picture.display());
            shown.insert(picture);
        }
    }
    let pictures = fs::read_dir(repository("book/src/pictures")).unwrap().map(|file| file.unwrap().path());
    assert_eq!(pictures.collect::<BTreeSet<_>>(), shown);
}

/// A number before one of these is a figure that somebody measured.
const UNITS: [&str; 9] = ["ns", "µs", "ms", "KiB", "MiB", "GiB", "bytes", "×", "times as"];

#[test]
fn no_figure_is_written_by_hand() {
    for (path, text) in texts() {
        let text = unquoted(&text);
        // Every second part is code.
        let prose: String = text.split("```").step_by(2).collect();
        for line in prose.lines() {
            let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
            for unit in UNITS {
                for (place, _) in prose.match_indices(unit) {
                    let before = prose[..place].trim_end();
                    let behind = &prose[place + unit.len()..];
                    let whole = !behind.starts_with(char::is_alphabetic);
                    let number = before.ends_with(|last: char| last.is_ascii_digit());
                    // So many rows by so many columns.
                    let sizes = unit == "×" && behind.trim_start().starts_with(|next: char| next.is_ascii_digit());
                    assert!(sizes || !(whole && number), "{}: measured, and not quoted: {line}", path.display());
                }
            }
        }
    }
}
