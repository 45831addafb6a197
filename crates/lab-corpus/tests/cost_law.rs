//! What a pullback costs: one sweep backwards, and one run forwards for each level of functions and of blocks with ancillas.

use lab_corpus::nesting::{BLOCKS, FUNCTIONS, Nested, branching, calls, descent, pulled, recursion};

/// The calls of a run forwards, and how many times as many a pullback makes.
fn price(run: impl Fn() -> f64, pullback: impl Fn() -> (f64, f64)) -> (usize, f64) {
    let forward = calls(run);
    (forward, calls(pullback) as f64 / forward as f64)
}

#[test]
fn each_function_costs_one_more_run() {
    for &Nested { depth, run, pullback } in FUNCTIONS {
        assert_eq!(price(|| run(2.0), || pullback(2.0)), (1, 1.0 + depth as f64), "{depth} functions");
    }
}

#[test]
fn each_block_with_an_ancilla_costs_one_more_run() {
    for &Nested { depth, run, pullback } in BLOCKS {
        let turns = 1 << (depth - 1);
        assert_eq!(price(|| run(2.0), || pullback(2.0)), (turns, 1.0 + depth as f64), "{depth} blocks");
    }
}

#[test]
fn each_turn_of_a_recursive_function_costs_one_more_run() {
    for depth in 0..=64 {
        let price = price(|| recursion(2.0, depth), || pulled(|slope| recursion::pullback((2.0, slope), depth, 1.0)));
        assert_eq!(price, (1, 1.0 + depth as f64), "depth {depth}");
    }
}

#[test]
fn an_expression_that_branches_costs_one_more_run() {
    for depth in 0..=64 {
        let price = price(|| branching(2.0, depth), || pulled(|slope| branching::pullback((2.0, slope), depth, 1.0)));
        assert_eq!(price, (1, 2.0 * (1.0 + depth as f64)), "depth {depth}");
    }
}

#[test]
fn procedures_cost_one_sweep_however_deep_they_call() {
    for depth in 0..=64 {
        let (mut y, mut gx) = (0.0, 0.0);
        let forward = calls(|| descent(&mut y, 2.0, depth));
        let pullback = calls(|| descent::pullback((&mut y, &mut 1.0), (2.0, &mut gx), depth));
        assert_eq!((forward, pullback), (depth + 1, depth + 1), "depth {depth}");
    }
}
