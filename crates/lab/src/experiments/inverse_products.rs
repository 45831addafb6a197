//! Products with the inverse of a Jacobian, against building the matrix and factorising it.

mod programs;

use allocation_counter::measure as count_allocations;
use faer::linalg::solvers::{PartialPivLu, Solve};
use faer::{Mat, MatMut};
use retrograd::lanes::{InstructionSet, Kernel, run as run_in_lanes};
use retrograd::{Lanes, Traced, trace};

use super::{Experiment, Failure, Setting, WORST_CONDITION};
use lab_corpus::yardsticks::data::Random;
use lab_report::findings::{Cell, Claim, Figure, Findings, Table};
use lab_report::measure::{Contestant, Race, Results};
use programs::{COLUMNS, Pendulums, Program, Relaxation};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "inverse_products",
    title: "Products with inverse Jacobians",
    about: "A reversible program carries J⁻¹v in one run backwards. Against it: the matrix J, eight columns at a time in lanes, and its \
            dense factors. And where the matrix is better: dense layers, and many right-hand sides.",
    run,
};

const PROGRAM: &str = "the program";
const FORWARDS: &str = "J v";
const TRANSPOSED: &str = "Jᵀ v";
const INVERSE: &str = "J⁻¹ v";
const INVERSE_TRANSPOSED: &str = "J⁻ᵀ v";
const DENSE: &str = "matrix and LU";
const SOLUTION: &str = "one solution with factors";

/// Builds the Jacobian, some columns in each run.
struct Jacobian<'a, P> {
    program: P,
    x: &'a [f64],
}

impl<P: Program> Kernel for Jacobian<'_, P> {
    type Output = Mat<f64>;

    #[inline(always)]
    fn run<I: InstructionSet>(self) -> Mat<f64> {
        let n = self.x.len();
        let mut matrix = Mat::zeros(n, n);
        let zero = Lanes::<f64, COLUMNS, I>::splat(0.0);
        let (mut x, mut v) = (vec![zero; n], vec![zero; n]);
        for first in (0..n).step_by(COLUMNS) {
            let columns = first..n.min(first + COLUMNS);
            x.iter_mut().zip(self.x).for_each(|(lanes, x)| *lanes = Lanes::splat(*x));
            v.fill(zero);
            for column in columns.clone() {
                let mut one = [0.0; COLUMNS];
                one[column - first] = 1.0;
                v[column] = Lanes::from_array(one);
            }
            self.program.pushforward_in_lanes(&mut x, &mut v);
            for (row, v) in v.iter().enumerate() {
                let entries = v.to_array();
                columns.clone().for_each(|column| matrix[(row, column)] = entries[column - first]);
            }
        }
        matrix
    }
}

/// Solves with the dense factors of a matrix.
fn solve(factors: &PartialPivLu<f64>, v: &mut [f64]) {
    let n = v.len();
    factors.solve_in_place(MatMut::from_column_major_slice_mut(v, n, 1));
}

/// The condition number of a matrix, by the largest sums of magnitudes in a row.
fn condition(matrix: &Mat<f64>) -> f64 {
    let n = matrix.nrows();
    let mut inverse = Mat::<f64>::identity(n, n);
    matrix.partial_piv_lu().solve_in_place(inverse.as_mut());
    let norm =
        |matrix: &Mat<f64>| (0..n).map(|i| (0..n).map(|j| matrix[(i, j)].abs()).sum::<f64>()).fold(0.0, f64::max);
    norm(matrix) * norm(&inverse)
}

/// What was found of one program.
struct Row {
    name: String,
    n: usize,
    results: Results,
    condition: f64,
    /// What is allocated for J⁻¹v.
    allocations: u64,
}

/// Lets a program and its products race against dense factors.
fn compete<P: Program>(name: String, program: P, x: &[f64], v: &[f64], setting: &Setting) -> Row {
    let mut after = x.to_vec();
    program.call(&mut after);
    // Each run starts where its values have to be.
    fn product<'a>(
        name: &'static str,
        from: &'a [f64],
        v: &'a [f64],
        run: impl Fn(&mut [f64], &mut [f64]) + 'a,
    ) -> Contestant<'a> {
        let state = (from.to_vec(), v.to_vec());
        let compute = move |(x, w): &mut (Vec<f64>, Vec<f64>)| {
            x.copy_from_slice(from);
            w.copy_from_slice(v);
            run(x, w);
        };
        Contestant::new(name, state, compute, |(_, w)| w.clone())
    }
    let matrix = run_in_lanes(Jacobian { program, x });
    let factors = matrix.partial_piv_lu();
    let results = Race::new()
        .join([
            product(PROGRAM, x, v, |x, _| program.call(x)),
            product(FORWARDS, x, v, |x, v| program.pushforward(x, v)),
            product(TRANSPOSED, &after, v, |x, v| program.pullback(x, v)),
            product(INVERSE, &after, v, |x, v| program.unpushforward(x, v)),
            product(INVERSE_TRANSPOSED, x, v, |x, v| program.unpullback(x, v)),
            product(DENSE, x, v, |x, v| solve(&run_in_lanes(Jacobian { program, x }).partial_piv_lu(), v)),
            product(SOLUTION, x, v, |_, v| solve(&factors, v)),
        ])
        .run(setting.size.effort_for_many());
    let (mut y, mut w) = (after.clone(), v.to_vec());
    let allocations = count_allocations(|| program.unpushforward(&mut y, &mut w)).count_total;
    Row { name, n: x.len(), condition: condition(&matrix), allocations, results }
}

impl Row {
    fn seconds(&self, name: &str) -> f64 {
        self.results.timing(name).minimum()
    }

    fn claims(&self) -> Vec<Claim> {
        let Row { name, results, condition, allocations, .. } = self;
        let ratio = |one: &str, other: &str| Figure::times(results.timing(one).ratio(results.timing(other)));
        let wrong = results.difference(DENSE, INVERSE) / condition;
        vec![
            Claim::at_most(format!("{name}: {INVERSE} over {PROGRAM}"), ratio(INVERSE, PROGRAM), 2.0)
                .timed()
                .paper("about as efficiently", "Inverse accumulation, abstract"),
            Claim::at_least(format!("{name}: {DENSE} over {INVERSE}"), ratio(DENSE, INVERSE), 10.0).timed(),
            Claim::exactly(format!("{name}: allocations for {INVERSE}"), Figure::count(*allocations as usize), 0.0),
            Claim::at_most(format!("{name}: condition number"), Figure::plain(*condition), WORST_CONDITION),
            Claim::at_most(
                format!("{name}: {INVERSE} against {DENSE}, over the condition number"),
                Figure::plain(wrong),
                1e-13,
            ),
        ]
    }

    fn cells(&self) -> Vec<Cell> {
        let mut cells = vec![Cell::from(self.name.as_str()), Figure::plain(self.condition).into()];
        let names = [PROGRAM, FORWARDS, TRANSPOSED, INVERSE, INVERSE_TRANSPOSED, DENSE];
        cells.extend(names.map(|name| Figure::seconds(self.seconds(name)).into()));
        cells
    }

    /// One product after the other for each unit vector, against factors that are used again.
    fn many(&self) -> Loss {
        let n = self.n as f64;
        Loss {
            name: format!("{}, {} right-hand sides", self.name, self.n),
            condition: self.condition,
            accumulated: n * self.seconds(INVERSE),
            dense: self.seconds(DENSE) + (n - 1.0) * self.seconds(SOLUTION),
        }
    }
}

/// Where inverse accumulation may lose.
struct Loss {
    name: String,
    condition: f64,
    accumulated: f64,
    dense: f64,
}

/// A dense product, through its graph: one lump, whose sparse system knows nothing of the matrix.
fn dense_product(n: usize, random: &mut Random, setting: &Setting) -> Loss {
    let matrix = Mat::from_fn(n, n, |i, j| random.between(-1.0, 1.0) / n as f64 + f64::from(i == j));
    let x = vec![1.0; n];
    let product = |x: &[Traced]| -> Vec<Traced> {
        (0..n).map(|i| x.iter().enumerate().map(|(j, x)| *x * matrix[(i, j)]).sum()).collect()
    };
    let results = Race::new()
        .with(
            INVERSE,
            vec![0.0; n],
            |v: &mut Vec<f64>| *v = trace(&x, product).inverse().and_then(|modes| modes.solve(&x)).unwrap_or_default(),
            Vec::clone,
        )
        .with(
            DENSE,
            vec![0.0; n],
            |v: &mut Vec<f64>| {
                v.copy_from_slice(&x);
                solve(&matrix.partial_piv_lu(), v);
            },
            Vec::clone,
        )
        .run(setting.size.effort_for_many());
    let seconds = |name| results.timing(name).minimum();
    Loss {
        name: format!("dense product through its graph, n = {n}"),
        condition: condition(&matrix),
        accumulated: seconds(INVERSE),
        dense: seconds(DENSE),
    }
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let n = setting.size.pick(24, 1000, 1000);
    let (sweeps, steps) = setting.size.pick((3, 20), (10, 1000), (10, 1000));
    let mut random = Random::new(29);
    let mut numbers = |n: usize, size: f64| -> Vec<f64> { (0..n).map(|_| random.between(-size, size)).collect() };
    let (x, v) = (numbers(n, 1.0), numbers(n, 1.0));
    let relaxation = compete(format!("relaxation, {sweeps} sweeps"), Relaxation(sweeps), &x, &v, setting);
    setting.progress.done(1, 3)?;
    let x = numbers(n, 0.1);
    let pendulums = compete(format!("leapfrog, {steps} steps"), Pendulums(steps), &x, &v, setting);
    setting.progress.done(2, 3)?;
    let product = dense_product(setting.size.pick(6, 60, 100), &mut random, setting);
    setting.progress.done(3, 3)?;

    let rows = [relaxation, pendulums];
    let mut table = Table::new(
        format!(
            "Seconds for each product with the Jacobian of a program on {n} numbers, and for the dense way to J⁻¹v."
        ),
        ["program", "condition number", PROGRAM, FORWARDS, TRANSPOSED, INVERSE, INVERSE_TRANSPOSED, DENSE],
    );
    let mut losses = Table::new(
        "Where the matrix may be better: many right-hand sides, and dense products.",
        ["program", "condition number", "inverse accumulation", "dense factors", "accumulation over factors"],
    );
    rows.iter().for_each(|row| table.row(row.cells()));
    let mut claims: Vec<Claim> = rows.iter().flat_map(Row::claims).collect();
    for Loss { name, condition, accumulated, dense } in rows.iter().map(Row::many).chain([product]) {
        let cells = [Figure::plain(condition), Figure::seconds(accumulated), Figure::seconds(dense)];
        let ratio = Figure::times(accumulated / dense);
        let cells = cells.into_iter().chain([ratio]).map(Cell::from);
        losses.row([Cell::from(name.as_str())].into_iter().chain(cells));
        claims.push(Claim::beside(format!("{name}: inverse accumulation over dense factors"), ratio).timed());
        claims.push(Claim::at_most(format!("{name}: condition"), Figure::plain(condition), WORST_CONDITION));
    }
    Ok(Findings {
        claims,
        tables: vec![table, losses],
        remarks: vec![
            "Inverse products run the program backwards, or forwards, once. The dense way builds all columns of the Jacobian in lanes, and \
             factorises it with faer, on one thread."
                .to_string(),
        ],
        ..Findings::default()
    })
}
