//! The dot product of sparse matrices: a merge that is undone, and its adjoint.

use super::{Experiment, Failure, Setting, times};
use crate::measure::Race;
use crate::programs::sparse_dot::{Csc, CscShadow, sparse_dot, sparse_dot_of_matches};
use crate::report::findings::{Claim, Figure, Findings};
use crate::yardsticks::data::sparse;
use crate::yardsticks::sparse_dot as plain;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "sparse_product",
    title: "The dot product of sparse matrices",
    about: "Two cursors merge columns. Backwards, either a record says which one moved, or the merge is left to an ordinary \
            function, as where entries match has no derivative.",
    run,
};

const PLACE: &str = "NiLang (embedded), Table 2, Xeon Gold 6230";

/// Adjoints of all entries of two matrices.
type Adjoints = (CscShadow<f64>, CscShadow<f64>);

/// No adjoints yet.
fn zero(a: &Csc<f64>) -> CscShadow<f64> {
    CscShadow { starts: vec![(); a.starts.len()], rows: vec![(); a.rows.len()], values: vec![0.0; a.values.len()] }
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (size, density) = (setting.size.pick(60, 1000, 1000), 0.05);
    let (a, b) = (&sparse(size, density, 1), &sparse(size, density, 2));
    let number = |r: &f64| vec![*r];
    let adjoints = || (zero(a), zero(b));
    let values = |(g_a, g_b): &Adjoints| [&g_a.values[..], &g_b.values].concat();
    let clear = |(g_a, g_b): &mut Adjoints| {
        g_a.values.fill(0.0);
        g_b.values.fill(0.0);
    };
    let results = Race::new()
        .with("plain", 0.0, |r| *r = plain::sparse_dot(a, &a.values, b, &b.values), number)
        .with(
            "call, with a record",
            0.0,
            |r| {
                *r = 0.0;
                sparse_dot(r, a, b);
            },
            number,
        )
        .with(
            "call, merge left to a function",
            0.0,
            |r| {
                *r = 0.0;
                sparse_dot_of_matches(r, a, b);
            },
            number,
        )
        .with(
            "backward by hand",
            adjoints(),
            move |g| {
                clear(g);
                plain::pullback(a, &mut g.0.values, b, &mut g.1.values, 1.0);
            },
            values,
        )
        .with(
            "backward, with a record",
            adjoints(),
            move |g| {
                clear(g);
                sparse_dot::pullback((&mut 0.0, &mut 1.0), (a, &mut g.0), (b, &mut g.1));
            },
            values,
        )
        .with(
            "backward, merge left to a function",
            adjoints(),
            move |g| {
                clear(g);
                sparse_dot_of_matches::pullback((&mut 0.0, &mut 1.0), (a, &mut g.0), (b, &mut g.1));
            },
            values,
        )
        .run(setting.size.effort());
    setting.progress.done(1, 1)?;

    let difference = |name: &str, other: &str| Figure::plain(results.difference(name, other));
    let mut claims = vec![
        Claim::at_most("difference of the product, with a record", difference("plain", "call, with a record"), 1e-12),
        Claim::at_most(
            "difference of the product, merge left to a function",
            difference("plain", "call, merge left to a function"),
            1e-12,
        ),
        Claim::at_most(
            "difference of adjoints from those by hand, with a record",
            difference("backward by hand", "backward, with a record"),
            1e-12,
        ),
        Claim::at_most(
            "difference of adjoints from those by hand, merge left to a function",
            difference("backward by hand", "backward, merge left to a function"),
            1e-12,
        ),
    ];
    for (text, name, seconds) in [
        ("objective in plain Rust; the paper: Julia", "plain", 3.493e-4),
        ("reversible objective", "call, with a record", 4.675e-4),
        ("backward pass, with a record", "backward, with a record", 5.821e-4),
    ] {
        let time = Figure::seconds(results.timing(name).minimum());
        claims.push(Claim::beside(text, time).paper_figure(seconds, PLACE));
    }
    let ratio = results.timing("backward, merge left to a function").ratio(results.timing("plain"));
    claims.push(
        Claim::at_most("backward pass over plain objective", Figure::times(ratio), 1.5)
            .timed()
            .paper_figure(5.821 / 3.493, PLACE),
    );
    Ok(Findings {
        claims,
        plots: Vec::new(),
        tables: vec![times(
            format!("Matrices of {size} × {size}, of whose elements {density} are not zero."),
            &results,
        )],
        remarks: Vec::new(),
    })
}
