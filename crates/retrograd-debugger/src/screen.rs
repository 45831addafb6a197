//! Sessions in a terminal: keys become commands, and each stop where the session rests is drawn.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use retrograd_interpreter::debug::{BUDGET, Commands, Guide, Kept, Length, Stop};
use retrograd_interpreter::{Error, Value, Way};

use super::view::{Variable, View, draw};

/// How many stops the debugger passes unasked: to see how long the run is, and for the adjoints of each stop.
const MEASURED: u64 = 2_000_000;
const DIFFERENTIATED: u64 = 200_000;

/// How many stops are passed between two looks at the keyboard.
const GLANCE: u64 = 1 << 14;

/// Where keys come from.
pub(super) trait Keys {
    /// Waits for the next key; none if there is something else to draw for.
    fn next(&mut self) -> io::Result<Option<KeyCode>>;

    /// Whether somebody wants to stop.
    fn stops(&mut self) -> io::Result<bool>;
}

/// The keys of the terminal.
pub(super) struct Keyboard;

/// The key of an event, if it is one.
fn pressed(event: Event) -> Option<KeyCode> {
    match event {
        Event::Key(KeyEvent { code: KeyCode::Char('c'), modifiers, .. }) if modifiers == KeyModifiers::CONTROL => {
            Some(KeyCode::Esc)
        }
        Event::Key(key) if key.kind != KeyEventKind::Release => Some(key.code),
        _ => None,
    }
}

impl Keys for Keyboard {
    fn next(&mut self) -> io::Result<Option<KeyCode>> {
        event::read().map(pressed)
    }

    fn stops(&mut self) -> io::Result<bool> {
        while event::poll(Duration::ZERO)? {
            if pressed(event::read()?) == Some(KeyCode::Esc) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A guide that draws, and asks keys.
pub(super) struct Screen<'a, B: Backend> {
    commands: Commands,
    source: Vec<&'a str>,
    terminal: &'a mut Terminal<B>,
    keys: &'a mut dyn Keys,
    messages: Vec<String>,
    prompt: Option<String>,
    help: bool,
    scroll: usize,
    /// The variables at the last stop that was drawn.
    before: HashMap<String, String>,
    passed: u64,
    broken: io::Result<()>,
}

/// What a key does.
enum Action {
    Command(&'static str),
    /// A command that has to be completed.
    Ask(&'static str),
    /// So many percent of the run further.
    Scrub(i8),
    Scroll(isize),
    Differentiate,
    Help,
}

fn action(key: KeyCode) -> Option<Action> {
    Some(match key {
        KeyCode::Right | KeyCode::Char('s') => Action::Command("step"),
        KeyCode::Left | KeyCode::Char('b') => Action::Command("back"),
        KeyCode::Down | KeyCode::Char('n') => Action::Command("over"),
        KeyCode::Up | KeyCode::Char('N') => Action::Command("back over"),
        KeyCode::Char('o') => Action::Command("out"),
        KeyCode::Char('O') => Action::Command("back out"),
        KeyCode::End => Action::Command("run"),
        KeyCode::Home => Action::Command("back run"),
        KeyCode::Char('q') => Action::Command("quit"),
        KeyCode::Char('t') => Action::Ask("to "),
        KeyCode::Char('T') => Action::Ask("back to "),
        KeyCode::Char('u') => Action::Ask("until "),
        KeyCode::Char('U') => Action::Ask("back until "),
        KeyCode::Char('w') => Action::Ask("who "),
        KeyCode::Char('a') => Action::Ask("adjoints "),
        KeyCode::Char('g') => Action::Ask("goto "),
        KeyCode::Char(':') => Action::Ask(""),
        KeyCode::Char('A') => Action::Differentiate,
        KeyCode::PageDown => Action::Scrub(1),
        KeyCode::PageUp => Action::Scrub(-1),
        KeyCode::Char('j') => Action::Scroll(1),
        KeyCode::Char('k') => Action::Scroll(-1),
        KeyCode::Char('?') => Action::Help,
        _ => return None,
    })
}

impl<'a, B: Backend> Screen<'a, B>
where
    B::Error: Send + Sync + 'static,
{
    pub(super) fn new(text: &'a str, terminal: &'a mut Terminal<B>, keys: &'a mut dyn Keys) -> Screen<'a, B> {
        Screen {
            commands: Commands::new(text).quietly(),
            source: text.lines().collect(),
            terminal,
            keys,
            messages: Vec::new(),
            prompt: None,
            help: false,
            scroll: 0,
            before: HashMap::new(),
            passed: 0,
            broken: Ok(()),
        }
    }

    /// Whether everything could be drawn.
    pub(super) fn finish(self) -> io::Result<()> {
        self.broken
    }

    /// The variables as rows: those that are too long for one, part by part.
    fn variables(&self, stop: &Stop<'_, '_>) -> Vec<Variable> {
        let objective = self.commands.objective().is_some();
        let half = self.terminal.size().map_or(80, |size| size.width as usize) * 45 / 100;
        let width = half.saturating_sub(14) / if objective { 2 } else { 1 };
        let here = self.commands.adjoints().filter(|adjoints| objective && adjoints.position == stop.position());
        let mut rows = Vec::new();
        for (i, (name, value)) in stop.variables().into_iter().enumerate() {
            // Adjoints are in the same order.
            let adjoint = here.and_then(|adjoints| adjoints.all.get(i)).map(|(.., adjoint)| adjoint);
            rows_of(&name, &value, adjoint, width, &mut rows);
        }
        for row in &mut rows {
            row.changed = self.before.get(&row.name).is_some_and(|before| *before != row.value);
        }
        rows
    }

    fn draw(&mut self, stop: &Stop<'_, '_>) -> io::Result<()> {
        let variables = self.variables(stop);
        self.scroll = self.scroll.min(variables.len().saturating_sub(1));
        let view = View {
            source: &self.source,
            function: stop.function(),
            calls: stop.calls(),
            line: stop.place().map(|(line, _)| line as usize),
            inverse: stop.is_inverse(),
            variables,
            objective: self.commands.objective(),
            scroll: self.scroll,
            position: stop.position(),
            length: self.commands.length(),
            messages: &self.messages,
            prompt: self.prompt.as_deref(),
            help: self.help,
        };
        self.terminal.draw(|frame| draw(frame, &view)).map(|_| ()).map_err(io::Error::other)
    }

    /// Draws where the session rests, and does what the next key says.
    fn rest(&mut self, stop: &Stop<'_, '_>) -> io::Result<()> {
        self.draw(stop)?;
        let Some(key) = self.keys.next()? else { return Ok(()) };
        if let Some(prompt) = &mut self.prompt {
            match key {
                KeyCode::Char(c) => prompt.push(c),
                KeyCode::Backspace => {
                    prompt.pop();
                }
                KeyCode::Esc => self.prompt = None,
                KeyCode::Enter => {
                    let command = self.prompt.take().unwrap_or_default();
                    self.obey(stop, &command);
                }
                _ => {}
            }
            return Ok(());
        }
        self.help = false;
        match action(key) {
            Some(Action::Command(command)) => self.obey(stop, command),
            Some(Action::Ask(beginning)) => self.prompt = Some(beginning.to_string()),
            Some(Action::Scrub(percent)) => self.scrub(stop, percent),
            Some(Action::Scroll(rows)) => self.scroll = self.scroll.saturating_add_signed(rows),
            Some(Action::Differentiate) => {
                self.messages.clear();
                if !self.commands.differentiate(stop, BUDGET) {
                    self.messages.push("name what is differentiated first: `a`, then a number such as x[0]".into());
                }
            }
            Some(Action::Help) => self.help = true,
            None => {}
        }
        Ok(())
    }

    fn scrub(&mut self, stop: &Stop<'_, '_>, percent: i8) {
        let (Some(Length::Known(length)) | Some(Length::Fails(length))) = self.commands.length() else {
            self.messages = vec!["nobody knows how long the run is: `:length` looks".into()];
            return;
        };
        let by = (length / 100).max(1);
        let at = stop.position();
        let to = if percent > 0 { at.saturating_add(by).min(length) } else { at.saturating_sub(by) };
        self.obey(stop, &format!("goto {to}"));
    }

    fn obey(&mut self, stop: &Stop<'_, '_>, command: &str) {
        self.messages.clear();
        self.before = self.variables(stop).into_iter().map(|row| (row.name, row.value)).collect();
        self.passed = 0;
        self.commands.obey(stop, command);
    }

    fn at(&mut self, stop: &Stop<'_, '_>, way: Way) -> io::Result<Option<Way>> {
        self.commands.arrive(stop, way);
        loop {
            self.messages.extend(self.commands.take_said());
            if let Some(way) = self.commands.way(stop) {
                self.passed += 1;
                if self.passed.is_multiple_of(GLANCE) {
                    self.draw(stop)?;
                    if self.keys.stops()? {
                        self.commands.interrupt(stop);
                        continue;
                    }
                }
                return Ok(Some(way));
            }
            if self.commands.is_over() {
                return Ok(None);
            }
            let known = self.commands.adjoints().is_some_and(|adjoints| adjoints.position == stop.position());
            match self.commands.length() {
                None => self.commands.measure(stop, MEASURED),
                Some(_) if !known && self.commands.differentiate(stop, DIFFERENTIATED) => {}
                Some(_) => self.rest(stop)?,
            }
        }
    }
}

/// How many parts of a variable are shown.
const PARTS: usize = 1000;

fn rows_of(name: &str, value: &Value, adjoint: Option<&Value>, width: usize, rows: &mut Vec<Variable>) {
    let shown = adjoint.filter(|adjoint| **adjoint != Value::Unit).map(ToString::to_string).unwrap_or_default();
    let text = value.to_string();
    let parts: Vec<(String, &Value)> = match value {
        Value::List(all) | Value::Stack(all) => {
            all.iter().enumerate().map(|(i, part)| (format!("{name}[{i}]"), part)).collect()
        }
        Value::Tuple(all) => all.iter().enumerate().map(|(i, part)| (format!("{name}.{i}"), part)).collect(),
        Value::Struct(_, fields) => fields.iter().map(|(field, part)| (format!("{name}.{field}"), part)).collect(),
        _ => Vec::new(),
    };
    if parts.is_empty() || text.chars().count().max(shown.chars().count()) <= width {
        rows.push(Variable { name: name.to_string(), value: text, adjoint: shown, changed: false });
        return;
    }
    let adjoint_of = |i: usize| match adjoint {
        Some(Value::List(all) | Value::Tuple(all)) => all.get(i),
        Some(Value::Struct(_, fields)) if matches!(value, Value::Struct(..)) => fields.get(i).map(|(_, part)| part),
        _ => None,
    };
    for (i, (name, part)) in parts.iter().enumerate().take(PARTS) {
        rows_of(name, part, adjoint_of(i), width, rows);
    }
}

impl<B: Backend> Guide for Screen<'_, B>
where
    B::Error: Send + Sync + 'static,
{
    fn at(&mut self, stop: &Stop<'_, '_>, way: Way) -> Option<Way> {
        match Screen::at(self, stop, way) {
            Ok(way) => way,
            Err(error) => {
                self.broken = Err(error);
                None
            }
        }
    }

    fn failed(&mut self, error: &Error) {
        self.commands.failed(error);
    }

    fn put_back(&mut self) -> Option<Kept> {
        self.commands.put_back()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::backend::TestBackend;
    use retrograd_interpreter::Module;
    use retrograd_interpreter::debug::Session;

    /// Keys in a row. Behind them nobody is at the keyboard any more, which ends the session with an error.
    struct Typed(std::vec::IntoIter<KeyCode>);

    impl Keys for Typed {
        fn next(&mut self) -> io::Result<Option<KeyCode>> {
            self.0.next().map(Some).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
        }

        fn stops(&mut self) -> io::Result<bool> {
            Ok(false)
        }
    }

    const SWING: &str = "\
#[reversible]
fn swing(x: &mut f64, v: &mut f64, steps: usize) {
    for _ in 0..steps {
        kick(v, *x);
        *x += 0.5 * *v;
    }
}

#[reversible]
fn kick(v: &mut f64, x: f64) {
    *v -= 0.5 * x;
}
";

    /// What is on the screen, line by line, when these keys have been pressed; `⏎` and arrows stand for their keys.
    fn screen(text: &str, name: &str, args: Vec<Value>, keys: &str) -> Vec<String> {
        let module = Module::new(text).unwrap();
        let mut terminal = Terminal::new(TestBackend::new(100, 24)).unwrap();
        let code = |key| match key {
            '⏎' => KeyCode::Enter,
            '→' => KeyCode::Right,
            '←' => KeyCode::Left,
            '↓' => KeyCode::Down,
            '↑' => KeyCode::Up,
            '⇥' => KeyCode::End,
            '⇤' => KeyCode::Home,
            '⇟' => KeyCode::PageDown,
            key => KeyCode::Char(key),
        };
        let mut typed = Typed(keys.chars().map(code).collect::<Vec<_>>().into_iter());
        let mut screen = Screen::new(text, &mut terminal, &mut typed);
        Session::new(&module, name).run(args, &mut screen).unwrap();
        assert_eq!(screen.finish().unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        let buffer = terminal.backend().buffer();
        let cells: Vec<&str> = buffer.content.iter().map(|cell| cell.symbol()).collect();
        cells.chunks(100).map(|line| line.concat()).collect()
    }

    fn swung() -> Vec<Value> {
        vec![Value::f64(1.0), Value::f64(0.0), Value::usize(4)]
    }

    /// The line that is marked, and the rows of the variables.
    fn shown(screen: &[String]) -> (String, Vec<Vec<String>>) {
        let marked = screen.iter().filter_map(|line| line.split(['▶', '◀']).nth(1));
        let marked =
            marked.map(|line| line.split('│').next().unwrap().trim().to_string()).collect::<Vec<_>>().join("|");
        let rows = screen.iter().filter_map(|line| line.split("││").nth(1));
        let rows = rows.map(|row| row.trim_end_matches('│').split_whitespace().map(str::to_string).collect::<Vec<_>>());
        (marked, rows.skip(1).filter(|row| !row.is_empty()).collect())
    }

    #[test]
    fn the_statement_and_the_variables_are_shown() {
        let at_first = screen(SWING, "swing", swung(), "");
        assert_eq!(
            shown(&at_first),
            (
                "for _ in 0..steps {".into(),
                vec![vec!["x".into(), "1.0".into()], vec!["v".into(), "0.0".into()], vec!["steps".into(), "4".into()]]
            )
        );
        assert!(at_first[0].starts_with("┌ swing ─"), "{at_first:#?}");
        // Three stops in each iteration, and the loop itself: a trip to the end has counted them, and left no trace.
        assert!(at_first[22].ends_with(" 0 of 13"), "{at_first:#?}");
        let inside = screen(SWING, "swing", swung(), "→→");
        assert!(inside[0].starts_with("┌ kick, 1 call deep ─"), "{inside:#?}");
        assert_eq!(shown(&inside).0, "*v -= 0.5 * x;");
        assert_eq!(shown(&screen(SWING, "swing", swung(), "→↓↓")).0, "kick(v, *x);");
        assert_eq!(shown(&screen(SWING, "swing", swung(), "→↓↓←")).0, "*x += 0.5 * *v;");
        let end = screen(SWING, "swing", swung(), "⇥");
        assert!(end[0].starts_with("┌ the end of swing ─"), "{end:#?}");
        assert!(end.iter().any(|line| line.starts_with("━━━") && line.ends_with("━● 13 of 13")), "{end:#?}");
        assert_eq!(shown(&screen(SWING, "swing", swung(), "⇥⇤")), shown(&at_first));
    }

    #[test]
    fn adjoints_stand_beside_the_values() {
        let with = screen(SWING, "swing", swung(), "ax⏎");
        let (_, rows) = shown(&with);
        let adjoint = |rows: &[Vec<String>], i: usize| rows[i][2].parse::<f64>().unwrap();
        // The derivative of where a swing ends with respect to where it begins, by hand.
        let end = |x: f64, v: f64| (0..4).fold((x, v), |(x, v), _| (x + 0.5 * (v - 0.5 * x), v - 0.5 * x)).0;
        assert!((adjoint(&rows, 0) - (end(2.0, 0.0) - end(1.0, 0.0))).abs() < 1e-12, "{with:#?}");
        assert!((adjoint(&rows, 1) - (end(1.0, 1.0) - end(1.0, 0.0))).abs() < 1e-12, "{with:#?}");
        // They are those of each stop.
        let (_, rows) = shown(&screen(SWING, "swing", swung(), "ax⏎⇥"));
        assert_eq!((adjoint(&rows, 0), adjoint(&rows, 1)), (1.0, 0.0));
    }

    #[test]
    fn what_is_too_long_for_a_row_is_shown_part_by_part() {
        let text = "#[reversible]\nfn f(x: &mut [f64], k: &mut i64) {\n    x[1] += x[0].sin();\n    *k += 1;\n}\n";
        let args = vec![Value::floats(&[0.123456789, 0.5, 0.25, 0.75, 1.5]), Value::i64(2)];
        let (_, rows) = shown(&screen(text, "f", args, "ax[1]⏎"));
        let names: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        assert_eq!(names, ["x[0]", "x[1]", "x[2]", "x[3]", "x[4]", "k"]);
        assert_eq!((rows[1][2].as_str(), rows[5].len()), ("1.0", 2));
        assert!((rows[0][2].parse::<f64>().unwrap() - 0.123456789_f64.cos()).abs() < 1e-12);
    }

    #[test]
    fn keys_ask_who_go_to_lines_and_scrub() {
        let who = screen(SWING, "swing", swung(), "⇥wv⏎");
        assert_eq!(shown(&who).0, "*v -= 0.5 * x;");
        assert!(who.iter().any(|line| line.starts_with("`v` was ")), "{who:#?}");
        assert_eq!(shown(&screen(SWING, "swing", swung(), "t5⏎")).0, "*x += 0.5 * *v;");
        assert_eq!(shown(&screen(SWING, "swing", swung(), "⇥T11⏎")).0, "*v -= 0.5 * x;");
        let until = screen(SWING, "swing", swung(), "ux < 0.5⏎");
        assert_eq!(shown(&until).1[0][0], "x");
        assert!(shown(&until).1[0][1].parse::<f64>().unwrap() < 0.5, "{until:#?}");
        let scrubbed = screen(SWING, "swing", swung(), "⇟⇟⇟");
        assert!(scrubbed.iter().any(|line| line.ends_with(" 3 of 13")), "{scrubbed:#?}");
        let typing = screen(SWING, "swing", swung(), "wx[");
        assert!(typing[23].starts_with(": who x["), "{typing:#?}");
        assert!(screen(SWING, "swing", swung(), "?").iter().any(|line| line.contains("who changed this last")));
    }

    #[test]
    fn what_fails_is_said_where_it_fails() {
        let text = "#[reversible]\nfn f(x: &mut [i64], i: usize) {\n    x[0] += 1;\n    x[i] += 1;\n}\n";
        let args = || vec![Value::List(vec![Value::i64(0)]), Value::usize(3)];
        let failed = screen(text, "f", args(), "⇥");
        assert_eq!(shown(&failed).0, "x[i] += 1;");
        assert!(failed.iter().any(|line| line.starts_with("index out of bounds: the len is 1")), "{failed:#?}");
        assert!(failed.iter().any(|line| line.trim_end().ends_with("1 of 1, fails there")), "{failed:#?}");
        assert_eq!(shown(&screen(text, "f", args(), "⇥←")).0, "x[0] += 1;");
    }
}
