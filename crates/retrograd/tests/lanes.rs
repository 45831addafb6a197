//! Programs in lanes: what one data point goes through, many go through.

use proptest::prelude::*;
use retrograd::lanes::{InstructionSet, Instructions, Kernel, run, with_instructions};
use retrograd::prelude::*;
use retrograd::{Dual, ErrorKind, Lanes, Seeds, Shared, attempt};

/// The instructions that this machine has.
fn available() -> impl Iterator<Item = Instructions> {
    Instructions::ALL.into_iter().filter(|instructions| instructions.are_available())
}

/// Half of the square of an error, for a model with two parameters, and one more for each data point.
#[reversible]
#[inline(always)]
fn loss<T: Real>(w: &[Shared<T>; 2], slack: T, #[constant] x: &[T; 2], #[constant] y: &T) -> T {
    let guess = w[0].spread() * x[0] + w[1].spread() * (x[1] * slack).exp();
    0.5 * (guess - *y).square()
}

/// The same with slices, and something that is not a number.
#[reversible]
#[inline(always)]
fn power_sum<T: Real>(c: &[Shared<T>], n: i32, x: T) -> T {
    let mut sum = T::zero();
    for i in 0..c.len() {
        sum += c[i].spread() * x.powi(n);
    }
    sum
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-11 * (1.0 + a.abs())
}

proptest! {
    #[test]
    fn a_gradient_over_points_is_the_sum_of_their_gradients(
        w in prop::array::uniform2(-2.0..2.0),
        points in prop::collection::vec((-1.0..1.0, prop::array::uniform2(-1.0..1.0), -2.0..2.0), 0..70),
    ) {
        let slack: Vec<f64> = points.iter().map(|point| point.0).collect();
        let x: Vec<[f64; 2]> = points.iter().map(|point| point.1).collect();
        let y: Vec<f64> = points.iter().map(|point| point.2).collect();
        let (mut total, mut by_w, mut by_slack) = (0.0, [0.0; 2], vec![0.0; points.len()]);
        let shared = w.map(Shared::<f64>);
        for i in 0..points.len() {
            total += loss::pullback((&shared, &mut by_w), (slack[i], &mut by_slack[i]), &x[i], &y[i], 1.0);
        }
        for instructions in available() {
            let found = with_instructions(instructions, || loss::gradient_over(&w, &slack, &x, &y)).unwrap();
            prop_assert!(near(total, found.0) && near(by_w[0], found.1[0]) && near(by_w[1], found.1[1]), "{instructions}");
            prop_assert!(by_slack.iter().zip(&found.2).all(|(a, b)| near(*a, *b)), "{instructions}");
        }
    }

    #[test]
    fn slices_are_shared_as_well(
        c in prop::collection::vec(-2.0..2.0, 0..5),
        x in prop::collection::vec(-2.0..2.0, 0..40),
    ) {
        let sum: f64 = x.iter().map(|x: &f64| x.powi(3)).sum();
        for instructions in available() {
            let (total, by_c, by_x) =
                with_instructions(instructions, || power_sum::gradient_over(&c, 3, &x)).unwrap();
            let all: f64 = c.iter().sum();
            prop_assert!(near(total, all * sum) && by_c.len() == c.len() && by_c.iter().all(|g| near(*g, sum)));
            prop_assert!(x.iter().zip(&by_x).all(|(x, g)| near(*g, 3.0 * all * x * x)));
        }
    }
}

#[test]
#[should_panic(expected = "`slack` has 3 data points, but `y` has 2")]
fn all_arguments_have_as_many_points() {
    loss::gradient_over(&[0.0; 2], &[0.0; 3], &[[0.0; 2]; 3], &[0.0; 2]);
}

/// A procedure of arithmetic alone.
#[reversible]
#[inline(always)]
fn step<T: Real>(x: &mut [T; 3], by: T) {
    x[0] += x[1] * by - x[2] / (by * by + 1.0);
    x[1] -= (x[0].abs() + 2.0).sqrt();
    x[2] *= by.mul_add(by, T::one());
    x.swap(0, 2);
}

/// `step` there, or there and back, for eight data points.
struct Steps {
    x: [[f64; 3]; 8],
    by: [f64; 8],
    back: bool,
}

impl Kernel for Steps {
    type Output = [[f64; 3]; 8];

    #[inline(always)]
    fn run<I: InstructionSet>(self) -> [[f64; 3]; 8] {
        let mut x = Lanes::<f64, 8, I>::gather(self.x.each_ref());
        let by = Lanes::<f64, 8, I>::from_array(self.by);
        step(&mut x, by);
        if self.back {
            step::uncall(&mut x, by);
        }
        let mut found = self.x;
        Lanes::scatter(&x, found.each_mut());
        found
    }
}

proptest! {
    #[test]
    fn arithmetic_in_lanes_is_that_of_numbers_bit_for_bit(
        x in prop::array::uniform8(prop::array::uniform3(-5.0..5.0)),
        by in prop::array::uniform8(0.1..2.0),
    ) {
        for instructions in available() {
            for back in [false, true] {
                let found = with_instructions(instructions, || run(Steps { x, by, back })).unwrap();
                for ((mut expected, by), found) in x.into_iter().zip(by).zip(found) {
                    step(&mut expected, by);
                    if back {
                        step::uncall(&mut expected, by);
                    }
                    prop_assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "{}", instructions);
                }
            }
        }
    }

    #[test]
    fn tangents_of_shared_numbers_reach_every_lane(
        w in prop::array::uniform2(-2.0..2.0),
        dw in prop::array::uniform2(-2.0..2.0),
        x in prop::array::uniform4(prop::array::uniform2(-1.0..1.0)),
    ) {
        type Four = Lanes<f64, 4>;
        let lanes = Four::gather(x.each_ref());
        let (zero, one) = (Four::splat(0.0), Four::splat(1.0));
        let tangents = dw.map(Four::splat);
        let (value, slope) = loss::pushforward((&w.map(Shared), &tangents), (one, zero), &lanes, &zero);
        for (i, point) in x.into_iter().enumerate() {
            let dual = [0, 1].map(|j| Shared(Dual::new(w[j], [dw[j]])));
            let point = point.map(Dual::<f64, 1>::constant);
            let expected = loss(&dual, Dual::constant(1.0), &point, &Dual::constant(0.0));
            prop_assert!(near(value.to_array()[i], expected.re));
            prop_assert!(near(slope.to_array()[i], expected.eps[0]));
        }
    }

    #[test]
    fn dual_numbers_have_lanes(x in prop::array::uniform4(0.1..2.0), y in prop::array::uniform4(-2.0..2.0)) {
        fn f<T: Real>(x: T, y: T) -> T {
            (x * y).sin() + y.atan2(x) * x.hypot(y) + x.powf(y).max(y) + x.asin().abs()
        }
        type Four = Lanes<f64, 4>;
        let x = x.map(|x: f64| x.min(0.9));
        let found = f(Dual::<Four, 1>::variable(x.into(), 0), Dual::constant(y.into()));
        for i in 0..4 {
            let expected = f(Dual::<f64, 1>::variable(x[i], 0), Dual::constant(y[i]));
            prop_assert!(near(found.re.to_array()[i], expected.re));
            prop_assert!(near(found.eps[0].to_array()[i], expected.eps[0]), "{} {}", found.eps[0].to_array()[i], expected.eps[0]);
        }
    }
}

/// A branch that every data point takes by itself.
#[reversible]
#[inline(always)]
fn bent<T: Real>(x: T) -> T {
    if x < T::zero() { 2.0 * x } else { x.square() }
}

/// The same without a branch.
#[reversible]
#[inline(always)]
fn bent_by_choice<T: Real>(x: T) -> T {
    x.select_less(T::zero(), 2.0 * x, x.square())
}

#[test]
fn lanes_that_go_different_ways_are_an_error_and_never_a_wrong_lane() {
    type Two = Lanes<f64, 2>;
    assert_eq!(bent(Two::from([1.0, 3.0])).to_array(), [1.0, 9.0]);
    assert_eq!(bent(Two::from([-1.0, -3.0])).to_array(), [-2.0, -6.0]);
    let error = attempt(|| bent(Two::from([1.0, -3.0]))).unwrap_err();
    assert_eq!(error.kind, ErrorKind::LanesDiffer);
    assert_eq!((&*error.expected, &*error.actual), ("false in all lanes, as in lane 0", "true in lane 1"));
    assert!(error.file.ends_with("tests/lanes.rs") && error.to_string().contains("select_less"));
    assert!(attempt(|| bent::gradient(Two::from([1.0, -3.0]))).is_err());
    for different in [
        attempt(|| Two::from([1.0, 2.0]).to_f64() > 0.0),
        attempt(|| Two::from([1.0, f64::NAN]).is_finite()),
        attempt(|| Two::from([1.0, 2.0]) == Two::from([1.0, 3.0])),
        attempt(|| Two::from([1.0, 2.0]).partial_cmp(&Two::from([2.0, 1.0])).is_some()),
    ] {
        assert_eq!(different.unwrap_err().kind, ErrorKind::LanesDiffer);
    }
}

#[test]
fn a_choice_is_made_for_each_lane() {
    type Two = Lanes<f64, 2>;
    let (value, slope) = bent_by_choice::gradient(Two::from([3.0, -3.0]));
    assert_eq!((value.to_array(), slope.to_array()), ([9.0, -6.0], [6.0, 2.0]));
    let x = Two::from([1.0, 5.0]);
    assert_eq!(x.select_equal(Two::splat(5.0), -x, x).to_array(), [1.0, -5.0]);
    assert_eq!((x.max(Two::splat(2.0)).to_array(), x.min(Two::splat(f64::NAN)).to_array()), ([2.0, 5.0], [1.0, 5.0]));
}

#[test]
fn a_factor_of_zero_in_one_lane_is_refused() {
    #[reversible]
    fn scale<T: Real>(y: &mut T, x: T) {
        *y *= x;
    }
    type Two = Lanes<f64, 2>;
    let mut y = Two::from([3.0, 4.0]);
    scale(&mut y, Two::from([2.0, 0.5]));
    assert_eq!(y.to_array(), [6.0, 2.0]);
    if cfg!(debug_assertions) {
        assert_eq!(attempt(|| scale(&mut y, Two::from([2.0, 0.0]))).unwrap_err().kind, ErrorKind::ZeroFactor);
        assert_eq!(y.to_array(), [6.0, 2.0]);
    }
}

#[test]
fn several_adjoints_go_through_lanes_together() {
    #[reversible]
    #[inline(always)]
    fn polar<T: Real>(r: &T, phi: &T) -> [T; 2] {
        let (sin, cos) = phi.sin_cos();
        [*r * cos, *r * sin]
    }
    type Two = Lanes<f64, 2>;
    let (r, phi) = (Two::from([1.0, 2.0]), Two::from([0.3, -0.7]));
    let (zero, one) = (Two::splat(0.0), Two::splat(1.0));
    let (mut g_r, mut g_phi) = (Seeds([zero; 2]), Seeds([zero; 2]));
    let value = polar::pullback((&r, &mut g_r), (&phi, &mut g_phi), [Seeds([one, zero]), Seeds([zero, one])]);
    for i in 0..2 {
        let (r, phi) = (r.to_array()[i], phi.to_array()[i]);
        let (expected, rows) = polar::jacobian(&r, &phi);
        for k in 0..2 {
            assert!(near(value[k].to_array()[i], expected[k]));
            assert!(near(g_r[k].to_array()[i], rows[k][0]) && near(g_phi[k].to_array()[i], rows[k][1]));
        }
    }
}

#[test]
fn shared_numbers_have_gradients_without_lanes() {
    let (value, by_w, by_slack) = loss::gradient(&[Shared(0.5), Shared(2.0)], 0.0, &[2.0, 0.3], &0.0);
    assert_eq!((value, by_w, by_slack), (4.5, [6.0, 3.0], 3.0 * 2.0 * 0.3));
}

#[reversible]
#[inline(always)]
fn weighed_lgamma<T: Real>(w: &Shared<T>, x: T) -> T {
    w.spread() * x.lgamma() + x.gamma().recip()
}

#[reversible]
fn of_gammas<T: Real>(x: T) -> T {
    x.gamma() * x.lgamma()
}

/// The derivative of the gamma function takes another way in every lane.
#[test]
fn the_gamma_function_has_its_derivative_in_every_lane() {
    let x = [-2.5, 1.5, 0.25, 12.5];
    let (values, slopes) = of_gammas::gradient(Lanes::<f64, 4>::from(x));
    let second: Dual<Lanes<f64, 4>, 1> = of_gammas::gradient(Dual::new(Lanes::from(x), [Lanes::from([1.0; 4])])).1;
    for (i, x) in x.into_iter().enumerate() {
        let (value, slope) = of_gammas::gradient(x);
        assert_eq!((values.to_array()[i], slopes.to_array()[i]), (value, slope));
        let (_, dual) = of_gammas::gradient(Dual::new(x, [1.0]));
        assert_eq!((second.re.to_array()[i], second.eps[0].to_array()[i]), (dual.re, dual.eps[0]));
        let h = 1e-5;
        let difference = (of_gammas(x + h) - of_gammas(x - h)) / (2.0 * h);
        assert!((slope - difference).abs() < 1e-6 * (1.0 + slope.abs()), "{slope} and {difference} at {x}");
    }
    let x: Vec<f64> = (0..67).map(|i| 0.5 + 0.1 * f64::from(i)).collect();
    let (value, by_w, by_x) = weighed_lgamma::gradient_over(&2.0, &x);
    let sum: f64 = x.iter().map(|&x| 2.0 * Real::lgamma(x) + Real::gamma(x).recip()).sum();
    assert!((value - sum).abs() < 1e-9 && (by_w - x.iter().map(|&x| Real::lgamma(x)).sum::<f64>()).abs() < 1e-9);
    for (x, by_x) in x.iter().zip(&by_x) {
        let (_, _, slope) = weighed_lgamma::gradient(&Shared(2.0), *x);
        assert!((by_x - slope).abs() < 1e-12 * (1.0 + slope.abs()));
    }
}

trait Mine {}
impl<T> Mine for T {}

#[reversible]
fn rows_of_a_point<T: Real, const K: usize>(w: &Shared<T>, x: &[[T; K]; 2]) -> T {
    w.spread() * x[0][0] * x[1][K - 1]
}

#[reversible]
fn two_long_points<T: Real>(w: &Shared<T>, x: &[T; 33], y: [T; 40]) -> T {
    w.spread() * x[32] * y[39]
}

#[reversible]
fn one_of_them_constant<T: Real>(#[constant] v: &[Shared<T>; 2], w: &Shared<T>, x: T) -> T {
    v[1].spread() * w.spread() * x
}

#[reversible]
fn all_of_them_constant<T: Real>(#[constant] v: &[Shared<T>], #[constant] w: &Shared<T>, x: T) -> T {
    v[0].spread() * w.spread() * x
}

#[allow(clippy::multiple_bound_locations, reason = "that is what is tested")]
#[reversible]
fn bounds_in_both_places<'a, T: Real + Mine + 'a>(w: &'a Shared<T>, x: T) -> T
where
    T: Copy,
{
    w.spread() * x * x
}

/// Of these no number but `f64`.
trait Float {}
impl Float for f64 {}

trait Scaled<T> {
    const SCALE: f64;
}

impl Scaled<f64> for f64 {
    const SCALE: f64 = 2.0;
}

#[reversible]
fn bound_of_floats<T: Real + Float + Scaled<T>>(w: &[Shared<T>; 2], x: T) -> T {
    w[1].spread() * x * (T::lit(<T as Scaled<T>>::SCALE))
}

#[allow(clippy::multiple_bound_locations, reason = "that is what is tested")]
#[reversible]
fn bounds_of_floats_in_both_places<T: Float, const K: usize>(#[constant] v: &Shared<T>, w: &Shared<T>, x: &[T; K]) -> T
where
    T: Real + Scaled<f64>,
{
    v.spread() * w.spread() * x[K - 1]
}

#[test]
fn bounds_of_ones_own_stand_beside_shared_numbers() {
    assert_eq!(bound_of_floats::gradient(&[Shared(2.0), Shared(3.0)], 5.0), (30.0, [0.0, 10.0], 6.0));
    let (value, by_w, by_x) = bounds_of_floats_in_both_places::gradient(&Shared(2.0), &Shared(3.0), &[5.0, 7.0]);
    assert_eq!((value, by_w, by_x), (42.0, 14.0, [0.0, 6.0]));
    let tangent = bounds_of_floats_in_both_places::pushforward(&Shared(2.0), (&Shared(3.0), &1.0), (&[5.0], &[0.0]));
    assert_eq!(tangent, (30.0, 10.0));
}

#[test]
fn points_of_every_shape_have_gradients() {
    let g = rows_of_a_point::gradient(&Shared(2.0_f64), &[[3.0, 1.0], [1.0, 5.0]]);
    assert_eq!((g.0, g.1, g.2), (30.0, 15.0, [[10.0, 0.0], [0.0, 6.0]]));
    let (value, by_w, by_x, by_y) = two_long_points::gradient_over(&2.0_f64, &[[3.0; 33]; 2], &[[0.5; 40]; 2]);
    assert_eq!((value, by_w, by_x[1][32], by_x[1][0], by_y[0][39]), (6.0, 3.0, 1.0, 0.0, 6.0));
    let (value, by_w, by_x) = one_of_them_constant::gradient_over(&[7.0, 3.0], &2.0_f64, &[1.0, 4.0]);
    assert_eq!((value, by_w, by_x), (30.0, 15.0, vec![6.0, 6.0]));
    let (value, by_x) = all_of_them_constant::gradient_over(&[7.0], &2.0_f64, &[1.0, 4.0]);
    assert_eq!((value, by_x), (70.0, vec![14.0, 14.0]));
    assert_eq!(bounds_in_both_places::gradient(&Shared(2.0_f64), 3.0).2, 12.0);
}

#[reversible]
fn scaled_by_a_constant<T: Real, const K: usize>(w: &Shared<T>, x: T) -> T {
    w.spread() * x * (K as T)
}

#[test]
fn constants_that_no_argument_says_are_handed_on() {
    let (value, by_w, by_x) = scaled_by_a_constant::gradient_over::<3>(&2.0, &[1.0, 4.0]);
    assert_eq!((value, by_w, by_x), (30.0, 15.0, vec![6.0, 6.0]));
}
