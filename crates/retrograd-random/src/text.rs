//! Lines of source text with indentation, and how tightly an expression binds.

/// Source text under construction.
#[derive(Debug, Default)]
pub(super) struct Text {
    lines: Vec<String>,
    indent: usize,
}

/// A place in a [`Text`] to fall back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark(usize);

impl Text {
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.lines.push(format!("{:width$}{}", "", line.as_ref(), width = 4 * self.indent));
    }

    /// Writes `head {` and indents what follows.
    pub(super) fn open(&mut self, head: impl AsRef<str>) {
        let head = head.as_ref();
        self.line(if head.is_empty() { "{".to_string() } else { format!("{head} {{") });
        self.indent += 1;
    }

    /// Writes `} head {` between two branches.
    pub(super) fn turn(&mut self, head: impl AsRef<str>) {
        self.indent -= 1;
        self.line(format!("}} {} {{", head.as_ref()));
        self.indent += 1;
    }

    pub(super) fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.lines.len())
    }

    /// Forgets every line written after `mark`.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.lines.truncate(mark.0);
    }

    /// Whether the last line is an attribute that waits for its statement.
    pub(super) fn ends_in_attribute(&self) -> bool {
        self.lines.last().is_some_and(|line| line.trim_start().starts_with("#["))
    }

    pub(super) fn finish(self) -> String {
        let mut source = self.lines.join("\n");
        source.push('\n');
        source
    }
}

/// An expression, with what decides whether it needs parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expr {
    pub(super) text: String,
    level: Level,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// A name, a literal, a call: anything may follow it.
    Atom,
    /// A dereference: an operand, but not a receiver.
    Star,
    /// An operator, a cast or an `if`: in parentheses unless alone.
    Loose,
}

impl Expr {
    pub(super) fn atom(text: impl Into<String>) -> Self {
        Expr { text: text.into(), level: Level::Atom }
    }

    pub(super) fn star(name: &str) -> Self {
        Expr { text: format!("*{name}"), level: Level::Star }
    }

    pub(super) fn loose(text: impl Into<String>) -> Self {
        Expr { text: text.into(), level: Level::Loose }
    }

    /// As an operand of an operator or a cast.
    pub(super) fn operand(&self) -> String {
        match self.level {
            Level::Atom | Level::Star => self.text.clone(),
            Level::Loose => format!("({})", self.text),
        }
    }

    /// As the receiver of a method.
    pub(super) fn receiver(&self) -> String {
        match self.level {
            Level::Atom => self.text.clone(),
            Level::Star | Level::Loose => format!("({})", self.text),
        }
    }

    /// As the receiver of an inherent method, where Rust follows references by itself: `s.sin()` for `(*s).sin()`.
    pub(super) fn inherent_receiver(&self) -> String {
        match self.level {
            Level::Star => self.text[1..].to_string(),
            Level::Atom | Level::Loose => self.receiver(),
        }
    }

    pub(super) fn binary(self, operator: &str, right: &Expr) -> Expr {
        Expr::loose(format!("{} {operator} {}", self.operand(), right.operand()))
    }

    /// `self.method(arguments)`
    pub(super) fn method(self, method: &str, arguments: &str) -> Expr {
        Expr::atom(format!("{}.{method}({arguments})", self.receiver()))
    }
}
