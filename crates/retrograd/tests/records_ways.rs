//! Recorded programs that leave loops, and procedures whose registers nobody asks for.

use retrograd::prelude::*;

/// Fails unless the record undoes a procedure, at each of these starts.
fn undone(
    call: impl Fn(&mut [f64; 4], &[f64; 4]),
    recorded: impl Fn(&mut Record, &mut [f64; 4], &[f64; 4]),
    uncall: impl Fn(&mut Record, &mut [f64; 4], &[f64; 4]),
) {
    let w = [0.8, 1.3, -0.6, 1.1];
    for x in [[0.9, 0.7, 1.3, 0.4], [-1.7, 0.8, 0.3, 1.1], [0.2, -0.6, 1.9, -0.7], [4.0, 3.0, 2.5, 2.1]] {
        let (mut y, mut record) = (x, Record::new());
        recorded(&mut record, &mut y, &w);
        let mut called = x;
        call(&mut called, &w);
        assert_eq!(called, y);
        uncall(&mut record, &mut y, &w);
        assert!(is_close(&y, &x), "{y:?} is not {x:?}");
        assert_eq!(record.bytes(), 0);
    }
}

fn is_close(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14)
}

macro_rules! procedures {
    ($($test:ident: $program:ident = |$x:ident, $w:ident| $body:tt)*) => {$(
        #[reversible(record)]
        fn $program($x: &mut [f64; 4], $w: &[f64; 4]) $body

        #[test]
        fn $test() {
            undone($program, |record, x, w| $program::recorded(x, w, record), |record, x, w| $program::uncall(x, w, record));
            let (mut x, mut g, w, mut g_w) = ([0.9, 0.7, 1.3, 0.4], [1.0, 0.5, 0.25, 0.125], [0.8, 1.3, -0.6, 1.1], [0.0; 4]);
            let (start, seed) = (x, g);
            let mut record = Record::new();
            $program::recorded(&mut x, &w, &mut record);
            $program::pullback((&mut x, &mut g), (&w, &mut g_w), &mut record);
            assert!(is_close(&x, &start));
            let (mut x, mut t) = (start, [0.3, -0.2, 0.7, 0.1]);
            let t_w = [0.4, 0.6, -0.3, 0.2];
            let before: f64 = t.iter().zip(&g).chain(t_w.iter().zip(&g_w)).map(|(a, b)| a * b).sum();
            $program::pushforward((&mut x, &mut t), (&w, &t_w));
            let after: f64 = t.iter().zip(&seed).map(|(a, b)| a * b).sum();
            assert!((before - after).abs() < 1e-12, "{before} is not {after}");
        }
    )*};
}

procedures! {
    a_counter_that_nobody_asks_for: counter = |x, w| {
        let mut i = 0usize;
        while i < 3 {
            x[0] = x[0] * x[1];
            if x[0] > 0.3 {
                break;
            }
            x[1] = x[1] - x[0] * w[0];
            i += 1;
        }
    }

    a_loop_that_is_left_behind_an_assignment: left = |x, w| {
        for v in x.iter_mut() {
            *v = *v * w[0];
            if *v > 2.0 {
                break;
            }
        }
    }

    a_branch_that_only_chooses_an_index: chosen = |x, w| {
        let mut k = 0usize;
        if x[0] > 0.5 {
            k = 1;
        }
        x[k] = w[0] * x[2];
    }

    a_loop_that_only_finds_an_index: found = |x, w| {
        let mut n = 0;
        while n < 3 && x[n] > 0.3 {
            n += 1;
        }
        x[n] = w[0] * x[0];
    }

    a_count_of_what_is_large: counted = |x, w| {
        let mut n = 0;
        for i in 0..4 {
            if x[i] > 0.3 {
                n += 1;
            }
        }
        for i in 0..4 {
            x[i] = x[i] * (1.0 + n as f64) * w[i];
        }
    }

    a_view_stays_where_it_was_made: view = |x, w| {
        let mut a = 0usize;
        for i in 0..3 {
            let v = &mut x[a..a + 2];
            a = 2 - i;
            v[0] = w[i];
            v[1] += w[0];
        }
    }

    halves_stay_where_they_were_cut: halves = |x, w| {
        let mut k = 1usize;
        for i in 0..2 {
            let (l, r) = x.split_at_mut(k);
            k += 1;
            l[0] = r[0] * w[i];
            r[1] = l[0] * r[1];
        }
    }

    elements_stay_where_they_were_found: element = |x, w| {
        let mut k = 0usize;
        while k < 3 {
            let v = &mut x[k];
            k += 1;
            *v = *v * w[k];
        }
    }

    a_way_out_of_all: out = |x, w| {
        for i in 0..4 {
            if x[i] < 0.0 {
                x[i] = 0.0;
            }
            if x[i] > 2.0 {
                return;
            }
            x[i] = x[i] * w[i];
        }
    }
}

#[reversible(record, without = "demand")]
fn undemanded(x: &[f64]) -> f64 {
    let mut y = x[0];
    let mut n = 0;
    while n < 3 {
        y = y * x[n];
        n += 1;
        if y > 4.0 {
            break;
        }
    }
    y
}

#[reversible(record, without = "demand")]
fn given_later(x: &[f64]) -> f64 {
    let mut a = x[0];
    let y;
    if a > 0.2 {
        y = a * x[1];
    } else {
        y = x[1];
    }
    let b = {
        a = a * y;
        a.sin()
    };
    a * b + y
}

#[test]
fn everything_may_be_kept() {
    assert_eq!(undemanded::gradient(&[1.5, 2.0, 0.5]), (4.5, vec![6.0, 2.25, 0.0]));
    let (x, h) = ([0.7, 1.2], 1e-6);
    let (value, g) = given_later::gradient(&x);
    assert_eq!(value, given_later(&x));
    for (i, g) in g.into_iter().enumerate() {
        let moved = |h: f64| given_later(&std::array::from_fn::<_, 2, _>(|j| if i == j { x[j] + h } else { x[j] }));
        assert!((g - (moved(h) - moved(-h)) / (2.0 * h)).abs() < 1e-8);
    }
}

#[reversible(record)]
fn unrolled(x: &[f64]) -> f64 {
    let mut y = x[0];
    #[unroll(4)]
    for i in 0..4 {
        if y > 1.0 {
            continue;
        }
        y = y * x[i] + 0.7;
        if y < -0.5 {
            break;
        }
    }
    y
}

#[test]
fn an_unrolled_loop_may_be_left() {
    for x in [[0.9, 0.7, 1.3, 0.4], [-1.7, 0.8, 0.3, 1.1], [0.2, -0.6, 1.9, -0.7]] {
        let (_, g) = unrolled::gradient(&x);
        for (i, g) in g.into_iter().enumerate() {
            let moved = |h: f64| unrolled(&std::array::from_fn::<_, 4, _>(|j| if i == j { x[j] + h } else { x[j] }));
            assert!((g - (moved(1e-6) - moved(-1e-6)) / 2e-6).abs() < 1e-8);
        }
    }
}

/// Names that the macro gives to the value of a loop, and those of derivative runs, are different ones.
#[reversible(record)]
fn searched<T: Real>(mut a: T) -> T {
    let mut local: T = 0.5 * (a.atan() + a.tanh());
    local = 0.6 * local + 0.4 * (1.7 + a.sin()).cbrt();
    let mut all: Vec<T> = vec![local.tanh(), a.atan(), (-(a * a)).exp()];
    all.truncate(3);
    all.resize(4, (-(all[2] * all[2])).exp());
    let mut count: usize = 0;
    let found: T = loop {
        count += 1;
        if count > 2 {
            break all[2].sin();
        }
        if local < 1.1371 {
            break (1.0 + local * local).recip();
        }
        local *= 0.3 * local.sin();
    };
    a = all[2].tanh() + found;
    ((a + (count as T)) + all[2]).sin()
}

#[test]
fn names_are_different_ones() {
    for x in [0.3, 1.1, -0.7] {
        let expected = searched(retrograd::Dual::<f64, 1>::variable(x, 0));
        let (value, slope) = searched::gradient(x);
        assert_eq!(value, expected.re);
        assert!((slope - expected.eps[0]).abs() < 1e-12);
    }
}

/// The last `y` begins as a local of which nobody asks for the value.
#[reversible(record)]
fn exchanged<T: Real>(x: &[T], mut s: T, k: usize) -> T {
    let mut t = x[2].tanh();
    let mut y = (x[0] * x[1]).sin();
    {
        if y < s.tanh() {
            return (y.sin() * y.sin() + y).sin();
        }
    }
    let old = s;
    s = y;
    y = old;
    let all = vec![(x[2] * x[3]).sin(), (2.5 + t.sin()).log(3.5 + y.tanh()), t.sin()];
    let mut count = 0;
    let found: T = loop {
        count += 1;
        if count > 2 {
            break t.sin() * x[1];
        }
        if s < 0.3719 {
            (t, y) = (y, t);
        }
        y += 0.05 * (1.6 + all[2].tanh()).powf(all[1].cos());
    };
    ((if k == 0 { y } else { found }) + all[2] + x[1]).sin()
}

#[test]
fn what_is_not_given_back_is_compared_with_nothing() {
    let x = [0.3, 0.7, -0.4, 0.9];
    for (k, s) in [(0, -1.5), (0, -0.5), (0, 0.1), (1, -1.5), (1, -0.5), (1, 0.1)] {
        let dual = |x: f64| retrograd::Dual::constant(x);
        let expected = exchanged(&x.map(dual), retrograd::Dual::<f64, 1>::variable(s, 0), k);
        let (value, _, slope) = exchanged::gradient(&x, s, k);
        assert_eq!(value, expected.re);
        assert!((slope - expected.eps[0]).abs() < 1e-12);
    }
}

/// What is returned has the type of the function, also where only that says it.
#[reversible(record)]
fn tried(x: f64, tries: usize) -> (f64, Option<f64>) {
    if tries == 0 {
        return (x, None);
    }
    (x, Some(x * x))
}

#[reversible(record)]
fn summed(x: &[f64], squares: bool) -> f64 {
    if squares {
        return x.iter().map(|v| v * v).sum();
    }
    x[0]
}

#[test]
fn returned_values_have_the_type_of_the_function() {
    let mut by_x = 0.0;
    assert_eq!(tried::pullback((2.0, &mut by_x), 0, (3.0, None)), (2.0, None));
    assert_eq!(tried::pullback((2.0, &mut by_x), 1, (3.0, Some(1.0))), (2.0, Some(4.0)));
    assert_eq!(by_x, 3.0 + 7.0);
    assert_eq!(summed::gradient(&[1.0, 2.0], true), (5.0, vec![2.0, 4.0]));
    assert_eq!(summed::gradient(&[1.0, 2.0], false), (1.0, vec![1.0, 0.0]));
}

/// No derivative flows into what it returns early.
#[reversible(record)]
fn listed(x: f64, tries: usize) -> Vec<Option<f64>> {
    if tries == 0 {
        return vec![None, None];
    }
    if tries == 1 {
        return Vec::new();
    }
    vec![Some(x * x)]
}

#[test]
fn returned_constants_have_tangents_of_their_shape() {
    assert_eq!(listed::pushforward((3.0, 1.0), 0), (vec![None, None], vec![None, None]));
    assert_eq!(listed::pushforward((3.0, 1.0), 1), (vec![], vec![]));
    assert_eq!(listed::pushforward((3.0, 1.0), 2), (vec![Some(9.0)], vec![Some(6.0)]));
}
