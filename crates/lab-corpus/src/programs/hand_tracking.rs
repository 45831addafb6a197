//! Hand tracking: how far measured points are from a hand in some pose. It is an objective of the benchmark suite ADBench.
//!
//! A pose is 26 numbers: the rotation of the hand as a vector (0 to 2), where it is (3 to 5), and four angles for each
//! finger: how far its first joint is bent and spread, and how far the other two are bent. Each bone has a place with
//! respect to the bone it hangs on, and the vertices of the skin follow a few bones each, with weights.
//!
//! Places are affine maps: three rows of four numbers, the last of which is added.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// How many bones there are: the wrist, four for each finger from the thumb on, and the forearm.
pub const BONES: usize = 22;

/// An affine map.
pub type Affine<T> = [[T; 4]; 3];

/// The map that changes nothing.
pub const IDENTITY: Affine<f64> = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// What the hand is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// The bone that each bone hangs on, which stands before it; the first one hangs on none.
    pub parents: [Option<usize>; BONES],
    /// The place of each bone with respect to the one it hangs on, for the hand at rest.
    pub relatives: [Affine<f64>; BONES],
    /// From the hand at rest to each bone.
    pub inverse_absolutes: [Affine<f64>; BONES],
    /// Where each vertex of the skin is, for the hand at rest.
    pub vertices: Vec<[f64; 3]>,
    /// The bones that each vertex follows, and their weights.
    pub weights: Vec<Vec<(usize, f64)>>,
    /// The three vertices of each triangle of the skin.
    pub triangles: Vec<[usize; 3]>,
    /// Whether it is the other hand.
    pub mirrored: bool,
}

/// A map that is known, in the numbers of a program.
fn known<T: Real>(map: &Affine<f64>) -> Affine<T> {
    map.map(|row| row.map(T::lit))
}

/// Adds the map that does first `b` and then `a` to `c`.
#[reversible]
fn compose<T: Real>(c: &mut Affine<T>, a: &Affine<T>, b: &Affine<T>) {
    for row in 0..3 {
        for column in 0..4 {
            for k in 0..3 {
                c[row][column] += a[row][k] * b[k][column];
            }
        }
        c[row][3] += a[row][3];
    }
}

/// The rotation by `bend` about the first axis, and then by `spread` about the third.
#[reversible]
fn bent<T: Real>(bend: T, spread: T) -> Affine<T> {
    let (sin, cos) = bend.sin_cos();
    let (side, ahead) = spread.sin_cos();
    [[ahead, -side * cos, side * sin, 0.0], [side, ahead * cos, -ahead * sin, 0.0], [0.0, sin, cos, 0.0]]
}

/// How each bone moves what is fixed to it, from the hand at rest to the pose `theta`.
///
/// ```
/// use lab_corpus::programs::hand_tracking::{Hand, IDENTITY, transforms};
///
/// let hand = Hand::of_needles();
/// assert_eq!(transforms(&[0.0; 26], &hand), [IDENTITY; 22]);
/// ```
#[reversible]
pub fn transforms<T: Real>(theta: &[T; 26], #[constant] hand: &Hand) -> [Affine<T>; BONES] {
    let mut angles = [[T::zero(); 2]; BONES];
    for finger in 0..5 {
        let (bone, angle) = (4 * finger + 2, 4 * finger + 6);
        angles[bone][0] += theta[angle];
        angles[bone][1] += theta[angle + 1];
        angles[bone + 1][0] += theta[angle + 2];
        angles[bone + 2][0] += theta[angle + 3];
    }
    let mut relatives = [[[T::zero(); 4]; 3]; BONES];
    let mut absolutes = [[[T::zero(); 4]; 3]; BONES];
    let mut moves = [[[T::zero(); 4]; 3]; BONES];
    for bone in 0..BONES {
        compose(&mut relatives[bone], &known::<T>(&hand.relatives[bone]), &bent(angles[bone][0], angles[bone][1]));
        match hand.parents[bone] {
            Some(parent) => compose(&mut absolutes[bone], &absolutes[parent], &relatives[bone]),
            None => compose(&mut absolutes[bone], &known::<T>(&IDENTITY), &relatives[bone]),
        }
        compose(&mut moves[bone], &absolutes[bone], &known::<T>(&hand.inverse_absolutes[bone]));
    }
    moves
}

/// Where the bones, moved by `moves`, take a vertex.
#[reversible]
fn skin<T: Real>(moves: &[Affine<T>; BONES], #[constant] hand: &Hand, vertex: usize) -> [T; 3] {
    let mut place = [T::zero(); 3];
    for k in 0..hand.weights[vertex].len() {
        let (bone, weight) = hand.weights[vertex][k];
        for row in 0..3 {
            let mut moved = moves[bone][row][3];
            for c in 0..3 {
                moved += moves[bone][row][c] * T::lit(hand.vertices[vertex][c]);
            }
            place[row] += T::lit(weight) * moved;
        }
    }
    if hand.mirrored {
        place[0] = -place[0];
    }
    place
}

/// The rotation about the vector of the first three numbers of `theta`, by as much as it is long. Below 0.0001 there is
/// none.
#[reversible]
fn rotation<T: Real>(theta: &[T; 26]) -> [[T; 3]; 3] {
    let square = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2];
    if square < 1e-8 {
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    } else {
        let angle = square.sqrt();
        let (x, y, z) = (theta[0] / angle, theta[1] / angle, theta[2] / angle);
        let (sin, cos) = angle.sin_cos();
        let rest = 1.0 - cos;
        [
            [x * x + (1.0 - x * x) * cos, x * y * rest - z * sin, x * z * rest + y * sin],
            [x * y * rest + z * sin, y * y + (1.0 - y * y) * cos, y * z * rest - x * sin],
            [x * z * rest - y * sin, y * z * rest + x * sin, z * z + (1.0 - z * z) * cos],
        ]
    }
}

/// The point `x` of the hand after the whole hand was turned and moved.
#[reversible]
fn moved<T: Real>(turn: &[[T; 3]; 3], theta: &[T; 26], x: &[T; 3]) -> [T; 3] {
    let mut place = [theta[3], theta[4], theta[5]];
    for row in 0..3 {
        for c in 0..3 {
            place[row] += turn[row][c] * x[c];
        }
    }
    place
}

/// Adds how far each of `points` is from a vertex of the hand in the pose `theta` to `errors`.
///
/// ```
/// use lab_corpus::programs::hand_tracking::{Hand, hand_tracking};
///
/// // The whole hand was moved by 10 to the right.
/// let (hand, mut theta, mut errors) = (Hand::of_needles(), [0.0; 26], [[0.0; 3]]);
/// theta[3] = 10.0;
/// hand_tracking(&mut errors, &theta, &hand, &[[10.0, 5.0, 0.0]], &[0]);
/// assert_eq!(errors, [[0.0, 1.0, 0.0]]);
/// ```
#[reversible]
pub fn hand_tracking<T: Real>(
    errors: &mut [[T; 3]],
    theta: &[T; 26],
    #[constant] hand: &Hand,
    #[constant] points: &[[T; 3]],
    vertices: &[usize],
) {
    let moves = transforms(theta, hand);
    let turn = rotation(theta);
    for i in 0..errors.len() {
        let vertex = skin(&moves, hand, vertices[i]);
        let place = moved(&turn, theta, &vertex);
        for c in 0..3 {
            errors[i][c] += points[i][c] - place[c];
        }
    }
}

/// Adds how far each of `points` is from a point in a triangle of the hand to `errors`. Two numbers in `us` say how near
/// that is to the first two corners.
///
/// ```
/// use lab_corpus::programs::hand_tracking::{Hand, hand_tracking_of_triangles};
///
/// // The third corner of the triangle of the first three fingers.
/// let (hand, mut errors) = (Hand::of_needles(), [[0.0; 3]]);
/// hand_tracking_of_triangles(&mut errors, &[0.0; 26], &[[0.0, 0.0]], &hand, &[[2.0, 5.0, 0.0]], &[0]);
/// assert_eq!(errors, [[0.0, 1.0, 0.0]]);
/// ```
#[reversible]
pub fn hand_tracking_of_triangles<T: Real>(
    errors: &mut [[T; 3]],
    theta: &[T; 26],
    us: &[[T; 2]],
    #[constant] hand: &Hand,
    #[constant] points: &[[T; 3]],
    triangles: &[usize],
) {
    let moves = transforms(theta, hand);
    let turn = rotation(theta);
    for i in 0..errors.len() {
        let [first, second, third] = hand.triangles[triangles[i]];
        let (a, b, c) = (skin(&moves, hand, first), skin(&moves, hand, second), skin(&moves, hand, third));
        let (a, b, c) = (moved(&turn, theta, &a), moved(&turn, theta, &b), moved(&turn, theta, &c));
        for k in 0..3 {
            errors[i][k] += points[i][k] - (us[i][0] * a[k] + us[i][1] * b[k] + (1.0 - us[i][0] - us[i][1]) * c[k]);
        }
    }
}

impl Hand {
    /// A hand whose fingers are needles beside each other, and whose skin is the tips of them.
    ///
    /// All bones of a finger are one long, but the first, which is none. It stands upwards in the second direction.
    pub fn of_needles() -> Hand {
        let at = |x: f64, y: f64| {
            let mut map = IDENTITY;
            (map[0][3], map[1][3]) = (x, y);
            map
        };
        let mut hand = Hand {
            parents: [Some(0); BONES],
            relatives: [IDENTITY; BONES],
            inverse_absolutes: [IDENTITY; BONES],
            vertices: (0..5).map(|finger| [f64::from(finger), 4.0, 0.0]).collect(),
            weights: (0..5).map(|finger| vec![(4 * finger + 4, 1.0)]).collect(),
            triangles: vec![[0, 1, 2], [2, 3, 4]],
            mirrored: false,
        };
        hand.parents[0] = None;
        for finger in 0..5 {
            for joint in 0..4 {
                let (bone, x, y) = (4 * finger + joint + 1, finger as f64, joint as f64);
                hand.parents[bone] = Some(if joint == 0 { 0 } else { bone - 1 });
                hand.relatives[bone] = if joint == 0 { at(x, 0.0) } else { at(0.0, 1.0) };
                hand.inverse_absolutes[bone] = at(-x, -y);
            }
        }
        hand
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "hand_tracking",
    about: "adds how far measured points are from the skin of a hand, whose bones hang on each other",
    source: hand_tracking::source,
    demo: || {
        let hand = Hand::of_needles();
        let theta = std::array::from_fn(|i| 0.1 * i as f64);
        let (points, vertices) = ([[0.5, 4.0, 1.0], [1.5, 3.5, 1.0]], [0, 1]);
        Demo::new(
            [[0.0; 3]; 2],
            |errors: &mut [[f64; 3]; 2]| hand_tracking(errors, &theta, &hand, &points, &vertices),
            |errors| hand_tracking::uncall(errors, &theta, &hand, &points, &vertices),
            |errors| format!("errors = {:?}", errors.map(|error| rounded(&error))),
        )
    },
};
