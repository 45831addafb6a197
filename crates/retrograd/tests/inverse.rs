//! Inverse accumulation through recorded programs: products against dense matrices, lumps against trying all cuts.

#![cfg(feature = "inverse")]

mod dense;
#[path = "inverse/lumps.rs"]
mod lumps;
#[path = "inverse/newton.rs"]
mod newton;
#[path = "inverse/steps.rs"]
mod steps;

use dense::{inverted, times, transposed};
use retrograd::inverse::{Error, LogDet};
use retrograd::numbers::Graph;
use retrograd::{Real, Traced, trace};

/// A random program without branches: each operation with the values that it reads, by number. The first are the inputs.
#[derive(Clone, Debug)]
struct Program {
    operations: Vec<(u64, usize, usize)>,
    outputs: Vec<usize>,
}

/// Random numbers by Steele, Lea and Flood: enough for programs.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn number(&mut self) -> f64 {
        self.below(4001) as f64 / 1000.0 - 2.0
    }

    fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }

    /// The last values are read and returned more often: otherwise most programs would have an output too few.
    fn program(&mut self, inputs: usize, operations: usize) -> Program {
        let mut program = Program { operations: Vec::new(), outputs: Vec::new() };
        for i in inputs..inputs + operations {
            let mut operand = || i - 1 - self.below(i.min(inputs + 2));
            let (a, b) = (operand(), operand());
            program.operations.push((self.below(7) as u64, a, b));
        }
        let n = inputs + operations;
        while program.outputs.len() < inputs {
            let output = n - 1 - self.below(n.min(2 * inputs));
            if !program.outputs.contains(&output) || self.below(50) == 0 {
                program.outputs.push(output);
            }
        }
        program
    }
}

impl Program {
    fn operation(&self, (operation, a, b): (u64, Traced, Traced)) -> Traced {
        match operation {
            0 => a + b,
            1 => a * 0.5 - b,
            2 => a * b + 0.25,
            3 => (a + 0.1).sin() - b * 0.75,
            4 => a.exp().tanh() + b,
            5 => a / (b * b + 1.0),
            _ => a * 1.5 + 0.5,
        }
    }

    fn run(&self, x: &[Traced]) -> Vec<Traced> {
        let mut values = x.to_vec();
        for &(operation, a, b) in &self.operations {
            values.push(self.operation((operation, values[a], values[b])));
        }
        self.outputs.iter().map(|&output| values[output]).collect()
    }
}

/// The Jacobian, row by row.
fn jacobian(graph: &Graph) -> Vec<Vec<f64>> {
    let n = graph.inputs();
    (0..n).map(|i| graph.pullback(&Vec::from_iter((0..n).map(|j| f64::from(i == j))))).collect()
}

#[track_caller]
fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs()));
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance * size, "{found:?} instead of {expected:?}");
    }
}

#[test]
fn the_four_products_are_those_of_dense_matrices() {
    let mut tried = 0;
    for seed in 0.. {
        let mut random = Random(seed);
        let inputs = 1 + random.below(6);
        let operations = 1 + random.below(30);
        let program = random.program(inputs, operations);
        let graph = trace(&random.numbers(inputs), |x| program.run(x));
        let matrix = jacobian(&graph);
        // What overflows has no derivatives.
        if !matrix.iter().flatten().all(|x| x.is_finite()) {
            continue;
        }
        let v = random.numbers(inputs);
        let modes = match graph.inverse() {
            Ok(modes) => modes,
            Err(Error::StructurallySingular { rank, cut }) => {
                assert!(rank < inputs && cut.len() == rank);
                assert!(inverted(&matrix).is_none(), "{program:?} was called singular");
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        assert_near(&modes.jvp(&v), &times(&matrix, &v), 1e-12);
        assert_near(&modes.vjp(&v), &times(&transposed(&matrix), &v), 1e-12);
        let Some((inverse, det, condition)) = inverted(&matrix) else { continue };
        if condition > 1e6 {
            continue;
        }
        // Both sides round, and the matrix has been rounded already.
        let tolerance = 1e-11 * condition * modes.growth().unwrap().max(1.0);
        assert_near(&modes.solve(&v).unwrap(), &times(&inverse, &v), tolerance);
        assert_near(&modes.solve_transposed(&v).unwrap(), &times(&transposed(&inverse), &v), tolerance);
        let found = modes.log_det().unwrap();
        assert_eq!(found.sign, det.sign);
        assert_near(&[found.log_abs], &[det.log_abs], tolerance);
        tried += 1;
        if tried == 1000 {
            break;
        }
    }
}

/// `r1 *= r2; r3 = r1 / r3; r2 -= r3; r1 = exp(r1)`.
fn three_registers(x: &[Traced]) -> [Traced; 3] {
    let r1 = x[0] * x[1];
    let r3 = r1 / x[2];
    let r2 = x[1] - r3;
    [r1.exp(), r2, r3]
}

#[test]
fn three_registers_in_all_modes() {
    let (x, v) = ([1.5, 0.7, 2.0], [1.0, 2.0, 3.0]);
    let modes = trace(&x, three_registers).inverse().unwrap();
    assert_near(&modes.jvp(&v), &[10.573309136833705, 0.9375, 1.0625], 1e-14);
    assert_near(&modes.vjp(&v), &[2.350355782644214, 7.036476677094745, -0.2625], 1e-14);
    assert_near(&modes.solve(&v).unwrap(), &[-10.214374644126922, 5.0, -10.762023335026374], 1e-14);
    assert_near(
        &modes.solve_transposed(&v).unwrap(),
        &[2.499555350793968, -0.142857142857143, -11.571428571428573],
        1e-14,
    );
    let LogDet { sign, log_abs } = modes.log_det().unwrap();
    assert_eq!(sign, -1.0);
    assert_near(&[log_abs], &[-0.6441791408891915], 1e-14);
    // It computes in place: each operation is a lump.
    assert!(modes.lumps().iter().all(|lump| lump.width() == 1));
}

/// What everything has in common is added to each: one lump, but a sparse one.
fn rank_one(x: &[Traced]) -> Vec<Traced> {
    let mut sum = Traced::zero();
    for (i, x) in x.iter().enumerate() {
        sum += *x * (0.1 + 0.01 * i as f64);
    }
    let common = sum.tanh();
    x.iter().enumerate().map(|(i, x)| *x + common * (0.3 - 0.002 * i as f64)).collect()
}

/// Each value with both its neighbours.
fn band(x: &[Traced]) -> Vec<Traced> {
    let neighbour = |i: usize, by: isize| i.checked_add_signed(by).and_then(|i| x.get(i)).copied().unwrap_or_default();
    (0..x.len()).map(|i| x[i] * 3.0 + (neighbour(i, -1) - neighbour(i, 1)).sin()).collect()
}

#[test]
fn large_lumps_are_solved_sparsely() {
    let n = 60;
    let mut random = Random(7);
    for program in [rank_one, band] {
        let graph = trace(&random.numbers(n), program);
        let (inverse, det, _) = inverted(&jacobian(&graph)).unwrap();
        let modes = graph.inverse().unwrap();
        assert_eq!(modes.lumps().iter().map(|lump| lump.width()).max(), Some(n));
        let vectors: Vec<Vec<f64>> = (0..11).map(|_| random.numbers(n)).collect();
        let (solved, transposed_too) =
            (modes.solve_many(&vectors).unwrap(), modes.solve_transposed_many(&vectors).unwrap());
        for (i, v) in vectors.iter().enumerate() {
            assert_near(&solved[i], &times(&inverse, v), 1e-12);
            assert_near(&transposed_too[i], &times(&transposed(&inverse), v), 1e-12);
            assert_near(&modes.jvp(&solved[i]), v, 1e-12);
            assert_near(&modes.vjp(&transposed_too[i]), v, 1e-12);
        }
        assert_eq!(modes.jvp_many(&vectors)[3], modes.jvp(&vectors[3]));
        assert_eq!(modes.vjp_many(&vectors)[3], modes.vjp(&vectors[3]));
        let found = modes.log_det().unwrap();
        assert_eq!(found.sign, det.sign);
        assert_near(&[found.log_abs], &[det.log_abs], 1e-12);
    }
}

#[test]
fn what_is_singular_is_said_to_be() {
    let error = trace(&[1.0, 2.0, 3.0], |x| [x[0], x[1]]).inverse().err();
    assert_eq!(error, Some(Error::NotSquare { inputs: 3, outputs: 2 }));

    // All goes through two values.
    let narrow = trace(&[1.0, 2.0, 3.0], |x| {
        let (a, b) = (x[0] * x[1], x[1] + x[2]);
        [a + b, a - b, a * b]
    });
    let error = narrow.inverse().unwrap_err();
    let named =
        |text: &str| text.contains(&format!("`*` at {}:", file!())) && text.contains(&format!("`+` at {}:", file!()));
    assert!(named(&error.to_string()), "{error}");
    assert!(matches!(error, Error::StructurallySingular { rank: 2, cut } if cut[0].node == 3 && cut[1].node == 4));
    let constant = trace(&[1.0, 2.0], |x| [x[1], Traced::lit(3.0)]).inverse().unwrap_err();
    assert!(constant.to_string().ends_with("functions of input 1"), "{constant}");

    // In place, and in a lump; as large as the dense limit, and larger.
    let here = trace(&[0.0, 1.0], |x| [x[0].square() + x[1], x[1]]).inverse().unwrap();
    assert!(
        matches!(here.solve(&[1.0, 1.0]), Err(Error::Singular { node: 2, operation: "square", location, .. }) if location.file() == file!())
    );
    assert_eq!(here.jvp(&[1.0, 1.0]), [1.0, 1.0]);
    for n in [2, 40] {
        let modes = trace(&vec![1.0; n], |x| {
            let sum: Traced = x.iter().copied().sum();
            x.iter().map(|x| *x * n as f64 - sum).collect::<Vec<_>>()
        });
        let modes = modes.inverse().unwrap();
        assert!(matches!(modes.solve(&vec![1.0; n]), Err(Error::Singular { .. })));
        assert!(matches!(modes.solve_transposed(&vec![1.0; n]), Err(Error::Singular { .. })));
        assert!(matches!(modes.log_det(), Err(Error::Singular { .. })));
    }
}

/// Where a program has no value, it has no derivatives, though rules may give numbers.
#[test]
fn what_is_not_finite_is_said_to_be() {
    let at = |x: f64| trace(&[x, 2.0], |x| [x[0].ln() + x[1], x[1]]).inverse().unwrap();
    for (x, operation) in [(-1.0, "ln"), (f64::NAN, "input"), (f64::INFINITY, "input")] {
        let modes = at(x);
        for found in [
            modes.solve(&[1.0, 1.0]).map(drop),
            modes.solve_transposed(&[1.0, 1.0]).map(drop),
            modes.log_det().map(drop),
            modes.growth().map(drop),
        ] {
            let error = found.unwrap_err();
            assert!(matches!(error, Error::Singular { operation: found, .. } if found == operation), "{error}");
            assert!(error.to_string().starts_with("there is no Jacobian here"), "{error}");
        }
    }
    let mut modes = at(1.0);
    modes.reevaluate(&[-1.0, 2.0]).unwrap();
    assert!(matches!(modes.solve(&[1.0, 1.0]), Err(Error::Singular { node: 2, .. })));
    assert!(matches!(trace(&[-1.0], |x| x[0].ln()).inverse_hessian(), Err(Error::Singular { node: 1, .. })));
}

#[test]
fn a_graph_can_be_moved_until_the_program_decides_otherwise() {
    fn program(x: &[Traced]) -> Vec<Traced> {
        let a = if x[0] > x[1] { x[0] * x[1] } else { x[0] + x[1] };
        let b = x[1].clamp(Traced::lit(-1.0), Traced::lit(4.0)).powi(3) + x[0].max(x[1]);
        vec![a, b.mul_add(x[1], 2.0 / x[0])]
    }
    let mut modes = trace(&[2.0, 1.0], program).inverse().unwrap();
    modes.reevaluate(&[3.0, 0.5]).unwrap();
    let anew = trace(&[3.0, 0.5], program).inverse().unwrap();
    assert_near(&modes.graph().values(), &anew.graph().values(), 1e-15);
    assert_eq!(modes.solve(&[1.0, 2.0]), anew.solve(&[1.0, 2.0]));
    assert_eq!(modes.log_det(), anew.log_det());

    assert!(matches!(modes.reevaluate(&[0.5, 3.0]), Err(Error::OtherBranch(_))));
    assert_eq!(modes.solve(&[1.0, 2.0]), anew.solve(&[1.0, 2.0]));

    let mut rounding = trace(&[1.2], |x| [x[0] * x[0].floor()]).inverse().unwrap();
    assert!(rounding.reevaluate(&[1.7]).is_ok());
    assert!(rounding.reevaluate(&[2.1]).is_err());
    let mut looking = trace(&[1.2], |x| [x[0] * x[0].to_f64()]).inverse().unwrap();
    assert!(looking.reevaluate(&[1.3]).is_err());
}

#[test]
fn a_refined_solution_is_better() {
    // In place, the first step divides by 1e-12; the matrix [[1e-12, 1], [1, 1]] is as well conditioned as any.
    let program = |x: &[Traced]| {
        let a = x[0] * 1e-12 + x[1];
        let b = (x[1] - a) * 1e12;
        [a, a - b * (1.0 - 1e-12)]
    };
    let modes = trace(&[1.0, 1.0], program).inverse().unwrap();
    let v = [0.3, 0.7];
    let error = |x: &[f64]| {
        let back = modes.jvp(x);
        (back[0] - v[0]).abs().max((back[1] - v[1]).abs())
    };
    let rough = error(&modes.solve(&v).unwrap());
    let refined = error(&modes.clone().refined(2).solve(&v).unwrap());
    assert!(refined <= rough, "{refined:e} against {rough:e}");
    assert!(modes.growth().unwrap() > 1e9);
}

#[test]
#[should_panic(expected = "a vector of 1 numbers is given for a Jacobian with 2 rows and columns")]
fn vectors_of_another_length_are_refused() {
    let _ = trace(&[1.0, 2.0], |x| [x[1], x[0]]).inverse().unwrap().solve(&[1.0]);
}
