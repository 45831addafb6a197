//! Iterators inside of expressions, and windows of slices.

#![deny(warnings)]

#[path = "derivatives/laws.rs"]
mod laws;

use laws::laws;
use retrograd::numbers::{Fixed, LogNumber, Taylor};
use retrograd::prelude::*;
use retrograd::{Dual, Lanes, Traced};

#[reversible]
fn loop_over_windows(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for w in x.windows(n) {
        sum += w[0] * w[n - 1].sin();
    }
    sum
}

#[reversible]
fn windows_that_change_something(y: &mut [f64], x: &[f64]) {
    let window = 2.0;
    for w in x.windows(2) {
        for v in x.windows(2) {
            y[0] += w[0] * v[1] * window;
        }
        y[1] *= w[1];
    }
}

#[reversible]
fn sum_over_windows<T: Real>(x: &[T]) -> T {
    x.windows(2).map(|w| w[0] * w[1]).sum::<T>()
}

#[reversible]
fn windows_from_the_end(x: &[f64], n: usize) -> f64 {
    let mut weight = 1.0;
    let mut sum = 0.0;
    for w in x.windows(n).rev().step_by(2) {
        weight += 0.5;
        sum += weight * w[0] * w[n - 1].sin();
    }
    sum
}

#[reversible]
fn windows_beside_others(y: &mut [f64], x: &[f64], z: &[f64]) {
    for (i, (v, (w, c))) in y.iter_mut().zip(x.windows(2).zip(z.chunks_exact(2))).enumerate() {
        *v += w[0] * w[1].sin() * c[0] * c[1] * i as f64;
    }
}

#[reversible]
fn sum_over_windows_from_the_end<T: Real>(x: &[T], y: &[T]) -> T {
    x.windows(2).rev().zip(y).enumerate().map(|(i, (w, v))| w[0] * w[1] * *v * i as T).sum::<T>()
}

#[reversible(record)]
fn windows_of_a_size_that_changes(x: &[f64]) -> f64 {
    let mut size = 2;
    let mut sum = 1.0;
    for (i, w) in x.windows(size).enumerate() {
        size += 1;
        if i == 3 {
            break;
        }
        sum = sum * w[0] + w[1].sin();
    }
    sum * size as f64
}

#[test]
fn windows_are_gone_through_in_both_directions() {
    let x = vec![0.3, 0.4, 0.5, 0.6, 0.7, 0.2];
    for n in 1..=x.len() + 1 {
        laws!(scalar windows_from_the_end(&[x] = x.clone(), #n = n));
    }
    laws!(windows_beside_others(&mut [y] = vec![0.7, 0.4, 0.3], &[x] = x.clone(), &[z] = x.clone()));
    laws!(scalar sum_over_windows_from_the_end(&[x] = x.clone(), &[y] = vec![0.7, 0.4, 0.3]));
    laws!(scalar windows_of_a_size_that_changes(&[x] = x.clone()));
    laws!(scalar windows_of_a_size_that_changes(&[x] = x[..3].to_vec()));
    laws!(scalar loop_over_windows(&[x] = vec![0.3, 0.4, 0.5, 0.6], #n = 3));
    laws!(scalar loop_over_windows(&[x] = vec![0.3, 0.4], #n = 3));
    laws!(windows_that_change_something(&mut [y] = vec![0.7, 0.4], &[x] = vec![0.3, 0.4, 0.5]));
    laws!(scalar sum_over_windows(&[x] = vec![0.3, 0.4, 0.5]));
}

/// All but the first, from either end, beside others and counted.
#[reversible]
fn skipped(y: &mut [f64], x: &[f64], n: usize) {
    for (i, v) in x.iter().enumerate().skip(n) {
        y[0] += v.sin() * i as f64;
    }
    for (v, w) in x.iter().rev().skip(1).zip(x.iter().skip(n)) {
        y[1] += v * w;
    }
    for i in (0..x.len()).rev().skip(n) {
        y[0] -= x[i] * x[i];
    }
    for i in (0..x.len() as u64).skip(n).step_by(2) {
        y[2] *= 1.0 + x[i as usize];
    }
    for (v, w) in y.iter_mut().skip(1).zip(x.chunks_exact(2).skip(1)) {
        *v += w[0] * w[1];
    }
}

#[reversible]
fn weighted_from_the_second(x: &[f64], n: usize) -> f64 {
    let mut weight = 1.0;
    let mut sum = 0.0;
    for v in x.iter().skip(n).step_by(2) {
        weight += 0.5;
        sum += weight * v * v;
    }
    for w in x.windows(2).skip(n).rev() {
        weight *= 1.5;
        sum += weight * w[0] * w[1];
    }
    sum
}

#[test]
fn what_is_skipped_takes_no_part() {
    let x = vec![0.3, 0.4, 0.5, 0.6, 0.7];
    for n in 0..=x.len() + 1 {
        laws!(skipped(&mut [y] = vec![0.7, 0.4, 0.2], &[x] = x.clone(), #n = n));
        laws!(scalar weighted_from_the_second(&[x] = x.clone(), #n = n));
    }
}

#[test]
#[should_panic = "window size must be non-zero"]
fn windows_of_nothing_are_an_ordinary_panic() {
    loop_over_windows(&[1.0], 0);
}

#[reversible]
fn collected_squares(x: &[f64]) -> f64 {
    let y: Vec<f64> = x.iter().map(|v| v * v).collect();
    y[0] * y[1]
}

#[reversible]
fn collected_from_a_range<T: Real>(x: &[T], n: usize) -> T {
    let y = (0..n).map(|i| x[i] * x[0]).collect::<Vec<T>>();
    y[0] * y[n - 1]
}

#[reversible]
fn collected_differences(x: &[f64], y: &[f64]) -> f64 {
    let mut d: Vec<f64> = x.iter().zip(y.iter()).map(|(a, b)| a - b.sin()).collect();
    d[0] += x[1];
    d[0] * d[1] * d[1]
}

#[reversible]
fn collected_windows(x: &[f64]) -> f64 {
    let m: Vec<f64> = x.windows(2).map(|w| w[0] * w[1]).collect();
    m[0] * m[1]
}

#[reversible]
fn collected_copies(y: &mut f64, x: &[f64]) {
    let copies = x.iter().copied().rev().collect::<Vec<f64>>();
    *y += copies[0] * copies[1];
}

#[test]
fn what_an_iterator_gives_can_be_collected() {
    laws!(scalar collected_squares(&[x] = vec![0.3, 0.4]));
    laws!(scalar collected_from_a_range(&[x] = vec![0.3, 0.4, 0.5], #n = 3));
    laws!(scalar collected_differences(&[x] = vec![0.3, 0.4], &[y] = vec![0.7, 0.2]));
    laws!(scalar collected_windows(&[x] = vec![0.3, 0.4, 0.5]));
    laws!(collected_copies(&mut y = 0.2, &[x] = vec![0.3, 0.4, 0.5]));
}

#[reversible]
fn generic_sums<T: Real>(x: &[T]) -> T {
    x.iter().copied().sum::<T>() * x.iter().map(|v| *v * *v).sum::<T>()
}

/// The sum and the product of numbers, as iterators have them.
fn both<T: Real>(x: &[T]) -> (T, T) {
    assert_eq!((x.iter().sum::<T>(), x.iter().product::<T>()), (x.iter().copied().sum(), x.iter().copied().product()));
    (x.iter().sum(), x.iter().product())
}

#[test]
fn every_number_can_be_summed_and_multiplied() {
    laws!(scalar generic_sums(&[x] = vec![0.3, 0.4, 0.5]));
    fn of<T: Real>(values: [f64; 3]) -> (f64, f64) {
        let (sum, product) = both(&values.map(T::lit));
        (sum.to_f64(), product.to_f64())
    }
    let expected = (7.0, 8.0);
    let values = [1.0, 2.0, 4.0];
    assert_eq!(of::<f64>(values), expected);
    assert_eq!(of::<f32>(values), expected);
    assert_eq!(of::<Dual<f64, 2>>(values), expected);
    assert_eq!(of::<Taylor<f64, 3>>(values), expected);
    assert_eq!(of::<Fixed<32>>(values), expected);
    assert_eq!(of::<Lanes<f64, 2>>(values), expected);
    let (sum, product) = of::<LogNumber<f64>>(values);
    assert!((sum - 7.0).abs() < 1e-12 && (product - 8.0).abs() < 1e-12);
    let (sum, product) = of::<Traced>(values);
    assert_eq!((sum, product), expected);
}
