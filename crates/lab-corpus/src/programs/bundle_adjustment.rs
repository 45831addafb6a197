//! Bundle adjustment: how far the points that cameras see are from where they were seen.
//!
//! The formulas are those of the benchmark suite ADBench. A camera is eleven numbers: its rotation as a vector (0 to 2),
//! its centre (3 to 5), focal length (6), principal point (7 and 8) and radial distortion (9 and 10).

mod in_lanes;

pub use in_lanes::{Rows, alone, jacobians, write_jacobians};

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// How far a camera sees a point from where it was seen, `feature`, in both directions of the image and times `weight`.
///
/// The camera turns the point by Rodrigues' formula, projects it, and bends the image by its distortion. No rotation at
/// all is an ordinary case: the square of the angle never is quite zero, so that the axis has a value.
///
/// ```
/// use lab_corpus::programs::bundle_adjustment::residual;
///
/// let mut camera = [0.0; 11];
/// camera[6] = 2.0;
/// assert_eq!(residual(&camera, &[3.0, 4.0, 2.0], 10.0, &[2.5, 4.5]), [5.0, -5.0]);
/// ```
#[reversible]
#[inline(always)]
pub fn residual<T: Real>(camera: &[T; 11], point: &[T; 3], weight: T, #[constant] feature: &[T; 2]) -> [T; 2] {
    let x = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
    let square = camera[0] * camera[0] + camera[1] * camera[1] + camera[2] * camera[2] + 1e-36;
    let angle = square.sqrt();
    let (sin, cos) = angle.sin_cos();
    let per_angle = 1.0 / angle;
    let axis = [camera[0] * per_angle, camera[1] * per_angle, camera[2] * per_angle];
    let across = [axis[1] * x[2] - axis[2] * x[1], axis[2] * x[0] - axis[0] * x[2], axis[0] * x[1] - axis[1] * x[0]];
    let along = (axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2]) * (1.0 - cos);
    let turned = [
        x[0] * cos + across[0] * sin + axis[0] * along,
        x[1] * cos + across[1] * sin + axis[1] * along,
        x[2] * cos + across[2] * sin + axis[2] * along,
    ];
    let per_depth = 1.0 / turned[2];
    let image = [turned[0] * per_depth, turned[1] * per_depth];
    let radius = image[0] * image[0] + image[1] * image[1];
    let distortion = 1.0 + camera[9] * radius + camera[10] * radius * radius;
    [
        weight * (image[0] * distortion * camera[6] + camera[7] - feature[0]),
        weight * (image[1] * distortion * camera[6] + camera[8] - feature[1]),
    ]
}

/// The inner product of two vectors.
#[reversible]
fn dot<T: Real>(a: &[T; 3], b: &[T; 3]) -> T {
    let mut sum = T::zero();
    for i in 0..3 {
        sum += a[i] * b[i];
    }
    sum
}

/// The vector product of two vectors.
#[reversible]
fn cross<T: Real>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector `x`, turned about the vector `by` and by as much as it is long.
#[reversible]
fn turned<T: Real>(by: &[T; 3], x: &[T; 3]) -> [T; 3] {
    let angle = (dot(by, by) + 1e-36).sqrt();
    let (sin, cos) = angle.sin_cos();
    let axis = [by[0] / angle, by[1] / angle, by[2] / angle];
    let across = cross(&axis, x);
    let along = dot(&axis, x) * (1.0 - cos);
    let mut y = [T::zero(); 3];
    for i in 0..3 {
        y[i] += x[i] * cos + across[i] * sin + axis[i] * along;
    }
    y
}

/// The same as [`residual()`], written in parts: with functions for what has a name, and loops.
///
/// ```
/// use lab_corpus::programs::bundle_adjustment::residual_in_parts;
///
/// let mut camera = [0.0; 11];
/// camera[6] = 2.0;
/// assert_eq!(residual_in_parts(&camera, &[3.0, 4.0, 2.0], 10.0, &[2.5, 4.5]), [5.0, -5.0]);
/// ```
#[reversible]
pub fn residual_in_parts<T: Real>(camera: &[T; 11], point: &[T; 3], weight: T, #[constant] feature: &[T; 2]) -> [T; 2] {
    let rotation = [camera[0], camera[1], camera[2]];
    let mut x = *point;
    for i in 0..3 {
        x[i] -= camera[3 + i];
    }
    let y = turned(&rotation, &x);
    let image = [y[0] / y[2], y[1] / y[2]];
    let radius = image[0].square() + image[1].square();
    let distortion = 1.0 + camera[9] * radius + camera[10] * radius.square();
    let mut error = [T::zero(); 2];
    for i in 0..2 {
        error[i] += weight * (image[i] * distortion * camera[6] + camera[7 + i] - feature[i]);
    }
    error
}

/// Adds the residual of every observation to `errors`. Observation `i` is of point `seen[i].1` by camera `seen[i].0`.
///
/// ```
/// use lab_corpus::programs::bundle_adjustment::bundle_adjustment;
///
/// let mut camera = [0.0; 11];
/// camera[6] = 2.0;
/// let mut errors = [[0.0; 2]];
/// bundle_adjustment(&mut errors, &[camera], &[[3.0, 4.0, 2.0]], &[10.0], &[[2.5, 4.5]], &[(0, 0)]);
/// assert_eq!(errors, [[5.0, -5.0]]);
/// bundle_adjustment::uncall(&mut errors, &[camera], &[[3.0, 4.0, 2.0]], &[10.0], &[[2.5, 4.5]], &[(0, 0)]);
/// assert_eq!(errors, [[0.0, 0.0]]);
/// ```
#[reversible]
pub fn bundle_adjustment<T: Real>(
    errors: &mut [[T; 2]],
    cameras: &[[T; 11]],
    points: &[[T; 3]],
    weights: &[T],
    #[constant] features: &[[T; 2]],
    seen: &[(usize, usize)],
) {
    for i in 0..errors.len() {
        let error = residual(&cameras[seen[i].0], &points[seen[i].1], weights[i], &features[i]);
        errors[i][0] += error[0];
        errors[i][1] += error[1];
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "bundle_adjustment",
    about: "adds how far cameras see points from where they were seen",
    source: bundle_adjustment::source,
    demo: || {
        let cameras = [
            [0.1, -0.2, 0.3, 0.5, 0.1, -4.0, 500.0, 3.0, -2.0, 0.01, -0.002],
            [0.0, 0.4, 0.0, -0.5, 0.2, -5.0, 480.0, 1.0, 2.0, 0.02, 0.001],
        ];
        let points = [[0.3, -0.4, 1.0]];
        let (weights, features, seen) = ([1.0, 0.5], [[40.0, -90.0], [230.0, -50.0]], [(0, 0), (1, 0)]);
        Demo::new(
            [[0.0; 2]; 2],
            |errors: &mut [[f64; 2]; 2]| {
                bundle_adjustment(errors, &cameras, &points, &weights, &features, &seen);
            },
            |errors| bundle_adjustment::uncall(errors, &cameras, &points, &weights, &features, &seen),
            |errors| format!("errors = {:?}", errors.map(|error| rounded(&error))),
        )
    },
};
