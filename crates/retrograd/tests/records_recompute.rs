//! `#[recompute]`: what is run again on the way back has the derivatives that it has when it is kept, and less is kept.

#[macro_use]
mod against_dual;

use std::cell::Cell;

use retrograd::Record;
use retrograd::prelude::*;

/// The logistic map, a stretch of it at a time.
#[reversible(record)]
fn stretches<T: Real>(x: &[T], outer: usize, inner: usize) -> T {
    let mut y = x[0];
    for _ in 0..outer {
        #[recompute]
        for _ in 0..inner {
            y = x[1] * y * (1.0 - y);
        }
    }
    y
}

#[test]
fn a_stretch_is_kept_at_a_time() {
    agrees!(stretches, [0.3, 2.9], 4, 3);
    agrees!(stretches, [0.3, 2.9], 0, 3);
    agrees!(stretches, [0.3, 2.9], 3, 0);
    let mut record = Record::new();
    stretches::gradient_in(&mut record, &[0.3, 3.7], 100, 100);
    assert!((199..=201).contains(&(record.peak_bytes() / size_of::<f64>())), "{}", record.peak_bytes());
    assert_eq!(record.bytes(), 0);
}

/// Three levels: what a level keeps is what one run of it changes.
#[reversible(record)]
fn levels<T: Real>(x: &[T], n: usize) -> T {
    let mut y = x[0];
    let mut z = x[1];
    for _ in 0..n {
        #[recompute]
        for i in 0..n {
            #[recompute]
            {
                for _ in 0..n {
                    z = z * 0.9 + y.sin();
                    if z > 1.2 {
                        z = z * 0.5 - x[0];
                    }
                    y = y * z + x[1];
                    y = y.tanh();
                }
                if i == 1 {
                    y = 0.3 + z;
                }
            }
        }
    }
    y * z
}

#[test]
fn statements_that_are_run_again_may_hold_such_statements() {
    for n in 0..5 {
        agrees!(levels, [0.4, 0.7], n);
    }
    let mut record = Record::new();
    levels::gradient_in(&mut record, &[0.4, 0.7], 30);
    // Two numbers for each of the first two levels, and what one run of the innermost loop keeps.
    assert!(record.peak_bytes() < 30 * 8 * 16, "{}", record.peak_bytes());
}

/// Ways out that stay inside, and those that lead out of what is run again.
#[reversible(record)]
fn exits<T: Real>(x: &[T], limit: usize) -> T {
    let mut y = x[0];
    let mut steps = 0;
    'outer: for i in 0..limit {
        #[recompute]
        {
            for j in 0..5 {
                if j == 3 && i % 2 == 0 {
                    break;
                }
                if y > 1.5 {
                    y = y - 1.4 * x[1];
                    continue;
                }
                y = y * y + x[1];
                steps += 1;
            }
            if steps > 17 {
                return y * x[0];
            }
            if steps > 14 {
                y = y * 0.7;
                break 'outer;
            }
            if steps % 4 == 0 {
                y = y * x[1];
                continue;
            }
        }
        y = y + x[1] * y.cos();
    }
    y.sin()
}

#[test]
fn ways_out_may_lead_anywhere() {
    for limit in 0..9 {
        agrees!(exits, [0.3, 0.4], limit);
        agrees!(exits, [1.1, -0.2], limit);
        agrees!(exits, [0.9, 0.8], limit);
    }
}

/// `while` and `loop`, `let .. else`, and a local that gets its value later.
#[reversible(record)]
fn later<T: Real>(x: &[T], tries: usize) -> T {
    let mut y = x[0];
    let mut rest = tries;
    #[recompute]
    while y < 3.0 && rest > 0 {
        y = y * 1.3 + 0.1 * x[1];
        rest -= 1;
    }
    let z;
    #[recompute]
    {
        let mut t = y;
        loop {
            t = t * 0.5 + x[1].cos();
            if t < 2.0 {
                break;
            }
        }
        z = t * t;
    }
    let w = if z > 1.0 { z.ln() } else { z * x[0] };
    #[recompute]
    let v = {
        let mut sum = w;
        for k in 0..3 {
            sum = sum * x[k % 2] + 1.0;
        }
        sum
    };
    v * z
}

#[test]
fn loops_without_a_count_and_values_of_blocks() {
    for tries in 0..6 {
        agrees!(later, [0.4, 0.3], tries);
        agrees!(later, [1.4, -0.9], tries);
    }
}

thread_local! {
    static RUNS: Cell<usize> = const { Cell::new(0) };
}

#[primitive(d_x = 1.0)]
fn counted(x: f64) -> f64 {
    RUNS.set(RUNS.get() + 1);
    x
}

/// Keeps one number for each step.
#[reversible(record)]
fn long(x: f64, steps: usize) -> f64 {
    let mut y = counted(x);
    for _ in 0..steps {
        y = y * y - 0.5;
    }
    y
}

#[reversible(record)]
fn kept_calls(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    let mut y = x[0];
    for _ in 0..n {
        let z = long(y, 50);
        sum += z * z;
        y = 0.9 * y;
    }
    sum
}

#[reversible(record)]
fn repeated_calls(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    let mut y = x[0];
    for _ in 0..n {
        #[recompute]
        let z = long(y, 50);
        sum += z * z;
        y = 0.9 * y;
    }
    sum
}

#[test]
fn a_call_is_made_again() {
    let (mut kept, mut repeated) = (Record::new(), Record::new());
    RUNS.set(0);
    let expected = kept_calls::gradient_in(&mut kept, &[0.7], 20);
    let once = RUNS.replace(0);
    assert_eq!(repeated_calls::gradient_in(&mut repeated, &[0.7], 20), expected);
    assert!(RUNS.get() > once, "{} {once}", RUNS.get());
    assert!(repeated.peak_bytes() * 8 < kept.peak_bytes(), "{} {}", repeated.peak_bytes(), kept.peak_bytes());
}

/// Vectors that grow, arrays of arrays, structs; elements that are changed one at a time.
#[derive(Active, Clone, Debug, PartialEq)]
struct State<T> {
    speed: T,
    trail: Vec<T>,
    #[constant]
    steps: usize,
}

#[reversible(record)]
fn structures<T: Real>(x: &[T], n: usize) -> T {
    let mut state = State { speed: x[0], trail: vec![x[1]; 2], steps: 0 };
    let mut grid = [[x[0]; 3]; 2];
    let mut v = x.to_vec();
    for i in 0..n {
        #[recompute]
        {
            state.speed = state.speed * 0.8 + x[1].sin();
            let speed = state.speed;
            state.trail.push(speed * speed);
            state.steps += 1;
            if state.steps == 3 {
                state.trail.remove(0);
            }
        }
        #[recompute]
        {
            grid[i % 2][i % 3] = grid[i % 2][i % 3] * state.trail[i] + x[0];
            grid[(i + 1) % 2][0] *= grid[0][i % 3];
        }
        #[recompute]
        for y in v.iter_mut() {
            *y = *y * *y - state.speed;
        }
        for y in v.iter_mut() {
            #[recompute]
            {
                *y = y.sin() + 0.3 * *y;
                *y = *y * state.speed;
            }
        }
    }
    let mut sum: T = 0.0;
    for t in &state.trail {
        sum += *t * grid[1][0] + grid[0][2];
    }
    for y in &v {
        sum += *y * *y * grid[0][1];
    }
    sum
}

#[test]
fn vectors_arrays_and_structs() {
    for n in 0..6 {
        agrees!(structures, [0.4, 0.6, -0.3], n);
    }
}

/// What a statement that is run again changes one element of is kept by that element.
#[reversible(record)]
fn elements<T: Real>(x: &[T]) -> T {
    let mut v = x.to_vec();
    for i in 0..v.len() {
        #[recompute]
        {
            let mut t = v[i];
            for _ in 0..3 {
                t = t * t + 0.1;
            }
            v[i] = t;
        }
    }
    let mut sum: T = 0.0;
    for y in &v {
        sum += y.sin();
    }
    sum
}

#[test]
fn of_an_array_only_the_element_that_changes_is_kept() {
    agrees!(elements, [0.4, 0.6, -0.3, 0.2]);
    let mut record = Record::new();
    elements::gradient_in(&mut record, &[0.1; 100]);
    assert!(record.peak_bytes() < 3 * 100 * size_of::<f64>(), "{}", record.peak_bytes());
}

/// What is read decides, to the last bit: here the twentieth sum is just above 1, and comes back as exactly 1 where it is reversed.
#[reversible(record)]
fn heat<T: Real>(x: &[T], steps: usize) -> T {
    let mut t: T = 0.0;
    let mut heat: T = 0.0;
    for _ in 0..steps {
        t += x[1];
        #[recompute]
        {
            if t > 1.0 {
                heat = heat + x[0] * x[1];
            } else {
                heat = heat * 1.01;
            }
        }
    }
    heat
}

/// The same through a slice, a call and a loop over elements.
#[reversible]
fn advance<T: Real>(t: &mut [T], dt: T) {
    for v in t.iter_mut() {
        *v += dt;
    }
}

#[reversible(record)]
fn heats<T: Real>(x: &[T], steps: usize) -> T {
    let mut t: [T; 2] = [0.0; 2];
    let mut heat: T = 0.0;
    for _ in 0..steps {
        advance(&mut t, x[1]);
        for v in &t {
            #[recompute]
            {
                let hot = *v > 1.0;
                if hot {
                    heat = heat + x[0] * x[1];
                }
            }
        }
        let twice = t[0] * 2.0;
        let more = twice * 2.0;
        #[recompute]
        {
            if more > 4.0 {
                heat = heat * 1.01;
            }
        }
    }
    heat
}

#[test]
fn branches_are_those_of_the_first_run() {
    agrees!(heat, [20.0, 0.05], 50);
    agrees!(heats, [20.0, 0.05], 50);
}

/// A call of a procedure, and procedures themselves.
#[reversible(record)]
fn relax<T: Real>(x: &mut [T], a: T, times: usize) {
    for _ in 0..times {
        #[recompute]
        for i in 1..x.len() {
            x[i] = 0.5 * (x[i] + x[i - 1] * a);
            if x[i] > 1.0 {
                x[i] /= 3.0;
            }
        }
        x[0] += a;
    }
}

#[reversible(record)]
fn relax_twice<T: Real>(x: &mut Vec<T>, a: T) {
    #[recompute]
    relax(x, a, 4);
    if x[1] > 0.5 {
        x[0] *= a;
        return;
    }
    #[recompute]
    {
        relax(x, 0.5 * a, 3);
        let last = x.pop().unwrap();
        x[0] = x[0] * last;
    }
}

#[reversible(record)]
fn relaxed<T: Real>(x: &[T]) -> T {
    let a = x[0];
    let mut v = x.to_vec();
    let mut sum: T = 0.0;
    for _ in 0..3 {
        #[recompute]
        relax(&mut v, a, 3);
        #[recompute]
        {
            v[0] = v[0].sin();
            relax(&mut v, a * v[0], 2);
        }
    }
    for y in &v {
        sum += *y * *y;
    }
    sum
}

#[test]
fn procedures_are_run_again() {
    let before = vec![0.3, 1.2, -0.4, 0.9];
    for a in [0.7, 1.9] {
        let (mut record, mut x, mut plain) = (Record::new(), before.clone(), before.clone());
        relax_twice::recorded(&mut x, a, &mut record);
        relax_twice(&mut plain, a);
        assert_eq!(x, plain);
        let after = x.clone();
        relax_twice::uncall(&mut x, a, &mut record);
        assert_eq!((&x, record.bytes()), (&before, 0));

        relax_twice::recorded(&mut x, a, &mut record);
        let (gy, dx, da) = (vec![0.5, -1.0, 0.25, 0.75], vec![1.0, 0.5, -0.5, 0.3], 0.4);
        let (mut gx, mut ga) = (gy[..after.len()].to_vec(), 0.0);
        relax_twice::pullback((&mut x, &mut gx), (a, &mut ga), &mut record);
        assert_eq!((&x, record.bytes()), (&before, 0));
        let (mut y, mut dy) = (before.clone(), dx.clone());
        relax_twice::pushforward((&mut y, &mut dy), (a, da));
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (left, right) = (dot(&gy[..after.len()], &dy), dot(&gx, &dx) + ga * da);
        assert!((left - right).abs() < 1e-12, "{left} {right}");
    }
    for a in [0.7, 1.9] {
        agrees!(relaxed, [a, 0.3, 1.2, -0.4, 0.9]);
    }
}

/// What is changed there comes back bit for bit, though sums are reversed inside.
#[reversible(record)]
fn absorb<T: Real>(x: &mut [T], big: T) {
    #[recompute]
    {
        x[0] += big;
        x[1] = x[1] * x[0];
        x[0] -= big;
    }
}

#[test]
fn what_is_changed_comes_back_bit_for_bit() {
    let (mut record, before) = (Record::new(), [0.1, 0.7]);
    let mut x = before;
    absorb::recorded(&mut x, 1e20, &mut record);
    absorb::uncall(&mut x, 1e20, &mut record);
    assert_eq!(x, before);
    absorb::recorded(&mut x, 1e20, &mut record);
    let (mut gx, mut gb) = ([0.0, 1.0], 0.0);
    absorb::pullback((&mut x, &mut gx), (1e20, &mut gb), &mut record);
    assert_eq!((x, gx[1], record.bytes()), (before, 1e20, 0));
}

/// Methods, and numbers through which no derivative flows.
#[reversible(record)]
impl<T: Real> State<T> {
    fn advance(&mut self, dt: T) {
        #[recompute]
        {
            self.steps = self.steps * 2 + 1;
            for i in 0..self.trail.len() {
                self.trail[i] = self.trail[i] * self.speed;
                self.speed = self.speed - dt * self.trail[i];
            }
        }
        self.steps += 1;
    }
}

#[test]
fn methods_are_run_again() {
    let before = State { speed: 0.5, trail: vec![1.0, 2.0], steps: 3 };
    let (mut record, mut state) = (Record::new(), before.clone());
    state.recorded_advance(0.1, &mut record);
    assert_eq!(state.steps, 8);
    state.uncall_advance(0.1, &mut record);
    assert_eq!((state, record.bytes()), (before, 0));
}

/// Host statements run as in the call, and not again.
#[reversible(record)]
fn told(x: &mut f64, #[host] log: &mut Vec<(usize, f64)>) {
    for i in 0..3 {
        #[recompute]
        {
            *x = 2.0 * *x;
            #[host]
            log.push((i, *x));
            *x = *x - 1.0;
        }
    }
}

#[test]
fn host_statements_run_once() {
    let (mut record, mut x, mut log, mut plain) = (Record::new(), 3.0, Vec::new(), Vec::new());
    told(&mut x, &mut plain);
    x = 3.0;
    told::recorded(&mut x, &mut log, &mut record);
    assert_eq!((&log, &plain), (&vec![(0, 6.0), (1, 10.0), (2, 18.0)], &log));
    log.clear();
    told::uncall(&mut x, &mut log, &mut record);
    assert_eq!((x, log), (3.0, vec![(2, 18.0), (1, 10.0), (0, 6.0)]));
    log = Vec::new();
    told::recorded(&mut x, &mut log, &mut record);
    log.clear();
    let mut gx = 1.0;
    told::pullback((&mut x, &mut gx), &mut log, &mut record);
    assert_eq!((x, gx, log, record.bytes()), (3.0, 8.0, Vec::new(), 0));
}

/// A run that fails half-way leaves the record as it was.
#[reversible(record)]
fn fragile(x: &mut [f64], y: &mut f64) {
    for i in 0..x.len() {
        #[recompute]
        {
            *y = *y * x[i];
            *y = brittle(*y);
        }
    }
}

thread_local! {
    static BREAKS: Cell<bool> = const { Cell::new(false) };
}

#[primitive(d_x = { if BREAKS.get() { panic!("broken") } else { 1.0 } })]
fn brittle(x: f64) -> f64 {
    x
}

#[test]
fn a_run_that_panics_leaves_the_record_as_it_was() {
    let (mut record, mut x, mut y) = (Record::new(), [1.0, 2.0, 3.0], 1.0);
    fragile::recorded(&mut x, &mut y, &mut record);
    let bytes = record.bytes();
    BREAKS.set(true);
    let (mut gx, mut gy, mut z) = ([0.0; 3], 1.0, y);
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        fragile::pullback((&mut x, &mut gx), (&mut z, &mut gy), &mut record);
    }));
    assert!(failed.is_err());
    assert_eq!(record.bytes(), bytes);
    BREAKS.set(false);
    (gx, gy) = ([0.0; 3], 1.0);
    fragile::pullback((&mut x, &mut gx), (&mut y, &mut gy), &mut record);
    assert_eq!((y, gx, gy, record.bytes()), (1.0, [6.0, 3.0, 2.0], 6.0, 0));
}

/// On one statement of a program that runs backwards otherwise.
#[reversible]
fn marked<T: Real>(x: &[T], n: usize) -> T {
    let mut y: T = 0.0;
    let mut z = x[0];
    for i in 0..n {
        #[record]
        #[recompute]
        {
            z = z * z + 0.1 * x[1];
            z *= 0.5;
        }
        y += z * x[i % 2];
    }
    y
}

#[test]
fn a_marked_statement_may_be_run_again() {
    for n in 0..5 {
        agrees!(marked, [0.6, 0.8], n);
    }
}

#[test]
fn the_source_says_what_is_run_again() {
    let text = stretches::source(Direction::Forward);
    assert!(text.contains("#[recompute]"), "{text}");
    let text = stretches::source(Direction::Pullback);
    assert!(text.matches("keep(&y);").count() == 2 && text.matches("y = restore();").count() == 2, "{text}");
    assert!(repeated_calls::source(Direction::Forward).contains("#[recompute]\n        let z = long(y, 50);"));
}

/// Second derivatives, jacobians, and the number types of other runs.
#[test]
fn second_derivatives() {
    let (value, gradient, hessian): (f64, Vec<f64>, Vec<f64>) = stretches::hessian(&[0.3, 2.9], 3, 4);
    let (expected, by_x) = stretches::gradient(&[0.3, 2.9], 3, 4);
    assert_eq!((value, &gradient), (expected, &by_x));
    let h = 1e-6;
    let (_, above) = stretches::gradient(&[0.3 + h, 2.9], 3, 4);
    let (_, below) = stretches::gradient(&[0.3 - h, 2.9], 3, 4);
    for j in 0..2 {
        let difference: f64 = (above[j] - below[j]) / (2.0 * h);
        assert!((hessian[j] - difference).abs() < 1e-4 * (1.0 + difference.abs()), "{hessian:?} {difference}");
    }
}

/// Functions and methods that are called inside of what a procedure runs again.
#[reversible(record)]
impl<T: Real> State<T> {
    fn pull(&self, x: T) -> T {
        let mut sum = x;
        for t in &self.trail {
            sum = sum * *t + self.speed;
        }
        sum
    }
}

#[reversible(record)]
fn bend<T: Real>(x: T, times: usize) -> T {
    let mut y = x;
    for _ in 0..times {
        y = y * y - 0.4;
    }
    y
}

#[reversible(record)]
fn pulled<T: Real>(y: &mut [T], state: &State<T>) {
    for i in 0..y.len() {
        #[recompute]
        {
            let bent = bend(y[i], 3);
            y[i] = bent * state.pull(y[i]);
        }
        #[recompute]
        let more = bend(y[i], 2);
        y[i] = y[i] * more;
    }
}

#[test]
fn calls_inside_of_procedures_are_made_again() {
    let state = State { speed: 0.5, trail: vec![0.3, 0.8], steps: 0 };
    let (mut record, before) = (Record::new(), [0.2, 0.9]);
    let mut y = before;
    pulled::recorded(&mut y, &state, &mut record);
    pulled::uncall(&mut y, &state, &mut record);
    assert_eq!((y, record.bytes()), (before, 0));
    pulled::recorded(&mut y, &state, &mut record);
    let (mut gy, mut gs) = ([1.0, -0.5], StateShadow { speed: 0.0, trail: vec![0.0; 2], steps: () });
    pulled::pullback((&mut y, &mut gy), (&state, &mut gs), &mut record);
    assert_eq!((y, record.bytes()), (before, 0));
    let (mut dy, ds) = ([0.3, 0.7], StateShadow { speed: 0.2, trail: vec![0.5, -0.4], steps: () });
    let right = gy[0] * dy[0] + gy[1] * dy[1] + gs.speed * 0.2 + gs.trail[0] * 0.5 - gs.trail[1] * 0.4;
    pulled::pushforward((&mut y, &mut dy), (&state, &ds));
    let left = dy[0] - 0.5 * dy[1];
    assert!((left - right).abs() < 1e-12, "{left} {right}");
}

/// Counters inside of what is run again, and around it.
#[reversible(record)]
fn counters<T: Real>(x: &[T], n: usize) -> T {
    let mut y = x[0];
    let mut total = 0;
    for _ in 0..n {
        #[recompute]
        {
            let mut k = 0;
            for j in 0..4 {
                k += j + 1;
                y = y * x[k % 2] + 0.1;
            }
            y = y.sin() * x[(k + total) % 2];
        }
        total += 1;
    }
    y
}

#[test]
fn counters_are_computed_again() {
    for n in 0..4 {
        agrees!(counters, [0.8, 1.1], n);
    }
}
