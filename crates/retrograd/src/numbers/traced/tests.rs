use proptest::prelude::*;

use super::*;
use crate::{Dual, Real};

/// A random program: a straight line of operations, each on two of the numbers that are there by then.
#[derive(Clone, Debug)]
struct Program(Vec<(u8, usize, usize)>);

impl Program {
    /// All values stay moderate, and nothing has a kink that a random point would hit.
    fn run<T: Real>(&self, x: &[T]) -> T {
        let mut values = x.to_vec();
        for &(operation, a, b) in &self.0 {
            let (a, b) = (values[a % values.len()], values[b % values.len()]);
            values.push(match operation % 15 {
                0 => a + b,
                1 => a - b * T::lit(0.5),
                2 => (a * b).tanh(),
                3 => a / (b * b + T::one()),
                4 => (a - b).sin(),
                5 => a.square().hypot(b + T::lit(2.0)).ln_1p(),
                6 => (-(a * a)).exp() * b,
                7 => (a * a + T::one()).sqrt(),
                8 => a.atan2(b * b + T::one()),
                9 => a.tanh().mul_add(b.cos(), a),
                10 => (a * a + T::lit(0.5)).powf(b.tanh()),
                11 => a.max(b).atan(),
                12 => -a.cos() * T::lit(0.7),
                13 => a.tanh().powi(3) - b.trunc(),
                _ => a.erf() + b.clamp(-T::one(), T::one()),
            });
        }
        // Not everything that was computed is needed.
        values[values.len() - 1].sin() + values[values.len() / 2]
    }
}

fn programs() -> impl Strategy<Value = (Program, Vec<f64>)> {
    let operations = prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 1..30);
    (operations.prop_map(Program), prop::collection::vec(-2.0..2.0_f64, 3))
}

fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-8 * a.abs().max(1.0))
}

proptest! {
    #[test]
    fn all_second_derivatives_agree((program, x) in programs()) {
        let graph = trace(&x, |x| program.run(x));
        prop_assert_eq!(graph.value(), program.run(&x));

        let variables: Vec<Dual<Dual<f64, 3>, 3>> =
            x.iter().enumerate().map(|(i, &x)| Dual::variable(Dual::variable(x, i), i)).collect();
        let dual = program.run(&variables);
        prop_assert!(near(&dual.re.eps, &graph.gradient()));

        let nested: Vec<f64> = dual.eps.iter().flat_map(|row| row.eps).collect();
        let (dense, sparse) = (graph.hessian(), graph.sparse_hessian());
        prop_assert!(near(&nested, &dense), "nested {nested:?}, adjoint over adjoint {dense:?}");
        prop_assert!(near(&dense, &sparse.to_dense()), "adjoint over adjoint {dense:?}, edge pushing {sparse:?}");

        let direction = [0.3, -1.0, 2.0];
        let product: Vec<f64> = dense.chunks(3).map(|row| row.iter().zip(direction).map(|(h, v)| h * v).sum()).collect();
        prop_assert!(near(&product, &graph.hessian_vector(&direction)));
    }

    #[test]
    fn what_has_a_derivative_is_in_the_pattern((program, x) in programs()) {
        let graph = trace(&x, |x| program.run(x));
        for (i, derivative) in graph.gradient().into_iter().enumerate() {
            prop_assert!(derivative == 0.0 || graph.sparsity()[0].contains(&i));
        }
        let pattern = graph.hessian_sparsity();
        for (i, second) in graph.hessian().into_iter().enumerate() {
            let (row, column) = (i / 3, i % 3);
            prop_assert!(second == 0.0 || pattern.contains(&(row.max(column), row.min(column))));
        }
    }

    #[test]
    fn tangents_and_adjoints_are_transposed((program, x) in programs(), seed in -2.0..2.0_f64) {
        let graph = trace(&x, |x| [program.run(x), x[0] * x[2]]);
        let (tangent, adjoint) = ([1.0, seed, -0.5], [seed, 2.0]);
        let left: f64 = graph.pushforward(&tangent).iter().zip(adjoint).map(|(a, b)| a * b).sum();
        let right: f64 = graph.pullback(&adjoint).iter().zip(tangent).map(|(a, b)| a * b).sum();
        prop_assert!((left - right).abs() <= 1e-10 * left.abs().max(1.0));
    }
}

/// x₀ meets every other input, and these meet nobody else: an arrow-head.
fn arrow_head<T: Real>(x: &[T]) -> T {
    let mut sum = x[0].square();
    for i in 1..x.len() {
        sum += x[0] * x[i].sin();
    }
    sum
}

/// Each input meets its neighbour: a band.
fn band<T: Real>(x: &[T]) -> T {
    let mut sum = T::zero();
    for i in 1..x.len() {
        sum += (x[i] - x[i - 1].square()).square() + (T::one() - x[i - 1]).square();
    }
    sum
}

/// A product of all: dense.
fn product<T: Real>(x: &[T]) -> T {
    x.iter().fold(T::one(), |product, &x| product * x)
}

fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.5 + 0.01 * i as f64).collect()
}

#[test]
fn patterns_are_exact() {
    let n = 8;
    let x = point(n);
    let arrow: Vec<_> = (0..n).flat_map(|i| [(i, 0), (i, i)]).skip(1).collect();
    assert_eq!(trace(&x, arrow_head).hessian_sparsity(), arrow);

    // The last input occurs as a square only: all of the diagonal is there.
    let banded: Vec<_> = (0..n).flat_map(|i| [(i, i.max(1) - 1), (i, i)]).skip(1).collect();
    assert_eq!(trace(&x, band).hessian_sparsity(), banded);

    let dense: Vec<_> = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).collect();
    assert_eq!(trace(&x, product).hessian_sparsity(), dense);

    let linear = trace(&x, |x| x.iter().fold(Traced::zero(), |sum, &x| sum - x * 2.0 + x.abs().max(x / 3.0)));
    assert_eq!(linear.hessian_sparsity(), []);
    assert_eq!(linear.sparsity(), [Vec::from_iter(0..n)]);
}

// Twice the inputs make twice the work where they make twice the entries, and four times where they make four times.
#[test]
fn the_cost_of_edge_pushing_follows_the_entries() {
    let work = |f: fn(&[Traced]) -> Traced, n: usize| {
        let hessian = trace(&point(n), f).sparse_hessian();
        (hessian.pushes() as f64, hessian.entries().len() as f64)
    };
    for f in [arrow_head::<Traced>, band, product] {
        let ((pushes, entries), (more_pushes, more_entries)) = (work(f, 100), work(f, 200));
        assert!((more_pushes / pushes) / (more_entries / entries) < 1.1);
        assert!(pushes < 12.0 * entries, "{pushes} pushes for {entries} entries");
    }
    // A sweep for each input is much more, for the same numbers.
    let graph = trace(&point(200), band);
    assert!(20 * graph.sparse_hessian().pushes() < 200 * graph.nodes().len());
    assert!(near(&graph.hessian(), &graph.sparse_hessian().to_dense()));
}

#[test]
fn a_constant_output_has_no_derivatives() {
    let graph = trace(&[1.0, 2.0], |x| x[0].floor() + 2.0);
    assert_eq!((graph.value(), graph.gradient(), graph.hessian()), (3.0, vec![0.0; 2], vec![0.0; 4]));
    assert_eq!((graph.sparsity(), graph.hessian_sparsity()), (vec![vec![]], vec![]));
}

#[test]
fn an_output_may_be_an_input_and_occur_twice() {
    let graph = trace(&[1.0, 2.0], |x| (x[1], vec![x[1], x[0] * x[0]]));
    assert_eq!(graph.pullback(&[1.0, 10.0, 100.0]), [200.0, 11.0]);
    assert_eq!(graph.sparsity(), [vec![1], vec![1], vec![0]]);
}

#[test]
fn a_number_that_meets_itself_is_one_parent() {
    let graph = trace(&[3.0], |x| x[0] * x[0] - x[0] / x[0] + x[0].powf(x[0]) + (x[0] - x[0]));
    for node in &graph.nodes()[1..] {
        let parents: Vec<usize> = node.partials().map(|partial| partial.0).collect();
        assert!(!matches!(parents[..], [a, b] if a == b), "{node:?}");
    }
    let ln = 3.0_f64.ln();
    assert!((graph.gradient()[0] - (6.0 + 27.0 * (ln + 1.0))).abs() < 1e-12);
    assert!((graph.hessian()[0] - (2.0 + 27.0 * (ln + 1.0).powi(2) + 9.0)).abs() < 1e-12);
}

// Each trace takes its own part of a nested one; numbers of two traces cannot meet.
#[test]
fn traces_can_be_nested() {
    let outer = trace(&[2.0], |x| {
        let y = x[0] * x[0];
        let inner = trace(&[y.value()], |z| {
            let _of_the_outer_one = x[0] + 1.0;
            z[0].exp()
        });
        y * inner.gradient()[0]
    });
    assert_eq!(outer.gradient(), [4.0 * 4.0_f64.exp()]);
}

#[test]
#[should_panic(expected = "meets a number of another trace")]
fn numbers_of_two_traces_cannot_meet() {
    trace(&[2.0], |x| {
        trace(&[3.0], |z| z[0] * x[0]);
        x[0]
    });
}

#[test]
#[should_panic(expected = "is the result of another trace")]
fn the_result_of_another_trace_is_refused() {
    trace(&[2.0], |x| {
        trace(&[3.0], |_| x[0]);
        x[0]
    });
}

#[test]
#[should_panic(expected = "is used outside of its trace")]
fn a_number_is_not_used_behind_its_trace() {
    let mut leaked = Traced::zero();
    trace(&[2.0], |x| {
        leaked = x[0];
        x[0]
    });
    let _ = leaked + 1.0;
}

#[test]
fn a_trace_that_panics_is_closed() {
    let mut leaked = Traced::zero();
    let leak = || {
        trace(&[2.0], |x| -> Traced {
            leaked = x[0];
            panic!("on purpose")
        })
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(leak)).is_err());
    assert!(std::panic::catch_unwind(|| leaked * leaked).is_err());
    assert_eq!(trace(&[2.0], |x| x[0] * x[0]).gradient(), [4.0]);
}

#[test]
#[should_panic(expected = "the graph has 2 outputs, and only a graph with one has a gradient")]
fn two_outputs_have_no_gradient() {
    trace(&[2.0], |x| [x[0], x[0]]).gradient();
}

#[test]
#[should_panic(expected = "1 tangents are given for a graph with 2 inputs")]
fn tangents_that_are_missing_are_refused() {
    trace(&[2.0, 1.0], |x| x[0]).pushforward(&[1.0]);
}
