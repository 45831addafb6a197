//! Two texts beside each other.

/// Two texts in columns, `width` characters wide in all, with a line between them.
///
/// Each gets half of the width, or more where the other does not need it. Lines that are still too long are folded,
/// if possible behind a comma.
///
/// ```
/// use lab::columns::side_by_side;
///
/// let text = side_by_side("fn f() {\n    a += b;\n}", "fn g(a: u64, b: u64) {\n    a -= b;\n}", 32);
/// assert_eq!(text, "\
/// fn f() {    │ fn g(a: u64,
///     a += b; │         b: u64) {
/// }           │     a -= b;
///             │ }
/// ");
/// ```
pub fn side_by_side(left: &str, right: &str, width: usize) -> String {
    let room = width.saturating_sub(SEPARATOR.chars().count());
    let left = folded(left, (room / 2).max(room.saturating_sub(widest(right.lines()))));
    let first = widest(left.iter().map(String::as_str));
    let right = folded(right, room.saturating_sub(first));
    let mut text = String::new();
    for i in 0..left.len().max(right.len()) {
        let line = |side: &[String]| side.get(i).cloned().unwrap_or_default();
        let row = format!("{:first$}{SEPARATOR}{}", line(&left), line(&right));
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

fn widest<'a>(lines: impl Iterator<Item = &'a str>) -> usize {
    lines.map(|line| line.chars().count()).max().unwrap_or(0)
}

const SEPARATOR: &str = " │ ";

/// How much further a line is indented where it goes on.
const HANGING: usize = 8;

fn folded(text: &str, width: usize) -> Vec<String> {
    text.lines().flat_map(|line| fold(line, width)).collect()
}

/// One line as several of at most `width` characters, as far as it has spaces to break it at.
fn fold(line: &str, width: usize) -> Vec<String> {
    let indent = line.len() - line.trim_start().len();
    let mut lines = Vec::new();
    let mut rest = line.to_string();
    while let Some(end) = break_at(&rest, width) {
        let next = format!("{:1$}{2}", "", indent + HANGING, rest[end..].trim_start());
        // A line that does not get shorter will not fit, however often it is broken.
        if next.len() >= rest.len() {
            break;
        }
        rest.truncate(end);
        lines.push(std::mem::replace(&mut rest, next));
    }
    lines.push(rest);
    lines
}

/// Where to break a line that is too long: at the last space that fits, behind a comma if there is one.
fn break_at(line: &str, width: usize) -> Option<usize> {
    let (limit, _) = line.char_indices().nth(width)?;
    let indent = line.len() - line.trim_start().len();
    let fitting = &line[..line[limit..].chars().next().map_or(limit, |next| limit + next.len_utf8())];
    let comma = fitting.rfind(", ").map(|comma| comma + 1);
    comma.or_else(|| fitting.rfind(' ')).filter(|end| *end > indent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_fit_stay_as_they_are() {
        assert_eq!(fold("    a += b;", 11), ["    a += b;"]);
    }

    #[test]
    fn a_long_line_is_folded_behind_its_last_comma_that_fits() {
        assert_eq!(fold("  f(abcdef, b, c + d);", 17), ["  f(abcdef, b,", "          c + d);"]);
        assert_eq!(
            fold("f(abcd, efgh, ijkl, mnop, qrst);", 14),
            ["f(abcd, efgh,", "        ijkl,", "        mnop,", "        qrst);"]
        );
    }

    #[test]
    fn without_a_comma_it_is_folded_at_a_space_and_without_a_space_not_at_all() {
        assert_eq!(fold("aaaaaaaaaaaa + bbbbbb", 16), ["aaaaaaaaaaaa +", "        bbbbbb"]);
        assert_eq!(fold("aaaaaaaaaaaaaaaa", 4), ["aaaaaaaaaaaaaaaa"]);
        assert_eq!(fold("ααααα βββββ", 5), ["ααααα", "        βββββ"]);
    }

    #[test]
    fn no_width_is_too_small() {
        for width in 0..40 {
            side_by_side("fn f(x: &mut [T], theta: &[T]) {\n}", "fn g() {}\n", width);
        }
    }
}
