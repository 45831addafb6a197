//! The kernels of the lab on the devices that there are, against the CPU.

use lab_corpus::kernels::{henon_heiles, kepler, mixture, residuals, sparse_product, wave};
use retrograd::prelude::*;

use crate::devices::{self, Devices, agree, numbers};

fn pairs(n: usize, low: f64, high: f64) -> Vec<[f64; 2]> {
    numbers(2 * n, low, high).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

#[test]
fn trajectories_are_those_of_the_cpu() {
    let (devices, n) = (Devices::here(), 200);
    agree!(devices, henon_heiles(n), values 0.0, derivatives 1e-12,
        changed [q = pairs(n, -0.2, 0.2), p = pairs(n, -0.1, 0.1)] read [] numbers [] data [] rest [0.01, 1000]);
    agree!(devices, kepler(n), values 0.0, derivatives 1e-12,
        changed [q = pairs(n, 0.8, 1.0), p = pairs(n, 0.4, 0.5)] read [] numbers [] data [] rest [0.001, 1000]);
}

#[test]
fn waves_are_those_of_the_cpu() {
    let devices = Devices::here();
    for (n, width) in [(64, 8), (1000, 20), (1000, 1)] {
        agree!(devices, wave(n), values 0.0, derivatives 1e-14,
            changed [other = numbers(n, 0.0, 1.0)] read [u = numbers(n, -1.0, 1.0)] numbers []
            data [] rest [0.3, -1.0, width]);
    }
    // More elements than runs.
    agree!(devices, wave(500), values 0.0, derivatives 1e-14,
        changed [other = numbers(600, 0.0, 1.0)] read [u = numbers(700, -1.0, 1.0)] numbers []
        data [] rest [0.3, 1.0, 20]);
}

#[test]
fn mixtures_are_those_of_the_cpu() {
    let devices = Devices::here();
    for n in [1, 31, 100, 1500] {
        agree!(devices, mixture(n), values 1e-13, derivatives 1e-12,
            changed [y = numbers(n, 0.0, 1.0)]
            read [weights = numbers(25, -1.0, 0.0), means = numbers(250, -1.0, 1.0), scales = numbers(250, 0.5, 1.0), lower = numbers(1125, -0.1, 0.1)]
            numbers [] data [x = numbers(10 * n, -1.0, 1.0)] rest []);
    }
}

#[test]
fn bundle_adjustment_is_that_of_the_cpu() {
    let (devices, n) = (Devices::here(), 300);
    let cameras = || {
        let camera = |k: &f64| [0.1 * k, -0.2, 0.3, 0.5, 0.1 * k, -4.0, 1.5, 0.3, -0.2, 0.01, -0.002];
        numbers(7, 0.5, 1.0).iter().map(camera).collect::<Vec<[f64; 11]>>()
    };
    let points = || numbers(33, -0.5, 0.5).chunks_exact(3).map(|x| [x[0], x[1], 1.0 + x[2]]).collect::<Vec<[f64; 3]>>();
    let seen = || (0..n as u32).map(|k| (k % 7, k * k % 11)).collect::<Vec<(u32, u32)>>();
    for device in devices.iter() {
        agree!(@values device, over launch, residuals(n), 1e-14, false, [errors = pairs(n, 0.0, 1.0)]
            [cameras = cameras(), points = points(), weights = numbers(n, 0.5, 1.0)] []
            [features = pairs(n, 0.0, 1.0), seen = seen()] []);
        agree!(@adjoints device, pullback_over launch_pullback, residuals(n), 1e-12, true, [errors = pairs(n, 0.0, 1.0)]
            [cameras = cameras(), points = points(), weights = numbers(n, 0.5, 1.0)] []
            [features = pairs(n, 0.0, 1.0), seen = seen()] []);
    }
}

#[test]
fn jacobians_of_bundle_adjustment_are_those_of_the_cpu() {
    let (devices, n) = (Devices::here(), 300);
    let camera = |k: &f64| [0.1 * k, -0.2, 0.3, 0.5, 0.1 * k, -4.0, 1.5, 0.3, -0.2, 0.01, -0.002];
    let cameras: Vec<[f64; 11]> = numbers(7, 0.5, 1.0).iter().map(camera).collect();
    let points: Vec<[f64; 3]> = numbers(33, -0.5, 0.5).chunks_exact(3).map(|x| [x[0], x[1], 1.0 + x[2]]).collect();
    let seen: Vec<(u32, u32)> = (0..n as u32).map(|k| (k % 7, k * k % 11)).collect();
    let (errors, weights, features) = (pairs(n, 0.0, 1.0), numbers(n, 0.5, 1.0), pairs(n, 0.0, 1.0));
    let (mut by_camera, mut by_point) = (vec![[[0.0; 11]; 2]; n], vec![[[0.0; 3]; 2]; n]);
    let mut by_weight = vec![[0.0; 2]; n];
    let (c, p) = ((&cameras[..], &mut by_camera[..]), (&points[..], &mut by_point[..]));
    residuals::jacobian_over(n, &errors, c, p, (&weights, &mut by_weight), &features, &seen);
    for device in devices.iter() {
        let there = "there is room";
        let (e, f, s) = (device.upload(&errors), device.upload(&features), device.upload(&seen));
        let (c, p, w) = (device.upload(&cameras), device.upload(&points), device.upload(&weights));
        let mut found_c = device.upload(&vec![[[9.0; 11]; 2]; n]).expect(there);
        let mut found_p = device.upload(&vec![[[9.0; 3]; 2]; n]).expect(there);
        let mut found_w = device.upload(&vec![[9.0; 2]; n]).expect(there);
        let (c, p) = ((&c.expect(there), &mut found_c), (&p.expect(there), &mut found_p));
        let (f, s) = (f.expect(there), s.expect(there));
        residuals::launch_jacobian(device, n, &e.expect(there), c, p, (&w.expect(there), &mut found_w), &f, &s)
            .expect("it runs");
        let what = format!("on {device:?}");
        devices::close(&what, &found_c.download().expect(there).flatten(), &by_camera.flatten(), 1e-13);
        devices::close(&what, &found_p.download().expect(there).flatten(), &by_point.flatten(), 1e-13);
        devices::close(&what, &found_w.download().expect(there).flatten(), &by_weight.flatten(), 1e-13);
    }
}

#[test]
fn sparse_products_are_those_of_the_cpu() {
    let (devices, n, d) = (Devices::here(), 400, 5);
    agree!(devices, sparse_product(n), values 0.0, derivatives 1e-12,
        changed [y = numbers(n, 0.0, 1.0)] read [x = numbers(n, -1.0, 1.0), entries = numbers(n * d, -1.0, 1.0)]
        numbers [] data [columns = (0..(n * d) as u32).map(|k| k * k % n as u32).collect::<Vec<u32>>()] rest [d]);
}
