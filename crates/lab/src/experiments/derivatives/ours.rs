//! Where the derivatives that retrograd makes take part.

use std::hint::black_box;

use retrograd::Seeds;

use super::contest::RETROGRAD;
use super::rows::jacobians;
use lab_corpus::programs::bessel::bessel_j;
use lab_corpus::programs::bundle_adjustment::{alone, residual, residual_in_parts};
use lab_corpus::programs::gaussian_mixture::{
    objective, objective_of_slices, objective_of_slices_plain, objective_plain,
};
use lab_corpus::programs::graph_embedding::embedding_loss;
use lab_corpus::programs::solar_system::{Bodies, solar_system as bodies_through_time};
use lab_corpus::programs::sparse_dot::{
    Csc, CscShadow, sparse_dot as recorded_dot, sparse_dot_of_matches as matched_dot,
};
use lab_corpus::yardsticks::data::{Mixture, Parameters, Scene};
use lab_report::measure::Contestant;

/// Two adjoints in one sweep.
type Both = Seeds<f64, 2>;

/// `residual::pullback`.
pub(crate) fn bundle_adjustment(scene: &Scene) -> Contestant<'_> {
    jacobians(scene, alone, RETROGRAD)
}

/// `residual_in_parts::pullback`.
pub(crate) fn bundle_adjustment_in_parts(scene: &Scene) -> Contestant<'_> {
    let jacobian = |camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]| {
        let (mut g_camera, mut g_point, mut g_weight) = ([Both::default(); 11], [Both::default(); 3], Both::default());
        let (camera, point, weight) = ((camera, &mut g_camera), (point, &mut g_point), (weight, &mut g_weight));
        residual_in_parts::pullback(camera, point, weight, feature, [Seeds::basis(0), Seeds::basis(1)]);
        let mut rows = [[0.0; 15]; 2];
        for (k, row) in rows.iter_mut().enumerate() {
            for (g, seeds) in row.iter_mut().zip(g_camera.iter().chain(&g_point).chain([&g_weight])) {
                *g = seeds[k];
            }
        }
        rows
    };
    jacobians(scene, jacobian, RETROGRAD)
}

/// `residual::jacobian`, which returns new vectors.
pub(crate) fn bundle_adjustment_as_vectors(scene: &Scene) -> Contestant<'_> {
    let jacobian = |camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]| {
        let (_, rows) = residual::jacobian(camera, point, weight, feature);
        rows.map(|row| row.try_into().expect("15 numbers"))
    };
    jacobians(scene, jacobian, RETROGRAD)
}

/// `objective::gradient`.
pub(crate) fn gaussian_mixture<const D: usize, const F: usize, const K: usize>(
    mixture: &Mixture<D, F, K>,
) -> Contestant<'_> {
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = mixture;
    let compute = |g: &mut Parameters<D, F, K>| {
        (_, g.alphas, g.means, g.icf) = objective::gradient(alphas, means, icf, x, prior);
    };
    Contestant::new(RETROGRAD, Parameters::ZERO, compute, Parameters::to_vec)
}

/// `objective_plain::gradient`.
pub(crate) fn gaussian_mixture_plain<const D: usize, const F: usize, const K: usize>(
    mixture: &Mixture<D, F, K>,
) -> Contestant<'_> {
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = mixture;
    let compute = |g: &mut Parameters<D, F, K>| {
        (_, g.alphas, g.means, g.icf) = objective_plain::gradient(alphas, means, icf, x, prior);
    };
    Contestant::new(RETROGRAD, Parameters::ZERO, compute, Parameters::to_vec)
}

/// `objective_of_slices::gradient`.
pub(crate) fn gaussian_mixture_of_slices<const D: usize, const F: usize, const K: usize>(
    mixture: &Mixture<D, F, K>,
) -> Contestant<'_> {
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = mixture;
    let compute = |g: &mut [Vec<f64>; 3]| {
        let (means, icf) = (means.as_flattened(), icf.as_flattened());
        let (_, g_alphas, g_means, g_icf) = objective_of_slices::gradient(alphas, means, icf, x.as_flattened(), prior);
        *g = [g_alphas, g_means, g_icf];
    };
    Contestant::new(RETROGRAD, [const { Vec::new() }; 3], compute, |g| g.concat())
}

/// `objective_of_slices_plain::gradient`.
pub(crate) fn gaussian_mixture_of_slices_plain<const D: usize, const F: usize, const K: usize>(
    mixture: &Mixture<D, F, K>,
) -> Contestant<'_> {
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = mixture;
    let compute = |g: &mut [Vec<f64>; 3]| {
        let (means, icf) = (means.as_flattened(), icf.as_flattened());
        let (_, g_alphas, g_means, g_icf) =
            objective_of_slices_plain::gradient(alphas, means, icf, x.as_flattened(), prior);
        *g = [g_alphas, g_means, g_icf];
    };
    Contestant::new(RETROGRAD, [const { Vec::new() }; 3], compute, |g| g.concat())
}

/// `embedding_loss::gradient`.
pub(crate) fn graph_embedding<const K: usize>(x: &[[f64; K]; 10]) -> Contestant<'_> {
    let compute = |g: &mut [[f64; K]; 10]| *g = embedding_loss::gradient(black_box(x)).1;
    Contestant::new(RETROGRAD, [[0.0; K]; 10], compute, |g| g.as_flattened().to_vec())
}

/// `embedding_loss::hessian`.
pub(crate) fn graph_embedding_hessian<const K: usize>(x: &[[f64; K]; 10]) -> Contestant<'_> {
    let compute = |h: &mut Vec<f64>| *h = embedding_loss::hessian(black_box(x)).2;
    Contestant::new(RETROGRAD, Vec::new(), compute, Vec::clone)
}

/// `bessel_j::gradient`.
pub(crate) fn bessel(nu: u32, z: &f64) -> Contestant<'_> {
    let compute = move |g: &mut f64| *g = bessel_j::gradient(black_box(nu), *black_box(z)).1;
    Contestant::new(RETROGRAD, 0.0, compute, |g| vec![*g])
}

/// `bessel_j::pullback`.
pub(crate) fn bessel_backwards(nu: u32, z: &f64) -> Contestant<'_> {
    let compute = move |g: &mut f64| {
        *g = 0.0;
        bessel_j::pullback(black_box(nu), (*black_box(z), g), 1.0);
    };
    Contestant::new(RETROGRAD, 0.0, compute, |g| vec![*g])
}

/// Adjoints of two sparse matrices, from the adjoint 1 of their product.
fn adjoints<'a>(
    a: &'a Csc<f64>,
    b: &'a Csc<f64>,
    pullback: impl Fn(&mut CscShadow<f64>, &mut CscShadow<f64>) + 'a,
) -> Contestant<'a> {
    let zero = |a: &Csc<f64>| CscShadow {
        starts: vec![(); a.starts.len()],
        rows: vec![(); a.rows.len()],
        values: vec![0.0; a.values.len()],
    };
    Contestant::new(
        RETROGRAD,
        (zero(a), zero(b)),
        move |(g_a, g_b)| {
            g_a.values.fill(0.0);
            g_b.values.fill(0.0);
            pullback(g_a, g_b);
        },
        |(g_a, g_b)| [&g_a.values[..], &g_b.values].concat(),
    )
}

/// `sparse_dot::pullback`.
pub(crate) fn sparse_dot<'a>(a: &'a Csc<f64>, b: &'a Csc<f64>) -> Contestant<'a> {
    adjoints(a, b, |g_a, g_b| recorded_dot::pullback((&mut 0.0, &mut 1.0), (a, g_a), (b, g_b)))
}

/// `sparse_dot_of_matches::pullback`.
pub(crate) fn sparse_dot_of_matches<'a>(a: &'a Csc<f64>, b: &'a Csc<f64>) -> Contestant<'a> {
    adjoints(a, b, |g_a, g_b| matched_dot::pullback((&mut 0.0, &mut 1.0), (a, g_a), (b, g_b)))
}

/// `solar_system`, then its `pullback`.
pub(crate) fn solar_system<'a>(dt: f64, steps: usize) -> Contestant<'a> {
    let Bodies { x, v, m } = Bodies::solar_system();
    let compute = move |(g_x, g_v, g_m): &mut ([[f64; 3]; 8], [[f64; 3]; 8], [f64; 8])| {
        let (mut x, mut v, mut g_dt) = (x, v, 0.0);
        (*g_x, *g_v, *g_m) = ([[0.0; 3]; 8], [[0.0; 3]; 8], [0.0; 8]);
        g_x[2][0] = 1.0;
        bodies_through_time(&mut x, &mut v, &m, dt, steps);
        bodies_through_time::pullback((&mut x, g_x), (&mut v, g_v), (&m, g_m), (dt, &mut g_dt), steps);
    };
    let read = |(g_x, g_v, g_m): &([[f64; 3]; 8], [[f64; 3]; 8], [f64; 8])| {
        [g_x.as_flattened(), g_v.as_flattened(), g_m].concat()
    };
    Contestant::new(RETROGRAD, ([[0.0; 3]; 8], [[0.0; 3]; 8], [0.0; 8]), compute, read)
}
