//! Procedures that record only ancillas which undo themselves: they have every companion, and no caller knows of a record.

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::Dual;
use retrograd::prelude::*;

/// Newton's method into an ancilla.
#[reversible]
fn add_root<T: Real>(z: &mut T, a: T) {
    let mut y = a;
    #[record]
    for _ in 0..5 {
        y = 0.5 * (y + a / y);
    }
    *z += y;
    *z *= 1.0 + y * y;
}

/// Turns an unknown number of times, and leaves in between.
#[reversible]
fn add_halved<T: Real>(z: &mut [T], x: &[T]) {
    for i in 0..x.len() {
        let mut y = x[i] * 3.0;
        let mut turns = 0;
        #[record]
        while y.abs() > 1.0 {
            turns = turns + 1;
            if turns == 3 {
                y = y * y * 0.01;
                continue;
            }
            if turns > 5 {
                break;
            }
            y = 0.5 * y - 0.1 * x[0];
        }
        z[i] += y * x[i];
        z[0] -= y.sin();
    }
}

#[reversible(record)]
fn decay<T: Real>(y: &mut [T], k: T) {
    for i in 1..y.len() {
        y[i] = k * y[i] * y[i - 1];
    }
    y[0] *= k;
}

#[reversible]
fn square<T: Real>(x: T) -> T {
    x * x
}

#[reversible(record)]
fn cooled<T: Real>(x: T) -> T {
    let mut t = x;
    for _ in 0..3 {
        t = t * 0.5 + t.sin();
    }
    t
}

/// Calls what records, and what does not.
#[reversible]
fn add_decayed<T: Real>(z: &mut [T], x: &[T], k: T) {
    let mut y = x.to_vec();
    #[record]
    {
        decay(&mut y, k);
        let first = y[0];
        y[0] = cooled(square(first)) + y[1];
        y.sort_by(|a, b| a.partial_cmp(b).unwrap());
    }
    for i in 0..x.len() {
        z[i] += y[i];
    }
    z.swap(0, 1);
}

/// Two ancillas, computed in one loop of which only a part is recorded.
#[reversible]
fn add_average<T: Real>(z: &mut [T], x: &[T]) {
    let mut mean = T::zero();
    let mut means = vec![T::zero(); x.len()];
    for i in 0..x.len() {
        #[record]
        {
            mean = 0.5 * mean + x[i] * x[i];
        }
        means[i] += mean * x[i];
    }
    for i in 0..x.len() {
        z[i] += means[i] * means[0];
    }
}

/// An ancilla inside of what computes another one.
#[reversible]
fn add_nested<T: Real>(z: &mut T, x: &[T]) {
    let mut s = T::zero();
    for i in 0..x.len() {
        let mut y = x[i];
        #[record]
        for _ in 0..2 {
            y = y.sin() + x[0] * y;
        }
        s += y * y;
    }
    #[record]
    {
        s = s.cos() * s;
    }
    *z -= s;
}

/// Used again behind another change that is undone by itself.
#[reversible]
fn add_twice<T: Real>(z: &mut T, w: &mut T, x: T) {
    let mut y = x;
    #[record]
    {
        y = y * y.exp();
    }
    *z += y * x;
    y += x * x;
    *w += y.sin();
}

/// What it records is chosen by what it changes elsewhere.
#[reversible]
fn add_branch<T: Real>(z: &mut T, x: &mut T, a: T) {
    let mut y = *x;
    #[record]
    if y > a {
        y = y * a;
    } else {
        y = y - a * y;
    }
    *z += y;
    *x += a;
}

fn state<T: Real>(of: &[f64]) -> Vec<T> {
    of.iter().map(|x| T::lit(*x)).collect()
}

#[test]
fn all_runs_keep_the_laws() {
    laws!(add_root(&mut z = 0.3, a = 1.7));
    laws!(add_halved(&mut [z] = vec![0.1, 0.2, 0.3], &[x] = vec![0.4, -2.3, 7.0]));
    laws!(add_decayed(&mut [z] = vec![0.1, 0.2, 0.3], &[x] = vec![0.9, -1.3, 0.7], k = 0.8));
    laws!(add_average(&mut [z] = vec![0.1, 0.2, 0.3], &[x] = vec![0.9, -1.3, 0.7]));
    laws!(add_nested(&mut z = 0.2, &[x] = vec![0.9, -1.3, 0.7]));
    laws!(add_twice(&mut z = 0.2, &mut w = 0.4, x = 0.6));
    laws!(add_branch(&mut z = 0.2, &mut x = 0.4, a = 0.6));
    laws!(add_branch(&mut z = 0.2, &mut x = 0.7, a = 0.6));
}

/// A pullback is the gradient of dual numbers.
#[test]
fn derivatives_are_those_of_dual_numbers() {
    const X: [f64; 3] = [0.9, -2.3, 4.7];
    macro_rules! agrees {
        ($program:ident $(, $more:expr)*) => {
            for row in 0..3 {
                let x: Vec<Dual<f64, 3>> = (0..3).map(|i| Dual::variable(X[i], i)).collect();
                let mut z: Vec<Dual<f64, 3>> = state(&[0.1, 0.2, 0.3]);
                $program(&mut z, &x $(, Real::lit($more))*);
                let mut z_f: Vec<f64> = z.iter().map(|z| z.re).collect();
                let (mut gz, mut gx) = ([0.0; 3], [0.0; 3]);
                gz[row] = 1.0;
                $program::pullback((&mut z_f, &mut gz), (&X, &mut gx) $(, ($more, &mut 0.0))*);
                for i in 0..3 {
                    assert!((gx[i] - z[row].eps[i]).abs() <= 1e-10 * (1.0 + gx[i].abs()), "{gx:?} {:?}", z[row].eps);
                }
                for (z, was) in z_f.iter().zip([0.1, 0.2, 0.3]) {
                    assert!((z - was).abs() < 1e-12);
                }
            }
        };
    }
    agrees!(add_halved);
    agrees!(add_average);
    agrees!(add_decayed, 0.8);
}

/// The same by a caller that records nothing, and by one that records.
#[reversible]
fn twice<T: Real>(z: &mut T, a: T) {
    add_root(z, a);
    add_root::uncall(z, a * 0.5);
}

#[reversible(record)]
fn overwriting<T: Real>(z: &mut T, a: T) {
    *z = *z * a;
    add_root(z, a);
    *z = z.sin();
}

#[reversible]
trait Step {
    fn step(&mut self, dt: f64);
}

#[derive(Clone, Debug, PartialEq, Active)]
struct Ball {
    x: f64,
    v: f64,
}

impl retrograd::check::Compare for Ball {
    fn compare(&self, actual: &Self, report: &mut retrograd::check::Report) {
        (self.x, self.v).compare(&(actual.x, actual.v), report);
    }
}

#[reversible]
impl Step for Ball {
    fn step(&mut self, dt: f64) {
        let mut force = self.x;
        #[record]
        {
            force = force.sin() * force;
        }
        self.v -= dt * force;
        self.x += dt * self.v;
    }
}

#[reversible]
fn stepped(x: &mut f64, v: &mut f64, dt: f64) {
    let mut ball = Ball { x: 0.0, v: 0.0 };
    swap(&mut ball.x, x);
    swap(&mut ball.v, v);
    ball.step(dt);
    ball.step(dt);
    swap(&mut ball.x, x);
    swap(&mut ball.v, v);
    release!(ball == Ball { x: 0.0, v: 0.0 });
}

#[test]
fn callers_know_of_no_record() {
    laws!(twice(&mut z = 0.3, a = 1.7));
    laws!(stepped(&mut x = 0.3, &mut v = -0.2, dt = 0.1));
    let (mut z, mut record) = (0.3, Record::new());
    overwriting::recorded(&mut z, 1.7, &mut record);
    let (mut gz, mut ga) = (1.0, 0.0);
    overwriting::pullback((&mut z, &mut gz), (1.7, &mut ga), &mut record);
    assert!((z - 0.3).abs() < 1e-12);
    let (mut dual, a) = (Dual::<f64, 2>::variable(0.3, 0), Dual::variable(1.7, 1));
    overwriting(&mut dual, a);
    assert!((gz - dual.eps[0]).abs() < 1e-10 && (ga - dual.eps[1]).abs() < 1e-10);
}

/// An ancilla that is released by hand, and one that is changed together with an argument, have their record from the caller.
#[reversible]
fn released<T: Real>(z: &mut T, a: T) {
    let mut y = a;
    #[record]
    {
        y = y * y;
    }
    *z += y;
    release!(y == a * a);
}

#[reversible]
fn filter<T: Real>(z: &mut [T], x: &[T]) {
    let mut mean = T::zero();
    for i in 0..x.len() {
        #[record]
        {
            mean = 0.5 * mean + x[i];
        }
        z[i] += mean * mean;
    }
}

#[test]
fn what_does_not_undo_itself_has_a_record_of_its_caller() {
    let (mut z, mut record) = (0.3, Record::new());
    released::recorded(&mut z, 1.5, &mut record);
    released::uncall(&mut z, 1.5, &mut record);
    assert!((z - 0.3).abs() < 1e-12);
    let (before, mut record) = (vec![0.1, 0.2], Record::new());
    let mut z = before.clone();
    filter::recorded(&mut z, &[1.0, 2.0], &mut record);
    filter::uncall(&mut z, &[1.0, 2.0], &mut record);
    assert!(z.iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-12));
}

/// The record of a run is gone when the run is over, and a second one allocates nothing new.
#[test]
fn the_inverse_keeps_nothing() {
    let source = add_root::source(Direction::Inverse);
    assert!(!source.contains("keep") && !source.contains("restore"), "{source}");
    assert!(add_root::source(Direction::Pullback).contains("keep"));
}

/// Sorting changes no length, which the head of the loop reads.
#[reversible]
fn sorted_in_a_loop(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut sum = 0.0;
    for i in 0..v.len() {
        #[record]
        v.sort_by(|a, b| b.total_cmp(a));
        #[record]
        {
            v[i] *= 0.25;
        }
        sum += v[i] * v[0];
    }
    sum
}

#[test]
fn lengths_are_the_same_behind_a_sort() {
    let (x, h) = ([0.7, 3.0, 1.1], 1e-6);
    let (value, gradient) = sorted_in_a_loop::gradient(&x);
    assert_eq!(value, sorted_in_a_loop(&x));
    for (i, g) in gradient.into_iter().enumerate() {
        let moved =
            |h: f64| sorted_in_a_loop(&std::array::from_fn::<_, 3, _>(|j| if i == j { x[j] + h } else { x[j] }));
        assert!((g - (moved(h) - moved(-h)) / (2.0 * h)).abs() < 1e-7);
    }
}
