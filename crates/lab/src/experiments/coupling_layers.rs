//! A flow of coupling layers: trained on two moons, sampled backwards, and differentiated without a record.

use std::f64::consts::{PI, TAU};
use std::num::Wrapping;

use allocation_counter::measure as count_allocations;

use super::{Experiment, Failure, Setting};
use lab_corpus::programs::nice::{self, log_likelihood};
use lab_corpus::yardsticks::data::Random;
use lab_corpus::yardsticks::nice as plain;
use lab_report::findings::{Cell, Claim, Figure, Findings, Table, Unit};
use lab_report::plot::{Axis, Heights, Plot, Series, Style};
use retrograd::Active;
use retrograd::flow::{Affine, Coupling, Error, Flow, Mask, Mlp};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "coupling_layers",
    title: "A flow of coupling layers",
    about: "A network that is a bijection learns the density of points on two moons; run backwards, it generates new ones. Its \
            gradient stores no layer's values, however many layers there are.",
    run,
};

/// Hidden units of each layer.
const H: usize = 16;
/// The net of each layer: from one coordinate, a factor and a shift of the other.
const NET: Mlp = Mlp { inputs: 1, hidden: H, outputs: 2 };

/// Affine layers scale by factors between e⁻² and e²: what is finite stays so.
const INVERTIBLE: &str = "all layers have an inverse, and points stay finite";

type Layers = Flow<Coupling<f64, Mlp, Affine>>;
type Point = [f64; 2];

/// A number from the normal distribution.
fn normal(random: &mut Random) -> f64 {
    (-2.0 * (1.0 - random.between(0.0, 1.0)).ln()).sqrt() * (TAU * random.between(0.0, 1.0)).cos()
}

/// Points on two half circles, one below the other and shifted.
fn two_moons(count: usize, random: &mut Random) -> Vec<Point> {
    let point = |i: usize| {
        let angle = random.between(0.0, PI);
        let (x, y) =
            if i.is_multiple_of(2) { (angle.cos(), angle.sin()) } else { (1.0 - angle.cos(), 0.5 - angle.sin()) };
        [x - 0.5 + 0.08 * normal(random), y - 0.25 + 0.08 * normal(random)]
    };
    (0..count).map(point).collect()
}

/// Layers with random weights, by turns for each of the two coordinates.
fn untrained(depth: usize) -> Result<Layers, Error> {
    let mut state = Wrapping(23);
    let layer = |k| Coupling::new(Mask::alternating(2, k)?, NET, Affine, NET.random(&mut state));
    Flow::new(2, (0..depth).map(layer).collect::<Result<_, Error>>()?)
}

fn log_density(flow: &Layers, point: &Point) -> f64 {
    flow.log_prob(point).expect(INVERTIBLE)
}

/// Trains by Adam, and returns the mean log-likelihood before each step.
fn train(
    flow: &mut Layers,
    points: &[Point],
    steps: usize,
    mut done: impl FnMut(usize) -> Result<(), Failure>,
) -> Result<Vec<f64>, Failure> {
    let mut learned = flow.layers().flatten();
    let (mut mean, mut square) = (vec![0.0; learned.len()], vec![0.0; learned.len()]);
    let mut values = Vec::new();
    for step in 1..=steps {
        let (loss, gradient) = flow.gradient(points.as_flattened()).expect(INVERTIBLE);
        values.push(-loss);
        let (m_scale, s_scale) = (1.0 - 0.9_f64.powi(step as i32), 1.0 - 0.999_f64.powi(step as i32));
        for (i, g) in gradient.flatten().into_iter().enumerate() {
            mean[i] += 0.1 * (g - mean[i]);
            square[i] += 0.001 * (g * g - square[i]);
            learned[i] -= 0.01 * (mean[i] / m_scale) / ((square[i] / s_scale).sqrt() + 1e-8);
        }
        flow.layers_mut().unflatten(&learned);
        done(step)?;
    }
    Ok(values)
}

/// The mean log-likelihood of points under the normal distribution that fits them best.
fn of_normal(points: &[Point]) -> f64 {
    let n = points.len() as f64;
    let mean = |f: &dyn Fn(&Point) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p[0]), mean(&|p| p[1]));
    let (xx, yy) = (mean(&|p| (p[0] - x).powi(2)), mean(&|p| (p[1] - y).powi(2)));
    let xy = mean(&|p| (p[0] - x) * (p[1] - y));
    -TAU.ln() - 0.5 * (xx * yy - xy * xy).ln() - 1.0
}

/// The density of a flow over a square in which nearly all of it is.
struct Density {
    /// The area of one cell of a grid.
    area: f64,
    /// The densities in the middle of all cells, the highest first.
    highest_first: Vec<f64>,
}

impl Density {
    fn new(flow: &Layers, cells: usize) -> Density {
        let (low, high) = (-4.0, 4.0);
        let width = (high - low) / cells as f64;
        let place = |i: usize| low + width * (i as f64 + 0.5);
        let density = |cell: usize| log_density(flow, &[place(cell / cells), place(cell % cells)]).exp();
        let mut highest_first: Vec<f64> = (0..cells * cells).map(density).collect();
        highest_first.sort_by(|a, b| b.total_cmp(a));
        Density { area: width * width, highest_first }
    }

    /// The integral over the square.
    fn integral(&self) -> f64 {
        self.highest_first.iter().sum::<f64>() * self.area
    }

    /// The level that this part of all points is above.
    fn level_around(&self, part: f64) -> f64 {
        let mut inside = 0.0;
        let level = self.highest_first.iter().find(|density| {
            inside += **density * self.area;
            inside >= part
        });
        level.copied().unwrap_or(0.0)
    }
}

/// The peaks of memory of gradients through so many additive layers, beside the place that they are written to: backwards, and by hand with
/// the values of all layers kept.
fn peaks(depth: usize) -> [u64; 2] {
    let random = &mut Random::new(1);
    let mut layer = || nice::Coupling::<f64, 1, H> {
        inner: std::array::from_fn(|_| [2.0 * normal(random)]),
        inner_bias: std::array::from_fn(|_| normal(random)),
        outer: [std::array::from_fn(|_| 0.1 * normal(random))],
        outer_bias: [0.0],
    };
    let layers: Vec<_> = (0..depth).map(|_| layer()).collect();
    let (x, scales) = ([[0.5], [0.25]], [[0.0]; 2]);
    let (_, mut g_x, mut g_layers, mut g_scales) = log_likelihood::gradient(&x, &layers, &scales);
    let there_and_back = count_allocations(|| {
        log_likelihood::pullback((&x, &mut g_x), (&layers[..], &mut g_layers[..]), (&scales, &mut g_scales), 1.0);
    });
    let by_hand = count_allocations(|| {
        plain::gradient(&x, (&layers, &mut g_layers), (&scales, &mut g_scales));
    });
    [there_and_back.bytes_max, by_hand.bytes_max]
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let (count, steps, depth) = setting.size.pick((20, 15, 4), (300, 400, 6), (1000, 2000, 8));
    let random = &mut Random::new(23);
    let points = two_moons(count, random);
    let mut flow = untrained(depth).expect("the nets fit the layers");
    let values = train(&mut flow, &points, steps, |step| setting.progress.done(step, steps))?;
    let trained = -flow.loss(points.as_flattened()).expect(INVERTIBLE);
    let fresh = two_moons(count, random);
    let on_fresh = -flow.loss(fresh.as_flattened()).expect(INVERTIBLE);
    let state = &mut Wrapping(5);
    let mut draw = || flow.sample::<f64>(state).expect(INVERTIBLE).try_into().expect("a point has two coordinates");
    let samples: Vec<Point> = (0..2000).map(|_| draw()).collect();
    let mut back = 0.0_f64;
    for x in &points {
        let mut y = *x;
        flow.forward(&mut y).and_then(|_| flow.inverse(&mut y)).expect(INVERTIBLE);
        back = back.max((x[0] - y[0]).abs()).max((x[1] - y[1]).abs());
    }
    let density = Density::new(&flow, setting.size.pick(100, 200, 400));
    let dense = density.level_around(0.9);
    let inside = |points: &[Point]| {
        let inside = points.iter().filter(|p| log_density(&flow, p).exp() >= dense).count();
        Figure::plain(inside as f64 / points.len() as f64)
    };
    let depths = [2, 4, 8, 16, 32, 64, 128];
    let peaks = depths.map(peaks);

    let mut claims = vec![
        Claim::at_least("mean log-likelihood gained by training", Figure::plain(trained - values[0]), 0.1),
        Claim::between("integral of the density over the plane", Figure::plain(density.integral()), 0.98, 1.02),
        Claim::between("fraction of generated points where 0.9 of its density lies", inside(&samples), 0.87, 0.93),
        Claim::at_most("how far points are from their start after a round trip", Figure::plain(back), 1e-10),
        Claim::exactly(
            "extra bytes for a gradient through 128 layers, compared with 2",
            Figure { value: peaks[6][0] as f64 - peaks[0][0] as f64, unit: Unit::Bytes },
            0.0,
        )
        .paper("only constant space overheads", "NiLang (embedded), Section 6"),
    ];
    if count >= 300 {
        // With few points and steps there is nothing to compare.
        let gain = Figure::plain(on_fresh - of_normal(&fresh));
        claims.push(Claim::at_least("on new points, gained over the best normal distribution", gain, 0.3));
        claims.push(Claim::between("fraction of new points where 0.9 of the density lies", inside(&fresh), 0.75, 1.0));
    }
    let mut table = Table::new(
        "Mean log-likelihoods, in natural units.",
        ["before", "after", "on new points", "normal distribution"],
    );
    table.row([values[0], trained, on_fresh, of_normal(&fresh)].map(|value| Figure::plain(value).into()));
    let mut memory = Table::new(
        "Peak memory of a gradient, not counting where it is written to.",
        ["layers", "backwards", "all layers' values stored"],
    );
    for (depth, peaks) in depths.iter().zip(peaks) {
        memory.row([Cell::from(depth.to_string())].into_iter().chain(peaks.map(|peak| Figure::bytes(peak).into())));
    }
    Ok(Findings {
        claims,
        plots: vec![
            density_plot(&flow, &density, &points),
            samples_plot(&points, &samples[..count]),
            learning_plot(&values),
            memory_plot(&depths, &peaks),
        ],
        tables: vec![table, memory],
        remarks: vec![format!(
            "{depth} affine layers of `retrograd::flow` with {H} hidden units each, trained by Adam on {count} points. Memory is that of \
             additive layers, for which there is a backward pass by hand."
        )],
        ..Findings::default()
    })
}

fn places(points: &[Point]) -> Vec<(f64, f64)> {
    points.iter().map(|&[x, y]| (x, y)).collect()
}

/// Lines around parts of the density, with the points that it was learned from.
fn density_plot(flow: &Layers, density: &Density, points: &[Point]) -> Plot {
    // Logarithms are closer to linear between the corners of the grid.
    let heights = Heights::new(-2.4..2.4, -1.8..1.8, (72, 54), |x, y| log_density(flow, &[x, y]));
    // A thousandth is less than a pixel.
    let rounded = |(x, y): (f64, f64)| ((x * 1e3).round() / 1e3, (y * 1e3).round() / 1e3);
    let parts = [0.99, 0.9, 0.6, 0.3];
    let mut series = vec![Series::new("training points", Style::Marks, places(points)).of_group(1)];
    for (level, part) in (1..).zip(parts) {
        let style = Style::Contour { level, levels: parts.len() as u8 };
        let line = heights.contour(density.level_around(part).ln());
        series.push(Series::new(format!("around {part} of it"), style, line.into_iter().map(rounded)).of_group(0));
    }
    Plot::new(
        "The learned density: contours around the densest regions that hold these fractions of it.",
        Axis::linear("x"),
        Axis::linear("y"),
        series,
    )
}

fn samples_plot(points: &[Point], samples: &[Point]) -> Plot {
    Plot::new(
        "Training points, and points that the flow, run backwards, generated from normal ones.",
        Axis::linear("x"),
        Axis::linear("y"),
        vec![
            Series::new("generated", Style::Marks, places(samples)),
            Series::new("training points", Style::Marks, places(points)),
        ],
    )
}

fn learning_plot(values: &[f64]) -> Plot {
    let some = values.iter().enumerate().step_by(values.len().div_ceil(60));
    Plot::new(
        "The mean log-likelihood while the flow learns.",
        Axis::linear("steps"),
        Axis::linear("log-likelihood"),
        vec![Series::new("points", Style::Line, some.map(|(step, &value)| (step as f64, value)))],
    )
}

fn memory_plot(depths: &[usize], peaks: &[[u64; 2]]) -> Plot {
    let line = |way: usize| depths.iter().zip(peaks).map(move |(&depth, peaks)| (depth as f64, peaks[way] as f64));
    Plot::new(
        "Peak memory of a gradient, not counting where it is written to.",
        Axis::linear("layers"),
        Axis::linear("bytes"),
        vec![
            Series::new("backwards", Style::Line, line(0)),
            Series::new("all layers' values stored", Style::Dashed, line(1)),
        ],
    )
}
