//! What the record takes and gives back.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::body::Emitter;
use crate::hygiene::{fresh, numbered};
use crate::ir::{Adapter, Assign, Block, For, Form, Keep, Loop, Place, Program, Slot, Stmt, Used};
use crate::print;

/// The slots of a body: one type for what goes in and what comes out.
pub(super) fn slots(program: &Program, kept: Option<&Block>) -> TokenStream {
    let mut used = Used::default();
    std::iter::once(&program.body).chain(kept).for_each(|block| used.inside(block));
    let names = used.slots.into_keys().map(|number| numbered("slot", number));
    quote!(#(let #names = __private::Slot::new();)*)
}

/// What is done with a slot. What is tried says so itself.
fn method(keeps: bool, slot: Slot) -> &'static str {
    match (keeps, slot.form) {
        (true, Form::Tried) => "keep_tried",
        (false, Form::Tried) => "recall_tried",
        (true, Form::Whole) => "keep",
        (true, Form::Shape) => "keep_shape",
        (true, Form::InPlace) => "keep_place",
        (false, Form::Whole) => "recall",
        (false, Form::Shape) => "recall_shape",
        (false, Form::InPlace) => "recall_place",
    }
}

impl Emitter<'_> {
    pub(super) fn keep(&self, place: &Place, slot: Slot) -> TokenStream {
        let (name, value) = (numbered("slot", slot.number), self.writer.place(place));
        let (method, window, record) = (method(true, slot), fresh("window"), fresh("record"));
        if slot.form == Form::Tried {
            let method = Ident::new(method, place.span.first);
            return quote_spanned!(place.span.first=> __private::#method!(#record, &#value););
        }
        let (method, into) = match self.windowed.get() {
            true => (format_ident!("{method}_in"), quote!(&mut #window)),
            false => (format_ident!("{method}"), quote!(#record)),
        };
        quote_spanned!(place.span.first=> #name.#method(#into, &#value);)
    }

    pub(super) fn restore(&self, s: &Keep) -> TokenStream {
        let (name, method) = (numbered("slot", s.slot.number), method(false, s.slot));
        let (window, record) = (fresh("window"), fresh("record"));
        let (method, from) = match self.windowed.get() {
            true => (format_ident!("{method}_from"), quote!(&mut #window)),
            false => (format_ident!("{method}"), quote!(#record)),
        };
        let (place, at) = (self.writer.place(&s.place), s.place.span.first);
        if s.slot.form == Form::Tried {
            return quote_spanned!(at=> __private::#method!(#from, &mut #place););
        }
        match (&s.local, s.slot.form) {
            (Some(_), _) => quote_spanned!(at=> let mut #place = #name.#method(#from);),
            (None, Form::InPlace | Form::Tried) => quote_spanned!(at=> #name.#method(#from, &mut #place);),
            (None, Form::Whole | Form::Shape) => quote_spanned!(at=> #place = #name.#method(#from);),
        }
    }

    /// A loop of which each iteration uses the same slots, once each: all iterations use one piece of the record.
    pub(super) fn windowed(&self, s: &For) -> Option<TokenStream> {
        let counted = s.early.is_none() && s.part.is_none() && !self.windowed.get();
        if !counted || !s.iter.adapters.iter().all(|adapter| matches!(adapter, Adapter::Rev)) {
            return None;
        }
        let used = Used::by_block(&s.body);
        let in_place = used.slots.values().any(|form| *form == Form::InPlace);
        let restores = s.body.any(&|stmt| matches!(stmt, Stmt::Restore(_)));
        if used.slots.is_empty() || used.called || used.deep || in_place || s.body.any(&keeps) && restores {
            return None;
        }
        let (sides, side) = match restores {
            true => (quote!(rests), quote!(Rest)),
            false => (quote!(rooms), quote!(Room)),
        };
        let widths = used.slots.into_iter().map(|(number, form)| {
            let name = numbered("slot", number);
            match form {
                Form::Whole | Form::InPlace | Form::Tried => quote!(#name.width()),
                Form::Shape => quote!(#name.width_of_shape()),
            }
        });
        self.windowed.set(true);
        let (pattern, iter, body) = (self.writer.pattern(&s.pattern), self.iter(&s.iter, false), self.block(&s.body));
        self.windowed.set(false);
        let (all, piece, spare) = (fresh("all"), fresh("piece"), fresh("spare"));
        let (window, record) = (fresh("window"), fresh("record"));
        Some(quote_spanned! {s.span.first=>
            let #all = ::core::iter::IntoIterator::into_iter(#iter);
            let (mut #spare, #all) = __private::#sides(#record, #all, [#(#widths),*]);
            for (#pattern, #piece) in #all {
                let mut #window = __private::#side::new(&mut #spare, #piece);
                #body
            }
        })
    }

    pub(super) fn assign(&self, s: &Assign) -> TokenStream {
        let pure = self.pure(s.target.indices());
        let keep = s.kept.map(|slot| self.keep(&s.target, slot));
        let (target, value) = (self.writer.place(&s.target), self.writer.expr(&self.not_moved(&s.value)));
        let (before, after) = self.pure_value(&s.target, &s.value);
        quote_spanned!(s.span.first=> #pure #before #keep #target = #value; #after)
    }

    pub(super) fn loop_stmt(&self, s: &Loop) -> TokenStream {
        let pure = self.pure(s.condition.as_ref());
        let (body, label) = (self.block(&s.body), print::label(s.number, &s.body));
        let count = s.count.map(|count| self.writer.var(count, s.span.first)).map(|count: Ident| quote!(#count += 1;));
        let until = s.until.as_ref().map(|e| self.writer.expr(e)).map(|e| quote!(if #e { break; }));
        if let Some(plan) = s.part.map(|plan| self.writer.var(plan, s.span.first)) {
            // The condition comes first: where it does not hold, no part follows.
            let condition = s.condition.as_ref().map(|e| self.writer.expr(e));
            let condition = condition.map(|e| quote!(if !(#e) { #plan.end(); break; }));
            let until = s.until.as_ref().map(|e| self.writer.expr(e)).map(|e| quote!(if #e { #plan.end(); break; }));
            return quote_spanned! {s.span.first=>
                #pure loop { #condition if !#plan.goes_on() { break; } #body #count #until }
            };
        }
        match s.condition.as_ref().map(|e| self.writer.head(e)) {
            Some(condition) => quote_spanned!(s.span.first=> #pure #label while #condition { #body #count #until }),
            None => quote_spanned!(s.span.first=> #label loop { #body #count #until }),
        }
    }
}

/// Whether a statement puts something into the record.
fn keeps(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Keep(_) => true,
        Stmt::Assign(s) => s.kept.is_some(),
        Stmt::Update(s) => s.kept.is_some(),
        _ => false,
    }
}
