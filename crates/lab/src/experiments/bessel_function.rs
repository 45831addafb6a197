//! The Bessel function: what being reversible costs, and what its gradient costs.

use std::hint::black_box;

use allocation_counter::measure as count_allocations;

use super::derivatives::contest::{EASY_ML, ECHIDNA, ECHIDNA_BY_TAPE, NUM_DUAL};
use super::derivatives::peers;
use super::{Experiment, Failure, Setting, times};
use lab_corpus::programs::bessel::{bessel, bessel_j};
use lab_corpus::yardsticks::bessel as plain;
use lab_report::findings::{Claim, Figure, Findings};
use lab_report::measure::Race;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "bessel_function",
    title: "The Bessel function",
    about: "A series summed until its terms are small: its value, inverse and gradient, against plain Rust and a derivative \
            written by hand.",
    run,
};

/// J₂(1) and its first two derivatives.
const EXACT: [f64; 3] = [0.11490348493190047, 0.21024361588113258, 0.13446683891456881];

const PLACE: &str = "NiLang (preprint), Table 2, Xeon E5-2680 v4";

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (nu, z) = (2, 1.0);
    let number = |y: &f64| vec![*y];
    let results = Race::new()
        .with("plain", 0.0, |y| *y = plain::bessel_j(black_box(nu), black_box(z)), number)
        .with(
            "call",
            0.0,
            |y| {
                *y = 0.0;
                bessel(y, black_box(nu), black_box(z));
            },
            number,
        )
        .with(
            "uncall",
            0.0,
            |y| {
                *y = 0.0;
                bessel::uncall(y, black_box(nu), black_box(z));
            },
            number,
        )
        .with("forward mode", 0.0, |g| *g = bessel_j::gradient(black_box(nu), black_box(z)).1, number)
        .with("by hand", 0.0, |g| *g = plain::gradient(black_box(nu), black_box(z)).1, number)
        .with(
            "adjoint",
            0.0,
            |g| {
                *g = 0.0;
                bessel_j::pullback(black_box(nu), (black_box(z), g), 1.0);
            },
            number,
        )
        .join(peers::bessel(nu, &z))
        .join(peers::bessel_by_tape(nu, &z))
        .run(setting.size.effort());
    setting.progress.done(1, 1)?;

    let second = bessel_j::hessian(nu, z).2[0];
    let error = |found: f64, exact: f64| Figure::plain((found - exact).abs());
    let mut adjoint = 0.0;
    let allocated = count_allocations(|| {
        bessel_j::pullback(nu, (z, &mut adjoint), 1.0);
    });
    let time = |name: &str| Figure::seconds(results.timing(name).minimum());
    let mut claims = vec![
        Claim::at_most("error of J₂(1) by the reversible program", error(results.found("call")[0], EXACT[0]), 1e-8),
        Claim::at_most(
            "error of its derivative, forward mode",
            error(results.found("forward mode")[0], EXACT[1]),
            1e-8,
        ),
        Claim::at_most("error of its derivative, adjoint mode", error(results.found("adjoint")[0], EXACT[1]), 1e-8),
        Claim::at_most("error of its second derivative", error(second, EXACT[2]), 1e-7),
        Claim::exactly("bytes that an adjoint run allocates", Figure::bytes(allocated.bytes_total), 0.0)
            .paper_figure(0.0, "NiLang (preprint), Table 2"),
    ];
    for (text, name, nanoseconds) in [
        ("plain Rust; the paper: Julia", "plain", 22.0),
        ("reversible call", "call", 61.0),
        ("reversible uncall", "uncall", 61.0),
        ("gradient, forward mode; the paper: ForwardDiff", "forward mode", 39.0),
        ("gradient by hand", "by hand", 83.0),
        ("gradient by the adjoint program", "adjoint", 270.0),
    ] {
        claims.push(Claim::beside(text, time(name)).paper_figure(nanoseconds * 1e-9, PLACE));
    }
    let ratio = |name: &str| Figure::times(results.timing(name).ratio(results.timing("plain")));
    claims.push(
        Claim::at_most("reversible call over plain Rust", ratio("call"), 1.5).timed().paper_figure(61.0 / 22.0, PLACE),
    );
    claims.push(
        Claim::at_most("adjoint over plain Rust", ratio("adjoint"), 3.5).timed().paper_figure(270.0 / 22.0, PLACE),
    );
    for (who, timing) in results.timings() {
        let says = match who {
            NUM_DUAL | ECHIDNA => "39.0 ns, by ForwardDiff",
            ECHIDNA_BY_TAPE | EASY_ML => "9 to 31 µs, by tapes",
            _ => continue,
        };
        claims.push(Claim::at_most(
            format!("error of its derivative, {who}"),
            error(results.found(who)[0], EXACT[1]),
            1e-8,
        ));
        let time = Figure::seconds(timing.minimum());
        claims.push(Claim::beside(format!("gradient by {who}"), time).paper(says, PLACE));
    }
    Ok(Findings {
        claims,
        tables: vec![times("J₂(1), summed up to a term below 10⁻⁸.", &results)],
        remarks: peers::MISSING.map(String::from).into_iter().collect(),
        ..Findings::default()
    })
}
