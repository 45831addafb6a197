//! Recorded programs do not decide twice: what jumps where a float changes in its last bit comes out the same on the way back.

use retrograd::{Record, prelude::*};

/// Runs `$s += $e` with a clock `t` that is restored by subtraction, up to where the decision hangs on its last bit.
macro_rules! decisions {
    ($($name:ident: |$x:ident, $t:ident, $c:ident| $e:expr;)*) => {$(
        #[reversible(record)]
        fn $name($x: f64, dt: f64, #[constant] $c: f64, n: usize) -> f64 {
            let mut $t = 0.0;
            let mut s = 0.0;
            for _ in 0..n {
                $t += dt;
                s += $e;
            }
            s + $t
        }
    )*

    #[test]
    fn decisions_in_operands_are_made_once() {
        $(
            for dt in [0.1, 0.05, 0.3, 0.7] {
                let mut c = 0.0;
                for m in 1..30 {
                    c += dt;
                    let (_, slope) = $name::pushforward((1.5, 1.0), (dt, 0.0), c, m + 3);
                    let (value, by_x, _) = $name::gradient(1.5, dt, c, m + 3);
                    assert_eq!(value, $name(1.5, dt, c, m + 3));
                    assert!((by_x - slope).abs() <= 1e-9 * slope.abs().max(1.0), "{}: {by_x}, not {slope}", stringify!($name));
                }
            }
        )*
    }};
}

decisions! {
    branch: |x, t, c| x * if t > c { 1.0 } else { 0.0 };
    branch_between: |x, t, c| if t - c == 0.0 { 5.0 * x } else { x };
    named_inside: |x, t, c| { let u = t - c; if u < 0.0 { x } else { 3.0 * x } };
    cast: |x, t, c| x * ((t / c) as i32 as f64);
    cast_of_bool: |x, t, c| x * ((t > c) as i32 as f64);
    floor: |x, t, c| x * (t / c).floor();
    ceil: |x, t, c| x * (t / c).ceil();
    round: |x, t, c| x * (t / (2.0 * c)).round();
    trunc: |x, t, c| x * (t / c).trunc();
    fract: |x, t, c| x * (t / c).fract();
    signum: |x, t, c| x * (t - c).signum();
    remainder: |x, t, c| x * (t % c);
    euclid: |x, t, c| x * t.rem_euclid(c);
    selected: |x, t, c| t.select_less(c, x, 2.0 * x);
    power: |x, t, c| x.powi((t / c) as i32 % 3);
    matched: |x, t, c| match (t / c) as i32 { 0 => x, 1 => 3.0 * x, _ => 7.0 * x };
    called: |x, t, c| chosen(x, t, c);
    called_without_a_record: |x, t, c| chosen_without_a_record(x, t, c);
}

/// A program that decides by what it is given.
#[reversible(record)]
fn chosen(x: f64, t: f64, #[constant] c: f64) -> f64 {
    let mut y = x;
    if t > c {
        y *= 2.0;
    }
    y
}

#[reversible]
fn chosen_without_a_record(x: f64, t: f64, #[constant] c: f64) -> f64 {
    if t > c { 2.0 * x } else { x }
}

#[reversible]
fn add_chosen(s: &mut f64, x: f64, t: f64, #[constant] c: f64) {
    *s += if t > c { 2.0 * x } else { x };
}

#[reversible(record)]
fn by_statement(x: f64, dt: f64, #[constant] c: f64, n: usize) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..n {
        t += dt;
        add_chosen(&mut s, x, t, c);
        let w = if t > c { 2.0 * x } else { x };
        s = if t > c { s + w } else { s + 2.0 * x };
    }
    s
}

#[test]
fn callees_decide_once() {
    let mut c = 0.0;
    for m in 1..30 {
        c += 0.3;
        let (_, slope) = by_statement::pushforward((1.5, 1.0), (0.3, 0.0), c, m + 3);
        let (_, by_x, _) = by_statement::gradient(1.5, 0.3, c, m + 3);
        assert!((by_x - slope).abs() <= 1e-9 * slope);
    }
}

#[derive(Recordable)]
struct Clock {
    time: f64,
}

#[derive(Clone, Active)]
struct Engine<T> {
    time: T,
    heat: T,
}

/// What is added up has no derivative, and no type but that of a literal.
#[reversible(record)]
fn by_open_literals(x: &[f64], #[constant] c: f64, n: usize) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..n {
        t += 0.3;
        s += chosen(x[0], t, c);
    }
    s
}

#[reversible(record)]
fn by_field(x: &[f64], #[constant] c: f64, n: usize) -> f64 {
    let mut clock = Clock { time: 0.0 };
    let mut s = 0.0;
    for _ in 0..n {
        clock.time += 0.3;
        s += chosen(x[0], clock.time, c);
    }
    s
}

#[reversible(record)]
fn by_active_field(x: &[f64], #[constant] c: f64, n: usize) -> f64 {
    let mut engine = Engine { time: 0.0, heat: 0.0 };
    for _ in 0..n {
        engine.time += 0.3;
        engine.heat += chosen(x[0], engine.time, c);
    }
    engine.heat
}

#[reversible(record)]
fn started() -> f64 {
    0.0
}

/// The type of what a call gives is not seen.
#[reversible(record)]
fn by_result(x: &[f64], #[constant] c: f64, n: usize) -> f64 {
    let mut t = started();
    let mut s = 0.0;
    for _ in 0..n {
        t += 0.3;
        add_chosen(&mut s, x[0], t, c);
    }
    s
}

#[reversible(record)]
fn by_elements(x: &[f64], #[constant] c: f64, n: usize) -> f64 {
    let (mut t, mut u) = ([0.0; 2], vec![0.0; 2]);
    let mut s = 0.0;
    for i in 0..n {
        t[i % 2] += 0.3;
        u[1] += 0.3;
        s += chosen(x[0], t[0] + t[1], c) + chosen_without_a_record(x[0], u[1], c);
    }
    s
}

fn jump(t: f64) -> f64 {
    if t > 1.0 { 3.0 } else { 0.5 }
}

/// No derivative goes into what is called.
#[reversible(record)]
fn by_plain_function(x: &[f64], #[constant] c: f64, n: usize) -> f64 {
    let mut t = 1.0 - c;
    let mut s = 0.0;
    for _ in 0..n {
        t += 0.3;
        s += jump(t) * x[0];
    }
    s
}

/// Kinks are decisions.
#[reversible(record)]
fn by_kinks(x: &[f64], #[constant] c: f64, n: usize) -> f64 {
    let (mut t, mut u) = (-c, -x[0]);
    let mut s = 0.0;
    for _ in 0..n {
        t += 0.3;
        u += 0.3 * x[0];
        s += (t * x[0]).max(t * x[0] * x[0]) + x[0] * (x[0] * t).abs() + u.min(t) + u.clamp(0.0, 2.0);
    }
    s
}

#[test]
fn callees_decide_once_whatever_is_known_of_their_numbers() {
    let mut c = 0.0;
    for m in 1..30 {
        c += 0.3;
        let check =
            |(_, slope): (f64, f64), (_, by_x): (f64, Vec<f64>)| assert!((by_x[0] - slope).abs() <= 1e-9 * slope.abs());
        let (x, n) = ((&[1.5][..], &[1.0][..]), m + 3);
        check(by_open_literals::pushforward(x, c, n), by_open_literals::gradient(x.0, c, n));
        check(by_field::pushforward(x, c, n), by_field::gradient(x.0, c, n));
        check(by_active_field::pushforward(x, c, n), by_active_field::gradient(x.0, c, n));
        check(by_elements::pushforward(x, c, n), by_elements::gradient(x.0, c, n));
        check(by_result::pushforward(x, c, n), by_result::gradient(x.0, c, n));
        check(by_plain_function::pushforward(x, c, n), by_plain_function::gradient(x.0, c, n));
        check(by_kinks::pushforward(x, c, n), by_kinks::gradient(x.0, c, n));
    }
}

const STEPS: usize = 30;

#[reversible(record)]
fn read(x: &[f64; 5], dt: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..STEPS {
        t += dt;
        s += x[(t * 10.0) as usize % 5];
    }
    s + t
}

#[reversible(record)]
fn read_by_slice(x: &[f64; 5], dt: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..STEPS {
        t += dt;
        let w = &x[(t * 10.0) as usize % 5..];
        s += w[0];
    }
    s
}

#[reversible(record)]
fn in_a_tuple(x: &[f64; 5], dt: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..STEPS {
        t += dt;
        let (k, w) = ((t * 10.0) as usize, t);
        s += x[k % 5] * w;
    }
    s
}

#[reversible(record)]
fn constant(x: &[f64; 5], dt: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..STEPS {
        t += dt;
        #[constant]
        let k = (t * 10.0).floor();
        s += x[0] * k;
    }
    s
}

#[reversible(record)]
fn clock_without_derivative(x: &[f64; 5], #[constant] dt: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..STEPS {
        t += dt;
        s += x[(t * 10.0) as usize % 5];
    }
    s
}

#[reversible(record)]
fn in_a_closure(x: &[f64; 5], dt: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..STEPS {
        t += dt;
        let v = [t, 0.5 * t];
        s += v.iter().map(|u| if *u > 1.1 { x[0] } else { x[1] }).sum::<f64>();
    }
    s
}

fn place(t: f64) -> usize {
    (t * 10.0) as usize % 5
}

#[reversible(record)]
fn by_a_function(x: &[f64; 5], dt: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..STEPS {
        t += dt;
        #[constant]
        let k = place(t);
        s += x[k];
    }
    s
}

#[reversible(record)]
fn bounds(x: &[f64; 5], dt: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..STEPS {
        t += dt;
        for _ in 0..(t * 10.0) as usize {
            s += x[0];
        }
    }
    s
}

#[reversible(record)]
fn written(x: &[f64; 5], dt: f64) -> f64 {
    let mut v = [1.0; 5];
    let mut t = 0.0;
    for _ in 0..STEPS {
        t += dt;
        v[(t * 10.0) as usize % 5] *= x[1];
        v.swap(0, (t * 10.0) as usize % 3);
    }
    v[0] + 2.0 * v[1] + 3.0 * v[2]
}

macro_rules! agree {
    ($($name:ident)*) => {$(
        let x = [0.9, 1.1, 1.2, 0.8, 1.05];
        let (_, by_x, _) = $name::gradient(&x, 0.1);
        for k in 0..5 {
            let mut d = [0.0; 5];
            d[k] = 1.0;
            let (_, slope) = $name::pushforward((&x, &d), (0.1, 0.0));
            assert!((by_x[k] - slope).abs() < 1e-9 * slope.abs().max(1.0), "{}: {by_x:?}, {k}: {slope}", stringify!($name));
        }
    )*};
}

#[test]
fn decisions_about_places_are_made_once() {
    agree!(read read_by_slice in_a_tuple constant by_a_function bounds written in_a_closure);
    let x = [0.9, 1.1, 1.2, 0.8, 1.05];
    let (_, by_x) = clock_without_derivative::gradient(&x, 0.1);
    for k in 0..5 {
        let mut d = [0.0; 5];
        d[k] = 1.0;
        assert_eq!(by_x[k], clock_without_derivative::pushforward((&x, &d), 0.1).1);
    }
}

#[reversible(record)]
fn stamp(v: &mut [f64; 5], t: &mut f64, dt: f64) {
    for i in 0..STEPS {
        *t += dt;
        v[(*t * 10.0) as usize % 5] = i as f64;
    }
}

#[test]
fn kept_values_return_to_their_places() {
    let (mut v, mut t, mut record) = ([1.0, 2.0, 3.0, 4.0, 5.0], 0.0, Record::new());
    stamp::recorded(&mut v, &mut t, 0.1, &mut record);
    assert_ne!(v, [1.0, 2.0, 3.0, 4.0, 5.0]);
    stamp::uncall(&mut v, &mut t, 0.1, &mut record);
    assert_eq!((v, t), ([1.0, 2.0, 3.0, 4.0, 5.0], 0.0));
}

#[reversible]
fn warm(t: &mut f64, d: f64) {
    *t += d;
    *t *= 1.1;
}

#[reversible(record = "all")]
fn warm_each(t: &mut [f64; 3], d: f64) {
    for i in 0..9 {
        warm(&mut t[i % 3], d);
    }
}

#[test]
fn what_a_callee_changes_comes_back_to_the_last_bit() {
    let (start, mut record) = ([0.1, 0.7, -0.3], Record::new());
    let mut t = start;
    warm_each::recorded(&mut t, 0.37, &mut record);
    warm_each::uncall(&mut t, 0.37, &mut record);
    assert_eq!(t, start);
}

#[reversible]
fn checkpointed(x: f64, dt: f64, #[constant] c: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    #[checkpoint(snapshots = 2)]
    for _ in 0..10 {
        for _ in 0..3 {
            t += dt;
            let w = if t > c { x } else { 0.0 };
            s += w;
        }
    }
    s * t
}

#[reversible(record)]
fn run_again(x: f64, dt: f64, #[constant] c: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    for _ in 0..STEPS {
        t += dt;
        #[recompute]
        let w = if t > c { x * x } else { x };
        s += w;
    }
    s * t
}

#[reversible(record)]
fn counted(x: f64, dt: f64, #[constant] c: f64) -> f64 {
    let mut t = 0.0;
    let mut s = x;
    let mut n = 0_usize;
    for _ in 0..STEPS {
        t += dt;
        n += (t > c) as usize;
        s = s * 1.01;
    }
    s * t * n as f64
}

#[test]
fn what_runs_again_decides_as_before() {
    macro_rules! agree {
        ($($name:ident)*) => {$(
            for dt in [0.1, 0.05, 0.3, 0.7] {
                let mut c = 0.0;
                for _ in 1..30 {
                    c += dt;
                    let (_, slope) = $name::pushforward((1.1, 1.0), (dt, 0.0), c);
                    let (_, by_x, _) = $name::gradient(1.1, dt, c);
                    assert!((by_x - slope).abs() <= 1e-9 * slope.abs().max(1.0), "{}: {by_x}, not {slope}", stringify!($name));
                }
            }
        )*};
    }
    agree!(checkpointed run_again counted);
}

/// Programs that are given a whole array, or a struct, and decide by an element.
mod given_whole {
    use super::*;

    #[derive(Active, Clone)]
    pub(super) struct Clock<T> {
        pub t: [T; 2],
    }

    #[reversible]
    pub(super) fn above(t: &[f64; 2], #[constant] c: f64) -> f64 {
        let mut y = t[0];
        if t[0] > c {
            y += 3.0 * t[0];
        }
        y
    }

    #[reversible(record)]
    pub(super) fn recorded_above(t: &[f64; 2], #[constant] c: f64) -> f64 {
        let mut y = t[0];
        y = y * 1.0;
        if t[0] > c {
            y += 3.0 * t[0];
        }
        y
    }

    #[reversible]
    pub(super) fn below(t: &[f64], #[constant] c: f64) -> f64 {
        t[0] + 3.0 * (t[0] - c).max(0.0)
    }

    /// Decides by what it calls.
    #[reversible]
    pub(super) fn twice(t: &[f64; 2], #[constant] c: f64) -> f64 {
        2.0 * above(t, c)
    }

    #[reversible(record)]
    pub(super) fn recorded_twice(t: &[f64; 2], #[constant] c: f64) -> f64 {
        let mut y = above(t, c);
        y = y * 2.0;
        y
    }

    #[reversible]
    pub(super) fn moved(t: [f64; 2], #[constant] c: f64) -> f64 {
        above(&t, c)
    }

    /// Changes another element than the one by which it decides.
    #[reversible]
    pub(super) fn count(t: &mut [f64; 2], #[constant] c: f64) {
        if t[0] > c {
            t[1] += 3.0 * t[0];
        } else {
            t[1] += t[0];
        }
    }

    #[reversible]
    impl Clock<f64> {
        pub(super) fn above(&self, #[constant] c: f64) -> f64 {
            let mut y = self.t[0];
            if self.t[0] > c {
                y += 3.0 * self.t[0];
            }
            y
        }
    }

    #[reversible]
    pub(super) trait Reads {
        fn reading(&self, #[constant] c: f64) -> f64;
    }

    #[reversible]
    impl Reads for Clock<f64> {
        fn reading(&self, #[constant] c: f64) -> f64 {
            let mut y = self.t[0];
            if self.t[0] > c {
                y += 3.0 * self.t[0];
            }
            y
        }
    }

    #[reversible]
    pub(super) fn read_any<R: Reads>(clock: &R, #[constant] c: f64) -> f64 {
        clock.reading(c)
    }

    /// Does not decide.
    #[reversible]
    pub(super) fn plain(t: &[f64; 2], #[constant] c: f64) -> f64 {
        t[0] * c + t[1]
    }
}

/// Sums what a callee makes of a clock that is restored by subtraction, up to where that hangs on its last bit.
macro_rules! clocks {
    ($($name:ident: $start:expr, [$($time:tt)*], |$clock:ident, $c:ident| $e:expr;)*) => {
        $(
            #[reversible(record)]
            fn $name(x: f64, dt: f64, #[constant] $c: f64, n: usize) -> f64 {
                let mut $clock = $start;
                let mut s = 0.0;
                for _ in 0..n {
                    $($time)* += dt;
                    s += x * $e;
                }
                s
            }
        )*

        #[test]
        fn callees_decide_once_by_whole_arrays_and_structs() {
            $(
                for dt in [0.1, 0.05, 0.3, 0.7] {
                    let mut c = 0.0;
                    for m in 1..30 {
                        c += dt;
                        let (_, slope) = $name::pushforward((1.5, 1.0), (dt, 0.0), c, m + 3);
                        let (value, by_x, _) = $name::gradient(1.5, dt, c, m + 3);
                        assert_eq!(value, $name(1.5, dt, c, m + 3));
                        let close = (by_x - slope).abs() <= 1e-9 * slope.abs().max(1.0);
                        assert!(close, "{}: {by_x}, not {slope}", stringify!($name));
                    }
                }
            )*
        }
    };
}

clocks! {
    by_array: [0.0; 2], [t[0]], |t, c| given_whole::above(&t, c);
    by_array_with_a_record: [0.0; 2], [t[0]], |t, c| given_whole::recorded_above(&t, c);
    by_slice: vec![0.0; 2], [t[0]], |t, c| given_whole::below(&t, c);
    by_callee_of_a_callee: [0.0; 2], [t[0]], |t, c| given_whole::twice(&t, c);
    by_callee_of_a_recorded_callee: [0.0; 2], [t[0]], |t, c| given_whole::recorded_twice(&t, c);
    by_value: [0.0; 2], [t[0]], |t, c| given_whole::moved(t, c);
    by_method: given_whole::Clock { t: [0.0; 2] }, [t.t[0]], |t, c| t.above(c);
    by_trait: given_whole::Clock { t: [0.0; 2] }, [t.t[0]], |t, c| given_whole::read_any(&t, c);
}

#[reversible(record)]
fn by_procedure(x: f64, dt: f64, #[constant] c: f64, n: usize) -> f64 {
    let mut t = [0.0; 2];
    for _ in 0..n {
        t[0] += dt;
        given_whole::count(&mut t, c);
    }
    x * t[1]
}

#[test]
fn callees_decide_once_by_what_they_change() {
    for dt in [0.1, 0.05, 0.3, 0.7] {
        let mut c = 0.0;
        for m in 1..30 {
            c += dt;
            let (_, slope) = by_procedure::pushforward((1.5, 0.0), (dt, 1.0), c, m + 3);
            let (_, _, by_dt) = by_procedure::gradient(1.5, dt, c, m + 3);
            assert!((by_dt - slope).abs() <= 1e-9 * slope.abs().max(1.0), "{by_dt}, not {slope}");
        }
    }
}

#[reversible(record)]
fn of_plain(x: f64, dt: f64, #[constant] c: f64, n: usize) -> f64 {
    let mut t = [0.0; 2];
    let mut s = 0.0;
    for _ in 0..n {
        t[0] += dt;
        s += x * given_whole::plain(&t, c);
    }
    s
}

#[test]
fn of_what_does_not_decide_nothing_more_is_kept() {
    let (mut plain, mut deciding) = (Record::new(), Record::new());
    let (value, ..) = of_plain::gradient_in(&mut plain, 1.5, 0.1, 0.7, 64);
    assert_eq!(value, of_plain(1.5, 0.1, 0.7, 64));
    let _ = by_array::gradient_in(&mut deciding, 1.5, 0.1, 0.7, 64);
    // Beside what the sum takes: a bit for each call, or the array.
    assert!(plain.peak_bytes() <= 64 * 8 + 64 / 8, "{}", plain.peak_bytes());
    assert!(deciding.peak_bytes() >= 64 * 16, "{}", deciding.peak_bytes());
}
