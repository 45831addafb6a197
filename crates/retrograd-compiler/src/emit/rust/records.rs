//! What the record takes and gives back.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::body::Emitter;
use crate::hygiene::{fresh, numbered};
use crate::ir::{Assign, Block, ExprKind, Form, Keep, Loop, Place, Run, Slot, Stmt, Update};
use crate::print;

/// The slots of a body: one type for what goes in and what comes out. And the record, unless it is given.
pub(super) fn slots(body: &Block, kept: Option<&Block>, run: Run) -> TokenStream {
    fn collect(block: &Block, found: &mut BTreeSet<usize>, called: &mut bool) {
        for stmt in &block.stmts {
            let mut inner = stmt;
            while let Stmt::Unchecked(s) = inner {
                inner = s;
            }
            match inner {
                Stmt::Assign(Assign { kept: Some(slot), .. })
                | Stmt::Update(Update { kept: Some(slot), .. })
                | Stmt::Keep(Keep { slot, .. })
                | Stmt::Restore(Keep { slot, .. }) => {
                    found.insert(slot.number);
                }
                Stmt::Call(s) => *called |= s.run.has_record(),
                Stmt::Begin(s) => s.value.walk(&mut |e| {
                    *called |= matches!(&e.kind, ExprKind::Companion { run, .. } if run.has_record());
                }),
                _ => {}
            }
            stmt.blocks().into_iter().for_each(|block| collect(block, found, called));
        }
    }
    let (mut found, mut called) = (BTreeSet::new(), false);
    std::iter::once(body).chain(kept).for_each(|block| collect(block, &mut found, &mut called));
    let record = fresh("record");
    let leased = (!run.has_record() && (called || !found.is_empty()))
        .then(|| quote!(let #record = &mut *__private::Lease::new();));
    let names = found.into_iter().map(|number| numbered("slot", number));
    quote!(#leased #(let #names = __private::Slot::new();)*)
}

fn method(keeps: bool, slot: Slot) -> TokenStream {
    match (keeps, slot.form) {
        (true, Form::Whole) => quote!(keep),
        (true, Form::Shape) => quote!(keep_shape),
        (false, Form::Whole) => quote!(recall),
        (false, Form::Shape) => quote!(recall_shape),
    }
}

impl Emitter<'_> {
    pub(super) fn keep(&self, place: &Place, slot: Slot) -> TokenStream {
        let (slot_name, record, method) = (numbered("slot", slot.number), fresh("record"), method(true, slot));
        let value = self.writer.place(place);
        quote_spanned!(place.span.first=> #slot_name.#method(#record, &#value);)
    }

    pub(super) fn restore(&self, s: &Keep) -> TokenStream {
        let (slot, record, method) = (numbered("slot", s.slot.number), fresh("record"), method(false, s.slot));
        let (place, at) = (self.writer.place(&s.place), s.place.span.first);
        match &s.local {
            Some(_) => quote_spanned!(at=> let mut #place = #slot.#method(#record);),
            None => quote_spanned!(at=> #place = #slot.#method(#record);),
        }
    }

    pub(super) fn assign(&self, s: &Assign) -> TokenStream {
        let pure = self.pure(s.target.indices().chain([&s.value]));
        let keep = s.kept.map(|slot| self.keep(&s.target, slot));
        let (target, value) = (self.writer.place(&s.target), self.writer.expr(&s.value));
        quote_spanned!(s.span.first=> #pure #keep #target = #value;)
    }

    pub(super) fn loop_stmt(&self, s: &Loop) -> TokenStream {
        let pure = self.pure(s.condition.as_ref());
        let (body, label) = (self.block(&s.body), print::label(s.number, &s.body));
        let count = s.count.map(|count| self.writer.var(count, s.span.first)).map(|count: Ident| quote!(#count += 1;));
        let until = s.until.as_ref().map(|e| self.writer.expr(e)).map(|e| quote!(if #e { break; }));
        match s.condition.as_ref().map(|e| self.writer.head(e)) {
            Some(condition) => quote_spanned!(s.span.first=> #pure #label while #condition { #body #count #until }),
            None => quote_spanned!(s.span.first=> #label loop { #body #count #until }),
        }
    }
}
