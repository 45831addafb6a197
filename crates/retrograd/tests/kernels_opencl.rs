//! Kernels as text: on an OpenCL device they do what they do on the CPU. Skipped where there is no device.

#![allow(clippy::cast_precision_loss)]

mod opencl;

use opencl::{Argument, OpenCl};
use retrograd::kernel::{Error, Language};
use retrograd::prelude::*;

#[reversible(kernel)]
fn leapfrog<T: Real>(#[index] i: usize, x: &mut [T], v: &mut [T], stiffness: &[T], dt: T, steps: usize) {
    for _ in 0..steps {
        x[i] += dt * v[i];
        v[i] -= dt * stiffness[i] * x[i];
    }
}

#[reversible(kernel)]
fn wave(#[index] i: usize, next: &mut [f64], u: &[f64], speed: &[f64], width: usize) {
    if i >= width && i + width < u.len() {
        let around = u[i - width] + u[i - 1] + u[i + 1] + u[i + width];
        next[i] = -next[i];
        next[i] += 2.0 * u[i] + speed[i] * (around - 4.0 * u[i]);
    }
}

#[reversible(kernel)]
fn layer<T: Real>(#[index] i: usize, y: &mut [T], x: &[T], weights: &[T], bias: T, d: usize, m: usize) {
    for k in 0..m {
        let mut sum = bias;
        for j in 0..d {
            sum += weights[k * d + j] * x[i * d + j];
        }
        y[i * m + k] += if sum > 0.0 { sum } else { 0.1 * sum };
    }
}

#[reversible(kernel)]
fn arrays(#[index] i: usize, q: &mut [[f64; 2]], rows: &mut [f64], angles: &[f64]) {
    let scale = q[i][0] * angles[i];
    let mut scratch = [0.0; 3];
    for k in (0..3).rev() {
        scratch[k] += scale;
    }
    let row = &mut rows[i * 3..(i + 1) * 3];
    for k in (0..3).step_by(2) {
        row[k] += scratch[k] * scratch[2 - k];
    }
    swap(&mut row[0], &mut row[1]);
    q[i][1] *= 2.0;
}

#[reversible(kernel)]
fn scrambled(#[index] i: usize, words: &mut [u64], keys: &[u64], rounds: u64) {
    for round in 0..rounds {
        words[i] ^= (keys[i % keys.len()].wrapping_mul(round + 3) >> 30) | (round << 20);
        words[i] += keys[(i + 1) % keys.len()] / (round + 1) + (i as u64) + (!round >> 40);
    }
}

#[reversible(kernel)]
fn functions<T: Real>(#[index] i: usize, y: &mut [T], x: &[T]) {
    y[i] += x[i].sin() * x[i].cos() + x[i].tan() / (x[i].exp() + 1.0) + x[i].sqrt().ln() - x[i].powi(3).atan();
    y[i] += x[i].asin() + x[i].acos().tanh() + x[i].sinh() * x[i].cosh() + x[i].atan2(2.0) + x[i].hypot(0.3);
    y[i] += x[i].powf(1.7).max(0.4)
        + x[i].min(0.6).abs()
        + x[i].clamp(0.2, 0.5)
        + x[i].cbrt()
        + x[i].recip()
        + x[i].square();
    y[i] +=
        x[i].exp_m1().ln_1p() + x[i].log2() + x[i].asinh() + x[i].exp2() + x[i].log10().signum() + (x[i] + 1.5).acosh();
    y[i] = y[i].sinh();
}

#[reversible(kernel)]
fn own<T: Real>(#[index] i: usize, x: &mut [T], rates: &[T]) {
    x[i] += (rates[i] * rates[i]).exp();
    x[i] *= 1.0 + rates[i] * rates[i];
}

#[reversible(kernel)]
fn beyond(#[index] i: usize, x: &mut [f64], u: &[f64]) {
    x[i] += u[i + 1];
}

#[reversible]
fn twice(x: f64) -> f64 {
    x + x
}

#[reversible(kernel)]
fn calls(#[index] i: usize, x: &mut [f64], u: &[f64]) {
    x[i] += twice(u[i]);
}

/// Some numbers between `low` and `high`, in no order.
fn numbers(n: usize, low: f64, high: f64) -> Vec<f64> {
    (0..n).map(|k| low + (high - low) * ((k as f64 + 1.0) * 0.754_877_666_246_692_8).fract()).collect()
}

fn text(source: Result<String, Error>) -> String {
    source.expect("it can be written for devices")
}

fn numbers_of(values: &mut [f64]) -> Argument<'_> {
    Argument::Numbers(values, 1)
}

fn close(a: &[f64], b: &[f64], tolerance: f64) {
    let distance = |(a, b): (&f64, &f64)| (a - b).abs() / b.abs().max(1.0);
    let largest = a.iter().zip(b).map(distance).fold(0.0, f64::max);
    assert!(a.len() == b.len() && largest <= tolerance, "{largest}: {a:?} {b:?}");
}

#[test]
fn arithmetic_has_the_bits_of_the_cpu() {
    let Some(device) = OpenCl::first() else { return };
    let n = 100;
    let (mut stiffness, start) = (numbers(n, 0.5, 2.0), (numbers(n, -1.0, 1.0), numbers(n, -0.5, 0.5)));
    let ((mut x, mut v), (mut y, mut w)) = (start.clone(), start.clone());
    leapfrog::over(n, &mut x, &mut v, &stiffness, 0.1, 50);
    let run = |direction, x: &mut Vec<f64>, v: &mut Vec<f64>, stiffness: &mut Vec<f64>| {
        let text = text(leapfrog::kernel_source(Language::OpenCl, direction));
        let arguments =
            &mut [numbers_of(x), numbers_of(v), numbers_of(stiffness), Argument::Number(0.1), Argument::Usize(50)];
        assert_eq!(device.run(&text, "leapfrog", n, arguments), 0);
    };
    run(Direction::Forward, &mut y, &mut w, &mut stiffness);
    assert_eq!((&x, &v), (&y, &w));
    leapfrog::uncall_over(n, &mut x, &mut v, &stiffness, 0.1, 50);
    run(Direction::Inverse, &mut y, &mut w, &mut stiffness);
    assert_eq!((&x, &v), (&y, &w));

    let (mut u, mut speed) = (numbers(n, -1.0, 1.0), numbers(n, 0.1, 0.4));
    let (mut next, mut other) = (numbers(n, 0.0, 1.0), numbers(n, 0.0, 1.0));
    wave::over(n, &mut next, &u, &speed, 10);
    let forward = text(wave::kernel_source(Language::OpenCl, Direction::Forward));
    let arguments = &mut [numbers_of(&mut other), numbers_of(&mut u), numbers_of(&mut speed), Argument::Usize(10)];
    assert_eq!(device.run(&forward, "wave", n, arguments), 0);
    assert_eq!(next, other);

    let (mut z, mut weights) = (numbers(3 * n, -1.0, 1.0), numbers(12, -1.0, 1.0));
    let (mut y, mut other) = (numbers(4 * n, 0.0, 1.0), numbers(4 * n, 0.0, 1.0));
    layer::over(n, &mut y, &z, &weights, 0.3, 3, 4);
    let forward = text(layer::kernel_source(Language::OpenCl, Direction::Forward));
    let numbers = [Argument::Number(0.3), Argument::Usize(3), Argument::Usize(4)];
    let mut arguments = vec![numbers_of(&mut other), numbers_of(&mut z), numbers_of(&mut weights)];
    arguments.extend(numbers);
    assert_eq!(device.run(&forward, "layer", n, &mut arguments), 0);
    assert_eq!(y, other);
}

#[test]
fn arrays_views_and_integers_have_the_bits_of_the_cpu() {
    let Some(device) = OpenCl::first() else { return };
    let n = 20;
    let pairs = |flat: &[f64]| flat.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<[f64; 2]>>();
    let (mut flat, mut rows, mut angles) = (numbers(2 * n, -1.0, 1.0), numbers(3 * n, 0.0, 1.0), numbers(n, 0.0, 1.0));
    let (mut q, mut other) = (pairs(&flat), rows.clone());
    for direction in [Direction::Forward, Direction::Inverse] {
        match direction {
            Direction::Forward => arrays::over(n, &mut q, &mut other, &angles),
            _ => arrays::uncall_over(n, &mut q, &mut other, &angles),
        }
        let text = text(arrays::kernel_source(Language::OpenCl, direction));
        let arguments = &mut [Argument::Numbers(&mut flat, 2), numbers_of(&mut rows), numbers_of(&mut angles)];
        assert_eq!(device.run(&text, "arrays", n, arguments), 0);
        assert_eq!((pairs(&flat), &rows), (q.clone(), &other));
    }

    let mut keys: Vec<u64> = (1..8_u64).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15) % (1 << 40)).collect();
    let start: Vec<u64> = (0..n as u64).map(|k| k * k * 977).collect();
    let (mut words, mut other) = (start.clone(), start.clone());
    scrambled::over(n, &mut words, &keys, 9);
    for (direction, expected) in [(Direction::Forward, &words), (Direction::Inverse, &start)] {
        let text = text(scrambled::kernel_source(Language::OpenCl, direction));
        let arguments = &mut [Argument::Integers(&mut other), Argument::Integers(&mut keys), Argument::Usize(9)];
        assert_eq!(device.run(&text, "scrambled", n, arguments), 0);
        assert_eq!(other, *expected);
    }
}

#[test]
fn functions_and_derivatives_are_close_to_those_of_the_cpu() {
    let Some(device) = OpenCl::first() else { return };
    let n = 50;
    let (mut x, mut dx) = (numbers(n, 0.05, 0.95), numbers(n, -1.0, 1.0));
    let (mut y, mut dy) = (vec![0.1; n], vec![0.2; n]);
    let (mut z, mut dz) = (y.clone(), dy.clone());
    functions::pushforward_over(n, (&mut y, &mut dy), (&x, &dx));
    let forward = text(functions::kernel_source(Language::OpenCl, Direction::Pushforward));
    let arguments = &mut [numbers_of(&mut z), numbers_of(&mut dz), numbers_of(&mut x), numbers_of(&mut dx)];
    assert_eq!(device.run(&forward, "functions", n, arguments), 0);
    close(&z, &y, 1e-14);
    close(&dz, &dy, 1e-13);

    let (mut rates, mut g, mut h) = (numbers(n, 0.1, 0.9), vec![0.1; n], vec![0.1; n]);
    let (mut y, mut dy) = (numbers(n, 1.0, 2.0), vec![1.0; n]);
    let (mut z, mut dz) = (y.clone(), dy.clone());
    own::pullback_over(n, (&mut y, &mut dy), (&rates, &mut g));
    let back = text(own::kernel_source(Language::OpenCl, Direction::Pullback));
    let arguments = &mut [numbers_of(&mut z), numbers_of(&mut dz), numbers_of(&mut rates), numbers_of(&mut h)];
    assert_eq!(device.run(&back, "own", n, arguments), 0);
    for (of_device, of_cpu) in [(&z, &y), (&dz, &dy), (&h, &g)] {
        close(of_device, of_cpu, 1e-13);
    }
}

#[test]
fn what_is_out_of_bounds_is_said_and_changes_nothing() {
    let Some(device) = OpenCl::first() else { return };
    let (mut x, mut u) = (vec![0.0; 4], vec![1.0; 4]);
    let forward = text(beyond::kernel_source(Language::OpenCl, Direction::Forward));
    let line = device.run(&forward, "beyond", 6, &mut [numbers_of(&mut x), numbers_of(&mut u)]);
    let written = include_str!("kernels_opencl.rs").lines().nth(line as usize - 1).expect("the line is there");
    assert_eq!(written.trim(), "x[i] += u[i + 1];");
    assert_eq!((&x[..3], u), (&[1.0; 3][..], vec![1.0; 4]));
}

#[test]
fn what_cannot_be_written_for_devices_is_said() {
    let Err(Error::Untranslatable { kernel, reason, .. }) = calls::kernel_source(Language::Cuda, Direction::Forward)
    else {
        panic!("it was written");
    };
    assert_eq!(kernel, "calls");
    assert!(reason.contains("functions that a kernel calls"), "{reason}");
    let shared = leapfrog::kernel_source(Language::OpenCl, Direction::Pullback);
    assert!(shared.is_err_and(|error| error.to_string().contains("belongs to all runs")));
}
