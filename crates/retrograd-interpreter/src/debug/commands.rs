//! Commands of a session: what each of them means, and when it is done.

use super::condition::{Pinned, evaluated, holds};
use super::goal::Goal;
use super::guide::{Kept, Stop};
use super::trip::{Adjoints, Errand, Length, Trip};
use crate::error::Error;
use crate::machine::Way;

/// What can be asked for.
const COMMANDS: &str = "there are `step`, `over`, `out`, `run`, `to LINE` and `until CONDITION`, each with `back` in front of it too, \
                        `goto`, `who`, `print`, `adjoints`, `length`, `where` and `quit`";

/// What a session is asked for, by commands: for prompts, pipes and terminals.
///
/// | command | what it does |
/// |---|---|
/// | `step`, `step 5`; `back`, `back 5` | one statement, or several, into calls and blocks |
/// | `over`; `back over` | to the next stop that is not inside the statement |
/// | `out`; `back out` | until the procedure is left, at its end or at its beginning |
/// | `run`; `back run` | to the end; to the beginning |
/// | `to 12`; `back to 12` | to line 12 |
/// | `until x[0] > 1.5`; `back until ..` | until the condition begins to hold |
/// | `goto 500`, `goto 50%` | to the stop of that number, in whichever direction it is; to the middle of the run |
/// | `who x[2]` | back to the statement that changed it last |
/// | `print`, `print x[2]` | all variables; the value of an expression |
/// | `adjoints x[0]`, `adjoints` | all variables, with the derivatives of what `x[0]` is at the end with respect to them; the same once more, or for the value of a function |
/// | `where` | the program, the line and how deep calls nest |
/// | `length` | the number of the stop, and how many stops there are |
/// | `quit` | ends the session |
///
/// Whoever moves a session tells [`Commands::arrive`] of each stop, goes on to where [`Commands::way`] says, and asks for the next
/// command where it says nothing.
#[derive(Debug)]
pub struct Commands {
    source: Vec<String>,
    goal: Option<Goal>,
    /// How many stops a command may pass, and how many it has.
    budget: u64,
    passed: u64,
    said: Vec<String>,
    put_back: Option<Kept>,
    objective: Option<String>,
    length: Option<Length>,
    adjoints: Option<Adjoints>,
    /// Whether adjoints, lengths and lines are shown by somebody else.
    quiet: bool,
    over: bool,
}

/// How many stops a command may pass unless it is said.
pub const BUDGET: u64 = 100_000_000;

impl Commands {
    /// Commands for a program with that text.
    pub fn new(text: &str) -> Commands {
        Commands {
            source: text.lines().map(str::to_string).collect(),
            goal: None,
            budget: BUDGET,
            passed: 0,
            said: Vec::new(),
            put_back: None,
            objective: None,
            length: None,
            adjoints: None,
            quiet: false,
            over: false,
        }
    }

    /// The same, where a command passes so many stops at most: what never ends is given up.
    pub fn with_budget(self, budget: u64) -> Commands {
        Commands { budget, ..self }
    }

    /// The same without words for [`Commands::adjoints`], [`Commands::length`] and the next line, for those who show them.
    pub fn quietly(self) -> Commands {
        Commands { quiet: true, ..self }
    }

    /// The session has come to a stop, in that direction.
    pub fn arrive(&mut self, stop: &Stop<'_, '_>, way: Way) {
        self.passed += 1;
        let Some(goal) = &mut self.goal else { return };
        if let Goal::Trip(trip) = goal {
            if trip.arrive(stop, &mut self.put_back)
                && let Some(Goal::Trip(trip)) = self.goal.take()
            {
                self.come_home(stop, *trip);
            }
            return;
        }
        let arrived = goal.arrived(stop, &mut self.said);
        let at_an_end = goal.way(stop) == Some(way) && stop.is_last(way);
        if at_an_end && !arrived {
            self.said.extend(goal.missed());
        }
        if arrived || at_an_end {
            self.rest(stop);
        } else if self.passed >= self.budget {
            self.said.push(format!("stopped after {} steps", self.passed));
            self.rest(stop);
        }
    }

    fn rest(&mut self, stop: &Stop<'_, '_>) {
        if !self.quiet {
            let shown = self.shown(stop);
            self.said.push(shown);
        }
        self.goal = None;
    }

    fn come_home(&mut self, stop: &Stop<'_, '_>, trip: Trip) {
        match trip.errand {
            Errand::Length { length, says } => {
                self.length = Some(length);
                if says && !self.quiet {
                    self.said.push(format!("stop {} of {length}", stop.position()));
                }
            }
            Errand::Adjoints { all, found, says, .. } => match trip.trouble {
                Some(trouble) => {
                    self.said.push(format!("there are no adjoints: {trouble}"));
                    self.objective = None;
                }
                None => {
                    let adjoints = Adjoints::new(stop.position(), all, &found);
                    if says && !self.quiet {
                        self.said.push(adjoints.to_string());
                    }
                    self.adjoints = Some(adjoints);
                }
            },
        }
    }

    /// Where the session goes from a stop; none if it waits for a command.
    pub fn way(&self, stop: &Stop<'_, '_>) -> Option<Way> {
        match (&self.goal, &self.put_back) {
            (Some(goal), _) => goal.way(stop),
            // The session is asked again before it goes anywhere.
            (None, Some(_)) => Some(Way::Forwards),
            (None, None) => None,
        }
    }

    /// What is put back before the session goes on, as [`Guide::put_back`](super::Guide::put_back) says.
    pub fn put_back(&mut self) -> Option<Kept> {
        self.put_back.take()
    }

    /// A statement could not be run: the session stays where it is.
    pub fn failed(&mut self, error: &Error) {
        if let Some(Goal::Trip(trip)) = &mut self.goal
            && trip.turns(error)
        {
            return;
        }
        self.said.push(error.to_string().trim_end().to_string());
        self.goal = None;
    }

    /// Stops a session that is on its way.
    pub fn interrupt(&mut self, stop: &Stop<'_, '_>) {
        match &mut self.goal {
            Some(Goal::Trip(trip)) => trip.give_up("the way to the end was interrupted"),
            Some(_) => self.rest(stop),
            None => {}
        }
    }

    /// What there is to be told since it was asked for last.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Whether the session has been ended.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// How long the run is, once it has been measured.
    pub fn length(&self) -> Option<Length> {
        self.length
    }

    /// The derivatives that were asked for last.
    pub fn adjoints(&self) -> Option<&Adjoints> {
        self.adjoints.as_ref()
    }

    /// What adjoints are derivatives of.
    pub fn objective(&self) -> Option<&str> {
        self.objective.as_deref()
    }

    /// Goes to the end and back, to see how long the run is, but no further than so many stops.
    pub fn measure(&mut self, stop: &Stop<'_, '_>, limit: u64) {
        self.set_out(stop, Errand::Length { length: Length::Unknown, says: false }, limit);
    }

    /// Computes the derivatives of the objective at the end with respect to what there is here: for each number a trip to the end and back. It
    /// does not set out if that is longer than so many stops, and says whether it does.
    pub fn differentiate(&mut self, stop: &Stop<'_, '_>, limit: u64) -> bool {
        let (Some(objective), Some(Length::Known(length))) = (&self.objective, self.length) else { return false };
        let Ok(objective) = syn::parse_str(objective) else { return false };
        let errand = Errand::adjoints(stop, objective, false);
        if errand.trips().saturating_mul(2 * length.saturating_sub(stop.position())) > limit {
            return false;
        }
        self.set_out(stop, errand, limit);
        true
    }

    fn set_out(&mut self, stop: &Stop<'_, '_>, errand: Errand, limit: u64) {
        let trip = Trip::new(stop, errand, limit);
        self.put_back = Some(trip.departure());
        self.set(Goal::Trip(Box::new(trip)));
    }

    fn set(&mut self, goal: Goal) {
        (self.goal, self.passed) = (Some(goal), 0);
    }

    /// The line that runs next.
    pub fn shown(&self, stop: &Stop<'_, '_>) -> String {
        match stop.place() {
            Some((line, _)) => {
                let text = self.source.get(line as usize - 1).map_or("", |text| text.trim());
                let backwards = if stop.is_inverse() { " (backwards)" } else { "" };
                format!("{line}: {text}{backwards}")
            }
            None => format!("the end of `{}`", stop.function()),
        }
    }

    /// Does what a command asks for, or begins to.
    pub fn obey(&mut self, stop: &Stop<'_, '_>, command: &str) {
        let command = command.trim();
        if command.is_empty() || command.starts_with('#') {
            return;
        }
        match self.understood(stop, command) {
            Ok(Some(goal)) => {
                let there = goal.way(stop).is_none_or(|way| stop.is_last(way));
                if there {
                    self.said.extend(goal.missed());
                }
                self.set(goal);
                if there {
                    self.rest(stop);
                }
            }
            Ok(None) => {}
            Err(problem) => self.said.push(problem.trim_end().to_string()),
        }
    }

    fn understood(&mut self, stop: &Stop<'_, '_>, command: &str) -> Result<Option<Goal>, String> {
        let (way, words) = match command.split_once(' ').unwrap_or((command, "")) {
            ("back", rest) => (Way::Backwards, rest.trim()),
            _ => (Way::Forwards, command),
        };
        let (verb, rest) = words.split_once(' ').map_or((words, ""), |(verb, rest)| (verb, rest.trim()));
        let parsed = || syn::parse_str::<syn::Expr>(rest).map_err(|error| format!("`{rest}`: {error}"));
        let count = |text: &str| {
            let count = if text.is_empty() { Ok(1) } else { text.parse() };
            count.ok().filter(|n| *n > 0).ok_or_else(|| format!("`{text}` is no number of steps"))
        };
        let words_of = |error: Error| error.to_string();
        Ok(Some(match verb {
            "" => Goal::Steps(way, 1),
            "step" => Goal::Steps(way, count(rest)?),
            verb if way == Way::Backwards && verb.parse::<u64>().is_ok() => Goal::Steps(way, count(verb)?),
            "over" => Goal::Over(way, stop.nesting()),
            "out" => Goal::Out(way, stop.calls()),
            "run" => Goal::Run(way),
            "to" => Goal::Line(way, rest.parse().map_err(|_| "`to` takes the number of a line")?),
            "until" => {
                let condition = parsed()?;
                Goal::Until { way, held: holds(stop, &condition).unwrap_or(false), condition, trouble: None }
            }
            "goto" => Goal::Position(self.numbered(rest)?),
            "who" => {
                let e = parsed()?;
                let value = evaluated(stop, &e).map_err(words_of)?;
                let pinned = Pinned::of(stop, &e).ok_or_else(|| format!("`{rest}` is no variable"))?;
                Goal::Changed { e, pinned, value, name: rest.to_string() }
            }
            "print" if rest.is_empty() => {
                let lines: Vec<String> =
                    stop.variables().into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
                self.said.push(lines.join("\n"));
                return Ok(None);
            }
            "print" => {
                let value = evaluated(stop, &parsed()?).map_err(words_of)?;
                self.said.push(format!("{rest} = {value}"));
                return Ok(None);
            }
            "adjoints" => {
                match rest {
                    "" if self.objective.is_none() => self.objective = Some("value".into()),
                    "" => {}
                    rest => self.objective = parsed().map(|_| Some(rest.to_string()))?,
                }
                let objective = self.objective.as_deref().unwrap_or("value");
                let objective = syn::parse_str(objective).map_err(|error| error.to_string())?;
                self.set_out(stop, Errand::adjoints(stop, objective, true), self.budget);
                return Ok(None);
            }
            "length" => {
                self.set_out(stop, Errand::Length { length: Length::Unknown, says: true }, self.budget);
                return Ok(None);
            }
            "where" => {
                let (function, calls, shown) = (stop.function(), stop.calls(), self.shown(stop));
                self.said.push(format!("in `{function}`, {calls} calls deep, at {shown}"));
                return Ok(None);
            }
            "quit" => {
                self.over = true;
                return Ok(None);
            }
            _ => return Err(format!("`{command}` is no command; {COMMANDS}")),
        }))
    }

    /// The number of a stop, which may be a part of the whole run.
    fn numbered(&self, text: &str) -> Result<u64, String> {
        let Some(percent) = text.strip_suffix('%') else {
            return text.parse().map_err(|_| "`goto` takes the number of a stop".into());
        };
        let percent: f64 = percent.parse().map_err(|_| "`goto` takes the number of a stop")?;
        match self.length {
            Some(Length::Known(length) | Length::Fails(length)) => {
                Ok((length as f64 * (percent / 100.0).clamp(0.0, 1.0)).round() as u64)
            }
            Some(Length::Unknown) | None => Err("how long the run is has to be known first: `length`".into()),
        }
    }
}
