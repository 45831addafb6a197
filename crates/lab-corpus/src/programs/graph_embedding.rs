//! Ten points whose distances should tell the edges of the Petersen graph from the pairs that are none.
//!
//! The loss is that of the paper on NiLang. It reaches zero, with all edges of one length and all other pairs at one larger
//! distance, in five dimensions and more.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// The edges of the Petersen graph: spokes, the outer cycle, the inner star.
#[rustfmt::skip]
pub const EDGES: [(usize, usize); 15] = [
    (0, 5), (1, 6), (2, 7), (3, 8), (4, 9),
    (0, 1), (1, 2), (2, 3), (3, 4), (0, 4),
    (5, 7), (7, 9), (6, 9), (6, 8), (5, 8),
];

/// The pairs of vertices that are no edges.
#[rustfmt::skip]
pub const OTHERS: [(usize, usize); 30] = [
    (0, 2), (0, 3), (0, 6), (0, 7), (0, 8), (0, 9), (1, 3), (1, 4), (1, 5), (1, 7),
    (1, 8), (1, 9), (2, 4), (2, 5), (2, 6), (2, 8), (2, 9), (3, 5), (3, 6), (3, 7),
    (3, 9), (4, 5), (4, 6), (4, 7), (4, 8), (5, 6), (5, 9), (6, 7), (7, 8), (8, 9),
];

/// How badly the points `x` represent the graph: the variances of both kinds of distances, and a punishment unless edges
/// are shorter than other pairs by a tenth, both on average.
///
/// The two points of a pair must not be the same: a distance of zero has no derivative. All distances and their
/// squares are kept, so that a run backwards finds them.
///
/// ```
/// use lab_corpus::programs::graph_embedding::{EDGES, embedding_loss};
///
/// // A dimension for each edge, in which its two ends are one away from all others. Then pairs that are no edges have the
/// // distance √6, and edges, whose ends have that dimension in common, only √4.
/// let x: [[f64; 15]; 10] = std::array::from_fn(|i| EDGES.map(|(a, b)| f64::from(u8::from(i == a || i == b))));
/// assert!(embedding_loss(&x).abs() < 1e-14);
/// ```
#[reversible]
pub fn embedding_loss<T: Real, const K: usize>(x: &[[T; K]; 10]) -> T {
    let (mut near, mut near_squares) = ([T::zero(); 15], [T::zero(); 15]);
    let (mut near_sum, mut near_sum_of_squares) = (T::zero(), T::zero());
    for p in 0..15 {
        let (i, j) = EDGES[p];
        for c in 0..K {
            near_squares[p] += (x[i][c] - x[j][c]).square();
        }
        near[p] += near_squares[p].sqrt();
        near_sum += near[p];
        near_sum_of_squares += near_squares[p];
    }
    let (mut far, mut far_squares) = ([T::zero(); 30], [T::zero(); 30]);
    let (mut far_sum, mut far_sum_of_squares) = (T::zero(), T::zero());
    for p in 0..30 {
        let (i, j) = OTHERS[p];
        for c in 0..K {
            far_squares[p] += (x[i][c] - x[j][c]).square();
        }
        far[p] += far_squares[p].sqrt();
        far_sum += far[p];
        far_sum_of_squares += far_squares[p];
    }
    let near_variance = (near_sum_of_squares - near_sum * near_sum / 15.0) / 14.0;
    let far_variance = (far_sum_of_squares - far_sum * far_sum / 30.0) / 29.0;
    near_variance + far_variance + (near_sum / 15.0 - far_sum / 30.0 + 0.1).max(0.0).exp() - 1.0
}

/// Adds the loss of the points `x` to `loss`.
///
/// ```
/// use lab_corpus::programs::graph_embedding::{embedding_loss, graph_embedding};
///
/// let x: [[f64; 2]; 10] = std::array::from_fn(|i| [i as f64, (i * i) as f64]);
/// let mut loss = 1.0;
/// graph_embedding(&mut loss, &x);
/// assert_eq!(loss, 1.0 + embedding_loss(&x));
/// ```
#[reversible]
pub fn graph_embedding<T: Real, const K: usize>(loss: &mut T, x: &[[T; K]; 10]) {
    *loss += embedding_loss(x);
}

pub(super) const ENTRY: Entry = Entry {
    name: "graph_embedding",
    about: "adds how badly ten points in space represent the Petersen graph",
    source: graph_embedding::source,
    demo: || {
        let x: [[f64; 5]; 10] = std::array::from_fn(|i| std::array::from_fn(|c| ((5 * i + c) as f64).sin()));
        Demo::new(
            0.0,
            |loss: &mut f64| graph_embedding(loss, &x),
            |loss| graph_embedding::uncall(loss, &x),
            |loss| format!("loss = {}", rounded(&[*loss])[0]),
        )
    },
};
