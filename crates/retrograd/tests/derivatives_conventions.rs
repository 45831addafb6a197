//! How derivative companions are called, and what they refuse before anything is changed.

#[path = "derivatives/laws.rs"]
mod laws;

use std::panic::{AssertUnwindSafe, catch_unwind};

use laws::laws;
use retrograd::prelude::*;
use retrograd::{Procedure, procedure};

#[reversible]
fn norm<T: Real>(x: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

#[reversible]
fn kick_drift<T: Real>(x: &mut [T], v: &mut [T], dt: T) {
    for i in 0..x.len() {
        v[i] -= dt * x[i];
    }
    for i in 0..x.len() {
        x[i] += dt * v[i];
    }
}

#[test]
fn a_function_gives_its_value_and_adds_to_gradients() {
    let mut grad = [10.0, 20.0];
    assert_eq!(norm::pullback((&[3.0, 4.0], &mut grad), 5.0), 5.0);
    assert_eq!(grad, [13.0, 24.0]);
    assert_eq!(norm::pushforward((&[3.0, 4.0], &[1.0, 0.5])), (5.0, 1.0));
    let (value, gradient) = norm::gradient(&[3.0, 4.0]);
    laws::close(&[5.0, 0.6, 0.8], &[value, gradient[0], gradient[1]], "the gradient of a norm");
    assert!(norm::gradient(&[] as &[f64]).1.is_empty());
}

#[test]
fn a_procedure_takes_pairs() {
    let (mut x, mut v, mut grad_x, mut grad_v, mut grad_dt) = ([1.0], [2.0], [1.0], [0.0], 0.25);
    kick_drift(&mut x, &mut v, 0.5);
    kick_drift::pullback((&mut x, &mut grad_x), (&mut v, &mut grad_v), (0.5, &mut grad_dt));
    assert_eq!((x, v, grad_x, grad_v, grad_dt), ([1.0], [2.0], [0.75], [0.5], 1.25));
    kick_drift::unpullback((&mut x, &mut grad_x), (&mut v, &mut grad_v), (0.5, &mut grad_dt));
    assert_eq!((x, v, grad_x, grad_v, grad_dt), ([1.75], [1.5], [1.0], [0.0], 0.25));
    let (mut d_x, mut d_v) = ([1.0], [0.0]);
    kick_drift::unpushforward((&mut x, &mut d_x), (&mut v, &mut d_v), (0.5, 1.0));
    kick_drift::pushforward((&mut x, &mut d_x), (&mut v, &mut d_v), (0.5, 1.0));
    assert_eq!((x, v, d_x, d_v), ([1.75], [1.5], [1.0], [0.0]));
}

#[reversible]
fn every_kind(a: f64, n: usize, x: &[f64], #[constant] c: f64, text: &str, p: (f64, bool), v: &Vec<f64>) -> f64 {
    a * n as f64 * x[0] * c + p.0 * v[1] + text.len() as f64 * a
}

#[test]
fn gradients_come_in_the_order_of_active_arguments() {
    let (value, a, x, p, v): (f64, f64, Vec<f64>, (f64, ()), Vec<f64>) =
        every_kind::gradient(2.0, 3, &[4.0], 5.0, "text", (6.0, true), &vec![7.0, 8.0]);
    assert_eq!((value, a, x, p, v), (176.0, 64.0, vec![30.0], (8.0, ()), vec![0.0, 6.0]));
}

type Length = f64;

#[reversible]
fn hypotenuse(a: Length, b: Length, n: usize) -> Length {
    a.hypot(b) * n as f64
}

#[test]
fn a_number_may_have_another_name() {
    assert_eq!(hypotenuse::gradient(3.0, 4.0, 5), (25.0, 3.0, 4.0));
    laws!(scalar hypotenuse(a = 0.3, b = 0.4, #n = 2));
}

#[reversible]
fn quotients(x: f64, y: &[f64], n: usize) -> (f64, f64) {
    (x * y[0], x / y[1] * n as f64)
}

#[reversible]
fn cross<T: Real>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[reversible]
fn copies(x: f64) -> [f64; 12] {
    [x * x; 12]
}

#[test]
fn rows_of_a_jacobian_are_outputs() {
    let (value, rows) = quotients::jacobian(0.5, &[2.0, 4.0], 3);
    assert_eq!(value, (1.0, 0.375));
    assert_eq!(rows, [[2.0, 0.5, 0.0], [0.75, 0.0, -0.09375]]);
    let (value, rows) = cross::jacobian(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]);
    assert_eq!(value, [-3.0, 6.0, -3.0]);
    assert_eq!(rows[0], [0.0, 6.0, -5.0, 0.0, -3.0, 2.0]);
    assert_eq!(rows[2], [5.0, -4.0, 0.0, -2.0, 1.0, 0.0]);
    assert_eq!(copies::jacobian(3.0).1, [[6.0]; 12]);
}

#[reversible]
fn reads_little(x: &mut f64, _y: f64, _z: &[f64], _w: &mut [f64], _n: usize) {
    *x += 1.0;
}

#[reversible]
fn reads_nothing(_x: f64, _y: &[f64]) -> f64 {
    3.0
}

#[test]
fn what_is_not_used_has_no_derivative() {
    laws!(reads_little(&mut x = 0.2, y = 0.4, &[z] = vec![1.0], &mut [w] = vec![2.0], #n = 3));
    laws!(scalar reads_nothing(x = 0.2, &[y] = vec![0.2]));
}

#[reversible]
fn zero(x: f64) -> f64 {
    x * 2.0
}

#[reversible]
fn add(x: &mut f64, y: f64) {
    *x += y * 3.0;
}

#[reversible]
fn pull(number: f64) -> f64 {
    number * number
}

#[reversible]
fn nil() -> f64 {
    2.0
}

mod own {
    use retrograd::prelude::*;

    #[reversible]
    pub(crate) fn zero() -> f64 {
        2.0
    }

    #[reversible]
    pub(crate) fn one() -> f64 {
        3.0
    }
}

#[reversible]
fn neither_zero_nor_one(y: &mut f64, a: f64) {
    let mut t = own::zero();
    t += a.exp();
    *y += t * t + nil();
    *y *= own::one() / a;
}

#[reversible]
#[allow(clippy::too_many_arguments)]
fn as_generated(sweep: &mut f64, grad_x: f64, x: f64, seed: f64, d_x: f64, value: f64, adjoint: f64, keep_x: f64) {
    *sweep += zero(grad_x) * seed + pull(x);
    add(sweep, d_x * x);
    *sweep *= value + pull(adjoint);
    let grad_sweep = keep_x * 2.0;
    *sweep -= grad_sweep * x;
}

#[reversible]
fn locals_as_generated(seed: f64, sweep: f64, result: &[f64], turn: &[f64]) -> f64 {
    let value_0 = seed * sweep;
    let adjoint_1 = value_0 * seed;
    let mut slope = 0.0;
    for (turn, count) in result.iter().zip(turn) {
        slope += turn * count;
    }
    let tangent = slope;
    let one = tangent * adjoint_1;
    one + value_0
}

#[reversible]
fn shadow_type<S: Real>(x: &mut S, y: S) {
    *x += y * y;
}

#[reversible]
fn shadow_trait<Shadow: Real>(x: &mut Shadow, y: Shadow) {
    *x += y * y;
}

#[reversible]
fn pullback(x: &mut f64, y: f64) {
    *x += y * y;
}

#[reversible]
fn gradient(x: f64) -> f64 {
    x * x
}

#[reversible]
fn companions_as_names(x: &mut f64, y: f64) {
    pullback(x, gradient(y));
}

#[test]
fn names_may_be_those_of_generated_code() {
    laws!(as_generated(&mut s = 0.3, a = 0.2, b = 0.4, c = 0.5, d = 0.6, e = 0.7, f = 0.8, g = 0.9));
    laws!(neither_zero_nor_one(&mut y = 0.3, a = 0.7));
    laws!(scalar locals_as_generated(a = 0.2, b = 0.4, &[c] = vec![0.3], &[d] = vec![0.4]));
    laws!(shadow_type(&mut x = 0.3, y = 0.4));
    laws!(shadow_trait(&mut x = 0.3, y = 0.4));
    laws!(companions_as_names(&mut x = 0.3, y = 0.4));
    laws!(pullback(&mut x = 0.3, y = 0.4));
    laws!(scalar gradient(x = 0.4));
}

enum Kind {
    Add,
    Scale,
}

struct Plain {
    x: f64,
}

#[reversible(derivatives = "never")]
impl Plain {
    fn step(&mut self, by: f64, kind: Kind) {
        match kind {
            Kind::Add => self.x += by,
            Kind::Scale => self.x *= by,
        }
    }
}

#[reversible(derivatives = "never")]
fn applied<F: Fn(f64) -> f64>(x: &mut f64, f: F) {
    *x += f(2.0);
}

#[test]
fn a_program_for_its_inverse_alone_needs_no_derivatives() {
    let (mut plain, mut x) = (Plain { x: 1.0 }, 1.0);
    plain.step(2.0, Kind::Scale);
    plain.step(2.0, Kind::Add);
    plain.uncall_step(2.0, Kind::Add);
    applied(&mut x, f64::recip);
    applied::uncall(&mut x, f64::recip);
    assert_eq!((plain.x, x), (2.0, 1.0));
}

#[reversible]
fn mixed_shapes(x: &mut [f64], y: &[f64], z: &mut Vec<Vec<f64>>, stack: &mut Stack<f64>) {
    for i in 0..x.len() {
        x[i] *= y[i];
    }
    z[0][0] += x[0];
    let mut t = x[0];
    stack.push(&mut t);
    release!(t == 0.0);
}

type Shapes = (Vec<f64>, Vec<f64>, Vec<Vec<f64>>, Stack<f64>);

/// What a pullback with shadows of these lengths says; it has changed nothing then.
fn refusal(x: usize, y: usize, z: &[usize], stack: usize) -> Option<String> {
    let mut values: Shapes = (vec![1.0, 2.0], vec![3.0, 4.0], vec![vec![1.0], vec![]], Stack::new());
    mixed_shapes(&mut values.0, &values.1, &mut values.2, &mut values.3);
    let nested = z.iter().map(|n| vec![1.0; *n]).collect();
    let mut shadows: Shapes = (vec![1.0; x], vec![1.0; y], nested, Stack::from(vec![1.0; stack]));
    let before = (values.clone(), shadows.clone());
    let run = AssertUnwindSafe(|| {
        let ((x, y, z, stack), (grad_x, grad_y, grad_z, grad_stack)) = (&mut values, &mut shadows);
        mixed_shapes::pullback((x, grad_x), (y, grad_y), (z, grad_z), (stack, grad_stack));
    });
    let panic = catch_unwind(run).err()?;
    assert_eq!((values, shadows), before);
    panic.downcast_ref::<String>().cloned()
}

#[test]
fn a_shadow_of_another_shape_is_refused_before_anything_is_changed() {
    let says = |refusal: Option<String>, text: &str| assert_eq!(refusal.as_deref(), Some(text));
    assert_eq!(refusal(2, 2, &[1, 0], 1), None);
    says(refusal(3, 2, &[1, 0], 1), "`x` has length 2, but its derivative has length 3");
    says(refusal(2, 1, &[1, 0], 1), "`y` has length 2, but its derivative has length 1");
    says(refusal(2, 2, &[1], 1), "`z` has length 2, but its derivative has length 1");
    says(refusal(2, 2, &[1, 2], 1), "`z[1]` has length 0, but its derivative has length 2");
    says(refusal(2, 2, &[1, 0], 0), "`stack` has length 1, but its derivative has length 0");
}

#[test]
fn every_run_looks_at_the_shapes() {
    let (x, v) = (|| vec![1.0, 2.0], || vec![3.0, 4.0]);
    let message = |run: &dyn Fn()| {
        let panic = catch_unwind(AssertUnwindSafe(run)).unwrap_err();
        panic.downcast_ref::<String>().cloned().unwrap()
    };
    let short = "`v` has length 2, but its derivative has length 1";
    let runs: [&dyn Fn(); 4] = [
        &|| kick_drift::pullback((&mut x(), &mut x()), (&mut v(), &mut [1.0]), (0.5, &mut 0.0)),
        &|| kick_drift::unpullback((&mut x(), &mut x()), (&mut v(), &mut [1.0]), (0.5, &mut 0.0)),
        &|| kick_drift::pushforward((&mut x(), &mut x()), (&mut v(), &mut [1.0]), (0.5, 0.0)),
        &|| kick_drift::unpushforward((&mut x(), &mut x()), (&mut v(), &mut [1.0]), (0.5, 0.0)),
    ];
    runs.iter().for_each(|run| assert_eq!(message(run), short));
    let short = "`x` has length 2, but its derivative has length 1";
    let value = |value: f64| assert!(value > 0.0);
    assert_eq!(message(&|| value(norm::pullback((&x(), &mut [1.0]), 1.0))), short);
    assert_eq!(message(&|| value(norm::pushforward((&x(), &[1.0])).0)), short);
    let state = || (x(), v(), 0.1);
    let step = procedure!(s: (Vec<f64>, Vec<f64>, f64) => kick_drift(&mut s.0, &mut s.1, s.2));
    let misfit = || (x(), vec![1.0], 0.0);
    let short = "`s.1` has length 2, but its derivative has length 1";
    assert_eq!(message(&|| step.pullback(&mut state(), &mut misfit())), short);
    assert_eq!(message(&|| step.pushforward(&mut state(), &mut misfit())), short);
    let short = "`x` is made of 2 numbers, but its direction of 1";
    assert_eq!(message(&|| value(norm::hvp((&x(), &[1.0])).0)), short);
}

#[reversible]
fn powers(x: f64, n: usize) -> Vec<f64> {
    vec![x * x; n]
}

#[reversible]
fn rows(x: f64) -> Vec<Vec<f64>> {
    let mut rows = vec![vec![0.0; 2]; 2];
    rows[1][0] += x * x;
    rows
}

#[reversible]
fn handed_on(x: f64) -> Vec<f64> {
    powers(x, 3)
}

#[test]
fn a_seed_of_another_shape_is_refused_before_anything_is_changed() {
    let refusal = |run: &dyn Fn(&mut f64)| {
        let mut grad = 0.5;
        let panic = catch_unwind(AssertUnwindSafe(|| run(&mut grad))).err()?;
        assert_eq!(grad, 0.5);
        panic.downcast_ref::<String>().cloned()
    };
    let says = |refusal: Option<String>, text: &str| assert_eq!(refusal.as_deref(), Some(text));
    assert_eq!(refusal(&|grad| drop(powers::pullback((0.5, grad), 3, vec![1.0; 3]))), None);
    let short = "`value` has length 3, but its derivative has length 1";
    says(refusal(&|grad| drop(powers::pullback((0.5, grad), 3, vec![1.0]))), short);
    says(refusal(&|grad| drop(handed_on::pullback((0.5, grad), vec![1.0]))), short);
    let inside = "`value[1]` has length 2, but its derivative has length 0";
    says(refusal(&|grad| drop(rows::pullback((0.5, grad), vec![vec![1.0; 2], vec![]]))), inside);
}

#[derive(Active, Clone, Debug, PartialEq)]
struct State {
    x: Vec<f64>,
    v: Vec<f64>,
    dt: f64,
    steps: usize,
}

/// Runs there and back, all six runs, and gives the adjoint in between.
fn there_and_back<S: Active<Shadow: Clone> + Clone>(p: impl Procedure<S>, state: &mut S, shadow: &mut S::Shadow) {
    (0..3).for_each(|_| Procedure::run(&p, state));
    (0..3).for_each(|_| p.pullback(state, shadow));
    let adjoint = shadow.clone();
    p.unpullback(state, shadow);
    p.uncall(state);
    *shadow = adjoint;
    p.pushforward(state, &mut shadow.clone());
    p.unpushforward(state, &mut shadow.clone());
}

#[test]
fn a_procedure_as_a_value_has_every_run() {
    let begun = State { x: vec![0.3], v: vec![0.4], dt: 0.1, steps: 2 };
    let mut state = begun.clone();
    let mut shadow = StateShadow { x: vec![1.0], v: vec![0.0], dt: 0.0, steps: () };
    there_and_back(procedure!(s => kick_drift(&mut s.x, &mut s.v, s.dt)), &mut state, &mut shadow);
    laws::close(&[0.3, 0.4, 0.1], &laws::numbers(&state), "the values");
    let last = |x: f64, v: f64, dt: f64| {
        let (mut x, mut v) = ([x], [v]);
        (0..3).for_each(|_| kick_drift(&mut x, &mut v, dt));
        x[0]
    };
    let slope = |f: &dyn Fn(f64) -> f64| (8.0 * (f(1e-3) - f(-1e-3)) - (f(2e-3) - f(-2e-3))) / 12e-3;
    let by =
        [slope(&|h| last(0.3 + h, 0.4, 0.1)), slope(&|h| last(0.3, 0.4 + h, 0.1)), slope(&|h| last(0.3, 0.4, 0.1 + h))];
    laws::close(&by, &[shadow.x[0], shadow.v[0], shadow.dt], "the adjoint of three steps");
}

#[reversible]
fn floor(x: f64) -> f64 {
    x.floor()
}

#[reversible]
fn unused(x: f64, y: &[f64]) -> f64 {
    x * 2.0 + y.len() as f64
}

/// Sums begin with a negative zero inside; what is given away shows a plain one.
#[test]
fn zeros_are_positive() {
    let (_, slope) = floor::gradient(1.5);
    let (_, tangent) = floor::pushforward((1.5, 1.0));
    let (_, _, gradient) = unused::gradient(1.5, &[1.0, 2.0]);
    assert!([slope, tangent, gradient[0], gradient[1]].iter().all(|zero| *zero == 0.0 && zero.is_sign_positive()));
}
