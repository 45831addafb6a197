//! Programs as drawings.
//!
//! In a memory-oriented graph each variable is a line, and time goes down. Where a statement reads a variable there is a dot, where it
//! changes one a box; brackets on the left are blocks. What is computed into ancillas is undone behind their last use: the undoing
//! is drawn in the same columns, and paired with what it undoes.
//!
//! A drawing is made from the text of a program, `f::source`, when it is asked for: `f::diagram()`.

mod draw;
mod layout;
mod read;
mod tokens;

/// A program as SVG, from its text; if that is none, an empty drawing.
///
/// ```
/// use retrograd::prelude::*;
///
/// #[reversible]
/// fn step(x: &mut f64, v: &mut f64, dt: f64) {
///     *v -= dt * *x;
///     *x += dt * *v;
/// }
///
/// let drawing = step::diagram();
/// assert!(drawing.starts_with("<svg") && drawing.contains("*v -= dt * *x"));
/// assert_eq!(drawing, retrograd::diagram::svg(step::source(Direction::Forward)));
/// ```
pub fn svg(text: &str) -> String {
    with_lines(text, Some)
}

/// The same, where each statement carries the number of a line in `data-line`, by the line of the text that it stands in, both counted
/// from one.
pub fn with_lines(text: &str, line: impl Fn(u32) -> Option<u32>) -> String {
    let program = read::program(text).unwrap_or_default();
    draw::draw(&layout::layout(&program), &program, &line)
}
