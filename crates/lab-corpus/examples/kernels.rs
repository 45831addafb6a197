//! How long the kernels of the lab take on a device: `cargo run --release -p lab-corpus --example kernels -- cuda:0`.
//!
//! The device is `cpu`, `opencl:0` or `cuda:0`. A second argument divides the sizes, for devices that are not made for them.
//!
//! On one NVIDIA H200, with JAX 0.11.2 (`scripts/kernels-jax`) a minute later, in milliseconds and in double precision (the host's part was
//! a debug build):
//!
//! | | here | JAX |
//! |---|---|---|
//! | `y += x`, 4096² | 0.0949 (4.24 TB/s) | |
//! | wave equation, 4096², a step | 0.106 (3.80 TB/s) | 0.305 |
//! | wave equation, 4096², its pullback | 0.252 | 0.372 |
//! | wave equation, 512², a recorded step | 0.0022 | 0.130 |
//! | Hénon-Heiles, 1M trajectories of 1000 steps, there and the pullback | 3.12 | 74.9 |
//! | Kepler, the same | 7.84 | 137 |
//! | mixture, d = 10, K = 25, gradient, 10,000 points | 0.140 | 0.135 |
//! | the same, 100,000 points | 0.404 | 0.898 |
//! | the same, 1,000,000 points | 2.69 | 9.45 |
//! | bundle adjustment, gradient, 1.1M observations | 0.310 | 0.660 |
//! | the same, 9.1M observations | 2.09 | 6.25 |
//! | the same, Jacobian, 1.1M observations, points in no order | 0.099 | |
//! | the same, 9.1M observations | 0.908 | |
//! | the same in single precision, 1.1M and 9.1M observations | 0.056 and 0.494 | |
//! | sparse product, 4M rows of 16, pullback | 9.79 | 2.46 |
//! | first launch, with compiling | 89 | |
//! | first launch, from disk | 5.7 | |
//! | later launches, on the host | 0.0099 | |

use std::env;
use std::time::Instant;

use lab_corpus::kernels::{henon_heiles, kepler, mixture, residuals, sparse_product, wave, wave_sign};
use retrograd::kernel::{Buffer, Device, Element, Error};
use retrograd::prelude::*;

/// What every kernel is measured against: it reads two numbers and writes one.
#[reversible(kernel)]
fn add(#[index] i: usize, y: &mut [f64], x: &[f64]) {
    y[i] += x[i];
}

/// Some numbers between `low` and `high`, in no order.
fn numbers(n: usize, low: f64, high: f64) -> Vec<f64> {
    (0..n).map(|k| low + (high - low) * ((k as f64 + 1.0) * 0.754_877_666_246_692_8).fract()).collect()
}

fn pairs(n: usize, low: f64, high: f64) -> Vec<[f64; 2]> {
    numbers(2 * n, low, high).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Milliseconds for one launch: the median of some rounds, each of as many launches as take a while.
fn time(device: &Device, mut launch: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    launch()?;
    device.finish()?;
    let mut round = |launches: usize| -> Result<f64, Error> {
        let start = Instant::now();
        (0..launches).try_for_each(|_| launch())?;
        device.finish()?;
        Ok(start.elapsed().as_secs_f64() * 1e3)
    };
    let once = round(1)?;
    let launches = (20.0 / once).ceil().clamp(1.0, 400.0) as usize;
    let mut rounds = (0..7).map(|_| Ok(round(launches)? / launches as f64)).collect::<Result<Vec<f64>, Error>>()?;
    rounds.sort_by(f64::total_cmp);
    Ok(rounds[3])
}

/// Microseconds that the host takes to launch once.
fn host(device: &Device, mut launch: impl FnMut() -> Result<(), Error>) -> Result<f64, Error> {
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        device.finish()?;
        let start = Instant::now();
        (0..100).try_for_each(|_| launch())?;
        best = best.min(start.elapsed().as_secs_f64() * 1e4);
    }
    Ok(best)
}

fn row(what: &str, ms: f64, remark: &str) {
    println!("{what:44} {ms:10.4} ms   {remark}");
}

fn filled<T: Element>(device: &Device, n: usize, value: T) -> Result<Buffer<T>, Error> {
    device.upload(&vec![value; n])
}

fn trajectories(device: &Device, scale: usize) -> Result<(), Error> {
    let (n, steps) = ((1 << 20) / scale, 1000);
    let (mut q, mut p) = (device.upload(&pairs(n, -0.2, 0.2))?, device.upload(&pairs(n, -0.1, 0.1))?);
    let (mut gq, mut gp) = (filled(device, n, [1.0, 0.0])?, filled(device, n, [0.0; 2])?);
    let there = time(device, || henon_heiles::launch(device, n, &mut q, &mut p, 0.01, steps))?;
    row("Hénon-Heiles, 1M trajectories, there", there, "");
    (q, p) = (device.upload(&pairs(n, -0.2, 0.2))?, device.upload(&pairs(n, -0.1, 0.1))?);
    let both = time(device, || {
        henon_heiles::launch(device, n, &mut q, &mut p, 0.01, steps)?;
        henon_heiles::launch_pullback(device, n, (&mut q, &mut gq), (&mut p, &mut gp), 0.01, steps)
    })?;
    row("Hénon-Heiles, 1M trajectories, gradient", both - there, "the pullback alone");
    (q, p) = (device.upload(&pairs(n, 0.8, 1.0))?, device.upload(&pairs(n, 0.4, 0.5))?);
    let there = time(device, || {
        kepler::launch(device, n, &mut q, &mut p, 0.001, steps)?;
        kepler::launch_uncall(device, n, &mut q, &mut p, 0.001, steps)
    })?;
    row("Kepler, 1M trajectories, there and back", there, "");
    (gq, gp) = (filled(device, n, [1.0, 0.0])?, filled(device, n, [0.0; 2])?);
    let both = time(device, || {
        kepler::launch(device, n, &mut q, &mut p, 0.001, steps)?;
        kepler::launch_pullback(device, n, (&mut q, &mut gq), (&mut p, &mut gp), 0.001, steps)
    })?;
    row("Kepler, 1M trajectories, gradient", both - there / 2.0, "the pullback alone");
    Ok(())
}

fn waves(device: &Device, width: usize) -> Result<(), Error> {
    let n = width * width;
    let (mut a, b) = (filled(device, n, 0.0)?, device.upload(&numbers(n, -0.1, 0.1))?);
    let added = time(device, || add::launch(device, n, &mut a, &b))?;
    let bandwidth = |bytes: usize, ms: f64| format!("{:.2} TB/s", (bytes * n) as f64 / ms * 1e-9);
    row(&format!("y += x, {width}²"), added, &bandwidth(24, added));
    let speed = 0.2;
    let (mut ga, mut gb) = (filled(device, n, 1.0)?, filled(device, n, 0.0)?);
    let there = time(device, || wave::launch(device, n, &mut a, &b, speed, wave_sign(0), width))?;
    row(&format!("wave equation, {width}², a step"), there, &bandwidth(24, there));
    let back = time(device, || {
        wave::launch_pullback(device, n, (&mut a, &mut ga), (&b, &mut gb), speed, wave_sign(0), width)
    })?;
    row(&format!("wave equation, {width}², its pullback"), back, &format!("{:.2} times as much", back / there));
    let steps = 100;
    let mut b = b;
    let mut recording = device.record(|device| {
        for step in 0..steps {
            let sign = wave_sign(step);
            match step % 2 {
                0 => wave::launch(device, n, &mut a, &b, speed, sign, width)?,
                _ => wave::launch(device, n, &mut b, &a, speed, sign, width)?,
            }
        }
        Ok(())
    })?;
    let replayed = time(device, || recording.replay(1))? / steps as f64;
    row(&format!("wave equation, {width}², a recorded step"), replayed, "");
    Ok(())
}

fn mixtures(device: &Device, n: usize) -> Result<(), Error> {
    let (weights, means) = (device.upload(&numbers(25, -1.0, 0.0))?, device.upload(&numbers(250, -1.0, 1.0))?);
    let (scales, lower) = (device.upload(&numbers(250, 0.5, 1.0))?, device.upload(&numbers(1125, -0.1, 0.1))?);
    let (x, mut y) = (device.upload(&numbers(10 * n, -1.0, 1.0))?, filled(device, n, 0.0)?);
    let mut gy = filled(device, n, 1.0)?;
    let there = time(device, || mixture::launch(device, n, &mut y, &weights, &means, &scales, &lower, &x))?;
    row(&format!("mixture, {n} points"), there, "");
    let mut bits = Vec::new();
    for _ in 0..3 {
        let (mut gw, mut gm) = (device.shadow(&weights)?, device.shadow(&means)?);
        let (mut gs, mut gl) = (device.shadow(&scales)?, device.shadow(&lower)?);
        let (w, m, s, l) = ((&weights, &mut gw), (&means, &mut gm), (&scales, &mut gs), (&lower, &mut gl));
        mixture::launch_pullback(device, n, (&mut y, &mut gy), w, m, s, l, &x)?;
        bits.push([gw.download()?, gm.download()?, gs.download()?, gl.download()?].concat());
    }
    let same = bits.iter().all(|it| it.iter().zip(&bits[0]).all(|(a, b)| a.to_bits() == b.to_bits()));
    let (mut gw, mut gm) = (device.shadow(&weights)?, device.shadow(&means)?);
    let (mut gs, mut gl) = (device.shadow(&scales)?, device.shadow(&lower)?);
    let back = time(device, || {
        let (w, m, s, l) = ((&weights, &mut gw), (&means, &mut gm), (&scales, &mut gs), (&lower, &mut gl));
        mixture::launch_pullback(device, n, (&mut y, &mut gy), w, m, s, l, &x)
    })?;
    row(&format!("mixture, {n} points, gradient"), back, if same { "same bits" } else { "OTHER BITS" });
    Ok(())
}

fn bundle_adjustment(device: &Device, n: usize) -> Result<(), Error> {
    let (cameras, points) = ((n / 2000).max(2), (n / 4).max(3));
    let camera = |k: &f64| [0.1 * k, -0.2, 0.3, 0.5, 0.1 * k, -4.0, 1.5, 0.3, -0.2, 0.01, -0.002];
    let cs = device.upload(&numbers(cameras, 0.5, 1.0).iter().map(camera).collect::<Vec<[f64; 11]>>())?;
    let point = |x: &[f64]| [x[0], x[1], 1.0 + x[2]];
    let ps = device.upload(&numbers(3 * points, -0.5, 0.5).chunks_exact(3).map(point).collect::<Vec<[f64; 3]>>())?;
    let seen = (0..n).map(|k| ((k % cameras) as u32, (k * 7919 % points) as u32)).collect::<Vec<(u32, u32)>>();
    let (seen, weights, features) =
        (device.upload(&seen)?, device.upload(&numbers(n, 0.5, 1.0))?, device.upload(&pairs(n, 0.0, 1.0))?);
    let (mut errors, mut ge) = (filled(device, n, [0.0; 2])?, filled(device, n, [1.0; 2])?);
    let per = |ms: f64| format!("{:.4} ns each", ms * 1e6 / n as f64);
    let there = time(device, || residuals::launch(device, n, &mut errors, &cs, &ps, &weights, &features, &seen))?;
    row(&format!("bundle adjustment, {n} observations"), there, &per(there));
    let (mut gc, mut gp, mut gw) = (device.shadow(&cs)?, device.shadow(&ps)?, device.shadow(&weights)?);
    let back = time(device, || {
        let (c, p, w) = ((&cs, &mut gc), (&ps, &mut gp), (&weights, &mut gw));
        residuals::launch_pullback(device, n, (&mut errors, &mut ge), c, p, w, &features, &seen)
    })?;
    row(&format!("bundle adjustment, {n}, gradient"), back, &per(back));
    Ok(())
}

/// The Jacobian of all observations, with points one after the other or in no order, and how far the first of its rows are from those of the CPU.
macro_rules! jacobians {
    ($jacobian:ident, $number:ident) => {
        fn $jacobian(device: &Device, n: usize, stride: usize) -> Result<(), Error> {
            let narrow = |x: &f64| *x as $number;
            let (cameras, points) = ((n / 2000).max(2), (n / 4).max(3));
            let camera = |k: &f64| [0.1 * k, -0.2, 0.3, 0.5, 0.1 * k, -4.0, 1.5, 0.3, -0.2, 0.01, -0.002];
            let cs: Vec<[$number; 11]> =
                numbers(cameras, 0.5, 1.0).iter().map(|k| camera(k).each_ref().map(narrow)).collect();
            let point = |x: &[f64]| [x[0], x[1], 1.0 + x[2]].each_ref().map(narrow);
            let ps: Vec<[$number; 3]> = numbers(3 * points, -0.5, 0.5).chunks_exact(3).map(point).collect();
            let seen: Vec<(u32, u32)> = (0..n).map(|k| ((k % cameras) as u32, (k * stride % points) as u32)).collect();
            let ws: Vec<$number> = numbers(n, 0.5, 1.0).iter().map(narrow).collect();
            let fs: Vec<[$number; 2]> = pairs(n, 0.0, 1.0).iter().map(|pair| pair.each_ref().map(narrow)).collect();
            let errors = vec![[0.0; 2]; n.min(1000)];
            let first = errors.len();
            let (mut ec, mut ep) = (vec![[[0.0; 11]; 2]; first], vec![[[0.0; 3]; 2]; first]);
            let mut ew = vec![[0.0; 2]; first];
            residuals::jacobian_over(first, &errors, (&cs, &mut ec), (&ps, &mut ep), (&ws, &mut ew), &fs, &seen);
            let e = filled::<[$number; 2]>(device, n, [0.0; 2])?;
            let (cs, ps, seen) = (device.upload(&cs)?, device.upload(&ps)?, device.upload(&seen)?);
            let (ws, fs) = (device.upload(&ws)?, device.upload(&fs)?);
            let (mut rc, mut rp) = (filled(device, n, [[0.0; 11]; 2])?, filled(device, n, [[0.0; 3]; 2])?);
            let mut rw = filled(device, n, [0.0; 2])?;
            let there = time(device, || {
                let (c, p, w) = ((&cs, &mut rc), (&ps, &mut rp), (&ws, &mut rw));
                residuals::launch_jacobian(device, n, &e, c, p, w, &fs, &seen)
            })?;
            let found = (rc.download()?, rp.download()?, rw.download()?);
            let each = (found.0.as_flattened().as_flattened().iter().zip(ec.as_flattened().as_flattened()))
                .chain(found.1.as_flattened().as_flattened().iter().zip(ep.as_flattened().as_flattened()))
                .chain(found.2.as_flattened().iter().zip(ew.as_flattened()));
            let largest = each.map(|(a, b)| f64::from((a - b).abs() / b.abs().max(1.0))).fold(0.0, f64::max);
            let remark = format!("{:.4} ns each, at most {largest:.0e} from the CPU", there * 1e6 / n as f64);
            let order = if stride == 1 { "in order" } else { "in no order" };
            row(&format!("Jacobian, {}, {n}, points {order}", stringify!($number)), there, &remark);
            Ok(())
        }
    };
}

jacobians!(jacobian, f64);
jacobians!(jacobian_of_singles, f32);

fn products(device: &Device, n: usize) -> Result<(), Error> {
    let d = 16;
    let (x, entries) = (device.upload(&numbers(n, -1.0, 1.0))?, device.upload(&numbers(n * d, -1.0, 1.0))?);
    let columns = device.upload(&(0..n * d).map(|k| (k * 7919 % n) as u32).collect::<Vec<u32>>())?;
    let (mut y, mut gy) = (filled(device, n, 0.0)?, filled(device, n, 1.0)?);
    let there = time(device, || sparse_product::launch(device, n, &mut y, &x, &entries, &columns, d))?;
    row(&format!("sparse product, {n} rows of {d}"), there, "");
    let (mut gx, mut ge) = (device.shadow(&x)?, device.shadow(&entries)?);
    let back = time(device, || {
        sparse_product::launch_pullback(device, n, (&mut y, &mut gy), (&x, &mut gx), (&entries, &mut ge), &columns, d)
    })?;
    row(&format!("sparse product, {n} rows of {d}, pullback"), back, "");
    Ok(())
}

fn run(device: &Device, scale: usize) -> Result<(), Error> {
    println!("{device:?}");
    let (mut y, x) = (filled(device, 1000, 0.0)?, filled(device, 1000, 1.0)?);
    let start = Instant::now();
    add::launch(device, 1000, &mut y, &x)?;
    device.finish()?;
    row("first launch", start.elapsed().as_secs_f64() * 1e3, "with compiling, or from disk");
    let each = host(device, || add::launch(device, 1000, &mut y, &x))?;
    println!("{:44} {each:10.4} µs", "later launches, on the host");
    waves(device, 4096 / scale)?;
    waves(device, 512 / scale)?;
    trajectories(device, scale)?;
    for n in [10_000, 100_000, 1_000_000] {
        mixtures(device, n / scale)?;
    }
    products(device, (1 << 22) / scale)?;
    for n in [1_100_000, 9_100_000] {
        bundle_adjustment(device, n / scale)?;
        for stride in [1, 7919] {
            jacobian(device, n / scale, stride)?;
            jacobian_of_singles(device, n / scale, stride)?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let mut arguments = env::args().skip(1);
    let named = arguments.next().unwrap_or_else(|| "cpu".to_string());
    let scale = arguments.next().and_then(|scale| scale.parse().ok()).unwrap_or(1);
    let device = named.parse()?;
    run(&device, scale)
}
