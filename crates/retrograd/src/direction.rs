//! Which of the programs derived from one body is meant.

/// Names a program derived from a reversible body: `f::source(direction)` returns that program as
/// text.
///
/// ```
/// use retrograd::{Direction, ops::rotate};
///
/// assert!(rotate::source(Direction::Forward).contains("rotate(a, b, angle)"));
/// assert!(rotate::source(Direction::Inverse).contains("rotate(a, b, -angle)"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Direction {
    /// The body as written: what `f(..)` runs.
    Forward,
    /// The body backwards, each statement undone: what `f::uncall(..)` runs.
    Inverse,
    /// The body backwards with adjoints: what `f::pullback(..)` runs.
    Pullback,
    /// The body with tangents: what `f::pushforward(..)` runs.
    Pushforward,
    /// The body with adjoints, undoing a pullback: what `f::unpullback(..)` runs.
    Unpullback,
    /// The body backwards with tangents, undoing a pushforward: what `f::unpushforward(..)` runs.
    Unpushforward,
}
