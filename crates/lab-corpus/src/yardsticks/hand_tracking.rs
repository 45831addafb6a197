//! How far measured points are from a hand in some pose.

use super::Number;
use crate::programs::hand_tracking::{Affine, BONES, Hand};

/// First `b`, then `a`.
#[inline]
fn composed<N: Number>(a: &Affine<N>, b: &Affine<N>) -> Affine<N> {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let sum = a[row][0] * b[0][column] + a[row][1] * b[1][column] + a[row][2] * b[2][column];
            if column == 3 { sum + a[row][3] } else { sum }
        })
    })
}

#[inline]
fn known<N: Number>(map: &Affine<f64>) -> Affine<N> {
    map.map(|row| row.map(N::constant))
}

/// A hand in a pose: how its bones are moved, and then the whole of it.
struct Posed<'a, N> {
    hand: &'a Hand,
    moves: [Affine<N>; BONES],
    rotation: [[N; 3]; 3],
    translation: [N; 3],
}

impl<N: Number> Posed<'_, N> {
    fn new<'a>(theta: &[N; 26], hand: &'a Hand) -> Posed<'a, N> {
        let zero = N::constant(0.0);
        let mut absolutes = [[[zero; 4]; 3]; BONES];
        for bone in 0..BONES {
            let finger = |k: usize| theta[6 + (bone - 1) / 4 * 4 + k];
            // The forearm stands where a sixth finger would.
            let (bend, spread) = match (bone + 3) % 4 {
                1 if bone < 21 => (finger(0), finger(1)),
                2 if bone < 21 => (finger(2), zero),
                3 if 0 < bone => (finger(3), zero),
                _ => (zero, zero),
            };
            let ((sin, cos), (side, ahead)) = (bend.sin_cos(), spread.sin_cos());
            let bent = [
                [ahead, -side * cos, side * sin, zero],
                [side, ahead * cos, -ahead * sin, zero],
                [zero, sin, cos, zero],
            ];
            let relative = composed(&known(&hand.relatives[bone]), &bent);
            absolutes[bone] = match hand.parents[bone] {
                Some(parent) => composed(&absolutes[parent], &relative),
                None => relative,
            };
        }
        let moves = std::array::from_fn(|bone| composed(&absolutes[bone], &known(&hand.inverse_absolutes[bone])));
        let translation = [theta[3], theta[4], theta[5]];
        Posed { hand, moves, rotation: rotation([theta[0], theta[1], theta[2]]), translation }
    }

    fn vertex(&self, vertex: usize) -> [N; 3] {
        let [x, y, z] = self.hand.vertices[vertex];
        let mut place: [N; 3] = std::array::from_fn(|row| {
            self.hand.weights[vertex].iter().fold(N::constant(0.0), |sum, &(bone, weight)| {
                let [a, b, c, d] = self.moves[bone][row];
                sum + (a * x + b * y + c * z + d) * weight
            })
        });
        if self.hand.mirrored {
            place[0] = -place[0];
        }
        std::array::from_fn(|row| {
            let [a, b, c] = self.rotation[row];
            a * place[0] + b * place[1] + c * place[2] + self.translation[row]
        })
    }
}

#[inline]
fn rotation<N: Number>(by: [N; 3]) -> [[N; 3]; 3] {
    let square = by[0] * by[0] + by[1] * by[1] + by[2] * by[2];
    if square.value() < 1e-8 {
        return std::array::from_fn(|i| std::array::from_fn(|j| N::constant(f64::from(u8::from(i == j)))));
    }
    let angle = square.sqrt();
    let axis = by.map(|x| x / angle);
    let (sin, cos) = angle.sin_cos();
    // What a point loses along the axis, and what it gains across it.
    let across = |i: usize, j: usize| match (3 + j - i) % 3 {
        0 => cos,
        1 => -axis[3 - i - j] * sin,
        _ => axis[3 - i - j] * sin,
    };
    std::array::from_fn(|i| std::array::from_fn(|j| axis[i] * axis[j] * (-cos + 1.0) + across(i, j)))
}

/// The error of each point, as [`hand_tracking`](crate::programs::hand_tracking::hand_tracking()) adds it.
pub fn errors<N: Number>(theta: &[N; 26], hand: &Hand, points: &[[f64; 3]], vertices: &[usize]) -> Vec<[N; 3]> {
    let posed = Posed::new(theta, hand);
    let error = |(point, &vertex): (&[f64; 3], &usize)| {
        let place = posed.vertex(vertex);
        std::array::from_fn(|c| -place[c] + point[c])
    };
    points.iter().zip(vertices).map(error).collect()
}

/// The error of each point, as
/// [`hand_tracking_of_triangles`](crate::programs::hand_tracking::hand_tracking_of_triangles()) adds it.
pub fn errors_of_triangles<N: Number>(
    theta: &[N; 26],
    us: &[[N; 2]],
    hand: &Hand,
    points: &[[f64; 3]],
    triangles: &[usize],
) -> Vec<[N; 3]> {
    let posed = Posed::new(theta, hand);
    let error = |i: usize| {
        let [a, b, c] = hand.triangles[triangles[i]].map(|vertex| posed.vertex(vertex));
        let [u, v] = us[i];
        std::array::from_fn(|k| -(u * a[k] + v * b[k] + (-u - v + 1.0) * c[k]) + points[i][k])
    };
    (0..points.len()).map(error).collect()
}
