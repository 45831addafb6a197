//! Sessions by commands, one in a line: for a prompt, for pipes and for tests.

use std::fmt::Write;

use super::condition::{Pinned, evaluated, evaluated_at, holds};
use super::guide::{Guide, Stop};
use crate::error::Error;
use crate::machine::Way;
use crate::value::Value;

/// A guide that reads commands and writes what it sees.
///
/// | command | what it does |
/// |---|---|
/// | `step`, `step 5`; `back`, `back 5` | one statement, or several, into calls and blocks |
/// | `over`; `back over` | to the next stop that is not inside the statement |
/// | `out`; `back out` | until the procedure is left, at its end or at its beginning |
/// | `run`; `back run` | to the end; to the beginning |
/// | `to 12`; `back to 12` | to line 12 |
/// | `until x[0] > 1.5`; `back until ..` | until the condition begins to hold |
/// | `who x[2]` | back to the statement that changed it last |
/// | `print`, `print x[2]` | all variables; the value of an expression |
/// | `where` | the program, the line and how deep calls nest |
/// | `quit` | ends the session |
pub struct Script<'a> {
    source: Vec<&'a str>,
    commands: &'a mut dyn Iterator<Item = String>,
    output: &'a mut dyn FnMut(&str),
    goal: Goal,
}

impl std::fmt::Debug for Script<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Script {{ goal: {:?} }}", self.goal)
    }
}

/// What the session is on its way to.
enum Goal {
    /// The next command.
    Command,
    Steps(Way, u64),
    Over(Way, usize),
    Out(Way, usize),
    Run(Way),
    Line(Way, u32),
    Until(Way, Box<syn::Expr>, bool),
    Changed(Box<syn::Expr>, Pinned, Value, String),
}

impl std::fmt::Debug for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Goal::Command => "Command",
            Goal::Steps(..) => "Steps",
            Goal::Over(..) => "Over",
            Goal::Out(..) => "Out",
            Goal::Run(_) => "Run",
            Goal::Line(..) => "Line",
            Goal::Until(..) => "Until",
            Goal::Changed(..) => "Changed",
        })
    }
}

impl<'a> Script<'a> {
    /// A guide through a program with that text, by commands; it writes to `output`.
    pub fn new(
        text: &'a str,
        commands: &'a mut dyn Iterator<Item = String>,
        output: &'a mut dyn FnMut(&str),
    ) -> Script<'a> {
        Script { source: text.lines().collect(), commands, output, goal: Goal::Command }
    }

    fn say(&mut self, text: impl AsRef<str>) {
        (self.output)(text.as_ref());
    }

    /// The line that runs next.
    fn shown(&self, stop: &Stop<'_, '_>) -> String {
        match stop.place() {
            Some((line, _)) => {
                let text = self.source.get(line as usize - 1).map_or("", |text| text.trim());
                format!("{line}: {text}")
            }
            None => format!("the end of `{}`", stop.function()),
        }
    }

    /// Whether the session has come to what it was on its way to; then it says where that is.
    fn arrived(&mut self, stop: &Stop<'_, '_>, at_an_end: bool) -> bool {
        let arrived = match &mut self.goal {
            Goal::Command => return true,
            Goal::Steps(_, left) => {
                *left = left.saturating_sub(1);
                *left == 0
            }
            Goal::Over(_, nesting) => stop.nesting() <= *nesting,
            Goal::Out(_, calls) => stop.calls() < *calls,
            Goal::Run(_) => false,
            Goal::Line(_, line) => stop.place().is_some_and(|(at, _)| at == *line),
            Goal::Until(_, condition, held) => {
                let holds = holds(stop, condition).unwrap_or(false);
                let begins = holds && !*held;
                *held = holds;
                begins
            }
            Goal::Changed(e, pinned, value, name) => match evaluated_at(stop, e, pinned) {
                Ok(now) if now != *value => {
                    let found = format!("`{name}` was {now} and became {value} here");
                    self.say(found);
                    true
                }
                _ => false,
            },
        };
        if arrived || at_an_end {
            let shown = self.shown(stop);
            self.say(shown);
            self.goal = Goal::Command;
        }
        arrived || at_an_end
    }

    fn read(&mut self, stop: &Stop<'_, '_>, command: &str) -> Option<()> {
        let (way, words) = match command.strip_prefix("back") {
            Some(rest) => (Way::Backwards, rest.trim()),
            None => (Way::Forwards, command),
        };
        let (verb, rest) = words.split_once(' ').map_or((words, ""), |(verb, rest)| (verb, rest.trim()));
        let parsed = || syn::parse_str::<syn::Expr>(rest);
        match verb {
            "" if way == Way::Backwards => self.goal = Goal::Steps(way, 1),
            "step" => self.goal = Goal::Steps(way, rest.parse().unwrap_or(1)),
            count if way == Way::Backwards && count.parse::<u64>().is_ok() => {
                self.goal = Goal::Steps(way, count.parse().unwrap_or(1));
            }
            "over" => self.goal = Goal::Over(way, stop.nesting()),
            "out" => self.goal = Goal::Out(way, stop.calls()),
            "run" => self.goal = Goal::Run(way),
            "to" => match rest.parse() {
                Ok(line) => self.goal = Goal::Line(way, line),
                Err(_) => self.say("`to` takes the number of a line"),
            },
            "until" => match parsed() {
                Ok(e) => {
                    let held = holds(stop, &e).unwrap_or(false);
                    self.goal = Goal::Until(way, Box::new(e), held);
                }
                Err(error) => self.say(format!("{error}")),
            },
            "who" => match parsed().map_err(|error| error.to_string()).and_then(|e| {
                let value = evaluated(stop, &e).map_err(|error| error.to_string())?;
                let pinned = Pinned::of(stop, &e).ok_or_else(|| format!("`{rest}` is no variable"))?;
                Ok((e, pinned, value))
            }) {
                Ok((e, pinned, value)) => {
                    self.goal = Goal::Changed(Box::new(e), pinned, value, rest.to_string());
                }
                Err(error) => self.say(error.trim_end()),
            },
            "print" if rest.is_empty() => {
                let lines = stop.variables().into_iter().fold(String::new(), |mut all, (name, value)| {
                    let _ = writeln!(all, "{name} = {value}");
                    all
                });
                self.say(lines.trim_end());
            }
            "print" => match parsed()
                .map_err(|error| error.to_string())
                .and_then(|e| evaluated(stop, &e).map_err(|error| error.to_string()))
            {
                Ok(value) => self.say(format!("{rest} = {value}")),
                Err(error) => self.say(error.trim_end()),
            },
            "where" => {
                let (function, calls, shown) = (stop.function(), stop.calls(), self.shown(stop));
                self.say(format!("in `{function}`, {calls} calls deep, at {shown}"));
            }
            "quit" => return None,
            _ => self.say(format!("`{command}` is no command")),
        }
        Some(())
    }

    fn way(&self) -> Option<Way> {
        match self.goal {
            Goal::Command => None,
            Goal::Steps(way, _) | Goal::Over(way, _) | Goal::Out(way, _) | Goal::Run(way) | Goal::Line(way, _) => {
                Some(way)
            }
            Goal::Until(way, ..) => Some(way),
            Goal::Changed(..) => Some(Way::Backwards),
        }
    }
}

impl Guide for Script<'_> {
    fn at(&mut self, stop: &Stop<'_, '_>, way: Way) -> Option<Way> {
        // At an end of the program nothing is further on.
        let at_an_end = self.way().is_some_and(|goal| goal == way && stop.is_last(way));
        self.arrived(stop, at_an_end);
        while matches!(self.goal, Goal::Command) {
            let command = self.commands.next()?;
            let command = command.trim();
            if !command.is_empty() && !command.starts_with('#') {
                self.read(stop, command)?;
            }
            if let Some(way) = self.way()
                && stop.is_last(way)
            {
                let shown = self.shown(stop);
                self.say(shown);
                self.goal = Goal::Command;
            }
        }
        self.way()
    }

    fn failed(&mut self, error: &Error) {
        self.say(error.to_string());
        self.goal = Goal::Command;
    }
}
