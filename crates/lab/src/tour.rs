//! The tour: every program beside its inverse, run there and back.

use std::io::{self, Write};

use retrograd::Direction;

use crate::columns::side_by_side;
use lab_corpus::programs::Entry;

/// From this width on, a program and its inverse stand beside each other.
const WIDE: usize = 100;

/// No line above a program is longer than this.
const LINE: usize = 120;

/// Shows all of `programs`, and says at the end, and by its value, whether all came back.
///
/// ```
/// use lab::tour::tour;
/// use lab_corpus::programs::ALL;
///
/// let mut text = Vec::new();
/// assert!(tour(&mut text, &ALL, 120)?);
/// assert!(text.ends_with(b" programs, all came back\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn tour(out: &mut impl Write, programs: &[Entry], columns: usize) -> io::Result<bool> {
    let mut lost = Vec::new();
    for program in programs {
        if !show(out, program, columns)? {
            lost.push(program.name);
        }
        writeln!(out)?;
    }
    let count = programs.len();
    match lost.as_slice() {
        [] => writeln!(out, "{count} programs, all came back")?,
        lost => writeln!(out, "{count} programs, {} did not come back: {}", lost.len(), lost.join(", "))?,
    }
    Ok(lost.is_empty())
}

/// Shows one program with its inverse, runs both, and says whether it came back.
///
/// ```
/// use lab::tour::show;
/// use lab_corpus::programs::ALL;
///
/// let mut text = Vec::new();
/// assert!(show(&mut text, &ALL[0], 80)?);
/// let text = String::from_utf8(text).unwrap();
/// assert!(text.starts_with("── adder ─"));
/// assert!(text.contains("    *y += x;\n") && text.contains("    *y -= x;\n"));
/// assert!(text.ends_with("back    y = 2, x = 3  ✓\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn show(out: &mut impl Write, program: &Entry, columns: usize) -> io::Result<bool> {
    let Entry { name, about, .. } = program;
    let [forward, inverse] =
        [Direction::Forward, Direction::Inverse].map(|direction| (program.source)(direction).trim_end());
    let rule = "─".repeat(columns.min(LINE).saturating_sub(name.len() + 4));
    writeln!(out, "── {name} {rule}\n{about}\n")?;
    if columns >= WIDE {
        writeln!(out, "{}", side_by_side(forward, inverse, columns))?;
    } else {
        writeln!(out, "{forward}\n\n{inverse}\n")?;
    }
    let demo = (program.demo)();
    let mark = if demo.restored { '✓' } else { '✗' };
    writeln!(out, "before  {}\nafter   {}\nback    {}  {mark}", demo.before, demo.after, demo.back)?;
    Ok(demo.restored)
}

/// Names `programs`, each with what it does.
///
/// ```
/// use lab::tour::list;
/// use lab_corpus::programs::ALL;
///
/// let mut text = Vec::new();
/// list(&mut text, &ALL)?;
/// assert_eq!(String::from_utf8(text).unwrap().lines().count(), ALL.len());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn list(out: &mut impl Write, programs: &[Entry]) -> io::Result<()> {
    let widest = programs.iter().map(|program| program.name.len()).max().unwrap_or(0);
    programs.iter().try_for_each(|Entry { name, about, .. }| writeln!(out, "{name:widest$}  {about}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab_corpus::programs::{ALL, Demo};

    fn lossy() -> Entry {
        let demo = || Demo::new(1, |y: &mut i32| *y += 1, |y| *y -= 2, |y| format!("y = {y}"));
        Entry { name: "lossy", demo, ..ALL[0] }
    }

    #[test]
    fn a_program_that_does_not_come_back_is_named_at_the_end() {
        let mut text = Vec::new();
        assert!(!tour(&mut text, &[ALL[0], lossy(), ALL[1]], 120).unwrap());
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("before  y = 1\nafter   y = 2\nback    y = 0  ✗\n"), "{text}");
        assert!(text.ends_with("\n3 programs, 1 did not come back: lossy\n"), "{text}");
    }

    #[test]
    fn a_program_that_stops_is_shown_with_its_error() {
        let demo = || Demo::new(1, |_: &mut i32| retrograd::Stack::new().pop(&mut 0), |_| (), i32::to_string);
        let mut text = Vec::new();
        assert!(!show(&mut text, &Entry { demo, ..ALL[0] }, 120).unwrap());
        assert!(String::from_utf8(text).unwrap().contains("stopped: a value is popped from an empty stack"));
    }
}
