//! Derivatives in lanes, with each set of instructions that the machine has.

use retrograd::lanes::{Instructions, with_instructions};

use super::derivatives::contest::{Contest, Row};
use super::derivatives::{mixtures, ours, scene};
use super::{Experiment, Failure, Setting, Size};
use lab_corpus::programs::bundle_adjustment::write_jacobians;
use lab_corpus::programs::gaussian_mixture::gradient_in_lanes;
use lab_corpus::yardsticks::data::{Mixture, Parameters, Scene};
use lab_report::findings::Findings;
use lab_report::measure::Contestant;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "lanes",
    title: "Derivatives in SIMD lanes",
    about: "Derivatives of many data points at once in SIMD registers, with each instruction set, against one point after another.",
    run: |setting| find(setting, ""),
};

/// One point after the other.
const ONE_BY_ONE: &str = "one by one";
/// In lanes, with what every machine of the kind has.
const BASELINE: &str = "baseline";
/// In lanes of AVX2.
const AVX2: &str = "AVX2";
/// In lanes of AVX-512.
const AVX512: &str = "AVX-512";

/// One contestant for each set of instructions.
fn contestants<'a, S: Clone + 'a>(
    state: S,
    compute: impl Fn(&mut S) + Copy + 'a,
    read: impl Fn(&S) -> Vec<f64> + Copy + 'a,
) -> impl Iterator<Item = Contestant<'a>> {
    let available = Instructions::ALL.into_iter().filter(|instructions| instructions.are_available());
    available.map(move |instructions| {
        let name = match instructions {
            Instructions::Baseline => BASELINE,
            Instructions::Avx2 => AVX2,
            Instructions::Avx512 => AVX512,
            _ => "other lanes",
        };
        let compute = move |state: &mut S| {
            with_instructions(instructions, || compute(state)).expect("the machine was asked");
        };
        Contestant::new(name, state.clone(), compute, read)
    })
}

/// Bundle adjustment, for one observation.
fn bundle_adjustment(scene: &Scene) -> Vec<Row<'_>> {
    let Scene { cameras, points, weights, features, seen } = scene;
    let jacobians = contestants(
        vec![[[0.0; 15]; 2]; seen.len()],
        |rows| write_jacobians(rows, cameras, points, weights, features, seen),
        |rows| rows.as_flattened().as_flattened().to_vec(),
    );
    let row = Row::new("bundle adjustment", seen.len())
        .with([ours::bundle_adjustment(scene).called(ONE_BY_ONE)])
        .with(jacobians)
        .faster(AVX512, 3.0, ONE_BY_ONE)
        .within(AVX512, 22e-9)
        .within(AVX2, 36e-9);
    vec![row]
}

/// A Gaussian mixture.
fn rows_of_mixture<const D: usize, const F: usize, const K: usize>(mixture: &Mixture<D, F, K>) -> Vec<Row<'_>> {
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = mixture;
    let gradients = contestants(
        Parameters::ZERO,
        |g: &mut Parameters<D, F, K>| (_, g.alphas, g.means, g.icf) = gradient_in_lanes(alphas, means, icf, x, prior),
        Parameters::to_vec,
    );
    let thousands = x.len() as f64 / 1000.0;
    let row = Row::new(format!("Gaussian mixture, N = {}", x.len()), 1)
        .with([ours::gaussian_mixture(mixture).called(ONE_BY_ONE)])
        .with(gradients)
        .faster(AVX512, 3.0, ONE_BY_ONE)
        .within(AVX512, 0.40e-3 * thousands)
        .within(AVX2, 0.45e-3 * thousands);
    vec![row]
}

/// Measures a Gaussian mixture of so many points.
fn gaussian_mixture<const D: usize, const F: usize, const K: usize>(
    contest: &mut Contest,
    points: usize,
) -> Result<(), Failure> {
    let mixture = Mixture::<D, F, K>::new(points);
    contest.measure("gaussian_mixture", || rows_of_mixture(&mixture))
}

/// The experiment with those programs whose names contain `named`.
///
/// # Errors
///
/// [`Failure::Stopped`] if it was.
pub fn find(setting: &Setting, named: &str) -> Result<Findings, Failure> {
    let mixtures = mixtures(setting);
    let columns = &[ONE_BY_ONE, BASELINE, AVX2, AVX512];
    let mut contest = Contest::new(setting, named, 1 + mixtures.len(), "Derivatives in lanes.", columns);
    let scene = scene(setting);
    contest.measure("bundle_adjustment", || bundle_adjustment(&scene))?;
    for &points in mixtures {
        match setting.size {
            // In a debug build, lanes of many components need more of the stack than a thread has.
            Size::Small => gaussian_mixture::<2, 3, 5>(&mut contest, points)?,
            Size::Quick | Size::Full => gaussian_mixture::<10, 55, 25>(&mut contest, points)?,
        }
    }
    let mut findings = contest.findings();
    findings.remarks.push("Instruction sets that this machine lacks take no part.".to_string());
    Ok(findings)
}
