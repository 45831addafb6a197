//! The words and signs of a program.

/// A word, a number or a sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    /// Where it begins and ends in the text.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Counted from one.
    pub(super) line: u32,
    /// For a bracket, the number of the one that belongs to it; else its own.
    pub(super) partner: usize,
}

impl Token<'_> {
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphabetic() || c == '_')
    }
}

/// Signs of more than one character, the longer ones first.
const SIGNS: [&str; 21] = [
    "..=", "<<=", ">>=", "::", "->", "=>", "..", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "^=",
    "%=", "|=", "&=",
];

/// All tokens of a text; `None` if its brackets do not match.
pub(super) fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut all: Vec<Token<'_>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            line += u32::from(first == '\n');
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let length = length(rest, first);
        let own = all.len();
        let mut partner = own;
        match first {
            '(' | '[' | '{' => open.push(own),
            ')' | ']' | '}' => {
                partner = open.pop()?;
                all[partner].partner = own;
            }
            _ => {}
        }
        all.push(Token { text: &rest[..length], start: at, end: at + length, line, partner });
        line += rest[..length].matches('\n').count() as u32;
        at += length;
    }
    open.is_empty().then_some(all)
}

/// The length of the token that a text begins with.
fn length(rest: &str, first: char) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let word = || rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    if first.is_ascii_digit() {
        let whole = word();
        // `1.5`, but not `0..n` and not `1.max(2)`.
        let behind = rest[whole..].strip_prefix('.').filter(|behind| behind.starts_with(|c: char| c.is_ascii_digit()));
        return behind.map_or(whole, |behind| whole + 1 + behind.find(|c| !is_part(c)).unwrap_or(behind.len()));
    }
    if is_part(first) {
        return word();
    }
    if first == '"' {
        let mut is_escaped = false;
        let end = rest.char_indices().skip(1).find(|(_, c)| {
            let ends = *c == '"' && !is_escaped;
            is_escaped = *c == '\\' && !is_escaped;
            ends
        });
        return end.map_or(rest.len(), |(end, _)| end + 1);
    }
    if first == '\'' {
        // A lifetime, or a character.
        let name = rest[1..].find(|c| !is_part(c)).map_or(rest.len(), |end| end + 1);
        return if rest[name..].starts_with('\'') { name + 1 } else { name.max(1) };
    }
    SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
}
