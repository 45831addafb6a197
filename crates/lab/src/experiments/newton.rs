//! Newton's method without a Jacobian matrix: how fast it converges, and derivatives of where it ends.

use retrograd::inverse::{Error, Newton};
use retrograd::{Real, Traced, trace};

use super::{Experiment, Failure, Setting, WORST_CONDITION, condition};
use lab_report::findings::{Cell, Claim, Figure, Findings, Table};
use lab_report::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "newton",
    title: "Newton's method",
    about: "Newton steps by inverse accumulation converge with second order, on programs in place and on connected ones; the solution has \
            derivatives with respect to the parameters, and minima are found in the same way.",
    run,
};

/// A system of equations.
struct System {
    name: &'static str,
    program: fn(&[Traced], &[Traced]) -> Vec<Traced>,
    target: f64,
}

const SYSTEMS: [System; 2] = [
    System { name: "triangular, in place", program: triangular, target: 0.5 },
    System { name: "boundary value problem", program: bratu, target: 0.0 },
];

/// Each value depends on those before it, in place.
fn triangular(x: &[Traced], p: &[Traced]) -> Vec<Traced> {
    let mut x = x.to_vec();
    x[0] = x[0] * p[0] + x[0].cube() * 0.5;
    for i in 1..x.len() {
        x[i] = x[i] * p[0] + x[i].sinh() * 0.5 + (x[i - 1] * p[1]).sin() * 0.5;
    }
    x
}

/// `u'' + λ exp(u) = 0` with zero at both ends, by differences.
fn bratu(u: &[Traced], p: &[Traced]) -> Vec<Traced> {
    let n = u.len();
    let h = 1.0 / (n + 1) as f64;
    let at = |i: usize| if (1..=n).contains(&i) { u[i - 1] } else { Traced::zero() };
    (1..=n).map(|i| at(i - 1) - at(i) * 2.0 + at(i + 1) + at(i).exp() * p[0] * (p[1] * h * h)).collect()
}

/// The residuals in front of each step, as far as they are above rounding.
fn residuals(system: &System, n: usize, p: &[f64]) -> Vec<f64> {
    let fixed: Vec<Traced> = p.iter().copied().map(Traced::constant).collect();
    let after = |iterations| {
        let newton = Newton::new().iterations(iterations).tolerance(0.0);
        match newton.solve(|x| (system.program)(x, &fixed), &vec![0.0; n], &vec![system.target; n]) {
            Err(Error::NotConverged { residual, .. }) => Some(residual),
            Ok(_) | Err(_) => None,
        }
    };
    (0..20).map_while(after).take_while(|&residual| residual > 1e-14).collect()
}

/// The condition number of the Jacobian at the solution.
fn condition_there(system: &System, n: usize, p: &[f64]) -> Result<f64, Error> {
    let fixed: Vec<Traced> = p.iter().copied().map(Traced::constant).collect();
    let program = |x: &[Traced]| (system.program)(x, &fixed);
    let solution = Newton::new().solve(program, &vec![0.0; n], &vec![system.target; n])?;
    condition(&trace(&solution.x, program).inverse()?)
}

/// The order by which the last three residuals fall.
fn order(residuals: &[f64]) -> f64 {
    match residuals {
        [.., a, b, c] => (c / b).ln() / (b / a).ln(),
        _ => f64::NAN,
    }
}

/// How far the derivative of the sum of a solution with respect to the first parameter is from a difference quotient, relative to its size.
fn wrong_derivative(system: &System, n: usize, p: &[f64; 2]) -> Result<f64, Error> {
    let solve =
        |p: &[f64]| Newton::new().tolerance(1e-13).implicit(system.program, &vec![0.0; n], p, &vec![system.target; n]);
    let (by_parameters, _) = solve(p)?.pullback(&vec![1.0; n])?;
    let sum = |h: f64| Ok(solve(&[p[0] + h, p[1]])?.solution().x.iter().sum::<f64>());
    let h = 1e-4;
    let quotient = (sum(h)? - sum(-h)?) / (2.0 * h);
    Ok((by_parameters[0] - quotient).abs() / quotient.abs())
}

/// Rosenbrock's valley along a chain.
fn valley(x: &[Traced]) -> Traced {
    x.windows(2).map(|x| (x[1] - x[0].square()).square() * 100.0 + (x[0] - 1.0).square()).sum()
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let n = setting.size.pick(10, 200, 1000);
    let p = [2.0, 1.0];
    let mut claims = Vec::new();
    let mut series = Vec::new();
    let mut table = Table::new(
        format!("Largest residual in front of each step, with {n} unknowns."),
        ["step", SYSTEMS[0].name, SYSTEMS[1].name],
    );
    let mut columns = Vec::new();
    for (done, system) in SYSTEMS.iter().enumerate() {
        let name = system.name;
        let residuals = residuals(system, n, &p);
        claims.push(Claim::between(
            format!("{name}: order of convergence"),
            Figure::plain(order(&residuals)),
            1.7,
            2.4,
        ));
        claims.push(Claim::at_most(format!("{name}: steps to 1e-14"), Figure::count(residuals.len()), 8.0));
        let wrong = Figure::plain(wrong_derivative(system, n, &p).expect("it can be inverted"));
        claims.push(Claim::at_most(format!("{name}: derivative of the solution, against quotients"), wrong, 1e-6));
        let condition = Figure::plain(condition_there(system, n, &p).expect("it can be inverted"));
        claims.push(Claim::at_most(format!("{name}: condition number at the solution"), condition, WORST_CONDITION));
        let points = (0..).map(f64::from).zip(residuals.iter().copied());
        series.push(Series::new(name, if done == 0 { Style::Line } else { Style::Dashed }, points));
        columns.push(residuals);
        setting.progress.done(done + 1, 3)?;
    }
    for step in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
        let cell = |column: &Vec<f64>| column.get(step).map_or(Cell::from("—"), |left| Figure::plain(*left).into());
        table.row([Cell::from(step.to_string())].into_iter().chain(columns.iter().map(cell)));
    }
    let length = setting.size.pick(4, 20, 100);
    let start: Vec<f64> = (0..length).map(|i| if i % 2 == 0 { -1.2 } else { 1.0 }).collect();
    let found = Newton::new().iterations(500).tolerance(1e-10).minimize(valley, &start).expect("it can be inverted");
    claims.push(Claim::at_most(
        format!("Rosenbrock's valley, {length} variables: gradient at the minimum"),
        Figure::plain(found.gradient),
        1e-10,
    ));
    claims.push(Claim::beside(
        format!("Rosenbrock's valley, {length} variables: steps"),
        Figure::count(found.iterations),
    ));
    setting.progress.done(3, 3)?;
    Ok(Findings {
        claims,
        plots: vec![Plot::new(
            "The largest residual against the steps of Newton's method.",
            Axis::linear("steps"),
            Axis::logarithmic("residual"),
            series,
        )],
        tables: vec![table],
        ..Findings::default()
    })
}
