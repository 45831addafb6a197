//! Which parts of a program have to be inverted as a whole, and how long it takes to find them.

mod families;

use std::hint::black_box;

use retrograd::inverse::{Error, Modes};
use retrograd::numbers::Graph;
use retrograd::trace;

use super::{Experiment, Failure, Setting, WORST_CONDITION, condition, steps};
use families::{ALL, Family};
use lab_report::findings::{Claim, Figure, Findings, Table};
use lab_report::measure::{Race, largest};
use lab_report::plot::{Axis, Plot, Series, Style, slope};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "lumps",
    title: "Lumps",
    about: "The finest parts of a program between which as many values are alive as it has inputs: one operation each where it computes in \
            place, and all of it where everything depends on everything. Finding them takes time in proportion to the program.",
    run,
};

/// A point at which all of these programs have a Jacobian that can be inverted.
fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.5 + 0.3 * (i as f64 * 1.7).sin()).collect()
}

fn graph(family: &Family, n: usize, rounds: usize) -> Graph {
    trace(&point(n), |x| (family.run)(x, rounds))
}

/// How far J J⁻¹v is from v.
fn residual(modes: &Modes) -> Result<f64, Error> {
    let v: Vec<f64> = (0..modes.graph().inputs()).map(|i| (i as f64 * 0.7).cos()).collect();
    let solved = modes.solve(&v)?;
    let back = modes.jvp(&solved);
    Ok(largest(&back.iter().zip(&v).map(|(back, v)| back - v).collect::<Vec<_>>()) / largest(&v))
}

/// Seconds for the partition of a graph, and how many operations it has.
fn time(family: &Family, n: usize, rounds: usize, setting: &Setting) -> (f64, f64) {
    let graph = graph(family, n, rounds);
    let operations = graph.nodes().len() - n;
    // Otherwise there would be no factors to wait for.
    graph.clone().inverse().and_then(|modes| modes.log_det()).expect("it can be inverted");
    let compute = |(): &mut ()| drop(black_box(graph.clone().inverse().map(|modes| modes.lumps().len())));
    let results = Race::new().with("partition", (), compute, |()| Vec::new()).run(setting.size.effort_for_many());
    (operations as f64, results.timing("partition").minimum())
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (n, rounds) = setting.size.pick((8, 3), (32, 8), (32, 8));
    let (longest, per_decade) = setting.size.pick((1_000, 1), (100_000, 1), (1_000_000, 3));
    let mut table = Table::new(
        format!("Lumps of seven kinds of programs with {n} inputs, in {rounds} rounds; the last two in one."),
        ["program", "condition number", "operations", "lumps", "widest", "largest", "solved together"],
    );
    let mut claims = Vec::new();
    for (done, family) in ALL.iter().enumerate() {
        let rounds = if family.is_repeated { rounds } else { 1 };
        let modes = graph(family, n, rounds).inverse().expect("it can be inverted");
        let operations: usize = modes.lumps().iter().map(|lump| lump.nodes().len()).sum();
        let most = |of: &dyn Fn(&retrograd::inverse::Lump) -> usize| modes.lumps().iter().map(of).max().unwrap_or(0);
        let (widest, size) = (most(&|lump| lump.width()), most(&|lump| lump.nodes().len()));
        let together = modes.blocks().max().unwrap_or(0);
        let counts = [operations, modes.lumps().len(), widest, size, together];
        let condition = Figure::plain(condition(&modes).expect("it can be inverted"));
        let cells = [family.name.into(), condition.into()].into_iter();
        table.row(cells.chain(counts.map(|count| Figure::count(count).into())));
        claims.push(Claim::at_most(format!("{}: condition number", family.name), condition, WORST_CONDITION));
        let width = if family.is_in_place { 1 } else { n };
        claims.push(Claim::exactly(
            format!("{}: values in the widest lump", family.name),
            Figure::count(widest),
            width as f64,
        ));
        let left = Figure::plain(residual(&modes).expect("it can be inverted"));
        claims.push(Claim::at_most(format!("{}: how far J J⁻¹v is from v", family.name), left, 1e-9));
        setting.progress.done(done + 1, 2 * ALL.len())?;
    }

    // At a fixed width, programs that get longer.
    let mut series = Vec::new();
    for (done, family) in ALL.iter().enumerate().filter(|(_, family)| family.is_repeated) {
        let of_round = graph(family, n, 2).nodes().len() - graph(family, n, 1).nodes().len();
        let counts = steps(longest / 100, longest, per_decade);
        let points: Vec<(f64, f64)> =
            counts.iter().map(|count| time(family, n, count.div_ceil(of_round), setting)).collect();
        let (operations, seconds) = points[points.len() - 1];
        let text = format!("{}: lumps of {operations:.0e} operations", family.name);
        claims.push(Claim::at_most(text, Figure::seconds(seconds), 10.0));
        let exponent = Figure::plain(slope(&points));
        claims.push(Claim::at_most(format!("{}: exponent of the time", family.name), exponent, 1.25).timed());
        series.push(Series::new(family.name, Style::Line, points));
        setting.progress.done(ALL.len() + done + 1, 2 * ALL.len())?;
    }
    Ok(Findings {
        claims,
        plots: vec![Plot::new(
            format!("Time for the lumps and factors of programs with {n} inputs, against their length."),
            Axis::logarithmic("operations"),
            Axis::logarithmic("seconds"),
            series,
        )],
        tables: vec![table],
        remarks: vec![
            "Operations count what outputs depend on. A lump is as wide as the number of values that it replaces, and as large as the number of \
             its operations; the last column is the largest system of equations that is solved as a whole."
                .to_string(),
        ],
        ..Findings::default()
    })
}
