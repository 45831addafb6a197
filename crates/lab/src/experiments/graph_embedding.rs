//! The embedding of the Petersen graph: times, and its solution in as few dimensions as there can be.

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{CostFunction, Executor, Gradient, Hessian, KV, State};
use argmin::solver::trustregion::{Steihaug, TrustRegion};

use super::{Experiment, Failure, Setting, steps};
use lab_corpus::programs::graph_embedding::{EDGES, OTHERS, embedding_loss, graph_embedding};
use lab_corpus::yardsticks::data::Random;
use lab_corpus::yardsticks::graph_embedding as plain;
use lab_report::findings::{Cell, Claim, Figure, Findings, Table};
use lab_report::measure::{Race, Results};
use lab_report::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "graph_embedding",
    title: "Embedding of the Petersen graph",
    about: "Ten points whose distances tell edges from other pairs. Gradients and Hessians of the loss are exact; with them \
            the loss reaches zero in five dimensions, but not in fewer.",
    run,
};

const PLACE: &str = "NiLang (embedded), Table 3, Xeon Gold 6230";
const SECTION: &str = "NiLang (embedded), Appendix D.2";

/// A loss that is as good as zero: less is rounding.
const SOLVED: f64 = 1e-13;

/// What the paper has for objective in Julia, reversible objective, its inverse, gradient and Hessian, in seconds.
const PAPER: [(usize, [f64; 5]); 5] = [
    (2, [4.477e-6, 7.173e-6, 7.453e-6, 1.509e-5, 4.528e-4]),
    (4, [4.729e-6, 7.783e-6, 7.839e-6, 1.690e-5, 1.025e-3]),
    (6, [4.959e-6, 8.558e-6, 8.464e-6, 1.872e-5, 1.740e-3]),
    (8, [5.196e-6, 9.212e-6, 9.298e-6, 2.076e-5, 2.577e-3]),
    (10, [5.567e-6, 1.002e-5, 1.054e-5, 2.266e-5, 3.558e-3]),
];

/// The contestants, in the order of the paper's table, and what they are.
const NAMES: [&str; 5] = ["plain", "call", "uncall", "gradient", "Hessian"];
const MEANINGS: [&str; 5] =
    ["objective in plain Rust; the paper: Julia", "reversible objective", "its inverse", "gradient", "Hessian"];

/// Random points in `K` dimensions.
fn points<const K: usize>(seed: u64) -> [[f64; K]; 10] {
    let mut random = Random::new(seed);
    std::array::from_fn(|_| random.array(-1.0, 1.0))
}

/// Measures objective, inverse, gradient and Hessian in `K` dimensions.
fn race<const K: usize>(setting: &Setting) -> Results {
    let x = &points::<K>(K as u64);
    let number = |y: &f64| vec![*y];
    Race::new()
        .with("plain", 0.0, |y| *y = plain::loss(black_box(x)), number)
        .with(
            "call",
            0.0,
            |y| {
                *y = 0.0;
                graph_embedding(y, black_box(x));
            },
            number,
        )
        .with(
            "uncall",
            0.0,
            |y| {
                *y = 0.0;
                graph_embedding::uncall(y, black_box(x));
            },
            number,
        )
        .with(
            "gradient",
            [[0.0; K]; 10],
            |g| *g = embedding_loss::gradient(black_box(x)).1,
            |g: &[[f64; K]; 10]| g.as_flattened().to_vec(),
        )
        .with("Hessian", Vec::new(), |h| *h = embedding_loss::hessian(black_box(x)).2, Vec::clone)
        .with(
            "gradient by hand",
            [[0.0; K]; 10],
            |g| *g = plain::gradient(black_box(x)).1,
            |g: &[[f64; K]; 10]| g.as_flattened().to_vec(),
        )
        .run(setting.size.effort())
}

/// The loss of the points, of which the first two stay where they are: the others are what is optimised.
///
/// If no points were held, all could come together, and distances would be alike because there are none.
struct Problem<const K: usize>([[f64; K]; 2]);

impl<const K: usize> Problem<K> {
    /// All ten points.
    fn all(&self, free: &[f64]) -> [[f64; K]; 10] {
        let (free, _) = free.as_chunks::<K>();
        std::array::from_fn(|i| if i < 2 { self.0[i] } else { free[i - 2] })
    }
}

impl<const K: usize> CostFunction for Problem<K> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, free: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        Ok(embedding_loss(&self.all(free)))
    }
}

impl<const K: usize> Gradient for Problem<K> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, free: &Vec<f64>) -> Result<Vec<f64>, argmin::core::Error> {
        let (_, g) = embedding_loss::gradient(&self.all(free));
        Ok(g[2..].as_flattened().to_vec())
    }
}

impl<const K: usize> Hessian for Problem<K> {
    type Param = Vec<f64>;
    type Hessian = Vec<Vec<f64>>;

    fn hessian(&self, free: &Vec<f64>) -> Result<Vec<Vec<f64>>, argmin::core::Error> {
        let (_, _, h) = embedding_loss::hessian(&self.all(free));
        Ok(h.chunks(10 * K).skip(2 * K).map(|row| row[2 * K..].to_vec()).collect())
    }
}

/// An embedding that was found.
struct Embedding {
    dimensions: usize,
    loss: f64,
    /// The mean distance of other pairs over that of edges.
    ratio: f64,
    points: Vec<Vec<f64>>,
    /// The number of the beginning that it was found from.
    beginning: u64,
    /// How many times the Hessian was computed.
    hessians: u64,
    /// The loss at the beginning, and behind each step.
    losses: Vec<f64>,
}

impl Embedding {
    /// Points, and nothing of how they were found.
    fn new<const K: usize>(x: &[[f64; K]; 10]) -> Embedding {
        let distance = |&(i, j): &(usize, usize)| (0..K).map(|c| (x[i][c] - x[j][c]).powi(2)).sum::<f64>().sqrt();
        let near: f64 = EDGES.iter().map(distance).sum::<f64>() / EDGES.len() as f64;
        let far: f64 = OTHERS.iter().map(distance).sum::<f64>() / OTHERS.len() as f64;
        let points = x.iter().map(|x| x.to_vec()).collect();
        let (loss, ratio) = (embedding_loss(x), far / near);
        Embedding { dimensions: K, loss, ratio, points, beginning: 0, hessians: 0, losses: Vec::new() }
    }
}

/// Hears the least loss so far behind each step of a solver.
#[derive(Clone, Default)]
struct Losses(Rc<RefCell<Vec<f64>>>);

impl<S: State<Float = f64>> Observe<S> for Losses {
    fn observe_iter(&mut self, state: &S, _: &KV) -> Result<(), argmin::core::Error> {
        self.0.borrow_mut().push(state.get_best_cost());
        Ok(())
    }
}

/// The best of embeddings.
fn best(embeddings: impl Iterator<Item = Embedding>) -> Embedding {
    embeddings.min_by(|a, b| a.loss.total_cmp(&b.loss)).expect("there is a beginning")
}

/// The embedding that Newton's method in a trust region finds from the beginning with this number.
fn newton<const K: usize>(beginning: u64, most: u64) -> Embedding {
    let x = points::<K>(100 + beginning);
    let losses = Losses::default();
    let solver: TrustRegion<_, f64> = TrustRegion::new(Steihaug::new());
    let solved = Executor::new(Problem([x[0], x[1]]), solver)
        .configure(|state| state.param(x[2..].as_flattened().to_vec()).max_iters(most).target_cost(SOLVED))
        .add_observer(losses.clone(), ObserverMode::Always)
        .run()
        .expect("the loss has derivatives wherever points are apart");
    let hessians = solved.problem.counts.get("hessian_count").copied().unwrap_or(0);
    let found = solved.state().get_best_param().expect("it began somewhere").clone();
    let losses = [embedding_loss(&x)].into_iter().chain(losses.0.borrow().iter().copied()).collect();
    Embedding { beginning, hessians, losses, ..Embedding::new(&Problem([x[0], x[1]]).all(&found)) }
}

/// The embedding that Adam finds from the beginning with this number.
fn adam<const K: usize>(beginning: u64, steps: u32, rate: f64) -> Embedding {
    let mut x = points::<K>(100 + beginning);
    let (mut mean, mut square) = ([[0.0; K]; 10], [[0.0; K]; 10]);
    let mut losses = Vec::new();
    for step in 1..=steps {
        let (loss, g) = embedding_loss::gradient(&x);
        losses.push(loss);
        for i in 2..10 {
            for c in 0..K {
                mean[i][c] += 0.1 * (g[i][c] - mean[i][c]);
                square[i][c] += 0.001 * (g[i][c] * g[i][c] - square[i][c]);
                let (m, s) = (
                    mean[i][c] / (1.0 - 0.9_f64.powi(step as i32)),
                    square[i][c] / (1.0 - 0.999_f64.powi(step as i32)),
                );
                x[i][c] -= rate * m / (s.sqrt() + 1e-8);
            }
        }
    }
    losses.push(embedding_loss(&x));
    Embedding { beginning, losses, ..Embedding::new(&x) }
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (starts, most) = setting.size.pick((4, 60), (20, 300), (100, 1000));
    let (adam_starts, adam_steps) = setting.size.pick((1, 200), (3, 3000), (10, 5000));
    let mut done = 0;
    let mut progress = || {
        done += 1;
        setting.progress.done(done, 19)
    };
    let (mut newtons, mut adams) = (Vec::new(), Vec::new());
    macro_rules! embed {
        ($($k:literal)*) => {$(
            newtons.push(best((0..starts).map(|start| newton::<$k>(start, most))));
            adams.push(best((0..adam_starts).map(|start| adam::<$k>(start, adam_steps, 0.01))));
            progress()?;
        )*};
    }
    embed!(1 2 3 4 5 6 7 8 9 10);
    let mut races = Vec::new();
    macro_rules! race {
        ($($k:literal)*) => {$(
            races.push(($k, race::<$k>(setting)));
            progress()?;
        )*};
    }
    race!(2 3 4 5 6 7 8 9 10);
    let five = &newtons[4];
    let adam_beside = adam::<5>(five.beginning, adam_steps, 0.01);
    let mut claims = claims(&newtons, &races);
    if adam_steps >= 3000 {
        let loss = Figure::plain(adams[4].loss);
        claims.push(Claim::at_most("loss in five dimensions by Adam", loss, 1e-3).paper("~ 2000 steps", SECTION));
    }
    Ok(Findings {
        claims,
        plots: vec![picture(five), loss_plot(&newtons, &adams), steps_plot(five, &adam_beside)],
        tables: vec![solutions(&newtons, &adams), timings(&races), beside_paper(&races)],
        remarks: vec![
            format!(
                "The best of {starts} random starts by Newton's method in a trust region (argmin) with exact Hessians, and the \
                 best of {adam_starts} by {adam_steps} steps of Adam with a rate of 0.01. Two points are held fixed."
            ),
            "In one dimension the loss has no second derivative where points pass each other.".to_string(),
        ],
        ..Findings::default()
    })
}

fn claims(embeddings: &[Embedding], races: &[(usize, Results)]) -> Vec<Claim> {
    let five = &embeddings[4];
    let fewer = embeddings[..4].iter().map(|embedding| embedding.loss).fold(f64::INFINITY, f64::min);
    let difference =
        races.iter().map(|(_, results)| results.difference("gradient by hand", "gradient")).fold(0.0, f64::max);
    let mut claims = vec![
        Claim::at_most("size of the loss in five dimensions", Figure::plain(five.loss.abs()), 1e-12)
            .paper("close to machine precision", SECTION),
        Claim::at_least("the least loss in four dimensions and fewer", Figure::plain(fewer), 1e-3)
            .paper("always much higher than 0", SECTION),
        Claim::at_most(
            "in five dimensions, how far l₂/l₁ is from √2",
            Figure::plain((five.ratio - 2_f64.sqrt()).abs()),
            1e-6,
        )
        .paper("l₂/l₁ = √2", SECTION),
        Claim::at_most("difference of gradients from those by hand", Figure::plain(difference), 1e-12),
        Claim::beside("Hessians until five dimensions are solved", Figure::count(five.hessians as usize))
            .paper_figure(20.0, SECTION),
    ];
    for (k, paper, results) in with_paper(races) {
        // The table has the others.
        if [2, 10].contains(&k) {
            for ((name, text), seconds) in NAMES.iter().zip(MEANINGS).zip(paper) {
                let time = Figure::seconds(results.timing(name).minimum());
                claims.push(Claim::beside(format!("k = {k}: {text}"), time).paper_figure(*seconds, PLACE));
            }
        }
        let ratio = Figure::times(results.timing("gradient").ratio(results.timing("plain")));
        claims.push(
            Claim::at_most(format!("k = {k}: gradient over plain objective"), ratio, 3.0)
                .timed()
                .paper_figure(paper[3] / paper[0], PLACE),
        );
    }
    claims
}

/// The races in those numbers of dimensions that the paper has, with its figures.
fn with_paper(races: &[(usize, Results)]) -> impl Iterator<Item = (usize, &'static [f64; 5], &Results)> {
    races.iter().filter_map(|(k, results)| {
        let (_, paper) = PAPER.iter().find(|(dimensions, _)| dimensions == k)?;
        Some((*k, paper, results))
    })
}

fn solutions(newtons: &[Embedding], adams: &[Embedding]) -> Table {
    let mut table = Table::new(
        "The best embedding in each number of dimensions.",
        ["k", "loss by Newton", "l₂/l₁", "Hessians", "loss by Adam", "l₂/l₁ by Adam"],
    );
    for (newton, adam) in newtons.iter().zip(adams) {
        let figures = [
            Figure::plain(newton.loss),
            Figure::plain(newton.ratio),
            Figure::count(newton.hessians as usize),
            Figure::plain(adam.loss),
            Figure::plain(adam.ratio),
        ];
        table.row([Cell::from(newton.dimensions.to_string())].into_iter().chain(figures.map(Cell::from)));
    }
    table
}

fn timings(races: &[(usize, Results)]) -> Table {
    let mut table = Table::new(
        "The fastest round: objective in plain Rust, reversible, inverse, gradient, Hessian, and gradient by hand.",
        ["k", "O, plain", "O", "U", "G", "H", "G by hand"],
    );
    for (k, results) in races {
        let time = |name: &str| Cell::from(Figure::seconds(results.timing(name).minimum()));
        let cells = NAMES.iter().map(|name| time(name)).chain([time("gradient by hand")]);
        table.row([Cell::from(k.to_string())].into_iter().chain(cells));
    }
    table
}

fn beside_paper(races: &[(usize, Results)]) -> Table {
    let mut table = Table::new(
        format!("These times over those of the paper ({PLACE})."),
        ["k", "O, plain; the paper: Julia", "O", "U", "G", "H"],
    );
    for (k, paper, results) in with_paper(races) {
        let ratio = |(name, seconds): (&&str, &f64)| Figure::times(results.timing(name).minimum() / seconds);
        let cells = NAMES.iter().zip(paper).map(ratio).map(Cell::from);
        table.row([Cell::from(k.to_string())].into_iter().chain(cells));
    }
    table
}

/// The points in the two directions in which they spread most.
fn picture(embedding: &Embedding) -> Plot {
    let (first, second) = principal_directions(&embedding.points);
    let along = |x: &[f64], direction: &[f64]| x.iter().zip(direction).map(|(x, d)| x * d).sum::<f64>();
    let places: Vec<(f64, f64)> = embedding.points.iter().map(|x| (along(x, &first), along(x, &second))).collect();
    let ends = |pairs: &[(usize, usize)]| pairs.iter().flat_map(|&(i, j)| [places[i], places[j]]).collect::<Vec<_>>();
    Plot::picture(
        format!(
            "The embedding in {} dimensions, seen along the directions in which it spreads most.",
            embedding.dimensions
        ),
        vec![
            Series::new("edges", Style::Segments, ends(&EDGES)),
            Series::new("other pairs", Style::DashedSegments, ends(&OTHERS)),
            Series::new("vertices", Style::Marks, places.iter().copied()),
        ],
    )
}

/// The two directions of largest variance, by repeated multiplication with the covariance.
fn principal_directions(points: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let k = points[0].len();
    let mean: Vec<f64> = (0..k).map(|c| points.iter().map(|x| x[c]).sum::<f64>() / points.len() as f64).collect();
    let centred: Vec<Vec<f64>> = points.iter().map(|x| x.iter().zip(&mean).map(|(x, m)| x - m).collect()).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let direction = |without: Option<&Vec<f64>>| {
        let mut d: Vec<f64> = (0..k).map(|c| 1.0 + c as f64).collect();
        for _ in 0..500 {
            let mut next = vec![0.0; k];
            for x in &centred {
                let along = dot(x, &d);
                next.iter_mut().zip(x).for_each(|(next, x)| *next += along * x);
            }
            if let Some(other) = without {
                let along = dot(&next, other);
                next.iter_mut().zip(other).for_each(|(next, other)| *next -= along * other);
            }
            let length = dot(&next, &next).sqrt();
            d = next.iter().map(|x| x / length).collect();
        }
        d
    };
    let first = direction(None);
    let second = direction(Some(&first));
    (first, second)
}

fn loss_plot(newtons: &[Embedding], adams: &[Embedding]) -> Plot {
    // A loss that is zero, or by rounding even less, has no place on the axis.
    let points = |embeddings: &[Embedding]| -> Vec<(f64, f64)> {
        embeddings.iter().map(|embedding| (embedding.dimensions as f64, embedding.loss.max(1e-17))).collect()
    };
    Plot::new(
        "The smallest loss found, against the number of dimensions.",
        Axis::linear("dimensions k"),
        Axis::logarithmic("loss (10⁻¹⁷ for zero)"),
        vec![Series::new("Newton", Style::Line, points(newtons)), Series::new("Adam", Style::Dashed, points(adams))],
    )
}

fn steps_plot(newton: &Embedding, adam: &Embedding) -> Plot {
    let points = |losses: &[f64]| -> Vec<(f64, f64)> {
        let shown = steps(1, losses.len(), 20).into_iter().map(|step| (step as f64, losses[step - 1].max(1e-17)));
        shown.collect()
    };
    Plot::new(
        "The loss in five dimensions while it is optimised, from the same starting point.",
        Axis::logarithmic("steps"),
        Axis::logarithmic("loss (10⁻¹⁷ for zero)"),
        vec![
            Series::new("Newton", Style::Line, points(&newton.losses)),
            Series::new("Adam", Style::Dashed, points(&adam.losses)),
        ],
    )
}
