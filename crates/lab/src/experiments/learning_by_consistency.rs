//! Learning without gradients, by running forwards and backwards until both ends are as they should be.

use super::{Experiment, Failure, Setting};
use lab_corpus::programs::consistency::{consistency, consistency_in_vain, train};
use lab_report::findings::{Claim, Figure, Findings, Table};
use lab_report::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "learning_by_consistency",
    title: "Learning by consistency",
    about: "Two programs compute the same. Run forwards and backwards with both ends set to what is wanted, the one that \
            leaves no trace of its parameter learns it; the other one does not.",
    run,
};

const PLACE: &str = "NiLang (preprint), Appendix C and Figure 8";

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let in_vain = train(consistency_in_vain, consistency_in_vain::uncall);
    let learned = train(consistency, consistency::uncall);
    setting.progress.done(1, 1)?;
    let error = |outputs: &[f64]| (outputs[outputs.len() - 1] - 1.0).abs();
    let moved = in_vain.iter().map(|y| (y - in_vain[0]).abs()).fold(0.0, f64::max);
    let plot = |caption: &str, axis: Axis, shown: &dyn Fn(f64) -> f64| {
        let series = |name: &str, style: Style, outputs: &[f64]| {
            Series::new(name, style, (1..).map(f64::from).zip(outputs.iter().map(|&y| shown(y))))
        };
        Plot::new(
            caption,
            Axis::linear("iterations"),
            axis,
            vec![
                series("leaves no trace of p (f2)", Style::Line, &learned),
                series("leaves a trace of p (f1)", Style::Dashed, &in_vain),
            ],
        )
    };
    let mut table = Table::new(
        "The output after some iterations; it should be 1.",
        ["iteration", "leaves no trace", "leaves a trace"],
    );
    for iteration in [1, 2, 5, 10, 20, 50, 100] {
        let output = |outputs: &[f64]| Figure::plain(outputs[iteration - 1]).into();
        table.row([iteration.to_string().into(), output(&learned), output(&in_vain)]);
    }
    Ok(Findings {
        claims: vec![
            Claim::at_most(
                "error of the output after 100 iterations, no trace left",
                Figure::plain(error(&learned)),
                1e-12,
            )
            .paper("the target, up to machine precision", PLACE),
            Claim::at_most("how far the output moves in 100 iterations, a trace left", Figure::plain(moved), 1e-12)
                .paper("the parameters do not change at all", PLACE),
        ],
        plots: vec![
            plot("The output against the iterations of training; it should be 1.", Axis::linear("output y"), &|y| y),
            plot(
                "How far the output is from 1, as long as it is not 1 exactly.",
                Axis::logarithmic("|y − 1|"),
                &|y| (y - 1.0).abs(),
            ),
        ],
        tables: vec![table],
        ..Findings::default()
    })
}
