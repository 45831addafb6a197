//! Values that a `let`, the value of a function or a call of a procedure moves.
//!
//! The function itself moves them, as it is written. A companion may need a local again after it was moved, because it runs
//! backwards or reads the shape of the local: it moves a clone. Dead code may not name what is moved at all, unless it stands in front.

use std::cell::RefCell;
use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::body::Emitter;
use crate::analysis::types::of_place;
use crate::ir::{
    Binding, BindingKind, DUPLICATE, Expr, ExprKind, Match, Mode, Path, Place, Projection, To, Type, TypeKind, VarId,
    VarKind,
};

impl Emitter<'_> {
    /// The value of a local, with clones for what a companion may not move.
    pub(super) fn kept(&self, s: &Binding) -> Expr {
        if s.kind == BindingKind::View { s.value.clone() } else { self.not_moved(&s.value) }
    }

    /// A value with clones for what a companion may not move.
    pub(super) fn not_moved(&self, e: &Expr) -> Expr {
        if self.forward {
            return e.clone();
        }
        let copy = |e: &Expr| Expr::method(e.clone(), DUPLICATE, Vec::new());
        self.not_given(e).with_moved(&|e| self.is_moved(e).then(|| copy(e)))
    }

    /// A value that a statement uses, with clones for what it gives away.
    pub(super) fn not_given(&self, e: &Expr) -> Expr {
        let copy = |e: &Expr, to| self.is_given(e, to).then(|| Expr::method(e.clone(), DUPLICATE, Vec::new()));
        if self.forward { e.clone() } else { e.with_given(&copy) }
    }

    /// What a statement matches, with a clone if patterns take something out of it.
    pub(super) fn matched(&self, s: &Match) -> Expr {
        let takes = s.arms.iter().any(|arm| !arm.pattern.bindings().is_empty());
        match takes && !self.forward && self.is_given(&s.scrutinee, To::Pattern) {
            true => Expr::method(s.scrutinee.clone(), DUPLICATE, Vec::new()),
            false => self.not_given(&s.scrutinee),
        }
    }

    /// The variables that an expression gives away to the functions it calls, or to the names of patterns.
    pub(super) fn given(&self, e: &Expr) -> Vec<VarId> {
        let (given, own) = (RefCell::new(Vec::new()), e.binds());
        e.with_given(&|e, to| {
            let root = e.as_place().filter(|_| self.is_given(e, to))?.root;
            if !own.contains(&root) && !given.borrow().contains(&root) {
                given.borrow_mut().push(root);
            }
            None
        });
        given.into_inner()
    }

    /// Code in a closure that looks at all variables from outside: what the expression gives away is its own there.
    pub(super) fn enclosed(&self, e: &Expr, written: TokenStream) -> TokenStream {
        let given = self.given(e);
        if given.is_empty() {
            return written;
        }
        let names = given.into_iter().map(|var| self.writer.var(var, e.span.first));
        let own = names.map(|name| quote_spanned!(e.span.first=> let #name = __private::never_like(&#name);));
        quote!({ #(#own)* #written })
    }

    /// Whether an expression is a local or a field of one, and visibly not `Copy`. Others are passed on as they are: rustc says
    /// what it would move. A pattern takes parts out of a value, of whatever type it is, and the value is needed as a whole.
    fn is_given(&self, e: &Expr, to: To) -> bool {
        let Some(place) = e.as_place() else { return false };
        let visibly = match of_place(self.context.vars, &place) {
            Some(ty) => is_owner(ty),
            None => place.path.is_empty() && self.context.vars[place.root.0].vector,
        };
        (visibly || to == To::Pattern) && self.is_moved(e)
    }

    /// The same expression without what it moves, for dead code. What it binds itself is there in dead code too.
    pub(super) fn without_moves(&self, e: &Expr) -> Expr {
        let never = |e: &Expr| call(Path::of_runtime("never", e.span.first), Vec::new(), e);
        let own = e.binds();
        let is_own = |e: &Expr| e.as_place().is_some_and(|place| own.contains(&place.root));
        e.with_moved(&|e| (self.is_moved(e) && !is_own(e)).then(|| never(e)))
    }

    /// Whether an expression is made of nothing but places, and so is pure.
    pub(super) fn names_places(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Tuple(_) | ExprKind::Array(_) | ExprKind::Struct { .. } => {
                e.children().into_iter().all(|e| self.names_places(e))
            }
            _ => e.as_place().is_some_and(|place| place.indices().next().is_none()),
        }
    }

    /// The expression by its parts, without those that it moves; in one piece if it moves none.
    pub(super) fn unmoved<'e>(&self, e: &'e Expr) -> Vec<&'e Expr> {
        match &e.kind {
            _ if self.without_moves(e) == *e => vec![e],
            ExprKind::Tuple(_) | ExprKind::Array(_) | ExprKind::Struct { .. } => {
                e.children().into_iter().flat_map(|e| self.unmoved(e)).collect()
            }
            _ if self.is_moved(e) => Vec::new(),
            _ => vec![e],
        }
    }

    /// Whether an expression is a local or a field of one, and not visibly `Copy`.
    fn is_moved(&self, e: &Expr) -> bool {
        let Some(Place { root, path, .. }) = e.as_place() else { return false };
        let var = &self.context.vars[root.0];
        let owned = matches!(var.kind, VarKind::Ancilla | VarKind::Let | VarKind::Bound | VarKind::Param(Mode::Value));
        let copied = path.is_empty() && var.ty.as_ref().is_some_and(|ty| self.program.numbers.is_copied(ty));
        owned && !copied && path.iter().all(|step| matches!(step, Projection::Field(_)))
    }
}

/// Whether the values of a type own memory, as far as its name says.
fn is_owner(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Named { name, arguments, .. } => match name.to_string().as_str() {
            "Option" => arguments.iter().any(is_owner),
            // A type of the user's own may have such a name, and other arguments.
            "Vec" | "Box" => !arguments.is_empty(),
            name => name == "String",
        },
        TypeKind::Array { of, .. } => is_owner(of),
        TypeKind::Tuple(all) => all.iter().any(is_owner),
        TypeKind::Reference { .. } | TypeKind::Slice(_) | TypeKind::Other => false,
    }
}

fn call(callee: Path, args: Vec<Expr>, e: &Expr) -> Expr {
    let callee = Rc::new(Expr::new(ExprKind::Path(callee), e.span));
    Expr::new(ExprKind::Call { callee, args }, e.span)
}
