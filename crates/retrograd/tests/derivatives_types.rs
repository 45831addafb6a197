//! Derivatives of programs over other types: generics, single precision, containers, structs, methods and traits.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::Dual;
use retrograd::check::{Compare, Report};
use retrograd::prelude::*;

#[reversible]
fn triangle<T, const N: usize>(x: &mut [T; N], m: [[T; N]; N], a: T)
where
    T: Real,
{
    for i in 1..N {
        for j in 0..i {
            x[i] += m[i][j] * x[j] * a;
        }
    }
}

#[reversible]
fn scale<const N: usize, T: Real>(x: &mut [T; N], y: &[T; N])
where
    [T; N]: Sized,
{
    for i in 0..N {
        x[i] *= y[i];
    }
}

#[reversible]
fn both<T: Real>(x: &mut [T; 2], y: &[T; 2], m: &[[T; 2]; 2]) {
    scale::<2, T>(x, y);
    triangle(x, *m, y[0]);
    scale(x, &m[1]);
}

#[reversible]
fn lifetimes<'a, 'b: 'a>(x: &'a mut [f64], y: &'b [f64], k: usize) {
    let rest: &'b [f64] = &y[k..];
    for i in 0..x.len() {
        x[i] *= rest[i];
    }
}

#[reversible]
fn any_number(x: &mut [impl Real], n: usize) {
    for i in 1..n {
        let t = x[i - 1];
        x[i] *= t;
    }
}

#[test]
fn generic_programs() {
    laws!(both(&mut x = [0.7, 0.3], &y = [0.2, 0.4], &m = [[0.5, 0.6], [0.9, 0.8]]));
    laws!(any_number(&mut [x] = vec![0.3, 0.4, 0.5], #n = 3));
    laws!(lifetimes(&mut [x] = vec![0.7, 0.3], &[y] = vec![0.4, 0.2, 0.5], #k = 1));
}

#[reversible]
fn beside_plain_numbers<T: Real>(x: &mut [T], a: f64, w: &[f64], #[constant] c: f64) {
    for i in 0..x.len() {
        x[i] *= T::lit(a);
        x[i] += T::lit(w[i] * a) * T::lit(c);
    }
}

#[test]
fn numbers_of_two_types() {
    laws!(beside_plain_numbers(&mut [x] = vec![0.7, 0.3], a = 0.4, &[w] = vec![0.2, 0.5], #c = 1.5));
}

#[reversible]
fn single(x: &mut [f32], a: f32) {
    for i in 1..x.len() {
        x[i] *= a;
        x[i] += x[i - 1].sin() * 2.0;
    }
}

#[reversible]
fn any_precision<T: Real>(x: &mut [T], a: T) {
    for i in 1..x.len() {
        x[i] *= a;
        x[i] += x[i - 1].sin() * 2.0;
    }
}

#[reversible]
fn single_norm(x: &[f32], a: f32) -> f32 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v * a;
    }
    sum.sqrt()
}

#[reversible]
fn single_beside_double(x: f32, a: f64) -> f64 {
    x as f64 * a
}

#[reversible]
fn singles_beside_double(x: &[f32], y: [[f32; 1]; 2], a: f64) -> f64 {
    f64::from(x[0] * y[0][0] + x[1] * y[1][0]) * a
}

#[test]
fn programs_in_single_precision() {
    let (mut x, mut grad, mut grad_a) = ([0.7_f32, 0.3, 0.2], [0.1_f32, 0.2, 1.0], 0.5_f32);
    let (mut wide, mut wide_grad, mut wide_a) = (x.map(f64::from), grad.map(f64::from), f64::from(grad_a));
    let begun = (x, grad, grad_a);
    single(&mut x, 0.25);
    any_precision(&mut wide, 0.25);
    single::pullback((&mut x, &mut grad), (0.25, &mut grad_a));
    any_precision::pullback((&mut wide, &mut wide_grad), (0.25, &mut wide_a));
    let near = |a: f32, b: f64| assert!((f64::from(a) - b).abs() < 1e-6, "{a} {b}");
    grad.into_iter().zip(wide_grad).chain([(grad_a, wide_a)]).for_each(|(a, b)| near(a, b));
    single::unpullback((&mut x, &mut grad), (0.25, &mut grad_a));
    single::uncall(&mut x, 0.25);
    let back = x.into_iter().chain(grad).chain([grad_a]);
    back.zip(begun.0.into_iter().chain(begun.1).chain([begun.2])).for_each(|(a, b)| near(a, f64::from(b)));

    let (value, grad_x, grad_a): (f32, Vec<f32>, f32) = single_norm::gradient(&[0.5, 0.25], 2.0);
    near(grad_x[0], 2.0 * 0.5 / f64::from(value));
    near(grad_a, 0.3125 / 2.0 / f64::from(value));
    let (value, grad_x, grad_a) = single_beside_double::gradient(0.5, 2.0);
    assert_eq!((value, grad_x, grad_a), (1.0, 2.0_f32, 0.5_f64));
    let gradient: (f64, Vec<f32>, [[f32; 1]; 2], f64) =
        singles_beside_double::gradient(&[0.5, 0.25], [[2.0], [4.0]], 0.1);
    assert_eq!(gradient, (0.2, vec![0.2, 0.4], [[0.05], [0.025]], 2.0));
}

#[reversible]
fn powers<T: Real>(x: &[T], a: T) -> T {
    let mut s = a;
    for i in 0..x.len() {
        s += x[i].sin() * a;
        s *= x[i];
    }
    s * s
}

/// The numbers of `powers` and where they move.
const POINT: [(f64, f64); 3] = [(0.3, 0.6), (0.7, -0.4), (0.5, 0.9)];

#[test]
fn a_pullback_on_dual_numbers_gives_second_derivatives() {
    let [x, y, a] = POINT.map(|(at, direction)| Dual::new(at, [direction]));
    let (value, grad_x, grad_a) = powers::gradient(&[x, y], a);
    let along = |t: f64| {
        let [x, y, a] = POINT.map(|(at, direction)| at + t * direction);
        let (_, grad_x, grad_a) = powers::gradient(&[x, y], a);
        [grad_x[0], grad_x[1], grad_a]
    };
    let h = 1e-3;
    let [near, far] = [h, 2.0 * h].map(|h| {
        let (ahead, behind) = (along(h), along(-h));
        [0, 1, 2].map(|i| (ahead[i] - behind[i]) / (2.0 * h))
    });
    let expected = [0, 1, 2].map(|i| (4.0 * near[i] - far[i]) / 3.0);
    laws::close(&expected, &[grad_x[0].eps[0], grad_x[1].eps[0], grad_a.eps[0]], "the Hessian times a direction");
    laws::close(&along(0.0), &[grad_x[0].re, grad_x[1].re, grad_a.re], "the gradient");

    let (hvp_value, slope, products, product) = powers::hvp((&[x.re, y.re], &[0.6, -0.4]), (a.re, &0.9));
    laws::close(&[value.re, value.eps[0]], &[hvp_value, slope], "the value and the slope of hvp");
    laws::close(&expected, &[products[0], products[1], product], "hvp");
    let (_, gradient, hessian) = powers::hessian(&[x.re, y.re], a.re);
    laws::close(&along(0.0), &gradient, "the gradient of hessian");
    let rows = [0, 1, 2].map(|row| (0..3).map(|i| hessian[3 * row + i] * POINT[i].1).sum::<f64>());
    laws::close(&expected, &rows, "hessian");
}

#[reversible]
fn containers(a: &mut [[f64; 2]; 2], b: &Vec<Vec<f64>>, c: &mut Vec<(f64, [f64; 1])>, t: &mut (f64, (f64, usize))) {
    a[0][1] *= b[1][0];
    c[1].0 += a[0][1] * c[0].1[0];
    t.0 *= c[1].0;
    t.1.0 += t.0 * t.1.1 as f64;
    t.1.1 += 1;
}

#[reversible]
fn by_value(x: Vec<f64>, y: [f64; 2], z: (f64, usize)) -> f64 {
    x[0] * y[1] * z.0 + x[1] * z.1 as f64
}

#[reversible]
#[allow(clippy::boxed_local, reason = "boxes are what is tested")]
fn boxes(_x: &mut Option<f64>, y: &mut Box<f64>, z: Box<f64>, w: &mut Box<[f64]>, _a: &Option<f64>) {
    **y *= *z;
    **y += *z * *z;
    for i in 0..w.len() {
        w[i] *= **y;
    }
}

#[test]
fn containers_of_numbers() {
    laws!(containers(
        &mut a = [[0.1, 0.2], [0.3, 0.4]],
        &b = vec![vec![], vec![0.5]],
        &mut c = vec![(0.6, [0.7]), (0.8, [0.9])],
        &mut t = (0.3, (0.2, 4_usize))
    ));
    laws!(scalar by_value(x = vec![0.3, 0.4], y = [0.5, 0.6], z = (0.7, 3_usize)));
    laws!(boxes(
        &mut x = Some(0.4),
        &mut y = Box::new(0.5),
        z = Box::new(0.6),
        &mut w = vec![0.2, 0.3].into_boxed_slice(),
        &a = None::<f64>
    ));
}

#[derive(Active, Clone, Copy, Debug, PartialEq)]
struct Point<T> {
    x: T,
    y: T,
}

impl<T: Real> Compare for Point<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("x", &self.x, &actual.x);
        report.field("y", &self.y, &actual.y);
    }
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Body {
    place: Point<f64>,
    momentum: [f64; 2],
    charges: Vec<i32>,
    mass: f64,
}

impl Compare for Body {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("place", &self.place, &actual.place);
        report.field("momentum", &self.momentum, &actual.momentum);
        report.field("charges", &self.charges, &actual.charges);
        report.field("mass", &self.mass, &actual.mass);
    }
}

fn body(x: f64, mass: f64) -> Body {
    Body { place: Point { x, y: 1.0 - x }, momentum: [0.3 * x, 0.4], charges: vec![2, -1], mass }
}

#[reversible]
fn turned<T: Real>(p: Point<T>) -> Point<T> {
    Point { x: p.y, y: -p.x }
}

#[reversible]
fn made<T: Real>(a: T, b: T) -> Point<T> {
    Point { x: a * b, y: a.sin() }
}

#[reversible]
fn of_points<T: Real>(a: T, b: T) -> T {
    let p = made(a, b);
    let q = turned(p);
    let r = Point { x: q.x, y: p.x };
    turned(made(a, b)).x * q.y + r.x * r.y + turned(Point { x: a, y: b }).y
}

#[reversible]
fn by_choice(z: &mut f64, p: &Point<f64>, c: bool) {
    let q = if c { *p } else { Point { x: p.y, y: p.x * p.y } };
    let Point { x, y: other } = q;
    *z *= x;
    *z += other * q.squared().x;
}

#[reversible]
impl Point<f64> {
    fn squared(&self) -> Point<f64> {
        Point { x: self.x * self.x, y: self.y }
    }
}

#[reversible]
fn attract(a: &mut Body, b: &Body, dt: f64) {
    let d = b.place.x - a.place.x;
    let m = a.mass * b.mass;
    a.momentum[0] += dt * m * d * a.charges[0] as f64;
    a.momentum[1] -= dt * (b.place.y - a.place.y) * a.charges.len() as f64;
}

#[reversible]
fn step(bodies: &mut [Body], dt: f64) {
    for i in 0..bodies.len() {
        for j in 0..bodies.len() {
            if i != j {
                attract(&mut bodies[i], &bodies[j], dt);
            }
        }
    }
    for b in bodies.iter_mut() {
        b.place.x += dt * b.momentum[0] / b.mass;
        b.place.y += dt * b.momentum[1] / b.mass;
    }
}

#[test]
fn structs() {
    laws!(fn turned(p = Point { x: 0.3, y: 0.4 }));
    laws!(fn made(a = 0.3, b = 0.4));
    laws!(scalar of_points(a = 0.3, b = 0.4));
    for c in [true, false] {
        laws!(by_choice(&mut z = 0.5, &p = Point { x: 0.3, y: 0.4 }, #c = c));
    }
    laws!(step(&mut [bodies] = vec![body(0.3, 1.2), body(0.9, 0.8), body(-0.4, 1.5)], dt = 0.1));
}

#[derive(Active, Clone, Debug)]
struct Rod {
    length: f64,
    #[constant]
    weight: f64,
    #[constant]
    marks: Vec<f64>,
    id: usize,
}

impl Compare for Rod {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("length", &self.length, &actual.length);
        report.field("weight", &self.weight, &actual.weight);
        report.field("marks", &self.marks, &actual.marks);
    }
}

#[reversible]
fn squared(y: &mut f64, a: f64) {
    *y += a * a;
}

#[reversible]
fn times_sine(a: f64, b: f64) -> f64 {
    a * b.sin()
}

#[reversible]
fn reads_constants(rod: &Rod, a: f64) -> f64 {
    let mut weight = rod.weight;
    weight += a;
    let mut marks = rod.marks.clone();
    marks[0] += a * weight;
    let both = [rod.weight, a, rod.marks[1]];
    let called = times_sine(rod.weight, a) + times_sine(a, rod.marks[0]);
    let chosen = if a > 0.0 { rod.weight } else { a };
    let mut y = 0.0;
    squared(&mut y, rod.weight);
    rod.weight * both[0] * both[1] * marks[0] * called * chosen + (rod.weight, a).1 * rod.length - rod.weight + y
}

#[reversible]
fn changes_constants(rod: &mut Rod, a: f64) {
    rod.weight += 2.0;
    rod.weight *= 1.5;
    rod.marks[0] += rod.weight;
    rod.marks[1] -= rod.weight * 2.0;
    rod.weight = -rod.weight;
    rod.length += rod.weight * a * rod.marks[0] + rod.id as f64;
}

#[reversible]
fn like(rod: &Rod, a: f64) -> Rod {
    Rod { length: a * rod.length, weight: rod.weight, marks: rod.marks.clone(), id: 1 }
}

#[test]
fn constant_fields_are_read_and_changed_by_each_other() {
    let rod = Rod { length: 0.5, weight: 0.7, marks: vec![0.2, 0.9], id: 3 };
    laws!(scalar reads_constants(&rod = rod.clone(), a = 0.3));
    laws!(changes_constants(&mut rod = rod.clone(), a = 0.3));
    laws!(fn like(&rod = rod, a = 0.3));
}

#[reversible]
impl<T: Real> Point<T> {
    fn energy(&self, k: T) -> T {
        0.5 * (self.x * self.x * k + self.y * self.x)
    }

    fn kick(&mut self, dt: T, w: &[T]) {
        self.y -= dt * self.x * w[0];
        self.x += dt * self.y;
    }

    fn there_and_back(&mut self, dt: T, w: &[T]) {
        self.kick(dt, w);
        self.uncall_kick(dt * dt, w);
        Self::kick(self, dt, &w[1..]);
        let e = self.y * dt;
        self.x += e;
    }

    fn taken(self, k: T) -> T {
        self.x * k + self.energy(k)
    }
}

#[test]
fn methods() {
    let (point, weights) = (Point { x: 0.3, y: 0.2 }, vec![0.3, 0.8]);
    laws::procedure(
        "there_and_back",
        point,
        (0.1, weights),
        |point, (dt, w)| point.there_and_back(*dt, w),
        |point, (dt, w)| point.uncall_there_and_back(*dt, w),
        |point, grad, (dt, w), (grad_dt, grad_w)| point.pullback_there_and_back(grad, (*dt, grad_dt), (w, grad_w)),
        |point, grad, (dt, w), (grad_dt, grad_w)| point.unpullback_there_and_back(grad, (*dt, grad_dt), (w, grad_w)),
        |point, d, (dt, w), (d_dt, d_w)| point.pushforward_there_and_back(d, (*dt, *d_dt), (w, d_w)),
        |point, d, (dt, w), (d_dt, d_w)| point.unpushforward_there_and_back(d, (*dt, *d_dt), (w, d_w)),
    );
    laws::function(
        "energy",
        (point, 0.4),
        |(point, k)| point.energy(*k),
        |(point, k), (grad, grad_k), seed| point.pullback_energy(grad, (*k, grad_k), seed),
        |(point, k), (d, d_k)| point.pushforward_energy(d, (*k, *d_k)),
    );
    laws::gradient("energy", (point, 0.4), |(point, k)| point.energy(*k), |(point, k)| point.gradient_energy(*k));
    laws::function(
        "taken",
        (point, 0.4),
        |(point, k)| point.taken(*k),
        |(point, k), (grad, grad_k), seed| point.pullback_taken(grad, (*k, grad_k), seed),
        |(point, k), (d, d_k)| point.pushforward_taken(*d, (*k, *d_k)),
    );
}

#[reversible]
fn of_a_struct_and_a_slice<T: Real>(p: &Point<T>, weights: &[T], n: usize) -> T {
    p.energy(weights[0] * weights[1]) * p.x + weights[n] * p.y.sin()
}

#[reversible]
fn of_several<T: Real>(points: &[Point<T>], #[constant] scale: &Point<T>) -> T {
    let mut sum = 0.0;
    for i in 0..points.len() {
        sum += points[i].x * points[i].y * points[0].y * scale.x;
    }
    sum
}

/// The Hessian, row by row, from differences of gradients.
fn hessian(x: &[f64], gradient: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
    let step = 1e-5;
    let moved = |i: usize, by: f64| {
        let mut x = x.to_vec();
        x[i] += by;
        gradient(&x)
    };
    (0..x.len())
        .flat_map(|i| moved(i, step).into_iter().zip(moved(i, -step)).map(move |(a, b)| (a - b) / (2.0 * step)))
        .collect()
}

#[test]
fn second_derivatives_by_structs_and_of_methods() {
    let near = |expected: &[f64], actual: &[f64]| {
        let same = expected.iter().zip(actual).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(expected.len() == actual.len() && same, "{expected:?}\n{actual:?}");
    };
    let point = |x: &[f64]| Point { x: x[0], y: x[1] };
    let x = [0.3, 0.2, 0.7, 0.4];

    let flat = |x: &[f64]| {
        let (_, p, w) = of_a_struct_and_a_slice::gradient(&point(x), &x[2..], 1);
        vec![p.x, p.y, w[0], w[1]]
    };
    let (value, gradient, second) = of_a_struct_and_a_slice::hessian(&point(&x), &x[2..], 1);
    assert_eq!(value, of_a_struct_and_a_slice(&point(&x), &x[2..], 1));
    near(&flat(&x), &gradient);
    near(&hessian(&x, flat), &second);
    let direction = Point { x: 1.0, y: 0.0 };
    let (_, slope, p, w) = of_a_struct_and_a_slice::hvp((&point(&x), &direction), (&x[2..], &[0.0, 0.0]), 1);
    near(&[gradient[0]], &[slope]);
    near(&second[..4], &[p.x, p.y, w[0], w[1]]);

    let flat = |x: &[f64]| {
        let (_, p, k) = point(x).gradient_energy(x[2]);
        vec![p.x, p.y, k]
    };
    let (value, gradient, second) = point(&x).hessian_energy(x[2]);
    assert_eq!(value, point(&x).energy(x[2]));
    near(&flat(&x[..3]), &gradient);
    near(&hessian(&x[..3], flat), &second);
    let (_, slope, p, k) = point(&x).hvp_energy(&direction, (x[2], &0.0));
    near(&[gradient[0]], &[slope]);
    near(&second[..3], &[p.x, p.y, k]);

    let scale = Point { x: 2.0, y: 0.0 };
    let points = |x: &[f64]| [point(x), point(&x[2..])];
    let flat = |x: &[f64]| of_several::gradient(&points(x), &scale).1.iter().flat_map(|p| [p.x, p.y]).collect();
    near(&hessian(&x, flat), &of_several::hessian(&points(&x), &scale).2);
}

#[reversible]
trait Force<T: Real> {
    fn force(&self, x: T) -> T;

    fn kick(&self, v: &mut T, x: &T, dt: T);

    fn kick_twice(&self, v: &mut T, x: &T, dt: T) {
        self.kick(v, x, dt);
        self.kick(v, x, dt * 0.5);
    }
}

#[derive(Active, Clone, Debug)]
struct Spring<T> {
    k: T,
}

#[derive(Active, Clone, Debug)]
struct Duffing<T> {
    k: T,
    cubic: T,
}

impl<T: Real> Compare for Spring<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("k", &self.k, &actual.k);
    }
}

impl<T: Real> Compare for Duffing<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("k", &self.k, &actual.k);
        report.field("cubic", &self.cubic, &actual.cubic);
    }
}

#[reversible]
impl<T: Real> Force<T> for Spring<T> {
    fn force(&self, x: T) -> T {
        -self.k * x
    }

    fn kick(&self, v: &mut T, x: &T, dt: T) {
        *v += dt * self.force(*x);
    }
}

#[reversible]
impl<T: Real> Force<T> for Duffing<T> {
    fn force(&self, x: T) -> T {
        -self.k * x - self.cubic * x.powi(3)
    }

    fn kick(&self, v: &mut T, x: &T, dt: T) {
        *v += dt * self.force(*x) * x.cos();
    }
}

#[reversible]
fn driven<T: Real>(v: &mut T, x: &mut T, spring: &Spring<T>, duffing: &Duffing<T>, dt: T) {
    spring.kick(v, x, dt);
    *x += dt * *v;
    duffing.kick_twice(v, x, dt);
    *x *= spring.force(dt);
}

#[reversible]
fn driven_by<T: Real, F: Force<T>>(force: &F, v: &mut T, x: &mut T, dt: T) {
    force.kick_twice(v, x, dt);
    *x += dt * *v;
    *v += force.force(*x) * dt;
}

#[test]
fn traits() {
    let (spring, duffing) = (Spring { k: 1.2 }, Duffing { k: 0.7, cubic: 0.4 });
    laws!(driven(&mut v = 0.3, &mut x = 0.6, &spring = spring.clone(), &duffing = duffing.clone(), dt = 0.2));
    laws!(driven_by(&force = spring.clone(), &mut v = 0.3, &mut x = 0.6, dt = 0.2));
    laws!(driven_by(&force = duffing.clone(), &mut v = 0.3, &mut x = 0.6, dt = 0.2));
}

/// Trait objects run, and have no derivatives.
#[reversible]
trait Gain {
    fn at(&self, x: f64) -> f64;

    fn apply(&mut self, x: &mut f64);
}

#[reversible]
impl Gain for Spring<f64> {
    fn at(&self, x: f64) -> f64 {
        self.k * x
    }

    fn apply(&mut self, x: &mut f64) {
        *x += self.k;
        self.k += 1.0;
    }
}

#[reversible(derivatives = "never")]
fn by_object(y: &mut f64, gain: &mut dyn Gain, other: &dyn Gain) {
    gain.apply(y);
    *y += other.at(2.0);
}

#[reversible]
fn by_constant_object(y: &mut f64, #[constant] gain: &dyn Gain, x: f64) {
    #[constant]
    let factor = gain.at(3.0);
    *y += factor * x;
}

#[test]
fn a_trait_with_derivatives_has_objects() {
    let (mut y, mut gain, other) = (0.5, Spring { k: 2.0 }, Spring { k: 0.25 });
    by_object(&mut y, &mut gain, &other);
    assert_eq!((y, gain.k), (3.0, 3.0));
    by_object::uncall(&mut y, &mut gain, &other);
    assert_eq!((y, gain.k), (0.5, 2.0));
    let mut by_x = 0.0;
    by_constant_object::pullback((&mut y, &mut 1.0), &other, (0.5, &mut by_x));
    assert_eq!(by_x, 0.75);
}

#[derive(Active, Clone, Debug, PartialEq)]
struct List<T> {
    head: T,
    tail: Option<Box<List<T>>>,
}

impl<T: Real> Compare for List<T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        report.field("head", &self.head, &actual.head);
        report.field("tail", &self.tail, &actual.tail);
    }
}

#[reversible]
fn product_of<T: Real>(list: &List<T>) -> T {
    match &list.tail {
        Some(tail) => list.head * product_of(tail),
        None => list.head.sin(),
    }
}

#[reversible]
fn last_of(list: &List<f64>) -> f64 {
    if let Some(tail) = list.tail.as_deref() { last_of(tail) } else { list.head * list.head }
}

#[reversible]
fn raise<T: Real>(list: &mut List<T>, by: T) {
    list.head += by.sin();
    match &mut list.tail {
        Some(tail) => raise(tail, by),
        None => {}
    }
}

#[reversible]
fn longer(head: f64, tail: Box<List<f64>>) -> List<f64> {
    List { head: head * tail.head, tail: Some(tail) }
}

#[test]
fn programs_over_a_struct_that_contains_itself() {
    let list = |head, tail: Option<List<f64>>| List { head, tail: tail.map(Box::new) };
    let list = list(0.3, Some(list(0.7, Some(list(0.9, None)))));
    laws!(scalar product_of(&list = list.clone()));
    laws!(scalar last_of(&list = list.clone()));
    laws!(raise(&mut list = list.clone(), by = 0.4));
    laws!(fn longer(head = 0.4, tail = Box::new(list.clone())));
}
