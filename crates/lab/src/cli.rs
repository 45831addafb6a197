//! The `retrograd` command: what it understands, and what it returns.
//!
//! It returns 0 if every program that was run came back, 1 if one did not, and 2 if it was not understood.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};

use retrograd::Direction;

use crate::programs::ALL;
use crate::tour;

/// Runs reversible programs forwards and backwards. Without a command: a tour of all of them.
#[derive(Debug, Parser)]
#[command(name = "retrograd", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Names the programs, with what each does
    List,
    /// Shows one program with its inverse, and runs both
    Show {
        /// The name of the program
        // A name that is not one of these is answered by clap, with the closest that are.
        #[arg(value_parser = PossibleValuesParser::new(ALL.map(|program| program.name)), hide_possible_values = true)]
        name: String,
        /// Shows the adjoint of the program instead: what its pullback runs
        #[arg(long)]
        adjoint: bool,
    },
}

/// Does what the command line asks for.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let mut out = BufWriter::new(io::stdout().lock());
    let outcome = obey(&cli, &mut out, columns()).and_then(|success| out.flush().map(|()| success));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        // Whoever reads has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // If this cannot be written either, nobody is left to tell.
            let _ = writeln!(io::stderr(), "retrograd: the output could not be written: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Carries out a command, and says whether every program that it ran came back.
fn obey(cli: &Cli, out: &mut impl Write, columns: usize) -> io::Result<bool> {
    match &cli.command {
        None => tour::tour(out, &ALL, columns),
        Some(Command::List) => tour::list(out, &ALL).map(|()| true),
        Some(Command::Show { name, adjoint: true }) => ALL
            .iter()
            .filter(|program| program.name == name)
            .try_fold(true, |_, program| write!(out, "{}", (program.source)(Direction::Pullback)).map(|()| true)),
        Some(Command::Show { name, adjoint: false }) => ALL
            .iter()
            .filter(|program| program.name == name)
            .try_fold(true, |restored, program| Ok(tour::show(out, program, columns)? && restored)),
    }
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
    fn every_name_is_understood() {
        for program in ALL {
            let cli = Cli::try_parse_from(["retrograd", "show", program.name]).unwrap();
            assert!(matches!(cli.command, Some(Command::Show { name, adjoint: false }) if name == program.name));
        }
    }
}
