//! Bundle adjustment: one run for each observation.

use retrograd::prelude::*;

use crate::programs::bundle_adjustment::residual;

/// Adds to `errors[i]` how far a camera sees a point from where it was seen: observation `i` is of point `seen[i].1` by camera `seen[i].0`.
///
/// ```
/// use lab_corpus::kernels::residuals;
///
/// let mut camera = [0.0; 11];
/// camera[6] = 2.0;
/// let mut errors = [[0.0; 2]];
/// residuals::over(1, &mut errors, &[camera], &[[3.0, 4.0, 2.0]], &[10.0], &[[2.5, 4.5]], &[(0, 0)]);
/// assert_eq!(errors, [[5.0, -5.0]]);
///
/// // The Jacobian: for each observation, two rows by its camera, its point and its weight.
/// let (mut by_camera, mut by_point, mut by_weight) = ([[[0.0; 11]; 2]], [[[0.0; 3]; 2]], [[0.0; 2]]);
/// let (c, p, w) = ((&[camera][..], &mut by_camera[..]), (&[[3.0, 4.0, 2.0]][..], &mut by_point[..]), (&[10.0][..], &mut by_weight[..]));
/// residuals::jacobian_over(1, &errors, c, p, w, &[[2.5, 4.5]], &[(0, 0)]);
/// assert_eq!(by_point, [[[10.0, 0.0, -15.0], [0.0, 10.0, -20.0]]]);
/// assert_eq!(by_weight, [[0.5, -0.5]]);
/// ```
#[reversible(kernel)]
pub fn residuals<T: Real>(
    #[index] i: usize,
    errors: &mut [[T; 2]],
    #[scatter] cameras: &[[T; 11]],
    #[scatter] points: &[[T; 3]],
    weights: &[T],
    #[constant] features: &[[T; 2]],
    seen: &[(u32, u32)],
) {
    let error: [T; 2] = residual(&cameras[seen[i].0 as usize], &points[seen[i].1 as usize], weights[i], &features[i]);
    errors[i][0] += error[0];
    errors[i][1] += error[1];
}
