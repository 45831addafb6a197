//! The residual of one observation, and its Jacobian by hand.

use super::Number;

/// The residual, as [`residual`](crate::programs::bundle_adjustment::residual()) has it.
#[inline]
pub fn residual<N: Number>(camera: &[N; 11], point: &[N; 3], weight: N, feature: &[f64; 2]) -> [N; 2] {
    let [rx, ry, rz, cx, cy, cz, focal, px, py, k1, k2] = *camera;
    let x = [point[0] - cx, point[1] - cy, point[2] - cz];
    let angle = (rx * rx + ry * ry + rz * rz + 1e-36).sqrt();
    let (sin, cos) = angle.sin_cos();
    let per_angle = N::constant(1.0) / angle;
    let axis = [rx * per_angle, ry * per_angle, rz * per_angle];
    let across = cross(axis, x);
    let along = dot(axis, x) * (-cos + 1.0);
    let turned = [
        x[0] * cos + across[0] * sin + axis[0] * along,
        x[1] * cos + across[1] * sin + axis[1] * along,
        x[2] * cos + across[2] * sin + axis[2] * along,
    ];
    let per_depth = N::constant(1.0) / turned[2];
    let image = [turned[0] * per_depth, turned[1] * per_depth];
    let radius = image[0] * image[0] + image[1] * image[1];
    let distortion = k1 * radius + k2 * radius * radius + 1.0;
    [
        weight * (image[0] * distortion * focal + px - feature[0]),
        weight * (image[1] * distortion * focal + py - feature[1]),
    ]
}

/// The inner product.
#[inline(always)]
fn dot<N: Number>(a: [N; 3], b: [N; 3]) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product.
#[inline(always)]
fn cross<N: Number>(a: [N; 3], b: [N; 3]) -> [N; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// What the way back needs from the way there.
struct Values {
    x: [f64; 3],
    sin: f64,
    cos: f64,
    per_angle: f64,
    axis: [f64; 3],
    across: [f64; 3],
    dot: f64,
    per_depth: f64,
    image: [f64; 2],
    radius: f64,
    distortion: f64,
}

impl Values {
    /// The way there.
    #[inline(always)]
    fn new(camera: &[f64; 11], point: &[f64; 3]) -> Values {
        let [rx, ry, rz, cx, cy, cz, _, _, _, k1, k2] = *camera;
        let x = [point[0] - cx, point[1] - cy, point[2] - cz];
        let angle = (rx * rx + ry * ry + rz * rz + 1e-36).sqrt();
        let (sin, cos) = angle.sin_cos();
        let per_angle = 1.0 / angle;
        let axis = [rx * per_angle, ry * per_angle, rz * per_angle];
        let across = cross(axis, x);
        let dot = dot(axis, x);
        let along = dot * (1.0 - cos);
        let turned = [
            x[0] * cos + across[0] * sin + axis[0] * along,
            x[1] * cos + across[1] * sin + axis[1] * along,
            x[2] * cos + across[2] * sin + axis[2] * along,
        ];
        let per_depth = 1.0 / turned[2];
        let image = [turned[0] * per_depth, turned[1] * per_depth];
        let radius = image[0] * image[0] + image[1] * image[1];
        let distortion = 1.0 + k1 * radius + k2 * radius * radius;
        Values { x, sin, cos, per_angle, axis, across, dot, per_depth, image, radius, distortion }
    }

    /// The way back of one residual: from the adjoints of both to those of camera, point and weight.
    #[inline(always)]
    fn pull(&self, camera: &[f64; 11], weight: f64, feature: &[f64; 2], seed: [f64; 2]) -> [f64; 15] {
        let Values { x, sin, cos, per_angle, axis, across, dot: along_axis, per_depth, image, radius, distortion } =
            *self;
        let [_, _, _, _, _, _, focal, px, py, k1, k2] = *camera;
        let g_weight = seed[0] * (image[0] * distortion * focal + px - feature[0])
            + seed[1] * (image[1] * distortion * focal + py - feature[1]);
        let g_error = [seed[0] * weight, seed[1] * weight];
        let g_scale = image[0] * g_error[0] + image[1] * g_error[1];
        let g_distortion = focal * g_scale;
        let g_radius = g_distortion * (k1 + 2.0 * k2 * radius);
        let scale = distortion * focal;
        let g_image = [scale * g_error[0] + 2.0 * image[0] * g_radius, scale * g_error[1] + 2.0 * image[1] * g_radius];
        let g_turned = [
            g_image[0] * per_depth,
            g_image[1] * per_depth,
            -(g_image[0] * image[0] + g_image[1] * image[1]) * per_depth,
        ];
        // Rodrigues' formula.
        let versine = 1.0 - cos;
        let g_along = dot(g_turned, axis);
        let g_dot = g_along * versine;
        let g_cos = dot(g_turned, x) - g_along * along_axis;
        let g_sin = dot(g_turned, across);
        let g_across = [g_turned[0] * sin, g_turned[1] * sin, g_turned[2] * sin];
        let (from_x, from_axis) = (cross(x, g_across), cross(g_across, axis));
        let along = along_axis * versine;
        let g_axis = [
            g_turned[0] * along + g_dot * x[0] + from_x[0],
            g_turned[1] * along + g_dot * x[1] + from_x[1],
            g_turned[2] * along + g_dot * x[2] + from_x[2],
        ];
        let g_x = [
            g_turned[0] * cos + g_dot * axis[0] + from_axis[0],
            g_turned[1] * cos + g_dot * axis[1] + from_axis[1],
            g_turned[2] * cos + g_dot * axis[2] + from_axis[2],
        ];
        // The axis is the rotation without its length, which is the angle.
        let g_length = g_sin * cos - g_cos * sin - dot(g_axis, axis) * per_angle;
        [
            g_axis[0] * per_angle + axis[0] * g_length,
            g_axis[1] * per_angle + axis[1] * g_length,
            g_axis[2] * per_angle + axis[2] * g_length,
            -g_x[0],
            -g_x[1],
            -g_x[2],
            distortion * g_scale,
            g_error[0],
            g_error[1],
            g_distortion * radius,
            g_distortion * radius * radius,
            g_x[0],
            g_x[1],
            g_x[2],
            g_weight,
        ]
    }
}

/// The adjoints of camera, point and weight, from those of the residual: one sweep there and back.
#[inline(never)]
pub fn pullback(camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2], seed: [f64; 2]) -> [f64; 15] {
    Values::new(camera, point).pull(camera, weight, feature, seed)
}

/// Both rows of the Jacobian, each by a sweep there and back.
#[inline]
pub fn jacobian_in_two_sweeps(camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]) -> [[f64; 15]; 2] {
    [pullback(camera, point, weight, feature, [1.0, 0.0]), pullback(camera, point, weight, feature, [0.0, 1.0])]
}

/// Both rows of the Jacobian: one way there, and both ways back.
///
/// ```
/// use lab_corpus::yardsticks::bundle_adjustment::{jacobian, jacobian_in_two_sweeps};
///
/// let (camera, point) = ([0.1; 11], [0.5, 0.4, 3.0]);
/// let by_one = jacobian(&camera, &point, 2.0, &[7.0, 8.0]);
/// assert_eq!(by_one, jacobian_in_two_sweeps(&camera, &point, 2.0, &[7.0, 8.0]));
/// ```
#[inline]
pub fn jacobian(camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]) -> [[f64; 15]; 2] {
    let values = Values::new(camera, point);
    [values.pull(camera, weight, feature, [1.0, 0.0]), values.pull(camera, weight, feature, [0.0, 1.0])]
}
