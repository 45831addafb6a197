//! Names for places in programs with a record: they name what they named where they began, whatever changes behind them.

use retrograd::Dual;
use retrograd::prelude::*;

/// Fails unless value, gradient and slopes are those of dual numbers.
macro_rules! agrees {
    ($program:ident) => {{
        let x = [1.3, 2.1, 0.7, 0.5];
        let expected = $program(&std::array::from_fn::<_, 4, _>(|i| Dual::<f64, 4>::variable(x[i], i)));
        let (value, gradient) = $program::gradient(&x);
        assert_eq!(($program(&x), value), (expected.re, expected.re), "{}", stringify!($program));
        for i in 0..4 {
            let direction: [f64; 4] = std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 });
            let (_, slope) = $program::pushforward((&x, &direction));
            for found in [gradient[i], slope] {
                assert!(
                    (found - expected.eps[i]).abs() <= 1e-12 * (1.0 + expected.eps[i].abs()),
                    "{} in {}",
                    found - expected.eps[i],
                    stringify!($program)
                );
            }
        }
    }};
}

#[reversible(record)]
fn references<T: Real>(x: &[T; 4]) -> T {
    let mut s = x[3];
    let mut i = 0;
    while i < 2 {
        let z = &x[i];
        let tail = &x[i + 1..];
        let (y, w) = (&x[i], &x[i + 1]);
        let pair = (&x[i], &x[i + 1..]);
        i += 1;
        s = s * *z + tail[0] * *y * *w + *pair.0 * pair.1[1];
    }
    s
}

#[reversible(record)]
fn views<T: Real>(x: &[T; 4]) -> T {
    let mut c = x.to_vec();
    let mut s = x[3];
    let mut i = 0;
    while i < 2 {
        let z = &mut c[i];
        i += 1;
        *z = *z * s;
        s = s * *z;
    }
    let (left, right) = c.split_at_mut(i);
    i += 1;
    left[0] = left[0] * right[0];
    right[1] = s * right[1];
    s * left[0] * right[1] * x[i]
}

#[reversible(record)]
fn parts<T: Real>(x: &[T; 4]) -> T {
    let mut c = [(x[0], x[1]), (x[2], x[3])];
    for i in 0..2 {
        let (y, z) = c[i];
        c[i] = (y * z, x[3]);
        c[1].0 = y * c[1].0;
    }
    let mut i = 0;
    let (y, z) = c[i];
    i += 1;
    c[i].0 * y * z * c[i].1
}

#[reversible(record)]
fn loops<T: Real>(x: &[T; 4]) -> T {
    let mut c = [x[0], x[1]];
    let mut d = x.to_vec();
    let (mut s, mut k) = (x[3], 1);
    for y in c {
        c[0] = c[0] * y;
        s = s + y * c[0];
    }
    for y in &x[k..] {
        k += 1;
        s = s * *y;
    }
    for i in (0..4).step_by(k - 2) {
        k += 1;
        s = s + x[i] * x[i];
    }
    for y in d[k - 5..].iter_mut() {
        k += 1;
        *y = *y * s;
    }
    let (mut size, mut first) = (2, 0);
    for w in x[first..].windows(size) {
        size = 1;
        first = 2;
        s = s * w[0] + w[1];
    }
    s * c[0] * d[1] * T::from_int((k + size + first) as i64)
}

#[reversible(record)]
fn overwritten<T: Real>(x: &[T; 4]) -> T {
    let mut c = x.to_vec();
    let mut i = 0;
    while i < 3 {
        let z = &c[i];
        let t = *z * x[3];
        i += 1;
        c[i - 1] = t * t;
        c[i] = t * c[i];
    }
    c[0] * c[1] * c[2] * c[3]
}

#[reversible(record)]
fn arms<T: Real>(x: &[T; 4]) -> T {
    let mut s = x[3];
    let mut i = 0;
    while i < 2 {
        match &x[i] {
            z => {
                i += 1;
                s = s * *z;
            }
        }
        if let [y, .., z] = &x[i..] {
            i += 1;
            s = s * *y + *z;
        }
    }
    s
}

#[test]
fn what_a_name_means_is_found_once() {
    agrees!(references);
    agrees!(views);
    agrees!(parts);
    agrees!(loops);
    agrees!(arms);
    agrees!(overwritten);
}

/// Signs and orders at places that an index of their own finds.
#[reversible(record)]
fn found_by_themselves(x: &mut [i64], rows: &mut [Vec<usize>]) {
    x[(x[0] + 1) as usize] = -x[(x[0] + 1) as usize];
    rows[rows[0][0]].reverse();
}

#[test]
fn what_a_place_is_found_by_may_change_with_it() {
    let (mut record, before) = (Record::new(), ([-1, 3, 5], [vec![0, 1], vec![2]]));
    let (mut x, mut rows) = before.clone();
    found_by_themselves::recorded(&mut x, &mut rows, &mut record);
    assert_eq!((x, rows.clone()), ([1, 3, 5], [vec![1, 0], vec![2]]));
    found_by_themselves::uncall(&mut x, &mut rows, &mut record);
    assert_eq!((x, rows), before);
}
