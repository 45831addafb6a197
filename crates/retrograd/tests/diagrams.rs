//! Drawings of programs: what they show is what the programs do.

use retrograd::prelude::*;

/// The rows of a drawing that mention a text: how many dots, and the signs in its boxes.
fn rows(drawing: &str, text: &str) -> Vec<(usize, Vec<String>)> {
    let rows = drawing.split("<g ").skip(1).filter(|row| row.contains(&format!(">{text}</text></g>")));
    rows.map(|row| {
        let signs = row.split("class=\"sign\"").skip(1);
        let sign = |part: &str| part.split(['>', '<']).nth(1).unwrap_or_default().to_string();
        (row.matches("class=\"dot\"").count(), signs.map(sign).collect())
    })
    .collect()
}

fn row(drawing: &str, text: &str) -> (usize, Vec<String>) {
    let mut all = rows(drawing, text);
    assert_eq!(all.len(), 1, "`{text}` in {drawing}");
    all.remove(0)
}

#[reversible]
fn kick(v: &mut [f64], x: &[f64], dt: f64) {
    for i in 0..x.len() {
        v[i] -= dt * x[i];
    }
}

#[reversible]
fn walk(x: &mut [f64], v: &mut [f64], dt: f64, n: usize) {
    for _ in 0..n {
        kick(v, &*x, dt);
        for i in 0..x.len() {
            x[i] += dt * v[i];
        }
        if n > 2 {
            x[0] *= 2.0;
        } else {
            kick::uncall(v, &*x, dt);
        }
    }
    swap(&mut x[0], &mut v[0]);
}

#[reversible]
fn norm(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

struct Counter {
    count: i64,
}

#[reversible(derivatives = "never")]
impl Counter {
    fn count(&mut self, by: i64) {
        self.count += by;
    }
}

#[test]
fn reads_are_dots_and_changes_are_boxes() {
    let drawing = walk::diagram();
    assert_eq!(row(&drawing, "for _ in 0..n"), (1, vec![]));
    assert_eq!(row(&drawing, "kick(v, &amp;*x, dt)"), (2, vec!["ƒ".into()]));
    assert_eq!(row(&drawing, "x[i] += dt * v[i]"), (2, vec!["+".into()]));
    assert_eq!(row(&drawing, "x[0] *= 2.0"), (0, vec!["×".into()]));
    assert_eq!(row(&drawing, "kick::uncall(v, &amp;*x, dt)"), (2, vec!["~ƒ".into()]));
    assert_eq!(row(&drawing, "swap(&amp;mut x[0], &amp;mut v[0])"), (0, vec!["⇄".into(), "⇄".into()]));
    // One bracket for each of the loops and the `if`.
    assert_eq!(drawing.matches("class=\"bracket\"").count(), 3);
    assert_eq!(drawing.matches("class=\"life\"").count(), 4);
}

#[test]
fn what_computes_an_ancilla_is_paired_with_its_undoing() {
    let drawing = norm::diagram();
    assert_eq!(drawing.matches("class=\"pair\"").count(), 1);
    assert_eq!(row(&drawing, "undo for i in 0..x.len()"), (1, vec!["↺".into()]));
    assert_eq!(row(&drawing, "sum.sqrt()"), (1, vec![]));
    // A procedure that changes nothing but its arguments has nothing to undo.
    assert_eq!(walk::diagram().matches("class=\"pair\"").count(), 0);
}

#[test]
fn methods_have_drawings() {
    let drawing = Counter::diagram_count();
    assert_eq!(row(&drawing, "self.count += by"), (1, vec!["+".into()]));
    let mut counter = Counter { count: 1 };
    counter.count(2);
    counter.uncall_count(3);
    assert_eq!(counter.count, 0);
}

#[test]
fn what_is_no_program_is_an_empty_drawing() {
    for text in ["", "fn", "fn f(", "fn f() {", "let x = 1;", "// nothing\n", "fn f(x: &mut f64) { *x += ; }"] {
        assert!(retrograd::diagram::svg(text).ends_with("</svg>"), "{text}");
    }
}
