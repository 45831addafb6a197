//! Determinants of procedures: against dense matrices, there and back, and their derivatives.

mod dense;

use dense::{inverted, times, transposed};
use proptest::prelude::*;
use retrograd::ops::{multiply_lower, multiply_lu, multiply_upper};
use retrograd::prelude::*;
use retrograd::{Dual, ErrorKind, LogDet, attempt};

/// Every statement that has a determinant, by its number; one random program is a few of them in a row.
#[reversible]
fn interpret<T: Real>(x: &mut [T], c: &[T], op: &[u8], i: &[usize], j: &[usize], k: &[usize]) {
    for t in 0..op.len() {
        match op[t] {
            0 => x[i[t]] += c[t] * x[j[t]],
            1 => x[i[t]] -= x[j[t]].sin() * x[k[t]],
            2 => x[i[t]] *= c[t],
            3 => x[i[t]] /= c[t] + x[j[t]].cos() * 0.25,
            4 => x[i[t]] *= (c[t] * x[j[t]]).tanh().exp(),
            5 => x[i[t]] = -x[i[t]],
            6 => x.swap(i[t], j[t]),
            7 => rotate(&mut x[i[t]], &mut x[j[t]], c[t]),
            8 => x[i[t]] = x[i[t]].sinh(),
            9 => x[i[t]] = x[i[t]].asinh(),
            10 => x.rotate_left(i[t]),
            11 => couple(&mut x[i[t]], &mut x[j[t]], c[t]),
            12 => couple::uncall(&mut x[i[t]], &mut x[j[t]], c[t]),
            13 => {
                let mut scale = c[t];
                scale = scale.tanh();
                scale *= c[t];
                x[i[t]] *= (scale * x[j[t]]).sin().exp();
            }
            14 => {
                #[compute]
                {
                    x[j[t]] *= c[t];
                }
                x[i[t]] *= x[j[t]].cos() + 1.5;
            }
            _ => {
                #[inverse]
                {
                    x[i[t]] *= c[t] * 0.5 + 1.0;
                    x[i[t]] += x[j[t]];
                }
            }
        }
    }
}

#[reversible]
fn couple<T: Real>(a: &mut T, b: &mut T, c: T) {
    *a *= (*b * c).cos() + 2.0;
    *b += a.sin();
    swap(a, b);
    *b = stretched(*b);
}

#[bijection(inverse = (y + y).asinh() / T::lit(2.0), d = (y + y).cosh())]
fn stretched<T: Real>(y: T) -> T {
    (y + y).sinh() / T::lit(2.0)
}

const OPS: u8 = 16;

/// A random program, and where it is run.
#[derive(Clone, Debug)]
struct Program {
    x: Vec<f64>,
    c: Vec<f64>,
    op: Vec<u8>,
    i: Vec<usize>,
    j: Vec<usize>,
    k: Vec<usize>,
}

impl Program {
    fn run<T: Real>(&self, x: &mut [T], c: &[T]) {
        interpret(x, c, &self.op, &self.i, &self.j, &self.k);
    }

    fn log_det<T: Real>(&self, x: &mut [T], c: &[T]) -> LogDet<T::Shadow> {
        interpret::log_det(x, c, &self.op, &self.i, &self.j, &self.k)
    }

    fn uncall_log_det(&self, x: &mut [f64]) -> LogDet {
        interpret::uncall_log_det(x, &self.c, &self.op, &self.i, &self.j, &self.k)
    }

    /// J v, or J⁻¹ v on the way back.
    fn tangents(&self, x: &mut [f64], v: &[f64], back: bool) -> Vec<f64> {
        let (mut v, zero) = (v.to_vec(), vec![0.0; self.c.len()]);
        let run = if back { interpret::unpushforward } else { interpret::pushforward };
        run((x, &mut v), (&self.c, &zero), &self.op, &self.i, &self.j, &self.k);
        v
    }

    /// Jᵀ v on the way back, or J⁻ᵀ v.
    fn adjoints(&self, x: &mut [f64], v: &[f64], forth: bool) -> Vec<f64> {
        let (mut v, mut dropped) = (v.to_vec(), vec![0.0; self.c.len()]);
        let run = if forth { interpret::unpullback } else { interpret::pullback };
        run((x, &mut v), (&self.c, &mut dropped), &self.op, &self.i, &self.j, &self.k);
        v
    }

    /// Whether all numbers stay so small on the way that rounding does not decide.
    fn is_tame(&self) -> bool {
        let (mut x, Program { c, op, i, j, k, .. }) = (self.x.clone(), self);
        (0..op.len()).all(|t| {
            let one = t..t + 1;
            interpret(&mut x, &c[one.clone()], &op[one.clone()], &i[one.clone()], &j[one.clone()], &k[one]);
            x.iter().all(|x| x.abs() < 10.0)
        })
    }

    /// What it makes of its input, and the Jacobian there.
    fn jacobian(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = self.x.len();
        let mut rows = vec![vec![0.0; n]; n];
        let mut after = Vec::new();
        for column in 0..n {
            let mut x: Vec<Dual<f64, 1>> = self.x.iter().map(|x| Dual::constant(*x)).collect();
            x[column] = Dual::variable(self.x[column], 0);
            let c: Vec<_> = self.c.iter().map(|c| Dual::constant(*c)).collect();
            self.run(&mut x, &c);
            rows.iter_mut().zip(&x).for_each(|(row, y)| row[column] = y.eps[0]);
            after = x.iter().map(|y| y.re).collect();
        }
        (after, rows)
    }
}

/// Programs of a few statements on `n` numbers. Different indices in one statement are different.
fn programs() -> impl Strategy<Value = Program> {
    (2_usize..7, 1_usize..16).prop_flat_map(|(n, steps)| {
        let step = (0..OPS, 0..n, 1..n, 1..n, 0.4_f64..1.6);
        let numbers = prop::collection::vec(-1.5_f64..1.5, n);
        (numbers, prop::collection::vec(step, steps)).prop_map(move |(x, steps)| {
            let mut program = Program { x, c: vec![], op: vec![], i: vec![], j: vec![], k: vec![] };
            for (op, i, by, other, c) in steps {
                program.op.push(op);
                program.i.push(i);
                program.j.push((i + by) % n);
                program.k.push((i + other) % n);
                program.c.push(c);
            }
            program
        })
    })
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

fn all_near(a: &[f64], b: &[f64], tolerance: f64) -> bool {
    let size = b.iter().fold(1.0, |size: f64, b| size.max(b.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= tolerance * size)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    /// The four products and the determinant of two thousand random programs are those of dense matrices.
    #[test]
    fn the_four_products_and_the_determinant_are_those_of_dense_matrices(
        program in programs(),
        v in prop::collection::vec(-1.0_f64..1.0, 6),
    ) {
        let n = program.x.len();
        let v = &v[..n];
        let crossing = program.is_tame().then(|| program.jacobian());
        let found = crossing.and_then(|(after, jacobian)| Some((after, inverted(&jacobian)?, jacobian)));
        prop_assume!(found.as_ref().is_some_and(|(_, (_, _, condition), _)| *condition < 1e5));
        let Some((after, (inverse, det, condition), jacobian)) = found else { return Ok(()) };
        // What rounding makes of intermediate values that are larger than the result.
        let tolerance = 1e-9 * condition.max(10.0);

        let mut x = program.x.clone();
        let pushed = program.tangents(&mut x, v, false);
        prop_assert!(all_near(&x, &after, 1e-9) && all_near(&pushed, &times(&jacobian, v), tolerance));
        let solved = program.tangents(&mut x, v, true);
        prop_assert!(all_near(&x, &program.x, tolerance) && all_near(&solved, &times(&inverse, v), tolerance));
        let mut x = after.clone();
        let pulled = program.adjoints(&mut x, v, false);
        prop_assert!(all_near(&pulled, &times(&transposed(&jacobian), v), tolerance));
        let mut x = program.x.clone();
        let solved = program.adjoints(&mut x, v, true);
        prop_assert!(all_near(&solved, &times(&transposed(&inverse), v), tolerance));

        let mut x = program.x.clone();
        let there = program.log_det(&mut x, &program.c);
        prop_assert!(all_near(&x, &after, 1e-9));
        let tolerance = 1e-12_f64.max(1e-14 * condition);
        prop_assert!(there.sign == det.sign && near(there.log_abs, det.log_abs, tolerance), "{there:?} {det:?}");
        let back = program.uncall_log_det(&mut x);
        // The values that come back differ from those there by rounding, times the condition number where that is large.
        let tolerance = 1e-12_f64.max(1e-16 * condition);
        prop_assert!(back.sign == there.sign && (there.log_abs + back.log_abs).abs() <= tolerance, "{there:?} {back:?}");
    }

    /// The derivative of the logarithm by every argument is that of dual numbers, and comes on top of the pullback.
    #[test]
    fn the_adjoint_of_the_logarithm_is_that_of_dual_numbers(
        program in programs(),
        g in prop::collection::vec(-1.0_f64..1.0, 6),
        seed in -2.0_f64..2.0,
    ) {
        let (n, m) = (program.x.len(), program.c.len());
        let crossing = program.is_tame().then(|| program.jacobian());
        let found = crossing.and_then(|(after, jacobian)| Some((after, inverted(&jacobian)?)));
        prop_assume!(found.as_ref().is_some_and(|(_, (_, _, condition))| *condition < 1e5));
        let Some((after, _)) = found else { return Ok(()) };
        let mut expected = Vec::new();
        for column in 0..n + m {
            let of = |offset: usize, numbers: &[f64]| -> Vec<Dual<f64, 1>> {
                let one = |(i, x): (usize, &f64)| if offset + i == column { Dual::variable(*x, 0) } else { Dual::constant(*x) };
                numbers.iter().enumerate().map(one).collect()
            };
            let (mut x, c) = (of(0, &program.x), of(n, &program.c));
            let det = program.log_det(&mut x, &c);
            let along: f64 = x.iter().zip(&g).map(|(y, g)| y.eps[0] * g).sum();
            expected.push(along + seed * det.log_abs.eps[0]);
        }
        let (mut x, mut gx, mut gc) = (after, g[..n].to_vec(), vec![0.0; m]);
        let Program { c, op, i, j, k, .. } = &program;
        interpret::pullback_log_det((&mut x, &mut gx), (c, &mut gc), op, i, j, k, seed);
        let found: Vec<f64> = gx.into_iter().chain(gc).collect();
        prop_assert!(all_near(&found, &expected, 1e-7), "{found:?}\n{expected:?}");
        prop_assert!(all_near(&x, &program.x, 1e-6));
    }
}

/// The law for one procedure of a slice: against dense matrices, there and back, and the derivative against differences.
#[track_caller]
fn assert_determinant(
    x: &[f64],
    pushforward: impl Fn((&mut [f64], &mut [f64])),
    log_det: impl Fn(&mut [f64]) -> LogDet,
    uncall_log_det: impl Fn(&mut [f64]) -> LogDet,
    pullback_log_det: impl Fn((&mut [f64], &mut [f64]), f64),
) -> LogDet {
    let n = x.len();
    let columns: Vec<Vec<f64>> = (0..n)
        .map(|column| {
            let mut d: Vec<f64> = (0..n).map(|i| f64::from(i == column)).collect();
            pushforward((&mut x.to_vec(), &mut d));
            d
        })
        .collect();
    let (_, expected, _) = inverted(&transposed(&columns)).unwrap();
    let mut after = x.to_vec();
    let there = log_det(&mut after);
    assert!(there.sign == expected.sign && near(there.log_abs, expected.log_abs, 1e-12), "{there:?} {expected:?}");
    let mut before = after.clone();
    let back = uncall_log_det(&mut before);
    assert!(back.sign == there.sign && (there.log_abs + back.log_abs).abs() < 1e-12, "{there:?} {back:?}");
    let mut gradient = vec![0.0; n];
    pullback_log_det((&mut after, &mut gradient), 1.0);
    for (i, found) in gradient.iter().enumerate() {
        let at = |h: f64| {
            let mut x = x.to_vec();
            x[i] += h;
            log_det(&mut x).log_abs
        };
        let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!(near(*found, slope, 1e-7), "{i}: {found} {slope}");
    }
    there
}

macro_rules! assert_determinant {
    ($program:ident, $x:expr $(, $argument:expr)*) => {
        assert_determinant(
            &$x,
            |(x, d)| $program::pushforward((x, d) $(, $argument)*),
            |x| $program::log_det(x $(, $argument)*),
            |x| $program::uncall_log_det(x $(, $argument)*),
            |(x, g), seed| $program::pullback_log_det((x, g) $(, $argument)*, seed),
        )
    };
}

/// Both triangles of a matrix, and both at once.
#[reversible]
fn triangular(x: &mut [f64], #[constant] lu: &[f64]) {
    multiply_lu(x, lu);
    multiply_lower(x, lu);
    multiply_upper(x, lu);
}

#[test]
fn triangular_factors_in_place() {
    let lu = [2.0, 0.3, -0.4, 0.5, -1.5, 0.7, 0.1, -0.2, 0.5];
    let found = assert_determinant!(triangular, [1.0, 2.0, 3.0], &lu);
    assert_eq!(found.sign, -1.0);
    assert!(near(found.log_abs, 3.0 * 1.5_f64.ln(), 1e-14));
}

/// The three registers of the paper.
#[reversible]
fn registers(r: &mut [f64]) {
    r[0] *= r[1];
    r[2] = r[2].recip();
    r[2] *= r[0];
    r[1] -= r[2];
    r[0] = r[0].exp();
}

#[test]
fn the_example_of_three_registers() {
    let found = assert_determinant!(registers, [1.5, 0.7, 2.0]);
    assert!(found.sign == -1.0 && near(found.log_abs, -0.644_179_140_889_191_5, 1e-14));
}

/// Every bijection that the language knows, and two of the user's, in both directions.
#[reversible]
fn bijections<T: Real>(x: &mut [T]) {
    x[0] = x[0].exp();
    x[1] = x[1].ln();
    x[2] = x[2].exp_m1();
    x[3] = x[3].ln_1p();
    x[4] = x[4].sinh();
    x[5] = x[5].asinh();
    x[6] = x[6].tanh();
    x[7] = x[7].atanh();
    x[8] = x[8].cbrt();
    x[9] = x[9].cube();
    x[10] = x[10].recip();
    x[11] = x[11].conj();
    x[12] = stretched(x[12]);
    #[inverse]
    {
        x[13] = stretched(x[13]);
    }
    for i in 1..x.len() {
        x[i] *= x[0].sin() + 2.0;
    }
}

#[test]
fn bijections_count_their_slopes() {
    let x: Vec<f64> = (0..14).map(|i| 0.3 + 0.04 * f64::from(i)).collect();
    assert_determinant!(bijections, x);
}

#[test]
fn permutations_count_in_the_sign() {
    #[reversible]
    fn shuffled(x: &mut [f64], turns: usize) {
        x.rotate_left(turns);
        x.swap(0, 1);
        let (a, b) = x.split_at_mut(2);
        swap(&mut a[0], &mut b[1]);
        x[1] = -x[1];
    }
    let mut signs = Vec::new();
    for turns in 0..4 {
        signs.push(assert_determinant!(shuffled, [1.0, 2.0, 3.0, 4.0], turns).sign);
    }
    assert_eq!(signs, [-1.0, 1.0, -1.0, 1.0]);
}

/// Loops over elements, branches, `while`, and a recursive call.
#[reversible]
fn controlled(x: &mut [f64], depth: usize) {
    for v in x.iter_mut() {
        *v *= 1.25;
    }
    for (i, v) in x.iter_mut().enumerate() {
        if i % 2 == 0 {
            *v = v.sinh();
        } else {
            *v /= -2.0;
        }
    }
    if depth > 0 {
        controlled(&mut x[1..], depth - 1);
    }
    let mut turns = 0;
    while (turns < depth, turns > 0) {
        x[0] *= 1.5 + x[1] * x[1];
        turns += 1;
    }
    release!(turns == depth);
}

#[test]
fn control_and_recursion() {
    assert_determinant!(controlled, [0.3, -0.4, 0.5, 0.6], 2);
}

/// A struct with a method, and what it is part of.
#[derive(Active, Clone, Debug, PartialEq)]
struct Layer<T> {
    scale: T,
    shift: [T; 2],
}

#[reversible]
impl<T: Real> Layer<T> {
    fn apply(&self, x: &mut [T; 2]) {
        x[0] *= self.scale.exp();
        x[1] += self.shift[0] * x[0].sin();
        x[1] *= (x[0] * self.shift[1]).exp();
    }

    fn grow(&mut self, by: T) {
        self.scale *= by;
        self.shift[0] *= by + self.scale;
    }
}

#[reversible]
trait Map2 {
    fn map(&self, x: &mut [f64; 2]);
}

#[reversible]
impl Map2 for Layer<f64> {
    fn map(&self, x: &mut [f64; 2]) {
        self.apply(x);
        x[0] *= 3.0;
    }
}

#[reversible]
fn twice<M: Map2>(map: &M, x: &mut [f64; 2]) {
    map.map(x);
    map.map(x);
}

#[test]
fn methods_traits_and_structs() {
    let (mut layer, mut x) = (Layer { scale: 0.5, shift: [0.3, -0.2] }, [0.7, 1.1]);
    let found = layer.log_det_apply(&mut x);
    assert!(near(found.log_abs, 0.5 - 0.2 * x[0], 1e-14), "{found:?}");
    let mut shadow = Layer { scale: 0.0, shift: [0.0; 2] };
    layer.pullback_log_det_apply(&mut shadow, (&mut x, &mut [0.0; 2]), 1.0);
    // log_abs = scale + shift[1]·x₀·exp(scale)
    let slope = 0.7 * 0.5_f64.exp();
    assert!(near(shadow.scale, 1.0 - 0.2 * slope, 1e-14) && near(shadow.shift[1], slope, 1e-14), "{shadow:?}");
    let there = layer.log_det_grow(2.0);
    assert!(near(there.log_abs, (2.0_f64 * 3.0).ln(), 1e-14));
    let back = layer.uncall_log_det_grow(2.0);
    assert!(near(back.log_abs, -there.log_abs, 1e-14));
    let one = layer.log_det_map(&mut x.clone()).log_abs;
    assert!(near(one, found.log_abs + 3.0_f64.ln(), 1e-14));
    assert!(twice::log_det(&layer, &mut x).log_abs.is_finite());
}

#[test]
fn numbers_that_nothing_flows_through_do_not_count() {
    #[reversible]
    fn counted(x: &mut f64, count: &mut i64, #[constant] c: &mut f64) {
        *x *= 3.0;
        *count += 1;
        *c *= 5.0;
    }
    assert_eq!(counted::log_det(&mut 1.0, &mut 1, &mut 1.0), LogDet { sign: 1.0, log_abs: 3.0_f64.ln() });
}

#[test]
fn a_factor_of_zero_is_an_error_in_every_build() {
    #[reversible]
    fn scaled(x: &mut f64, by: f64) {
        #[unchecked]
        {
            *x *= by;
        }
    }
    #[reversible]
    fn cubed(x: &mut f64) {
        *x = x.cube();
    }
    for by in [0.0, f64::INFINITY, f64::NAN] {
        assert_eq!(attempt(|| scaled::log_det(&mut 1.0, by)).unwrap_err().kind, ErrorKind::ZeroFactor);
    }
    let error = attempt(|| cubed::log_det(&mut 0.0)).unwrap_err();
    assert_eq!((error.kind, error.function, &*error.variable), (ErrorKind::ZeroFactor, "cubed", "x"));
}

#[test]
fn errors_show_statements_as_they_are_written() {
    #[reversible]
    fn scaled(x: &mut [f64], by: &[f64]) {
        for i in 0..x.len() {
            x[i] *= by[i] + 1.0;
        }
    }
    let (mut x, mut g, by) = ([2.0, 3.0], [1.0; 2], [0.5, -1.0]);
    let statements = [
        attempt(|| scaled::log_det(&mut x.clone(), &by)).map(drop),
        attempt(|| scaled::pushforward((&mut x.clone(), &mut g.clone()), (&by, &[1.0; 2]))),
        attempt(|| scaled::uncall_log_det(&mut x.clone(), &by)).map(drop),
        attempt(|| scaled::pullback_log_det((&mut x.clone(), &mut g.clone()), (&by, &mut [0.0; 2]), 1.0)).map(drop),
        attempt(|| scaled::pullback((&mut x, &mut g), (&by, &mut [0.0; 2]))),
    ]
    .map(|error| error.unwrap_err().statement.to_string());
    let [there, back] = ["x[i] *= by[i] + 1.0;", "x[i] /= by[i] + 1.0;"];
    assert_eq!(statements, [there, there, back, back, back]);
}

#[test]
fn every_number_type_has_a_determinant() {
    #[reversible]
    fn scaled<T: Real>(x: &mut [T], by: T) {
        for i in 0..x.len() {
            x[i] *= by;
        }
    }
    let mut x = [Dual::<f64, 1>::constant(2.0); 3];
    let found = scaled::log_det(&mut x, Dual::variable(0.5, 0));
    assert!(near(found.log_abs.re, 3.0 * 0.5_f64.ln(), 1e-15) && near(found.log_abs.eps[0], 6.0, 1e-15));
    let found = scaled::log_det(&mut [2.0_f32, 3.0], -0.5);
    assert!(found.sign == 1.0 && found.log_abs == 2.0 * 0.5_f32.ln());
    let lanes = retrograd::Lanes::<f64, 4>::from([1.0, 2.0, 3.0, 4.0]);
    let found = scaled::log_det(&mut [lanes], lanes);
    assert!((0..4).all(|i| found.log_abs.lane(i) == (1.0 + i as f64).ln()));
    let signs = retrograd::Lanes::<f64, 4>::from([1.0, -2.0, 3.0, 4.0]);
    assert_eq!(attempt(|| scaled::log_det(&mut [lanes], signs)).unwrap_err().kind, ErrorKind::LanesDiffer);
}

/// Complex numbers: a factor counts twice, a conjugate in the sign.
#[cfg(feature = "num-complex")]
#[test]
fn complex_factors_count_twice() {
    use num_complex::Complex;

    #[reversible]
    fn turned(z: &mut Complex<f64>, w: &mut Complex<f64>, c: Complex<f64>, r: f64) {
        *z *= c;
        *w *= *z;
        *w *= r;
        *z = z.exp();
        *z = z.conj();
        *w /= c;
        *z = z.ln();
    }

    let (z, w, c, r) = (Complex::new(0.3, -0.4), Complex::new(1.1, 0.2), Complex::new(0.7, 0.5), 1.5);
    let run = |z: Complex<f64>, w: Complex<f64>, c, r| turned::log_det(&mut { z }, &mut { w }, c, r);
    let columns: Vec<Vec<f64>> = (0..4)
        .map(|column| {
            let d = |k| f64::from(k == column);
            let (mut dz, mut dw) = (Complex::new(d(0), d(1)), Complex::new(d(2), d(3)));
            turned::pushforward((&mut { z }, &mut dz), (&mut { w }, &mut dw), (c, Complex::new(0.0, 0.0)), (r, 0.0));
            vec![dz.re, dz.im, dw.re, dw.im]
        })
        .collect();
    let (_, expected, _) = inverted(&transposed(&columns)).unwrap();
    let found = run(z, w, c, r);
    assert!(found.sign == expected.sign && near(found.log_abs, expected.log_abs, 1e-12), "{found:?} {expected:?}");

    let (mut z1, mut w1) = (z, w);
    turned(&mut z1, &mut w1, c, r);
    let (mut gz, mut gw, mut gc, mut gr) = Default::default();
    turned::pullback_log_det((&mut z1, &mut gz), (&mut w1, &mut gw), (c, &mut gc), (r, &mut gr), 1.0);
    let slope = |at: &dyn Fn(f64) -> LogDet| (at(1e-6).log_abs - at(-1e-6).log_abs) / 2e-6;
    let (re, im) = (|h| Complex::new(h, 0.0), |h| Complex::new(0.0, h));
    let expected = [
        slope(&|h| run(z + re(h), w, c, r)),
        slope(&|h| run(z + im(h), w, c, r)),
        slope(&|h| run(z, w + re(h), c, r)),
        slope(&|h| run(z, w + im(h), c, r)),
        slope(&|h| run(z, w, c + re(h), r)),
        slope(&|h| run(z, w, c + im(h), r)),
        slope(&|h| run(z, w, c, r + h)),
    ];
    let found: [f64; 7] = [gz.re, gz.im, gw.re, gw.im, gc.re, gc.im, gr];
    assert!(all_near(&found, &expected, 1e-7), "{found:?} {expected:?}");
}

/// A binary step writes one tangent and two adjoints, in either direction.
#[test]
fn a_binary_step_writes_one_tangent_and_two_adjoints() {
    #[reversible]
    fn step(y: &mut f64, a: f64, b: f64) {
        *y += a * b;
    }
    let writes = |direction, prefix: &str| {
        let source = step::source(direction);
        let is_write =
            |line: &&str| line.trim_start().starts_with(prefix) && (line.contains("+=") || line.contains("-="));
        source.lines().filter(is_write).count()
    };
    let counts = [
        writes(Direction::Pushforward, "*d_"),
        writes(Direction::Unpushforward, "*d_"),
        writes(Direction::Pullback, "*grad_"),
        writes(Direction::Unpullback, "*grad_"),
    ];
    assert_eq!(counts, [1, 1, 2, 2]);
}
