//! What derivatives allocate: nothing, however long the run.

use allocation_counter::{AllocationInfo, measure};
use lab::programs::solar_system::{Bodies, solar_system};
use lab::yardsticks;

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
fn the_counter_counts() {
    assert_eq!(measure(|| drop(std::hint::black_box(vec![0.0; 100]))).bytes_max, 800);
}
