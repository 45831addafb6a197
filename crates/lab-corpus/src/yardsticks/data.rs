//! Inputs for measurements and tests: random, and the same in every run.

use crate::programs::gaussian_mixture::Wishart;
use crate::programs::hand_tracking::Hand;
use crate::programs::sparse_dot::Csc;

/// A stream of random numbers (SplitMix64).
///
/// ```
/// use lab_corpus::yardsticks::data::Random;
///
/// let mut random = Random::new(1);
/// assert!((0..1000).map(|_| random.between(-1.0, 3.0)).all(|x| (-1.0..3.0).contains(&x)));
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A stream that depends on nothing but `seed`.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number, evenly distributed between `low` and `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        low + (high - low) * (bits >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next index below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.between(0.0, n as f64) as usize
    }

    /// The next `N` numbers between `low` and `high`.
    pub fn array<const N: usize>(&mut self, low: f64, high: f64) -> [f64; N] {
        std::array::from_fn(|_| self.between(low, high))
    }
}

/// Cameras, points, and where points were seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The cameras, as [`bundle_adjustment`](crate::programs::bundle_adjustment) lays them out.
    pub cameras: Vec<[f64; 11]>,
    /// The points.
    pub points: Vec<[f64; 3]>,
    /// The weight of each observation.
    pub weights: Vec<f64>,
    /// Where in the image each observation was made.
    pub features: Vec<[f64; 2]>,
    /// Of which camera and point each observation is.
    pub seen: Vec<(usize, usize)>,
}

impl Scene {
    /// A random scene in which every point is before every camera.
    ///
    /// The files of ADBench repeat one camera and one point; here all are different.
    pub fn new(cameras: usize, points: usize, observations: usize) -> Scene {
        let mut random = Random::new(3);
        let camera = |random: &mut Random| {
            let mut camera = random.array(0.05, 0.35);
            camera[6] = random.between(500.0, 1000.0);
            camera
        };
        Scene {
            cameras: (0..cameras).map(|_| camera(&mut random)).collect(),
            points: (0..points)
                .map(|_| [random.between(0.0, 1.0), random.between(0.0, 1.0), random.between(3.0, 4.0)])
                .collect(),
            weights: (0..observations).map(|_| random.between(0.0, 1.0)).collect(),
            features: (0..observations).map(|_| random.array(0.0, 100.0)).collect(),
            seen: (0..observations).map(|i| (i % cameras, random.below(points))).collect(),
        }
    }
}

/// The parameters of a Gaussian mixture with `K` components in `D` dimensions, or the gradient by them; `F` is D·(D + 1)/2.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters<const D: usize, const F: usize, const K: usize> {
    /// The logarithms of the weights.
    pub alphas: [f64; K],
    /// The means.
    pub means: [[f64; D]; K],
    /// The factors of the inverse covariances.
    pub icf: [[f64; F]; K],
}

impl<const D: usize, const F: usize, const K: usize> Parameters<D, F, K> {
    /// All parameters zero.
    pub const ZERO: Self = Parameters { alphas: [0.0; K], means: [[0.0; D]; K], icf: [[0.0; F]; K] };

    /// All parameters one behind the other.
    pub fn to_vec(&self) -> Vec<f64> {
        [&self.alphas, self.means.as_flattened(), self.icf.as_flattened()].concat()
    }

    /// The parameters that [`to_vec`](Self::to_vec) made a vector of.
    pub fn from_slice(numbers: &[f64]) -> Self {
        let mut parameters = Self::ZERO;
        let (alphas, rest) = numbers.split_at(K);
        let (means, icf) = rest.split_at(K * D);
        parameters.alphas.copy_from_slice(alphas);
        parameters.means.as_flattened_mut().copy_from_slice(means);
        parameters.icf.as_flattened_mut().copy_from_slice(icf);
        parameters
    }
}

/// A Gaussian mixture, the points that it should explain, and the prior.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture<const D: usize, const F: usize, const K: usize> {
    /// The parameters.
    pub parameters: Parameters<D, F, K>,
    /// The points.
    pub x: Vec<[f64; D]>,
    /// The prior.
    pub prior: Wishart,
}

impl<const D: usize, const F: usize, const K: usize> Mixture<D, F, K> {
    /// A random mixture and that many random points.
    pub fn new(points: usize) -> Self {
        let mut random = Random::new(5);
        let parameters = Parameters {
            alphas: random.array(-1.0, 1.0),
            means: std::array::from_fn(|_| random.array(0.0, 1.0)),
            icf: std::array::from_fn(|_| random.array(-1.0, 1.0)),
        };
        let x = (0..points).map(|_| random.array(-1.0, 2.0)).collect();
        Mixture { parameters, x, prior: Wishart { gamma: 1.0, m: 0 } }
    }

    /// Reads a file of ADBench: sizes, weights, means, factors, points, and the prior.
    ///
    /// ```
    /// use lab_corpus::yardsticks::data::Mixture;
    ///
    /// let mixture = Mixture::<1, 1, 2>::parse("1 2 1  0.5 0.25  1 2  0.1 0.2  7  1.5 3").unwrap();
    /// assert_eq!((mixture.parameters.means, mixture.x), ([[1.0], [2.0]], vec![[7.0]]));
    /// assert!(Mixture::<2, 3, 2>::parse("1 2 1  0.5 0.25  1 2  0.1 0.2  7  1.5 3").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// Says what is not as it should be.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers: Vec<f64> = text
            .split_whitespace()
            .map(|word| word.parse().map_err(|_| format!("`{word}` is not a number")))
            .collect::<Result<_, _>>()?;
        let [d, k, n, numbers @ .., gamma, m] = &numbers[..] else {
            return Err("there are not even sizes and prior".to_string());
        };
        if (*d, *k) != (D as f64, K as f64) {
            return Err(format!("{d} dimensions and {k} components, but it should be {D} and {K}"));
        }
        let (parameters, points) = (K * (1 + D + F), D * *n as usize);
        if numbers.len() != parameters + points {
            return Err(format!("{} numbers, but it should be {}", numbers.len(), parameters + points));
        }
        let (parameters, points) = numbers.split_at(parameters);
        Ok(Mixture {
            parameters: Parameters::from_slice(parameters),
            x: points.as_chunks().0.to_vec(),
            prior: Wishart { gamma: *gamma, m: *m as u32 },
        })
    }
}

/// A random sparse matrix with `size` rows and columns, of whose elements the part `density` is not zero.
pub fn sparse(size: usize, density: f64, seed: u64) -> Csc<f64> {
    let mut random = Random::new(seed);
    let columns: Vec<Vec<f64>> = (0..size)
        .map(|_| {
            let element = |random: &mut Random| match random.between(0.0, 1.0) < density {
                true => random.between(0.5, 1.5),
                false => 0.0,
            };
            (0..size).map(|_| element(&mut random)).collect()
        })
        .collect();
    Csc::from_columns(&columns)
}

/// A hand with random skin: each vertex follows up to four bones of a finger, with random weights that add up to one.
pub fn hand(vertices: usize, triangles: usize, seed: u64) -> Hand {
    let mut random = Random::new(seed);
    let mut skinned = |_| {
        let (finger, bones) = (random.below(5), 1 + random.below(4));
        let weights: Vec<f64> = (0..bones).map(|_| random.between(0.1, 1.0)).collect();
        let total: f64 = weights.iter().sum();
        let weights = (4 * finger + 1..).zip(weights).map(|(bone, weight)| (bone, weight / total)).collect();
        let [x, y, z] = random.array(-0.5, 0.5);
        ([x + finger as f64, y + bones as f64, z], weights)
    };
    let (places, weights) = (0..vertices).map(&mut skinned).unzip();
    let triangles = (0..triangles).map(|_| std::array::from_fn(|_| random.below(vertices))).collect();
    Hand { vertices: places, weights, triangles, ..Hand::of_needles() }
}
