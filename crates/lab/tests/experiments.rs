//! Every experiment, in small size: what it claims holds, and what it finds can be written, drawn and read again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use lab::experiments::ALL;
use lab_report::findings::{Cell, Findings, Verdict};
use lab_report::headline::{Headline, Sketch};
use lab_report::plot::Frame;
use lab_report::{Experiment, Setting, Size};

/// Runs an experiment in small size, and checks what it found.
fn run(experiment: &Experiment) -> Findings {
    let found = (experiment.run)(&Setting::of_size(Size::Small));
    let findings = found.unwrap_or_else(|failure| panic!("{}: {failure}", experiment.name));
    assert!(!findings.claims.is_empty(), "{} claims nothing", experiment.name);
    let texts: BTreeSet<&str> = findings.claims.iter().map(|claim| claim.text.as_str()).collect();
    assert_eq!(texts.len(), findings.claims.len(), "{} claims something twice", experiment.name);
    for claim in &findings.claims {
        assert!(claim.ours.value.is_finite(), "{}: {}: not a number", experiment.name, claim.text);
        // Times depend on the machine and the build: these have checks.
        let holds = claim.timed || claim.verdict() != Verdict::Fails;
        assert!(holds, "{}: {}: {} instead of {}", experiment.name, claim.text, claim.ours, claim.should_be());
    }
    for table in &findings.tables {
        assert!(!table.rows.is_empty(), "{}: no rows: {}", experiment.name, table.caption);
        for cell in table.rows.iter().flatten() {
            if let Cell::Figure(figure) = cell {
                assert!(figure.value.is_finite(), "{}: not a number: {}", experiment.name, table.caption);
            }
        }
    }
    for plot in &findings.plots {
        let points = plot.series.iter().flat_map(|series| &series.points);
        let maps = match &plot.frame {
            Frame::Maps(maps) => maps.len(),
            Frame::Axes(..) | Frame::Picture => 0,
        };
        assert!(points.clone().count() + maps > 0, "{}: nothing is drawn: {}", experiment.name, plot.caption);
        assert!(points.clone().all(|(x, y)| x.is_finite() && y.is_finite()), "{}: {}", experiment.name, plot.caption);
    }
    for Headline { figure, sentence, sketch } in &findings.headlines {
        let drawn = match sketch {
            Sketch::Plot(plot) => plot.series.iter().map(|series| series.points.len()).sum(),
            Sketch::Bars(bars) => bars.len(),
        };
        assert!(figure.value.is_finite() && drawn > 1 && sentence.ends_with('.'), "{}: {sentence}", experiment.name);
    }
    findings
}

#[test]
fn what_experiments_claim_holds() {
    let mut headlines = Vec::new();
    for experiment in ALL {
        let findings = run(experiment);
        headlines.extend(findings.headlines.iter().map(|_| experiment.name));
        let json = serde_json::to_string(&findings).unwrap();
        assert!(serde_json::from_str::<Findings>(&json).unwrap() == findings, "{} is not read again", experiment.name);
    }
    // The first screen of the report.
    assert_eq!(headlines, ["bit_exact_return", "learning_backwards", "memory", "granularity", "derivatives"]);
}

#[test]
fn every_file_is_an_experiment_of_the_list() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/experiments");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.filter(|name| name != "mod.rs").collect();
    // What an experiment is made of may have a folder beside its file.
    let (files, folders): (BTreeSet<String>, BTreeSet<String>) =
        files.into_iter().partition(|name| name.ends_with(".rs"));
    let listed: BTreeSet<String> = ALL.iter().map(|experiment| format!("{}.rs", experiment.name)).collect();
    assert_eq!(files, listed);
    assert!(folders.iter().all(|folder| files.contains(&format!("{folder}.rs"))), "{folders:?}");
}

#[test]
fn the_book_names_every_experiment_in_order() {
    let chapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/report.md");
    let chapter = fs::read_to_string(chapter).unwrap();
    let (_, table) = chapter.split_once("## The experiments\n").unwrap();
    let rows = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(rows.collect::<Vec<_>>(), ALL.iter().map(|experiment| experiment.name).collect::<Vec<_>>());
}
