//! Programs, statement by statement: the formatter is asked only for those that it has to break.

use proc_macro2::Delimiter;
use quote::quote;

use super::format::with_macros;
use super::line::Line;
use super::{Printer, label, layout};
use crate::analysis::need::{After, Need};
use crate::emit::rust::out::Out;
use crate::ir::{BindingKind, Block, ExprKind, Program, Rule, Stmt, UpdateOp, VarId};

impl Printer<'_, '_> {
    /// A program, statement by statement: the formatter is asked only for those that it has to break.
    pub(super) fn program(&self, program: &Program, signature: &syn::Signature) -> Option<String> {
        if !program.items.is_empty() {
            return None;
        }
        let mut text = layout::head(&quote!(#signature))?;
        self.lines(&program.body, 1, &mut text)?;
        if let Some(e) = &program.result {
            let mut line = Line::default();
            self.writer.write_expr(e, &mut line);
            layout::add(line, 1, &mut text).or_else(|| layout::block(self.writer.expr(e), 1, &mut text))?;
        }
        layout::close(0, "\n", &mut text);
        Some(with_macros(text))
    }

    /// The statements of a block on lines.
    fn lines(&self, block: &Block, depth: usize, text: &mut String) -> Option<()> {
        let needs = self.context.needs(block, After::These(&[]));
        let by_hand = self.ended_by_hand(block, &needs);
        // How a `#[compute]` block is written depends on what follows it.
        if block.stmts.iter().any(|stmt| matches!(stmt, Stmt::Conjugate(_))) {
            return layout::block(self.block(block), depth, text);
        }
        for (stmt, _) in block.stmts.iter().zip(&needs).filter(|(_, need)| **need != Need::Cancelled) {
            let mut line = Line::default();
            if self.simple(stmt, &mut line) && layout::add(line, depth, text).is_some() {
                continue;
            }
            let mut line = Line::default();
            match self.blocks(stmt, &mut line) {
                Some((first, second)) if layout::open(line, depth, text).is_some() => {
                    self.lines(first, depth + 1, text)?;
                    if let Some(second) = second {
                        layout::close(depth, " else {", text);
                        self.lines(second, depth + 1, text)?;
                    }
                    layout::close(depth, "\n", text);
                }
                _ => layout::block(self.stmt(stmt, &by_hand), depth, text)?,
            }
        }
        Some(())
    }

    /// Writes the head of a statement that is nothing but a block, and perhaps another one behind `else`.
    fn blocks<'s>(&self, stmt: &'s Stmt, out: &mut Line) -> Option<(&'s Block, Option<&'s Block>)> {
        let w = self.writer;
        if let Stmt::Block(block) = stmt {
            return Some((block, None));
        }
        if let Stmt::If(s) = stmt {
            let chained = s.otherwise.as_ref().is_some_and(|block| matches!(block.stmts.as_slice(), [Stmt::If(_)]));
            out.word("if", s.span.first);
            out.stream(self.condition(s));
            return (!chained).then_some((&s.then, s.otherwise.as_ref()));
        }
        let Stmt::For(s) = stmt else { return None };
        let marked = s.unroll.is_some() || s.early.is_some() || s.part.is_some();
        if marked || s.number.and_then(|number| label(number, &s.body)).is_some() {
            return None;
        }
        out.word("for", s.span.first);
        out.stream(w.pattern(&s.pattern));
        out.word("in", s.span.first);
        out.stream(super::iter(w, &s.iter));
        Some((&s.body, None))
    }

    /// Writes a statement that fills one line, as most do; `false` if it is another one.
    pub(super) fn simple<O: Out>(&self, stmt: &Stmt, out: &mut O) -> bool {
        let w = self.writer;
        if let Stmt::Call(s) = stmt {
            self.call(s, out);
            return true;
        }
        if let Stmt::Swap(s) = stmt {
            let at = s.span.first;
            out.word("swap", at);
            out.open(Delimiter::Parenthesis, at);
            self.changed(&s.a, out);
            out.op(",", at);
            self.changed(&s.b, out);
            out.close();
            out.op(";", at);
            return true;
        }
        if let Stmt::Update(s) = stmt {
            // A plain adjoint has no part in a determinant.
            if s.kept.is_some() || matches!(s.operand.kind, ExprKind::Rule(Rule::Bend, _)) {
                return false;
            }
            let at = s.span.first;
            w.write_expr(&s.target.to_expr(), out);
            out.op(update_op(s.op), at);
            w.write_expr(&s.operand, out);
            out.op(";", at);
            return true;
        }
        let Stmt::Begin(s) = stmt else { return false };
        let at = s.span.first;
        let later = matches!(s.value.kind, ExprKind::Rule(Rule::Later, _));
        let is_marked = |var: VarId| self.context.vars[var.0].again || self.context.vars[var.0].unchecked;
        let marked = s.pattern.as_var().is_none_or(is_marked);
        if later || marked || s.constant || s.kind == BindingKind::View {
            return false;
        }
        out.word("let", at);
        if s.kind != BindingKind::Let {
            out.word("mut", at);
        }
        out.stream(w.pattern(&s.pattern));
        if let Some(ty) = &s.ty {
            out.op(":", at);
            out.syntax(&ty.written);
        }
        out.op("=", at);
        w.write_expr(&s.value, out);
        out.op(";", at);
        true
    }
}

fn update_op(op: UpdateOp) -> &'static str {
    match op {
        UpdateOp::Add => "+=",
        UpdateOp::Sub => "-=",
        UpdateOp::Mul => "*=",
        UpdateOp::Div => "/=",
        UpdateOp::Xor => "^=",
    }
}
