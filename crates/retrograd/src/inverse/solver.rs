//! Linear programs: the steps that carry tangents through a run, and those that carry them back.

use super::Error;
use super::coupled::{Factors, sign};
use super::matching::Matching;
use super::ordering::Components;
use super::system::System;
use crate::numbers::Node;

/// `t[target] = Σ coefficient · t[source]`, for one or two sources. There are two for each operation of a run, so it is packed.
#[derive(Clone, Copy)]
#[repr(Rust, packed(4))]
pub(super) struct Step {
    target: u32,
    sources: [u32; 2],
    coefficients: [f64; 2],
}

impl Step {
    fn new(target: usize, mut terms: impl Iterator<Item = (usize, f64)>) -> Step {
        let (first, coefficient) = terms.next().unwrap_or((target, 0.0));
        let (second, other) = terms.next().unwrap_or((first, 0.0));
        Step { target: target as u32, sources: [first as u32, second as u32], coefficients: [coefficient, other] }
    }

    fn sources(&self) -> [usize; 2] {
        self.sources.map(|source| source as usize)
    }
}

/// The steps of a run itself: from the tangents of its inputs to those of all its values; and whether these are all finite.
pub(super) fn forward_steps(system: &System, nodes: &[Node]) -> (Vec<Step>, bool) {
    let mut finite = (0..system.inputs()).all(|input| nodes[system.node(input)].value().is_finite());
    let step = |unknown| {
        let node = &nodes[system.node(unknown)];
        finite &= node.value().is_finite();
        Step::new(unknown, system.parents(unknown).zip(node.partials().map(|(_, partial)| partial)))
    };
    ((system.inputs()..system.len()).map(step).collect(), finite)
}

/// Runs steps on `W` tangents of each value at once.
pub(super) fn run<const W: usize>(steps: &[Step], t: &mut [[f64; W]]) {
    for step in steps {
        let ([a, b], [first, second]) = (step.sources(), step.coefficients);
        let (a, b) = (t[a], t[b]);
        let target = &mut t[step.target as usize];
        for w in 0..W {
            target[w] = first * a[w] + second * b[w];
        }
    }
}

/// Runs them backwards, on adjoints.
pub(super) fn run_transposed<const W: usize>(steps: &[Step], t: &mut [[f64; W]]) {
    for step in steps.iter().rev() {
        let adjoint = t[step.target as usize];
        for (source, coefficient) in step.sources().into_iter().zip(step.coefficients) {
            for w in 0..W {
                t[source][w] += coefficient * adjoint[w];
            }
        }
    }
}

/// From the tangents of the outputs to those of all values.
#[derive(Clone)]
pub(super) struct Solver {
    steps: Vec<Step>,
    pieces: Vec<Piece>,
    sign: f64,
    log_abs: f64,
}

#[derive(Clone)]
enum Piece {
    /// Steps up to this one.
    Steps(usize),
    Coupled(Coupled),
}

/// Unknowns that are solved for together.
#[derive(Clone)]
struct Coupled {
    unknowns: Vec<usize>,
    /// What the equations take from outside: row, unknown, coefficient.
    outside: Vec<(usize, usize, f64)>,
    factors: Factors,
}

/// The equations at a point.
struct Equations<'a> {
    system: &'a System,
    matching: &'a Matching,
    /// What their coefficients are, in less memory than the nodes.
    forward: &'a [Step],
}

impl Equations<'_> {
    /// The unknowns of an equation, with their coefficients.
    fn terms(&self, equation: usize) -> impl Iterator<Item = (usize, f64)> + Clone + use<> {
        let step = equation.checked_sub(self.system.inputs()).map(|i| &self.forward[i]);
        let [first, second] = step.map_or([0.0; 2], |step| step.coefficients);
        self.system.unknowns(equation).zip([1.0, -first, -second])
    }
}

impl Solver {
    pub(super) fn new(
        system: &System,
        matching: &Matching,
        order: &Components,
        (forward, finite): (&[Step], bool),
        nodes: &[Node],
    ) -> Result<Solver, Error> {
        if !finite {
            Error::unless_finite(nodes, (0..system.len()).map(|unknown| system.node(unknown)))?;
        }
        let sign = sign(system.len(), |equation| matching.unknown(equation));
        let mut solver = Solver { steps: Vec::with_capacity(forward.len()), pieces: Vec::new(), sign, log_abs: 0.0 };
        let equations = Equations { system, matching, forward };
        for block in order.iter() {
            let solved = match block {
                // What an output is, its right-hand side says.
                &[equation] if (equation as usize) < system.inputs() => Ok(()),
                &[equation] => solver.push_step(&equations, equation as usize),
                block => solver.push_coupled(&equations, block),
            };
            solved.map_err(|equation| singular(system, nodes, equation))?;
        }
        solver.pieces.push(Piece::Steps(solver.steps.len()));
        Ok(solver)
    }

    /// The step that solves an equation for its unknown; or the equation, if it cannot be solved.
    fn push_step(&mut self, equations: &Equations<'_>, equation: usize) -> Result<(), usize> {
        let target = equations.matching.unknown(equation);
        let terms = || equations.terms(equation);
        let pivot = terms().find(|&(unknown, _)| unknown == target).map_or(0.0, |(_, coefficient)| coefficient);
        if pivot == 0.0 || !pivot.is_finite() || !pivot.recip().is_finite() {
            return Err(equation);
        }
        self.sign *= pivot.signum();
        if pivot.abs() != 1.0 {
            self.log_abs += pivot.abs().ln();
        }
        let others = terms().filter(|&(unknown, _)| unknown != target);
        self.steps.push(Step::new(target, others.map(|(unknown, coefficient)| (unknown, -coefficient / pivot))));
        Ok(())
    }

    /// The factors of equations that are solved together; or one that cannot be solved.
    fn push_coupled(&mut self, equations: &Equations<'_>, block: &[u32]) -> Result<(), usize> {
        // Equations are in ascending order, and each has its unknown as its column.
        let column = |unknown: usize| block.binary_search(&(equations.matching.equation(unknown) as u32)).ok();
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for (row, &equation) in block.iter().enumerate() {
            for (unknown, coefficient) in equations.terms(equation as usize) {
                match column(unknown) {
                    Some(column) => inside.push((row, column, coefficient)),
                    None => outside.push((row, unknown, coefficient)),
                }
            }
        }
        let factors = Factors::new(block.len(), &inside).map_err(|column| block[column] as usize)?;
        let (sign, log_abs) = factors.log_det();
        (self.sign, self.log_abs) = (self.sign * sign, self.log_abs + log_abs);
        let unknowns = block.iter().map(|&equation| equations.matching.unknown(equation as usize)).collect();
        self.pieces.push(Piece::Steps(self.steps.len()));
        self.pieces.push(Piece::Coupled(Coupled { unknowns, outside, factors }));
        Ok(())
    }

    /// The sign of the determinant of the Jacobian, and the logarithm of its magnitude.
    pub(super) fn log_det(&self) -> (f64, f64) {
        (self.sign, self.log_abs)
    }

    /// From the outputs, whose tangents are in `t`, to all others.
    pub(super) fn solve<const W: usize>(&self, t: &mut [[f64; W]], columns: &mut Vec<f64>) {
        let mut done = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Steps(end) => run(&self.steps[std::mem::replace(&mut done, *end)..*end], t),
                Piece::Coupled(coupled) => coupled.solve(t, columns),
            }
        }
    }

    /// From the inputs, whose adjoints are in `t` where all others are zero, to all others.
    pub(super) fn solve_transposed<const W: usize>(&self, t: &mut [[f64; W]], columns: &mut Vec<f64>) {
        for (i, piece) in self.pieces.iter().enumerate().rev() {
            match piece {
                Piece::Steps(end) => {
                    let begin = self.pieces[..i].iter().rev().find_map(|piece| match piece {
                        Piece::Steps(end) => Some(*end),
                        Piece::Coupled(_) => None,
                    });
                    run_transposed(&self.steps[begin.unwrap_or(0)..*end], t);
                }
                Piece::Coupled(coupled) => coupled.solve_transposed(t, columns),
            }
        }
    }

    /// Solves for one right-hand side, and bounds the rounding errors of each value in units of the last place of one.
    pub(super) fn solve_with_errors(&self, t: &mut [[f64; 1]], columns: &mut Vec<f64>) -> Vec<f64> {
        let mut errors = vec![0.0; t.len()];
        let mut done = 0;
        for piece in &self.pieces {
            match piece {
                Piece::Steps(end) => {
                    for step in &self.steps[std::mem::replace(&mut done, *end)..*end] {
                        run(std::slice::from_ref(step), t);
                        let terms = step.sources().into_iter().zip(step.coefficients);
                        errors[step.target as usize] = terms
                            .map(|(source, coefficient)| coefficient.abs() * (errors[source] + t[source][0].abs()))
                            .sum();
                    }
                }
                Piece::Coupled(coupled) => {
                    coupled.solve(t, columns);
                    coupled.spread(t, &mut errors);
                }
            }
        }
        errors
    }

    /// The first value, in the order of solving, that is not finite.
    pub(super) fn first_infinite<const W: usize>(&self, t: &[[f64; W]]) -> Option<usize> {
        let is_infinite = |unknown: &usize| t[*unknown].iter().any(|t| !t.is_finite());
        let mut done = 0;
        self.pieces.iter().find_map(|piece| match piece {
            Piece::Steps(end) => {
                let steps = &self.steps[std::mem::replace(&mut done, *end)..*end];
                steps.iter().map(|step| step.target as usize).find(is_infinite)
            }
            Piece::Coupled(coupled) => coupled.unknowns.iter().copied().find(is_infinite),
        })
    }
}

impl Coupled {
    fn solve<const W: usize>(&self, t: &mut [[f64; W]], columns: &mut Vec<f64>) {
        let n = self.unknowns.len();
        columns.clear();
        columns.resize(n * W, 0.0);
        for &(row, unknown, coefficient) in &self.outside {
            for w in 0..W {
                columns[w * n + row] -= coefficient * t[unknown][w];
            }
        }
        self.factors.solve(columns);
        for (i, &unknown) in self.unknowns.iter().enumerate() {
            for w in 0..W {
                t[unknown][w] = columns[w * n + i];
            }
        }
    }

    fn solve_transposed<const W: usize>(&self, t: &mut [[f64; W]], columns: &mut Vec<f64>) {
        let n = self.unknowns.len();
        columns.clear();
        columns.resize(n * W, 0.0);
        for (i, &unknown) in self.unknowns.iter().enumerate() {
            for w in 0..W {
                columns[w * n + i] = t[unknown][w];
            }
        }
        self.factors.solve_transposed(columns);
        for &(row, unknown, coefficient) in &self.outside {
            for w in 0..W {
                t[unknown][w] -= coefficient * columns[w * n + row];
            }
        }
    }

    /// An estimate of the errors behind the solution: those before it, spread by the same system.
    fn spread(&self, t: &[[f64; 1]], errors: &mut [f64]) {
        let mut column = vec![0.0; self.unknowns.len()];
        for &(row, unknown, coefficient) in &self.outside {
            column[row] += coefficient.abs() * (errors[unknown] + t[unknown][0].abs());
        }
        self.factors.solve(&mut column);
        for (&unknown, spread) in self.unknowns.iter().zip(column) {
            errors[unknown] = spread.abs() + t[unknown][0].abs();
        }
    }
}

/// The operation whose equation cannot be solved.
pub(super) fn singular(system: &System, nodes: &[Node], unknown: usize) -> Error {
    Error::singular(nodes, system.node(unknown))
}
