//! Powers: products that are undone bit for bit in logarithms, and are not in fixed point.

use retrograd::prelude::*;

use super::{Experiment, Failure, Setting};
use lab_corpus::programs::power::{Logarithm, Number, power};
use lab_corpus::yardsticks::data::Random;
use lab_report::findings::{Claim, Figure, Findings, Table};
use lab_report::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "power_function",
    title: "The reversible power function",
    about: "A fixed-point number is converted to its logarithm, multiplied n times, and converted back: nothing is stored, and \
            every bit returns. Multiplied in fixed point, it does not return exactly.",
    run,
};

/// The exponents.
const EXPONENTS: [u32; 8] = [1, 2, 3, 5, 10, 20, 50, 100];

/// What happened to random numbers, for one exponent.
struct Outcome {
    n: u32,
    /// How many came back with other bits from the power function.
    lost: usize,
    /// How many came back with other bits from products and quotients in fixed point.
    lost_in_fixed_point: usize,
    /// The largest relative error of the power, and of products in fixed point.
    errors: [f64; 2],
}

/// Raises `cases` random numbers to the power `n`, and takes all of it back.
fn outcome(n: u32, cases: usize, random: &mut Random) -> Outcome {
    let mut outcome = Outcome { n, lost: 0, lost_in_fixed_point: 0, errors: [0.0; 2] };
    for _ in 0..cases {
        // Powers from about 1/16 to 4096, so that there are digits to compare.
        let x = Number::lit(2_f64.powf(random.between(-4.0, 12.0) / f64::from(n)));
        let exact = x.to_f64().powi(n as i32);
        let start = Number::lit(random.between(-100.0, 100.0));
        let mut out = Number::zero();
        power::<_, Logarithm>(&mut out, x, n);
        outcome.errors[0] = outcome.errors[0].max((out.to_f64() - exact).abs() / exact);
        let mut out = start;
        power::<_, Logarithm>(&mut out, x, n);
        power::uncall::<_, Logarithm>(&mut out, x, n);
        outcome.lost += usize::from(out != start);

        let mut product = Number::one();
        (0..n).for_each(|_| product *= x);
        outcome.errors[1] = outcome.errors[1].max((product.to_f64() - exact).abs() / exact);
        (0..n).for_each(|_| product /= x);
        outcome.lost_in_fixed_point += usize::from(product != Number::one());
    }
    outcome
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let cases = setting.size.pick(20, 2_000, 20_000);
    let mut random = Random::new(11);
    let mut outcomes = Vec::new();
    for n in EXPONENTS {
        outcomes.push(outcome(n, cases, &mut random));
        setting.progress.done(outcomes.len(), EXPONENTS.len())?;
    }
    let all = cases * outcomes.len();
    let lost: usize = outcomes.iter().map(|outcome| outcome.lost).sum();
    let longest = outcomes.last().map_or(0, |outcome| outcome.lost_in_fixed_point);
    let worst = outcomes.iter().map(|outcome| outcome.errors[0]).fold(0.0, f64::max);
    let claims = vec![
        Claim::exactly(
            format!("of {} powers, those that did not return bit for bit", Figure::count(all)),
            Figure::count(lost),
            0.0,
        )
        .paper("`*=` is reversible on logarithmic numbers", "NiLang (embedded), Listing 16"),
        Claim::at_least(
            format!("of {cases} products of 100 factors in fixed point, those that division did not restore"),
            Figure::count(longest),
            1.0,
        ),
        // Half a unit of the result is 2⁻¹⁷, and the smallest powers are about 1/16.
        Claim::at_most("the largest relative error of a power", Figure::plain(worst), 2e-4),
    ];
    Ok(Findings {
        claims,
        plots: vec![plot(&outcomes)],
        tables: vec![table(&outcomes, cases)],
        remarks: vec![
            "The numbers have 16 fractional bits, their logarithms 48. The result is limited by its 16 fractional bits; \
             products in fixed point round in every iteration."
                .to_string(),
        ], ..Findings::default() })
}

fn plot(outcomes: &[Outcome]) -> Plot {
    let series = |label: &str, style, i: usize| {
        Series::new(label, style, outcomes.iter().map(|outcome| (f64::from(outcome.n), outcome.errors[i])))
    };
    Plot::new(
        "The largest relative error of x to the power n.",
        Axis::logarithmic("n"),
        Axis::logarithmic("relative error"),
        vec![series("through logarithms", Style::Line, 0), series("products in fixed point", Style::Dashed, 1)],
    )
}

fn table(outcomes: &[Outcome], cases: usize) -> Table {
    let mut table = Table::new(
        format!("For each exponent, what happened to {cases} random numbers."),
        ["n", "lost through logarithms", "lost in fixed point", "error through logarithms", "error in fixed point"],
    );
    for Outcome { n, lost, lost_in_fixed_point, errors } in outcomes {
        table.row([
            n.to_string().into(),
            Figure::count(*lost).into(),
            Figure::count(*lost_in_fixed_point).into(),
            Figure::plain(errors[0]).into(),
            Figure::plain(errors[1]).into(),
        ]);
    }
    table
}
