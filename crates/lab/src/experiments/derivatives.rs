//! Derivatives against the clock: those of retrograd, the function itself, what was written by hand, and other crates.

pub(super) mod contest;
pub(super) mod ours;
#[cfg(not(feature = "peers"))]
#[path = "derivatives/no_peers.rs"]
pub(super) mod peers;
#[cfg(feature = "peers")]
pub(super) mod peers;
mod rows;

use super::{Experiment, Failure, Setting};
use contest::{Contest, EASY_ML, ECHIDNA, FUNCTION, HAND, NUM_DUAL, RETROGRAD};
use lab_corpus::yardsticks::data::{Mixture, Random, Scene, sparse};
use lab_report::findings::Findings;
use lab_report::headline::{Headline, Sketch};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "derivatives",
    title: "Derivatives against the clock",
    about: "Gradients, Jacobians and Hessians of some programs, beside the function itself, a derivative that was written by \
            hand, and those of other crates.",
    run: |setting| find(setting, ""),
};

/// Measures the embedding of the graph in `K` dimensions.
fn graph_embedding<const K: usize>(contest: &mut Contest) -> Result<(), Failure> {
    let mut random = Random::new(K as u64);
    let x: [[f64; K]; 10] = std::array::from_fn(|_| random.array(-1.0, 1.0));
    contest.measure("graph_embedding", || rows::graph_embedding(&x))
}

/// The experiment with those programs whose names contain `named`.
///
/// # Errors
///
/// [`Failure::Stopped`] if it was.
pub fn find(setting: &Setting, named: &str) -> Result<Findings, Failure> {
    let mixtures = mixtures(setting);
    let columns = &[FUNCTION, HAND, RETROGRAD, NUM_DUAL, ECHIDNA, EASY_ML];
    let mut contest = Contest::new(setting, named, 9 + mixtures.len(), "Derivatives.", columns);
    let scene = scene(setting);
    contest.measure("bundle_adjustment", || rows::bundle_adjustment(&scene))?;
    for &points in mixtures {
        let mixture = Mixture::<10, 55, 25>::new(points);
        contest.measure("gaussian_mixture", || rows::gaussian_mixture(&mixture))?;
    }
    graph_embedding::<2>(&mut contest)?;
    graph_embedding::<4>(&mut contest)?;
    graph_embedding::<6>(&mut contest)?;
    graph_embedding::<8>(&mut contest)?;
    graph_embedding::<10>(&mut contest)?;
    contest.measure("bessel", || rows::bessel("Bessel function J₂(1)", 2, &1.0))?;
    let size = setting.size.pick(60, 1000, 1000);
    let (a, b) = (sparse(size, 0.05, 1), sparse(size, 0.05, 2));
    contest.measure("sparse_dot", || rows::sparse_dot(&a, &b))?;
    contest.measure("solar_system", || rows::solar_system(1.0, setting.size.pick(3, 100, 100)))?;
    let mut findings = contest.findings();
    findings.headlines.extend(headline(&findings, mixtures[0]));
    findings.remarks.push(
        "num-dual carries tangents forwards, and does not take part where there would be a hundred thousand of them, or where \
         they would take minutes. echidna and easy-ml write a tape and run it backwards; echidna carries tangents where there \
         are few directions."
            .to_string(),
    );
    findings.remarks.extend(peers::MISSING.map(String::from));
    Ok(findings)
}

/// The gradient of a mixture of so many points, beside that by hand and those of other crates.
fn headline(findings: &Findings, points: usize) -> Option<Headline> {
    let figures = findings.figures();
    let of_mixture = |what: &str| {
        let name = format!("Gaussian mixture, N = {points}: {what}");
        figures.iter().find(|figure| figure.name == name).map(|figure| figure.figure)
    };
    // A tangent for each parameter, as num-dual carries it, takes so long that no other bar could be seen.
    let who = [FUNCTION, HAND, RETROGRAD, ECHIDNA, EASY_ML];
    let bars = who.iter().filter_map(|who| Some((who.to_string(), of_mixture(who)?)));
    Some(Headline {
        figure: of_mixture(&format!("{RETROGRAD} over {HAND}"))?,
        sentence: format!(
            "the time of a hand-written gradient is what the derived one takes, for a Gaussian mixture. That is {} the time of \
             the function itself.",
            of_mixture(&format!("{RETROGRAD} over {FUNCTION}"))?
        ),
        sketch: Sketch::Bars(bars.collect()),
    })
}

/// A tenth of the smallest problem of ADBench: computing is measured, and not memory.
pub(super) fn scene(setting: &Setting) -> Scene {
    let (cameras, points, observations) = setting.size.pick((3, 10, 20), (49, 778, 3184), (49, 778, 3184));
    Scene::new(cameras, points, observations)
}

/// The numbers of points in mixtures.
pub(super) fn mixtures(setting: &Setting) -> &'static [usize] {
    setting.size.pick(&[2], &[1000], &[1000, 10_000])
}
