//! Programs as text in the surface language: for `source()`, for messages and for dumps.

mod call;
mod format;
mod layout;
mod line;
mod lines;
mod origins;
mod stmt;

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub use self::call::iter;
pub use self::format::tidy;
use self::line::Line;
pub use self::origins::origins;
use crate::analysis::Context;
use crate::emit::rust::tokens::Writer;
use crate::ir::{Block, ExitKind, Expr, Pattern, Place, Program, Stmt, Syntax, Update, Var};

/// A program under the given signature, formatted.
pub fn program(program: &Program, signature: &syn::Signature) -> String {
    let context = Context::new(program);
    let printer = Printer { writer: Writer::for_readers(&program.vars), context: &context, hosts: &program.hosts };
    if let Some(text) = printer.program(program, signature) {
        return text;
    }
    let items = program.items.iter().map(Syntax::tokens);
    let body = printer.block(&program.body);
    let result = program.result.as_ref().map(|e| printer.writer.expr(e));
    tidy(quote!(#signature { #(#items)* #body #result }))
}

/// The signature of the inverse of `f` in printed programs.
pub fn inverse_signature(signature: &syn::Signature) -> syn::Signature {
    syn::Signature { ident: format_ident!("uncall_{}", signature.ident), ..signature.clone() }
}

/// The label of a loop that an exit inside of it names.
pub(crate) fn label(number: usize, body: &Block) -> Option<TokenStream> {
    let label = lifetime(number);
    body.exits(number).then(|| quote!(#label:))
}

fn lifetime(number: usize) -> syn::Lifetime {
    syn::Lifetime::new(&format!("'loop_{number}"), crate::span::mixed_site())
}

/// A way out.
pub(crate) fn exit(kind: &ExitKind, expr: impl Fn(&Expr) -> TokenStream) -> TokenStream {
    match kind {
        ExitKind::Break(number) => {
            let label = lifetime(*number);
            quote!(break #label;)
        }
        ExitKind::Continue(number) => {
            let label = lifetime(*number);
            quote!(continue #label;)
        }
        ExitKind::Return(value) => {
            let value = value.as_ref().map(expr);
            quote!(return #value;)
        }
    }
}

/// An expression as the user would write it.
pub fn expr(vars: &[Var], e: &Expr) -> String {
    let writer = Writer { as_written: true, ..Writer::for_readers(vars) };
    let mut line = Line::default();
    writer.write_expr(e, &mut line);
    line.finish().unwrap_or_else(|| tidy(writer.expr(e)))
}

/// A place as the user would write it.
pub fn place(vars: &[Var], place: &Place) -> String {
    expr(vars, &place.to_expr())
}

/// A pattern as the user would write it.
pub fn pattern(vars: &[Var], pattern: &Pattern) -> String {
    let writer = Writer { as_written: true, ..Writer::for_readers(vars) };
    let pattern = writer.pattern(pattern);
    let text = tidy(quote!(let #pattern = value;));
    text.trim().trim_start_matches("let ").trim_end_matches(" = value;").to_string()
}

/// A statement of the program on one line, by the names that the user gave; of a compound statement its head.
pub fn head(program: &Program, context: &Context<'_>, stmt: &Stmt) -> String {
    if let Stmt::Update(s) = stmt
        && let Some(written) = &s.written
    {
        let as_written = Update { operand: Expr::clone(written), written: None, ..s.clone() };
        return head(program, context, &Stmt::Update(as_written));
    }
    let writer = Writer { as_written: true, ..Writer::for_readers(context.vars) };
    let printer = Printer { writer, context, hosts: &program.hosts };
    let w = printer.writer;
    let cut = |text: String| text.trim_end_matches("{}").trim_end().to_string();
    if let Stmt::If(s) = stmt {
        let condition = printer.condition(s);
        return cut(tidy(quote!(if #condition {})));
    }
    if let Stmt::While(s) = stmt {
        let (pre, post) = (w.expr(&s.pre), w.expr(&s.post));
        return cut(tidy(quote!(while (#pre, #post) {})));
    }
    let mut line = Line::default();
    let simple = printer.simple(stmt, &mut line).then(|| line.finish()).flatten();
    simple.unwrap_or_else(|| tidy(printer.stmt(stmt, &BTreeSet::new())))
}

struct Printer<'c, 'p> {
    writer: Writer<'p>,
    context: &'c Context<'p>,
    hosts: &'c [Syntax],
}
