//! What recorded programs call runs forwards once, at any depth: through functions, procedures, methods and traits.

use std::cell::Cell;

use retrograd::prelude::*;
use retrograd::{Dual, Record};

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Counts how often it is computed.
#[primitive(d_x = 2.0 * x)]
fn counted(x: f64) -> f64 {
    CALLS.set(CALLS.get() + 1);
    x * x
}

/// How often something computes it.
fn calls(run: impl FnOnce()) -> usize {
    CALLS.set(0);
    run();
    CALLS.take()
}

fn slope(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let step = 1e-5;
    (f(x + step) - f(x - step)) / (2.0 * step)
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-7 * (1.0 + b.abs())
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Cell1<T> {
    x: T,
    rate: T,
}

#[reversible(record)]
trait Layer {
    fn rise(&self, by: f64) -> f64;

    fn change(&mut self, by: f64);

    fn change_twice(&mut self, by: f64) {
        self.change(by);
        let risen = self.rise(by);
        self.change(0.25 * risen);
    }
}

/// A nest of one function, one procedure, one method of each kind and one trait at each depth.
macro_rules! nest {
    ($($function:ident, $procedure:ident, $method:ident, $changing:ident =
        $inner:ident, $inner_procedure:ident, $inner_method:ident, $inner_changing:ident;)*) => {$(
        #[reversible(record)]
        fn $function(x: f64) -> f64 {
            let mut y = $inner(x);
            y = 0.5 * y + 0.25 * y * y;
            y
        }

        #[reversible(record)]
        fn $procedure(x: &mut f64, by: f64) {
            $inner_procedure(x, 0.5 * by);
            *x = 0.5 * *x * by;
        }

        #[reversible(record)]
        impl Cell1<f64> {
            fn $method(&self, by: f64) -> f64 {
                let mut y = self.$inner_method(by);
                y = 0.5 * y + self.rate * y * y;
                y
            }

            fn $changing(&mut self, by: f64) {
                self.$inner_changing(by);
                self.x = 0.5 * self.x * by + self.rate;
            }
        }
    )*};
}

#[reversible(record)]
fn function0(x: f64) -> f64 {
    counted(x) + 0.5
}

#[reversible(record)]
fn procedure0(x: &mut f64, by: f64) {
    *x = 0.5 * counted(*x) + by;
    let again = counted(by) * *x;
    *x += 0.1 * again;
}

#[reversible(record)]
impl Cell1<f64> {
    fn method0(&self, by: f64) -> f64 {
        let y = counted(self.x);
        y * by + Self::scaled(y)
    }

    fn scaled(y: f64) -> f64 {
        let mut z = 0.5 * y;
        z *= z;
        z
    }

    fn changing0(&mut self, by: f64) {
        let mut risen = self.method0(by);
        risen *= risen;
        self.x = 0.5 * risen;
    }
}

nest! {
    function1, procedure1, method1, changing1 = function0, procedure0, method0, changing0;
    function2, procedure2, method2, changing2 = function1, procedure1, method1, changing1;
    function3, procedure3, method3, changing3 = function2, procedure2, method2, changing2;
    function4, procedure4, method4, changing4 = function3, procedure3, method3, changing3;
    function5, procedure5, method5, changing5 = function4, procedure4, method4, changing4;
    function6, procedure6, method6, changing6 = function5, procedure5, method5, changing5;
    function7, procedure7, method7, changing7 = function6, procedure6, method6, changing6;
}

const START: Cell1<f64> = Cell1 { x: 0.75, rate: 0.3 };
const ZERO: Cell1<f64> = Cell1 { x: 0.0, rate: 0.0 };

#[test]
fn functions_at_any_depth() {
    macro_rules! law {
        ($($f:ident)*) => {$(
            let mut gx = 0.0;
            assert_eq!(calls(|| { $f::pullback((0.75, &mut gx), 1.0); }), 1);
            assert!(is_close(gx, slope($f, 0.75)));
        )*};
    }
    law!(function0 function1 function2 function3 function4 function5 function6 function7);
}

#[test]
fn procedures_at_any_depth() {
    macro_rules! law {
        ($($p:ident)*) => {$(
            let (mut record, mut x, mut gx, mut gby) = (Record::new(), 0.75, 1.0, 0.0);
            assert_eq!(calls(|| $p::recorded(&mut x, 0.5, &mut record)), 2);
            assert_eq!(calls(|| $p::pullback((&mut x, &mut gx), (0.5, &mut gby), &mut record)), 0);
            assert_eq!((x, record.bytes()), (0.75, 0));
            assert!(is_close(gx, slope(|x| { let mut x = x; $p(&mut x, 0.5); x }, 0.75)));
            assert!(is_close(gby, slope(|by| { let mut x = 0.75; $p(&mut x, by); x }, 0.5)));

            // The inverse on values needs none of it.
            $p::recorded(&mut x, 0.5, &mut record);
            assert_eq!(calls(|| $p::uncall(&mut x, 0.5, &mut record)), 0);
            assert_eq!((x, record.bytes()), (0.75, 0));
        )*};
    }
    law!(procedure0 procedure1 procedure2 procedure3 procedure4 procedure5 procedure6 procedure7);
}

#[test]
fn methods_at_any_depth() {
    macro_rules! law {
        ($($pullback:ident $method:ident, $recorded:ident $pull:ident $uncall:ident $changing:ident;)*) => {$(
            let (mut gradient, mut gby) = (ZERO, 0.0);
            assert_eq!(calls(|| { START.$pullback(&mut gradient, (0.5, &mut gby), 1.0); }), 1);
            assert!(is_close(gradient.x, slope(|x| Cell1 { x, ..START }.$method(0.5), 0.75)));
            assert!(is_close(gradient.rate, slope(|rate| Cell1 { rate, ..START }.$method(0.5), 0.3)));

            let (mut record, mut cell, mut adjoint, mut gby) = (Record::new(), START, Cell1 { x: 1.0, rate: 0.0 }, 0.0);
            assert_eq!(calls(|| cell.$recorded(0.5, &mut record)), 1);
            assert_eq!(calls(|| cell.$pull(&mut adjoint, (0.5, &mut gby), &mut record)), 0);
            let changed = |mut cell: Cell1<f64>, by| { cell.$changing(by); cell.x };
            assert!(is_close(adjoint.x, slope(|x| changed(Cell1 { x, ..START }, 0.5), 0.75)));
            assert!(is_close(gby, slope(|by| changed(START, by), 0.5)));
            assert_eq!((&cell, record.bytes()), (&START, 0));
            cell.$recorded(0.5, &mut record);
            assert_eq!(calls(|| cell.$uncall(0.5, &mut record)), 0);
            assert_eq!((&cell, record.bytes()), (&START, 0));
        )*};
    }
    law! {
        pullback_method0 method0, recorded_changing0 pullback_changing0 uncall_changing0 changing0;
        pullback_method1 method1, recorded_changing1 pullback_changing1 uncall_changing1 changing1;
        pullback_method3 method3, recorded_changing3 pullback_changing3 uncall_changing3 changing3;
        pullback_method7 method7, recorded_changing7 pullback_changing7 uncall_changing7 changing7;
    }
}

#[reversible(record)]
impl Layer for Cell1<f64> {
    fn rise(&self, by: f64) -> f64 {
        let mut y = counted(self.x);
        y *= by;
        y
    }

    fn change(&mut self, by: f64) {
        self.x = self.rise(by) + function3(by);
    }
}

#[reversible(record)]
fn through<L: Layer>(layer: &mut L, out: &mut f64, by: f64) {
    layer.change_twice(by);
    *out = layer.rise(by) + L::rise(layer, by);
}

#[test]
fn traits_and_generic_callers() {
    let (mut record, mut cell, mut out) = (Record::new(), START, 0.0);
    // Twice in each change, once in between, and twice at the end.
    assert_eq!(calls(|| through::recorded(&mut cell, &mut out, 0.5, &mut record)), 7);
    let (mut adjoint, mut gout, mut gby) = (ZERO, 1.0, 0.0);
    let pulled = calls(|| {
        through::pullback((&mut cell, &mut adjoint), (&mut out, &mut gout), (0.5, &mut gby), &mut record);
    });
    assert_eq!(pulled, 0);
    let value = |cell: &Cell1<f64>, by| {
        let (mut cell, mut out) = (cell.clone(), 0.0);
        through(&mut cell, &mut out, by);
        out
    };
    assert!(is_close(adjoint.x, slope(|x| value(&Cell1 { x, ..START }, 0.5), 0.75)));
    assert!(is_close(gby, slope(|by| value(&START, by), 0.5)));
    assert_eq!((&cell, record.bytes()), (&START, 0));
}

/// Functions and procedures that call themselves.
#[reversible(record)]
fn descending(x: f64, depth: usize) -> f64 {
    let mut y = counted(x);
    if depth > 0 {
        y = 0.5 * descending(y, depth - 1) + 0.25;
    }
    y
}

#[reversible(record)]
fn climbing(x: &mut f64, depth: usize) {
    if depth > 0 {
        climbing(x, depth - 1);
    }
    for _ in 0..2 {
        let next = 0.5 * counted(*x) + 0.1 * descending(*x, 1);
        *x = next;
    }
}

#[test]
fn recursion() {
    for depth in 0..6 {
        let mut gx = 0.0;
        let run = || {
            descending::pullback((0.75, &mut gx), depth, 1.0);
        };
        assert_eq!(calls(run), depth + 1);
        assert!(is_close(gx, slope(|x| descending(x, depth), 0.75)));

        let (mut record, mut x, mut gx) = (Record::new(), 0.75, 1.0);
        assert_eq!(calls(|| climbing::recorded(&mut x, depth, &mut record)), 6 * (depth + 1));
        assert_eq!(calls(|| climbing::pullback((&mut x, &mut gx), depth, &mut record)), 0);
        assert!(is_close(
            gx,
            slope(
                |x| {
                    let mut x = x;
                    climbing(&mut x, depth);
                    x
                },
                0.75
            )
        ));
        climbing::recorded(&mut x, depth, &mut record);
        assert_eq!(calls(|| climbing::uncall(&mut x, depth, &mut record)), 0);
        assert_eq!((x, record.bytes()), (0.75, 0));
    }
}

/// What comes back from a call may be an integer, a tuple or a vector.
#[reversible(record)]
fn places(x: &[f64]) -> usize {
    let mut n = 0;
    while n < x.len() && x[n] > 0.0 {
        n += 1;
    }
    n
}

#[reversible(record)]
fn both<T: Real>(x: T) -> (T, Vec<T>) {
    let mut y = x * x;
    y *= x;
    (y, vec![x, y])
}

#[reversible(record)]
fn gathered<T: Real>(x: &mut [T], sum: &mut T) {
    let (cube, parts) = both(x[0]);
    *sum = cube * parts[1];
    x[0] = parts[0] * cube;
}

#[reversible(record)]
fn limited(x: &[f64], sum: &mut f64) {
    let n: usize = places(x);
    *sum = 0.0;
    for i in 0..n {
        *sum += x[i] * x[i];
    }
}

/// Methods of the standard library may stand where no derivative flows.
#[reversible(record)]
fn looked_up(x: &[f64], at: f64, y: &mut f64) {
    for _ in 0..2 {
        *y = *y * x[x.partition_point(|v| *v < at)] + (x.partition_point(|v| *v < at) > 1) as u8 as f64;
    }
}

#[test]
fn values_of_any_type() {
    let (mut record, mut y, mut gx, mut gy, mut gat) = (Record::new(), 3.0, [0.0; 3], 1.0, 0.0);
    looked_up::recorded(&[1.0, 2.0, 4.0], 1.5, &mut y, &mut record);
    assert_eq!(y, 12.0);
    let x = [1.0, 2.0, 4.0];
    looked_up::pullback((&x, &mut gx), (1.5, &mut gat), (&mut y, &mut gy), &mut record);
    assert_eq!((y, gx, gy, gat), (3.0, [0.0, 12.0, 0.0], 4.0, 0.0));

    let (mut record, mut x, mut sum) = (Record::new(), [1.5], 0.25);
    gathered::recorded(&mut x, &mut sum, &mut record);
    let (mut gx, mut gsum) = ([1.0], 1.0);
    gathered::pullback((&mut x, &mut gx), (&mut sum, &mut gsum), &mut record);
    let (mut dual, mut total) = ([Dual::<f64, 1>::variable(1.5, 0)], Dual::constant(0.25));
    gathered(&mut dual, &mut total);
    assert!(is_close(gx[0], dual[0].eps[0] + total.eps[0]) && gsum == 0.0);
    assert_eq!((x, sum, record.bytes()), ([1.5], 0.25, 0));

    let (x, mut gx, mut gsum) = ([1.0, 2.0, -1.0, 4.0], [0.0; 4], 1.0);
    limited::recorded(&x, &mut sum, &mut record);
    assert_eq!(sum, 5.0);
    limited::pullback((&x, &mut gx), (&mut sum, &mut gsum), &mut record);
    assert_eq!((gx, sum, record.bytes()), ([2.0, 4.0, 0.0, 0.0], 0.25, 0));
    limited::recorded(&x, &mut sum, &mut record);
    limited::uncall(&x, &mut sum, &mut record);
    assert_eq!((sum, record.bytes()), (0.25, 0));
}

/// Two calls, and locals that it computes again on its way back.
#[reversible]
fn bare(x: f64) -> f64 {
    let mut y = 0.0;
    y += counted(x);
    y += counted(0.5 * x);
    y * y
}

#[reversible(record)]
fn above(x: f64, steps: usize) -> f64 {
    let mut y = x;
    for _ in 0..steps {
        y = 0.5 * bare(y);
    }
    y
}

#[test]
fn functions_without_a_record_keep_nothing_and_run_once_more() {
    let mut record = Record::new();
    let once = calls(|| assert!(above(0.9, 4) < 0.9));
    let alone = calls(|| assert!(bare::pullback((0.9, &mut 0.0), 1.0) > 0.0));
    let (mut value, mut by_x) = (0.0, 0.0);
    let recorded = calls(|| value = above::pullback_in(&mut record, (0.9, &mut by_x), 4, 1.0));
    // Each call runs forwards, and on the way back as it does by itself.
    assert_eq!(recorded, once + 4 * alone);
    assert!(value == above(0.9, 4) && is_close(by_x, slope(|x| above(x, 4), 0.9)));
    // The old `y` of each iteration, which the callee begins with.
    assert_eq!(record.peak_bytes(), 4 * size_of::<f64>());
}
