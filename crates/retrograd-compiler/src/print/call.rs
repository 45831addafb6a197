//! Calls, and what loops go through, in the surface language.

use std::rc::Rc;

use proc_macro2::{Delimiter, Ident, TokenStream};
use quote::{format_ident, quote};

use super::Printer;
use crate::emit::rust::out::Out;
use crate::emit::rust::paths::{callee_path, companion_name, companion_path, turbofish as turbofish_of};
use crate::emit::rust::tokens::Writer;
use crate::hygiene::prefixed;
use crate::ir::{Adapter, ArgKind, Call, Callee, Expr, ExprKind, Iter, Place, Run, Source};

impl Printer<'_, '_> {
    /// Writes a call of a procedure.
    pub(super) fn call<O: Out>(&self, call: &Call, out: &mut O) {
        let (w, at) = (self.writer, call.span.first);
        let mut args = call.args.as_slice();
        match &call.callee {
            Callee::Path(_) | Callee::Associated(_) if call.run != Run::Values => {
                out.stream(companion_path(&call.callee, call.run, call.inverse));
            }
            Callee::Path(_) | Callee::Associated(_) => out.stream(callee_path(&call.callee, call.inverse)),
            Callee::Method { name, turbofish } => {
                match &args[0].kind {
                    ArgKind::Change(place) | ArgKind::Borrow(place) => out.stream(w.receiver(place)),
                    ArgKind::Value(e) => {
                        out.open(Delimiter::Parenthesis, at);
                        w.write_expr(e, out);
                        out.close();
                    }
                    ArgKind::Host(var) => out.ident(&w.var(*var, at)),
                }
                out.op(".", at);
                out.ident(&method_name(name, call));
                turbofish.iter().for_each(|arguments| out.stream(turbofish_of(arguments)));
                args = &args[1..];
            }
        }
        out.open(Delimiter::Parenthesis, at);
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                out.op(",", at);
            }
            match &arg.kind {
                ArgKind::Change(place) => self.changed(place, out),
                ArgKind::Borrow(place) => {
                    out.op("&", at);
                    w.write_expr(&place.to_expr(), out);
                }
                ArgKind::Value(e) => w.write_expr(e, out),
                ArgKind::Host(var) => out.ident(&w.var(*var, at)),
            }
        }
        out.close();
        out.op(";", at);
    }

    /// Writes a place that is passed to be changed.
    pub(super) fn changed<O: Out>(&self, place: &Place, out: &mut O) {
        if !place.path.is_empty() || !self.context.vars[place.root.0].kind.is_mutable_reference() {
            out.op("&", place.span.first);
            out.word("mut", place.span.first);
        }
        self.writer.write_expr(&place.to_expr(), out);
    }
}

/// The name of a method in its direction; the two of a container have names of their own.
fn method_name(name: &Ident, call: &Call) -> Ident {
    if call.run != Run::Values {
        return Ident::new(&prefixed(&companion_name(call.run, call.inverse, true), name), name.span());
    }
    if !call.inverse {
        return name.clone();
    }
    let text = match (name.to_string().as_str(), call.args.len()) {
        ("push", 2) => "pop".to_string(),
        ("pop", 2) => "push".to_string(),
        ("allocate", 2) => "free".to_string(),
        ("free", 2) => "allocate".to_string(),
        _ => prefixed("uncall", name),
    };
    Ident::new(&text, name.span())
}

/// What a loop goes through.
pub fn iter(w: Writer<'_>, iter: &Iter) -> TokenStream {
    let adapted = !iter.adapters.is_empty();
    let source = match &iter.source {
        Source::Range { start, end, inclusive } => {
            let range = Expr::new(
                ExprKind::Range {
                    start: Some(Rc::new(start.clone())),
                    end: Some(Rc::new(end.clone())),
                    inclusive: *inclusive,
                },
                iter.span,
            );
            let range = w.head(&range);
            if adapted { quote!((#range)) } else { range }
        }
        Source::Value(e) => w.head(e),
        Source::Elements(e) => {
            let e = w.receiver_expr(e);
            quote!(#e.iter())
        }
        Source::ElementsMut(place) => {
            let place = w.receiver(place);
            quote!(#place.iter_mut())
        }
        Source::Chunks(e, size) => {
            let (e, size) = (w.receiver_expr(e), w.expr(size));
            quote!(#e.chunks_exact(#size))
        }
        Source::ChunksMut(place, size) => {
            let (place, size) = (w.receiver(place), w.expr(size));
            quote!(#place.chunks_exact_mut(#size))
        }
        Source::Windows(e, size) => {
            let (e, size) = (w.receiver_expr(e), w.expr(size));
            quote!(#e.windows(#size))
        }
    };
    iter.adapters.iter().fold(source, |source, adapter| match adapter {
        Adapter::Rev => quote!(#source.rev()),
        Adapter::StepBy(step) => {
            let step = w.expr(step);
            quote!(#source.step_by(#step))
        }
        Adapter::Skip(count) => {
            let count = w.expr(count);
            quote!(#source.skip(#count))
        }
        Adapter::Enumerate => quote!(#source.enumerate()),
        Adapter::Zip(other) => {
            let other = self::iter(w, other);
            quote!(#source.zip(#other))
        }
        Adapter::Copied(step) => {
            let name = format_ident!("{}", step.name());
            quote!(#source.#name())
        }
    })
}
