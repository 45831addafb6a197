//! The four linearised equations beside an ordinary differential equation.

use std::fmt;

use super::moving::graph_at;
use super::steps::{Chain, Product, Vectors, advance, products};
use super::{Error, Modes};
use crate::numbers::{Graph, Traced, trace};
use crate::{Active, Real};

/// The equation dx/dt = g(x), integrated in steps of equal length, and the four products with the Jacobian J of the end by the
/// start.
///
/// ```
/// use retrograd::Real;
/// use retrograd::inverse::{Method, Ode};
///
/// // A pendulum without friction, for one unit of time.
/// let pendulum = Ode::new(|x| [x[1], -x[0].sin()], 0.01, 100).method(Method::RungeKutta);
/// let (start, v) = ([1.0, 0.0], [0.3, -0.2]);
/// let end = pendulum.jvp(&start, &v)?;
/// let back = pendulum.solve(&start, &end)?;
/// assert!((back.vector[0] - 0.3).abs() < 1e-14 && (back.vector[1] + 0.2).abs() < 1e-14);
/// assert!(back.warning.is_none());
/// # Ok::<(), retrograd::inverse::Error>(())
/// ```
///
/// Each step is a map of its own, and the products are those of all these maps: exact, up to rounding, whatever the length of a step.
/// [`continuous`](Ode::continuous) integrates the linearised equations instead.
///
/// | product | linearised equation | from |
/// |---|---|---|
/// | `jvp`: J v | dv/dt = g′ v | the start to the end |
/// | `vjp`: Jᵀ v | dv/dt = −g′ᵀ v | the end to the start |
/// | `solve`: J⁻¹ v | dv/dt = g′ v | the end to the start |
/// | `solve_transposed`: J⁻ᵀ v | dv/dt = −g′ᵀ v | the start to the end |
///
/// Where an equation contracts, so that errors die out, the inverse directions are unstable: they undo this. That is a property of the
/// equation and not of the method. The result says so: see [`Unstable`].
///
/// Parameters are constants of g, or further variables whose derivatives are zero; time is one whose derivative is one.
#[derive(Clone, Copy, Debug)]
pub struct Ode<F> {
    derivative: F,
    dt: f64,
    chain: Chain,
    method: Method,
    is_continuous: bool,
}

/// How a step is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// `x + dt g(x)`, of first order.
    Euler,
    /// By the slope half-way, of second order.
    Midpoint,
    /// The classical method of Runge and Kutta, of fourth order.
    RungeKutta,
}

/// What an inverse product is, and whether it can be trusted.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// The product.
    pub vector: Vec<f64>,
    /// That the direction is unstable.
    pub warning: Option<Unstable>,
}

/// Errors grow in the inverse direction, because the equation makes them die out: by more than [`Unstable::LIMIT`].
///
/// ```
/// use retrograd::inverse::Ode;
///
/// // Everything decays, so that small changes at the end are large ones at the start.
/// let decay = Ode::new(|x| [-x[0], x[1] * -2.0], 0.01, 1000);
/// let warning = decay.solve(&[1.0, 1.0], &[1.0, 0.0])?.warning.unwrap();
/// assert!((warning.rate - 2.0).abs() < 0.1 && warning.growth > 1e8);
/// println!("{warning}");
/// # Ok::<(), retrograd::inverse::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unstable {
    /// How much larger a vector in no special direction became.
    pub growth: f64,
    /// The same for a unit of time, as an exponent.
    pub rate: f64,
}

impl Unstable {
    /// How much vectors may grow: three of the sixteen digits of a number are lost by then.
    pub const LIMIT: f64 = 1e3;
}

impl fmt::Display for Unstable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unstable { growth, rate } = self;
        write!(
            f,
            "errors grow by a factor of {growth:.1e} in the inverse direction, as exp({rate:.3} t), because the equation makes them die \
             out; integrate for a shorter time"
        )
    }
}

impl<R: Active<Number = Traced>, F: Fn(&[Traced]) -> R> Ode<F> {
    /// `steps` steps of Euler's method, each of length `dt`, for dx/dt = `derivative(x)`.
    pub fn new(derivative: F, dt: f64, steps: usize) -> Ode<F> {
        let chain = Chain { count: steps, snapshots: None };
        Ode { derivative, dt, chain, method: Method::Euler, is_continuous: false }
    }

    /// Makes steps by another method.
    pub fn method(self, method: Method) -> Ode<F> {
        Ode { method, ..self }
    }

    /// Integrates the linearised equations by Euler's method along the states of the run, instead of linearising each step. Nothing is
    /// solved for then: `I − dt g′` stands for the inverse of `I + dt g′`. The results differ from those of the steps by an amount that is
    /// proportional to `dt`.
    pub fn continuous(self) -> Ode<F> {
        Ode { is_continuous: true, ..self }
    }

    /// Keeps at most so many states for the products against the run: see [`Steps::snapshots`](super::Steps::snapshots).
    pub fn snapshots(self, snapshots: usize) -> Ode<F> {
        Ode { chain: self.chain.snapshots(snapshots), ..self }
    }

    /// The state at the end.
    pub fn end(&self, start: &[f64]) -> Vec<f64> {
        let mut advance = advance(|x: &[Traced]| self.step(x), start);
        let mut x = start.to_vec();
        (0..self.chain.count).for_each(|_| advance(&mut x));
        x
    }

    /// `J v`.
    #[track_caller]
    pub fn jvp(&self, start: &[f64], v: &[f64]) -> Result<Vec<f64>, Error> {
        let form = Form { product: |modes, v| Ok(modes.jvp_many(v)), slope: Graph::pushforward, sign: 1.0 };
        Ok(self.carry(start, vec![v.to_vec()], form, Sense::Along)?.swap_remove(0))
    }

    /// `Jᵀ v`.
    #[track_caller]
    pub fn vjp(&self, start: &[f64], v: &[f64]) -> Result<Vec<f64>, Error> {
        let form = Form { product: |modes, v| Ok(modes.vjp_many(v)), slope: Graph::pullback, sign: 1.0 };
        Ok(self.carry(start, vec![v.to_vec()], form, Sense::Against)?.swap_remove(0))
    }

    /// `J⁻¹ v`.
    #[track_caller]
    pub fn solve(&self, start: &[f64], v: &[f64]) -> Result<Carried, Error> {
        let form = Form { product: Modes::solve_many, slope: Graph::pushforward, sign: -1.0 };
        self.carry_inversely(start, v, form, Sense::Against)
    }

    /// `J⁻ᵀ v`.
    #[track_caller]
    pub fn solve_transposed(&self, start: &[f64], v: &[f64]) -> Result<Carried, Error> {
        let form = Form { product: Modes::solve_transposed_many, slope: Graph::pullback, sign: -1.0 };
        self.carry_inversely(start, v, form, Sense::Along)
    }

    /// Carries a probe beside the vector, and sees how it grows.
    #[track_caller]
    fn carry_inversely(&self, start: &[f64], v: &[f64], form: Form, sense: Sense) -> Result<Carried, Error> {
        let carried = self.carry(start, vec![v.to_vec(), probe(start.len())], form, sense)?;
        let [vector, probe] = <[Vec<f64>; 2]>::try_from(carried).expect("two vectors were given");
        let growth = probe.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        let rate = growth.ln() / (self.dt * self.chain.count as f64).abs();
        let warning = (growth > Unstable::LIMIT).then_some(Unstable { growth, rate });
        Ok(Carried { vector, warning })
    }

    #[track_caller]
    fn carry(&self, start: &[f64], vectors: Vectors, form: Form, sense: Sense) -> Result<Vectors, Error> {
        let slopes = trace(start, &self.derivative);
        let outputs = slopes.values().len();
        if outputs != start.len() {
            return Err(Error::NotSquare { inputs: start.len(), outputs });
        }
        let step = |x: &[Traced]| self.step(x);
        let advance = advance(step, start);
        match (self.is_continuous, sense) {
            (true, Sense::Along) => self.chain.along(start, advance, self.slopes(slopes, form), vectors),
            (true, Sense::Against) => self.chain.against(start, advance, self.slopes(slopes, form), vectors),
            (false, Sense::Along) => self.chain.along(start, advance, products(step, start, form.product)?, vectors),
            (false, Sense::Against) => {
                self.chain.against(start, advance, products(step, start, form.product)?, vectors)
            }
        }
    }

    /// One step of Euler's method for a linearised equation.
    fn slopes(&self, mut graph: Graph, form: Form) -> impl FnMut(&[f64], Vectors) -> Result<Vectors, Error> {
        move |x, mut vectors| {
            graph = graph_at(&self.derivative, &graph, x);
            for vector in &mut vectors {
                let slope = (form.slope)(&graph, vector);
                vector.iter_mut().zip(slope).for_each(|(v, slope)| *v += form.sign * self.dt * slope);
            }
            Ok(vectors)
        }
    }

    /// One step of the method.
    fn step(&self, x: &[Traced]) -> Vec<Traced> {
        let slope = |x: &[Traced]| (self.derivative)(x).flatten();
        let moved = |slope: &[Traced], by: f64| -> Vec<Traced> {
            x.iter().zip(slope).map(|(x, slope)| *x + *slope * Traced::lit(by)).collect()
        };
        let first = slope(x);
        match self.method {
            Method::Euler => moved(&first, self.dt),
            Method::Midpoint => moved(&slope(&moved(&first, self.dt / 2.0)), self.dt),
            Method::RungeKutta => {
                let second = slope(&moved(&first, self.dt / 2.0));
                let third = slope(&moved(&second, self.dt / 2.0));
                let fourth = slope(&moved(&third, self.dt));
                let mean =
                    |i: usize| (first[i] + (second[i] + third[i]) * Traced::lit(2.0) + fourth[i]) / Traced::lit(6.0);
                moved(&(0..x.len()).map(mean).collect::<Vec<_>>(), self.dt)
            }
        }
    }
}

/// A product with the Jacobian of a step, and what stands for it in a linearised equation.
#[derive(Clone, Copy)]
struct Form {
    product: Product,
    slope: fn(&Graph, &[f64]) -> Vec<f64>,
    sign: f64,
}

#[derive(Clone, Copy)]
enum Sense {
    /// From the start of the run to its end.
    Along,
    /// From its end to its start.
    Against,
}

/// Ones with both signs, by the sequence of Thue and Morse: no pattern of a program is met by chance.
pub(super) fn probe(n: usize) -> Vec<f64> {
    (0..n).map(|i| if i.count_ones() % 2 == 0 { 1.0 } else { -1.0 }).collect()
}
