//! A damped pendulum that is driven, as one would write it anywhere: with `=`, a `while` loop and a limit to its speed. From where it
//! was seen, gradients find its friction and its drive.
//!
//! cargo run --release -p retrograd --example driven_pendulum

use retrograd::Record;
use retrograd::prelude::*;

/// Angle after `duration` seconds.
#[reversible(record)]
fn angle_after(friction: f64, drive: f64, #[constant] duration: f64) -> f64 {
    let mut angle = 0.2;
    let mut speed = 0.0;
    let mut time = 0.0;
    while time < duration {
        let push = drive * (0.7 * time).cos();
        speed = (1.0 - 0.01 * friction) * speed + 0.01 * (push - angle.sin());
        if speed > 0.7 {
            speed = 0.7;
        }
        angle += 0.01 * speed;
        time += 0.01;
    }
    angle
}

/// What was seen: times, and angles at these times.
type Seen<'a> = &'a [(f64, f64)];

/// A step by the method of Gauss and Newton, for the two unknowns. Returns the sum of the squared errors before it.
fn improve(record: &mut Record, friction: &mut f64, drive: &mut f64, seen: Seen) -> f64 {
    // The normal equations: a matrix [[a, b], [b, c]], and the right-hand side [p, q].
    let (mut a, mut b, mut c, mut p, mut q, mut loss) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for &(time, angle) in seen {
        let (found, by_friction, by_drive) = angle_after::gradient_in(record, *friction, *drive, time);
        let error = found - angle;
        a += by_friction * by_friction;
        b += by_friction * by_drive;
        c += by_drive * by_drive;
        p += by_friction * error;
        q += by_drive * error;
        loss += error * error;
    }
    let determinant = a * c - b * b;
    *friction -= (c * p - b * q) / determinant;
    *drive -= (a * q - b * p) / determinant;
    loss
}

fn main() {
    let times = (1..=20).map(|i| 0.5 * f64::from(i));
    let seen: Vec<(f64, f64)> = times.map(|time| (time, angle_after(0.5, 0.8, time))).collect();

    // One record for all gradients: it has all the memory it needs after the longest of them.
    let mut record = Record::new();
    let (mut friction, mut drive) = (0.4, 0.7);
    for step in 1..=5 {
        let loss = improve(&mut record, &mut friction, &mut drive, &seen);
        println!("step {step}: friction {friction:.9}, drive {drive:.9}, squared errors before it {loss:.3e}");
    }
    println!("the longest run takes a thousand steps, for which the record had {} bytes", record.peak_bytes());

    assert!((friction - 0.5).abs() < 1e-9 && (drive - 0.8).abs() < 1e-9);
    assert_eq!(record.bytes(), 0);
}
