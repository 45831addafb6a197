//! Which row of a drawing each statement stands in.

use std::collections::BTreeSet;

use super::read::{Node, Program};

/// A drawing by rows.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) rows: Vec<Row>,
    /// From the first row of a statement with blocks to its last, and how deep it nests.
    pub(super) brackets: Vec<(usize, usize, usize)>,
    /// The first and the last row of each variable.
    pub(super) lives: Vec<(usize, usize)>,
    /// What is computed, and what undoes it.
    pub(super) pairs: Vec<(usize, usize)>,
}

/// A row.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) text: String,
    /// The line that it stands in; none if it is not written.
    pub(super) line: Option<u32>,
    pub(super) depth: usize,
    pub(super) reads: BTreeSet<usize>,
    pub(super) changes: BTreeSet<usize>,
    pub(super) begins: Vec<usize>,
    pub(super) symbol: &'static str,
}

/// Puts a program on rows.
pub(super) fn layout(program: &Program) -> Layout {
    let lives = vec![(0, 0); program.variables.len()];
    let mut layout = Layout { lives, ..Layout::default() };
    layout.place(program, &program.body, 0);
    let end = layout.rows.len();
    for (life, variable) in layout.lives.iter_mut().zip(&program.variables) {
        if variable.parameter {
            *life = (0, end);
        }
    }
    layout
}

impl Layout {
    fn place(&mut self, program: &Program, nodes: &[Node], depth: usize) {
        let mut locals = Vec::new();
        // What is undone at the end of the block, with its row.
        let mut computing = Vec::new();
        for node in nodes {
            let row = self.rows.len();
            let changes = node.changes();
            let own = |id: &usize| program.variables[*id].ancilla && locals.contains(id);
            let computes = match node {
                Node::Blocks(blocks) => blocks.computes,
                Node::Statement(_) => false,
            };
            if computes || !changes.is_empty() && changes.iter().all(own) {
                computing.push((node, row));
            }
            match node {
                Node::Statement(s) => {
                    locals.extend(&s.begins);
                    s.begins.iter().for_each(|id| self.lives[*id] = (row, row));
                    self.rows.push(Row {
                        text: s.text.clone(),
                        line: Some(s.line),
                        depth,
                        reads: s.reads.clone(),
                        changes,
                        begins: s.begins.clone(),
                        symbol: s.symbol,
                    });
                }
                Node::Blocks(blocks) => {
                    self.head(blocks.head.clone(), Some(blocks.line), depth, blocks.reads.clone());
                    for (i, (label, nodes)) in blocks.parts.iter().enumerate() {
                        if i > 0 || !label.is_empty() {
                            self.head(label.clone(), None, depth, BTreeSet::new());
                        }
                        self.place(program, nodes, depth + 1);
                    }
                    self.brackets.push((row, self.rows.len() - 1, depth));
                }
            }
        }
        for (node, row) in computing.into_iter().rev() {
            self.pairs.push((row, self.rows.len()));
            let (text, reads, changes) = (self.rows[row].text.clone(), node.reads(), node.changes());
            let text = format!("undo {text}");
            let reads = reads.difference(&changes).copied().collect();
            self.rows.push(Row { text, line: None, depth, reads, changes, begins: Vec::new(), symbol: "↺" });
        }
        let end = self.rows.len();
        locals.iter().for_each(|id| self.lives[*id].1 = end);
    }

    /// A row that only reads: a condition, the elements of a loop.
    fn head(&mut self, text: String, line: Option<u32>, depth: usize, reads: BTreeSet<usize>) {
        let (changes, begins) = (BTreeSet::new(), Vec::new());
        self.rows.push(Row { text, line, depth, reads, changes, begins, symbol: "" });
    }
}
