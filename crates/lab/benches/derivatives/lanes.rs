//! Derivatives in lanes, with each set of instructions that the machine has.

use lab::programs::bundle_adjustment::write_jacobians;
use lab::programs::gaussian_mixture::gradient_in_lanes;
use lab::yardsticks::data::{Mixture, Parameters, Scene};
use retrograd::lanes::{Instructions, with_instructions};

use crate::measure::{Column, Contestant};
use crate::ours;
use crate::table::Row;

/// One contestant for each set of instructions.
fn contestants<'a, S: Clone + 'a>(
    state: S,
    compute: impl Fn(&mut S) + Copy + 'a,
    read: impl Fn(&S) -> Vec<f64> + Copy + 'a,
) -> impl Iterator<Item = Contestant<'a>> {
    let available = Instructions::ALL.into_iter().filter(|instructions| instructions.are_available());
    available.map(move |instructions| {
        let compute = move |state: &mut S| {
            with_instructions(instructions, || compute(state)).expect("the machine was asked");
        };
        Contestant::new(Column::Lanes(instructions), state.clone(), compute, read)
    })
}

/// Bundle adjustment, for one observation.
pub(crate) fn bundle_adjustment(scene: &Scene) -> Vec<Row<'_>> {
    let Scene { cameras, points, weights, features, seen } = scene;
    let jacobians = contestants(
        vec![[[0.0; 15]; 2]; seen.len()],
        |rows| write_jacobians(rows, cameras, points, weights, features, seen),
        |rows| rows.as_flattened().as_flattened().to_vec(),
    );
    let row = Row::in_lanes("bundle adjustment", seen.len())
        .with(ours::bundle_adjustment(scene))
        .with(jacobians)
        .faster(Instructions::Avx512, 3.0)
        .within(Instructions::Avx512, 22e-9)
        .within(Instructions::Avx2, 36e-9);
    vec![row]
}

/// A Gaussian mixture.
pub(crate) fn gaussian_mixture<const D: usize, const F: usize, const K: usize>(
    mixture: &Mixture<D, F, K>,
) -> Vec<Row<'_>> {
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = mixture;
    let gradients = contestants(
        Parameters::ZERO,
        |g: &mut Parameters<D, F, K>| (_, g.alphas, g.means, g.icf) = gradient_in_lanes(alphas, means, icf, x, prior),
        Parameters::to_vec,
    );
    let thousands = x.len() as f64 / 1000.0;
    let row = Row::in_lanes(format!("Gaussian mixture, N = {}", x.len()), 1)
        .with(ours::gaussian_mixture(mixture))
        .with(gradients)
        .faster(Instructions::Avx512, 3.0)
        .within(Instructions::Avx512, 0.40e-3 * thousands)
        .within(Instructions::Avx2, 0.45e-3 * thousands);
    vec![row]
}
