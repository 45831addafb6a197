//! Programs, as far as drawings need to know them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::tokens::{Token, tokens};

/// A program.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) variables: Vec<Variable>,
    pub(super) body: Vec<Node>,
}

/// A parameter or a local.
#[derive(Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) parameter: bool,
    /// A `&mut` by itself: its bare name hands it on to be changed.
    reference: bool,
    /// `let mut`: what is computed into it is undone, unless the user gives it back.
    pub(super) ancilla: bool,
}

/// A statement, or one with blocks.
#[derive(Debug)]
pub(super) enum Node {
    Statement(Statement),
    Blocks(Blocks),
}

/// A statement without blocks.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) text: String,
    pub(super) line: u32,
    pub(super) reads: BTreeSet<usize>,
    pub(super) changes: BTreeSet<usize>,
    /// The locals that begin here.
    pub(super) begins: Vec<usize>,
    /// What stands in the boxes.
    pub(super) symbol: &'static str,
}

/// A statement with blocks: `for`, `if`, `match`; each block with what it says in front, but for the first.
#[derive(Debug)]
pub(super) struct Blocks {
    pub(super) head: String,
    pub(super) line: u32,
    pub(super) reads: BTreeSet<usize>,
    pub(super) parts: Vec<(String, Vec<Node>)>,
    /// `#[compute]`: it is undone at the end of the block that it stands in.
    pub(super) computes: bool,
}

impl Node {
    pub(super) fn changes(&self) -> BTreeSet<usize> {
        match self {
            Node::Statement(s) => s.changes.clone(),
            Node::Blocks(s) => s.parts.iter().flat_map(|(_, nodes)| nodes).flat_map(Node::changes).collect(),
        }
    }

    pub(super) fn reads(&self) -> BTreeSet<usize> {
        match self {
            Node::Statement(s) => s.reads.clone(),
            Node::Blocks(s) => {
                let inner = s.parts.iter().flat_map(|(_, nodes)| nodes).flat_map(Node::reads);
                s.reads.iter().copied().chain(inner).collect()
            }
        }
    }
}

/// How long the text of a statement may be.
const LONGEST: usize = 56;

/// Reads a program.
pub(super) fn program(text: &str) -> Option<Program> {
    let tokens = tokens(text)?;
    let at = tokens.iter().position(|token| token.text == "fn")?;
    let mut reader = Reader { text, tokens, variables: Vec::new(), scope: Vec::new() };
    let open = reader.parameters(at + 2)?;
    let close = reader.tokens[open].partner;
    reader.declare_parameters(open + 1..close);
    let body = (close..reader.tokens.len()).find(|i| reader.tokens[*i].text == "{")?;
    let body = reader.block(body + 1..reader.tokens[body].partner);
    Some(Program { variables: reader.variables, body })
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    variables: Vec<Variable>,
    /// What can be named, the youngest last.
    scope: Vec<usize>,
}

impl Reader<'_> {
    /// The bracket of the parameters, behind generic ones.
    fn parameters(&self, from: usize) -> Option<usize> {
        let mut depth = 0_i32;
        let mut at = from;
        while at < self.tokens.len() {
            match self.tokens[at].text {
                "<" => depth += 1,
                ">" => depth -= 1,
                "(" if depth == 0 => return Some(at),
                "(" => at = self.tokens[at].partner,
                _ => {}
            }
            at += 1;
        }
        None
    }

    fn declare_parameters(&mut self, range: Range<usize>) {
        for part in self.split(range, ",") {
            let words: Vec<&str> = self.tokens[part].iter().map(|token| token.text).collect();
            let words = match words.iter().position(|word| *word == "]").filter(|_| words.first() == Some(&"#")) {
                Some(end) => &words[end + 1..],
                None => &words[..],
            };
            let colon = words.iter().position(|word| *word == ":").unwrap_or(words.len());
            let name =
                words[..colon].iter().rev().find(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'));
            let ty = if colon == words.len() { words } else { &words[colon..] };
            let reference = ty.iter().take(4).any(|word| *word == "&") && ty.iter().take(4).any(|word| *word == "mut");
            if let Some(name) = name {
                self.declare(name, true, reference, false);
            }
        }
    }

    fn declare(&mut self, name: &str, parameter: bool, reference: bool, ancilla: bool) -> usize {
        self.scope.push(self.variables.len());
        self.variables.push(Variable { name: name.into(), parameter, reference, ancilla });
        self.variables.len() - 1
    }

    /// The parts of a range between signs outside of brackets.
    fn split(&self, range: Range<usize>, sign: &str) -> Vec<Range<usize>> {
        let (mut parts, mut from, mut at) = (Vec::new(), range.start, range.start);
        while at < range.end {
            if self.tokens[at].text == sign {
                parts.push(from..at);
                from = at + 1;
            }
            at = self.tokens[at].partner.max(at) + 1;
        }
        parts.push(from..range.end);
        parts.into_iter().filter(|part| !part.is_empty()).collect()
    }

    /// The first token outside of brackets that is one of these.
    fn find(&self, range: Range<usize>, signs: &[&str]) -> Option<usize> {
        let mut at = range.start;
        while at < range.end {
            if signs.contains(&self.tokens[at].text) {
                return Some(at);
            }
            at = self.tokens[at].partner.max(at) + 1;
        }
        None
    }

    fn label(&self, range: Range<usize>) -> String {
        let Some(tokens) = self.tokens.get(range) else { return String::new() };
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return String::new() };
        let words: Vec<&str> = self.text[first.start..last.end].split_whitespace().collect();
        let text = words.join(" ");
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    /// The variables that are mentioned.
    fn mentions(&self, range: Range<usize>) -> BTreeSet<usize> {
        range.filter_map(|at| self.variable(at)).collect()
    }

    /// The variable that a token names.
    fn variable(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1).map_or("", |before| self.tokens[before].text);
        let behind = self.tokens.get(at + 1).map_or("", |token| token.text);
        if before == "." || before == "::" || behind == "::" || behind == "!" || behind == "(" {
            return None;
        }
        let name = self.tokens[at].text;
        self.scope.iter().rev().copied().find(|id| self.variables[*id].name == name)
    }

    fn block(&mut self, range: Range<usize>) -> Vec<Node> {
        let outer = self.scope.len();
        let mut nodes = Vec::new();
        let (mut at, mut computes) = (range.start, false);
        while at < range.end {
            let token = self.tokens[at];
            match token.text {
                "#" => {
                    computes |= self.tokens.get(at + 2).is_some_and(|token| token.text == "compute");
                    at = self.tokens.get(at + 1).map_or(at, |token| token.partner) + 1;
                    continue;
                }
                ";" => at += 1,
                _ if token.text.starts_with('\'') => at += 2,
                "{" | "if" | "for" | "while" | "loop" | "match" | "unsafe" => {
                    let (blocks, end) = self.blocks(at, range.end, computes);
                    nodes.push(Node::Blocks(blocks));
                    at = end;
                }
                _ => {
                    let end = self.find(at..range.end, &[";"]).unwrap_or(range.end);
                    let statement = self.statement(at..end, end == range.end);
                    nodes.push(Node::Statement(statement));
                    at = end + 1;
                }
            }
            computes = false;
        }
        self.scope.truncate(outer);
        nodes
    }

    /// A statement with blocks, and where it ends.
    fn blocks(&mut self, at: usize, end: usize, computes: bool) -> (Blocks, usize) {
        let open = self.find(at..end, &["{"]).unwrap_or(end - 1);
        let close = self.tokens[open].partner;
        let (line, mut reads) = (self.tokens[at].line, self.mentions(at..open));
        let head = if computes { "compute".to_string() } else { self.label(at..open) };
        if self.tokens[at].text == "match" {
            let parts = self.arms(open + 1..close);
            return (Blocks { head, line, reads, parts, computes }, close + 1);
        }
        let mut parts = vec![(String::new(), self.block(open + 1..close))];
        let mut behind = close + 1;
        while behind < end && self.tokens[behind].text == "else" {
            let open = self.find(behind..end, &["{"]).unwrap_or(end - 1);
            reads.extend(self.mentions(behind..open));
            let label = self.label(behind..open);
            parts.push((label, self.block(open + 1..self.tokens[open].partner)));
            behind = self.tokens[open].partner + 1;
        }
        (Blocks { head, line, reads, parts, computes }, behind)
    }

    /// The arms of a `match`.
    fn arms(&mut self, range: Range<usize>) -> Vec<(String, Vec<Node>)> {
        let (mut parts, mut at) = (Vec::new(), range.start);
        while let Some(arrow) = self.find(at..range.end, &["=>"]) {
            let label = self.label(at..arrow);
            let body = arrow + 1;
            let (inner, end) = match self.tokens.get(body).filter(|token| token.text == "{") {
                Some(open) => (body + 1..open.partner, open.partner + 1),
                None => {
                    let end = self.find(body..range.end, &[","]).unwrap_or(range.end);
                    (body..end, end)
                }
            };
            parts.push((label, self.block(inner)));
            at = end + usize::from(self.tokens.get(end).is_some_and(|token| token.text == ","));
        }
        parts
    }

    fn statement(&mut self, range: Range<usize>, is_value: bool) -> Statement {
        let (text, line) = (self.label(range.clone()), self.tokens[range.start].line);
        let plain =
            |reads, changes, symbol| Statement { text: text.clone(), line, reads, changes, begins: Vec::new(), symbol };
        if self.tokens[range.start].text == "let" {
            return self.binding(range, text, line);
        }
        let mut reads = self.mentions(range.clone());
        let assigned = self.find(range.clone(), &["+=", "-=", "*=", "/=", "^=", "="]);
        if let Some(at) = assigned {
            let symbol = match self.tokens[at].text {
                "+=" => "+",
                "-=" => "−",
                "*=" => "×",
                "/=" => "÷",
                "^=" => "⊕",
                _ => "=",
            };
            let target = (range.start..at).find_map(|i| self.variable(i));
            let others = self.mentions(at + 1..range.end);
            // Indices of the place are read.
            let index = (range.start..at).filter_map(|i| self.variable(i)).skip(1);
            reads = others.into_iter().chain(index).filter(|id| Some(*id) != target).collect();
            return plain(reads, target.into_iter().collect(), symbol);
        }
        if is_value {
            return plain(reads, BTreeSet::new(), "");
        }
        if self.tokens[range.start].text == "release" {
            let given: BTreeSet<usize> = range.clone().find_map(|i| self.variable(i)).into_iter().collect();
            // The user gives it back.
            given.iter().for_each(|id| self.variables[*id].ancilla = false);
            reads.retain(|id| !given.contains(id));
            return plain(reads, given, "0");
        }
        let changes = self.handed_over(range.clone());
        reads.retain(|id| !changes.contains(id));
        let swaps = range.clone().any(|i| self.tokens[i].text == "swap");
        let inverse = range.clone().any(|i| self.tokens[i].text.starts_with("uncall"));
        plain(
            reads,
            changes,
            if swaps {
                "⇄"
            } else if inverse {
                "~ƒ"
            } else {
                "ƒ"
            },
        )
    }

    /// `let x = e`
    fn binding(&mut self, range: Range<usize>, text: String, line: u32) -> Statement {
        let equals = self.find(range.clone(), &["="]).unwrap_or(range.end);
        let colon = self.find(range.start..equals, &[":"]).unwrap_or(equals);
        let reads = self.mentions(equals..range.end);
        let ancilla = self.tokens.get(range.start + 1).is_some_and(|token| token.text == "mut");
        let view = self.tokens[equals..range.end].windows(2).any(|pair| pair[0].text == "&" && pair[1].text == "mut");
        let lower = |token: &&Token<'_>| token.is_word() && token.text.starts_with(|c: char| c.is_lowercase());
        let pattern = self.tokens.get(range.start + 1..colon).unwrap_or_default();
        let names: Vec<String> = pattern
            .iter()
            .filter(lower)
            .map(|token| token.text.to_string())
            .filter(|name| !["mut", "ref", "_"].contains(&name.as_str()))
            .collect();
        let begins: Vec<usize> = names.iter().map(|name| self.declare(name, false, view, ancilla)).collect();
        Statement { text, line, reads, changes: BTreeSet::new(), begins, symbol: "" }
    }

    /// What a call may change: `&mut x`, references under their own names, and what a method is called on.
    fn handed_over(&self, range: Range<usize>) -> BTreeSet<usize> {
        let mut changes = BTreeSet::new();
        for at in range.clone() {
            let is = |at: usize, text: &str| self.tokens[at].text == text;
            if at >= range.start + 2 && is(at - 1, "mut") && is(at - 2, "&")
                || at > range.start + 2 && is(at - 1, "*") && is(at - 2, "mut")
            {
                changes.extend(self.variable(at));
            }
            let alone = at > range.start
                && at + 1 < range.end
                && ["(", ","].contains(&self.tokens[at - 1].text)
                && [")", ","].contains(&self.tokens[at + 1].text);
            changes.extend(self.variable(at).filter(|id| alone && self.variables[*id].reference));
        }
        let receiver = self.variable(range.start);
        let is_method = self.tokens[range.clone()].iter().any(|token| token.text == ".");
        changes.extend(receiver.filter(|_| is_method));
        changes
    }
}
