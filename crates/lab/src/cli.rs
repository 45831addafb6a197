//! The `retrograd` command: what it understands, and what it returns.
//!
//! It returns 0 if everything went well; 1 if a program did not come back, an experiment failed, or a claim that does not
//! depend on the clock does not hold; 2 if it was not understood; and 130 if it was interrupted.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};

use retrograd::diagram::svg;
use retrograd::{Direction, InvertibilityError};
use retrograd_debugger as debug;

use crate::devices;
use crate::experiments;
use crate::playground;
use crate::serve;
use crate::tour;
use lab_corpus::programs::ALL;
use lab_report::compare::compare;
use lab_report::quote::{excerpt, quote};
use lab_report::{Order, Report, Size, Stop, Unwritable};

/// Runs reversible programs, and experiments with them. Without a command: a quick report of all experiments.
#[derive(Debug, Parser)]
#[command(name = "retrograd", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs the experiments, and writes a page with what they found
    Report(ReportOptions),
    /// Puts two reports beside each other
    Compare {
        /// A `report.json`, or the folder that has it
        a: PathBuf,
        /// Another one
        b: PathBuf,
    },
    /// Writes the figures of a report into texts that quote it, between `<!-- report: .. -->` and `<!-- end -->`, and the plots
    /// into the folder `pictures` beside them
    Quote {
        /// A `report.json`, or the folder that has it
        report: PathBuf,
        /// The texts
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// Writes what they quote of the report into this file
        #[arg(long, value_name = "REPORT.json")]
        keep: Option<PathBuf>,
    },
    /// Shows every program beside its inverse, and runs it there and back: a tour
    Tour,
    /// Runs a program of a file statement by statement, forwards and backwards
    Debug(debug::Options),
    /// Names the programs, with what each does
    List,
    /// Names the devices that kernels can run on, as `Device` reads them
    Devices,
    /// Shows one program with its inverse, and runs both
    Show {
        /// The name of the program
        // A name that is not one of these is answered by clap, with the closest that are.
        #[arg(value_parser = PossibleValuesParser::new(ALL.map(|program| program.name)), hide_possible_values = true)]
        name: String,
        /// Shows the adjoint of the program instead: what its pullback runs
        #[arg(long)]
        adjoint: bool,
        /// Draws the program instead: SVG, with a line for each variable
        #[arg(long, conflicts_with = "adjoint")]
        diagram: bool,
    },
    /// Writes the playground: a page on which programs are typed, derived and run
    Playground {
        /// The file to write
        #[arg(long, value_name = "FILE", default_value = "target/playground.html")]
        out: PathBuf,
        /// Serves it on a port of this machine as well
        #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "8080")]
        serve: Option<u16>,
    },
}

#[derive(Clone, Debug, Args)]
struct ReportOptions {
    /// Runs for less than two minutes (default)
    #[arg(long, conflicts_with_all = ["full", "small"])]
    quick: bool,
    /// Runs as much as the papers did, for many minutes
    #[arg(long, conflicts_with = "small")]
    full: bool,
    /// Runs as little as shows that everything works
    #[arg(long)]
    small: bool,
    /// Runs only these experiments
    #[arg(long, num_args = 1.., value_name = "NAME",
          value_parser = PossibleValuesParser::new(experiments::ALL.iter().map(|experiment| experiment.name)))]
    only: Vec<String>,
    /// Files of ADBench, which take the place of data that is made up: mixtures `gmm*`, scenes `ba*`, nets `lstm*`, and
    /// hands `hand*`, with the folder `model` beside them
    #[arg(long, num_args = 1.., value_name = "FILE", value_parser = data_file)]
    data: Vec<PathBuf>,
    /// The folder to write `index.html` and `report.json` into
    #[arg(long, value_name = "DIR", default_value = DEFAULT_FOLDER)]
    out: PathBuf,
    /// Prints `report.json` instead of a summary
    #[arg(long)]
    json: bool,
}

/// A data file, whose name says what is in it.
fn data_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match experiments::reader_of(&path) {
        Some(_) => Ok(path),
        None => {
            let known = experiments::KINDS_OF_FILES.map(|(kind, _)| kind);
            Err(format!("no experiment reads it: its name should begin with {}", known.join(" or ")))
        }
    }
}

/// Where a report goes unless it is said: a folder that git does not look at.
const DEFAULT_FOLDER: &str = "target/report";

impl Default for ReportOptions {
    fn default() -> ReportOptions {
        ReportOptions {
            quick: false,
            full: false,
            small: false,
            only: Vec::new(),
            data: Vec::new(),
            out: DEFAULT_FOLDER.into(),
            json: false,
        }
    }
}

impl ReportOptions {
    /// A file that none of the experiments that are asked for reads, and the one that would.
    fn unread(&self) -> Option<(&Path, &'static str)> {
        let readers = self.data.iter().filter_map(|path| Some((path.as_path(), experiments::reader_of(path)?)));
        let asked = |reader: &str| self.only.is_empty() || self.only.iter().any(|only| only == reader);
        readers.into_iter().find(|(_, reader)| !asked(reader))
    }

    /// What to run.
    fn order(&self, command: String) -> Order {
        let asked = |name: &str| self.only.is_empty() || self.only.iter().any(|only| only == name);
        Order {
            experiments: experiments::ALL.iter().filter(|experiment| asked(experiment.name)).copied().collect(),
            size: match (self.small, self.full) {
                (true, _) => Size::Small,
                (_, true) => Size::Full,
                _ => Size::Quick,
            },
            files: self.data.clone(),
            out: self.out.clone(),
            command,
            message: |panic| panic.downcast_ref::<InvertibilityError>().map(ToString::to_string),
        }
    }
}

/// Does what the command line asks for.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let outcome = obey(cli, &mut out, columns()).and_then(|code| out.flush().map(|()| code));
    match outcome {
        Ok(code) => ExitCode::from(code),
        // Whoever reads has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // If this cannot be written either, nobody is left to tell.
            let _ = writeln!(io::stderr(), "retrograd: the output could not be written: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What a command returns whose programs came back, or did not.
fn code(success: bool) -> u8 {
    u8::from(!success)
}

/// Carries out a command, and says what it returns.
fn obey(cli: Cli, out: &mut impl Write, columns: usize) -> io::Result<u8> {
    match cli.command {
        None => make_report(out, &ReportOptions::default()),
        Some(Command::Report(options)) => make_report(out, &options),
        Some(Command::Compare { a, b }) => match (Report::read(&a), Report::read(&b)) {
            (Ok(before), Ok(after)) => {
                let comparison = compare(&before, &after);
                write!(out, "{}", comparison.text)?;
                Ok(code(comparison.broken == 0))
            }
            (Err(error), _) | (_, Err(error)) => complain(&error),
        },
        Some(Command::Quote { report, files, keep }) => match Report::read(&report) {
            Ok(report) => quote_all(out, &report, &files, keep.as_deref()),
            Err(error) => complain(&error),
        },
        Some(Command::Tour) => tour::tour(out, &ALL, columns).map(code),
        Some(Command::Debug(options)) => debug::run(&options, out)?.map_or_else(
            |problem| {
                eprintln!("retrograd: {problem}");
                Ok(1)
            },
            |()| Ok(0),
        ),
        Some(Command::List) => tour::list(out, &ALL).map(|()| 0),
        Some(Command::Devices) => devices::list(out).map(|()| 0),
        Some(Command::Show { name, adjoint, diagram }) => ALL
            .iter()
            .filter(|program| program.name == name)
            .try_fold(true, |restored, program| {
                if diagram {
                    return writeln!(out, "{}", svg((program.source)(Direction::Forward))).map(|()| restored);
                }
                if adjoint {
                    return write!(out, "{}", (program.source)(Direction::Pullback)).map(|()| restored);
                }
                Ok(tour::show(out, program, columns)? && restored)
            })
            .map(code),
        Some(Command::Playground { out: page, serve: port }) => match playground::write(&page) {
            Ok(()) => {
                writeln!(out, "The playground is in {}", page.display())?;
                let Some(port) = port else { return Ok(0) };
                let listener = serve::listen(port)?;
                writeln!(out, "and at http://{}/ until you stop this command", listener.local_addr()?)?;
                serve::serve(&listener, &fs::read_to_string(&page)?).map(|()| 0)
            }
            Err(error) => complain(&error),
        },
    }
}

/// Writes the quotations of files anew, the pictures that they show, and what is kept of the report; says what changed. If
/// something cannot be quoted, nothing is written.
fn quote_all(out: &mut impl Write, report: &Report, files: &[PathBuf], keep: Option<&Path>) -> io::Result<u8> {
    let mut texts = Vec::new();
    let mut worst = 0;
    for file in files {
        let text = fs::read_to_string(file).map_err(|error| format!(" it could not be read: {error}"));
        match text.and_then(|text| quote(report, &text).map(|_| text).map_err(|error| error.to_string())) {
            Ok(text) => texts.push((file, text)),
            Err(what) => {
                eprintln!("retrograd: {}:{what}", file.display());
                worst = 1;
            }
        }
    }
    if worst > 0 {
        return Ok(worst);
    }
    // Plots are numbered among those that are quoted.
    let report = excerpt(report, texts.iter().map(|(_, text)| text.as_str()));
    let mut written: Vec<(PathBuf, String)> = keep.map(|path| (path.into(), report.to_json())).into_iter().collect();
    for (file, text) in texts {
        let quoted = quote(&report, &text).expect("what is quoted is kept");
        written.push((file.clone(), quoted.text));
        written.extend(quoted.pictures.into_iter().map(|(path, picture)| (file.with_file_name(path), picture)));
    }
    for (path, new) in written {
        if fs::read_to_string(&path).is_ok_and(|old| old == new) {
            continue;
        }
        let done = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, new));
        if let Err(error) = done {
            return complain(&Unwritable { path, error });
        }
        writeln!(out, "{} is new", path.display())?;
    }
    Ok(0)
}

/// Set when the run should end.
static STOP: Stop = Stop::new();

/// Runs experiments, and prints what they found.
fn make_report(out: &mut impl Write, options: &ReportOptions) -> io::Result<u8> {
    if let Some((path, reader)) = options.unread() {
        eprintln!(
            "retrograd: {} is read by the experiment `{reader}`, which `--only` leaves out; drop the file, or write `--only {reader}`",
            path.display()
        );
        return Ok(2);
    }
    // The first interruption ends the run behind what is finished, the second one at once.
    let handled = ctrlc::set_handler(|| {
        if STOP.ask() {
            process::exit(130);
        }
    });
    if let Err(error) = handled {
        eprintln!("retrograd: an interruption will end the run without a word: {error}");
    }
    let order = options.order(command_line());
    let report = match lab_report::run(&order, &STOP) {
        Ok(report) => report,
        Err(error) => return complain(&error),
    };
    if options.json {
        write!(out, "{}", report.to_json())?;
    } else {
        writeln!(out, "{}\nThe report is in {}", lab_report::summary(&report), order.out.join("index.html").display())?;
    }
    if STOP.asked() {
        out.flush()?;
        let (finished, planned) = (report.experiments.len(), report.planned);
        eprintln!("retrograd: interrupted; the report has the {finished} of {planned} experiments that were finished");
        return Ok(130);
    }
    Ok(code(report.succeeded()))
}

/// Says what went wrong.
fn complain(error: &impl std::error::Error) -> io::Result<u8> {
    eprintln!("retrograd: {error}");
    Ok(1)
}

/// The command, as cargo would be told.
fn command_line() -> String {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let build = if cfg!(debug_assertions) { "" } else { " --release" };
    let features = if cfg!(feature = "peers") { " --features peers" } else { "" };
    let command = format!("cargo run{build}{features}");
    if arguments.is_empty() { command } else { format!("{command} -- {}", arguments.join(" ")) }
}

/// The width of the terminal: `COLUMNS` where that is set to a number, else 120.
fn columns() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(120)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn without_a_command_there_is_a_quick_report_of_everything() {
        assert!(Cli::try_parse_from(["retrograd"]).unwrap().command.is_none());
        let order = ReportOptions::default().order(String::new());
        assert_eq!((order.size, order.experiments.len()), (Size::Quick, experiments::ALL.len()));
        let Some(Command::Report(options)) = Cli::try_parse_from(["retrograd", "report"]).unwrap().command else {
            panic!("`report` is a command");
        };
        let asked = options.order(String::new());
        assert_eq!((asked.size, asked.out, asked.experiments.len()), (order.size, order.out, order.experiments.len()));
    }

    #[test]
    fn every_experiment_can_be_asked_for() {
        for experiment in experiments::ALL {
            let cli = Cli::try_parse_from(["retrograd", "report", "--full", "--only", experiment.name]).unwrap();
            let Some(Command::Report(options)) = cli.command else { panic!("`report` is a command") };
            let order = options.order(String::new());
            assert_eq!((order.experiments.len(), order.experiments[0].name), (1, experiment.name));
            assert_eq!(order.size, Size::Full);
        }
    }

    #[test]
    fn every_name_is_understood() {
        for program in ALL {
            let cli = Cli::try_parse_from(["retrograd", "show", program.name]).unwrap();
            assert!(matches!(cli.command, Some(Command::Show { name, .. }) if name == program.name));
        }
    }
}
