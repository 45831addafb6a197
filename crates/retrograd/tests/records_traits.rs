//! Traits whose methods lose information: what they derive is right, whichever type is behind them.

use retrograd::prelude::*;
use retrograd::{Dual, ErrorKind, Record, attempt};

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + b.abs())
}

/// A model that advances in steps, and says something about itself.
#[reversible(record)]
trait Model<T: Real> {
    fn step(&mut self, dt: T);

    fn energy(&self) -> T;

    /// Ends early, if there is nothing left to lose.
    fn advance(&mut self, dt: T, steps: usize) {
        for _ in 0..steps {
            if self.energy() < 1e-3 {
                return;
            }
            self.step(dt);
        }
    }

    fn smoothed(&self, weight: T) -> T {
        let mut mean = weight;
        mean = 0.5 * mean + weight * self.energy();
        mean
    }
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Ball<T> {
    height: T,
    speed: T,
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Decay<T, const N: usize> {
    x: [T; N],
}

#[reversible(record)]
impl<T: Real> Model<T> for Ball<T> {
    fn step(&mut self, dt: T) {
        self.speed -= 9.81 * dt;
        self.height += self.speed * dt;
        if self.height < 0.0 {
            self.height = -self.height;
            self.speed *= -0.8;
        }
    }

    fn energy(&self) -> T {
        let mut e = 9.81 * self.height;
        e = e + 0.5 * self.speed * self.speed;
        e
    }
}

#[reversible(record)]
impl<T: Real, const N: usize> Model<T> for Decay<T, N> {
    fn step(&mut self, dt: T) {
        for i in 0..N {
            self.x[i] = self.x[i] * (1.0 - dt * self.x[i]);
        }
    }

    fn energy(&self) -> T {
        let mut sum = T::zero();
        for i in 0..N {
            sum = sum + self.x[i] * self.x[i];
        }
        sum
    }

    fn smoothed(&self, weight: T) -> T {
        let mut mean = weight * self.energy();
        mean *= mean;
        mean
    }
}

/// A procedure over any model.
#[reversible(record)]
fn run<T: Real, M: Model<T>>(model: &mut M, last: &mut T, dt: T, steps: usize) {
    model.advance(dt, steps);
    *last = model.energy();
    M::step(model, dt);
}

/// A function over any model.
#[reversible(record)]
fn rated<T: Real, M: Model<T>>(model: &M, weight: T) -> T {
    let mut rate = model.smoothed(weight);
    rate = rate * model.energy() + weight;
    rate
}

macro_rules! laws {
    ($name:ident, $ty:ty, $dual:ty, $start:expr, $flat:expr, $of:ident, $ended:ident) => {
        #[test]
        fn $name() {
            let (start, dt): ($ty, f64) = ($start, 0.02);
            let flat: fn(&$ty) -> [f64; 2] = $flat;
            let (of, of_dual) = ($of::<f64>, $of::<Dual<f64, 3>>);

            // `uncall` undoes `recorded`.
            let (mut record, mut model, mut last) = (Record::new(), start.clone(), 0.25);
            run::recorded(&mut model, &mut last, dt, 5, &mut record);
            let (mut plain, mut plain_last) = (start.clone(), 0.25);
            run(&mut plain, &mut plain_last, dt, 5);
            assert_eq!((&model, last), (&plain, plain_last));
            let after = model.clone();
            run::uncall(&mut model, &mut last, dt, 5, &mut record);
            assert!(flat(&model).iter().zip(flat(&start)).all(|(a, b)| is_close(*a, b)) && last == 0.25);
            assert_eq!(record.bytes(), 0);

            // A method too, by its trait.
            model = start.clone();
            model.recorded_advance(dt, 4, &mut record);
            model.recorded_step(dt, &mut record);
            model.uncall_step(dt, &mut record);
            model.uncall_advance(dt, 4, &mut record);
            assert!(flat(&model).iter().zip(flat(&start)).all(|(a, b)| is_close(*a, b)));

            // The pullback is the transpose of the pushforward.
            model = start.clone();
            run::recorded(&mut model, &mut last, dt, 5, &mut record);
            assert_eq!(model, after);
            let (w, mut glast, mut gdt) = ([0.75, -0.5], 2.0, 0.0);
            let mut gmodel: $ty = of(w);
            run::pullback((&mut model, &mut gmodel), (&mut last, &mut glast), (dt, &mut gdt), 5, &mut record);
            let (v, dlast, ddt) = ([0.3, 0.9], 0.7, -0.4);
            let (mut tangent, mut moved): ($ty, $ty) = (of(v), start.clone());
            let (mut moved_last, mut tangent_last) = (0.25, dlast);
            run::pushforward((&mut moved, &mut tangent), (&mut moved_last, &mut tangent_last), (dt, ddt), 5);
            let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
            let there = dot(w, flat(&tangent)) + 2.0 * tangent_last;
            let back = dot(flat(&gmodel), v) + glast * dlast + gdt * ddt;
            assert!(is_close(there, back), "{there} {back}");

            // Functions have the derivatives of dual numbers.
            let (value, gradient, by_dt) = rated::gradient(&start, dt);
            let x = flat(&start);
            let duals: $dual = of_dual([Dual::variable(x[0], 0), Dual::variable(x[1], 1)]);
            let expected = rated(&duals, Dual::<f64, 3>::variable(dt, 2));
            assert_eq!(value, expected.re);
            let found = flat(&gradient);
            assert!((0..2).all(|i| is_close(found[i], expected.eps[i])) && is_close(by_dt, expected.eps[2]));

            // And so have those that call procedures.
            let (value, by_x, by_y, by_dt) = $ended::gradient(x[0], x[1], dt, 6);
            let [x, y] = [Dual::<f64, 3>::variable(x[0], 0), Dual::variable(x[1], 1)];
            let expected = $ended(x, y, Dual::variable(dt, 2), 6);
            assert_eq!(value, expected.re);
            assert!([by_x, by_y, by_dt].iter().zip(expected.eps).all(|(a, b)| is_close(*a, b)));

            // So have methods.
            let mut gradient: $ty = of([0.0; 2]);
            let mut by_weight = 0.0;
            let value = start.pullback_smoothed(&mut gradient, (0.5, &mut by_weight), 1.0);
            let expected = duals.smoothed(Dual::variable(0.5, 2));
            let found = flat(&gradient);
            assert!(is_close(value, expected.re) && is_close(by_weight, expected.eps[2]));
            assert!((0..2).all(|i| is_close(found[i], expected.eps[i])));
        }
    };
}

fn ball<T>([height, speed]: [T; 2]) -> Ball<T> {
    Ball { height, speed }
}

fn decay<T>(x: [T; 2]) -> Decay<T, 2> {
    Decay { x }
}

#[reversible(record)]
fn dropped<T: Real>(height: T, speed: T, dt: T, steps: usize) -> T {
    let mut ball = Ball { height, speed };
    let mut last = T::zero();
    run(&mut ball, &mut last, dt, steps);
    ball.step(dt);
    last * ball.energy()
}

#[reversible(record)]
fn decayed<T: Real>(x: T, y: T, dt: T, steps: usize) -> T {
    let mut decay = Decay { x: [x, y] };
    let mut last = T::zero();
    run(&mut decay, &mut last, dt, steps);
    decay.step(dt);
    last * decay.smoothed(dt)
}

laws!(balls, Ball<f64>, Ball<Dual<f64, 3>>, ball([0.1, -1.5]), |ball| [ball.height, ball.speed], ball, dropped);
laws!(decays, Decay<f64, 2>, Decay<Dual<f64, 3>, 2>, decay([0.8, -0.3]), |decay| decay.x, decay, decayed);

/// A frame knows which type its method belongs to.
#[test]
fn records_of_other_types_are_refused() {
    let (mut record, mut ball, mut decay) = (Record::new(), Ball { height: 1.0, speed: 0.0 }, Decay { x: [0.5] });
    ball.recorded_step(0.1, &mut record);
    let error = attempt(|| decay.uncall_step(0.1, &mut record)).unwrap_err();
    assert_eq!((error.kind, decay), (ErrorKind::ForeignRecord, Decay { x: [0.5] }));
}

/// With a lifetime, and without an active argument but the receiver.
#[reversible(record)]
trait Filter<'a> {
    fn feed(&mut self, data: &'a [f64]);

    fn reset(&mut self) {
        self.feed(&[0.0, 0.0]);
    }
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Mean<T> {
    value: T,
}

#[reversible(record)]
impl<'a> Filter<'a> for Mean<f64> {
    fn feed(&mut self, data: &'a [f64]) {
        for x in data {
            self.value = 0.5 * self.value + 0.5 * *x;
        }
    }
}

#[test]
fn lifetimes_of_traits() {
    let (mut record, mut mean, data) = (Record::new(), Mean { value: 1.0 }, [3.0, 5.0]);
    mean.recorded_feed(&data, &mut record);
    mean.recorded_reset(&mut record);
    assert_eq!(mean.value, 0.875);
    let mut adjoint = Mean { value: 1.0 };
    mean.pullback_reset(&mut adjoint, &mut record);
    let mut by_data = [0.0; 2];
    mean.pullback_feed(&mut adjoint, (&data, &mut by_data), &mut record);
    assert_eq!((mean.value, adjoint.value, by_data), (1.0, 0.0625, [0.0625, 0.125]));
}

/// Without derivatives, and behind `dyn`.
#[reversible(record, derivatives = "never")]
trait Machine {
    fn turn(&mut self, by: u32);
}

#[derive(Clone, Debug, PartialEq)]
struct Counter(u32);

#[reversible(record, derivatives = "never")]
impl Machine for Counter {
    fn turn(&mut self, by: u32) {
        self.0 = self.0 % 7 + by;
    }
}

#[test]
fn traits_without_derivatives() {
    let (mut record, mut counter) = (Record::new(), Counter(12));
    counter.recorded_turn(3, &mut record);
    assert_eq!(counter, Counter(8));
    let behind: &mut dyn Machine = &mut counter;
    behind.turn(1);
    assert_eq!(counter, Counter(2));
    counter = Counter(8);
    counter.uncall_turn(3, &mut record);
    assert_eq!(counter, Counter(12));
}

/// A layer of which others are made.
#[reversible(composed)]
trait Layer {
    fn apply(&self, x: &mut [f64]);

    fn energy(&self, k: f64) -> f64;

    fn both(&self, x: &mut [f64], k: f64) {
        self.apply(x);
        x[0] += self.energy(k);
    }
}

#[derive(Active, Clone, Debug)]
struct Shift {
    by: f64,
}

#[derive(Active, Clone, Debug)]
struct Seq<A, B> {
    first: A,
    second: B,
    weight: f64,
}

#[reversible(composed)]
impl Layer for Shift {
    fn apply(&self, x: &mut [f64]) {
        for i in 0..x.len() {
            x[i] += self.by * self.by;
        }
    }

    fn energy(&self, k: f64) -> f64 {
        self.by * k
    }
}

#[reversible(composed)]
impl<A: Layer, B> Layer for Seq<A, B>
where
    B: Layer,
{
    fn apply(&self, x: &mut [f64]) {
        self.first.apply(x);
        x[0] += self.weight * x[1];
        self.second.apply(x);
        x.swap(0, 1);
    }

    fn energy(&self, k: f64) -> f64 {
        self.first.energy(k) * self.second.energy(k * k) + self.weight
    }
}

#[reversible]
fn through<L: Layer>(layer: &L, x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    layer.both(&mut y, x[1]);
    y[0] * y[1] * layer.energy(y[0])
}

fn net(p: [f64; 5]) -> Seq<Shift, Seq<Shift, Shift>> {
    let shift = |by| Shift { by };
    Seq { first: shift(p[0]), second: Seq { first: shift(p[1]), second: shift(p[2]), weight: p[3] }, weight: p[4] }
}

#[test]
fn compositions_have_derivatives_and_inverses() {
    let (at, x) = ([0.9, 0.7, 0.4, 1.3, 0.8], [0.5, 1.5]);
    let (value, by_net, by_x) = through::gradient(&net(at), &x);
    assert_eq!(value, through(&net(at), &x));
    let seq = &by_net.second;
    let found = [by_net.first.by, seq.first.by, seq.second.by, seq.weight, by_net.weight, by_x[0], by_x[1]];
    let all = |i: usize, h: f64| {
        let (mut p, mut x) = (at, x);
        if i < 5 {
            p[i] += h
        } else {
            x[i - 5] += h
        }
        through(&net(p), &x)
    };
    for (i, found) in found.into_iter().enumerate() {
        let expected = (all(i, 1e-5) - all(i, -1e-5)) / 2e-5;
        assert!((found - expected).abs() < 1e-7 * (1.0 + expected.abs()), "{i}: {found} {expected}");
    }
    let mut tangent = by_net;
    (tangent.first.by, tangent.weight, tangent.second.weight) = (0.0, 0.0, 2.0);
    let slope = through::pushforward((&net(at), &tangent), (&x, &[0.0, 0.0])).1;
    let expected = found[1] * found[1] + found[2] * found[2] + 2.0 * found[3];
    assert!(is_close(slope, expected), "{slope} {expected}");
    let mut y = x;
    net(at).apply(&mut y);
    net(at).uncall_apply(&mut y);
    assert!(is_close(y[0], x[0]) && is_close(y[1], x[1]));
    let object: &dyn Layer = &net(at);
    assert_eq!(object.energy(1.5), net(at).energy(1.5));
}

/// One of which others are made, and that loses what it had.
#[reversible(record, composed)]
trait Lossy<T: Real> {
    fn press(&mut self, x: &mut T, k: T);
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Factor<T> {
    by: T,
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Again<L, T> {
    of: L,
    k: T,
}

#[reversible(record, composed)]
impl<T: Real> Lossy<T> for Factor<T> {
    fn press(&mut self, x: &mut T, k: T) {
        *x *= self.by;
        self.by = self.by * k;
    }
}

#[reversible(record, composed)]
impl<T: Real, L: Lossy<T>> Lossy<T> for Again<L, T> {
    fn press(&mut self, x: &mut T, k: T) {
        let f = self.k * k;
        self.of.press(x, f);
        self.of.press(x, f);
    }
}

#[reversible(record)]
fn pressed<T: Real, L: Lossy<T>>(l: &mut L, x: &mut T, k: T) {
    l.press(x, k);
    *x = *x * *x;
}

#[test]
fn compositions_that_record() {
    let press = |p: [f64; 4]| Again { of: Again { of: Factor { by: p[0] }, k: p[1] }, k: p[2] };
    let at = [1.5, 1.1, 0.9, 2.0];
    let (mut l, mut x, mut record) = (press(at), at[3], Record::new());
    pressed::recorded(&mut l, &mut x, 0.7, &mut record);
    let (mut gl, mut gx, mut gk) = (press([0.0; 4]), 1.0, 0.0);
    pressed::pullback((&mut l, &mut gl), (&mut x, &mut gx), (0.7, &mut gk), &mut record);
    assert_eq!((l, x), (press(at), at[3]));
    let moved = |i: usize, h: f64| {
        let mut p = at;
        p[i] += h;
        let (mut l, mut x) = (press(p), p[3]);
        pressed(&mut l, &mut x, 0.7);
        x
    };
    for (i, found) in [gl.of.of.by, gl.of.k, gl.k, gx].into_iter().enumerate() {
        let expected = (moved(i, 1e-5) - moved(i, -1e-5)) / 2e-5;
        assert!((found - expected).abs() < 1e-7 * (1.0 + expected.abs()), "{i}: {found} {expected}");
    }
}
