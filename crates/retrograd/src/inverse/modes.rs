//! The four products with a Jacobian, its transpose, its inverse, and the transpose of that.

use std::fmt;
use std::sync::Arc;

use super::matching::Matching;
use super::ode::probe;
use super::ordering::Components;
use super::solver::{Solver, Step, forward_steps, run, run_transposed, singular};
use super::system::System;
use super::{Error, Lump, diagram, lumps};
use crate::LogDet;
use crate::numbers::Graph;

/// How many right-hand sides go through a program at once.
const MANY: usize = 8;

/// Products with the Jacobian J of a recorded program, with its transpose, its inverse, and the transpose of that: none of them forms
/// a matrix.
///
/// ```
/// use retrograd::trace;
///
/// // J = [[2, 1], [0, 4]]
/// let modes = trace(&[1.0, 2.0], |x| [x[0] * 2.0 + x[1], x[1] * x[1]]).inverse()?;
/// assert_eq!(modes.jvp(&[1.0, 1.0]), [3.0, 4.0]);
/// assert_eq!(modes.vjp(&[1.0, 1.0]), [2.0, 5.0]);
/// assert_eq!(modes.solve(&[3.0, 4.0])?, [1.0, 1.0]);
/// assert_eq!(modes.solve_transposed(&[2.0, 5.0])?, [1.0, 1.0]);
/// # Ok::<(), retrograd::inverse::Error>(())
/// ```
///
/// Lengths that do not fit panic, and say which.
#[derive(Clone)]
pub struct Modes {
    structure: Arc<Structure>,
    graph: Graph,
    forward: Vec<Step>,
    /// Or why there are none at this point.
    backward: Result<Solver, Error>,
    refinements: usize,
}

/// What does not depend on the point.
struct Structure {
    system: System,
    matching: Matching,
    /// The equations in an order in which they can be solved.
    order: Components,
    lumps: Vec<Lump>,
    /// The unknown of each output.
    outputs: Vec<usize>,
}

impl Graph {
    /// Prepares products with the inverse of the Jacobian at this point.
    ///
    /// Fails if there are not as many outputs as inputs, or if the Jacobian is singular at every point.
    ///
    /// ```
    /// use retrograd::trace;
    /// use retrograd::inverse::Error;
    ///
    /// let error = trace(&[1.0, 2.0], |x| { let s = x[0] + x[1]; [s * 2.0, s * s] }).inverse().unwrap_err();
    /// assert!(matches!(&error, Error::StructurallySingular { rank: 1, cut } if cut[0].operation == "+"));
    /// ```
    pub fn inverse(self) -> Result<Modes, Error> {
        let system = System::new(&self)?;
        let matching = Matching::new(&system, self.nodes())?;
        // Backwards, a value is computed from later ones.
        let order = Components::new(system.len(), (0..system.len()).rev(), |equation, edge| {
            system.unknowns(equation).nth(edge).map(|unknown| matching.equation(unknown))
        });
        let lumps = lumps::lumps(&system, &matching);
        let outputs = (0..system.inputs()).map(|output| matching.unknown(output)).collect();
        let structure = Arc::new(Structure { system, matching, order, lumps, outputs });
        Ok(Modes::new(structure, self, 0))
    }
}

impl Modes {
    fn new(structure: Arc<Structure>, graph: Graph, refinements: usize) -> Modes {
        let Structure { system, matching, order, .. } = &*structure;
        let (forward, finite) = forward_steps(system, graph.nodes());
        let backward = Solver::new(system, matching, order, (&forward, finite), graph.nodes());
        Modes { forward, backward, graph, structure, refinements }
    }

    /// The graph at the point where the Jacobian is taken.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The finest parts of the program that are inverted as a whole, in an order in which they can be computed.
    pub fn lumps(&self) -> &[Lump] {
        &self.structure.lumps
    }

    /// How many values are solved for together, for each system of equations that is factorised: what is left of the lumps after
    /// block-triangular refinement. All others are solved for one by one.
    ///
    /// ```
    /// use retrograd::trace;
    ///
    /// // Both results use `a`, so that they are one lump; but each of them can be solved for by itself.
    /// let modes = trace(&[1.0, 2.0, 3.0], |x| {
    ///     let a = x[0] * 0.5;
    ///     [x[0], x[1] + a, x[2] - a]
    /// })
    /// .inverse()?;
    /// assert_eq!((modes.lumps().len(), modes.blocks().count()), (1, 0));
    /// # Ok::<(), retrograd::inverse::Error>(())
    /// ```
    pub fn blocks(&self) -> impl Iterator<Item = usize> {
        self.structure.order.iter().map(<[u32]>::len).filter(|&size| size > 1)
    }

    /// A drawing of the program as SVG: values are lines, from the inputs on the left to the outputs on the right, and lumps are boxes on
    /// the lines that they change. A dot is a value that a lump only reads. Pointing at a box shows its operations, and where they are
    /// written.
    ///
    /// ```
    /// use retrograd::trace;
    ///
    /// let modes = trace(&[1.0, 2.0], |x| [x[0] * x[1], x[1]]).inverse()?;
    /// assert!(modes.diagram().starts_with("<svg"));
    /// # Ok::<(), retrograd::inverse::Error>(())
    /// ```
    pub fn diagram(&self) -> String {
        let Structure { system, matching, lumps, outputs, .. } = &*self.structure;
        diagram::draw(system, matching, lumps, outputs, self.graph.nodes())
    }

    /// `J v`.
    #[track_caller]
    pub fn jvp(&self, v: &[f64]) -> Vec<f64> {
        self.one(Product::Jacobian, v).unwrap_or_else(never)
    }

    /// `J v` for several vectors at once.
    #[track_caller]
    pub fn jvp_many<V: AsRef<[f64]>>(&self, vectors: &[V]) -> Vec<Vec<f64>> {
        self.many(Product::Jacobian, vectors).unwrap_or_else(never)
    }

    /// `Jᵀ v`.
    #[track_caller]
    pub fn vjp(&self, v: &[f64]) -> Vec<f64> {
        self.one(Product::Transposed, v).unwrap_or_else(never)
    }

    /// `Jᵀ v` for several vectors at once.
    #[track_caller]
    pub fn vjp_many<V: AsRef<[f64]>>(&self, vectors: &[V]) -> Vec<Vec<f64>> {
        self.many(Product::Transposed, vectors).unwrap_or_else(never)
    }

    /// `J⁻¹ v`. Fails if the Jacobian is singular at this point.
    ///
    /// ```
    /// use retrograd::inverse::Error;
    /// use retrograd::{Real, trace};
    ///
    /// let modes = trace(&[0.0], |x| [x[0].square()]).inverse()?;
    /// assert!(matches!(modes.solve(&[1.0]), Err(Error::Singular { operation: "square", .. })));
    /// # Ok::<(), Error>(())
    /// ```
    #[track_caller]
    pub fn solve(&self, v: &[f64]) -> Result<Vec<f64>, Error> {
        self.one(Product::Inverse, v)
    }

    /// `J⁻¹ v` for several vectors at once.
    #[track_caller]
    pub fn solve_many<V: AsRef<[f64]>>(&self, vectors: &[V]) -> Result<Vec<Vec<f64>>, Error> {
        self.many(Product::Inverse, vectors)
    }

    /// `J⁻ᵀ v`. Fails if the Jacobian is singular at this point.
    #[track_caller]
    pub fn solve_transposed(&self, v: &[f64]) -> Result<Vec<f64>, Error> {
        self.one(Product::InverseTransposed, v)
    }

    /// `J⁻ᵀ v` for several vectors at once.
    #[track_caller]
    pub fn solve_transposed_many<V: AsRef<[f64]>>(&self, vectors: &[V]) -> Result<Vec<Vec<f64>>, Error> {
        self.many(Product::InverseTransposed, vectors)
    }

    /// The determinant of J. Fails if the Jacobian is singular at this point.
    pub fn log_det(&self) -> Result<LogDet, Error> {
        let (sign, log_abs) = self.backward.as_ref().map_err(Error::clone)?.log_det();
        Ok(LogDet { sign, log_abs })
    }

    /// Moves to another point, without recording the program again.
    ///
    /// Fails if the program decides otherwise there, because a comparison or a rounding comes out otherwise, so that it would compute
    /// something else. Nothing is changed then.
    ///
    /// ```
    /// use retrograd::trace;
    ///
    /// let mut modes = trace(&[1.0], |x| [x[0] * x[0]]).inverse()?;
    /// modes.reevaluate(&[4.0])?;
    /// assert_eq!(modes.solve(&[1.0])?, [0.125]);
    /// # Ok::<(), retrograd::inverse::Error>(())
    /// ```
    #[track_caller]
    pub fn reevaluate(&mut self, x: &[f64]) -> Result<(), Error> {
        let graph = self.graph.at(x).map_err(Error::OtherBranch)?;
        *self = self.with_graph(graph);
        Ok(())
    }

    /// The same program at the point of another graph of it.
    pub(super) fn with_graph(&self, graph: Graph) -> Modes {
        Modes::new(self.structure.clone(), graph, self.refinements)
    }

    /// Improves each solution `times` times, by solving for what is left of its right-hand side. This helps where [`growth`](Modes::growth)
    /// is large and the Jacobian well conditioned.
    pub fn refined(self, times: usize) -> Modes {
        Modes { refinements: times, ..self }
    }

    /// How much rounding errors may grow in [`solve`](Modes::solve): a bound for the largest error of a solution, in
    /// units of the last place of its largest number, for a right-hand side of ones with both signs. Fails if the Jacobian is singular at
    /// this point.
    ///
    /// It grows with the number of operations, as rounding errors do. Where it is large for a short program, a step is badly conditioned, though the
    /// Jacobian need not be.
    ///
    /// ```
    /// use retrograd::trace;
    ///
    /// // In place, this divides by 1e-9; the matrix [[1e-9, 1], [1, 1]] is well conditioned.
    /// let modes = trace(&[1.0, 1.0], |x| {
    ///     let a = x[0] * 1e-9 + x[1];
    ///     let b = x[1] + (a - x[1]) * 1e9;
    ///     [a, b]
    /// })
    /// .inverse()?;
    /// assert!(modes.growth()? > 1e6);
    /// # Ok::<(), retrograd::inverse::Error>(())
    /// ```
    pub fn growth(&self) -> Result<f64, Error> {
        let solver = self.backward.as_ref().map_err(Error::clone)?;
        let mut t = vec![[0.0]; self.structure.system.len()];
        for (&output, sign) in self.structure.outputs.iter().zip(probe(self.structure.outputs.len())) {
            t[output] = [sign];
        }
        let errors = solver.solve_with_errors(&mut t, &mut Vec::new());
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        let n = self.structure.system.inputs();
        Ok(largest(&mut errors[..n].iter().copied()) / largest(&mut t[..n].iter().map(|t| t[0].abs())))
    }

    #[track_caller]
    fn one(&self, product: Product, vector: &[f64]) -> Result<Vec<f64>, Error> {
        Ok(self.chunk::<1>(product, &[vector])?.swap_remove(0))
    }

    #[track_caller]
    fn many<V: AsRef<[f64]>>(&self, product: Product, vectors: &[V]) -> Result<Vec<Vec<f64>>, Error> {
        let vectors: Vec<&[f64]> = vectors.iter().map(AsRef::as_ref).collect();
        let mut results = Vec::with_capacity(vectors.len());
        for chunk in vectors.chunks(MANY) {
            results.extend(match chunk {
                [_] => self.chunk::<1>(product, chunk)?,
                _ => self.chunk::<MANY>(product, chunk)?,
            });
        }
        Ok(results)
    }

    /// Up to `W` products.
    #[track_caller]
    fn chunk<const W: usize>(&self, product: Product, vectors: &[&[f64]]) -> Result<Vec<Vec<f64>>, Error> {
        let n = self.structure.system.inputs();
        for vector in vectors {
            assert!(
                vector.len() == n,
                "a vector of {} numbers is given for a Jacobian with {n} rows and columns",
                vector.len()
            );
        }
        let mut work = Work::<W> { t: Vec::new(), columns: Vec::new() };
        let mut results = self.sweep(product, vectors, &mut work)?;
        let Some(opposite) = product.opposite() else { return Ok(results) };
        for _ in 0..self.refinements {
            let products = self.sweep(opposite, &slices(&results), &mut work)?;
            let left =
                |(vector, product): (&&[f64], &Vec<f64>)| vector.iter().zip(product).map(|(v, p)| v - p).collect();
            let left: Vec<Vec<f64>> = vectors.iter().zip(&products).map(left).collect();
            let corrections = self.sweep(product, &slices(&left), &mut work)?;
            for (result, correction) in results.iter_mut().zip(corrections) {
                result.iter_mut().zip(correction).for_each(|(result, correction)| *result += correction);
            }
        }
        Ok(results)
    }

    fn sweep<const W: usize>(
        &self,
        product: Product,
        vectors: &[&[f64]],
        work: &mut Work<W>,
    ) -> Result<Vec<Vec<f64>>, Error> {
        let Structure { system, outputs, .. } = &*self.structure;
        let (n, t) = (system.inputs(), &mut work.t);
        t.clear();
        t.resize(system.len(), [0.0; W]);
        let (from, to): (Side<'_>, Side<'_>) = match product {
            Product::Jacobian | Product::InverseTransposed => (&|i| i, &|i| outputs[i]),
            Product::Transposed | Product::Inverse => (&|i| outputs[i], &|i| i),
        };
        for i in 0..n {
            for (w, vector) in vectors.iter().enumerate() {
                t[from(i)][w] = vector[i];
            }
        }
        match product {
            Product::Jacobian => run(&self.forward, t),
            Product::Transposed => run_transposed(&self.forward, t),
            Product::Inverse | Product::InverseTransposed => {
                let solver = self.backward.as_ref().map_err(Error::clone)?;
                match product == Product::Inverse {
                    true => solver.solve(t, &mut work.columns),
                    false => solver.solve_transposed(t, &mut work.columns),
                }
                let is_given_finite = vectors.iter().all(|vector| vector.iter().all(|v| v.is_finite()));
                if is_given_finite && !(0..n).all(|i| t[to(i)].iter().all(|t| t.is_finite())) {
                    let unknown = solver.first_infinite(t).unwrap_or(n);
                    return Err(singular(system, self.graph.nodes(), unknown));
                }
            }
        }
        Ok((0..vectors.len()).map(|w| (0..n).map(|i| t[to(i)][w]).collect()).collect())
    }
}

/// How large the Jacobian is, and its lumps.
impl fmt::Debug for Modes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.structure.system.inputs();
        f.debug_struct("Modes").field("inputs", &n).field("lumps", &self.lumps()).finish_non_exhaustive()
    }
}

/// From the number of an input or an output to its unknown.
type Side<'a> = &'a dyn Fn(usize) -> usize;

/// Memory for sweeps.
struct Work<const W: usize> {
    t: Vec<[f64; W]>,
    columns: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Product {
    Jacobian,
    Transposed,
    Inverse,
    InverseTransposed,
}

impl Product {
    /// The product that undoes an inverse one.
    fn opposite(self) -> Option<Product> {
        match self {
            Product::Jacobian | Product::Transposed => None,
            Product::Inverse => Some(Product::Jacobian),
            Product::InverseTransposed => Some(Product::Transposed),
        }
    }
}

fn slices(vectors: &[Vec<f64>]) -> Vec<&[f64]> {
    vectors.iter().map(Vec::as_slice).collect()
}

/// Products with the Jacobian itself need no solver.
fn never<T>(error: Error) -> T {
    unreachable!("{error}")
}
