//! What ordinary Rust is made of, recorded: sorting, vectors that grow and shrink, loops with a value, patterns, closures.
//!
//! Functions have the derivatives of dual numbers. Procedures also come back, and their pullback is the transpose of their pushforward.

#[macro_use]
mod against_dual;

use retrograd::Dual;
use retrograd::prelude::*;

/// Fails unless a procedure of a vector comes back from `recorded`, and its pullback gives what dual numbers give.
fn comes_back<const N: usize>(
    before: [f64; N],
    call: impl Fn(&mut Vec<f64>),
    dual: impl Fn(&mut Vec<Dual<f64, N>>),
    recorded: impl Fn(&mut Vec<f64>, &mut Record),
    uncall: impl Fn(&mut Vec<f64>, &mut Record),
    pullback: impl Fn(&mut Vec<f64>, &mut Vec<f64>, &mut Record),
    pushforward: impl Fn(&mut Vec<f64>, &mut Vec<f64>),
) {
    let (mut plain, mut x, mut record) = (before.to_vec(), before.to_vec(), Record::new());
    call(&mut plain);
    recorded(&mut x, &mut record);
    assert_eq!(x, plain, "`recorded` at {before:?}");
    uncall(&mut x, &mut record);
    assert_eq!((&*x, record.bytes()), (&before[..], 0), "`uncall` at {before:?}");
    let mut expected: Vec<_> = (0..N).map(|i| Dual::variable(before[i], i)).collect();
    dual(&mut expected);
    let weights: Vec<f64> = (0..expected.len()).map(|i| 1.0 + i as f64 * 0.7).collect();
    recorded(&mut x, &mut record);
    let mut adjoint = weights.clone();
    pullback(&mut x, &mut adjoint, &mut record);
    assert_eq!((&*x, record.bytes()), (&before[..], 0), "`pullback` at {before:?}");
    for i in 0..N {
        let (mut y, mut dy) = (before.to_vec(), vec![0.0; N]);
        dy[i] = 1.0;
        pushforward(&mut y, &mut dy);
        let slopes: Vec<f64> = expected.iter().map(|e| e.eps[i]).collect();
        assert_eq!(y, plain, "`pushforward` at {before:?}");
        let is_close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-10 * (1.0 + b.abs());
        assert!(
            dy.len() == slopes.len() && dy.iter().zip(&slopes).all(is_close),
            "{dy:?} at {before:?}, and not {slopes:?}"
        );
        let by_x: f64 = slopes.iter().zip(&weights).map(|(slope, weight)| slope * weight).sum();
        assert!((by_x - adjoint[i]).abs() <= 1e-10 * (1.0 + by_x.abs()), "{adjoint:?} at {before:?}, and not {by_x}");
    }
}

macro_rules! undone {
    ($program:ident, $x:expr) => {
        comes_back(
            $x,
            |x| $program(x),
            |x| $program(x),
            |x, r| $program::recorded(x, r),
            |x, r| $program::uncall(x, r),
            |x, g, r| $program::pullback((x, g), r),
            |x, d| $program::pushforward((x, d)),
        )
    };
}

/// The inputs of every program: without ties, with some, and the other way round.
macro_rules! on_all {
    ($law:ident!($program:ident)) => {
        $law!($program, [0.4, -1.2, 2.5, 0.9, 1.7]);
        $law!($program, [1.5, 0.5, 1.5, -0.5, 0.5]);
        $law!($program, [2.5, 1.5, 0.5, -0.5, -1.5]);
    };
}

/// Weighted by their places, so that each order has another gradient.
#[reversible(record)]
fn weighted<T: Real>(x: &[T]) -> T {
    let mut sum: T = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i] * (i as T + 1.0);
    }
    sum
}

#[reversible(record)]
fn by_partial_cmp<T: Real>(x: &[T]) -> T {
    let mut v = x.to_vec();
    v.sort_by(|a, b| a.partial_cmp(b).unwrap());
    weighted(&v)
}

/// From the greatest to the smallest distance from the first.
#[reversible(record)]
fn by_distance<T: Real>(x: &[T]) -> T {
    let mut v = x.to_vec();
    let first = x[0];
    v.sort_unstable_by(|a, b| (*b - first).abs().partial_cmp(&(*a - first).abs()).unwrap());
    v[1..].sort_by(|a, b| {
        let (left, right) = (a.sin(), b.sin());
        left.partial_cmp(&right).unwrap()
    });
    weighted(&v)
}

/// An order of indices.
#[reversible(record)]
fn by_index<T: Real>(x: &[T]) -> T {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&i, &j| x[i].partial_cmp(&x[j]).unwrap());
    let mut sum: T = 0.0;
    for k in 0..order.len() {
        sum += x[order[k]] * x[order[k]] * (k as T);
    }
    order.sort();
    order.sort_unstable_by_key(|i| *i % 2);
    sum * x[order[0]] + x[order[3]]
}

#[reversible(record)]
fn by_key<T: Real>(x: &[T]) -> T {
    let mut v = x.to_vec();
    v.sort_by_key(|a| (*a * 2.0).to_f64() as i64 % 3);
    v.reverse();
    v.rotate_left(2);
    v[1..4].rotate_right(1);
    v.swap(0, 3);
    weighted(&v)
}

#[test]
fn sorting() {
    on_all!(agrees!(by_partial_cmp));
    on_all!(agrees!(by_distance));
    on_all!(agrees!(by_index));
    on_all!(agrees!(by_key));
}

/// The median of three, in place of all.
#[reversible(record)]
fn median_filter<T: Real>(x: &mut Vec<T>) {
    let old = x.clone();
    for i in 1..x.len() - 1 {
        let mut window = [old[i - 1], old[i], old[i + 1]];
        window.sort_by(|a, b| a.partial_cmp(b).unwrap());
        x[i] = window[1] * window[1] + x[i - 1];
    }
    x.sort_by(|a, b| b.partial_cmp(a).unwrap());
}

#[test]
fn sorting_in_place() {
    on_all!(undone!(median_filter));
    let (mut x, mut record) = (vec![2.5, 0.5, 1.5], Record::new());
    sorted_floats::recorded(&mut x, &mut record);
    assert_eq!((&*x, record.bytes()), (&[0.5, 1.5, 2.5][..], 3));
    let mut gx = vec![1.0, 2.0, 3.0];
    sorted_floats::pullback((&mut x, &mut gx), &mut record);
    assert_eq!((x, gx), (vec![2.5, 0.5, 1.5], vec![3.0, 1.0, 2.0]));
}

#[reversible(record)]
fn sorted_floats(x: &mut [f64]) {
    x.sort_by(f64::total_cmp);
}

/// Keeps the numbers in order.
#[reversible(record)]
fn insertion<T: Real>(x: &[T]) -> T {
    let mut sorted: Vec<T> = Vec::new();
    for v in x {
        let mut at = 0;
        while at < sorted.len() && sorted[at] < *v {
            at += 1;
        }
        sorted.insert(at, *v * *v);
        if sorted.len() > 3 {
            let removed = sorted.remove(1);
            sorted[0] = sorted[0] * removed;
        }
    }
    sorted.resize(2, x[0]);
    sorted.resize(4, x[1]);
    weighted(&sorted)
}

#[reversible(record)]
fn shuffle<T: Real>(x: &mut Vec<T>) {
    let last = x.swap_remove(1);
    x.insert(0, last * x[0]);
    x.remove(x.len() / 2);
    let mut extra = x[0] * 2.0;
    extra *= x.pop().unwrap();
    x.resize(6, extra);
    x.swap_remove(0);
    x[1] += x.remove(0);
    x.truncate(4);
    let more = x[1..3].to_vec();
    x.extend_from_slice(&more);
}

/// Each number twice, the last first, until they are used up.
#[reversible(record)]
fn worklist<T: Real>(x: &[T]) -> T {
    let mut todo = x.to_vec();
    let mut sum: T = 0.0;
    while let Some(v) = todo.pop() {
        if v > 2.0 {
            todo.push(v - 1.0);
            continue;
        }
        sum = 0.5 * sum * v + v;
    }
    let Some(rest) = todo.pop() else {
        todo.push(sum);
        todo.push(x[0] * x[1]);
        if let Some(mut last) = todo.pop() {
            last *= last;
            sum += last;
        }
        let next = match todo.pop() {
            Some(v) => v * v,
            None => x[0],
        };
        let other = todo.pop().unwrap_or(x[2]);
        return sum * next + other;
    };
    rest
}

/// Arms for large numbers, for others, and for none.
#[reversible(record)]
fn sorted_out<T: Real>(x: &[T]) -> T {
    let mut todo = x.to_vec();
    let mut sum: T = 0.0;
    loop {
        match todo.pop() {
            Some(v) if v > 1.5 => {
                todo.push(0.5 * v);
                sum = sum * v;
            }
            Some(v) if v < 0.0 => sum += v * v,
            Some(v) => sum = 0.5 * sum + v,
            None => break,
        }
    }
    todo.push(sum);
    let last = match todo.pop() {
        None => x[0],
        Some(v) if v > 1.0 => v * x[0],
        _ => x[1] * x[1],
    };
    sum * last
}

#[test]
fn vectors_that_grow_and_shrink() {
    on_all!(agrees!(sorted_out));
    on_all!(agrees!(insertion));
    on_all!(agrees!(worklist));
    on_all!(undone!(shuffle));
}

/// The first that is large, or what the sum is when it is.
#[reversible(record)]
fn first_large<T: Real>(x: &[T]) -> T {
    let mut at = 0;
    let mut sum: T = 0.0;
    let found = loop {
        if at == x.len() {
            break sum * 2.0;
        }
        sum = sum * x[at] + x[at];
        if x[at] > 1.6 {
            break {
                let square = x[at] * x[at];
                square * sum
            };
        }
        at += 1;
    };
    at %= 3;
    let more = 'outer: loop {
        for i in 0..x.len() {
            match at {
                3 => break 'outer x[i] * found,
                2 => break 'outer found.sin(),
                _ => at += 1,
            }
        }
    };
    found + more
}

#[reversible(record)]
fn tail_loop<T: Real>(x: &[T]) -> T {
    let mut y: T = x[0];
    let mut i = 0;
    loop {
        y = y * x[i].cos();
        i += 1;
        if i == x.len() {
            break y * y;
        }
    }
}

/// Blocks with labels: as statements, with a value, nested, and left from inside of a loop.
#[reversible(record)]
fn labelled<T: Real>(x: &[T]) -> T {
    let mut y = x[0];
    'whole: {
        if y > 1.0 {
            y = y * x[1];
            break 'whole;
        }
        y = y.sin();
        for t in x {
            if *t > 2.0 {
                break 'whole;
            }
            y = y * *t + 0.5;
        }
        y = y * y;
    }
    let z = 'value: {
        if x[1] > 1.2 {
            break 'value y * x[0];
        }
        let inner = 'inner: {
            for t in x {
                if *t > 0.8 {
                    break 'inner *t * *t;
                }
                if *t < 0.1 {
                    break 'value 3.0 * y;
                }
            }
            y + x[1]
        };
        inner * y
    };
    for i in 0..x.len() {
        'step: {
            if x[i] < 0.6 {
                break 'step;
            }
            y = y + z * x[i];
        }
    }
    y * z
}

/// The same as a procedure.
#[reversible(record)]
fn labelled_in_place<T: Real>(x: &mut [T]) {
    'out: {
        x[0] = x[0] * x[1];
        if x[0] > 1.0 {
            x[1] = x[1].sin();
            break 'out;
        }
        x[1] = x[0] + 0.25;
    }
}

#[test]
fn loops_with_a_value() {
    on_all!(agrees!(first_large));
    on_all!(agrees!(tail_loop));
    on_all!(agrees!(labelled));
    on_all!(undone!(labelled_in_place));
}

#[derive(Active, Clone, Debug, PartialEq)]
struct Pair<T> {
    left: T,
    right: T,
}

#[reversible(record)]
fn halves<T: Real>(x: T) -> (T, T) {
    (x * 0.5, x * x)
}

#[reversible(record)]
fn patterns<T: Real>(x: &[T]) -> T {
    let (mut a, b) = halves(x[0]);
    let [mut c, d] = [x[1] * b, x[2]];
    let (mut n, mut e, f) = (0, x[3], x[4] * x[4]);
    let Pair { mut left, right } = Pair { left: a * c, right: d };
    for v in x {
        (a, c) = (c, a + 0.5 * c * *v);
        (n, left) = (n + 1, left * 0.5);
        (e, _) = halves(e + f);
        [left, e] = [e, left];
    }
    let late;
    if n > 3 {
        late = a * e;
    } else {
        late = c;
    }
    a + b * c + d * e + f * left * right + late
}

#[reversible(record)]
fn fibonacci<T: Real>(x: &mut Vec<T>) {
    for _ in 0..3 {
        (x[0], x[1]) = (x[1], x[0] + x[1] * x[2]);
    }
    let (mut a, b) = (x[2], x[3]);
    a *= b;
    x[3] = a;
}

#[reversible(record)]
fn ends<T: Real>(x: &[T]) -> T {
    let [first, middle @ .., last] = x else {
        return 0.0;
    };
    let [&a, b, ..] = middle else {
        return *first;
    };
    let [c] = &middle[2..] else {
        return *last;
    };
    *first * *last + a * *b + *c * weighted(middle)
}

#[test]
fn patterns_and_tuples() {
    on_all!(agrees!(patterns));
    on_all!(undone!(fibonacci));
    on_all!(agrees!(ends));
    agrees!(ends, [1.5, 2.0, 0.5]);
    agrees!(ends, [1.5, 2.0]);
    agrees!(ends, [1.5]);
}

#[reversible(record)]
fn closures<T: Real>(x: &[T]) -> T {
    let scale = x[1] * 0.5;
    let f = |v: T| v * v * scale + 1.0;
    let both = |a: T, b: &T| -> T {
        let sum = f(a) + *b;
        if sum > 1.0 { sum } else { sum * a }
    };
    let at = |i: usize| (i * 2 + 1) % 5;
    let mut y = f(x[0]);
    let scale = 3.0;
    for i in 0..x.len() {
        let v = x[at(i)];
        y = both(y, &v) * 0.3;
        y = (f(y) * scale).sin();
    }
    y + x.iter().copied().map(f).sum::<T>()
}

/// The same in a program without a record.
#[reversible]
fn closures_reversed<T: Real>(x: &[T]) -> T {
    let scale = x[1] * 0.5;
    let f = |v: T| v * v * scale + 1.0;
    let mut y = 0.0;
    for i in 0..x.len() {
        y += f(x[i] * f(x[0]));
    }
    y
}

#[reversible(record)]
fn inner_functions<T: Real>(x: &[T]) -> T {
    #[reversible(record)]
    fn inner<T: Real>(mut a: T, b: T) -> T {
        a *= b;
        a.sin()
    }
    let mut y = x[0];
    for v in x {
        y = inner(y, *v);
    }
    y
}

/// Loops that skip elements, and end early.
#[reversible(record)]
fn best_so_far<T: Real>(x: &[T]) -> T {
    let mut best = x[0];
    let mut sum = x[0] * x[0];
    for &v in x.iter().skip(1) {
        if v > best {
            best = v;
        }
        if v < -1.0 {
            break;
        }
        sum = sum * best + v;
    }
    for (i, v) in x.iter().enumerate().skip(2) {
        sum *= *v + i as T;
        if sum > 20.0 {
            return sum * best;
        }
    }
    sum
}

#[reversible(record)]
fn states_of_the_others<T: Real>(x: &[T]) -> T {
    let mut y = x[0];
    #[checkpoint(snapshots = 2)]
    for (i, v) in x.iter().enumerate().skip(1) {
        y = y.sin() * *v + i as T;
    }
    y
}

#[test]
fn loops_skip_elements() {
    on_all!(agrees!(best_so_far));
    on_all!(agrees!(states_of_the_others));
}

#[test]
fn closures_and_inner_functions() {
    on_all!(agrees!(closures));
    on_all!(agrees!(closures_reversed));
    on_all!(agrees!(inner_functions));
}

#[bijection(inverse = y / (T::one() - y.abs()), d = (T::one() + y.abs()).powi(-2))]
fn squash<T: Real>(y: T) -> T {
    y / (T::one() + y.abs())
}

#[bijection(inverse = (y - 1.0) / 2.0)]
fn stretch(y: f64) -> f64 {
    2.0 * y + 1.0
}

#[reversible(record)]
fn squashed<T: Real>(x: &[T]) -> T {
    let mut y: T = x[0];
    for v in x {
        y = squash(y);
        y = y * *v + squash(*v);
    }
    y
}

#[reversible(record)]
fn squash_in_place<T: Real>(x: &mut Vec<T>) {
    for v in x.iter_mut() {
        *v = squash(*v);
        if *v > 0.4 {
            *v = squash(*v * 2.0);
        }
    }
}

#[reversible]
fn bijections_in_expressions(x: f64, y: f64) -> f64 {
    let mut z = stretch(x) * stretch(y);
    z += squash(x);
    z
}

#[test]
fn bijections() {
    on_all!(agrees!(squashed));
    on_all!(undone!(squash_in_place));
    let (value, by_x, by_y) = bijections_in_expressions::gradient(1.0, 0.5);
    assert_eq!((value, by_x, by_y), (6.5, 2.0 * 2.0 + 0.25, 2.0 * 3.0));
    assert_eq!(bijections_in_expressions::pushforward((1.0, 1.0), (0.5, 0.0)), (6.5, 4.25));
}

#[reversible(record)]
fn products<T: Real>(x: &[T]) -> T {
    let mut y: T = x.iter().product();
    y = y * 2.0 + x[1..3].iter().copied().product::<T>() * x[0];
    for i in 0..2 {
        y = y + x.iter().map(|v| *v * x[i] - 1.0).product::<T>();
    }
    y
}

#[reversible]
fn products_reversed<T: Real>(x: &[T]) -> T {
    let mut y: T = 0.0;
    y += x.iter().product::<T>();
    y += (0..x.len()).map(|i| x[i] - 0.5).product::<T>() * x[0];
    y
}

#[reversible(record)]
fn product_by_hand<T: Real>(x: &[T]) -> T {
    let mut p: T = 1.0;
    for v in x {
        p *= *v;
    }
    p
}

#[test]
fn products_with_zeros() {
    for x in [[2.0, 0.0, 3.0], [0.0, 0.0, 1.5], [0.5, 2.0, -1.0], [0.5, 0.5, 2.0]] {
        agrees!(products, x);
        agrees!(products_reversed, x);
        agrees!(product_by_hand, x);
    }
    assert_eq!(product_by_hand::gradient(&[2.0, 0.0, 3.0]), (0.0, vec![0.0, 6.0, 0.0]));
}

/// Counts its calls, and says how large its numbers get.
#[reversible(record)]
fn counted<T: Real>(x: &mut [T], #[host] calls: &mut Vec<String>) {
    let largest = x[0] * x[0];
    #[host]
    calls.push(format!("{}", largest.to_f64()));
    x[0] = largest + x[1];
    if x[0] > 3.0 {
        x[0] *= 0.5;
        return;
    }
    assert!(x[0].to_f64() <= 3.0);
    counted_inside(x, calls);
}

#[reversible(record)]
fn counted_inside<T: Real>(x: &mut [T], #[host] calls: &mut Vec<String>) {
    x[1] = 2.0 * x[1];
    #[host]
    calls.push("inside".into());
}

#[reversible(record)]
fn counting<T: Real>(x: &[T], #[host] calls: &mut Vec<String>) -> T {
    let mut v = x.to_vec();
    counted(&mut v, calls);
    v[0] * v[1]
}

#[test]
fn host_statements_run_as_in_the_call() {
    for x in [[1.0, 0.5], [2.0, 1.5]] {
        let (mut plain, mut calls, mut recorded, mut record) = (x, Vec::new(), Vec::new(), Record::new());
        counted(&mut plain, &mut calls);
        let mut y = x;
        counted::recorded(&mut y, &mut recorded, &mut record);
        assert_eq!((y, &recorded), (plain, &calls));
        recorded.clear();
        counted::uncall(&mut y, &mut recorded, &mut record);
        recorded.reverse();
        assert_eq!((y, &recorded), (x, &calls));
        let mut none = Vec::new();
        counted::recorded(&mut y, &mut Vec::new(), &mut record);
        counted::pullback((&mut y, &mut [1.0, 1.0]), &mut none, &mut record);
        counted::pushforward((&mut y, &mut [1.0, 0.0]), &mut none);
        counting::gradient(&x, &mut none);
        assert!(none.is_empty(), "{none:?}");
    }
}
