//! What an expression may not do, and what to say about it.

use syn::Expr as Syn;

use super::Parser;
use super::ordinary::Locals;
use super::overwrite::bare;
use crate::ir::Records;
use crate::span::Span;

impl Parser<'_> {
    /// Rule 4: there is one way in and one way out.
    pub(super) fn early_exit<R>(&mut self, e: &Syn, span: Span) -> Option<R> {
        let (what, hint) = match e {
            Syn::Try(_) => (
                "?",
                "match on the value with `match` or `if let` and handle both cases, or, in a program with `#[reversible(record)]`, say \
                 what is returned: `let Some(x) = v else { return e; };`",
            ),
            Syn::Return(_) => (
                "return",
                "put the statements after it into the `else` branch of an `if`; the value of a function is its last \
                 expression; or keep the way out, with `#[reversible(record)]` on the function",
            ),
            Syn::Break(_) => (
                "break",
                "say when the loop goes on in its head, `while (pre, post) { .. }`, or keep the way out, with `#[record]` on the loop",
            ),
            _ => (
                "continue",
                "put the rest of the iteration into an `if`, or keep the way out, with `#[record]` on the loop",
            ),
        };
        self.error(span, format!("`{what}` exits early, so the inverse cannot tell where to re-enter; {hint}"));
        None
    }

    /// Attributes inside a statement would be lost: `#[cfg]` above all.
    pub(super) fn no_attributes(&mut self, attributes: &[syn::Attribute]) {
        for attribute in attributes.iter().filter(|a| !a.path().is_ident("doc") && !a.path().is_ident("allow")) {
            self.error(
                Span::of(attribute),
                "an attribute inside a statement would be lost in the derived programs; attributes go on whole statements, and \
                 `#[cfg]` on whole functions",
            );
        }
    }

    pub(super) fn unsupported<R>(&mut self, span: Span, what: &str) -> Option<R> {
        self.error(span, format!("{what} cannot be run backwards; compute it outside, or in a function of your own"));
        None
    }

    pub(super) fn unseen<R>(&mut self, span: Span) -> Option<R> {
        self.error(
            span,
            "the compiler cannot see what `unsafe` code changes, and could not undo it; put it into a function of its own, with \
             `#[primitive(d_x = ..)]` on it if a derivative flows through, and call that",
        );
        None
    }

    pub(super) fn suspended<R>(&mut self, span: Span) -> Option<R> {
        self.error(
            span,
            "asynchronous code may be left and taken up again while others run, and a reversible program runs from its first \
             statement to its last; await outside, and pass the value as an argument",
        );
        None
    }

    pub(super) fn changes<R>(&mut self, span: Span, what: &str) -> Option<R> {
        let hint = match self.records {
            Records::Nothing => {
                "make it a statement of its own that has an inverse, such as `y += e;`, `swap(&mut a, &mut b);` or `stack.pop(&mut x);`"
            }
            Records::Lossy | Records::All => {
                "make it a statement of its own, and give what it takes out a name: `let last = v.pop().unwrap();`"
            }
        };
        self.error(
            span,
            format!("{what} would change something while a value is computed, and could not be undone; {hint}"),
        );
        None
    }
}

/// Whether a method is known to change a place of the program.
pub(super) fn changes_its_receiver(call: &syn::ExprMethodCall, locals: &dyn Locals) -> bool {
    // The one of iterators has an argument, and changes a temporary.
    let name = match bare(&call.receiver) {
        Syn::Path(path) => path.path.get_ident(),
        _ => None,
    };
    let takes = call.method == "take" && call.args.is_empty() && !name.is_some_and(|name| locals.is_no_option(name));
    (takes || CHANGING_METHODS.contains(&call.method.to_string().as_str())) && is_place(&call.receiver)
}

/// Whether a method reaches a place of the program, and not a temporary.
fn is_place(e: &Syn) -> bool {
    match e {
        Syn::Path(_) => true,
        Syn::Field(e) => is_place(&e.base),
        Syn::Index(e) => is_place(&e.expr),
        Syn::Paren(e) => is_place(&e.expr),
        Syn::Unary(e) => is_place(&e.expr),
        _ => false,
    }
}

/// Methods of the standard library that change their receiver. rustc finds the others by `private::pure`; for these the
/// message can say more, and behind `Cell`, atomics and locks only the names can be seen.
const CHANGING_METHODS: &[&str] = &[
    "pop",
    "push",
    "push_str",
    "pop_front",
    "pop_back",
    "push_front",
    "push_back",
    "insert",
    "remove",
    "swap_remove",
    "clear",
    "drain",
    "truncate",
    "append",
    "extend",
    "extend_from_slice",
    "retain",
    "dedup",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "iter_mut",
    "get_mut",
    "borrow_mut",
    "as_mut",
    "as_mut_slice",
    "fetch_add",
    "fetch_sub",
    "get_or_insert_with",
    "copy_from_slice",
    "clone_from_slice",
    "resize",
    "fill",
    "split_at_mut",
    "chunks_exact_mut",
    "chunks_mut",
    "first_mut",
    "last_mut",
    "set",
    "store",
    "lock",
    "try_lock",
    "fetch_and",
    "fetch_or",
    "fetch_xor",
    "fetch_max",
    "fetch_min",
    "fetch_update",
    "compare_exchange",
    "compare_exchange_weak",
    "send",
    "recv",
    "next",
    "next_back",
    "nth",
    "add_assign",
    "sub_assign",
    "mul_assign",
    "div_assign",
];
