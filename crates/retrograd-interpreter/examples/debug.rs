//! A program statement by statement, forwards and backwards:
//! `cargo run --release -p retrograd-interpreter --example debug -- FILE FUNCTION [--script COMMANDS] [--args VALUE..]`.
//!
//! Arguments are expressions, one for each parameter. Commands are read from standard input unless there is a script; the table of
//! `retrograd_interpreter::debug::Script` says which there are.

use std::io::{self, BufRead, IsTerminal};
use std::process::ExitCode;
use std::{env, fs, iter};

use retrograd_interpreter::Module;
use retrograd_interpreter::debug::{Script, Session};

fn main() -> ExitCode {
    match debug(env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{}", problem.trim_end());
            ExitCode::FAILURE
        }
    }
}

fn debug(mut words: Vec<String>) -> Result<(), String> {
    let read = |path: &str| fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let args = match words.iter().position(|word| word == "--args") {
        Some(at) => words.split_off(at).split_off(1),
        None => Vec::new(),
    };
    let script = match words.iter().position(|word| word == "--script") {
        Some(at) if at + 1 < words.len() => Some(read(&words.drain(at..at + 2).nth(1).unwrap_or_default())?),
        Some(_) => return Err("`--script` takes a file".into()),
        None => None,
    };
    let [file, name] = words.as_slice() else {
        return Err("usage: FILE FUNCTION [--script COMMANDS] [--args VALUE..]".into());
    };
    let text = read(file)?;
    let module = Module::new(&text).map_err(|error| error.to_string())?;
    let args = args.iter().enumerate().map(|(i, text)| module.argument(name, i, text));
    let args = args.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    let mut commands: Box<dyn Iterator<Item = String>> = match &script {
        Some(script) => Box::new(script.lines().map(str::to_string)),
        None => Box::new(prompted()),
    };
    let mut write = |line: &str| println!("{line}");
    let session = Session::new(&module, name).run(args, &mut Script::new(&text, &mut commands, &mut write));
    session.map_err(|error| error.to_string())
}

/// Lines of standard input, each asked for if somebody is there to be asked.
fn prompted() -> impl Iterator<Item = String> {
    let mut lines = io::stdin().lock().lines();
    iter::from_fn(move || {
        if io::stdin().is_terminal() {
            eprint!("> ");
        }
        lines.next()?.ok()
    })
}
