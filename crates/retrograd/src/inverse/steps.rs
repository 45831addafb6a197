//! Programs that are run many times in a row, and need not be reversible.

use super::moving::{graph_at, modes_at};
use super::{Error, Modes};
use crate::Active;
use crate::numbers::{Graph, Traced, trace};
use crate::schedule::{Memory, Revolve, Schedule, StoreAll, adjoint, differentiable};

/// Many runs of a program, each on the results of the one before, and the four products with the Jacobian J of them all.
///
/// A step may overwrite what it cannot restore, such as `x = x²`; only its Jacobian has to be invertible where it is run. `J v` and
/// `J⁻ᵀ v` are carried along with the run, and nothing is kept. `Jᵀ v` and `J⁻¹ v` are carried against it: they need the state in front of
/// each step again, last one first. All these states are kept, or as many as [`snapshots`](Steps::snapshots) says.
///
/// ```
/// use retrograd::inverse::Steps;
///
/// // Squared 10 times: x^1024.
/// let squares = Steps::new(10, |x| [x[0] * x[0]]);
/// let slope = 1024.0 * 1.001_f64.powi(1023);
/// assert!((squares.jvp(&[1.001], &[1.0])?[0] / slope - 1.0).abs() < 1e-12);
/// assert!((squares.solve(&[1.001], &[1.0])?[0] * slope - 1.0).abs() < 1e-12);
///
/// // The same with two states in memory at most.
/// assert_eq!(squares.solve(&[1.001], &[1.0]), squares.snapshots(2).solve(&[1.001], &[1.0]));
/// # Ok::<(), retrograd::inverse::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Steps<F> {
    program: F,
    chain: Chain,
}

impl<R: Active<Number = Traced>, F: Fn(&[Traced]) -> R> Steps<F> {
    /// `count` runs of `program`, which has as many results as arguments.
    pub fn new(count: usize, program: F) -> Steps<F> {
        Steps { program, chain: Chain { count, snapshots: None } }
    }

    /// Keeps at most so many states, the start among them, and runs steps again from there as
    /// [`Revolve`](crate::schedule::Revolve) says. The start is kept in any case.
    pub fn snapshots(self, snapshots: usize) -> Steps<F> {
        Steps { chain: self.chain.snapshots(snapshots), ..self }
    }

    /// `J v`. Fails, as the others do, if a step does not have as many results as arguments, or is singular at every point.
    #[track_caller]
    pub fn jvp(&self, start: &[f64], v: &[f64]) -> Result<Vec<f64>, Error> {
        self.along(start, v, |modes, v| Ok(modes.jvp_many(v)))
    }

    /// `Jᵀ v`.
    #[track_caller]
    pub fn vjp(&self, start: &[f64], v: &[f64]) -> Result<Vec<f64>, Error> {
        self.against(start, v, |modes, v| Ok(modes.vjp_many(v)))
    }

    /// `J⁻¹ v`. Fails if the Jacobian of a step is singular where it is run.
    #[track_caller]
    pub fn solve(&self, start: &[f64], v: &[f64]) -> Result<Vec<f64>, Error> {
        self.against(start, v, Modes::solve_many)
    }

    /// `J⁻ᵀ v`. Fails if the Jacobian of a step is singular where it is run.
    #[track_caller]
    pub fn solve_transposed(&self, start: &[f64], v: &[f64]) -> Result<Vec<f64>, Error> {
        self.along(start, v, Modes::solve_transposed_many)
    }

    #[track_caller]
    fn along(&self, start: &[f64], v: &[f64], product: Product) -> Result<Vec<f64>, Error> {
        let carry = products(&self.program, start, product)?;
        Ok(self.chain.along(start, advance(&self.program, start), carry, vec![v.to_vec()])?.swap_remove(0))
    }

    #[track_caller]
    fn against(&self, start: &[f64], v: &[f64], product: Product) -> Result<Vec<f64>, Error> {
        let carry = products(&self.program, start, product)?;
        Ok(self.chain.against(start, advance(&self.program, start), carry, vec![v.to_vec()])?.swap_remove(0))
    }
}

/// Several vectors that are carried together.
pub(super) type Vectors = Vec<Vec<f64>>;

/// A product of one step with several vectors.
pub(super) type Product = fn(&Modes, &[Vec<f64>]) -> Result<Vectors, Error>;

/// Runs a program on a state.
pub(super) fn advance<'p, R: Active<Number = Traced>>(
    program: impl Fn(&[Traced]) -> R + 'p,
    start: &[f64],
) -> impl FnMut(&mut Vec<f64>) + 'p {
    let mut graph: Graph = trace(start, &program);
    move |x| {
        graph = graph_at(&program, &graph, x);
        *x = graph.values();
    }
}

/// Carries vectors through one run of a program, from the state in front of it.
#[track_caller]
pub(super) fn products<'p, R: Active<Number = Traced>>(
    program: impl Fn(&[Traced]) -> R + 'p,
    start: &[f64],
    product: Product,
) -> Result<impl FnMut(&[f64], Vectors) -> Result<Vectors, Error> + 'p, Error> {
    let mut modes = trace(start, &program).inverse()?;
    Ok(move |x: &[f64], vectors: Vectors| {
        modes = modes_at(&program, &modes, x)?;
        product(&modes, &vectors)
    })
}

/// How often something is run, and how many states may be kept on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    pub(super) count: usize,
    pub(super) snapshots: Option<usize>,
}

impl Chain {
    pub(super) fn snapshots(self, snapshots: usize) -> Chain {
        Chain { snapshots: Some(snapshots.max(1)), ..self }
    }

    /// Carries vectors from the start of a run to its end.
    pub(super) fn along(
        self,
        start: &[f64],
        mut advance: impl FnMut(&mut Vec<f64>),
        mut carry: impl FnMut(&[f64], Vectors) -> Result<Vectors, Error>,
        vectors: Vectors,
    ) -> Result<Vectors, Error> {
        let mut x = start.to_vec();
        (0..self.count).try_fold(vectors, |vectors, _| {
            let vectors = carry(&x, vectors)?;
            advance(&mut x);
            Ok(vectors)
        })
    }

    /// Carries vectors from the end of a run to its start.
    pub(super) fn against(
        self,
        start: &[f64],
        mut advance: impl FnMut(&mut Vec<f64>),
        mut carry: impl FnMut(&[f64], Vectors) -> Result<Vectors, Error>,
        vectors: Vectors,
    ) -> Result<Vectors, Error> {
        let mut step = differentiable(
            |_, x: &mut Vec<f64>| advance(x),
            |_, x: &Vec<f64>, carried: &mut Result<Vectors, Error>| {
                let before = std::mem::replace(carried, Ok(Vec::new()));
                *carried = before.and_then(|vectors| carry(x, vectors));
            },
        );
        let schedule: Box<dyn Schedule> = match self.snapshots {
            None => Box::new(StoreAll::new(self.count)),
            Some(snapshots) => Box::new(Revolve::new(self.count, snapshots).expect("there is a snapshot")),
        };
        let carried = adjoint(&mut step, &*schedule, start.to_vec(), &mut Memory::new(), |_| Ok(vectors));
        carried.expect("memory has no budget, and nothing is reversed").0
    }
}
