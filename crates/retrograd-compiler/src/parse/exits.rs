//! Loops that end when they like, and ways out of them: what only a record can undo.

use syn::Expr as Syn;

use super::{Around, Parser, ordinary};
use crate::ir::{Block, Exit, ExitKind, Kind, Loop, Records, Stmt};
use crate::span::Span;

impl Parser<'_> {
    /// Reads the body of a loop, which exits in it can name.
    pub(super) fn around(
        &mut self,
        label: Option<&syn::Label>,
        read: impl FnOnce(&mut Self) -> Block,
    ) -> (usize, Block) {
        self.numbered += 1;
        let number = self.numbered;
        self.loops.push(Around { label: label.map(|label| label.name.ident.to_string()), number });
        let body = read(self);
        self.loops.pop();
        (number, body)
    }

    /// `loop { A }`
    pub(super) fn loop_stmt(&mut self, e: &syn::ExprLoop, span: Span) -> Stmt {
        let (number, body) = self.around(e.label.as_ref(), |parser| parser.block(&e.body));
        Stmt::Loop(Loop { condition: None, body, number, until: None, count: None, part: None, span })
    }

    /// `break`, `continue`, `return`
    pub(super) fn exit(&mut self, e: &Syn, span: Span) -> Option<Stmt> {
        let kind = match e {
            Syn::Return(e) => ExitKind::Return(match (&e.expr, self.kind) {
                (Some(value), Kind::Function) => {
                    let value = self.expr(value)?;
                    Some(if let Some(ty) = self.output { value.of_type(ty) } else { value })
                }
                (None, Kind::Procedure) => None,
                (Some(_), Kind::Procedure) => {
                    self.error(span, "a procedure has no value to return; drop it");
                    return None;
                }
                (None, Kind::Function) => {
                    self.error(span, "a function returns a value: `return e;`");
                    return None;
                }
            }),
            Syn::Break(e) if e.expr.is_some() => {
                self.error(
                    span,
                    "a loop has no value here; begin a variable before it, assign to it, and `break` without a value",
                );
                return None;
            }
            Syn::Break(e) => ExitKind::Break(self.left(e.label.as_ref(), span)?),
            Syn::Continue(e) => ExitKind::Continue(self.left(e.label.as_ref(), span)?),
            _ => return self.early_exit(e, span),
        };
        Some(Stmt::Exit(Exit { kind, span }))
    }

    /// The loop that an exit names, or the one around it.
    fn left(&mut self, label: Option<&syn::Lifetime>, span: Span) -> Option<usize> {
        let found = match label {
            Some(label) => self.loops.iter().rfind(|l| l.label.as_ref().is_some_and(|name| label.ident == name)),
            None => self.loops.last(),
        };
        let number = found.map(|found| found.number);
        if number.is_none() {
            self.error(span, "there is no loop here that this could leave");
        }
        number
    }

    /// Whether the last expression of a body is a way out, or holds all of them: it has no value then.
    pub(super) fn ends_by_return(&self, e: &Syn) -> bool {
        self.records != Records::Nothing
            && match e {
                Syn::Loop(e) => !ordinary::breaks_with_value(e),
                _ => matches!(e, Syn::Return(_) | Syn::While(_) | Syn::ForLoop(_)),
            }
    }

    /// What is recorded is undone by its record, and not by running something backwards.
    pub(super) fn without_undoing(&self, block: &Block) {
        for stmt in &block.stmts {
            let what = match stmt {
                Stmt::Conjugate(_) => Some("`#[compute]`"),
                Stmt::Inverse(_) => Some("`#[inverse]`"),
                Stmt::Call(call) if call.inverse => Some("`uncall`"),
                _ => None,
            };
            match what {
                Some(what) => self.error(
                    stmt.span(),
                    format!(
                        "{what} runs something backwards, which in a program with a record only the record does; put these statements \
                         into a procedure without `record`, and call that"
                    ),
                ),
                None => stmt.blocks().into_iter().for_each(|block| self.without_undoing(block)),
            }
        }
    }
}
