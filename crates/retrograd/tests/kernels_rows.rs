//! Jacobians of kernels: row by row they are what the pullback of one run adds, on all devices, and they leave the arguments as they are.

#![cfg(all(feature = "opencl", feature = "cuda"))]

mod devices;

use devices::{Devices, agree, close, numbers};
use retrograd::kernel::{Error, Language};
use retrograd::prelude::*;

/// One element of each slice, at places that depend on data, a number that all runs share, and what no derivative flows through.
#[reversible(kernel)]
fn observe<T: Real>(
    #[index] i: usize,
    errors: &mut [[T; 2]],
    #[scatter] cameras: &[[T; 3]],
    weights: &[T],
    scale: T,
    shift: &[T; 2],
    #[constant] features: &[[T; 2]],
    seen: &[(u32, bool)],
) {
    let camera = seen[i].0 as usize;
    let depth = cameras[camera][2] * weights[i] + scale;
    if seen[i].1 {
        errors[i][0] += (cameras[camera][0].sin() / depth - features[i][0]) * weights[i];
    }
    errors[i][1] -= cameras[camera][1] * depth.exp() * shift[1] + features[i][1] * shift[0];
}

/// Neighbours, some of which are not there, and a row; what is changed has a part in its derivatives.
#[reversible(kernel)]
fn relax(#[index] i: usize, y: &mut [f64], pairs: &mut [(f64, [f64; 2])], hash: &mut [u32], u: &[f64], rows: &[f64]) {
    hash[i] ^= 5;
    let mut sum = 0.0;
    for k in 0..3 {
        sum += rows[i * 3 + k] * rows[i * 3];
    }
    if i > 0 && i + 1 < y.len() {
        y[i] += u[i - 1] * u[i + 1] + pairs[i].0 * u[i];
    }
    y[i] *= 1.0 + sum * sum;
    pairs[i].0 += sum;
    pairs[i].1[1] -= sum * y[i];
    pairs[i].1[0] *= 1.5 + u[i] * u[i];
}

/// Rows that are longer than what lanes put together at a time.
#[reversible(kernel)]
fn wide(#[index] i: usize, y: &mut [[f64; 3]], x: &[[f64; 31]]) {
    for k in 0..31 {
        for j in 0..3 {
            y[i][j] += x[i][k] * x[i][k] * x[i][j];
        }
    }
}

fn cameras<T: Real>(n: usize) -> Vec<[T; 3]> {
    let number = |x: &f64| T::lit(*x);
    numbers(3 * n, 0.5, 1.0).chunks_exact(3).map(|x| [number(&x[0]), number(&x[1]), number(&x[2])]).collect()
}

fn twos<T: Real>(n: usize, low: f64) -> Vec<[T; 2]> {
    numbers(2 * n, low, 1.0).chunks_exact(2).map(|x| [T::lit(x[0]), T::lit(x[1])]).collect()
}

macro_rules! observations {
    ($name:ident, $number:ty, $tolerance:expr) => {
        #[test]
        fn $name() -> Result<(), Error> {
            for device in Devices::here().iter() {
                for n in [1, 31, 100, 1000] {
                    let (errors, cameras, features) = (twos::<$number>(n, 0.0), cameras::<$number>(7), twos(n, -1.0));
                    let weights: Vec<$number> = numbers(n, 0.2, 0.9).into_iter().map(|x| x as $number).collect();
                    let seen: Vec<(u32, bool)> = (0..n as u32).map(|k| (k * k % 7, k % 3 > 0)).collect();
                    let (scale, shift) = (0.4, [0.2, -0.3]);
                    let (e, c, w) = (device.upload(&errors)?, device.upload(&cameras)?, device.upload(&weights)?);
                    let (f, s) = (device.upload(&features)?, device.upload(&seen)?);
                    let mut by_c = device.upload(&vec![[[9.0; 3]; 2]; n])?;
                    let mut by_w = device.upload(&vec![[9.0; 2]; n])?;
                    let mut by_scale = device.upload(&vec![[9.0; 2]; n])?;
                    let mut by_shift = device.upload(&vec![[[9.0; 2]; 2]; n])?;
                    let (c, w, t) = ((&c, &mut by_c), (&w, &mut by_w), (&shift, &mut by_shift));
                    observe::launch_jacobian(device, n, &e, c, w, (scale, &mut by_scale), t, &f, &s)?;
                    assert_eq!(e.download()?, errors);
                    let (by_c, by_w) = (by_c.download()?, by_w.download()?);
                    let (by_scale, by_shift) = (by_scale.download()?, by_shift.download()?);
                    for (i, row) in (0..n).flat_map(|i| [(i, 0), (i, 1)]) {
                        let (mut e, mut ge) = (errors.clone(), vec![[0.0; 2]; n]);
                        ge[i][row] = 1.0;
                        let (mut gc, mut gw, mut gs, mut gt) = ([[0.0; 3]; 7], vec![0.0; n], 0.0, [0.0; 2]);
                        let (c, w, t) = ((&cameras[..], &mut gc[..]), (&weights[..], &mut gw[..]), (&shift, &mut gt));
                        observe::pullback(i, (&mut e, &mut ge), c, w, (scale, &mut gs), t, &features, &seen);
                        let what = format!("row {row} of run {i} of {n} on {device:?}");
                        close(&what, &by_c[i][row], &gc[seen[i].0 as usize], $tolerance);
                        close(&what, &[by_w[i][row], by_scale[i][row]], &[gw[i], gs], $tolerance);
                        close(&what, &by_shift[i][row], &gt, $tolerance);
                    }
                }
            }
            Ok(())
        }
    };
}

observations!(rows_are_pullbacks_of_one_run, f64, 1e-14);
observations!(rows_of_single_precision_too, f32, 1e-5);

#[test]
fn what_is_changed_counts_as_the_kernel_has_left_it() -> Result<(), Error> {
    for device in Devices::here().iter() {
        let n = 70;
        let pairs: Vec<(f64, [f64; 2])> =
            numbers(3 * n, 0.2, 1.0).chunks_exact(3).map(|x| (x[0], [x[1], x[2]])).collect();
        let (y, hash, u, rows) = (numbers(n, 0.5, 1.5), vec![3; n], numbers(n, -1.0, 1.0), numbers(3 * n, 0.0, 1.0));
        let (by, bp, bh) = (device.upload(&y)?, device.upload(&pairs)?, device.upload(&hash)?);
        let (bu, br) = (device.upload(&u)?, device.upload(&rows)?);
        let (mut by_u, mut by_rows) =
            (device.upload(&vec![[[9.0; 3]; 4]; n])?, device.upload(&vec![[[9.0; 3]; 4]; n])?);
        relax::launch_jacobian(device, n, &by, &bp, &bh, (&bu, &mut by_u), (&br, &mut by_rows))?;
        assert_eq!((by.download()?, bp.download()?, bh.download()?), (y.clone(), pairs.clone(), hash.clone()));
        let (by_u, by_rows) = (by_u.download()?, by_rows.download()?);
        for (i, row) in (0..n).flat_map(|i| (0..4).map(move |row| (i, row))) {
            let (mut gy, mut gp) = (vec![0.0; n], vec![(0.0, [0.0; 2]); n]);
            match row {
                0 => gy[i] = 1.0,
                1 => gp[i].0 = 1.0,
                _ => gp[i].1[row - 2] = 1.0,
            }
            let (mut y, mut p, mut h) = (y.clone(), pairs.clone(), hash.clone());
            let (mut gu, mut gr) = (vec![0.0; n], vec![0.0; 3 * n]);
            relax::pullback(i, (&mut y, &mut gy), (&mut p, &mut gp), &mut h, (&u, &mut gu), (&rows, &mut gr));
            let around = [if i > 0 { gu[i - 1] } else { 0.0 }, if i + 1 < n { gu[i + 1] } else { 0.0 }, gu[i]];
            let what = format!("row {row} of run {i} on {device:?}");
            close(&what, &by_u[i][row], &around, 1e-13);
            close(&what, &by_rows[i][row], &gr[3 * i..3 * i + 3], 1e-13);
        }
    }
    Ok(())
}

#[test]
fn rows_may_be_long() -> Result<(), Error> {
    for device in Devices::here().iter() {
        for n in [33, 64, 200] {
            let x: Vec<[f64; 31]> =
                numbers(31 * n, -1.0, 1.0).chunks_exact(31).map(|x| std::array::from_fn(|k| x[k])).collect();
            let (y, bx) = (device.upload(&vec![[0.0; 3]; n])?, device.upload(&x)?);
            let mut by_x = device.upload(&vec![[[9.0; 31]; 3]; n])?;
            wide::launch_jacobian(device, n, &y, (&bx, &mut by_x))?;
            for (i, rows) in by_x.download()?.iter().enumerate() {
                let squares: f64 = x[i].iter().map(|x| x * x).sum();
                for (j, row) in rows.iter().enumerate() {
                    let expected: [f64; 31] =
                        std::array::from_fn(|k| 2.0 * x[i][k] * x[i][j] + if k == j { squares } else { 0.0 });
                    close(&format!("row {j} of run {i} of {n} on {device:?}"), row, &expected, 1e-13);
                }
            }
        }
    }
    Ok(())
}

#[test]
fn the_other_runs_are_those_of_the_cpu() {
    let (devices, n) = (Devices::here(), 40);
    let x = || {
        numbers(31 * n, -1.0, 1.0).chunks_exact(31).map(|x| std::array::from_fn(|k| x[k])).collect::<Vec<[f64; 31]>>()
    };
    agree!(devices, wide(n), values 0.0, derivatives 1e-12,
        changed [y = vec![[0.5; 3]; n]] read [x = x()] numbers [] data [] rest []);
}

#[test]
fn what_does_not_fit_is_an_error() -> Result<(), Error> {
    for device in Devices::here().iter() {
        let (y, x) = (device.upload(&[[0.0; 3]; 2])?, device.upload(&[[1.0; 31]; 2])?);
        let mut rows = device.upload(&[[[7.0; 31]; 3]; 3])?;
        let error = wide::launch_jacobian(device, 2, &y, (&x, &mut rows)).expect_err("there are rows of three runs");
        assert_eq!(error, Error::Length { argument: "x", expected: 2, found: 3 });
        assert_eq!(rows.download()?, vec![[[7.0; 31]; 3]; 3]);
        // There are no elements for the third run.
        let run = wide::launch_jacobian(device, 3, &y, (&x, &mut rows)).and_then(|()| device.finish());
        let error = run.expect_err("there is no third element");
        assert!(matches!(error, Error::OutOfBounds(_) | Error::Panic { .. }), "{error}");
        // No runs, no rows.
        let mut none = device.upload(&[[[7.0; 31]; 3]; 0])?;
        wide::launch_jacobian(device, 0, &y, (&x, &mut none))?;
    }
    Ok(())
}

#[test]
fn the_text_stores_rows() {
    let text = wide::jacobian_source(Language::Cuda).expect("it can be written");
    assert!(text.contains("STORE_ROWS(array_array_shadow_31_3, rows_x, i, all_x);"), "{text}");
    assert!(!text.contains("atomic_sum(&"), "{text}");
}
