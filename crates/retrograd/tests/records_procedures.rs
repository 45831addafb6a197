//! Procedures with a record: forwards and back, with adjoints, on the right record and on wrong ones.

use proptest::prelude::*;

use retrograd::prelude::*;
use retrograd::{Dual, ErrorKind, Fixed, attempt};

/// Overwrites, branches on what it changes, and turns an unknown number of times.
#[reversible(record)]
fn mix<T: Real>(x: &mut [T], a: T) {
    let mut old = x[0];
    for i in 1..x.len() {
        let t = x[i];
        x[i] = a * old + 0.5 * x[i] * x[i];
        if x[i] > 2.0 {
            x[i] /= 4.0;
            continue;
        }
        old = t;
    }
    x[0] *= a;
    while x[0].abs() > 1.0 {
        x[0] = 0.5 * x[0] - 0.1;
    }
}

/// Leaves early, and calls a procedure with a record.
#[reversible(record)]
fn mix_twice<T: Real>(x: &mut Vec<T>, a: T) {
    mix(x, a);
    if x[1] > 0.0 {
        x[1] = -a;
        return;
    }
    mix(x, a * 0.5);
}

/// Keeps everything, so that it comes back bit for bit.
#[reversible(record = "all")]
fn gather<T: Real>(x: &mut [T], a: T) {
    for i in 1..x.len() {
        x[i] += a * x[i - 1];
        x[0] -= x[i].sin();
    }
}

/// Changes the length of its argument.
#[reversible(record)]
fn fold<T: Real>(x: &mut Vec<T>) {
    while x.len() > 1 {
        let last = x.pop().unwrap();
        x[0] = x[0] * last + 1.0;
    }
}

fn state() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-2.0..2.0, 2..7)
}

proptest! {
    /// Forwards as the plain run, and back to where it began.
    #[test]
    fn uncall_undoes_recorded(before in state(), a in -1.5..1.5) {
        let (mut record, mut x, mut plain) = (Record::new(), before.clone(), before.clone());
        mix_twice::recorded(&mut x, a, &mut record);
        mix_twice(&mut plain, a);
        prop_assert_eq!(&x, &plain);
        mix_twice::uncall(&mut x, a, &mut record);
        prop_assert_eq!(&x, &before);
        prop_assert_eq!(record.bytes(), 0);
    }

    /// The pullback is the transpose of the pushforward, and restores the values.
    #[test]
    fn a_pullback_is_the_transpose_of_the_pushforward(
        before in state(), a in -1.5..1.5, da in -1.0..1.0, seed in any::<u64>(),
    ) {
        let direction = |k: u64| (0..before.len() as u64).map(move |i| ((seed ^ k.wrapping_mul(i + 7)) % 17) as f64 / 8.0 - 1.0);
        let (dx, gy): (Vec<f64>, Vec<f64>) = (direction(3).collect(), direction(5).collect());
        let (mut record, mut x) = (Record::new(), before.clone());
        mix_twice::recorded(&mut x, a, &mut record);
        let (mut gx, mut ga) = (gy.clone(), 0.0);
        mix_twice::pullback((&mut x, &mut gx), (a, &mut ga), &mut record);
        prop_assert_eq!(&x, &before);
        let (mut y, mut dy) = (before.clone(), dx.clone());
        mix_twice::pushforward((&mut y, &mut dy), (a, da));
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (left, right) = (dot(&gy, &dy), dot(&gx, &dx) + ga * da);
        prop_assert!((left - right).abs() <= 1e-9 * (1.0 + left.abs()), "{} {}", left, right);
    }

    /// With everything in the record floats come back bit for bit.
    #[test]
    fn what_is_kept_whole_comes_back_bit_for_bit(before in state(), a in -1e9..1e9) {
        let (mut record, mut x) = (Record::new(), before.clone());
        gather::recorded(&mut x, a, &mut record);
        gather::uncall(&mut x, a, &mut record);
        let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&x), bits(&before));
    }

    /// Exact numbers come back bit for bit whatever is kept.
    #[test]
    fn exact_numbers_come_back(before in state(), a in -1.5..1.5) {
        let before: Vec<Fixed<40>> = before.into_iter().map(Real::lit).collect();
        let (mut record, mut x) = (Record::new(), before.clone());
        mix_twice::recorded(&mut x, Real::lit(a), &mut record);
        mix_twice::uncall(&mut x, Real::lit(a), &mut record);
        prop_assert_eq!(x, before);
    }

    /// One record for a loop on the outside.
    #[test]
    fn frames_are_a_stack(before in state(), steps in 1_usize..20) {
        let (mut record, mut x) = (Record::new(), before.clone());
        let mut bytes = Vec::new();
        for _ in 0..steps {
            bytes.push(record.bytes());
            mix::recorded(&mut x, 0.3, &mut record);
        }
        for _ in 0..steps {
            mix::uncall(&mut x, 0.3, &mut record);
            prop_assert_eq!(Some(record.bytes()), bytes.pop());
        }
        prop_assert_eq!(x, before);
    }
}

#[test]
fn a_procedure_may_leave_another_length() {
    let (mut record, mut x) = (Record::new(), vec![1.0, 2.0, 3.0]);
    fold::recorded(&mut x, &mut record);
    assert_eq!(x, [9.0]);
    let mut gx = vec![1.0];
    fold::pullback((&mut x, &mut gx), &mut record);
    assert_eq!((x, gx), (vec![1.0, 2.0, 3.0], vec![6.0, 4.0, 2.0]));
}

/// What is refused leaves arguments and record as they were.
#[test]
fn a_record_of_another_run_is_refused_before_anything_is_changed() {
    let (mut record, before) = (Record::new(), vec![0.5, 1.5, 0.25]);
    let mut x = before.clone();
    mix::recorded(&mut x, 0.3, &mut record);
    let (after, bytes) = (x.clone(), record.bytes());
    let mut refused = |run: &mut dyn FnMut(&mut Vec<f64>, &mut Record)| {
        let error = attempt(|| run(&mut x, &mut record)).unwrap_err();
        assert_eq!((error.kind, &x, record.bytes()), (ErrorKind::ForeignRecord, &after, bytes));
        error.to_string()
    };
    let program = refused(&mut |x, record| mix_twice::uncall(x, 0.3, record));
    assert!(
        program.contains("records_procedures::mix_twice") && program.contains("records_procedures::mix`"),
        "{program}"
    );
    refused(&mut |_, record| mix::uncall(&mut [1.0, 2.0], 0.3, record));
    refused(&mut |_, record| mix::uncall(&mut [1.0_f32, 2.0, 3.0], 0.3, record));
    refused(&mut |x, _| mix::uncall(x, 0.3, &mut Record::new()));
    refused(&mut |x, record| mix_twice::pullback((x, &mut vec![0.0; 3]), (0.3, &mut 0.0), record));
    mix::uncall(&mut x, 0.3, &mut record);
    assert_eq!((&x, record.bytes()), (&before, 0));
    let twice = attempt(|| mix::uncall(&mut x, 0.3, &mut record)).unwrap_err();
    assert_eq!((twice.kind, x), (ErrorKind::ForeignRecord, before));
}

#[reversible(record)]
fn stops(x: &mut [f64], at: usize) {
    for i in 0..x.len() {
        x[i] = x[i] * x[i];
        assert!(i != at, "stopped");
    }
}

#[reversible(record)]
fn reads(x: &mut [f64], indices: &[usize]) {
    for i in 0..indices.len() {
        x[indices[i]] = 1.0 - x[indices[i]] * x[0];
    }
}

#[test]
fn a_run_that_panics_leaves_the_record_as_it_was() {
    let (mut record, mut x) = (Record::new(), vec![1.0, 2.0, 3.0]);
    reads::recorded(&mut x, &[1, 2], &mut record);
    let bytes = record.bytes();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        reads::recorded(&mut x.clone(), &[1, 2, 9], &mut record);
    }));
    assert!(panicked.is_err());
    assert_eq!(record.bytes(), bytes);
    reads::uncall(&mut x, &[1, 2], &mut record);
    assert_eq!((x, record.bytes()), (vec![1.0, 2.0, 3.0], 0));
}

#[test]
fn assertions_run_in_the_program_alone() {
    let (mut record, mut x) = (Record::new(), vec![1.0, 2.0]);
    stops::recorded(&mut x, 7, &mut record);
    stops::uncall(&mut x, 7, &mut record);
    assert_eq!(x, [1.0, 2.0]);
}

/// A run that is not the last one, or arguments that have changed since: nothing could be undone with them.
#[test]
fn checked_builds_recognise_another_run_of_the_same_program() {
    let (mut record, before) = (Record::new(), [vec![0.3, -0.4, 0.9], vec![0.2, 0.8, -0.5]]);
    let [mut first, mut second] = before.clone();
    mix::recorded(&mut first, 0.7, &mut record);
    mix::recorded(&mut second, 0.7, &mut record);
    let (after, bytes) = (first.clone(), record.bytes());
    if cfg!(debug_assertions) {
        let undone = attempt(|| mix::uncall(&mut first, 0.7, &mut record)).unwrap_err();
        assert_eq!((undone.kind, &first, record.bytes()), (ErrorKind::ForeignRecord, &after, bytes));
        assert!(undone.to_string().contains("another run"), "{undone}");
        let mut gradient = vec![1.0; 3];
        let pulled = attempt(|| mix::pullback((&mut first, &mut gradient), (0.7, &mut 0.0), &mut record));
        assert_eq!(pulled.unwrap_err().kind, ErrorKind::ForeignRecord);
        assert_eq!((&first, gradient, record.bytes()), (&after, vec![1.0; 3], bytes));
    }
    mix::uncall(&mut second, 0.7, &mut record);
    mix::uncall(&mut first, 0.7, &mut record);
    for (restored, before) in [first, second].iter().flatten().zip(before.iter().flatten()) {
        assert!((restored - before).abs() < 1e-12, "{restored} {before}");
    }
}

/// Two runs one after the other: the first is undone from what the undoing of the second has left, which is rounded.
#[test]
fn runs_in_a_row_are_those_that_were_recorded() {
    let (mut record, mut x) = (Record::new(), vec![0.3, -0.4, 0.9]);
    let before = x.clone();
    for _ in 0..20 {
        gain::recorded(&mut x, 0.1, &mut record);
    }
    for _ in 0..20 {
        gain::uncall(&mut x, 0.1, &mut record);
    }
    for (restored, before) in x.iter().zip(before) {
        assert!((restored - before).abs() < 1e-12, "{restored} {before}");
    }
}

#[reversible(record)]
fn gain<T: Real>(x: &mut [T], a: T) {
    for i in 1..x.len() {
        x[i] += a * x[i - 1].sin();
    }
    x[0] = 0.5 * x[0] + a;
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Ball<T> {
    height: T,
    speed: T,
}

#[reversible(record)]
impl<T: Real> Ball<T> {
    fn fall(&mut self, dt: T) {
        self.speed -= 9.8 * dt;
        self.height += self.speed * dt;
        if self.height < 0.0 {
            self.height = -self.height * 0.9;
            self.speed *= -0.9;
        }
    }

    fn energy(&self) -> T {
        let mut energy = self.speed * self.speed;
        energy *= 0.5;
        energy + self.height * 9.8
    }
}

#[reversible(record)]
fn bounced<T: Real>(height: T, speed: T, steps: usize) -> T {
    let mut ball = Ball { height, speed };
    for _ in 0..steps {
        ball.fall(0.1);
    }
    ball.energy()
}

#[test]
fn methods_have_records() {
    let (mut record, before) = (Record::new(), Ball { height: 0.5, speed: -3.0 });
    let mut ball = before.clone();
    ball.recorded_fall(0.25, &mut record);
    assert!(ball.speed > 0.0);
    ball.uncall_fall(0.25, &mut record);
    assert!((ball.height - before.height).abs() < 1e-15 && (ball.speed - before.speed).abs() < 1e-15);
    let (_, height, speed): (f64, f64, f64) = bounced::gradient(1.0, 0.5, 30);
    let of = |k: usize| -> f64 {
        let mut both = [1.0, 0.5].map(Dual::<f64, 1>::constant);
        both[k] = Dual::variable([1.0, 0.5][k], 0);
        bounced(both[0], both[1], 30).eps[0]
    };
    assert!((height - of(0)).abs() < 1e-12 && (speed - of(1)).abs() < 1e-12);
}

#[reversible(record)]
#[allow(clippy::unused_unit)]
fn scaled(v: &mut [f64], k: f64) -> () {
    v[0] = v[0] * k;
}

#[reversible(record)]
fn scaled_twice(x: f64, k: f64) -> f64 {
    let mut v = [x, 1.0];
    scaled(&mut v, k);
    scaled(&mut v, k);
    v[0] * v[1]
}

#[test]
fn a_value_of_nothing_is_none() {
    let (mut record, mut v) = (Record::new(), [3.0, 1.0]);
    scaled::recorded(&mut v, 2.0, &mut record);
    assert_eq!(v, [6.0, 1.0]);
    scaled::uncall(&mut v, 2.0, &mut record);
    assert_eq!(v, [3.0, 1.0]);
    assert_eq!(scaled_twice::gradient(3.0, 2.0), (12.0, 4.0, 12.0));
}
