//! Reports: experiments that fail or are stopped, what is written, and comparisons.

use std::any::Any;
use std::fs;
use std::path::PathBuf;

use lab_report::compare::compare;
use lab_report::findings::{Claim, Figure, Findings, Table};
use lab_report::headline::{Headline, Sketch};
use lab_report::plot::{Axis, Plot, Series, Style};
use lab_report::quote::{excerpt, quote, unquoted};
use lab_report::{Experiment, Failure, Order, Outcome, Report, Setting, Size, Stop, run, summary};

/// A folder of its own for each test, which is not there yet.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn found(_: &Setting) -> Result<Findings, Failure> {
    let mut table = Table::new("A <table>", ["a", "b"]);
    table.row(["row".into(), Figure::seconds(0.25).into()]);
    let claims = vec![
        Claim::at_most("one & one", Figure::plain(2.0), 2.0).paper_figure(4.0, "Table 1"),
        Claim::at_most("too slow", Figure::seconds(2.0), 1.0),
    ];
    let series = vec![Series::new("a <series>", Style::Dashed, [(1.0, 1.0), (2.0, 4.0)])];
    let plot = Plot::new("A \"plot\"", Axis::linear("x"), Axis::logarithmic("y"), series);
    Ok(Findings {
        claims,
        plots: vec![plot],
        tables: vec![table],
        remarks: vec!["a `x < y` b".into()],
        ..Findings::default()
    })
}

fn experiment(name: &'static str, run: fn(&Setting) -> Result<Findings, Failure>) -> Experiment {
    Experiment { name, title: "A title", about: "what it shows", run }
}

fn order(name: &str, experiments: &[Experiment]) -> Order {
    let (out, command) = (folder(name), "retrograd <report>".to_string());
    let message = |panic: &(dyn Any + Send)| panic.downcast_ref::<u32>().map(|number| format!("number {number}"));
    Order { experiments: experiments.to_vec(), size: Size::Small, files: Vec::new(), out, command, message }
}

#[test]
fn an_experiment_that_fails_does_not_keep_others_from_running() {
    fn panics(_: &Setting) -> Result<Findings, Failure> {
        panic!("out of luck")
    }
    fn reads(_: &Setting) -> Result<Findings, Failure> {
        Err(Failure::File { path: "data.txt".into(), line: Some(3), what: "a number was expected".into() })
    }
    fn throws(_: &Setting) -> Result<Findings, Failure> {
        std::panic::panic_any(7_u32)
    }
    let experiments = [("panics", panics as fn(&Setting) -> _), ("reads", reads), ("throws", throws), ("finds", found)];
    let order = order("fails", &experiments.map(|(name, run)| experiment(name, run)));
    let report = run(&order, &Stop::new()).unwrap();
    assert!(!report.succeeded());
    let outcomes: Vec<&Outcome> = report.experiments.iter().map(|entry| &entry.outcome).collect();
    assert_eq!(outcomes[0], &Outcome::Failed("panicked: out of luck".into()));
    assert_eq!(outcomes[1], &Outcome::Failed("data.txt:3: a number was expected".into()));
    assert_eq!(outcomes[2], &Outcome::Failed("panicked: number 7".into()));
    assert!(matches!(outcomes[3], Outcome::Found(_)));
    let page = fs::read_to_string(order.out.join("index.html")).unwrap();
    assert!(page.contains("panicked: out of luck") && page.contains("data.txt:3: a number was expected"));
}

#[test]
fn what_is_finished_stays_when_the_run_is_stopped() {
    static STOP: Stop = Stop::new();
    fn is_stopped(setting: &Setting) -> Result<Findings, Failure> {
        assert!(!STOP.ask());
        setting.progress.done(1, 2)?;
        unreachable!("it was stopped")
    }
    let order =
        order("stopped", &[experiment("finds", found), experiment("stopped", is_stopped), experiment("never", found)]);
    let report = run(&order, &STOP).unwrap();
    assert_eq!((report.experiments.len(), report.planned, report.succeeded()), (1, 3, false));
    assert_eq!(Report::read(&order.out).unwrap(), report);
    assert!(fs::read_to_string(order.out.join("index.html")).unwrap().contains("1 of 3 experiments"));
}

#[test]
fn a_report_can_be_read_again_and_its_page_needs_nothing_else() {
    let order = order("whole", &[experiment("finds", found)]);
    let report = run(&order, &Stop::new()).unwrap();
    // A claim that depends on the clock may fail.
    assert!(report.succeeded());
    assert_eq!(Report::read(&order.out.join("report.json")).unwrap(), report);
    let page = fs::read_to_string(order.out.join("index.html")).unwrap();
    for expected in [
        "retrograd &lt;report&gt;",
        "one &amp; one",
        "A &lt;table&gt;",
        "a &lt;series&gt;",
        "A &quot;plot&quot;",
        "a <code>x &lt; y</code> b",
        "250 ms",
        "<svg ",
        "prefers-color-scheme: dark",
        "@media print",
        "report --small --only finds",
        // Our figure over that of the paper.
        "<td class=\"number\">0.500</td>",
    ] {
        assert!(page.contains(expected), "{expected}");
    }
    for outside in ["src=", "@import", "<script", "<link", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    // The name of a format is the only address.
    assert_eq!(page.matches("http").count(), page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count());
    let text = summary(&report);
    assert!(text.contains("holds   one & one: 2.00 (≤ 2.00); Table 1: 4.00, ratio 0.500"), "{text}");
    assert!(text.ends_with("1 of 1 experiments, 1 claims hold, 1 fail\n"), "{text}");
}

#[test]
fn the_page_begins_with_headlines_and_failures_and_ends_with_all_claims_folded() {
    fn with_headlines(setting: &Setting) -> Result<Findings, Failure> {
        let findings = found(setting)?;
        let headline =
            |value, sketch| Headline { figure: Figure::times(value), sentence: "as <good> as it gets.".into(), sketch };
        let bars = [("ours", 1.0), ("theirs", 4.0)].map(|(name, value)| (name.to_string(), Figure::times(value)));
        let sketches = [Sketch::Plot(findings.plots[0].clone()), Sketch::Bars(bars.to_vec())];
        Ok(Findings { headlines: sketches.map(|sketch| headline(1.25, sketch)).to_vec(), ..findings })
    }
    fn fails(_: &Setting) -> Result<Findings, Failure> {
        panic!("out of luck")
    }
    let page = |name: &str, experiments: &[Experiment]| {
        let order = order(name, experiments);
        run(&order, &Stop::new()).unwrap();
        fs::read_to_string(order.out.join("index.html")).unwrap()
    };
    let both = page("front", &[experiment("tells", with_headlines), experiment("fails", fails)]);
    let places = [
        "<strong>1.25 ×</strong> as &lt;good&gt; as it gets.",
        "<i style=\"width: 25.00%\">",
        "<h2>This run</h2>",
        "<h2 id=\"failures\">What failed</h2>",
        "panicked: out of luck",
        "<section id=\"tells\">",
        "<section id=\"claims\">\n<h2>All claims</h2>\n<details>",
    ];
    let places = places.map(|text| both.find(text).unwrap_or_else(|| panic!("{text}")));
    assert!(places.is_sorted(), "{places:?}");
    assert_eq!(both.matches("<article>").count(), 3);
    // A claim that fails stands above and among all of them, and one that holds only there.
    assert_eq!((both.matches("too slow").count(), both.matches("one &amp; one").count()), (2, 1));

    // What did not run, or found nothing, has no headline.
    let none = page("no-front", &[experiment("fails", fails)]);
    assert_eq!((none.matches("<article>").count(), none.matches("<strong>").count()), (1, 0));
}

#[test]
fn a_comparison_shows_what_changed_and_which_claims_no_longer_hold() {
    let before = run(&order("before", &[experiment("finds", found)]), &Stop::new()).unwrap();
    let same = compare(&before, &before);
    assert_eq!(same.broken, 0);
    assert!(same.text.ends_with("\nfinds\n  3 figures are the same\n"), "{}", same.text);

    let mut after = before.clone();
    let Outcome::Found(findings) = &mut after.experiments[0].outcome else { panic!("it found something") };
    findings.claims[0].ours = Figure::plain(3.0);
    let changed = compare(&before, &after);
    assert_eq!(changed.broken, 1);
    let line = changed.text.lines().find(|line| line.contains("one & one")).unwrap();
    assert_eq!(line.split_whitespace().collect::<Vec<_>>().join(" "), "2.00 3.00 1.50 × one & one held, and FAILS");

    after.experiments.clear();
    assert!(compare(&before, &after).text.contains("in A only"));
}

#[test]
fn quotations_are_written_anew_and_nothing_else() {
    let report = run(&order("quoted", &[experiment("finds", found)]), &Stop::new()).unwrap();
    let text = "# Title\n\nIt is <!-- report: finds | one & one -->7<!-- end -->, and <!-- report: finds | row: b --><!-- end -->.\n\n\
                <!-- report: finds | table A <table> -->\nold\n<!-- end -->\n<!-- report: finds | table A <table> | b --><!-- end -->\n\
                <!-- report: finds | plot A \"plot\" --><!-- end -->\n<!-- report: finds | claims --><!-- end -->\n<!-- report: machine --><!-- end -->\n";
    let quoted = quote(&report, text).unwrap();
    for expected in [
        "It is <!-- report: finds | one & one -->2.00<!-- end -->, and <!-- report: finds | row: b -->250 ms<!-- end -->.\n",
        "<!-- report: finds | table A <table> -->\n\n| a | b |\n| --- | ---: |\n| row | 250 ms |\n\n<!-- end -->\n",
        "| b -->\n\n| b |\n| ---: |\n| 250 ms |\n\n<!-- end -->\n",
        "\n\n![A \"plot\"](pictures/finds-1.svg)\n\n<!-- end -->\n",
        "| one & one | 2.00 | ≤ 2.00 | 4.00; Table 1 | 0.500 |\n| too slow | 2.00 s | ≤ 1.00 s |  |  |\n\n<!-- end -->\n",
        "by `retrograd <report>`<!-- end -->\n",
    ] {
        assert!(quoted.text.contains(expected), "{expected}\n{}", quoted.text);
    }
    assert_eq!(quoted.pictures.len(), 1);
    assert!(quoted.pictures[0].1.starts_with("<svg ") && quoted.pictures[0].1.contains("fill=\"#ffffff\""));
    assert_eq!(quote(&report, &quoted.text).unwrap(), quoted);
    assert_eq!(unquoted(&quoted.text), "# Title\n\nIt is , and .\n\n\n\n\n\n\n");
}

#[test]
fn an_excerpt_has_what_is_quoted_and_nothing_else() {
    let report =
        run(&order("excerpt", &[experiment("finds", found), experiment("unread", found)]), &Stop::new()).unwrap();
    let kept = |text: &str| {
        let kept = excerpt(&report, ["# Title\n", text]);
        assert_eq!(excerpt(&kept, [text]), kept);
        assert_eq!(quote(&kept, text).unwrap(), quote(&report, text).unwrap());
        assert_eq!(
            (kept.planned, &kept.machine, &kept.command),
            (kept.experiments.len(), &report.machine, &report.command)
        );
        let json = kept.to_json();
        assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), kept);
        assert!(!json.contains("unread") && !json.contains("what it shows") && !json.contains("a `x < y` b"), "{json}");
        let found = kept.experiments.first().and_then(|entry| entry.findings()).cloned().unwrap_or_default();
        (found.claims.len(), found.plots.len(), found.tables.len())
    };
    let mark = |subject: &str| format!("<!-- report: {subject} --><!-- end -->");
    assert_eq!(kept(&mark("machine")), (0, 0, 0));
    assert_eq!(kept(&mark("finds | one & one")), (1, 0, 0));
    assert_eq!(kept(&mark("finds | claims")), (2, 0, 0));
    assert_eq!(kept(&mark("finds | row: b")), (0, 0, 1));
    assert_eq!(kept(&mark("finds | table A <table>")), (0, 0, 1));
    assert_eq!(kept(&(mark("finds | plot A \"plot\"") + &mark("finds | too slow"))), (1, 1, 0));
}

#[test]
fn a_wrong_quotation_is_refused_with_its_line() {
    let report = run(&order("misquoted", &[experiment("finds", found)]), &Stop::new()).unwrap();
    let wrong = |text: &str| quote(&report, text).unwrap_err().to_string();
    let mark = |subject: &str| wrong(&format!("one\ntwo <!-- report: {subject} --><!-- end -->\n"));
    assert_eq!(mark("finds | two"), "2: no figure is called `two`; there are `one & one`, `too slow`, `row: b`");
    assert_eq!(mark("seeks | two"), "2: nothing was found by `seeks`; there are `finds`");
    assert_eq!(mark("finds"), "2: `finds` is neither `machine` nor `NAME | FIGURE`");
    assert_eq!(mark("finds | table B"), "2: nothing has the caption `B`; there are `A <table>`");
    assert_eq!(mark("finds | plot B"), "2: nothing has the caption `B`; there are `A \"plot\"`");
    assert_eq!(mark("finds | table A <table> | c"), "2: no column is called `c`; there are `a`, `b`");
    assert_eq!(wrong("<!-- report: machine"), "1: a mark without `-->`");
    assert_eq!(wrong("\n\n<!-- report: machine -->"), "3: `machine` has no `<!-- end -->` behind it");
    let open = "<!-- report: machine -->\n<!-- report: machine --><!-- end -->";
    assert_eq!(wrong(open), "1: `machine` has no `<!-- end -->` before the next mark");
}

#[test]
fn what_is_no_report_is_refused_with_its_file() {
    let folder = folder("no-report");
    assert_eq!(Report::read(&folder).unwrap_err().path, folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("report.json"), "{\n  \"machine\": 1\n}").unwrap();
    let error = Report::read(&folder).unwrap_err();
    assert_eq!(error.path, folder.join("report.json"));
    assert!(error.what.contains("not a report") && error.what.contains("line 2"), "{error}");
}

#[test]
fn a_report_that_cannot_be_written_is_not_begun() {
    fn never(_: &Setting) -> Result<Findings, Failure> {
        unreachable!("there is no place for what it finds")
    }
    let order = order("unwritable", &[experiment("never", never)]);
    fs::write(&order.out, "a file, and no folder").unwrap();
    assert_eq!(run(&order, &Stop::new()).unwrap_err().path, order.out);
    fs::remove_file(&order.out).unwrap();
}

#[test]
fn figures_that_json_does_not_have_come_back_as_no_number() {
    for value in [f64::NAN, f64::INFINITY] {
        let json = serde_json::to_string(&Figure::plain(value)).unwrap();
        assert!(serde_json::from_str::<Figure>(&json).unwrap().value.is_nan());
    }
}
