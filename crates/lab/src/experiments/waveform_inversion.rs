//! Full-waveform inversion: what is buried in the ground, from waves that are heard around it.

mod ways;

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{CostFunction, Executor, Gradient, KV, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use retrograd::{Dual, ErrorKind, attempt};
use std::cell::RefCell;
use std::rc::Rc;

use super::{Experiment, Failure, Setting};
use lab_corpus::programs::wave::{Circle, Shot, reversed, unsaved};
use lab_corpus::yardsticks::data::Random;
use lab_corpus::yardsticks::wave as plain;
use lab_report::findings::{Claim, Figure, Findings, Table};
use lab_report::map::Map;
use lab_report::measure::{difference, largest};
use lab_report::plot::{Axis, Plot, Series, Style};

use ways::Way;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "waveform_inversion",
    title: "Full-waveform inversion",
    about: "A wave crosses the ground, is absorbed around it, and is heard at its border. The gradient of what is heard with respect to the \
            speed at every point, by three ways that trade time against memory; a few steps along it find what is buried.",
    run,
};

/// What is buried: a stone, in which waves are faster, and soft ground beside it.
const BURIED: [Circle; 2] = [
    Circle { middle: [0.4, 0.4], radius: 0.2, factor: 1.15 },
    Circle { middle: [0.6, 0.65], radius: 0.15, factor: 0.9 },
];

/// Speeds as an optimiser sees them: by how much they differ from one, in the part of the ground that is looked at, in a unit in which
/// a step along the first gradient is a short one.
struct Problem<'a> {
    shot: &'a Shot,
    /// One of these units for each cell, or zero where the ground is known.
    units: Vec<f64>,
}

/// How far the first step along the gradient changes the speed anywhere.
const FIRST_STEP: f64 = 0.03;

impl Problem<'_> {
    /// The ground is known where sources and receivers are.
    fn new<'a>(shot: &'a Shot, gradient: &[f64]) -> Problem<'a> {
        let inside = inside(shot.size);
        let steepest = gradient.iter().zip(&inside).filter(|(_, inside)| **inside);
        let steepest = steepest.fold(f64::MIN_POSITIVE, |steepest, (slope, _)| steepest.max(slope.abs()));
        let unit = (FIRST_STEP / steepest).sqrt();
        Problem { shot, units: inside.iter().map(|inside| if *inside { unit } else { 0.0 }).collect() }
    }

    fn speed(&self, x: &[f64]) -> Vec<f64> {
        x.iter().zip(&self.units).map(|(x, unit)| 1.0 + x * unit).collect()
    }
}

/// Which cells lie within the circle of sources.
fn inside(size: usize) -> Vec<bool> {
    let coordinate = |k: usize| (k as f64 + 0.5) / size as f64 - 0.5;
    (0..size * size).map(|p| coordinate(p / size).hypot(coordinate(p % size)) < 0.36).collect()
}

impl CostFunction for Problem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, x: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        Ok(reversed(&self.speed(x), self.shot))
    }
}

impl Gradient for Problem<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, x: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        let (_, gradient) = reversed::gradient(&self.speed(x), self.shot);
        Ok(gradient.iter().zip(&self.units).map(|(slope, unit)| slope * unit).collect())
    }
}

/// Hears the least misfit so far behind each step of a solver.
#[derive(Clone, Default)]
struct Misfits(Rc<RefCell<Vec<f64>>>);

impl<S: State<Float = f64>> Observe<S> for Misfits {
    fn observe_iter(&mut self, state: &S, _: &KV) -> Result<(), argmin::core::Error> {
        self.0.borrow_mut().push(state.get_best_cost());
        Ok(())
    }
}

/// What an optimiser made of the ground.
struct Inversion {
    /// The speeds that it found.
    found: Vec<f64>,
    /// The misfit at the beginning, and behind each step.
    misfits: Vec<f64>,
}

/// So many steps of L-BFGS, from ground in which nothing is buried.
fn invert(shot: &Shot, misfit: f64, gradient: &[f64], steps: u64) -> Inversion {
    let misfits = Misfits::default();
    let problem = Problem::new(shot, gradient);
    let start = vec![0.0; gradient.len()];
    let solved = Executor::new(problem, LBFGS::new(MoreThuenteLineSearch::new(), 7))
        .configure(|state| state.param(start).max_iters(steps))
        .add_observer(misfits.clone(), ObserverMode::Always)
        .run()
        .expect("the misfit has derivatives wherever waves are slower than the grid");
    let best = solved.state().get_best_param().expect("it began somewhere");
    let misfits = [misfit].into_iter().chain(misfits.0.borrow().iter().copied()).collect();
    Inversion { found: Problem::new(shot, gradient).speed(best), misfits }
}

/// The derivative along a direction: by dual numbers, and by central differences of the plain program.
fn along(shot: &Shot, speed: &[f64], direction: &[f64]) -> (f64, f64) {
    let moving = speed.iter().zip(direction).map(|(&re, &eps)| Dual { re, eps: [eps] });
    let dual: Dual<f64, 1> = reversed(&moving.collect::<Vec<_>>(), shot);
    let moved = |by: f64| speed.iter().zip(direction).map(|(c, d)| c + by * d).collect::<Vec<f64>>();
    let step = 1e-4;
    let slope = (plain::misfit(shot, &moved(step)) - plain::misfit(shot, &moved(-step))) / (2.0 * step);
    (dual.eps[0], slope)
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (size, depth, steps, iterations) = setting.size.pick((16, 5, 70, 4), (40, 8, 300, 10), (200, 16, 2_000, 8));
    let truth = Circle::ground(size, &BURIED);
    let shot = Shot::around(size, depth, steps).heard_through(&truth);
    let flat = vec![1.0; size * size];
    setting.progress.done(1, 5)?;

    let ways = ways::measure(&shot, &flat);
    setting.progress.done(2, 5)?;
    let [Way { gradient, .. }, ..] = &ways[..] else { unreachable!("there are several ways") };
    let misfit = reversed(&flat, &shot);

    let mut random = Random::new(16);
    let direction: Vec<f64> = flat.iter().map(|_| random.between(-1.0, 1.0)).collect();
    let (dual, slope) = along(&shot, &flat, &direction);
    let product: f64 = gradient.iter().zip(&direction).map(|(g, d)| g * d).sum();
    let refused = attempt(|| unsaved::gradient(&flat, &shot)).err();
    let refused = refused.is_some_and(|error| error.kind == ErrorKind::Drift);
    setting.progress.done(3, 5)?;

    let Inversion { found, misfits } = invert(&shot, misfit, gradient, iterations);
    setting.progress.done(4, 5)?;
    let norm = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let (left, error) = (misfits[misfits.len() - 1] / misfit, norm(&found, &truth) / norm(&flat, &truth));

    let relative = |a: f64, b: f64| (a - b).abs() / b.abs();
    let mut claims = vec![
        Claim::at_most(
            "difference of the misfit from that in plain Rust",
            Figure::plain(relative(misfit, plain::misfit(&shot, &flat))),
            1e-10,
        ),
        Claim::at_most("along a direction: difference from dual numbers", Figure::plain(relative(product, dual)), 1e-9),
        Claim::at_most(
            "along a direction: difference from finite differences",
            Figure::plain(relative(product, slope)),
            1e-5,
        ),
        Claim::exactly(
            "friction run backwards without a record is refused, as it drifts",
            Figure::count(usize::from(refused)),
            1.0,
        ),
    ];
    claims.extend(ways[1..].iter().map(|way| {
        let far = difference(gradient, &way.gradient) / largest(gradient);
        Claim::at_most(format!("largest difference of gradients, backwards and {}", way.name), Figure::plain(far), 1e-9)
    }));
    claims.extend(ways::claims(&ways, &shot));
    claims.extend([
        Claim::at_most(
            format!("misfit after {iterations} iterations, as a part of that before"),
            Figure::plain(left),
            setting.size.pick(0.2, 0.02, 0.02),
        ),
        Claim::at_most(
            "error of the speeds that were found, as a part of that before",
            Figure::plain(error),
            setting.size.pick(0.7, 0.2, 0.2),
        ),
    ]);
    Ok(Findings {
        claims,
        plots: vec![
            pictures(size, &truth, gradient, &found),
            ways::plot(&ways, &shot),
            progress(&misfits),
        ],
        tables: vec![summary(&shot, error), ways::work(&ways, &shot), ways::table(&ways)],
        remarks: vec![
            format!(
                "Eight sources sound one after the other in {size} by {size} cells, and {} receivers listen. Around them is a perfectly \
                 matched layer, {depth} cells wide. The speed of waves is 1 outside, where a step takes them {} cells far.",
                shot.receivers.len(),
                shot.ratio
            ),
            "Backwards: inside the layer the wave is run backwards, and the cells around it are kept. What the record holds is told by \
             the record itself; times are those of the processor."
                .to_string(),
            "The optimiser is L-BFGS (argmin). It changes the speeds within the circle of sources, and sees nothing but the misfit and its \
             gradient."
                .to_string(),
        ],
        ..Findings::default()
    })
}

/// The ground, and what was made of it.
fn pictures(size: usize, truth: &[f64], gradient: &[f64], found: &[f64]) -> Plot {
    let inside = inside(size);
    let of_inside = |slope: (&f64, &bool)| if *slope.1 { slope.0.abs() } else { 0.0 };
    let steepest = gradient.iter().zip(&inside).map(of_inside).fold(f64::MIN_POSITIVE, f64::max);
    Plot::maps(
        "What is buried, what is assumed at first, the first gradient, and what is found in the end.",
        vec![
            Map::new("speed, as it is", size, truth, 1.0, 0.15),
            Map::new("speed, as assumed", size, &vec![1.0; size * size], 1.0, 0.15),
            Map::new("gradient there", size, gradient, 0.0, 0.7 * steepest),
            Map::new("speed, as found", size, found, 1.0, 0.15),
        ],
    )
}

/// How the misfit shrinks.
fn progress(misfits: &[f64]) -> Plot {
    let points = misfits.iter().enumerate().map(|(iteration, misfit)| (iteration as f64, misfit / misfits[0]));
    Plot::new(
        "The misfit against the iterations of the optimiser.",
        Axis::linear("iteration"),
        Axis::logarithmic("misfit, as a part of that before"),
        vec![Series::new("L-BFGS", Style::Line, points)],
    )
}

/// How large the problem is.
fn summary(shot: &Shot, error: f64) -> Table {
    let mut table = Table::new("The problem.", ["what", "how many"]);
    let state = 2 * (shot.size + 2).pow(2) + shot.layer.places() + 3 * shot.layer.cells() + 2;
    for (what, figure) in [
        ("speeds", Figure::count(shot.size * shot.size)),
        ("cells of the layer", Figure::count(shot.layer.cells())),
        ("steps", Figure::count(shot.steps)),
        ("numbers in a state", Figure::count(state)),
        ("numbers that were heard", Figure::count(shot.echoes.len())),
        ("all states, if they were kept", Figure::bytes((state * shot.steps * size_of::<f64>()) as u64)),
        ("error that is left", Figure::plain(error)),
    ] {
        table.row([what.into(), figure.into()]);
    }
    table
}
