//! Loops over ranges and elements.

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

use super::body::Emitter;
use crate::hygiene::fresh;
use crate::ir::{Adapter, Checks, For, Iter, Source, Used};
use crate::print;

impl Emitter<'_> {
    pub(super) fn for_loop(&self, s: &For) -> TokenStream {
        let heads = crate::analysis::effects::head_reads(&s.iter);
        let (pure, ordered) = (self.pure_reads(heads), self.goes_in_order(s));
        let pure = quote!(#pure #ordered);
        let (pattern, iter, body) = (self.writer.pattern(&s.pattern), self.iter(&s.iter, false), self.block(&s.body));
        if let Some(plan) = s.part {
            let plan = self.writer.var(plan, s.span.first);
            let early = s.early.as_ref().map(|early| {
                let (until, run) = (self.writer.expr(&early.until), self.writer.var(early.left, s.span.first));
                quote!(#run += 1; if #until { #plan.end(); break; })
            });
            return quote_spanned!(s.span.first=> for #pattern in #plan.part(#iter) { #body #early });
        }
        if let Some(early) = &s.early {
            let (rest, until) = (fresh("rest"), self.writer.expr(&early.until));
            let left = self.writer.var(early.left, s.span.first);
            return quote_spanned! {s.span.first=>
                let mut #rest = ::core::iter::IntoIterator::into_iter(#iter);
                while let ::core::option::Option::Some(#pattern) = #rest.next() {
                    #body
                    if #until { break; }
                }
                #left += ::core::iter::Iterator::count(#rest);
            };
        }
        let label = s.number.and_then(|number| print::label(number, &s.body));
        let plain = quote_spanned!(s.span.first=> #label for #pattern in #iter { #body });
        // Builds with samples have no window: both would have the record.
        let checks = if Used::by_block(&s.body).sampled { self.program.checks } else { Checks::Never };
        let windowed = if checks == Checks::Always { None } else { self.windowed(s) };
        match windowed {
            None => quote!(#pure #plain),
            Some(windowed) if checks == Checks::Never => quote!(#pure #windowed),
            Some(windowed) => quote! {
                #pure
                #[cfg(debug_assertions)]
                { #plain }
                #[cfg(not(debug_assertions))]
                { #windowed }
            },
        }
    }

    /// What a loop goes through. `reversed`: something outside takes it from its end.
    pub(super) fn iter(&self, iter: &Iter, reversed: bool) -> TokenStream {
        let (w, at) = (self.writer, iter.span.first);
        let steps = !reversed && iter.adapters.iter().all(|a| matches!(a, Adapter::Rev | Adapter::StepBy(_)));
        let only_reversed = !reversed && iter.adapters.iter().all(|a| matches!(a, Adapter::Rev));
        let reversed = reversed || iter.adapters.iter().any(|a| matches!(a, Adapter::Rev));
        let bare = || print::iter(w, &Iter { adapters: Vec::new(), ..iter.clone() });
        let source = match &iter.source {
            Source::Range { .. } if iter.adapters.is_empty() && !reversed => bare(),
            // Steps and counts from the other end: the standard library has these for few integer types, we for all.
            Source::Range { .. } if reversed && !only_reversed => {
                let range = bare();
                let progression = quote_spanned!(at=> __private::progression(#range));
                match steps {
                    true => progression,
                    false => quote_spanned!(at=> ::core::iter::IntoIterator::into_iter(#progression)),
                }
            }
            Source::Range { .. } => {
                let range = bare();
                quote_spanned!(at=> (#range))
            }
            // A range is not `Copy`: the loop goes through a copy of it, and so does the way back.
            Source::Value(e) => {
                let e = w.expr(e);
                let copy = quote_spanned!(at=> ::core::clone::Clone::clone(&#e));
                match reversed && !only_reversed {
                    // Which of the two `elements` a loop uses depends on the type.
                    true => quote_spanned!(at=> {
                        #[allow(unused_imports)]
                        use __private::AnyElements as _;
                        __private::FromEitherEnd(#copy).elements()
                    }),
                    false => quote_spanned!(at=> ::core::iter::IntoIterator::into_iter(#copy)),
                }
            }
            Source::Elements(_)
            | Source::ElementsMut(_)
            | Source::Chunks(..)
            | Source::ChunksMut(..)
            | Source::Windows(..) => bare(),
        };
        iter.adapters.iter().fold(source, |source, adapter| match adapter {
            Adapter::Rev => quote_spanned!(at=> #source.rev()),
            Adapter::StepBy(step) => {
                let step = w.expr(step);
                quote_spanned!(at=> #source.step_by(#step))
            }
            Adapter::Skip(count) => {
                let count = w.expr(count);
                quote_spanned!(at=> #source.skip(#count))
            }
            Adapter::Enumerate => quote_spanned!(at=> #source.enumerate()),
            Adapter::Zip(other) => {
                let other = self.iter(other, reversed);
                quote_spanned!(at=> #source.zip(#other))
            }
            Adapter::Copied(step) => {
                let name = Ident::new(step.name(), at);
                quote_spanned!(at=> #source.#name())
            }
        })
    }
}
