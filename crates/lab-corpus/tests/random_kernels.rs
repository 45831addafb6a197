//! Random kernels on devices: every run has the values of the CPU bit for bit, and its derivatives to rounding. Devices that are not there are
//! skipped.

#[path = "../../retrograd/tests/devices/mod.rs"]
mod devices;
#[path = "kernels/lab.rs"]
mod lab;

use retrograd::Direction;
use retrograd::kernel::{Device, Error};

/// How many runs there are: some threads of a group have none, and some rows of threads have several.
const RUNS: usize = 1100;

/// Some numbers between 0 and 1, in no order.
fn numbers(n: usize, shift: f64) -> Vec<f64> {
    (0..n).map(|k| ((k as f64 + 1.0) * 0.754_877_666_246_692_8 + shift).fract()).collect()
}

/// What a kernel changes, and what it only reads.
#[derive(Clone, Debug, PartialEq)]
struct Changed {
    x: Vec<f64>,
    y: Vec<f64>,
    k: Vec<i64>,
}

/// Derivatives of everything.
#[derive(Clone, Debug)]
struct Shadows {
    x: Vec<f64>,
    y: Vec<f64>,
    u: Vec<f64>,
    p: Vec<f64>,
    r: Vec<f64>,
    c: f64,
    s: f64,
}

struct Read {
    u: Vec<f64>,
    p: Vec<f64>,
    r: Vec<f64>,
    m: Vec<i64>,
    j: Vec<usize>,
}

const C: f64 = 0.4;
const S: f64 = 0.7;

fn changed() -> Changed {
    Changed { x: numbers(RUNS, 0.1), y: numbers(3 * RUNS, 0.2), k: (0..RUNS as i64).map(|k| k * k - 500).collect() }
}

fn read() -> Read {
    Read {
        u: numbers(RUNS, 0.3),
        p: numbers(5, 0.4),
        r: numbers(RUNS, 0.5),
        m: (0..RUNS as i64).map(|k| k * 7 % 5).collect(),
        j: (0..RUNS).map(|k| k * k % RUNS).collect(),
    }
}

fn shadows() -> Shadows {
    let shadow = |n, shift| numbers(n, shift).into_iter().map(|x| 2.0 * x - 1.0).collect();
    Shadows {
        x: shadow(RUNS, 0.15),
        y: shadow(3 * RUNS, 0.25),
        u: shadow(RUNS, 0.35),
        p: shadow(5, 0.45),
        r: shadow(RUNS, 0.55),
        c: 0.3,
        s: -0.2,
    }
}

fn close(what: &str, found: &[f64], expected: &[f64]) {
    let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!((a - b).abs() <= 1e-12 * size, "{what}: {a} instead of {b} at {i}, where the largest is {size}");
    }
}

fn devices() -> Vec<Device> {
    let found = [("OpenCL", Device::opencl(0)), ("CUDA", Device::cuda(0))];
    let there = found.into_iter().filter_map(|(kind, found)| match found {
        Ok(device) => Some(device),
        Err(error @ (Error::NoDriver { .. } | Error::NoSuchDevice { .. })) => {
            eprintln!("skipped: {kind}: {error}");
            None
        }
        Err(error) => panic!("{kind}: {error}"),
    });
    there.collect()
}

/// One kernel: in one direction on the CPU, as a loop over all indices, and on a device.
struct Runs {
    name: &'static str,
    on_cpu: fn(Direction, &mut Changed, &mut Shadows),
    on_device: fn(&Device, Direction, &mut Changed, &mut Shadows) -> Result<(), Error>,
}

macro_rules! agree {
    ($($module:ident::$kernel:ident)*) => {
        const KERNELS: &[Runs] = &[$(Runs {
            name: stringify!($kernel),
            on_cpu: |direction, changed, g| {
                use $module::$kernel as program;
                    let (Changed { x, y, k }, Read { u, p, r, m, j }) = (changed, &read());
                    let n = RUNS;
                    match direction {
                        Direction::Inverse => program::uncall_over(n, x, y, k, u, p, r, C, S, m, j, n),
                        Direction::Pullback => program::pullback_over(n, (x, &mut g.x), (y, &mut g.y), k, (u, &mut g.u), (p, &mut g.p), (r, &mut g.r), (C, &mut g.c), (S, &mut g.s), m, j, n),
                        Direction::Unpullback => program::unpullback_over(n, (x, &mut g.x), (y, &mut g.y), k, (u, &mut g.u), (p, &mut g.p), (r, &mut g.r), (C, &mut g.c), (S, &mut g.s), m, j, n),
                        Direction::Pushforward => program::pushforward_over(n, (x, &mut g.x), (y, &mut g.y), k, (u, &g.u), (p, &g.p), (r, &g.r), (C, g.c), (S, g.s), m, j, n),
                        Direction::Unpushforward => program::unpushforward_over(n, (x, &mut g.x), (y, &mut g.y), k, (u, &g.u), (p, &g.p), (r, &g.r), (C, g.c), (S, g.s), m, j, n),
                        _ => program::over(n, x, y, k, u, p, r, C, S, m, j, n),
                    }
            },
            on_device: |d, direction, changed, g| {
                use $module::$kernel as program;
                    let (n, read) = (RUNS, read());
                    let (mut x, mut y, mut k) = (d.upload(&changed.x)?, d.upload(&changed.y)?, d.upload(&changed.k)?);
                    let (u, p, r) = (d.upload(&read.u)?, d.upload(&read.p)?, d.upload(&read.r)?);
                    let (m, j) = (d.upload(&read.m)?, d.upload(&read.j)?);
                    let (mut gx, mut gy) = (d.upload(&g.x)?, d.upload(&g.y)?);
                    let (mut gu, mut gp, mut gr) = (d.upload(&g.u)?, d.upload(&g.p)?, d.upload(&g.r)?);
                    match direction {
                        Direction::Inverse => program::launch_uncall(d, n, &mut x, &mut y, &mut k, &u, &p, &r, C, S, &m, &j, n)?,
                        Direction::Pullback => program::launch_pullback(d, n, (&mut x, &mut gx), (&mut y, &mut gy), &mut k, (&u, &mut gu), (&p, &mut gp), (&r, &mut gr), (C, &mut g.c), (S, &mut g.s), &m, &j, n)?,
                        Direction::Unpullback => program::launch_unpullback(d, n, (&mut x, &mut gx), (&mut y, &mut gy), &mut k, (&u, &mut gu), (&p, &mut gp), (&r, &mut gr), (C, &mut g.c), (S, &mut g.s), &m, &j, n)?,
                        Direction::Pushforward => program::launch_pushforward(d, n, (&mut x, &mut gx), (&mut y, &mut gy), &mut k, (&u, &gu), (&p, &gp), (&r, &gr), (C, g.c), (S, g.s), &m, &j, n)?,
                        Direction::Unpushforward => program::launch_unpushforward(d, n, (&mut x, &mut gx), (&mut y, &mut gy), &mut k, (&u, &gu), (&p, &gp), (&r, &gr), (C, g.c), (S, g.s), &m, &j, n)?,
                        _ => program::launch(d, n, &mut x, &mut y, &mut k, &u, &p, &r, C, S, &m, &j, n)?,
                    }
                    *changed = Changed { x: x.download()?, y: y.download()?, k: k.download()? };
                    (g.x, g.y) = (gx.download()?, gy.download()?);
                    (g.u, g.p, g.r) = (gu.download()?, gp.download()?, gr.download()?);
                    Ok(())
            },
        }),*];
    };
}

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

#[test]
fn random_kernels_are_on_devices_what_they_are_on_the_cpu() {
    let devices = devices();
    for kernel in KERNELS {
        for direction in [
            Direction::Forward,
            Direction::Inverse,
            Direction::Pullback,
            Direction::Unpullback,
            Direction::Pushforward,
            Direction::Unpushforward,
        ] {
            let what = format!("{}, {direction:?}", kernel.name);
            let (mut expected, mut slopes) = (changed(), shadows());
            (kernel.on_cpu)(direction, &mut expected, &mut slopes);
            for device in &devices {
                let what = format!("{what}, on {device:?}");
                let (mut found, mut g) = (changed(), shadows());
                let run = (kernel.on_device)(device, direction, &mut found, &mut g);
                run.unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_eq!(found, expected, "{what}");
                let pairs =
                    [(&g.x, &slopes.x), (&g.y, &slopes.y), (&g.u, &slopes.u), (&g.p, &slopes.p), (&g.r, &slopes.r)];
                for (name, (found, expected)) in ["x", "y", "u", "p", "r"].iter().zip(pairs) {
                    close(&format!("{what}, {name}"), found, expected);
                }
                close(&format!("{what}, scalars"), &[g.c, g.s], &[slopes.c, slopes.s]);
            }
        }
    }
}
