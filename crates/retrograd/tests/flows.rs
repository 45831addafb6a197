//! Flows: inverses, determinants and gradients of random layers, memory, and what is refused.

mod dense;

use std::num::Wrapping;

use allocation_counter::measure;
use dense::{inverted, times, transposed};
use proptest::prelude::*;
use retrograd::flow::{
    Additive, Affine, Coordinate, Coupling, Error, Flow, Knots, Layer, Linear, Mask, Mlp, Numbers, Shape, Sizes,
    Spline, Transform, monotone_spline,
};
use retrograd::prelude::*;
use retrograd::{Dual, ErrorKind, attempt, random};

/// Coupling layers of one kind. `draw` gives random numbers.
fn couplings<T: Coordinate, M: Transform<T> + Copy>(
    (dimension, depth): (usize, usize),
    transform: M,
    mut draw: impl FnMut(f64) -> T,
) -> Flow<Coupling<T, Mlp, M>> {
    let layer = |k| {
        let mask = Mask::alternating(dimension, k)?;
        let net = Mlp { inputs: mask.kept(), hidden: 3, outputs: transform.numbers() * mask.changed() };
        Coupling::new(mask, net, transform, (0..net.weights()).map(|_| draw(0.7)).collect())
    };
    Flow::new(dimension, (0..depth).map(layer).collect::<Result<_, Error>>().unwrap()).unwrap()
}

fn additive<T: Coordinate>(size: (usize, usize), draw: impl FnMut(f64) -> T) -> Flow<Coupling<T, Mlp, Additive>> {
    couplings(size, Additive, draw)
}

fn affine<T: Coordinate>(size: (usize, usize), draw: impl FnMut(f64) -> T) -> Flow<Coupling<T, Mlp, Affine>> {
    couplings(size, Affine, draw)
}

fn spline<T: Coordinate>(size: (usize, usize), draw: impl FnMut(f64) -> T) -> Flow<Coupling<T, Mlp, Spline>> {
    couplings(size, Spline::new(4, 3.0).unwrap(), draw)
}

/// Layers of several kinds, as one.
#[derive(Active, Clone, Debug)]
#[active(shadow = BlockShadow)]
struct Block<T, M> {
    linear: Linear<T>,
    coupling: Coupling<T, Mlp, M>,
    knots: Knots<T>,
}

impl<T: Real, M: Numbers> Shape for Block<T, M> {
    fn dimension(&self) -> usize {
        self.linear.dimension()
    }

    fn check(&self) -> Result<(), Error> {
        self.coupling.check()?;
        self.knots.check()
    }
}

#[reversible]
impl<T: Real, M: Transform<T>> Layer<T> for Block<T, M> {
    fn apply(&self, x: &mut [T]) {
        self.linear.apply(x);
        self.coupling.apply(x);
        self.knots.apply(x);
    }
}

fn blocks<T: Coordinate>((dimension, depth): (usize, usize), mut draw: impl FnMut(f64) -> T) -> Flow<Block<T, Affine>> {
    let coupling = affine((dimension, depth), &mut draw);
    let layer = |coupling: &Coupling<T, Mlp, Affine>| {
        let diagonal = |i: usize| T::from_int(i32::from(i.is_multiple_of(dimension + 1)));
        let lu = (0..dimension * dimension).map(|i| diagonal(i) + draw(0.2)).collect();
        let linear = Linear::new(lu, (0..dimension).map(|_| draw(0.5)).collect())?;
        let mut knots = || (-2..=2).map(|k| T::from_int(k) + draw(0.1)).collect::<Vec<T>>();
        let (xs, ys) = (knots(), knots());
        let slopes = (0..5).map(|_| draw(0.3).exp()).collect();
        Ok(Block { linear, coupling: coupling.clone(), knots: Knots::new(dimension, xs, ys, slopes)? })
    };
    Flow::new(dimension, coupling.layers().iter().map(layer).collect::<Result<_, Error>>().unwrap()).unwrap()
}

/// Random numbers with a deviation. None are so far out that knots would cross.
fn numbers<T: Real>(seed: u64) -> impl FnMut(f64) -> T {
    let mut state = Wrapping(seed);
    move |deviation| {
        random::advance(&mut state);
        T::lit(deviation * random::normal::<f64>(state).clamp(-2.0, 2.0))
    }
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

type Dual1 = Dual<f64, 1>;

/// There and back, the determinant against a dense matrix, and the gradient against dual numbers and differences.
macro_rules! assert_laws {
    ($make:ident, $size:expr, $seed:expr, $points:expr) => {{
        let (size, seed, points): ((usize, usize), u64, &[f64]) = ($size, $seed, $points);
        let flow = $make(size, numbers::<f64>(seed));
        let x = &points[..size.0];

        let mut z = x.to_vec();
        let there = flow.forward(&mut z).unwrap();
        let mut restored = z.clone();
        let back = flow.inverse(&mut restored).unwrap();

        let constant = $make(size, numbers::<Dual1>(seed));
        let along = |v: &[f64], back: bool| {
            let at = if back { &z } else { x };
            let mut x: Vec<Dual1> = at.iter().zip(v).map(|(x, v)| Dual1 { re: *x, eps: [*v] }).collect();
            if back { constant.inverse(&mut x) } else { constant.forward(&mut x) }.unwrap();
            x.iter().map(|x| x.eps[0]).collect::<Vec<f64>>()
        };
        let unit = |k: usize| (0..size.0).map(|i| f64::from(i == k)).collect::<Vec<f64>>();
        let columns: Vec<Vec<f64>> = (0..size.0).map(|k| along(&unit(k), false)).collect();
        let (inverse, expected, condition) = inverted(&transposed(&columns)).unwrap();
        // A layer that contracts stretches rounding errors on its way back.
        let tolerance = 1e-12 * condition;
        prop_assert!(x.iter().zip(&restored).all(|(x, y)| near(*x, *y, tolerance)), "{:?} {:?}", x, restored);
        prop_assert!(
            (there.log_abs + back.log_abs).abs() <= tolerance && there.sign == back.sign,
            "{:?} {:?}",
            there,
            back
        );
        prop_assert!(there.sign == expected.sign && near(there.log_abs, expected.log_abs, tolerance));
        let solved = times(&inverse, x);
        prop_assert!(along(x, true).iter().zip(&solved).all(|(a, b)| near(*a, *b, tolerance)));

        let points = &points[..points.len() / size.0 * size.0];
        let (loss, gradient) = flow.gradient(points).unwrap();
        prop_assert!(near(loss, flow.loss(points).unwrap(), 1e-15));
        let mean: f64 = points.chunks_exact(size.0).map(|x| flow.log_prob(x).unwrap()).sum();
        prop_assert!(near(loss, -mean / (points.len() / size.0) as f64, 1e-12));
        let (found, learned) = (gradient.flatten(), flow.layers().flatten());
        let duals: Vec<Dual1> = points.iter().map(|x| Dual1::constant(*x)).collect();
        let mut moved = constant.clone();
        let mut slope = |k: usize| {
            let mut numbers: Vec<Dual1> = learned.iter().map(|number| Dual1::constant(*number)).collect();
            numbers[k].eps[0] = 1.0;
            moved.layers_mut().unflatten(&numbers);
            moved.loss(&duals).unwrap().eps[0]
        };
        let expected: Vec<f64> = (0..learned.len()).map(&mut slope).collect();
        prop_assert!(expected.len() == found.len());
        let largest = expected.iter().fold(1.0_f64, |largest, slope| largest.max(slope.abs()));
        for (found, expected) in found.iter().zip(&expected) {
            prop_assert!((found - expected).abs() <= 1e-9 * largest, "{} {}", found, expected);
        }
        // All at once, along the gradient.
        let mut moved = flow.clone();
        let mut at = |h: f64| {
            let numbers: Vec<f64> =
                learned.iter().zip(&found).map(|(number, slope)| number + h * slope / largest).collect();
            moved.layers_mut().unflatten(&numbers);
            moved.loss(points).unwrap()
        };
        let (difference, square) =
            ((at(1e-6) - at(-1e-6)) / 2e-6, found.iter().map(|slope| slope * slope).sum::<f64>());
        prop_assert!(near(difference, square / largest, 1e-5), "{} {}", difference, square / largest);
    }};
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 12 } else { 100 }))]

    #[test]
    fn flows_have_inverses_determinants_and_gradients(
        size in (2_usize..5, 1_usize..4),
        seed: u64,
        points in prop::collection::vec(-3.5_f64..3.5, 9),
    ) {
        assert_laws!(additive, size, seed, &points);
        assert_laws!(affine, size, seed, &points);
        assert_laws!(spline, size, seed, &points);
        assert_laws!(blocks, size, seed, &points);
    }
}

/// The same in single precision, as exact as that is.
#[test]
fn flows_of_single_precision() {
    let points: Vec<f64> = (0..12).map(|i| (f64::from(i) * 0.9).sin() * 2.0).collect();
    let singles: Vec<f32> = points.iter().map(|x| *x as f32).collect();
    macro_rules! assert_near {
        ($make:ident) => {
            let (wide, half) = ($make((3, 4), numbers::<f64>(5)), $make((3, 4), numbers::<f32>(5)));
            let mut z = singles[..3].to_vec();
            let there = half.forward(&mut z).unwrap();
            let back = half.inverse(&mut z).unwrap();
            assert!(z.iter().zip(&singles).all(|(z, x)| (z - x).abs() < 1e-4), "{z:?}");
            assert!((there.log_abs + back.log_abs).abs() < 1e-4);
            let ((expected, by_wide), (loss, by_half)) =
                (wide.gradient(&points).unwrap(), half.gradient(&singles).unwrap());
            assert!(near(f64::from(loss), expected, 1e-4));
            assert!(by_wide.flatten().iter().zip(by_half.flatten()).all(|(a, b)| near(*a, f64::from(b), 1e-2)));
        };
    }
    assert_near!(additive);
    assert_near!(affine);
    assert_near!(spline);
    assert_near!(blocks);
}

/// A gradient keeps nothing of any layer.
#[test]
fn the_peak_of_memory_does_not_depend_on_the_depth() {
    let points: Vec<f64> = (0..20).map(|i| f64::from(i).sin()).collect();
    macro_rules! peaks {
        ($make:ident) => {{
            let peaks = [2, 64].map(|depth| {
                let mut draw = numbers::<f64>(3);
                let flow = $make((2, depth), |deviation| draw(0.2 * deviation));
                let (_, mut gradient) = flow.gradient(&points).unwrap();
                measure(|| assert!(flow.add_gradient(&points, &mut gradient).is_ok())).bytes_max
            });
            assert!(peaks[0] > 0 && peaks[0] == peaks[1], "{peaks:?}");
        }};
    }
    peaks!(additive);
    peaks!(affine);
    peaks!(spline);
}

/// Increasing, with the slopes that are asked for and straight lines outside; back again from everywhere, knots included.
#[test]
fn splines_go_through_their_knots() {
    let (xs, ys, slopes) = ([-1.0, 0.5, 0.75, 2.0], [-2.0, -1.9, 1.0, 1.5], [0.2, 3.0, 1.0, 0.4]);
    let at = |x: f64| {
        let mut y = x;
        let there = monotone_spline::log_det(&mut y, &xs, &ys, &slopes).log_abs;
        let (mut back, mut restored) = (0.0, y);
        back += monotone_spline::uncall_log_det(&mut restored, &xs, &ys, &slopes).log_abs;
        assert!((restored - x).abs() < 1e-13 && (there + back).abs() < 1e-12, "{x}: {restored}, {there} {back}");
        (y, there.exp())
    };
    for (k, x) in xs.iter().enumerate() {
        // From the left, at the knot, and from the right: the value and the slope are continuous.
        for x in [x - 1e-13, *x, x + 1e-13] {
            let (y, slope) = at(x);
            assert!(near(y, ys[k], 1e-11) && near(slope, slopes[k], 1e-9), "{x}: {y} {slope}");
        }
    }
    let curve: Vec<(f64, f64)> = (-3000..4000).map(|i| at(f64::from(i) * 1e-3)).collect();
    for pair in curve.windows(2) {
        let secant = (pair[1].0 - pair[0].0) / 1e-3;
        assert!(secant > 0.0 && near(secant, 0.5 * (pair[0].1 + pair[1].1), 0.02), "{pair:?}");
    }
    assert_eq!((curve[0].1, curve[6999].1), (0.2, 0.4));
}

/// A factor of zero, and values that do not come back, are errors and never numbers.
#[test]
fn what_has_no_inverse_is_an_error() {
    let singular = Flow::new(2, vec![Linear::new(vec![1.0, 2.0, 3.0, 0.0], vec![0.0; 2]).unwrap()]).unwrap();
    let kind = |error: Error| match error {
        Error::NotInvertible(error) => error.kind,
        other => panic!("{other}"),
    };
    let mut x = [1.0, 2.0];
    for found in [
        singular.forward(&mut x).map(|_| ()),
        singular.inverse(&mut x).map(|_| ()),
        singular.gradient(&x).map(|_| ()),
        singular.log_prob(&x).map(|_| ()),
        singular.sample::<f64>(&mut Wrapping(1)).map(|_| ()),
    ] {
        assert_eq!(found.map_err(kind), Err(ErrorKind::ZeroFactor));
    }
    assert_eq!(x, [1.0, 2.0]);

    // Each layer loses a digit of where it started.
    let shrinking = Linear::new(vec![0.1, 0.0, 0.0, 0.1], vec![1.0; 2]).unwrap();
    let lossy = Flow::new(2, vec![shrinking; 40]).unwrap();
    assert!(lossy.log_prob(&[0.5, 0.25]).is_ok());
    assert_eq!(lossy.gradient(&[0.5, 0.25]).map_err(kind).unwrap_err(), ErrorKind::Drift);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let net = Mlp { inputs: 1, hidden: 2, outputs: 1 };
    let mask = Mask::new(&[true, false]).unwrap();
    let layer = |weights: usize| Coupling::new(mask.clone(), net, Additive, vec![0.0; weights]);
    let flow = Flow::new(2, vec![layer(7).unwrap()]).unwrap();
    let dimension = |what, expected, found| Error::Dimension { what, expected, found };
    let found = [
        layer(6).map(|_| ()),
        Coupling::new(mask.clone(), Mlp { inputs: 2, ..net }, Additive, vec![0.0; 9]).map(|_| ()),
        Flow::new(3, vec![layer(7).unwrap()]).map(|_| ()),
        Flow::new(0, vec![layer(7).unwrap()]).map(|_| ()),
        flow.forward(&mut [1.0]).map(|_| ()),
        flow.log_prob(&[1.0, 2.0, 3.0, 4.0]).map(|_| ()),
        flow.loss(&[1.0, 2.0, 3.0]).map(|_| ()),
        flow.add_gradient(&[1.0, 2.0], &mut []).map(|_| ()),
        Linear::new(vec![1.0; 3], vec![1.0; 2]).map(|_| ()),
        Spline::new(0, 1.0).map(|_| ()),
        Knots::new(1, vec![0.0], vec![0.0], vec![1.0]).map(|_| ()),
        Knots::new(1, vec![0.0, 1.0], vec![0.0, 1.0], vec![1.0]).map(|_| ()),
        flow.loss::<f64>(&[]).map(|_| ()),
        flow.loss(&[1.0, f64::NAN]).map(|_| ()),
        flow.loss(&[1.0, 1e200]).map(|_| ()),
        Mask::new(&[false; 3]).map(|_| ()),
        Mask::alternating(1, 0).map(|_| ()),
        Spline::new(2, -1.0).map(|_| ()),
        Knots::new(1, vec![0.0, f64::NAN], vec![0.0, 1.0], vec![1.0; 2]).map(|_| ()),
        Knots::new(1, vec![0.0, 1.0], vec![0.0, -1.0], vec![1.0; 2]).map(|_| ()),
        Knots::new(1, vec![0.0, 1.0], vec![0.0, 1.0], vec![1.0, 0.0]).map(|_| ()),
    ];
    let expected = [
        dimension("weights of the conditioner", 7, 6),
        dimension("inputs of the conditioner", 1, 2),
        dimension("coordinates of a layer", 3, 2),
        dimension("coordinates of a flow", 1, 0),
        dimension("coordinates of a point", 2, 1),
        dimension("coordinates of a point", 2, 4),
        dimension("coordinates of all points", 4, 3),
        dimension("layers of a gradient", 1, 0),
        dimension("matrix of a linear layer", 4, 3),
        dimension("bins of a spline", 1, 0),
        dimension("knots of a spline in x", 2, 1),
        dimension("slopes of a spline", 2, 1),
        Error::NoPoints,
        Error::NotFinite { what: "a point" },
        Error::NotFinite { what: "the density of a flow" },
        Error::Mask { dimension: 3, kept: 0 },
        Error::Mask { dimension: 1, kept: 1 },
        Error::Bound { bound: -1.0 },
        Error::Knots { axis: "x", index: 1 },
        Error::Knots { axis: "y", index: 1 },
        Error::Slope { index: 1 },
    ];
    assert_eq!(found.map(Result::unwrap_err), expected);

    // Knots that learning brings out of order.
    let mut flow = Flow::new(1, vec![Knots::new(1, vec![0.0, 1.0], vec![0.0, 1.0], vec![1.0; 2]).unwrap()]).unwrap();
    flow.layers_mut().unflatten(&[2.0, 1.0, 0.0, 1.0, 1.0, 1.0]);
    assert_eq!(flow.loss(&[0.5]), Err(Error::Knots { axis: "x", index: 1 }));
}

/// In every build, in both directions, with and without the determinant.
#[test]
fn a_pivot_of_zero_is_an_error() {
    use retrograd::ops::{multiply_lower, multiply_lu, multiply_upper};
    let singular = [1.0, 2.0, 3.0, 0.0];
    macro_rules! refused {
        ($($program:ident)*) => {$(
            let x = || [1.0, 2.0];
            for found in [
                attempt(|| $program(&mut x(), &singular)).err(),
                attempt(|| $program::uncall(&mut x(), &singular)).err(),
                attempt(|| $program::log_det(&mut x(), &singular)).err(),
                attempt(|| $program::uncall_log_det(&mut x(), &singular)).err(),
            ] {
                assert_eq!(found.unwrap().kind, ErrorKind::ZeroFactor);
            }
        )*};
    }
    refused!(multiply_lower multiply_lu multiply_upper);
}

/// On points of two moons that it has not seen, a flow beats the normal distribution that fits these points best.
#[test]
fn a_flow_learns_two_moons() {
    let mut draw = numbers::<f64>(7);
    let mut moons = |count: usize| -> Vec<f64> {
        let mut point = |i: usize| {
            let angle = std::f64::consts::PI * (0.5 + draw(0.25));
            let (x, y) = (angle.cos(), angle.sin());
            let (x, y) = if i.is_multiple_of(2) { (x - 0.5, y - 0.25) } else { (0.5 - x, 0.25 - y) };
            [x + draw(0.08), y + draw(0.08)]
        };
        (0..count).flat_map(&mut point).collect()
    };
    let (points, fresh) = (moons(150), moons(150));
    let (net, mut state) = (Mlp { inputs: 1, hidden: 16, outputs: 2 }, Wrapping(23));
    let layer = |k| Coupling::new(Mask::alternating(2, k)?, net, Affine, net.random::<f64>(&mut state));
    let mut flow = Flow::new(2, (0..6).map(layer).collect::<Result<_, Error>>().unwrap()).unwrap();
    let mut learned = flow.layers().flatten();
    let (mut mean, mut square) = (vec![0.0; learned.len()], vec![0.0; learned.len()]);
    for step in 1..=120 {
        let (_, gradient) = flow.gradient(&points).unwrap();
        for (i, g) in gradient.flatten().into_iter().enumerate() {
            mean[i] += 0.1 * (g - mean[i]);
            square[i] += 0.001 * (g * g - square[i]);
            let (m, s) = (mean[i] / (1.0 - 0.9_f64.powi(step)), square[i] / (1.0 - 0.999_f64.powi(step)));
            learned[i] -= 0.01 * m / (s.sqrt() + 1e-8);
        }
        flow.layers_mut().unflatten(&learned);
    }
    let average = |f: &dyn Fn(&[f64; 2]) -> f64| fresh.as_chunks().0.iter().map(f).sum::<f64>() / 150.0;
    let (x, y) = (average(&|p| p[0]), average(&|p| p[1]));
    let (xx, yy) = (average(&|p| (p[0] - x).powi(2)), average(&|p| (p[1] - y).powi(2)));
    let xy = average(&|p| (p[0] - x) * (p[1] - y));
    let normal = std::f64::consts::TAU.ln() + 0.5 * (xx * yy - xy * xy).ln() + 1.0;
    let loss = flow.loss(&fresh).unwrap();
    assert!(loss < normal - 0.3, "{loss} {normal}");
}
