//! The loss of an embedding of the Petersen graph, and its gradient by hand.

use super::Number;
use crate::programs::graph_embedding::{EDGES, OTHERS};

/// The mean distance of some pairs of points, and the variance of their distances.
#[inline]
fn spread<N: Number, const K: usize>(x: &[[N; K]], pairs: &[(usize, usize)]) -> (N, N) {
    let (mut sum, mut sum_of_squares) = (N::constant(0.0), N::constant(0.0));
    for &(i, j) in pairs {
        let mut square = N::constant(0.0);
        for (&a, &b) in x[i].iter().zip(&x[j]) {
            let difference = a - b;
            square = square + difference * difference;
        }
        sum = sum + square.sqrt();
        sum_of_squares = sum_of_squares + square;
    }
    let n = pairs.len() as f64;
    (sum / n, (sum_of_squares - sum * sum / n) / (n - 1.0))
}

/// The loss, as [`embedding_loss`](crate::programs::graph_embedding::embedding_loss()) has it.
#[inline]
pub fn loss<N: Number, const K: usize>(x: &[[N; K]; 10]) -> N {
    let (near, near_variance) = spread(x, &EDGES);
    let (far, far_variance) = spread(x, &OTHERS);
    let excess = near - far + 0.1;
    let punishment = if excess.value() > 0.0 { excess.exp() - 1.0 } else { N::constant(0.0) };
    near_variance + far_variance + punishment
}

/// The distances of some pairs, their sum, and the sum of their squares.
#[inline(always)]
fn distances<const K: usize, const P: usize>(x: &[[f64; K]; 10], pairs: &[(usize, usize); P]) -> ([f64; P], f64, f64) {
    let (mut distances, mut sum, mut sum_of_squares) = ([0.0; P], 0.0, 0.0);
    for (distance, &(i, j)) in distances.iter_mut().zip(pairs) {
        let square: f64 = (0..K).map(|c| (x[i][c] - x[j][c]) * (x[i][c] - x[j][c])).sum();
        *distance = square.sqrt();
        sum += *distance;
        sum_of_squares += square;
    }
    (distances, sum, sum_of_squares)
}

/// Adds the gradient of the variance of distances, and `slope` times that of their mean.
#[inline(always)]
fn pull<const K: usize, const P: usize>(
    g: &mut [[f64; K]; 10],
    x: &[[f64; K]; 10],
    pairs: &[(usize, usize); P],
    distances: &[f64; P],
    sum: f64,
    slope: f64,
) {
    let n = P as f64;
    let (g_sum, g_square) = (slope / n - 2.0 * sum / (n * (n - 1.0)), 1.0 / (n - 1.0));
    for (distance, &(i, j)) in distances.iter().zip(pairs) {
        let factor = g_sum / distance + 2.0 * g_square;
        for c in 0..K {
            let change = factor * (x[i][c] - x[j][c]);
            g[i][c] += change;
            g[j][c] -= change;
        }
    }
}

/// The loss and its gradient.
///
/// ```
/// use lab_corpus::yardsticks::graph_embedding::{gradient, loss};
///
/// let x: [[f64; 3]; 10] = std::array::from_fn(|i| [i as f64, (i * i) as f64, 0.5]);
/// let (value, g) = gradient(&x);
/// assert_eq!(value, loss(&x));
/// assert!((g.iter().map(|g| g[0]).sum::<f64>()).abs() < 1e-12); // all points may move together
/// ```
#[inline]
pub fn gradient<const K: usize>(x: &[[f64; K]; 10]) -> (f64, [[f64; K]; 10]) {
    let (near, near_sum, near_squares) = distances(x, &EDGES);
    let (far, far_sum, far_squares) = distances(x, &OTHERS);
    let variance = |sum: f64, squares: f64, n: f64| (squares - sum * sum / n) / (n - 1.0);
    let excess = near_sum / 15.0 - far_sum / 30.0 + 0.1;
    let slope = if excess > 0.0 { excess.exp() } else { 0.0 };
    let punishment = if excess > 0.0 { slope - 1.0 } else { 0.0 };
    let value = variance(near_sum, near_squares, 15.0) + variance(far_sum, far_squares, 30.0) + punishment;
    let mut g = [[0.0; K]; 10];
    pull(&mut g, x, &EDGES, &near, near_sum, slope);
    pull(&mut g, x, &OTHERS, &far, far_sum, -slope);
    (value, g)
}
