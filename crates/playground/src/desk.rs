//! What a page talks to.

use retrograd_interpreter::Module;

use crate::check;
use crate::held::Held;
use crate::json::Json;
use crate::trip::{Mission, Trip};

/// A text with its programs, one of which may be on its way.
///
/// | request, line by line | answer |
/// |---|---|
/// | `check`, a name, and the text | messages; or the names of the programs, and that program with its inverse and its adjoint |
/// | `show`, a name | another program of the text |
/// | `start`, `values` or `adjoint x`, and the arguments, each on a line | where that run begins |
/// | `seek`, a stop, and how many stops it may take at once | where it has come |
///
/// ```
/// let mut desk = playground::Desk::default();
/// let text = "#[reversible] fn f(x: &mut f64) { *x += 1.0; }";
/// assert!(desk.ask(&format!("check\n\n{text}")).contains("uncall_f"));
/// assert!(desk.ask("start\nvalues\n0.5").contains(r#""position":0"#));
/// assert!(desk.ask("seek\n1\n100").contains(r#""value":"1.5""#));
/// ```
#[derive(Debug, Default)]
pub struct Desk {
    held: Option<Held>,
    /// The program that is looked at.
    name: String,
    trip: Option<Trip>,
}

impl Desk {
    /// Answers a request in JSON.
    pub fn ask(&mut self, request: &str) -> String {
        let (verb, rest) = request.split_once('\n').unwrap_or((request, ""));
        let answer = match verb {
            "check" => self.check(rest),
            "show" => self.show(rest),
            "start" => self.start(rest),
            "seek" => self.seek(rest),
            _ => problem(format!("`{verb}` is no request")),
        };
        answer.to_string()
    }

    fn check(&mut self, rest: &str) -> Json {
        let (name, text) = rest.split_once('\n').unwrap_or(("", rest));
        self.trip = None;
        self.held = None;
        // The places of an older text are of no use any more, and would be kept for ever.
        proc_macro2::extra::invalidate_current_thread_spans();
        let read = Module::new(text).and_then(|module| module.compile(&[]).map(|compiled| (module, compiled)));
        let (module, compiled) = match read {
            Ok(read) => read,
            Err(error) => return Json::Object(vec![("messages", check::messages(&error))]),
        };
        let known = module.names().find(|own| *own == name).or_else(|| module.names().last());
        self.name = known.unwrap_or_default().to_string();
        let answer = Json::Object(vec![
            ("messages", Json::List(Vec::new())),
            ("programs", check::programs(&module)),
            ("program", check::program(&module, &compiled, &self.name)),
        ]);
        self.held = Some(Held::new(module, compiled));
        answer
    }

    fn show(&self, name: &str) -> Json {
        match &self.held {
            Some(held) => check::program(&held.parts().module, &held.parts().compiled, name),
            None => problem("there is no program to show"),
        }
    }

    fn start(&mut self, rest: &str) -> Json {
        let mut lines = rest.lines();
        let mission = match lines.next().map(|line| line.split_once(' ').unwrap_or((line, ""))) {
            Some(("values", _)) => Mission::Values,
            Some(("adjoint", seeded)) => Mission::Adjoint(seeded.to_string()),
            _ => return problem("a run is of `values` or `adjoint`"),
        };
        let Some(held) = &mut self.held else { return problem("there is no program to run") };
        let args: Vec<&str> = lines.collect();
        match Trip::begin(held, &self.name, mission, &args) {
            Ok(trip) => self.trip.insert(trip).state(held, 0),
            Err(error) => {
                self.trip = None;
                Json::Object(vec![("messages", check::messages(&error))])
            }
        }
    }

    fn seek(&mut self, rest: &str) -> Json {
        let mut numbers = rest.lines().map(|line| line.trim().parse::<u64>());
        let (Some(Ok(target)), Some(Ok(most))) = (numbers.next(), numbers.next()) else {
            return problem("`seek` takes a stop, and how many stops it may take");
        };
        let (Some(held), Some(trip)) = (&mut self.held, &mut self.trip) else { return problem("nothing runs") };
        match trip.seek(held, target, most) {
            Ok(()) => trip.state(held, target),
            Err(error) => {
                self.trip = None;
                Json::Object(vec![("messages", check::messages(&error))])
            }
        }
    }
}

/// A request that cannot be answered.
fn problem(text: impl Into<String>) -> Json {
    let message = vec![("line", Json::from(0_u32)), ("column", Json::from(0_u32)), ("text", text.into().into())];
    Json::Object(vec![("messages", Json::List(vec![Json::Object(message)]))])
}
