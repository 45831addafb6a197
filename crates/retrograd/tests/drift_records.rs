//! What backward runs of recorded programs compare: what they restore by subtracting, and nothing that is left as it is or that the
//! record gives back.

#[macro_use]
mod against_dual;

use retrograd::prelude::*;
use retrograd::{ErrorKind, attempt};

/// What is run again stands in a branch: in front of it, nothing is restored.
#[reversible(record)]
fn in_a_branch<T: Real>(x: &[T], n: usize) -> T {
    let mut acc = 0.0;
    acc += x[0];
    acc += x[1];
    if n > 0 {
        #[recompute]
        {
            acc = acc.sin();
        }
    }
    acc
}

#[reversible(record)]
fn in_arms<T: Real>(x: &[T], n: usize) -> T {
    let mut acc = 0.0;
    acc += x[0];
    acc += x[1] * x[0];
    match n {
        0 => acc += x[1],
        1 => {
            #[recompute]
            {
                acc = acc.sin();
                acc = acc * x[0];
            }
        }
        _ => acc = acc.cos(),
    }
    acc
}

#[reversible(record)]
fn in_loops<T: Real>(x: &[T], n: usize) -> T {
    let mut acc = 0.0;
    for i in 0..x.len() {
        acc += x[i] * x[i];
    }
    acc += x[1];
    let mut k = 0;
    while k < n {
        for _ in 0..k {
            #[recompute]
            {
                acc = acc.sin() + x[0];
            }
        }
        k += 1;
    }
    acc
}

#[reversible(record)]
fn behind_a_return<T: Real>(x: &[T], n: usize) -> T {
    let mut acc = 0.0;
    acc += x[0];
    acc += x[1];
    if n == 0 {
        return acc * x[0];
    }
    #[recompute]
    for _ in 0..n {
        acc = acc * x[1] + acc.cos();
    }
    if n == 2 {
        return acc;
    }
    acc += x[0];
    acc * acc
}

#[test]
fn what_is_not_restored_in_front_of_what_is_run_again_is_not_compared() {
    for n in 0..4 {
        agrees!(in_a_branch, [0.4, 0.7], n);
        agrees!(in_arms, [0.4, 0.7], n);
        agrees!(in_loops, [0.4, 0.7], n);
        agrees!(behind_a_return, [0.4, 0.7], n);
    }
}

/// Sums are undone by subtracting: here that loses what they were, and the sine has asked for it.
#[reversible(record)]
fn absorbed<T: Real>(x: &[T], n: usize) -> T {
    let mut sum = 0.3;
    let mut y = 1.0;
    for i in 0..n {
        y = y * sum.sin();
        sum += x[i % 2];
    }
    y
}

#[test]
fn what_is_restored_by_subtracting_is_compared() {
    agrees!(absorbed, [0.4, 0.7], 5);
    let error = attempt(|| absorbed::gradient(&[1e18, -1e18], 2)).unwrap_err();
    assert_eq!((error.kind, error.statement), (ErrorKind::Drift, "let mut sum = 0.3;"));
    assert!(error.to_string().contains("record = \"all\""), "{error}");
}

/// The same on values alone, with derivatives and without.
macro_rules! absorbing {
    ($($name:ident: $($option:meta)?;)*) => {$(
        #[reversible(record $(, $option)?)]
        fn $name(y: &mut f64, z: &mut f64, x: f64, n: usize) {
            let mut sum = 0.3;
            for _ in 0..n {
                *y += sum.sin();
                *z = *z * 0.5 + *y;
                sum += x;
            }
        }
    )*};
}

absorbing! {
    absorbing_with_derivatives: ;
    absorbing_without: derivatives = "never";
}

#[test]
fn uncalling_compares_with_and_without_derivatives() {
    macro_rules! back {
        ($program:ident, $x:expr) => {{
            let (mut y, mut z, mut record) = (1.0, 2.0, Record::new());
            $program::recorded(&mut y, &mut z, $x, 3, &mut record);
            let mut called = (1.0, 2.0);
            $program(&mut called.0, &mut called.1, $x, 3);
            assert_eq!(called, (y, z));
            attempt(|| $program::uncall(&mut y, &mut z, $x, 3, &mut record)).map(|()| y)
        }};
    }
    for x in [0.1, 10.0] {
        let come_back = [back!(absorbing_with_derivatives, x).unwrap(), back!(absorbing_without, x).unwrap()];
        assert!(come_back.iter().all(|y| (y - 1.0).abs() < 1e-9), "{come_back:?}");
    }
    assert_eq!(back!(absorbing_with_derivatives, 1e18).unwrap_err().kind, ErrorKind::Drift);
    assert_eq!(back!(absorbing_without, 1e18).unwrap_err().kind, ErrorKind::Drift);
}
