//! `#[recompute]`: what is run again on the way back, and not kept.

use super::Parser;
use crate::ir::{Block, Recompute, Stmt};
use crate::span::Span;

impl Parser<'_> {
    /// The statements that `#[recompute]` stands in front of.
    pub(super) fn recompute(&mut self, attribute: &syn::Attribute, stmts: Vec<Stmt>, span: Span, read: &mut Vec<Stmt>) {
        if attribute.meta.require_path_only().is_err() {
            self.error(
                Span::of(attribute),
                "`#[recompute]` stands alone: it keeps what its statement changes, once, and runs the statement again on the way back",
            );
            return;
        }
        self.recomputed.push(Span::of(attribute));
        // What follows the statement has to see the locals that it begins: they are marked, and the statements between them.
        let mut body = Vec::new();
        for stmt in stmts {
            match stmt {
                Stmt::Begin(binding) => {
                    self.put_together(&mut body, span, read);
                    binding.pattern.bindings().iter().for_each(|var| self.names.vars[var.0].again = true);
                    read.push(Stmt::Begin(binding));
                }
                Stmt::End(_) | Stmt::Exit(_) | Stmt::Host(_) => self.error(
                    span,
                    "`#[recompute]` goes on what computes something: a `let`, a call, an assignment, a block or a loop",
                ),
                stmt => body.push(stmt),
            }
        }
        self.put_together(&mut body, span, read);
    }

    fn put_together(&self, stmts: &mut Vec<Stmt>, span: Span, read: &mut Vec<Stmt>) {
        if stmts.is_empty() {
            return;
        }
        let body = match stmts.as_mut_slice() {
            [Stmt::Block(block)] => block.clone(),
            _ => Block { stmts: std::mem::take(stmts), span },
        };
        stmts.clear();
        read.push(Stmt::Recompute(Recompute { body, kept: Vec::new(), schedule: None, span }));
    }

    /// Without a record everything is computed again.
    pub(super) fn without_recompute(&self) {
        for span in &self.recomputed {
            self.error(
                *span,
                "`#[recompute]` is for programs with a record: it runs again what they would keep. This program keeps nothing, and \
                 computes again all that its way back needs; drop the attribute, or write `#[reversible(record)]`",
            );
        }
    }
}
