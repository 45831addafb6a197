//! Round-off: the planets through time in floats and in fixed point, against numbers of 106 bits.
//!
//! Three programs do the same. The *regular* one is plain Rust. The *reversible* one is
//! [`solar_system`](lab_corpus::programs::solar_system::solar_system()), whose differences of positions are locals of their
//! own. The *cumulative* one subtracts positions in place and adds them again: in floats, what that
//! rounds stays in the position.

use std::ops::{Add, Div, Mul, Sub};

use retrograd::Fixed;
use retrograd::prelude::*;

use super::{Experiment, Failure, Setting, steps};
use lab_corpus::programs::solar_system::{Bodies, G, drift, solar_system};
use lab_corpus::yardsticks::double_double::DoubleDouble;
use lab_report::findings::{Claim, Figure, Findings, Table};
use lab_report::plot::{Axis, Plot, Series, Style, slope};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "round_off",
    title: "Round-off of the solar system",
    about: "A reversible program rounds no more than a plain one, unless it computes in its inputs and restores them; in fixed \
            point even that loses nothing.",
    run,
};

/// Days in a step: a power of two, so that products with it are exact.
pub const DAYS: f64 = 4.0;

/// Fixed-point numbers for the planets: the cube of the largest distance still fits.
pub type Point = Fixed<44>;

/// Positions or velocities of the Sun and seven planets.
pub type Vectors<T> = [[T; 3]; 8];

/// Numbers that the plain program runs on: those that are compared, and the reference.
trait Arithmetic: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    fn root(self) -> Self;
}

macro_rules! arithmetic {
    ($($number:ty),*) => {
        $(impl Arithmetic for $number {
            #[inline(always)]
            fn root(self) -> $number {
                self.sqrt()
            }
        })*
    };
}

arithmetic!(f32, f64, Point, DoubleDouble);

/// The regular program: the same arithmetic as the reversible one, in plain Rust.
fn regular<T: Arithmetic>(x: &mut Vectors<T>, v: &mut Vectors<T>, m: &[T; 8], [pull, dt, half]: [T; 3], steps: usize) {
    for _ in 0..steps {
        plain_drift(x, v, half);
        for i in 0..8 {
            for j in i + 1..8 {
                let d = [x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]];
                let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
                let pull = dt * pull / (square * square.root());
                let (of_i, of_j) = (pull * m[i], pull * m[j]);
                for c in 0..3 {
                    v[i][c] = v[i][c] + of_j * d[c];
                    v[j][c] = v[j][c] - of_i * d[c];
                }
            }
        }
        plain_drift(x, v, half);
    }
}

fn plain_drift<T: Arithmetic>(x: &mut Vectors<T>, v: &Vectors<T>, dt: T) {
    for (x, &v) in x.as_flattened_mut().iter_mut().zip(v.as_flattened()) {
        *x = *x + dt * v;
    }
}

/// Changes velocities by attraction. For a while the place of body `j` is its distance from body `i`; in floats, it does not
/// quite come back from there.
#[reversible(checks = "never")]
fn attract_in_place<T: Real, const N: usize>(v: &mut [[T; 3]; N], x: &mut [[T; 3]; N], m: &[T; N], dt: T) {
    for i in 0..N {
        for j in 0..N {
            if i != j {
                #[compute]
                {
                    for c in 0..3 {
                        x[j][c] -= x[i][c];
                    }
                }
                let square = x[j][0] * x[j][0] + x[j][1] * x[j][1] + x[j][2] * x[j][2];
                let pull = dt * T::lit(G) / (square * square.sqrt()) * m[j];
                for c in 0..3 {
                    v[i][c] += pull * x[j][c];
                }
            }
        }
    }
}

/// The cumulative program.
#[reversible(checks = "never")]
fn cumulative<T: Real, const N: usize>(x: &mut [[T; 3]; N], v: &mut [[T; 3]; N], m: &[T; N], dt: T, steps: usize) {
    for _ in 0..steps {
        drift(x, &*v, 0.5 * dt);
        attract_in_place(v, x, m, dt);
        drift(x, &*v, 0.5 * dt);
    }
}

/// The bodies at the beginning, in numbers of a type.
pub fn beginning<T: Real>() -> (Vectors<T>, Vectors<T>, [T; 8]) {
    let Bodies { x, v, m } = Bodies::solar_system();
    (x.map(|x| x.map(T::lit)), v.map(|v| v.map(T::lit)), m.map(T::lit))
}

/// The mean distance of coordinates from where they should be.
pub fn mean_error<T: Real>(x: &Vectors<T>, reference: &Vectors<DoubleDouble>) -> f64 {
    let error = |(x, reference): (&T, &DoubleDouble)| reference.minus(x.to_f64()).abs();
    x.as_flattened().iter().zip(reference.as_flattened()).map(error).sum::<f64>() / 24.0
}

/// The errors of the three programs in one type of numbers, after each number of steps.
struct Errors {
    name: &'static str,
    /// Regular, reversible, cumulative.
    errors: [Vec<(f64, f64)>; 3],
    /// In how many of the final coordinates the reversible program differs from the regular one, in any bit.
    reversible_differs: usize,
    /// The same for the cumulative program.
    cumulative_differs: usize,
}

const FORMS: [&str; 3] = ["regular", "reversible", "cumulative"];

/// Runs the three programs and the reference side by side. All begin with the same numbers, rounded to `T`: so only what
/// happens on the way is measured.
fn errors<T: Real + Arithmetic>(
    name: &'static str,
    at: &[usize],
    mut done: impl FnMut() -> Result<(), Failure>,
) -> Result<Errors, Failure> {
    let (x, v, m) = beginning::<T>();
    let wide = |x: T| DoubleDouble::from(x.to_f64());
    let mut reference = (x.map(|x| x.map(wide)), v.map(|v| v.map(wide)));
    let reference_m = m.map(wide);
    let constants = [T::lit(G), T::lit(DAYS), T::lit(0.5 * DAYS)];
    let reference_constants = constants.map(wide);
    let mut states = [(x, v); 3];
    let mut errors: [Vec<(f64, f64)>; 3] = Default::default();
    let mut before = 0;
    for &steps in at {
        let more = steps - before;
        before = steps;
        regular(&mut reference.0, &mut reference.1, &reference_m, reference_constants, more);
        let [plain, reversible, in_place] = &mut states;
        regular(&mut plain.0, &mut plain.1, &m, constants, more);
        solar_system(&mut reversible.0, &mut reversible.1, &m, T::lit(DAYS), more);
        cumulative(&mut in_place.0, &mut in_place.1, &m, T::lit(DAYS), more);
        for (errors, (x, _)) in errors.iter_mut().zip(&states) {
            errors.push((steps as f64, mean_error(x, &reference.0)));
        }
        done()?;
    }
    let differs = |a: &Vectors<T>, b: &Vectors<T>| {
        a.as_flattened()
            .iter()
            .zip(b.as_flattened())
            .filter(|(a, b)| a.to_f64().to_bits() != b.to_f64().to_bits())
            .count()
    };
    let [plain, reversible, in_place] = &states;
    Ok(Errors {
        name,
        errors,
        reversible_differs: differs(&plain.0, &reversible.0),
        cumulative_differs: differs(&reversible.0, &in_place.0),
    })
}

const PLACE: &str = "NiLang (embedded), Figure 6";

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let last = setting.size.pick(1_000, 100_000, 1_000_000);
    let at = steps(10, last, 4);
    let mut parts = 0;
    let mut done = || {
        parts += 1;
        setting.progress.done(parts, 3 * at.len())
    };
    let all = [
        errors::<f32>("f32", &at, &mut done)?,
        errors::<f64>("f64", &at, &mut done)?,
        errors::<Point>("Fixed<44>", &at, &mut done)?,
    ];
    Ok(Findings {
        claims: claims(&all),
        plots: vec![plot(&all)],
        tables: vec![table(&all)],
        remarks: remarks(),
        ..Findings::default()
    })
}

fn claims(all: &[Errors; 3]) -> Vec<Claim> {
    let mut claims = Vec::new();
    for Errors { name, reversible_differs, .. } in all {
        let text = format!("{name}: final coordinates in which the reversible program differs from the regular one");
        let says = "the lines of both overlap";
        claims.push(Claim::exactly(text, Figure::count(*reversible_differs), 0.0).paper(says, PLACE));
    }
    let [single, double, fixed] = all;
    for Errors { name, errors: [_, reversible, cumulative], .. } in [single, double] {
        let ratio = mean_ratio(cumulative, reversible);
        let text = format!("{name}: error of the cumulative program over that of the reversible one, on average");
        claims.push(Claim::at_least(text, Figure::times(ratio), 2.0).paper("a much lower precision", PLACE));
    }
    let text = "Fixed<44>: final coordinates in which the cumulative program differs from the reversible one";
    claims.push(Claim::exactly(text, Figure::count(fixed.cumulative_differs), 0.0));
    for Errors { name, errors: [_, reversible, _], .. } in [single, double] {
        let text = format!("{name}: the error grows with this power of the steps");
        // Errors of a random walk in speed grow with the power 3/2 in place, those that all point the same way with 2.
        claims.push(Claim::between(text, Figure::plain(slope(reversible)), 0.75, 2.5));
    }
    claims
}

/// How many times as large errors are as others, as the geometric mean over all numbers of steps.
fn mean_ratio(errors: &[(f64, f64)], others: &[(f64, f64)]) -> f64 {
    let logarithms: Vec<f64> = errors
        .iter()
        .zip(others)
        .filter(|(error, other)| error.1 > 0.0 && other.1 > 0.0)
        .map(|(error, other)| (error.1 / other.1).ln())
        .collect();
    (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
}

fn plot(all: &[Errors; 3]) -> Plot {
    let series = all.iter().enumerate().flat_map(|(group, Errors { name, errors, .. })| {
        let styled = errors.iter().zip(FORMS).zip([Style::Marks, Style::Line, Style::Dashed]);
        styled.map(move |((points, form), style)| {
            Series::new(format!("{name}, {form}"), style, points.iter().copied()).of_group(group)
        })
    });
    Plot::new(
        "Round-off in the final positions of the Sun and seven planets: the mean error of a coordinate.",
        Axis::logarithmic(format!("steps of {DAYS} days")),
        Axis::logarithmic("error in astronomical units"),
        series.collect(),
    )
}

fn table(all: &[Errors; 3]) -> Table {
    let mut table = Table::new(
        "The mean error of a coordinate after different numbers of steps.",
        ["numbers, program", "10 steps", "halfway", "at the end", "power of the steps"],
    );
    for Errors { name, errors, .. } in all {
        for (form, points) in FORMS.iter().zip(errors) {
            let at = |i: usize| Figure::astronomical_units(points[i].1).into();
            let last = points.len() - 1;
            let name = format!("{name}, {form}").into();
            table.row([name, at(0), at(last / 2), at(last), Figure::plain(slope(points)).into()]);
        }
    }
    table
}

fn remarks() -> Vec<String> {
    vec![
        format!(
            "Leapfrog in steps of {DAYS} days, as drift, kick, drift. The reference runs the regular program in numbers of 106 \
             bits, from the same rounded initial values."
        ),
        "In floats, running backwards rounds as running forwards does. Where an exact return is needed, fixed point gives it, \
         as in the next experiment. Its absolute error of 2⁻⁴⁵ per operation is larger than that of f64 where forces are small."
            .to_string(),
    ]
}
