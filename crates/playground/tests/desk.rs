//! What the page gets to see, by requests.

use playground::{Desk, gallery};
use serde_json::Value;

const SPRING: &str = "#[reversible]
fn spring(x: &mut f64, v: &mut f64, n: usize) {
    for _ in 0..n {
        *v -= 0.1 * *x;
        *x += 0.1 * *v;
    }
}
";

fn ask(desk: &mut Desk, request: &str) -> Value {
    let answer = desk.ask(request);
    serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

fn checked(text: &str, name: &str) -> (Desk, Value) {
    let mut desk = Desk::default();
    let answer = ask(&mut desk, &format!("check\n{name}\n{text}"));
    (desk, answer)
}

/// Goes on in small parts until it has come there.
fn sought(desk: &mut Desk, target: u64) -> Value {
    for _ in 0..1000 {
        let state = ask(desk, &format!("seek\n{target}\n7"));
        if state["arrived"] != false {
            return state;
        }
    }
    panic!("it never arrives at {target}");
}

fn variable<'a>(state: &'a Value, name: &str) -> &'a Value {
    let all = state["variables"].as_array().unwrap();
    all.iter().find(|variable| variable["name"] == name).unwrap_or_else(|| panic!("no `{name}` in {state}"))
}

#[test]
fn messages_have_line_and_column() {
    let (_, answer) = checked("#[reversible]\nfn f(x: &mut f64, y: f64) {\n    *x = y;\n    *x += *x;\n}\n", "");
    let messages = answer["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 2, "{answer}");
    assert_eq!((&messages[0]["line"], &messages[0]["column"]), (&3.into(), &5.into()), "{answer}");
    assert_eq!(messages[1]["line"], 4, "{answer}");
    let (_, answer) = checked("#[reversible]\nfn f(x: &mut f64 {\n}\n", "");
    assert_eq!(answer["messages"][0]["line"], 2, "{answer}");
}

#[test]
fn every_printed_line_of_a_statement_knows_where_it_comes_from() {
    let (_, answer) = checked(SPRING, "spring");
    let source: Vec<&str> = SPRING.lines().collect();
    for (kind, sign) in [("inverse", "+="), ("adjoint", "+=")] {
        let printed = &answer["program"][kind];
        let lines: Vec<&str> = printed["text"].as_str().unwrap().lines().collect();
        let origin = |wanted: &str| {
            let at = lines.iter().position(|line| line.trim().starts_with(wanted));
            let at = at.unwrap_or_else(|| panic!("no `{wanted}` in {}", printed["text"]));
            source[printed["lines"][at].as_u64().unwrap() as usize - 1].trim()
        };
        assert_eq!(origin(&format!("*v {sign}")), "*v -= 0.1 * *x;", "{kind}");
        assert!(origin("for ").starts_with("for "), "{kind}");
    }
}

#[test]
fn variables_come_from_elsewhere() {
    let text = "#[reversible]\nfn f(v: &mut [f64], n: usize) {\n    for i in 0..n {\n        let t = 0.5;\n        v[i] += t;\n    }\n}\n";
    let (_, answer) = checked(text, "f");
    assert_eq!(answer["program"]["inverse"]["lines"].to_string(), "[null,3,4,5,null,null]", "{answer}");
}

#[test]
fn statements_of_the_drawing_have_the_lines_of_the_text() {
    let (_, answer) = checked(&format!("// A comment.\n\n{SPRING}"), "spring");
    let drawing = answer["program"]["diagram"].as_str().unwrap();
    for (line, statement) in [(5, "for _ in 0..n"), (6, "*v -= 0.1 * *x"), (7, "*x += 0.1 * *v")] {
        let row = drawing.split("<g ").find(|row| row.contains(statement)).unwrap();
        assert!(row.contains(&format!("data-line=\"{line}\"")), "{row}");
    }
}

#[test]
fn a_run_goes_there_and_back() {
    let (mut desk, _) = checked(SPRING, "spring");
    let start = ask(&mut desk, "start\nvalues\n1.0\n0.0\n10");
    assert_eq!((&start["position"], &start["line"]), (&0.into(), &3.into()));
    let end = sought(&mut desk, u64::MAX);
    assert_eq!((&end["ended"], &end["last"]), (&true.into(), &end["position"]));
    assert_ne!(variable(&end, "x")["value"], "1.0");
    let middle = sought(&mut desk, 5);
    assert_eq!(middle["position"], 5);
    let back = sought(&mut desk, 0);
    assert_eq!(back["position"], 0);
    assert_eq!(back["drift"]["measured"], true);
    assert!(back["drift"]["worst"].as_f64().unwrap() < 1e-15, "{back}");
    let x: f64 = variable(&back, "x")["value"].as_str().unwrap().parse().unwrap();
    assert!((x - 1.0).abs() < 1e-15);
}

#[test]
fn integers_come_back_exactly() {
    let (mut desk, _) = checked("#[reversible] fn f(a: &mut i64, b: &mut i64) { *a += *b * *b; *b -= *a; }", "");
    ask(&mut desk, "start\nvalues\n3\n-4");
    sought(&mut desk, u64::MAX);
    let back = sought(&mut desk, 0);
    assert_eq!((&variable(&back, "a")["value"], &variable(&back, "b")["value"]), (&"3".into(), &"-4".into()));
}

#[test]
fn adjoints_stand_beside_values() {
    let text = "#[reversible] fn f(x: f64, y: f64) -> f64 { x * x * y }";
    let (mut desk, _) = checked(text, "f");
    ask(&mut desk, "start\nadjoint\n3.0\n2.0");
    let end = sought(&mut desk, u64::MAX);
    assert_eq!(variable(&end, "x")["adjoint"], "12.0", "{end}");
    assert_eq!(variable(&end, "y")["adjoint"], "9.0", "{end}");
    // An adjoint run that goes back begins again.
    let begin = sought(&mut desk, 0);
    assert_eq!(variable(&begin, "x")["adjoint"], "0.0", "{begin}");
}

#[test]
fn the_adjoint_of_a_procedure_begins_where_it_ends() {
    let (mut desk, _) = checked(SPRING, "spring");
    ask(&mut desk, "start\nadjoint x\n1.0\n0.0\n1");
    let end = sought(&mut desk, u64::MAX);
    // x = x + 0.1 (v - 0.1 x)
    let adjoint = |name: &str| variable(&end, name)["adjoint"].as_str().unwrap().parse::<f64>().unwrap();
    assert!((adjoint("x") - 0.99).abs() < 1e-15 && (adjoint("v") - 0.1).abs() < 1e-15, "{end}");
}

#[test]
fn what_cannot_be_undone_is_said_and_the_run_stays() {
    let text = "#[reversible]\nfn f(x: &mut i64) {\n    if (*x > 0, *x > 5) {\n        *x += 1;\n    }\n}\n";
    let (mut desk, _) = checked(text, "");
    ask(&mut desk, "start\nvalues\n1");
    let stuck = sought(&mut desk, u64::MAX);
    assert_eq!((&stuck["ended"], &stuck["line"]), (&false.into(), &4.into()), "{stuck}");
    assert!(stuck["failed"][0].as_str().unwrap().contains("*x > 5"), "{stuck}");
}

#[test]
fn endless_loops_end_by_their_budget() {
    let text = "#[reversible]\nfn f(x: &mut i64) {\n    while (*x >= 0, *x > 0) {\n        *x += 1;\n    }\n}\n";
    let (mut desk, _) = checked(text, "");
    ask(&mut desk, "start\nvalues\n0");
    let state = ask(&mut desk, &format!("seek\n{}\n5000", u64::MAX));
    assert_eq!((&state["position"], &state["arrived"]), (&5000.into(), &false.into()));
    // A single statement that never ends is given up, and the run stays in front of it.
    let text = "fn endless(n: i64) -> i64 { let mut k = n; while k >= 0 { k = n; } k }
        #[reversible] fn f(x: &mut i64, n: i64) { *x += endless(n); }";
    let (mut desk, _) = checked(text, "");
    ask(&mut desk, "start\nvalues\n0\n1");
    let state = ask(&mut desk, "seek\n1\n1");
    assert!(state["failed"][0].as_str().unwrap().contains("stopped after"), "{state}");
    assert_eq!((&state["position"], &state["line"]), (&0.into(), &2.into()), "{state}");
}

#[test]
fn requests_that_make_no_sense_are_answered() {
    let mut desk = Desk::default();
    for request in
        ["", "dance", "seek", "seek\n1\n1", "start", "start\nvalues", "check", "check\n\n", "start\nsideways"]
    {
        let answer = ask(&mut desk, request);
        assert!(answer["messages"].is_array(), "{request}: {answer}");
    }
}

#[test]
fn the_gallery_runs_there_and_back() {
    for exhibit in gallery::ALL {
        let text = exhibit.text().unwrap();
        let (mut desk, answer) = checked(&text, exhibit.name);
        assert_eq!(answer["messages"], Value::Array(Vec::new()), "{}:\n{text}", exhibit.title);
        assert_eq!(answer["program"]["name"], exhibit.name);
        let start = ask(&mut desk, &format!("start\nvalues\n{}", exhibit.args.join("\n")));
        assert_eq!(start["position"], 0, "{}: {start}", exhibit.title);
        let end = ask(&mut desk, &format!("seek\n{}\n1000000", u64::MAX));
        assert_eq!((&end["ended"], &end["failed"]), (&true.into(), &Value::Array(Vec::new())), "{}", exhibit.title);
        let back = ask(&mut desk, "seek\n0\n1000000");
        assert_eq!(back["position"], 0, "{}: {back}", exhibit.title);
        assert!(back["drift"]["worst"].as_f64().unwrap() < 1e-9, "{}: {back}", exhibit.title);
    }
}
