//! Loops over active elements as loops over their indices: the shadows of the elements have the same indices.

use std::rc::Rc;

use super::patterns::spelled_out;
use super::{Alias, Shadows, cloned, let_register};
use crate::analysis::index::may_be_range;
use crate::ir::{
    Adapter, BinaryOp, Binding, BindingKind, Expr, ExprKind, For, Iter, Iteration, Pattern, PatternKind, Place,
    Projection, Source, Stmt, VarKind,
};

/// What one iteration of a loop gets, as a function of its number.
enum Item {
    /// The number of the turn itself, or an element of a range.
    Index(Expr),
    /// An element of a place: by reference, by `&mut`, or by value.
    Element(Place, Form),
    Pair(Box<Item>, Box<Item>),
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Shared,
    Changed,
    Copied,
    Cloned,
}

/// The parts of a slice that a loop goes through.
enum Cut<'e> {
    /// One element after the other.
    Elements,
    /// So many at a time.
    Chunks(&'e Expr),
    /// So many neighbours at a time.
    Windows(&'e Expr),
}

/// A loop over indices.
pub(crate) struct Indexed {
    /// The number of iterations, in a register.
    pub(crate) before: Vec<Stmt>,
    /// The loop, with the beginnings of the names that each iteration gets.
    pub(crate) iter: Iter,
    /// The number of the iteration.
    pub(crate) pattern: Pattern,
    /// What begins in each iteration: names for elements, and views of their shadows.
    pub(crate) names: Vec<Stmt>,
}

impl Shadows<'_> {
    /// The loop over indices, where the loop goes through something active.
    pub(crate) fn indexed(&mut self, s: &For) -> Option<Indexed> {
        if !self.goes_through_active(&s.iter) {
            return None;
        }
        let span = s.iter.span;
        let name = format!("turn_{}", self.vars.len());
        let turn = self.declare(&name, VarKind::Register, span);
        let mut before = Vec::new();
        // The outermost reversals decide the order of the turns; the elements have indices from the front.
        let (count, item) = self.item(&s.iter, Expr::var(turn, span), &mut before)?;
        let mut names = Vec::new();
        self.names(&s.pattern, &item, &mut names);
        let start = Expr::integer(0, span);
        let source = Source::Range { start, end: count, inclusive: false };
        let iter = Iter { source, adapters: Vec::new(), span };
        Some(Indexed { before, iter, pattern: Pattern::bind(turn, span), names })
    }

    fn goes_through_active(&self, iter: &Iter) -> bool {
        let source = match &iter.source {
            Source::Range { .. } => false,
            Source::Value(e) | Source::Elements(e) | Source::Chunks(e, _) | Source::Windows(e, _) => self.active(e),
            Source::ElementsMut(place) | Source::ChunksMut(place, _) => self.is_active(place.root),
        };
        source
            || iter.adapters.iter().any(|adapter| match adapter {
                Adapter::Zip(other) => self.goes_through_active(other),
                Adapter::Rev | Adapter::StepBy(_) | Adapter::Enumerate | Adapter::Copied(_) | Adapter::Skip(_) => false,
            })
    }

    /// How many elements there are, and the one with the given number.
    fn item(&mut self, iter: &Iter, index: Expr, before: &mut Vec<Stmt>) -> Option<(Expr, Item)> {
        self.adapted(iter, iter.adapters.len(), index, before)
    }

    fn adapted(&mut self, iter: &Iter, depth: usize, index: Expr, before: &mut Vec<Stmt>) -> Option<(Expr, Item)> {
        let span = iter.span;
        let Some(last) = depth.checked_sub(1) else { return self.source(iter, index, before) };
        match &iter.adapters[last] {
            Adapter::Rev => {
                // The count is found first, the index depends on it.
                let count = self.count(iter, last, before)?;
                let index =
                    Expr::binary(BinaryOp::Sub, Expr::binary(BinaryOp::Sub, count, Expr::integer(1, span)), index);
                self.adapted(iter, last, index, before)
            }
            Adapter::StepBy(step) => {
                let index = Expr::binary(BinaryOp::Mul, index, step.clone());
                let (count, item) = self.adapted(iter, last, index, before)?;
                let rounded = Expr::method(count, "div_ceil", vec![step.clone()]);
                Some((self.counted(rounded, before), item))
            }
            Adapter::Enumerate => {
                let (count, item) = self.adapted(iter, last, index.clone(), before)?;
                Some((count, Item::Pair(Box::new(Item::Index(index)), Box::new(item))))
            }
            Adapter::Zip(other) => {
                let (count, item) = self.adapted(iter, last, index.clone(), before)?;
                let (others, second) = self.item(other, index, before)?;
                let least = Expr::method(count, "min", vec![others]);
                Some((self.counted(least, before), Item::Pair(Box::new(item), Box::new(second))))
            }
            Adapter::Skip(skipped) => {
                let index = Expr::binary(BinaryOp::Add, index, skipped.clone());
                let (count, item) = self.adapted(iter, last, index, before)?;
                let left = Expr::method(count, "saturating_sub", vec![skipped.clone()]);
                Some((self.counted(left, before), item))
            }
            Adapter::Copied(how) => {
                let form = if *how == Iteration::Cloned { Form::Cloned } else { Form::Copied };
                let (count, item) = self.adapted(iter, last, index, before)?;
                let item = match item {
                    Item::Element(place, _) => Item::Element(place, form),
                    other => other,
                };
                Some((count, item))
            }
        }
    }

    /// How many elements the first adapters give.
    fn count(&mut self, iter: &Iter, depth: usize, before: &mut Vec<Stmt>) -> Option<Expr> {
        Some(self.adapted(iter, depth, Expr::integer(0, iter.span), before)?.0)
    }

    fn source(&mut self, iter: &Iter, index: Expr, before: &mut Vec<Stmt>) -> Option<(Expr, Item)> {
        let span = iter.span;
        let (place, cut, form) = match &iter.source {
            Source::Range { start, end, inclusive } => {
                let (first, end) = (Some(Rc::new(start.clone())), Some(Rc::new(end.clone())));
                let range = Expr::new(ExprKind::Range { start: first, end, inclusive: *inclusive }, span);
                let count = Expr::method(range.clone(), "count", Vec::new());
                let element = Expr::method(Expr::method(range, "nth", vec![index]), "unwrap", Vec::new());
                return Some((self.counted(count, before), Item::Index(element)));
            }
            // No derivative flows through a range.
            Source::Value(e) if may_be_range(&self.vars, e) && !self.active(e) => {
                let copy = cloned(e.clone());
                let count = Expr::method(copy.clone(), "count", Vec::new());
                let element = Expr::method(Expr::method(copy, "nth", vec![index]), "unwrap", Vec::new());
                return Some((self.counted(count, before), Item::Index(element)));
            }
            // Whether a constant lends its elements or gives them away, rustc knows.
            Source::Value(e) if of(e).is_none() && !self.active(e) => {
                let source = self.named(e.clone(), before);
                let count = Expr::method(source.clone(), "len", Vec::new());
                let all = Expr::method(source, "into_iter", Vec::new());
                let element = Expr::method(Expr::method(all, "nth", vec![index]), "unwrap", Vec::new());
                return Some((self.counted(count, before), Item::Index(element)));
            }
            Source::Value(e) => {
                let reference = matches!(&e.kind, ExprKind::Var(var) if self.is_reference(*var));
                (of(e), Cut::Elements, if reference { Form::Shared } else { Form::Copied })
            }
            Source::Elements(e) => (self.lent(e, before), Cut::Elements, Form::Shared),
            Source::Chunks(e, size) => (self.lent(e, before), Cut::Chunks(size), Form::Shared),
            Source::Windows(e, size) => (self.lent(e, before), Cut::Windows(size), Form::Shared),
            Source::ElementsMut(place) => (Some(place.clone()), Cut::Elements, Form::Changed),
            Source::ChunksMut(place, size) => (Some(place.clone()), Cut::Chunks(size), Form::Changed),
        };
        let Some(place) = place else {
            self.missing(
                span,
                "no derivative goes through the elements of a value that has no name; begin it with a `let`",
            );
            return None;
        };
        let length = || Expr::method(place.to_expr(), "len", Vec::new());
        let part = |first, behind| {
            let (start, end) = (Some(Rc::new(first)), Some(Rc::new(behind)));
            Expr::new(ExprKind::Range { start, end, inclusive: false }, span)
        };
        let (count, index) = match cut {
            Cut::Elements => (length(), index),
            Cut::Chunks(size) => {
                let first = Expr::binary(BinaryOp::Mul, index.clone(), size.clone());
                let next = Expr::binary(
                    BinaryOp::Mul,
                    Expr::binary(BinaryOp::Add, index, Expr::integer(1, span)),
                    size.clone(),
                );
                (Expr::binary(BinaryOp::Div, length(), size.clone()), part(first, next))
            }
            Cut::Windows(size) => {
                let behind = Expr::binary(BinaryOp::Add, index.clone(), size.clone());
                (Expr::count_of_windows(&place.to_expr(), size, span), part(index, behind))
            }
        };
        let element = place.then(Projection::Index(index));
        Some((self.counted(count, before), Item::Element(element, form)))
    }

    /// The place that a loop goes through. What has no place, such as a constant of the module, gets a name if no derivative goes through it.
    fn lent(&mut self, e: &Expr, before: &mut Vec<Stmt>) -> Option<Place> {
        if of(e).is_some() || self.active(e) {
            return of(e);
        }
        let lent = Expr::borrow(e.clone(), e.span);
        self.named(lent, before).as_place()
    }

    /// A value that the whole loop uses, in a register.
    fn named(&mut self, value: Expr, before: &mut Vec<Stmt>) -> Expr {
        let (register, begin) = self.register("source", value);
        before.push(begin);
        register
    }

    fn counted(&mut self, count: Expr, before: &mut Vec<Stmt>) -> Expr {
        if let ExprKind::Var(_) = count.kind {
            return count;
        }
        let span = count.span;
        let name = format!("count_{}", self.vars.len());
        let var = self.declare(&name, VarKind::Register, span);
        before.push(let_register(Pattern::bind(var, span), count));
        Expr::var(var, span)
    }

    /// What begins in each turn.
    fn names(&mut self, pattern: &Pattern, item: &Item, names: &mut Vec<Stmt>) {
        let span = pattern.span;
        match (item, &pattern.kind) {
            (_, PatternKind::Wild) => {}
            (Item::Pair(a, b), PatternKind::Tuple(parts)) if spelled_out(parts, 2).len() == 2 => {
                let parts = spelled_out(parts, 2);
                self.names(&parts[0], a, names);
                self.names(&parts[1], b, names);
            }
            (Item::Pair(..), _) => {
                self.missing(span, "take the pair apart in the head of the loop, so that derivatives find their way");
            }
            (Item::Index(e), _) => {
                for var in pattern.bindings() {
                    self.vars[var.0].activity = crate::ir::Activity::Inactive;
                }
                names.push(Stmt::Begin(Binding {
                    kind: BindingKind::Let,
                    pattern: pattern.clone(),
                    ty: None,
                    value: e.clone(),
                    constant: false,
                    span,
                }));
            }
            (Item::Element(place, form), _) => {
                let read = place.to_expr();
                let (kind, value) = match form {
                    Form::Changed => (BindingKind::View, read),
                    Form::Copied => (BindingKind::Let, read),
                    Form::Cloned => (BindingKind::Let, cloned(read)),
                    Form::Shared => (BindingKind::Let, Expr::borrow(read, span)),
                };
                let binding = Binding { kind, pattern: pattern.clone(), ty: None, value, constant: false, span };
                let alias = match form {
                    Form::Changed => self.alias(&binding),
                    Form::Shared | Form::Copied | Form::Cloned if self.alias_pattern(pattern, place, true) => {
                        Alias::Name(None)
                    }
                    Form::Shared | Form::Copied | Form::Cloned => Alias::No,
                };
                names.push(Stmt::Begin(binding));
                match alias {
                    Alias::Name(shadow) => names.extend(shadow),
                    Alias::No => {
                        self.missing_pattern(pattern, "bind the element to one name");
                    }
                }
            }
        }
    }
}

/// The place that an expression reads, or refers to.
fn of(e: &Expr) -> Option<Place> {
    match &e.kind {
        ExprKind::Ref(inner) => inner.as_place(),
        _ => e.as_place(),
    }
}
