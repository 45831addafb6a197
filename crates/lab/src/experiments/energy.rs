//! What a run erases: bits that a plain program overwrites, and a reversible one does not.

use super::{Experiment, Failure, Setting};
use lab_corpus::interpreted::{ALL, Interpreted};
use lab_report::findings::{Cell, Claim, Figure, Findings, Table};
use retrograd_interpreter::{Error, Interpreter, Module, Value, Way};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "energy",
    title: "What a run erases",
    about: "Every bit that is erased costs at least k T ln 2 of energy, as Landauer showed. A plain program erases what its \
            statements overwrite, and its locals. A reversible one erases nothing: run backwards, everything is as it was, but for what \
            rounding has lost. With a record of everything that it changes not even that is lost, as long as the record is there: it \
            holds bits that are erased if it is thrown away. The interpreter counts all three for the programs of the corpus.",
    run,
};

const PLACE: &str = "Landauer, Irreversibility and heat generation in the computing process (1961)";

/// The Boltzmann constant, in joules for each kelvin.
const BOLTZMANN: f64 = 1.380_649e-23;

/// Room temperature, in kelvin.
const TEMPERATURE: f64 = 300.0;

/// What a program erases.
struct Erased {
    steps: u64,
    /// By a plain run.
    overwritten: u64,
    /// By a reversible one: what has not come back.
    lost: u64,
    /// With a record of all that changes, if there can be one.
    recorded: Option<Recorded>,
    /// Whether there are no floats in it.
    exact: bool,
}

/// What a run with a record erases, and what it keeps instead.
struct Recorded {
    lost: u64,
    held: u64,
}

/// The bits of arguments that have not come back.
fn unlike(before: &[Value], after: &[Value]) -> u64 {
    before.iter().zip(after).map(|(before, after)| before.bits_unlike(after)).sum()
}

/// A program that runs parts of itself backwards, or computes and uncomputes, can keep no record of these; and some runs with a record the
/// interpreter does not know.
fn recorded(program: &Interpreted, args: &[Value]) -> Option<Recorded> {
    let module = Module::recording(program.sources).ok()?;
    let compiled = module.compile(&[]).ok()?;
    let trip = Interpreter::new(&module).with_record(&compiled, program.name, args.to_vec()).ok()?;
    Some(Recorded { lost: unlike(args, &trip.back), held: trip.held })
}

fn erased(program: &Interpreted) -> Result<Erased, Error> {
    let module = Module::of_files(program.sources)?;
    let args = program.args.iter().enumerate().map(|(i, text)| module.argument(program.name, i, text));
    let args = args.collect::<Result<Vec<Value>, Error>>()?;
    let interpreter = Interpreter::new(&module);
    let there = interpreter.run(program.name, args.clone(), Way::Forwards)?;
    let back = interpreter.run(program.name, there.args, Way::Backwards)?;
    Ok(Erased {
        steps: there.steps,
        overwritten: there.overwritten,
        lost: unlike(&args, &back.args),
        recorded: recorded(program, &args),
        exact: args.iter().all(|value| value.numbers().is_empty()),
    })
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let mut table = Table::new(
        "Bits that a run erases, and the energy that this costs at least, at 300 K. The last column is what a record of all that changes \
         holds at the end of a run; a dash stands where a program can keep none, or the interpreter does not know the run with it.",
        [
            "program",
            "statements",
            "plain: bits",
            "plain: joules",
            "reversible: bits",
            "with a record: bits",
            "kept instead",
        ],
    );
    let mut left_out = Table::new("Programs that the interpreter cannot run, and why.", ["program", "why"]);
    let (mut exact, mut overwritten, mut lost, mut unknown) = (0, 0, 0, 0);
    let (mut with_record, mut lost_with_record) = (0, 0);
    for (i, program) in ALL.iter().enumerate() {
        match erased(program) {
            Ok(found) => {
                let joules = found.overwritten as f64 * BOLTZMANN * TEMPERATURE * std::f64::consts::LN_2;
                let of_record = |bits: fn(&Recorded) -> u64| -> Cell {
                    match &found.recorded {
                        Some(recorded) => Figure::plain(bits(recorded) as f64).into(),
                        None => "–".into(),
                    }
                };
                table.row([
                    program.name.into(),
                    Figure::plain(found.steps as f64).into(),
                    Figure::plain(found.overwritten as f64).into(),
                    Figure::plain(joules).into(),
                    Figure::plain(found.lost as f64).into(),
                    of_record(|recorded| recorded.lost),
                    of_record(|recorded| recorded.held),
                ]);
                exact += if found.exact { found.lost } else { 0 };
                overwritten += found.overwritten;
                lost += found.lost;
                with_record += usize::from(found.recorded.is_some());
                lost_with_record += found.recorded.map_or(0, |recorded| recorded.lost);
            }
            Err(error) => {
                unknown += 1;
                let text = error.to_string();
                left_out.row([program.name.into(), text.lines().next().unwrap_or_default().into()]);
            }
        }
        setting.progress.done(i + 1, ALL.len())?;
    }
    let mut tables = vec![table];
    tables.extend((unknown > 0).then_some(left_out));
    Ok(Findings {
        claims: vec![
            Claim::exactly("bits that programs of integers erase, run reversibly", Figure::plain(exact as f64), 0.0)
                .paper("what is reversible need not erase anything", PLACE),
            Claim::at_most(
                "bits erased, reversible over plain, all programs",
                Figure::plain(lost as f64 / overwritten as f64),
                0.05,
            ),
            Claim::exactly("bits erased by runs with a record", Figure::plain(lost_with_record as f64), 0.0),
            Claim::at_least("programs with a record", Figure::count(with_record), 30.0),
            Claim::exactly("programs that do not run in the interpreter", Figure::count(unknown), 0.0),
        ],
        tables,
        ..Findings::default()
    })
}
