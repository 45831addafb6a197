//! The Jacobians of many observations, several of them at a time.

use retrograd::lanes::{Holds, InstructionSet, Instructions, Kernel, run, run_each};
use retrograd::{Lanes, Seeds};

use super::residual;

/// Both rows of a Jacobian: by the camera (0 to 10), the point (11 to 13) and the weight.
pub type Rows = [[f64; 15]; 2];

/// The Jacobian of the residual of every observation. Observation `i` is of point `seen[i].1` by camera `seen[i].0`.
///
/// ```
/// use lab_corpus::programs::bundle_adjustment::jacobians;
///
/// let mut camera = [0.0; 11];
/// camera[6] = 2.0;
/// let rows = jacobians(&[camera], &[[3.0, 4.0, 2.0]], &[10.0], &[[2.5, 4.5]], &[(0, 0)]);
/// // By the weight, it is the error; by the principal point, the weight.
/// assert_eq!((rows[0][0][14], rows[0][1][14]), (0.5, -0.5));
/// assert_eq!((rows[0][0][7], rows[0][0][8], rows[0][1][8]), (10.0, 0.0, 10.0));
/// ```
///
/// # Panics
///
/// If there is a camera or a point that was not given, or not one weight and one feature for each observation.
pub fn jacobians(
    cameras: &[[f64; 11]],
    points: &[[f64; 3]],
    weights: &[f64],
    features: &[[f64; 2]],
    seen: &[(usize, usize)],
) -> Vec<Rows> {
    let mut rows = vec![[[0.0; 15]; 2]; seen.len()];
    write_jacobians(&mut rows, cameras, points, weights, features, seen);
    rows
}

/// [`jacobians()`] into a place that is there already.
pub fn write_jacobians(
    rows: &mut [Rows],
    cameras: &[[f64; 11]],
    points: &[[f64; 3]],
    weights: &[f64],
    features: &[[f64; 2]],
    seen: &[(usize, usize)],
) {
    assert_eq!(weights.len(), seen.len(), "weights and observations");
    assert_eq!(features.len(), seen.len(), "features and observations");
    assert_eq!(rows.len(), seen.len(), "Jacobians and observations");
    if seen.len() <= PIECE {
        return run(Jacobians { cameras, points, weights, features, seen, rows });
    }
    let each = rows.chunks_mut(PIECE).zip(seen.chunks(PIECE)).zip(weights.chunks(PIECE).zip(features.chunks(PIECE)));
    let piece = |((rows, seen), (weights, features))| Jacobians { cameras, points, weights, features, seen, rows };
    run_each(each.map(piece).collect());
}

/// How many observations a thread takes at a time.
const PIECE: usize = 2048;

struct Jacobians<'a> {
    cameras: &'a [[f64; 11]],
    points: &'a [[f64; 3]],
    weights: &'a [f64],
    features: &'a [[f64; 2]],
    seen: &'a [(usize, usize)],
    rows: &'a mut [Rows],
}

impl Kernel for Jacobians<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: InstructionSet>(self) {
        // One register for each number: there are many of them, and all are needed up to the end.
        match I::NAME {
            Instructions::Avx2 => self.in_lanes::<4, I>(),
            _ => self.in_lanes::<8, I>(),
        }
    }
}

impl Jacobians<'_> {
    /// `W` observations at a time, and those that are left one by one.
    #[inline(always)]
    fn in_lanes<const W: usize, I: Holds<f64, W>>(self) {
        let Jacobians { cameras, points, weights, features, seen, rows } = self;
        let (seen, last_seen) = seen.as_chunks::<W>();
        let (weights, last_weights) = weights.as_chunks::<W>();
        let (features, last_features) = features.as_chunks::<W>();
        let (rows, last_rows) = rows.as_chunks_mut::<W>();
        for i in 0..seen.len() {
            together::<W, I>(cameras, points, &weights[i], &features[i], &seen[i], &mut rows[i]);
        }
        for i in 0..last_seen.len() {
            let (camera, point) = (&cameras[last_seen[i].0], &points[last_seen[i].1]);
            last_rows[i] = alone(camera, point, last_weights[i], &last_features[i]);
        }
    }
}

/// The Jacobians of as many observations as there are lanes.
#[inline(always)]
fn together<const W: usize, I: Holds<f64, W>>(
    cameras: &[[f64; 11]],
    points: &[[f64; 3]],
    weights: &[f64; W],
    features: &[[f64; 2]; W],
    seen: &[(usize, usize); W],
    rows: &mut [Rows; W],
) {
    let mut rows_of_camera = [&cameras[seen[0].0]; W];
    let mut rows_of_point = [&points[seen[0].1]; W];
    for i in 1..W {
        rows_of_camera[i] = &cameras[seen[i].0];
        rows_of_point[i] = &points[seen[i].1];
    }
    let camera = Lanes::<f64, W, I>::gather(rows_of_camera);
    let point = Lanes::<f64, W, I>::gather(rows_of_point);
    let feature = Lanes::<f64, W, I>::gather(features.each_ref());
    let weight = Lanes::<f64, W, I>::from_array(*weights);
    let (zero, one) = (Lanes::<f64, W, I>::splat(0.0), Lanes::<f64, W, I>::splat(1.0));
    let none = Seeds([zero, zero]);
    let (mut of_camera, mut of_point, mut of_weight) = ([none; 11], [none; 3], none);
    let seeds = [Seeds([one, zero]), Seeds([zero, one])];
    residual::pullback((&camera, &mut of_camera), (&point, &mut of_point), (weight, &mut of_weight), &feature, seeds);
    // Both rows of an observation stand one behind the other.
    let mut both = [zero; 30];
    for k in 0..2 {
        for j in 0..11 {
            both[15 * k + j] = of_camera[j].0[k];
        }
        for j in 0..3 {
            both[15 * k + 11 + j] = of_point[j].0[k];
        }
        both[15 * k + 14] = of_weight.0[k];
    }
    Lanes::scatter(&both, rows.each_mut().map(flat));
}

/// Both rows of a Jacobian as one.
#[inline(always)]
fn flat(rows: &mut Rows) -> &mut [f64; 30] {
    rows.as_flattened_mut().try_into().expect("two rows of fifteen")
}

/// The Jacobian of one observation.
#[inline(always)]
pub fn alone(camera: &[f64; 11], point: &[f64; 3], weight: f64, feature: &[f64; 2]) -> Rows {
    type Both = Seeds<f64, 2>;
    let (mut of_camera, mut of_point, mut of_weight) = ([Both::default(); 11], [Both::default(); 3], Both::default());
    let (camera, point, weight) = ((camera, &mut of_camera), (point, &mut of_point), (weight, &mut of_weight));
    residual::pullback(camera, point, weight, feature, [Seeds::basis(0), Seeds::basis(1)]);
    let mut rows = [[0.0; 15]; 2];
    for (k, row) in rows.iter_mut().enumerate() {
        for (g, seeds) in row.iter_mut().zip(of_camera.iter().chain(&of_point).chain([&of_weight])) {
            *g = seeds[k];
        }
    }
    rows
}
