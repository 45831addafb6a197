//! Runs experiments one after the other, and writes the report after each.

use std::any::Any;
use std::io::IsTerminal;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::findings::{Figure, Findings, Verdict};
use super::{Entry, Experiment, Failure, Machine, Outcome, Progress, Report, Setting, Size, Unwritable};

/// Whether everything should come to an end.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Nothing should stop yet.
    pub const fn new() -> Stop {
        Stop(AtomicBool::new(false))
    }

    /// Asks for the end, and says whether that was asked for before.
    pub fn ask(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Whether the end was asked for.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What to run, and where to write.
#[derive(Clone, Debug)]
pub struct Order {
    /// The experiments.
    pub experiments: Vec<Experiment>,
    /// How much to do.
    pub size: Size,
    /// Data files for whoever can read them.
    pub files: Vec<PathBuf>,
    /// The folder of the report.
    pub out: PathBuf,
    /// The command, for the report.
    pub command: String,
    /// What a panic says whose payload is not text.
    pub message: fn(&(dyn Any + Send)) -> Option<String>,
}

/// Runs all experiments of an order. After each, the report is written: whoever stops finds what was finished.
///
/// An experiment that fails does not keep the others from running. Progress goes to the standard error output: a bar where
/// that is a terminal, and lines elsewhere.
///
/// # Errors
///
/// If the report cannot be written.
pub fn run(order: &Order, stop: &Stop) -> Result<Report, Unwritable> {
    let Order { experiments, size, files, out, command, message } = order;
    let mut report = Report {
        machine: Machine::here(),
        command: command.clone(),
        size: *size,
        planned: experiments.len(),
        experiments: Vec::new(),
    };
    // Nothing is measured for a report that cannot be written.
    report.write(out)?;
    for (number, experiment) in (1..).zip(experiments) {
        if stop.asked() {
            break;
        }
        let watch = Watch::new(format!("[{number}/{}] {}", experiments.len(), experiment.name), stop);
        let start = Instant::now();
        let setting = Setting { size: *size, files, progress: &watch };
        let outcome = attempt(|| (experiment.run)(&setting), *message);
        let stopped = outcome == Err(Failure::Stopped);
        let entry = Entry::new(experiment, start.elapsed().as_secs_f64(), outcome);
        watch.finish(&entry);
        if stopped {
            break;
        }
        report.experiments.push(entry);
        report.write(out)?;
    }
    Ok(report)
}

/// Runs an experiment; a panic is a failure like any other.
fn attempt(
    run: impl FnOnce() -> Result<Findings, Failure>,
    message: fn(&(dyn Any + Send)) -> Option<String>,
) -> Result<Findings, Failure> {
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string));
        let text = text.or_else(|| message(&*payload));
        Err(Failure::Panicked(text.unwrap_or_else(|| "without a message".to_string())))
    })
}

/// Shows how far an experiment is.
struct Watch<'a> {
    name: String,
    bar: ProgressBar,
    stop: &'a Stop,
}

/// So many steps has a bar.
const STEPS: usize = 1000;

impl<'a> Watch<'a> {
    /// Begins to watch an experiment.
    fn new(name: String, stop: &'a Stop) -> Watch<'a> {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template("{prefix} {bar:40} {percent:>3} %  {elapsed}").expect("a template");
        let bar = ProgressBar::with_draw_target(Some(STEPS as u64), target).with_style(style).with_prefix(name.clone());
        bar.tick();
        if !terminal {
            eprintln!("{name}: begins");
        }
        Watch { name, bar, stop }
    }

    /// Says what became of the experiment.
    fn finish(self, entry: &Entry) {
        self.bar.finish_and_clear();
        let what = match &entry.outcome {
            Outcome::Failed(why) => format!("failed: {why}"),
            Outcome::Found(findings) => {
                let fail = findings.claims.iter().filter(|claim| claim.verdict() == Verdict::Fails).count();
                match (findings.claims.len(), fail) {
                    (all, 0) => format!("{all} claims, none fails"),
                    (all, fail) => format!("{all} claims, {fail} FAIL"),
                }
            }
        };
        eprintln!("{}: {what} ({})", self.name, Figure::seconds(entry.seconds));
    }
}

impl Progress for Watch<'_> {
    fn done(&self, parts: usize, of: usize) -> Result<(), Failure> {
        self.bar.set_position((STEPS * parts / of.max(1)) as u64);
        if self.stop.asked() { Err(Failure::Stopped) } else { Ok(()) }
    }
}
