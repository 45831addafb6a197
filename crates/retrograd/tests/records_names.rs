//! What a recorded program reads once it goes by until the end, whatever changes in between: heads of loops, guards, patterns, references.
//! Each program stands here twice, for the macro and for rustc alone; derivatives are compared with differences of the latter.

#![allow(
    unused_assignments,
    irrefutable_let_patterns,
    unreachable_patterns,
    clippy::assign_op_pattern,
    clippy::needless_range_loop,
    clippy::match_single_binding,
    clippy::redundant_slicing,
    reason = "programs are written here as others write them"
)]

use retrograd::prelude::*;

type Slope = fn((&[f64], &[f64])) -> (f64, f64);

fn compare(
    name: &str,
    plain: fn(&[f64]) -> f64,
    call: fn(&[f64]) -> f64,
    gradient: fn(&[f64]) -> (f64, Vec<f64>),
    pushforward: Slope,
) {
    let points = [[0.9, 0.7, 1.3, 0.4], [-1.7, 0.8, 0.3, 1.1], [0.25, -0.6, 1.9, -0.7], [1.4, 1.2, -0.5, 0.6]];
    for x in points {
        let value = plain(&x);
        assert_eq!(call(&x), value, "{name}: the value at {x:?}");
        let (beside, found) = gradient(&x);
        assert_eq!(beside, value, "{name}: the value beside the gradient at {x:?}");
        for i in 0..x.len() {
            let moved = |h: f64| {
                let mut x = x;
                x[i] += h;
                plain(&x)
            };
            let h = 1e-5;
            let expected = (moved(h) - moved(-h)) / (2.0 * h);
            let is_close = |a: f64| (a - expected).abs() <= 1e-6 * (1.0 + expected.abs());
            assert!(is_close(found[i]), "{name}: the derivative {} at {x:?} instead of {expected}", found[i]);
            let mut direction = [0.0; 4];
            direction[i] = 1.0;
            let (beside, slope) = pushforward((&x, &direction));
            assert!((beside - value).abs() <= 1e-12 * (1.0 + value.abs()), "{name}: the value beside a slope at {x:?}");
            assert!(is_close(slope), "{name}: the slope {slope} at {x:?} instead of {expected}");
        }
    }
}

macro_rules! programs {
    ($($test:ident: $program:ident, $plain:ident = |$x:ident| $body:tt)*) => {$(
        #[reversible(record)]
        fn $program($x: &[f64]) -> f64 $body

        fn $plain($x: &[f64]) -> f64 $body

        #[test]
        fn $test() {
            compare(stringify!($program), $plain, $program, $program::gradient, |(x, d)| $program::pushforward((x, d)));
        }
    )*};
}

#[derive(Active, Clone, Copy)]
struct Pair {
    a: f64,
    b: f64,
}

programs! {
    a_guard_reads_what_its_arm_changes: guard, guard_plain = |x| {
        let mut y = x[0];
        match 1 {
            1 if y > 0.5 => {
                y = y * x[1];
            }
            _ => {
                y = y * y;
            }
        }
        y
    }

    guards_in_a_loop: guards, guards_plain = |x| {
        let mut y = x[0];
        let mut state = 1;
        for i in 0..4 {
            match state {
                0 => {
                    y = y * x[i] + 0.1;
                    state = 1;
                }
                1 if y > 0.2 => {
                    y = y * y - x[i];
                    state = 0;
                }
                n if n < 2 && y < -0.4 => {
                    y = x[i] - y;
                }
                _ => {
                    y = y + x[i] * x[i];
                }
            }
        }
        y
    }

    parts_of_an_array_are_copies: array, array_plain = |x| {
        let mut p = [x[0], x[1], x[2]];
        let [a, b, c] = p;
        p[0] = c;
        p[1] = a;
        a * b + p[0] * p[1]
    }

    parts_of_a_tuple_are_copies: tuple, tuple_plain = |x| {
        let mut p = (x[0], [x[1], x[2]]);
        let (a, [b, c]) = p;
        p.1[0] = a * b;
        p.0 = c;
        let (d, _) = p;
        p.0 = d * x[3];
        p.0 * p.1[0] + a * c
    }

    parts_of_a_struct_are_copies: structure, structure_plain = |x| {
        let mut p = Pair { a: x[0], b: x[1] };
        for i in 2..4 {
            let Pair { a, b } = p;
            p.a = b * x[i];
            p.b = a + b;
        }
        p.a * p.b
    }

    parts_around_a_rest_are_copies: rest, rest_plain = |x| {
        let mut p = [x[0], x[1], x[2], x[3]];
        let [a, .., d] = p;
        p[3] = a * p[1];
        p[0] = d;
        let [b, rest @ ..] = p;
        p[1] = b;
        rest[0] * p[1] + rest[2] * a
    }

    integers_taken_apart_are_copies: integers, integers_plain = |x| {
        let mut k = (1usize, 2usize);
        let mut y = x[0];
        for _ in 0..3 {
            let (i, j) = k;
            k.0 = j;
            k.1 = (i + j) % 4;
            if i > j {
                y = y * x[i];
            }
            y = y * x[i] + x[j];
        }
        y
    }

    elements_taken_apart_are_copies: elements, elements_plain = |x| {
        let mut ps = [(x[0], x[1]), (x[2], x[3])];
        for i in 0..2 {
            let (a, b) = ps[i];
            ps[i].0 = b;
            ps[1 - i].1 = a * b;
        }
        ps[0].0 * ps[0].1 + ps[1].0 * ps[1].1
    }

    what_is_matched_is_a_copy: matched, matched_plain = |x| {
        let mut p = (x[0], x[1]);
        match p {
            (a, b) => {
                p.0 = b * x[2];
                p.1 = a * b;
            }
        }
        p.0 * p.1
    }

    what_is_matched_with_a_guard_is_a_copy: matched_guard, matched_guard_plain = |x| {
        let mut p = [x[0], x[1]];
        for i in 0..3 {
            match p {
                [a, b] if a > 0.0 => {
                    p[0] = b * x[i];
                    p[1] = a - b;
                }
                [a, _] => {
                    p[1] = a * p[1];
                    p[0] = x[i + 1];
                }
            }
        }
        p[0] * p[1]
    }

    what_if_let_matches_is_a_copy: if_let, if_let_plain = |x| {
        let mut p = [x[0], x[1]];
        if let [a, b] = p {
            p[0] = b * x[2];
            p[1] = a * p[0];
        }
        p[0] * p[1]
    }

    a_step_is_read_once: step, step_plain = |x| {
        let mut y = 0.0;
        let mut k = 1usize;
        for j in (0..4).step_by(k) {
            y = y * 0.5 + x[j];
            k = 2;
        }
        y * k as f64
    }

    a_step_is_read_once_in_a_loop_that_is_left: step_left, step_left_plain = |x| {
        let mut y = 0.0;
        let mut k = 1usize;
        for j in (0..4).step_by(k) {
            y = y * 0.5 + x[j];
            k = 3;
            if j == 2 {
                break;
            }
        }
        y
    }

    a_range_is_read_once: range, range_plain = |x| {
        let mut y = 0.0;
        let mut r = 0..3usize;
        for j in r.clone() {
            y = y * 0.5 + x[j];
            r = 0..2;
        }
        for j in r.clone() {
            y = y * x[j];
        }
        y
    }

    a_slice_is_cut_once: cut, cut_plain = |x| {
        let mut y = 0.0;
        let mut k = 1usize;
        for v in x[k..].iter() {
            y = y * 0.5 + *v;
            k = 2;
        }
        for (i, v) in x[k..].iter().enumerate() {
            y = y * *v + i as f64;
            k = 0;
        }
        y + x[k]
    }

    chunks_have_one_size: chunks, chunks_plain = |x| {
        let mut y = 0.0;
        let mut k = 2usize;
        for c in x.chunks_exact(k) {
            y = y * c[0] + c[1];
            k = 1;
        }
        y * k as f64
    }

    windows_have_one_size: windows, windows_plain = |x| {
        let mut y = 0.0;
        let mut k = 2usize;
        for v in x.windows(k) {
            y = y * 0.5 + v[v.len() - 1] * v[0];
            k += 1;
        }
        k = 1;
        for v in x[k..].windows(2) {
            y = y * v[1] + v[0];
            k = 2;
        }
        y
    }

    what_is_zipped_is_read_once: zipped, zipped_plain = |x| {
        let mut y = 0.0;
        let mut k = 1usize;
        for (v, i) in x.iter().zip(k..3) {
            y = y * *v + x[i];
            k = 2;
        }
        y
    }

    elements_that_are_changed_are_found_once: changed, changed_plain = |x| {
        let mut v = x.to_vec();
        let mut a = 1usize;
        for (i, e) in v[a..].iter_mut().enumerate() {
            *e = *e * x[i];
            a = 3;
        }
        v[1] * v[2] + v[a]
    }

    a_reference_stays_where_it_was_made: reference, reference_plain = |x| {
        let mut k = 0usize;
        let mut y = x[0];
        while k < 3 {
            let v = &x[k];
            let w = &x[k..];
            k += 1;
            y = y * *v + w[1] * x[k];
        }
        y
    }

    a_reference_in_a_loop_stays_where_it_was_made: cyclic, cyclic_plain = |x| {
        let mut y = x[0];
        let mut k = 1usize;
        for i in 0..3 {
            let s = &x[k];
            k = (k + 1) % 4;
            y = y * *s + i as f64;
        }
        y
    }

    parts_of_an_element_are_copies: element, element_plain = |x| {
        let ps = [(x[0], x[1]), (x[2], x[3])];
        let qs = [Pair { a: x[1], b: x[2] }, Pair { a: x[3], b: x[0] }];
        let mut y = 1.0;
        let mut k = 0usize;
        while k < 2 {
            let (a, b) = ps[k];
            let q = &qs[k];
            let Pair { a: c, b: d } = qs[k];
            k += 1;
            y = y * a + b * q.a + c * d;
        }
        y
    }

    what_is_matched_is_found_once: found, found_plain = |x| {
        let ps = [(x[0], x[1]), (x[2], x[3])];
        let mut y = 1.0;
        let mut k = 0usize;
        while k < 2 {
            match ps[k] {
                (a, b) => {
                    k += 1;
                    y = y * a + b;
                }
            }
        }
        k = 0;
        while k < 4 {
            match x[k] {
                a if a > 0.5 => {
                    k += 1;
                    y = y * a;
                }
                a => {
                    k += 2;
                    y = y + a * a;
                }
            }
        }
        y
    }

    a_mutable_reference_stays_where_it_was_made: mutable, mutable_plain = |x| {
        let mut p = x.to_vec();
        let mut k = 0usize;
        for i in 0..3 {
            let e = &mut p[k];
            k = (k + 2) % 4;
            *e = *e * x[i];
        }
        p[0] * p[1] + p[2] * p[3] + p[k]
    }

    an_unrolled_loop_may_be_left: unrolled, unrolled_plain = |x| {
        let mut y = x[0];
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

    parts_of_a_value_are_left_out: left_out, left_out_plain = |x| {
        let mut u = x[0] * x[1];
        let (v, _) = two(x[2], x[3]);
        let [_, w] = [u * v, v * x[0]];
        u = u * v;
        u + w
    }

    a_name_for_what_is_replaced_hides_it: hidden_value, hidden_value_plain = |x| {
        let mut y = x[0];
        let mut s = 0.0;
        {
            let mut y = std::mem::replace(&mut y, x[1] * x[0]);
            y *= 2.0;
            s = s + y * y;
        }
        {
            let y = std::mem::replace(&mut y, x[2]);
            s = s * y + x[3];
        }
        s * y
    }

    a_name_for_what_is_taken_hides_it: hidden_taken, hidden_taken_plain = |x| {
        let mut v = x.to_vec();
        let mut s = 0.0;
        {
            let mut v = std::mem::take(&mut v);
            v[1] = v[1] * v[0];
            s = s + v[1] * v[2];
        }
        s + v.len() as f64
    }

    a_name_for_an_element_hides_its_vector: hidden_element, hidden_element_plain = |x| {
        let mut v = x.to_vec();
        let mut s = 1.0;
        {
            let v = v.pop().unwrap();
            s = s * v;
        }
        if let Some(v) = v.pop() {
            s = s * v * v;
        }
        {
            let mut v = v.remove(0);
            v = v * v;
            s = s + v;
        }
        while let Some(v) = v.pop() {
            s = s * v + 1.0;
        }
        s
    }

    a_parameter_of_an_inner_closure_is_not_captured: inner_closure, inner_closure_plain = |x| {
        let mut b = x[0];
        b = b * b;
        let g = |u: f64| u * x.iter().map(|b| b * b).sum::<f64>();
        let h = |u: f64| if u > 0.0 { let b = u * x[1]; b * b } else { match u { b => b + x[2] } };
        g(b) + h(b)
    }

    names_for_elements_hide_their_slice: hidden_elements, hidden_elements_plain = |x| {
        let rows = [[x[0], x[1]], [x[2], x[3]]];
        let mut s = x[0];
        s = s * s;
        {
            let [x, rest @ ..] = x else { return 0.0 };
            s = s * x + rest[0] * rest[2];
        }
        let [rows, last] = &rows[..] else { return s };
        s * rows[1] + last[0] * last[1]
    }
}

#[reversible(record)]
fn two(x: f64, y: f64) -> (f64, f64) {
    let mut a = x;
    a = a * y;
    (a, y)
}
