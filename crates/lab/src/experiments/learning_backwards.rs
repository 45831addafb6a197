//! Training run backwards: derivatives of what was learned by how it was learned, and the few bits that this takes.

use retrograd::{InformationBuffer, Real};

use super::{Experiment, Failure, Setting, steps};
use lab_corpus::programs::learning::{Figures, Lesson, Number, figures, learning, loss};
use lab_report::findings::{Claim, Figure, Findings, Table};
use lab_report::headline::{Headline, Sketch};
use lab_report::plot::{Axis, Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "learning_backwards",
    title: "Training run backwards",
    about: "Training a network with momentum reverses exactly, because the bits that products lose are stored. So one sweep \
            gives the derivatives of the final loss with respect to the learning rate and the momentum of every step.",
    run,
};

const PLACE: &str = "Maclaurin, Duvenaud and Adams, 2015";

/// The loss in validation after each of some numbers of steps of a lesson.
fn losses(lesson: &Lesson<Number>) -> Vec<(f64, f64)> {
    let Lesson { weights, velocities, rates, momenta, train, validate } = lesson;
    let (mut w, mut v, mut lost) = (weights.clone(), velocities.clone(), InformationBuffer::new());
    let piece = rates.len().div_ceil(100);
    let mut losses = vec![(0.0, loss(&w, &validate.0, &validate.1).to_f64())];
    let mut steps = 0;
    for (rates, momenta) in rates.chunks(piece).zip(momenta.chunks(piece)) {
        learning(&mut w, &mut v, rates, momenta, &mut lost, &train.0, &train.1);
        steps += rates.len();
        losses.push((steps as f64, loss(&w, &validate.0, &validate.1).to_f64()));
    }
    losses
}

/// The largest difference of derivatives by some rates and momenta from quotients of differences, which floats take,
/// relative to the largest derivative.
fn difference(lesson: &Lesson<Number>, figures: &Figures) -> f64 {
    let lesson = lesson.map(Real::to_f64);
    let h = 1e-5;
    let quotient = |change: &dyn Fn(&mut Lesson<f64>, f64)| {
        let [more, less] = [h, -h].map(|h| {
            let mut other = lesson.clone();
            change(&mut other, h);
            other.loss_after()
        });
        (more - less) / (2.0 * h)
    };
    let steps = figures.steps;
    let largest = |numbers: &[f64]| numbers.iter().fold(0.0_f64, |largest, g| largest.max(g.abs()));
    let (of_rates, of_momenta) = (largest(&figures.by_rates), largest(&figures.by_momenta));
    let at = |step: usize| {
        let by_rate = quotient(&|lesson, h| lesson.rates[step] += h);
        let by_momentum = quotient(&|lesson, h| lesson.momenta[step] += h);
        let rate = (by_rate - figures.by_rates[step]).abs() / of_rates;
        rate.max((by_momentum - figures.by_momenta[step]).abs() / of_momenta)
    };
    [0, steps / 3, steps / 2, steps - 1].map(at).into_iter().fold(0.0, f64::max)
}

/// The loss if every rate goes a little way against its derivative.
fn improved(lesson: &Lesson<Number>, figures: &Figures) -> f64 {
    let length = figures.by_rates.iter().map(|g| g * g).sum::<f64>().sqrt();
    let mut lesson = lesson.map(Real::to_f64);
    let typical = lesson.rates.iter().sum::<f64>() / (lesson.rates.len() as f64).sqrt();
    for (rate, g) in lesson.rates.iter_mut().zip(&figures.by_rates) {
        *rate -= 0.01 * typical * g / length;
    }
    lesson.loss_after()
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let lesson = Lesson::new(setting.size.pick(60, 1000, 10_000));
    let figures = figures(&lesson);
    setting.progress.done(1, 3)?;
    let losses = losses(&lesson);
    setting.progress.done(2, 3)?;
    let difference = difference(&lesson, &figures);
    let improved = improved(&lesson, &figures);
    let Figures { steps, weights, loss_before, loss, buffer_bits, buffer_bytes, tape_bytes, restored, .. } = figures;
    let claims = vec![
        Claim::exactly(
            format!("runs of {} steps that did not return bit for bit", Figure::count(steps)),
            Figure::count(usize::from(!restored)),
            0.0,
        )
        .paper("exactly reverses the dynamics", PLACE),
        Claim::at_most("loss after training over loss before", Figure::times(loss / loss_before), 0.5),
        Claim::at_least("bytes of all states over bytes of the buffer", Figure::times(figures.ratio()), 50.0),
        Claim::at_most("difference of derivatives from difference quotients", Figure::plain(difference), 1e-4),
        Claim::at_most(
            "loss with learning rates improved by a hundredth, over the loss",
            Figure::times(improved / loss),
            1.0,
        ),
    ];
    let mut table = Table::new(
        "What training achieved, and what running it backwards took.",
        [
            "steps",
            "weights",
            "loss before",
            "loss after",
            "bits lost",
            "buffer",
            "all states",
            "loss with better rates",
        ],
    );
    table.row([
        Figure::count(steps).into(),
        Figure::count(weights).into(),
        Figure::plain(loss_before).into(),
        Figure::plain(loss).into(),
        Figure::count(buffer_bits.ceil() as usize).into(),
        Figure::bytes(buffer_bytes as u64).into(),
        Figure::bytes(tape_bytes as u64).into(),
        Figure::plain(improved).into(),
    ]);
    setting.progress.done(3, 3)?;
    let by_rates =
        sizes("The derivatives of the final loss with respect to the learning rate of each step.", &figures.by_rates);
    let headline = Headline {
        figure: Figure::times(figures.ratio()),
        sentence: format!(
            "less memory than storing every state: {} steps of training run backwards bit for bit, and one sweep gives the \
             derivatives of the final loss with respect to the learning rate of every step, which say whether a larger or a \
             smaller rate would be better.",
            Figure::count(steps)
        ),
        sketch: Sketch::Plot(by_rates.clone()),
    };
    Ok(Findings {
        headlines: vec![headline],
        claims,
        plots: vec![
            Plot::new(
                "The validation loss during training.",
                Axis::linear("steps"),
                Axis::logarithmic("loss"),
                vec![Series::new("loss", Style::Line, losses)],
            ),
            by_rates,
            sizes("The derivatives of the final loss with respect to the momentum of each step.", &figures.by_momenta),
        ],
        tables: vec![table],
        remarks: vec![
            "The numbers have 48 fractional bits. All states are the weights and velocities of every step, the least that a \
             tape would have to store."
                .to_string(),
        ],})
}

/// The sizes of derivatives by something of each step, at some steps in each power of ten.
fn sizes(caption: &str, derivatives: &[f64]) -> Plot {
    let some = || steps(1, derivatives.len(), 30).into_iter().map(|step| (step as f64, derivatives[step - 1]));
    let sized = |sign: f64| some().map(move |(step, d)| (step, d * sign)).filter(|(_, size)| *size > 0.0);
    let series = vec![
        Series::new("smaller would be better", Style::Marks, sized(1.0)),
        Series::new("larger would be better", Style::Marks, sized(-1.0)),
    ];
    Plot::new(caption, Axis::logarithmic("step"), Axis::logarithmic("size of the derivative"), series)
}
