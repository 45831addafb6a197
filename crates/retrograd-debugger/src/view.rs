//! What the debugger shows: the source, the variables, where in the run it is, and what it has to say.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Row, Table, Wrap};
use retrograd_interpreter::debug::Length;

/// One moment of a session.
pub(super) struct View<'a> {
    pub(super) source: &'a [&'a str],
    /// The program that is being run, and how deep calls nest.
    pub(super) function: String,
    pub(super) calls: usize,
    /// The line that runs next; none at the end.
    pub(super) line: Option<usize>,
    /// Whether the program itself runs this line backwards.
    pub(super) inverse: bool,
    pub(super) variables: Vec<Variable>,
    /// What the adjoints are derivatives of.
    pub(super) objective: Option<&'a str>,
    /// The first variable that is shown.
    pub(super) scroll: usize,
    pub(super) position: u64,
    pub(super) length: Option<Length>,
    pub(super) messages: &'a [String],
    /// The command that is being written.
    pub(super) prompt: Option<&'a str>,
    /// Whether keys are explained.
    pub(super) help: bool,
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) adjoint: String,
    /// Whether it is another value than at the last stop.
    pub(super) changed: bool,
}

/// What keys do.
const HELP: &str = "\
→ s  step forwards, into calls      ← b  step backwards, into calls
↓ n  forwards over calls, blocks    ↑ N  backwards over them
o    out of the procedure           O    out of it, at its beginning
End  to the end                     Home to the beginning
t    to a line ..                   T    back to a line ..
u    until a condition holds ..     U    back until it does ..
PgDn 1% of the run further          PgUp 1% of the run back
w    who changed this last ..       a    adjoints: derivatives of ..
A    adjoints, however far the end  g    go to a stop, or to 50% ..
j k  scroll the variables           :    any command
Esc  stops a run                    q    quit";

/// How many lines messages take at most.
const MESSAGES: usize = 8;

/// Draws a moment.
pub(super) fn draw(frame: &mut Frame<'_>, view: &View<'_>) {
    let help: Vec<String> = HELP.lines().map(str::to_string).collect();
    let said = if view.help { help.as_slice() } else { view.messages };
    let said: Vec<&str> = said.iter().flat_map(|message| message.lines()).collect();
    let said = if view.help { &said[..] } else { &said[said.len().saturating_sub(MESSAGES)..] };
    let heights =
        [Constraint::Min(3), Constraint::Length(1), Constraint::Length(said.len() as u16), Constraint::Length(1)];
    let [main, scrubber, messages, last] = Layout::vertical(heights).areas(frame.area());
    let [left, right] = Layout::horizontal([Constraint::Percentage(55), Constraint::Percentage(45)]).areas(main);
    source(frame, left, view);
    variables(frame, right, view);
    frame.render_widget(scrub(view, scrubber.width as usize), scrubber);
    let said: Vec<Line<'_>> = said.iter().map(|line| Line::raw(*line)).collect();
    frame.render_widget(Paragraph::new(said).wrap(Wrap { trim: false }), messages);
    match view.prompt {
        Some(prompt) => {
            frame.render_widget(Line::from(vec![Span::raw(": ").bold(), Span::raw(prompt)]), last);
            frame.set_cursor_position((last.x + 2 + prompt.chars().count() as u16, last.y));
        }
        None => {
            let keys = "←→ step  ↑↓ over  o out  t line  u until  w who  a adjoints  PgUp PgDn scrub  ? keys  q quit";
            frame.render_widget(Line::raw(keys).dim(), last);
        }
    }
}

fn source(frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let height = area.height.saturating_sub(2) as usize;
    let current = view.line.unwrap_or(0);
    // The line stays off the edges, where the text allows that.
    let first = current.saturating_sub(1 + height / 2).min(view.source.len().saturating_sub(height));
    let lines = view.source.iter().enumerate().skip(first).take(height).map(|(i, text)| {
        let here = view.line == Some(i + 1);
        let mark = match (here, view.inverse) {
            (false, _) => ' ',
            (true, false) => '▶',
            (true, true) => '◀',
        };
        let line = Line::raw(format!("{:4} {mark} {text}", i + 1));
        if here { line.style(Style::new().add_modifier(Modifier::REVERSED)) } else { line }
    });
    let calls = match view.calls {
        0 => String::new(),
        1 => ", 1 call deep".into(),
        calls => format!(", {calls} calls deep"),
    };
    let at = if view.line.is_none() { "the end of " } else { "" };
    let title = format!(" {at}{}{calls} ", view.function);
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()).block(Block::bordered().title(title)), area);
}

fn variables(frame: &mut Frame<'_>, area: Rect, view: &View<'_>) {
    let name = view.variables.iter().map(|v| v.name.chars().count()).max().unwrap_or(0).clamp(4, 16) as u16;
    let rows = view.variables.iter().skip(view.scroll).map(|v| {
        let row = Row::new([v.name.clone(), v.value.clone(), v.adjoint.clone()]);
        if v.changed { row.style(Style::new().fg(Color::Yellow)) } else { row }
    });
    let (widths, head) = match view.objective {
        Some(objective) => {
            let widths = vec![Constraint::Length(name), Constraint::Fill(1), Constraint::Fill(1)];
            (widths, vec![String::new(), "value".into(), format!("adjoint of {objective}")])
        }
        None => (vec![Constraint::Length(name), Constraint::Fill(1)], vec![String::new(), "value".into()]),
    };
    let table = Table::new(rows, widths).header(Row::new(head).dim()).column_spacing(2);
    frame.render_widget(table.block(Block::bordered().title(" variables ")), area);
}

/// Where in the run the session is.
fn scrub(view: &View<'_>, width: usize) -> Line<'static> {
    let (length, text) = match view.length {
        Some(Length::Known(length)) => (Some(length), format!(" {} of {length}", view.position)),
        Some(Length::Fails(length)) => (Some(length), format!(" {} of {length}, fails there", view.position)),
        Some(Length::Unknown) | None => (None, format!(" {}", view.position)),
    };
    let track = width.saturating_sub(text.chars().count() + 1);
    let part = length.map_or(0.0, |length| view.position as f64 / length.max(1) as f64).clamp(0.0, 1.0);
    let before = (part * track as f64).round() as usize;
    let (done, rest) = ("━".repeat(before), "─".repeat(track - before));
    Line::from(vec![Span::raw(done).cyan(), Span::raw("●").bold(), Span::raw(rest).dim(), Span::raw(text)])
}
