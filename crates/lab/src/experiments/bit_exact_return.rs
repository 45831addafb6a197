//! There and back: the planets in fixed point return to the bit, in floats they do not.

use retrograd::prelude::*;

use super::round_off::{DAYS, Point, Vectors, beginning};
use super::{Experiment, Failure, Setting, steps};
use lab_corpus::programs::solar_system::solar_system;
use lab_report::findings::{Cell, Claim, Figure, Findings, Table};
use lab_report::headline::{Headline, Sketch};
use lab_report::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "bit_exact_return",
    title: "Bit-exact return",
    about: "In fixed point, the planets run forwards and backwards, and every bit returns. In floats an error remains, which \
            grows with the number of steps.",
    run,
};

/// How many steps to take between two looks at the clock.
const PIECE: usize = 10_000;

/// What came back after some steps there and back.
struct Return {
    steps: usize,
    /// How many of the 48 coordinates and speeds came back with other bits.
    changed: usize,
    /// The largest difference of a place.
    distance: f64,
}

/// Takes the planets through so many steps, and back.
fn there_and_back<T: Real>(
    steps: usize,
    mut done: impl FnMut(usize) -> Result<(), Failure>,
) -> Result<Return, Failure> {
    let (x, v, m) = beginning::<T>();
    let (mut now, mut speed, dt) = (x, v, T::lit(DAYS));
    let mut pieces: Vec<usize> = vec![PIECE; steps / PIECE];
    pieces.push(steps % PIECE);
    for &piece in &pieces {
        solar_system(&mut now, &mut speed, &m, dt, piece);
        done(piece)?;
    }
    for &piece in pieces.iter().rev() {
        solar_system::uncall(&mut now, &mut speed, &m, dt, piece);
        done(piece)?;
    }
    let pairs = |a: &Vectors<T>, b: &Vectors<T>| -> Vec<(f64, f64)> {
        a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| (a.to_f64(), b.to_f64())).collect()
    };
    let (places, speeds) = (pairs(&x, &now), pairs(&v, &speed));
    Ok(Return {
        steps,
        changed: places.iter().chain(&speeds).filter(|(a, b)| a.to_bits() != b.to_bits()).count(),
        distance: places.iter().map(|(a, b)| (a - b).abs()).fold(0.0, f64::max),
    })
}

/// The same for several numbers of steps.
fn returns<T: Real>(at: &[usize], mut done: impl FnMut(usize) -> Result<(), Failure>) -> Result<Vec<Return>, Failure> {
    at.iter().map(|&steps| there_and_back::<T>(steps, &mut done)).collect()
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (floats, fixed) = setting.size.pick((1_000, 2_000), (100_000, 1_000_000), (1_000_000, 10_000_000));
    let at = steps(100, floats, 2);
    let total = 2 * (3 * at.iter().sum::<usize>() + fixed);
    let mut taken = 0;
    let mut done = |steps: usize| {
        taken += steps;
        setting.progress.done(taken, total)
    };
    let single = returns::<f32>(&at, &mut done)?;
    let double = returns::<f64>(&at, &mut done)?;
    let all: Vec<usize> = at.iter().copied().chain([fixed]).collect();
    let point = returns::<Point>(&all, &mut done)?;

    let changed: usize = point.iter().map(|back| back.changed).sum();
    let last = |returns: &[Return]| returns.last().map_or(f64::NAN, |back| back.changed as f64);
    let claims = vec![
        Claim::exactly(
            format!(
                "Fixed<44>: numbers that differ in any bit after up to {} steps forwards and back",
                Figure::count(fixed)
            ),
            Figure::count(changed),
            0.0,
        )
        .paper("rigorously reversible", "NiLang (embedded), Section 3.1"),
        Claim::at_least(
            format!(
                "f64: of 48 numbers, those that differ in any bit after {} steps forwards and back",
                Figure::count(floats)
            ),
            Figure::count(last(&double) as usize),
            1.0,
        )
        .paper("not rigorously reversible", "NiLang (embedded), Section 3.1"),
    ];
    let headline = Headline {
        figure: Figure::count(changed),
        sentence: format!(
            "of 48 numbers differ in any bit after {} steps of the solar system and as many back, in fixed point. In f64, {} \
             differ after {} steps. The plot shows the error of floats.",
            Figure::count(fixed),
            Figure::count(last(&double) as usize),
            Figure::count(floats)
        ),
        sketch: Sketch::Plot(plot(&single, &double, "error (AU)")),
    };
    Ok(Findings {
        headlines: vec![headline],
        claims,
        plots: vec![plot(&single, &double, "distance in astronomical units")],
        tables: vec![table([("f32", &single), ("f64", &double), ("Fixed<44>", &point)])],
        remarks: vec![
            "Fixed point has no line in the plot: its distance is zero, which has no logarithm.".to_string(),
            "Nothing is stored on the way: the state is 48 numbers in every step, in both directions.".to_string(),
        ],
    })
}

fn plot(single: &[Return], double: &[Return], distance: &str) -> Plot {
    let series = |label: &str, style, returns: &[Return]| {
        Series::new(label, style, returns.iter().map(|back| (back.steps as f64, back.distance)))
    };
    Plot::new(
        "How far the worst coordinate ends from where it started, after steps forwards and back.",
        Axis::logarithmic(format!("steps of {DAYS} days in each direction")),
        Axis::logarithmic(distance),
        vec![series("f32", Style::Dashed, single), series("f64", Style::Line, double)],
    )
}

fn table(all: [(&str, &Vec<Return>); 3]) -> Table {
    let mut table = Table::new(
        "Forwards and back: how many of 48 numbers changed in any bit, and how far the worst coordinate is from where it started.",
        ["numbers", "steps in each direction", "changed", "distance"],
    );
    for (name, returns) in all {
        for Return { steps, changed, distance } in returns {
            let cells = [Figure::count(*steps), Figure::count(*changed), Figure::astronomical_units(*distance)];
            table.row([Cell::from(name)].into_iter().chain(cells.map(Cell::from)));
        }
    }
    table
}
