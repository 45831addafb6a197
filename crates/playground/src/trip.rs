//! A program on its way: to a stop, there and back, with adjoints.

use retrograd_compiler::ir::{Activity, Kind, Mode, Role};
use retrograd_interpreter::debug::Journey;
use retrograd_interpreter::{Error, Interpreter, Value, Way};

use crate::drift::Drift;
use crate::held::{Held, Parts};
use crate::json::Json;

/// How many steps of the interpreter one statement may take, and a whole run where it is needed at once.
const STATEMENT: u64 = 2_000_000;
const RUN: u64 = 5_000_000;

/// Which run of a program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mission {
    /// The program, forwards and backwards.
    Values,
    /// Its adjoint; of a procedure, that of the argument of this name.
    Adjoint(String),
}

/// A journey with what is remembered of it.
#[derive(Debug)]
pub(crate) struct Trip {
    name: String,
    mission: Mission,
    args: Vec<Value>,
    /// How far it has come: the last stop is known once it has been there.
    furthest: u64,
    last: Option<u64>,
    drift: Drift,
    failed: Vec<String>,
}

impl Trip {
    /// Begins a journey with arguments as they are written.
    pub(crate) fn begin(held: &mut Held, name: &str, mission: Mission, texts: &[&str]) -> Result<Trip, Error> {
        let module = &held.parts().module;
        let args = texts.iter().enumerate().map(|(i, text)| module.argument(name, i, text));
        let args = args.collect::<Result<Vec<_>, _>>()?;
        let name = name.to_string();
        let mut trip =
            Trip { name, mission, args, furthest: 0, last: None, drift: Drift::default(), failed: Vec::new() };
        trip.restart(held)?;
        trip.remember(held);
        Ok(trip)
    }

    fn restart(&self, held: &mut Held) -> Result<(), Error> {
        let args = self.args.clone();
        held.begin(|parts| match &self.mission {
            Mission::Values => Journey::new(&parts.module, &self.name, args),
            Mission::Adjoint(seeded) => {
                let args = with_shadows(parts, &self.name, args, seeded)?;
                Journey::adjoint(&parts.module, &parts.compiled, &self.name, args)
            }
        })
    }

    /// Goes towards a stop, at most so many stops. An adjoint run that is to go back begins again.
    pub(crate) fn seek(&mut self, held: &mut Held, target: u64, most: u64) -> Result<(), Error> {
        self.failed.clear();
        let position = held.journey().map_or(0, |journey| journey.stop().position());
        if self.mission != Mission::Values && target < position {
            self.restart(held)?;
        }
        for _ in 0..most {
            let Some(journey) = held.journey() else { return Ok(()) };
            let before = journey.stop().position();
            let way = match before {
                at if at < target => Way::Forwards,
                at if at > target => Way::Backwards,
                _ => break,
            };
            let arrival = match journey.step(way, STATEMENT) {
                Ok(arrival) => arrival,
                Err(error) => {
                    held.end();
                    return Err(error);
                }
            };
            self.failed.extend(arrival.failed.iter().map(ToString::to_string));
            let at = journey.stop().position();
            if journey.stop().is_last(Way::Forwards) {
                self.last = Some(at);
            }
            if at == before {
                break;
            }
            self.remember(held);
        }
        Ok(())
    }

    /// Notes the numbers of a stop on the way there, and compares them on the way back.
    fn remember(&mut self, held: &mut Held) {
        let Some(journey) = held.journey() else { return };
        let at = journey.stop().position();
        let is_new = at > self.furthest || at == 0 && !self.drift.knows(0);
        let known = !is_new && self.drift.knows(at);
        self.furthest = self.furthest.max(at);
        if self.mission != Mission::Values || !(known || is_new && self.drift.wants(at)) {
            return;
        }
        let Ok(args) = journey.arguments() else { return };
        let numbers: Vec<f64> = args.iter().flat_map(Value::numbers).collect();
        if is_new { self.drift.there(at, numbers) } else { self.drift.back(at, &numbers) }
    }

    /// Where the journey stands, and what it sees there.
    pub(crate) fn state(&self, held: &mut Held, target: u64) -> Json {
        let Some(journey) = held.journey() else { return Json::Null };
        let stop = journey.stop();
        let (position, value) = (stop.position(), stop.value().map(ToString::to_string));
        let (line, column) = stop.place().unzip();
        // A variable of an adjoint run stands beside its shadow.
        let all: Vec<(String, String)> =
            stop.variables().into_iter().map(|(name, value)| (name, value.to_string())).collect();
        let shadow = |name: &str| {
            let of = |own: &str| own.strip_prefix("grad_") == Some(name);
            all.iter().rev().find(|(own, _)| of(own)).map(|(_, value)| value.as_str())
        };
        let is_shadow = |name: &str| {
            let of = name.strip_prefix("grad_");
            of.is_some_and(|of| self.mission != Mission::Values && all.iter().any(|(own, _)| own == of))
        };
        let variables = all.iter().filter(|(name, _)| !is_shadow(name)).map(|(name, value)| {
            Json::Object(vec![
                ("name", name.as_str().into()),
                ("value", value.as_str().into()),
                ("adjoint", if self.mission == Mission::Values { Json::Null } else { shadow(name).into() }),
            ])
        });
        let arrived = position == target || !self.failed.is_empty() || stop.is_last(Way::Forwards) && target > position;
        Json::Object(vec![
            ("position", position.into()),
            ("last", self.last.into()),
            ("furthest", self.furthest.into()),
            ("arrived", arrived.into()),
            ("function", stop.function().into()),
            ("calls", (stop.calls() as u64).into()),
            ("line", line.into()),
            ("column", column.into()),
            ("ended", stop.is_last(Way::Forwards).into()),
            ("variables", Json::list(variables)),
            ("value", value.into()),
            ("failed", Json::list(self.failed.iter().map(String::as_str))),
            ("drift", self.drift.json()),
        ])
    }
}

/// The arguments of an adjoint run: each followed by its shadow, and those of a procedure as it leaves them.
fn with_shadows(parts: &Parts, name: &str, args: Vec<Value>, seeded: &str) -> Result<Vec<Value>, Error> {
    let Some(program) = parts.module.program(name) else { return Ok(args) };
    let ran = Interpreter::new(&parts.module).with_budget(RUN).run(name, args.clone(), Way::Forwards)?;
    let behind = if program.kind == Kind::Procedure { ran.args } else { args };
    let mut all = Vec::new();
    for (value, param) in behind.into_iter().zip(&program.params) {
        let var = program.var(param.var);
        let is_active = var.activity == Activity::Active && param.role == Role::Value;
        let is_seeded = param.mode == Mode::Change && var.written == seeded;
        let seed = if is_seeded { 1.0 } else { 0.0 };
        let shadow = if is_active { value.shadow(&mut std::iter::repeat(seed)) } else { Value::Unit };
        all.push(value);
        if param.role != Role::Host {
            all.push(shadow);
        }
    }
    if program.kind == Kind::Function {
        all.push(ran.value.shadow(&mut std::iter::repeat(1.0)));
    }
    Ok(all)
}
