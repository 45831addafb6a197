//! `retrograd debug`: a program, forwards and backwards, statement by statement.
//!
//! Sessions are those of `retrograd_interpreter::debug`. Here are what the command line says, and a terminal to look at them.

mod screen;
mod view;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::{fs, iter};

use clap::Args;
use retrograd_interpreter::debug::{BUDGET, Script, Session};
use retrograd_interpreter::{Error, Module, Value};

use self::screen::{Keyboard, Screen};

/// What is debugged, and by which commands.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// A file with reversible programs
    file: PathBuf,
    /// The program; the last one in the file unless it is said
    function: Option<String>,
    /// Its arguments, each an expression: `--args "[1.0, 0.5]" 3`
    #[arg(long, num_args = 1.., value_name = "VALUE", allow_negative_numbers = true)]
    args: Vec<String>,
    /// Reads commands from a file, and prints what they find
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// How many statements a command of a script may run: what never ends is given up
    #[arg(long, value_name = "COUNT", default_value_t = BUDGET)]
    budget: u64,
}

/// Debugs a program: in the terminal if there is one, else by commands. What is wrong with the file, the arguments or the script comes
/// back as text.
pub fn run(options: &Options, output: &mut dyn Write) -> io::Result<Result<(), String>> {
    let prepared = match prepared(options) {
        Ok(prepared) => prepared,
        Err(problem) => return Ok(Err(problem)),
    };
    if options.script.is_none() && io::stdin().is_terminal() && io::stdout().is_terminal() {
        return on_screen(&prepared);
    }
    by_commands(&prepared, options.budget, output)
}

/// What a session needs.
struct Prepared {
    text: String,
    module: Module,
    name: String,
    args: Vec<Value>,
    script: Option<String>,
}

fn prepared(options: &Options) -> Result<Prepared, String> {
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()));
    let file = options.file.display();
    let text = read(&options.file)?;
    let module = Module::new(&text).map_err(|error| {
        let places: Vec<String> = error.to_string().lines().map(|line| format!("{file}:{line}")).collect();
        places.join("\n")
    })?;
    let known = || module.names().collect::<Vec<_>>().join("`, `");
    let name = match (&options.function, module.names().last()) {
        (Some(name), _) if module.program(name).is_none() => {
            return Err(format!("{file}: there is no program `{name}`, but `{}`", known()));
        }
        (Some(name), _) => name.clone(),
        (None, Some(name)) => name.to_string(),
        (None, None) => return Err(format!("{file}: there is no reversible program in it")),
    };
    let given = |i: usize, text: &String| {
        module
            .argument(&name, i, text)
            .map_err(|error| format!("argument {} of `{name}`, `{text}`: {}", i + 1, plain(&error)))
    };
    let args = options.args.iter().enumerate().map(|(i, text)| given(i, text)).collect::<Result<_, _>>()?;
    let script = options.script.as_deref().map(read).transpose()?;
    Ok(Prepared { text, module, name, args, script })
}

fn plain(error: &Error) -> String {
    error.to_string().trim_end().to_string()
}

fn by_commands(prepared: &Prepared, budget: u64, output: &mut dyn Write) -> io::Result<Result<(), String>> {
    let Prepared { text, module, name, args, script } = prepared;
    let mut written = Ok(());
    let mut write = |line: &str| {
        if written.is_ok() {
            written = writeln!(output, "{line}").and_then(|()| output.flush());
        }
    };
    let mut commands: Box<dyn Iterator<Item = String>> = match script {
        Some(script) => Box::new(script.lines().map(str::to_string)),
        None => Box::new(lines_of_input()),
    };
    let mut script = Script::new(text, &mut commands, &mut write).with_budget(budget);
    let run = Session::new(module, name).run(args.clone(), &mut script);
    written?;
    Ok(run.map_err(|error| plain(&error)))
}

fn lines_of_input() -> impl Iterator<Item = String> {
    let mut lines = io::stdin().lock().lines();
    iter::from_fn(move || lines.next()?.ok())
}

fn on_screen(prepared: &Prepared) -> io::Result<Result<(), String>> {
    let Prepared { text, module, name, args, .. } = prepared;
    let mut terminal = ratatui::try_init()?;
    let mut keys = Keyboard;
    let mut screen = Screen::new(text, &mut terminal, &mut keys);
    let run = Session::new(module, name).run(args.clone(), &mut screen);
    let shown = screen.finish();
    ratatui::restore();
    shown?;
    Ok(run.map_err(|error| plain(&error)))
}
