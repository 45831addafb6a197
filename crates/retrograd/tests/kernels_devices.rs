//! Kernels on devices: every run does what it does on the CPU. Devices that are not there are skipped.

#![cfg(all(feature = "opencl", feature = "cuda"))]

mod devices;

use devices::{Devices, agree, numbers};
use retrograd::kernel::{Device, Error, Language};
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

/// Neighbours on both sides, more than once, and where a condition holds.
#[reversible(kernel)]
fn neighbours(#[index] i: usize, y: &mut [f64], u: &[f64], w: &[f64]) {
    if i > 0 && i + 2 < u.len() {
        y[i] += u[i - 1] * u[i + 1] + u[i] * w[i + 1];
        if u[i] > 0.5 {
            y[i] -= u[i + 1] * u[i + 2];
        }
        for _ in 0..3 {
            y[i] += u[i - 1] * w[i - 1];
        }
    }
}

/// Rows of neighbours.
#[reversible(kernel)]
fn rows(#[index] i: usize, y: &mut [f64], x: &[f64], d: usize, n: usize) {
    if i + 1 < n {
        for k in 0..d {
            y[i * d + k] += x[i * d + k] * x[(i + 1) * d + k];
        }
        for k in 1..d {
            y[i * d + k] += x[(i + 1) * d + k - 1];
        }
    }
}

/// What a run adds to depends on data: its neighbours in a ring, and others.
#[reversible(kernel)]
fn ring(#[index] i: usize, y: &mut [f64], #[scatter] u: &[f64], others: &[usize], n: usize) {
    y[i] += u[(i + 1) % n] * u[(i + n - 1) % n] + u[i] * u[others[i]];
}

/// Parameters that all runs share, in branches that only some of them take, and in loops of different lengths.
#[reversible(kernel)]
fn shared<T: Real>(#[index] i: usize, y: &mut [T], x: &[T], p: &[T], q: [T; 2], s: T, counts: &[usize]) {
    y[i] += p[0] * p[0] * x[i] + s * s + q[0] * p[1];
    if x[i] > 0.5 {
        for k in 0..p.len() {
            y[i] += p[k] * x[i] * q[1];
        }
    }
    for _ in 0..counts[i] {
        y[i] += s * x[i] - p[2];
    }
}

/// Elements that are arrays and tuples, of neighbours too.
#[reversible(kernel)]
fn structured(#[index] i: usize, y: &mut [[f64; 2]], u: &[[f64; 2]], t: &[(f64, f64)], p: &[[f64; 2]]) {
    if i + 1 < u.len() {
        y[i][0] += u[i + 1][1] * u[i][0] * p[0][1];
        y[i][1] += u[i + 1][0];
        y[i][1] -= t[i].0 * t[i].1;
    }
}

#[reversible(kernel)]
fn matched(#[index] i: usize, y: &mut [f64], x: &[f64], kinds: &[i32]) {
    match kinds[i] {
        -1 => y[i] += x[i],
        0 | 7 => y[i] -= x[i] * x[i],
        1..=3 => {
            y[i] *= 2.0;
            y[i] += x[i];
        }
        _ => y[i] = -y[i],
    }
    y[i] += match kinds[i] % 2 {
        0 => x[i],
        _ => 2.0 * x[i],
    };
}

/// A thousand steps in a thousand steps, and integers that wrap.
#[reversible(kernel)]
fn nested(#[index] i: usize, x: &mut [f64], hash: &mut [u32], rate: f64, outer: usize, inner: u32) {
    for round in 0..outer {
        for k in 0..inner {
            hash[i] ^= 2_654_435_761_u32.wrapping_mul(k ^ (round as u32)) >> (k % 5);
        }
        x[i] *= 1.0 + rate;
    }
}

/// Names that mean something in C, and in the text around a kernel.
#[reversible(kernel)]
fn named(
    #[index] double: usize,
    runs: &mut [[f64; 2]],
    float: &[f64],
    errors: f64,
    thread: f64,
    count2: usize,
    turn2: usize,
) {
    let k0 = double + 1;
    for k1 in 0..count2 {
        for turn3 in 0..turn2 {
            let mut int = [errors; 2];
            for k2 in 0..2 {
                int[k2] += float[double] * thread;
            }
            runs[double][turn3] += int[k1] * int[turn3];
        }
    }
    if k0 < float.len() {
        runs[double][0] += float[k0] * errors;
    }
}

/// An element of a run that all others read too, neighbours in values of branches, and under names.
#[reversible(kernel)]
fn mixed(
    #[index] i: usize,
    y: &mut [f64],
    u: &[f64],
    rows: &[f64],
    pair: (f64, f64),
    p: &[f64; 3],
    flags: &[bool],
    n: usize,
) {
    let last = n - 1;
    let next = i + 1;
    y[i] += u[i] * u[0] + u[last] * pair.0;
    let right = if next < n { u[next] } else { pair.1 };
    let left = if i > 0 { u[i - 1] * right } else { 0.0 };
    y[i] -= left * right;
    if flags[i] && next < n || i == 3 {
        y[i] += p[1] * rows[i * 2] * rows[i * 2 + 1] + rows[0] * p[2];
    }
    if next < n {
        y[i] += rows[next * 2] * u[i];
    }
}

/// Integers of all sizes, that wrap and are cast.
#[reversible(kernel)]
fn wrapping(#[index] i: usize, a: &mut [u8], b: &mut [i16], c: &mut [i64], flags: &mut [bool], on: bool) {
    a[i] ^= (i as u8).wrapping_mul(77);
    b[i] ^= (a[i] as i16) << 7;
    b[i] ^= -1_i16;
    c[i] ^= (b[i] as i64).wrapping_mul(0x7fff_ffff_ffff_fff1_i64) >> 3;
    c[i] ^= (b[i] as u16) as i64 - (a[i] as i64);
    c[i] ^= ((b[i] as u64) >> 60) as i64;
    flags[i] ^= on && c[i] % 3 == 1;
    flags[i] = !flags[i];
    if (b[i] as i32) % -7 < -2 {
        c[i] ^= 12;
    }
}

mod springs {
    use retrograd::prelude::*;

    pub(crate) const STIFFNESS: f64 = 1.5;
    pub(crate) const LIMIT: u32 = 3;

    #[reversible]
    pub(crate) fn square<T: Real>(x: T) -> T {
        x * x
    }

    /// It calls another one, and has a branch and a local.
    #[reversible]
    pub(crate) fn energy<T: Real>(q: &[T; 2], p: T, kind: u32) -> T {
        let mut sum = square(q[0]) * 0.5;
        for k in 0..2 {
            sum += q[k] * p;
        }
        if kind < 3 { sum } else { square(sum) - q[1] }
    }

    #[reversible]
    pub(crate) fn kick<T: Real>(q: &mut [T; 2], dt: T, force: T) {
        let scale = dt * force;
        q[1] -= scale * q[0];
        q[0] += dt * square(q[1]);
    }

    #[reversible]
    pub(crate) fn both<T: Real>(a: T, b: T) -> (T, T) {
        (a * b, a - b)
    }
}

/// Functions and procedures, by their paths, with neighbours and with what all runs share.
#[reversible(kernel)]
fn calling<T: Real>(#[index] i: usize, q: &mut [[T; 2]], y: &mut [T], u: &[T], p: &[T], s: T, kinds: &[u32]) {
    springs::kick(&mut q[i], s, p[0]);
    if i + 1 < u.len() {
        y[i] += springs::energy(&[u[i], u[i + 1]], p[1], kinds[i]);
        y[i] += springs::square(u[i + 1]) * 2.0;
    }
    springs::kick::uncall(&mut q[i], 0.5, u[i]);
}

#[reversible(kernel)]
fn constants(#[index] i: usize, y: &mut [f64], x: &[f64], kinds: &[u32]) {
    y[i] += springs::STIFFNESS * x[i] * std::f64::consts::PI;
    if kinds[i] < springs::LIMIT {
        y[i] -= springs::square(x[i]);
    }
}

#[reversible(kernel)]
fn of_pairs(#[index] i: usize, y: &mut [f64], x: &[f64]) {
    let pair: (f64, f64) = springs::both(x[i], 2.0);
    y[i] += pair.0 * pair.1;
}

#[reversible(kernel)]
fn rotating(#[index] i: usize, q: &mut [[f64; 2]]) {
    rotate(&mut q[i][0], &mut q[i][1], 0.5);
}

#[reversible(kernel)]
fn beyond(#[index] i: usize, x: &mut [f64], u: &[f64]) {
    x[i] += 1.0;
    x[i] += u[i + 1];
}

/// A local that loses its digits on the way.
#[reversible(kernel)]
fn forgetful(#[index] i: usize, y: &mut [f64], x: &[f64]) {
    let mut t = x[i];
    for _ in 0..40 {
        t *= 0.1 * x[i];
        t += 1.0;
    }
    y[i] += t * t;
}

#[test]
fn arithmetic_has_the_bits_of_the_cpu() {
    let devices = Devices::here();
    let n = 300;
    agree!(devices, leapfrog(n), values 0.0, derivatives 1e-13,
        changed [x = numbers(n, -1.0, 1.0), v = numbers(n, -0.5, 0.5)] read [stiffness = numbers(n, 0.5, 2.0)]
        numbers [dt = 0.01] data [] rest [1000]);
    agree!(devices, wave(n), values 0.0, derivatives 1e-14,
        changed [next = numbers(n, 0.0, 1.0)] read [u = numbers(n, -1.0, 1.0), speed = numbers(n, 0.1, 0.4)]
        numbers [] data [] rest [10]);
    agree!(devices, layer(n), values 0.0, derivatives 1e-13,
        changed [y = numbers(4 * n, 0.0, 1.0)] read [x = numbers(3 * n, -1.0, 1.0), w = numbers(12, -1.0, 1.0)]
        numbers [bias = 0.3] data [] rest [3, 4]);
    let pairs = |n: usize| numbers(2 * n, -1.0, 1.0).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>();
    agree!(devices, arrays(n), values 0.0, derivatives 1e-14,
        changed [q = pairs(n), rows = numbers(3 * n, 0.0, 1.0)] read [angles = numbers(n, 0.0, 1.0)]
        numbers [] data [] rest []);
}

#[test]
fn adjoints_that_runs_share_are_those_of_the_cpu() {
    let devices = Devices::here();
    for n in [1, 2, 5, 127, 128, 1000, 40_000] {
        agree!(devices, neighbours(n), values 0.0, derivatives 1e-14,
            changed [y = numbers(n, 0.0, 1.0)] read [u = numbers(n + 1, 0.0, 1.0), w = numbers(n, -1.0, 1.0)]
            numbers [] data [] rest []);
        agree!(devices, rows(n), values 0.0, derivatives 1e-14,
            changed [y = numbers(3 * n, 0.0, 1.0)] read [x = numbers(3 * n, 0.0, 1.0)] numbers [] data [] rest [3, n]);
        agree!(devices, ring(n), values 0.0, derivatives 1e-12,
            changed [y = numbers(n, 0.0, 1.0)] read [u = numbers(n, 0.0, 1.0)]
            numbers [] data [others = (0..n).map(|k| k * k % n).collect::<Vec<usize>>()] rest [n]);
        agree!(devices, shared(n), values 0.0, derivatives 1e-12,
            changed [y = numbers(n, 0.0, 1.0)] read [x = numbers(n, 0.0, 1.0), p = numbers(5, -1.0, 1.0)]
            numbers [q = [0.3, 0.7], s = 0.9] data [counts = (0..n).map(|k| k % 7).collect::<Vec<usize>>()] rest []);
        let pairs =
            |from: f64| numbers(2 * n, from, 1.0).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>();
        let tuples = pairs(0.1).into_iter().map(|[a, b]| (a, b)).collect::<Vec<_>>();
        agree!(devices, structured(n), values 0.0, derivatives 1e-12,
            changed [y = pairs(-1.0)] read [u = pairs(0.0), t = tuples.clone(), p = vec![[0.5, 0.25]]]
            numbers [] data [] rest []);
        agree!(devices, matched(n), values 0.0, derivatives 1e-14,
            changed [y = numbers(n, 0.0, 1.0)] read [x = numbers(n, 0.0, 1.0)]
            numbers [] data [kinds = (0..n).map(|k| k as i32 % 9 - 1).collect::<Vec<i32>>()] rest []);
    }
}

#[test]
fn names_and_branches_mean_what_they_mean_on_the_cpu() {
    let devices = Devices::here();
    for n in [4, 200] {
        let pairs = || numbers(2 * n, 0.1, 1.0).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>();
        agree!(devices, named(n), values 0.0, derivatives 1e-12,
            changed [runs = pairs()] read [float = numbers(n, 0.0, 1.0)] numbers [errors = 0.3, thread = 0.7] data [] rest [2, 2]);
        for device in devices.iter() {
            let (mut y, mut g) = (numbers(n, 0.0, 1.0), numbers(n, -1.0, 1.0));
            let (u, rows) = (numbers(n, 0.1, 0.9), numbers(2 * n, 0.0, 1.0));
            let flags: Vec<bool> = (0..n).map(|k| k % 3 > 0).collect();
            let (pair, p) = ((0.4, 0.6), [0.1, 0.2, 0.3]);
            let (mut gu, mut grows, mut gpair, mut gp) = (vec![0.0; n], vec![0.0; 2 * n], (0.0, 0.0), [0.0; 3]);
            let run = || -> Result<_, Error> {
                let (mut y, mut g) = (device.upload(&y)?, device.upload(&g)?);
                let (u, rows, flags) = (device.upload(&u)?, device.upload(&rows)?, device.upload(&flags)?);
                let (mut gu, mut grows) = (device.shadow(&u)?, device.shadow(&rows)?);
                let (mut gpair, mut gp) = ((0.0, 0.0), [0.0; 3]);
                mixed::launch_pullback(
                    device,
                    n,
                    (&mut y, &mut g),
                    (&u, &mut gu),
                    (&rows, &mut grows),
                    (pair, &mut gpair),
                    (&p, &mut gp),
                    &flags,
                    n,
                )?;
                Ok((y.download()?, g.download()?, gu.download()?, grows.download()?, gpair, gp))
            };
            let found = run().expect("it runs");
            mixed::pullback_over(
                n,
                (&mut y, &mut g),
                (&u, &mut gu),
                (&rows, &mut grows),
                (pair, &mut gpair),
                (&p, &mut gp),
                &flags,
                n,
            );
            let expected = (y, g, gu, grows, gpair, gp);
            devices::close("mixed", &found.flatten(), &expected.flatten(), 1e-13);
        }
    }
}

#[test]
fn integers_of_all_sizes_have_the_bits_of_the_cpu() {
    let n = 1000;
    let start = || {
        let a = (0..n).map(|k| (k * 31 % 256) as u8).collect::<Vec<_>>();
        let b = (0..n).map(|k| (k as i64 * 4099 % 65536 - 32768) as i16).collect::<Vec<_>>();
        let c = (0..n).map(|k| (k as i64).wrapping_mul(i64::MAX / 77)).collect::<Vec<_>>();
        (a, b, c, (0..n).map(|k| k % 5 == 0).collect::<Vec<bool>>())
    };
    let (mut a, mut b, mut c, mut flags) = start();
    wrapping::over(n, &mut a, &mut b, &mut c, &mut flags, true);
    for device in Devices::here().iter() {
        let run = || -> Result<(), Error> {
            let first = start();
            let (mut da, mut db) = (device.upload(&first.0)?, device.upload(&first.1)?);
            let (mut dc, mut df) = (device.upload(&first.2)?, device.upload(&first.3)?);
            wrapping::launch(device, n, &mut da, &mut db, &mut dc, &mut df, true)?;
            assert_eq!((da.download()?, db.download()?), (a.clone(), b.clone()));
            assert_eq!((dc.download()?, df.download()?), (c.clone(), flags.clone()));
            wrapping::launch_uncall(device, n, &mut da, &mut db, &mut dc, &mut df, true)?;
            assert_eq!((da.download()?, db.download()?, dc.download()?, df.download()?), first);
            Ok(())
        };
        run().expect("it runs");
    }
}

#[test]
fn loops_in_loops_come_back_on_every_device() {
    let n = 50;
    let (x, hash) = (numbers(n, 0.5, 1.0), (0..n as u32).collect::<Vec<u32>>());
    let (mut there, mut hashed) = (x.clone(), hash.clone());
    nested::over(n, &mut there, &mut hashed, 1e-6, 1000, 1000);
    for device in Devices::here().iter() {
        let run = || -> Result<(), Error> {
            let (mut dx, mut dh) = (device.upload(&x)?, device.upload(&hash)?);
            nested::launch(device, n, &mut dx, &mut dh, 1e-6, 1000, 1000)?;
            assert_eq!((dx.download()?, dh.download()?), (there.clone(), hashed.clone()));
            let (mut g, mut rate) = (device.upload(&vec![1.0; n])?, 0.0);
            nested::launch_pullback(device, n, (&mut dx, &mut g), &mut dh, (1e-6, &mut rate), 1000, 1000)?;
            assert_eq!(dh.download()?, hash);
            devices::close("nested", &dx.download()?, &x, 1e-12);
            // d/dr of the sum of x (1 + r)^1000.
            let expected = x.iter().sum::<f64>() * 1000.0 * (1.0 + 1e-6_f64).powi(999);
            devices::close("the rate", &[rate], &[expected], 1e-12);
            Ok(())
        };
        run().expect("it runs");
    }
}

#[test]
fn what_a_kernel_calls_comes_along() {
    let devices = Devices::here();
    for n in [1, 2, 300] {
        let pairs = || numbers(2 * n, 0.1, 1.0).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>();
        let kinds = || (0..n as u32).map(|k| k % 5).collect::<Vec<u32>>();
        agree!(devices, calling(n), values 0.0, derivatives 1e-12,
            changed [q = pairs(), y = numbers(n, 0.0, 1.0)] read [u = numbers(n, 0.0, 1.0), p = numbers(3, 0.0, 1.0)]
            numbers [s = 0.1] data [kinds = kinds()] rest []);
        agree!(devices, constants(n), values 0.0, derivatives 1e-13,
            changed [y = numbers(n, 0.0, 1.0)] read [x = numbers(n, 0.0, 1.0)] numbers [] data [kinds = kinds()] rest []);
        for device in devices.iter() {
            agree!(@adjoints device, pullback_over launch_pullback, of_pairs(n), 1e-13, true,
                [y = numbers(n, 0.0, 1.0)] [x = numbers(n, 0.0, 1.0)] [] [] []);
        }
    }
}

#[test]
fn what_has_no_text_is_said_to_have_none() {
    let Err(Error::Untranslatable { kernel: "rotating", line, reason }) =
        rotating::kernel_source(Language::OpenCl, Direction::Forward)
    else {
        panic!("it was written");
    };
    assert!(reason.contains("no text"), "{reason}");
    let pair = of_pairs::kernel_source(Language::OpenCl, Direction::Pushforward);
    assert!(pair.is_err_and(|error| error.to_string().contains("what `both` returns has another type")));
    let written = include_str!("kernels_devices.rs").lines().nth(line as usize - 1);
    assert_eq!(written.map(str::trim), Some("rotate(&mut q[i][0], &mut q[i][1], 0.5);"));
}

#[test]
fn kernels_of_single_precision_have_the_bits_of_the_cpu() {
    let devices = Devices::here();
    let n = 500;
    let single =
        |low: f64, high: f64, n: usize| numbers(n, low, high).into_iter().map(|x| x as f32).collect::<Vec<f32>>();
    agree!(devices, leapfrog(n), values 0.0, derivatives 1e-4,
        changed [x = single(-1.0, 1.0, n), v = single(-0.5, 0.5, n)] read [stiffness = single(0.5, 2.0, n)]
        numbers [dt = 0.01_f32] data [] rest [100]);
    agree!(devices, shared(n), values 0.0, derivatives 1e-4,
        changed [y = single(0.0, 1.0, n)] read [x = single(0.0, 1.0, n), p = single(-1.0, 1.0, 5)]
        numbers [q = [0.3_f32, 0.7], s = 0.9_f32] data [counts = (0..n).map(|k| k % 7).collect::<Vec<usize>>()] rest []);
}

#[test]
fn functions_are_close_to_those_of_the_cpu() {
    let devices = Devices::here();
    let n = 200;
    agree!(devices, functions(n), values 1e-14, derivatives 1e-12,
        changed [y = vec![0.1; n]] read [x = numbers(n, 0.05, 0.95)] numbers [] data [] rest []);
}

#[test]
fn integers_have_the_bits_of_the_cpu() {
    let keys: Vec<u64> = (1..8_u64).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15) % (1 << 40)).collect();
    let start: Vec<u64> = (0..20_u64).map(|k| k * k * 977).collect();
    let mut expected = start.clone();
    scrambled::over(20, &mut expected, &keys, 9);
    for device in Devices::here().iter() {
        let run = || -> Result<(), Error> {
            let (mut words, keys) = (device.upload(&start)?, device.upload(&keys)?);
            scrambled::launch(device, 20, &mut words, &keys, 9)?;
            assert_eq!(words.download()?, expected);
            scrambled::launch_uncall(device, 20, &mut words, &keys, 9)?;
            assert_eq!(words.download()?, start);
            Ok(())
        };
        run().expect("it runs");
    }
}

#[test]
fn sums_of_all_runs_have_the_same_bits_every_time() {
    let n = 100_000;
    for device in Devices::here().iter() {
        let gradient = || -> Result<(Vec<f64>, f64), Error> {
            let (mut y, mut gy) = (device.upload(&vec![0.0; n])?, device.upload(&numbers(n, -1.0, 1.0))?);
            let (x, p) = (device.upload(&numbers(n, 0.0, 1.0))?, device.upload(&numbers(5, -1.0, 1.0))?);
            let (mut gx, mut gp) = (device.shadow(&x)?, device.shadow(&p)?);
            let counts = device.upload(&vec![2; n])?;
            let (mut gq, mut gs) = ([0.0; 2], 0.0);
            let q = ([0.1, 0.2], &mut gq);
            shared::launch_pullback(
                device,
                n,
                (&mut y, &mut gy),
                (&x, &mut gx),
                (&p, &mut gp),
                q,
                (0.3, &mut gs),
                &counts,
            )?;
            Ok((gp.download()?, gs))
        };
        let first = gradient().expect("it runs");
        for _ in 0..5 {
            assert_eq!(gradient().expect("it runs"), first);
        }
    }
}

#[test]
fn mistakes_are_errors() {
    let devices = Devices::here();
    for device in devices.iter() {
        let (mut x, u) = (device.upload(&[0.0; 4]).expect("room"), device.upload(&[1.0; 4]).expect("room"));
        let error = beyond::launch(device, 4, &mut x, &u).and_then(|()| device.finish());
        let error = error.expect_err("there is no fifth element");
        // It is said once.
        device.finish().expect("nothing was launched since");
        if device.is_cpu() {
            assert!(matches!(error, Error::Panic { kernel: "beyond", .. }), "{error}");
        } else {
            let Error::OutOfBounds(stopped) = error else { panic!("{error}") };
            assert_eq!((stopped.kernel, stopped.statement), ("beyond", "x[i] += u[i + 1];"));
            let line = include_str!("kernels_devices.rs").lines().nth(stopped.line as usize - 1);
            assert_eq!(line.map(str::trim), Some("x[i] += u[i + 1];"));
            // Nothing else is touched.
            assert_eq!(x.download().expect("it can be read")[..3], [2.0; 3]);
            assert_eq!(u.download().expect("it can be read"), [1.0; 4]);
        }
        let (mut short, mut gu) = (device.upload(&[0.0; 3]).expect("room"), device.shadow(&u).expect("room"));
        let error = beyond::launch_pullback(device, 3, (&mut x, &mut short), (&u, &mut gu));
        assert_eq!(error, Err(Error::Length { argument: "x", expected: 4, found: 3 }));

        let x = numbers(8, 0.5, 1.0);
        let (x, mut y) = (device.upload(&x).expect("room"), device.upload(&[0.0; 8]).expect("room"));
        let (mut gx, mut gy) = (device.shadow(&x).expect("room"), device.upload(&[1.0; 8]).expect("room"));
        let error = forgetful::launch_pullback(device, 8, (&mut y, &mut gy), (&x, &mut gx));
        let error = error.and_then(|()| y.download().map(drop)).expect_err("digits are lost");
        assert!(matches!(error, Error::Drift(_) | Error::Check(_)), "{error}");
    }
    if let [cpu, other, ..] = &devices.iter().collect::<Vec<&Device>>()[..] {
        let (mut here, there) = (cpu.upload(&[0.0; 4]).expect("room"), other.upload(&[1.0; 4]).expect("room"));
        let error = Err(Error::OtherDevice { argument: "x" });
        assert_eq!(beyond::launch(other, 3, &mut here, &there), error);
        assert_eq!(beyond::launch(cpu, 3, &mut here, &there), Err(Error::OtherDevice { argument: "u" }));
    }
}

macro_rules! raising {
    ($module:ident, $by:literal) => {
        mod $module {
            use retrograd::prelude::*;

            #[reversible]
            pub(crate) fn by(x: f64) -> f64 {
                x + $by
            }

            #[reversible(kernel)]
            pub(crate) fn raise(#[index] i: usize, y: &mut [f64], x: &[f64]) {
                y[i] += by(x[i]);
            }
        }
    };
}

raising!(a_little, 1.0);
raising!(a_lot, 100.0);

#[reversible(kernel)]
fn raise_by_both(#[index] i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += a_little::by(x[i]) + a_lot::by(x[i]);
}

#[test]
fn kernels_that_a_macro_writes_are_told_apart() {
    for device in Devices::here().iter() {
        let run = || -> Result<(), Error> {
            let (mut y, x) = (device.upload(&[0.0; 3])?, device.upload(&[0.0; 3])?);
            a_little::raise::launch(device, 3, &mut y, &x)?;
            a_lot::raise::launch(device, 3, &mut y, &x)?;
            assert_eq!(y.download()?, [101.0; 3]);
            raise_by_both::launch(device, 3, &mut y, &x)?;
            assert_eq!(y.download()?, [202.0; 3]);
            Ok(())
        };
        run().expect("it runs");
    }
}

#[test]
fn recorded_launches_are_repeated() {
    let n = 1000;
    let (u, speed) = (numbers(n, -1.0, 1.0), numbers(n, 0.1, 0.4));
    let (mut a, mut b) = (vec![0.0; n], u.clone());
    for _ in 0..5 {
        wave::over(n, &mut a, &b, &speed, 10);
        wave::over(n, &mut b, &a, &speed, 10);
    }
    for device in Devices::here().iter() {
        let run = || -> Result<(), Error> {
            let (mut da, mut db) = (device.upload(&vec![0.0; n])?, device.upload(&u)?);
            let speed = device.upload(&speed)?;
            let mut steps = device.record(|device| {
                wave::launch(device, n, &mut da, &db, &speed, 10)?;
                wave::launch(device, n, &mut db, &da, &speed, 10)
            })?;
            steps.replay(2)?;
            steps.replay(3)?;
            drop(steps);
            assert_eq!((da.download()?, db.download()?), (a.clone(), b.clone()));
            // Gathered terms lie in memory of the recording.
            let (mut ga, mut gu) = (device.upload(&vec![1.0; n])?, device.shadow(&db)?);
            let mut gs = device.shadow(&speed)?;
            let backwards = |device: &Device| {
                wave::launch_pullback(device, n, (&mut da, &mut ga), (&db, &mut gu), (&speed, &mut gs), 10)
            };
            device.record(backwards)?.replay(1)?;
            let (mut ea, mut eu, mut es) = (vec![1.0; n], vec![0.0; n], vec![0.0; n]);
            let mut back = a.clone();
            wave::pullback_over(n, (&mut back, &mut ea), (&b, &mut eu), (&numbers(n, 0.1, 0.4), &mut es), 10);
            devices::close("recorded", &gu.download()?, &eu, 1e-14);
            devices::close("recorded", &gs.download()?, &es, 1e-14);
            if !device.is_cpu() {
                let mut gdt = 0.0;
                let (mut x, mut v) = (device.upload(&u)?, device.upload(&u)?);
                let (mut gx, mut gv, mut gk) = (device.shadow(&x)?, device.shadow(&v)?, device.shadow(&speed)?);
                let waits = device.record(|device| {
                    let dt = (0.1, &mut gdt);
                    let k = (&speed, &mut gk);
                    leapfrog::launch_pullback(device, n, (&mut x, &mut gx), (&mut v, &mut gv), k, dt, 3)
                });
                assert_eq!(waits.map(drop), Err(Error::Waits { kernel: "leapfrog" }));
            }
            Ok(())
        };
        run().expect("it runs");
    }
}

#[test]
fn no_runs_change_nothing() {
    for device in Devices::here().iter() {
        let (mut x, u) = (device.upload(&[1.0; 4]).expect("room"), device.upload(&[0.0; 0]).expect("room"));
        beyond::launch(device, 0, &mut x, &u).expect("nothing is run");
        assert_eq!(x.download().expect("it can be read"), [1.0; 4]);
    }
}

#[test]
fn devices_that_are_not_there_are_errors() {
    for error in [Device::opencl(1000).map(drop), Device::cuda(1000).map(drop)] {
        assert!(matches!(error, Err(Error::NoDriver { .. } | Error::NoSuchDevice { asked: 1000, .. })), "{error:?}");
    }
}

#[test]
fn the_text_of_a_kernel_can_be_read() {
    let text = neighbours::kernel_source(Language::Cuda, Direction::Pullback).expect("it can be written");
    assert!(text.contains("KERNEL void gather_neighbours("), "{text}");
}
