//! What derivatives allocate: nothing, however long the run, and no more for many data than for few.

use allocation_counter::{AllocationInfo, measure};
use lab_corpus::programs::gaussian_mixture::{
    objective, objective_of_slices, objective_of_slices_plain, objective_plain,
};
use lab_corpus::programs::nice::{Coupling, nice};
use lab_corpus::programs::solar_system::{Bodies, solar_system};
use lab_corpus::yardsticks;
use lab_corpus::yardsticks::data::{Mixture, Parameters, Random};

/// A million steps; a build with checks takes too long for so many.
const MANY: usize = if cfg!(debug_assertions) { 10_000 } else { 1_000_000 };

/// Through how many steps to take the bodies, and the adjoint of where the Earth is back through them.
type Gradient = fn(steps: usize);

/// The derivative by hand: it shows that the counter sees what it should.
fn by_hand(steps: usize) {
    let Bodies { mut x, mut v, m } = Bodies::solar_system();
    let (mut g_x, mut g_v, mut g_m) = ([[0.0; 3]; 8], [[0.0; 3]; 8], [0.0; 8]);
    g_x[2][0] = 1.0;
    yardsticks::solar_system::solar_system(&mut x, &mut v, &m, 0.5, steps);
    yardsticks::solar_system::pullback((&mut x, &mut g_x), (&mut v, &mut g_v), (&m, &mut g_m), 0.5, steps);
    assert!(g_x.as_flattened().iter().all(|g: &f64| g.is_finite()));
}

/// The derivative that retrograd makes.
fn ours(steps: usize) {
    let Bodies { mut x, mut v, m } = Bodies::solar_system();
    let (mut g_x, mut g_v, mut g_m, mut g_dt) = ([[0.0; 3]; 8], [[0.0; 3]; 8], [0.0; 8], 0.0);
    g_x[2][0] = 1.0;
    solar_system(&mut x, &mut v, &m, 0.5, steps);
    solar_system::pullback((&mut x, &mut g_x), (&mut v, &mut g_v), (&m, &mut g_m), (0.5, &mut g_dt), steps);
    assert!(g_x.as_flattened().iter().all(|g: &f64| g.is_finite()));
}

/// There and back without derivatives.
fn there_and_back(steps: usize) {
    let Bodies { mut x, mut v, m } = Bodies::solar_system();
    solar_system(&mut x, &mut v, &m, 0.5, steps);
    solar_system::uncall(&mut x, &mut v, &m, 0.5, steps);
    assert!(x.as_flattened().iter().all(|x: &f64| x.is_finite()));
}

/// Everything that takes bodies through time.
const GRADIENTS: [(&str, Gradient); 3] = [("ours", ours), ("by hand", by_hand), ("there and back", there_and_back)];

#[test]
fn a_gradient_through_many_steps_allocates_nothing() {
    for (name, gradient) in GRADIENTS {
        let AllocationInfo { count_total, bytes_total, .. } = measure(|| gradient(MANY));
        assert_eq!((count_total, bytes_total), (0, 0), "{name}");
    }
}

#[test]
fn the_peak_of_memory_does_not_grow_with_the_steps() {
    for (name, gradient) in GRADIENTS {
        let [few, many] = [100, MANY].map(|steps| measure(|| gradient(steps)).bytes_max);
        assert_eq!(few, many, "{name}");
    }
}

#[test]
fn a_gradient_through_many_coupling_layers_keeps_nothing_of_them() {
    let mut random = Random::new(1);
    let mut coupling = |_| Coupling::<f64, 2, 2> {
        inner: [random.array(-0.1, 0.1), random.array(-0.1, 0.1)],
        inner_bias: random.array(-0.1, 0.1),
        outer: [random.array(-0.1, 0.1), random.array(-0.1, 0.1)],
        outer_bias: random.array(-0.1, 0.1),
    };
    let none = Coupling { inner: [[0.0; 2]; 2], inner_bias: [0.0; 2], outer: [[0.0; 2]; 2], outer_bias: [0.0; 2] };
    let layers: Vec<Coupling<f64, 2, 2>> = (0..1000).map(&mut coupling).collect();
    let (scales, start) = ([[0.1, 0.2], [0.3, 0.4]], [[1.0, 2.0], [3.0, 4.0]]);
    let (mut x, mut g_x) = (start, [[1.0; 2]; 2]);
    let (mut g_layers, mut g_scales) = (vec![none; 1000], [[0.0; 2]; 2]);
    let AllocationInfo { count_total, .. } = measure(|| {
        nice(&mut x, &layers, &scales);
        nice::pullback((&mut x, &mut g_x), (&layers, &mut g_layers), (&scales, &mut g_scales));
    });
    assert_eq!(count_total, 0);
    assert!(x.as_flattened().iter().zip(start.as_flattened()).all(|(x, start)| f64::abs(x - start) < 1e-12));
    assert!(g_layers.iter().all(|g| *g != none));
}

/// A mixture of three components in two dimensions, and points.
type Points = Mixture<2, 3, 3>;

/// A gradient of the mixture, of whose parts any is looked at.
type MixtureGradient = fn(&Points) -> f64;

/// The objective with arrays: its gradients are arrays too.
const OF_ARRAYS: [(&str, MixtureGradient); 2] = [
    ("objective", |Points { parameters: Parameters { alphas, means, icf }, x, prior }| {
        objective::gradient(alphas, means, icf, x, prior).1[0]
    }),
    ("objective_plain", |Points { parameters: Parameters { alphas, means, icf }, x, prior }| {
        objective_plain::gradient(alphas, means, icf, x, prior).1[0]
    }),
];

/// The objective with slices: locals of each point are vectors, which are given back after the point.
const OF_SLICES: [(&str, MixtureGradient); 2] = [
    ("objective_of_slices", |Points { parameters: Parameters { alphas, means, icf }, x, prior }| {
        objective_of_slices::gradient(alphas, means.as_flattened(), icf.as_flattened(), x.as_flattened(), prior).1[0]
    }),
    ("objective_of_slices_plain", |Points { parameters: Parameters { alphas, means, icf }, x, prior }| {
        let (means, icf) = (means.as_flattened(), icf.as_flattened());
        objective_of_slices_plain::gradient(alphas, means, icf, x.as_flattened(), prior).1[0]
    }),
];

/// What a gradient allocates beside the data, for 10, 100 and 1000 points.
fn allocated(gradient: MixtureGradient) -> [AllocationInfo; 3] {
    [10, 100, 1000].map(|points| {
        let mixture = Points::new(points);
        measure(|| assert!(gradient(&mixture).is_finite()))
    })
}

#[test]
fn a_gradient_of_arrays_allocates_nothing_however_many_the_points() {
    for (name, gradient) in OF_ARRAYS {
        assert_eq!(allocated(gradient).map(|info| (info.count_total, info.bytes_max)), [(0, 0); 3], "{name}");
    }
}

#[test]
fn the_peak_of_memory_does_not_grow_with_the_points() {
    for (name, gradient) in OF_SLICES {
        let [few, more, many] = allocated(gradient).map(|info| (info.count_max, info.bytes_max));
        assert!(few.0 > 0 && few == more && more == many, "{name}: {few:?}, {more:?}, {many:?}");
    }
}

#[test]
fn the_counter_counts() {
    assert_eq!(measure(|| drop(std::hint::black_box(vec![0.0; 100]))).bytes_max, 800);
}
