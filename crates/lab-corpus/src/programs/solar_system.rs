//! The Sun and planets through time, and back: the leapfrog scheme for bodies that attract each other.
//!
//! Lengths are in astronomical units, times in days, and masses in those of the Sun.

use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// The constant of gravitation: Gauss's constant, squared.
pub const G: f64 = 0.01720209895 * 0.01720209895;

/// Positions, velocities and masses of `N` bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Bodies<const N: usize> {
    /// Where the bodies are.
    pub x: [[f64; 3]; N],
    /// How fast they move.
    pub v: [[f64; 3]; N],
    /// How heavy they are.
    pub m: [f64; N],
}

impl Bodies<8> {
    /// The Sun and all planets but Mercury, whose year is too short for large steps.
    ///
    /// They start on circles, in the directions and with the inclinations that they had at the beginning of the year 2000.
    pub fn solar_system() -> Bodies<8> {
        // Mass, distance from the Sun, longitude and inclination of the orbit in degrees.
        const PLANETS: [[f64; 4]; 7] = [
            [2.448e-6, 0.7233, 181.98, 3.395],
            [3.003e-6, 1.0000, 100.46, 0.0],
            [3.227e-7, 1.5237, 355.45, 1.850],
            [9.548e-4, 5.2034, 34.40, 1.303],
            [2.859e-4, 9.5371, 49.94, 2.489],
            [4.366e-5, 19.1913, 313.23, 0.773],
            [5.151e-5, 30.0690, 304.88, 1.770],
        ];
        let mut bodies = Bodies { x: [[0.0; 3]; 8], v: [[0.0; 3]; 8], m: [1.0; 8] };
        for (i, [mass, distance, longitude, inclination]) in (1..).zip(PLANETS) {
            let ((sin, cos), (up, flat)) = (longitude.to_radians().sin_cos(), inclination.to_radians().sin_cos());
            let speed = (G / distance).sqrt();
            bodies.m[i] = mass;
            bodies.x[i] = [distance * cos, distance * sin * flat, distance * sin * up];
            bodies.v[i] = [-speed * sin, speed * cos * flat, speed * cos * up];
            // The centre of mass stays where it is.
            for c in 0..3 {
                bodies.v[0][c] -= mass * bodies.v[i][c];
            }
        }
        bodies
    }
}

/// Changes the velocities `v` by what the bodies at `x` with the masses `m` do to each other in the time `dt`.
#[reversible]
pub fn attract<T: Real, const N: usize>(v: &mut [[T; 3]; N], x: &[[T; 3]; N], m: &[T; N], dt: T) {
    for i in 0..N {
        for j in i + 1..N {
            let d = [x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]];
            let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            let pull = dt * T::lit(G) / (square * square.sqrt());
            let (of_i, of_j) = (pull * m[i], pull * m[j]);
            for c in 0..3 {
                v[i][c] += of_j * d[c];
                v[j][c] -= of_i * d[c];
            }
        }
    }
}

/// Moves the bodies at `x` with the velocities `v` for the time `dt`.
#[reversible]
pub fn drift<T: Real, const N: usize>(x: &mut [[T; 3]; N], v: &[[T; 3]; N], dt: T) {
    for i in 0..N {
        for c in 0..3 {
            x[i][c] += dt * v[i][c];
        }
    }
}

/// Takes bodies through `steps` time steps `dt`.
///
/// ```
/// use lab_corpus::programs::solar_system::{Bodies, solar_system};
///
/// let Bodies { mut x, mut v, m } = Bodies::solar_system();
/// let earth = x[2];
/// solar_system(&mut x, &mut v, &m, 365.256 / 100.0, 100);
/// assert!((0..3).all(|c| (x[2][c] - earth[c]).abs() < 0.05)); // a year later
/// solar_system::uncall(&mut x, &mut v, &m, 365.256 / 100.0, 100);
/// assert!((0..3).all(|c| (x[2][c] - earth[c]).abs() < 1e-12));
/// ```
#[reversible]
pub fn solar_system<T: Real, const N: usize>(
    x: &mut [[T; 3]; N],
    v: &mut [[T; 3]; N],
    m: &[T; N],
    dt: T,
    steps: usize,
) {
    for _ in 0..steps {
        drift(x, &*v, 0.5 * dt);
        attract(v, &*x, m, dt);
        drift(x, &*v, 0.5 * dt);
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "solar_system",
    about: "takes the planets through time, and back without any record",
    source: solar_system::source,
    demo: || {
        let Bodies { x, v, m } = Bodies::solar_system();
        Demo::new(
            (x, v),
            |(x, v): &mut ([[f64; 3]; 8], [[f64; 3]; 8])| solar_system(x, v, &m, 2.0, 1000),
            |(x, v)| solar_system::uncall(x, v, &m, 2.0, 1000),
            |(x, _)| format!("earth at {:?}, jupiter at {:?}", rounded(&x[2]), rounded(&x[4])),
        )
    },
};
