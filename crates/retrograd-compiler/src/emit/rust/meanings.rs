//! Dead code by which rustc checks that methods, operators and functions mean what their names say, where a derivative goes by the name:
//! a type of the user's own may have its own `iter`, `sum` or `+`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::body::Emitter;
use super::operators::Binding;
use super::out::Tokens;
use super::tokens::Writer;
use crate::analysis::activity::active;
use crate::analysis::index::may_be_range;
use crate::analysis::types::of_place;
use crate::derivative::{elements, sums};
use crate::hygiene::fresh;
use crate::ir::{
    Adapter, BinaryOp, DUPLICATE, Expr, ExprKind, For, Iter, Known, Method, Path, Source, Type, TypeKind, VarKind,
};
use crate::signature::numbers::is_primitive;

impl Emitter<'_> {
    /// What is asked of the containers that a loop goes through.
    pub(super) fn goes_in_order(&self, s: &For) -> TokenStream {
        let w = self.checking();
        if !self.purity.get() || !w.asks || !w.goes_through_active(&s.iter) {
            return TokenStream::new();
        }
        let mut asked = Vec::new();
        w.ask_of_sources(&s.iter, true, &mut asked);
        if asked.is_empty() { TokenStream::new() } else { quote!(if false { #(#asked)* }) }
    }
}

impl Writer<'_> {
    /// An expression, with what is asked about the names in it; `None` if that is nothing but what is asked about its parts.
    pub(super) fn asked(&self, e: &Expr) -> Option<TokenStream> {
        let (asked, constructor) = (self.asked_of_names(e), self.constructor(e));
        if boxes(e) && active(self.vars, e) {
            let mut written = Tokens::default();
            self.write_bare(e, &mut written);
            let written = written.finish();
            return Some(quote_spanned!(e.span.first=> __private::boxed(#written)));
        }
        if asked.is_empty() && constructor.is_none() {
            return None;
        }
        let mut written = Tokens::default();
        self.write_bare(e, &mut written);
        let written = written.finish();
        Some(match constructor {
            // A pattern may be made of it, which no function allows.
            Some(path) => {
                let made = fresh("made");
                quote_spanned!(e.span.first=> ({
                    let #made = #written;
                    match &#made { #path(..) => {} #[allow(unreachable_patterns)] _ => {} }
                    #made
                }))
            }
            None => quote!(({ #(#asked)* #written })),
        })
    }

    /// What is asked about the names in an expression, leaving out those inside it.
    fn asked_of_names(&self, e: &Expr) -> Vec<TokenStream> {
        let mut asked = Vec::new();
        let at = e.span.first;
        match &e.kind {
            ExprKind::Method { receiver, method, .. }
                if matches!(method.known, Some(Known::Sum | Known::Product | Known::Collect))
                    && active(self.vars, e) =>
            {
                if let Some(iter) = sums::gone_through(receiver).filter(|_| !receiver.is_place()) {
                    self.ask_of_sources(&iter, false, &mut asked);
                }
                if method.known == Some(Known::Sum) && !receiver.is_iterator() {
                    let receiver = self.at_least(receiver, Binding::Prefix);
                    asked.push(quote_spanned!(at=> __private::totals(&#receiver);));
                }
            }
            ExprKind::Method { receiver, .. } if e.is_copied_option() && active(self.vars, e) => {
                let receiver = self.at_least(receiver, Binding::Prefix);
                asked.push(quote_spanned!(at=> __private::refers(&#receiver);));
            }
            ExprKind::Method { receiver, method, .. }
                if method.known == Some(Known::Unwrap) && receiver.is_place() && active(self.vars, e) =>
            {
                let receiver = self.at_least(receiver, Binding::Prefix);
                asked.push(quote_spanned!(at=> __private::optional(&#receiver);));
            }
            // Its elements are reached by their indices.
            ExprKind::Method { receiver, method, .. }
                if method.name == "as_slice" && active(self.vars, e) && !self.is_slice(receiver) =>
            {
                let receiver = self.at_least(receiver, Binding::Prefix);
                asked.push(quote_spanned!(at=> __private::ordered(&#receiver);));
            }
            ExprKind::Call { callee, .. } if active(self.vars, e) => {
                if let Some((path, ..)) = elements::made_by_elements(e) {
                    let mut path = path.clone();
                    path.segments.iter_mut().for_each(|segment| segment.arguments = None);
                    let at = callee.span.first;
                    let generic = quote_spanned!(at=> ::<u8, 1, fn(usize) -> u8>);
                    asked.push(quote_spanned! {at=>
                        __private::makes_arrays(::core::array::from_fn #generic, #path #generic);
                    });
                }
            }
            _ => {}
        }
        asked
    }

    /// The path by which a call makes a struct or a variant, where a derivative flows: by its name it is no function.
    fn constructor<'e>(&self, e: &'e Expr) -> Option<&'e Path> {
        let ExprKind::Call { callee, .. } = &e.kind else { return None };
        let ExprKind::Path(path) = &callee.kind else { return None };
        (path.is_constructor() && path.of.is_none() && active(self.vars, e)).then_some(path)
    }

    /// The name of the function that asks about an inactive operand beside an active one.
    pub(super) fn asks_of_operand(
        &self,
        op: BinaryOp,
        operand: &Expr,
        other: &Expr,
        first: bool,
    ) -> Option<&'static str> {
        let name = operand.ty.as_ref().and_then(Type::as_name);
        let is_number = name.is_some_and(|name| is_primitive(name) || self.real == Some(name));
        if !self.asks || is_number || matches!(operand.kind, ExprKind::Lit(_)) {
            return None;
        }
        if active(self.vars, operand) || !active(self.vars, other) {
            return None;
        }
        match op {
            BinaryOp::Add | BinaryOp::Sub => Some("operand"),
            BinaryOp::Rem => Some("numeric"),
            // A factor and a divisor are asked about where they are used as partial derivatives.
            BinaryOp::Div if first => Some("numeric"),
            _ => None,
        }
    }

    /// Whether a clone has to be a copy, and is not seen to be one: that of a value whose derivative it passes on, and one that the program
    /// did not ask for.
    pub(super) fn has_to_copy(&self, receiver: &Expr, method: &Method) -> bool {
        if self.readable || method.known != Some(Known::Form) {
            return false;
        }
        let Some(place) = receiver.as_place() else { return false };
        let of_value = !matches!(self.vars[place.root.0].kind, VarKind::Shadow { .. }) && active(self.vars, receiver);
        let seen = || of_place(self.vars, &place).is_some_and(|ty| self.is_made_of_numbers(ty));
        method.name == DUPLICATE || self.derivative && of_value && !seen()
    }

    /// Whether a type is a number, or a sequence of such, as it is written.
    fn is_made_of_numbers(&self, ty: &Type) -> bool {
        match (ty.element(), ty.pointee().as_name()) {
            (Some(element), _) => self.is_made_of_numbers(element),
            (None, Some(name)) => is_primitive(name) || self.real == Some(name),
            (None, None) => false,
        }
    }

    /// Whether one of the things that a loop goes through is active; then the loop becomes one over indices, of all of them.
    fn goes_through_active(&self, iter: &Iter) -> bool {
        let source = match &iter.source {
            Source::Range { .. } => false,
            Source::Value(e) | Source::Elements(e) | Source::Chunks(e, _) | Source::Windows(e, _) => {
                active(self.vars, e)
            }
            Source::ElementsMut(place) | Source::ChunksMut(place, _) => active(self.vars, &place.to_expr()),
        };
        let others = iter.adapters.iter().filter_map(|a| if let Adapter::Zip(other) = a { Some(other) } else { None });
        source || others.into_iter().any(|other| self.goes_through_active(other))
    }

    /// `by_loop`: it stands in the head of a loop, which begins to iterate by itself.
    fn ask_of_sources(&self, iter: &Iter, by_loop: bool, asked: &mut Vec<TokenStream>) {
        let (container, begins) = match &iter.source {
            Source::Range { .. } => (None, true),
            Source::Value(e) if may_be_range(self.vars, e) && !active(self.vars, e) => (None, true),
            Source::Value(e) => (Some(e.clone()), by_loop),
            Source::Elements(e) | Source::Chunks(e, _) | Source::Windows(e, _) => (Some(e.clone()), true),
            Source::ElementsMut(place) | Source::ChunksMut(place, _) => (Some(place.to_expr()), true),
        };
        if let Some(container) = container.filter(|e| !(begins && self.is_slice(e))) {
            let at = container.span.first;
            let container = self.at_least(&container, Binding::Prefix);
            asked.push(match begins {
                true => quote_spanned!(at=> __private::ordered(&#container);),
                false => quote_spanned!(at=> __private::iterated(&#container);),
            });
        }
        for adapter in &iter.adapters {
            if let Adapter::Zip(other) = adapter {
                // What is zipped begins to iterate by itself.
                self.ask_of_sources(other, true, asked);
            }
        }
    }

    /// Whether an expression is a slice or an array, as its type is written.
    fn is_slice(&self, e: &Expr) -> bool {
        let is_slice = |ty: &Type| matches!(ty.pointee().kind, TypeKind::Slice(_) | TypeKind::Array { .. });
        e.as_place().is_some_and(|place| of_place(self.vars, &place).is_some_and(is_slice))
    }
}

/// `Box::new(e)`, as far as names tell.
fn boxes(e: &Expr) -> bool {
    let ExprKind::Call { callee, .. } = &e.kind else { return false };
    matches!(&callee.kind, ExprKind::Path(path) if path.boxes())
}
