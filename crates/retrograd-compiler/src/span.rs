//! Where a construct stands in the user's source.

use std::cell::RefCell;
use std::rc::Rc;

use proc_macro2::{Span as Token, TokenStream};
use quote::{ToTokens, quote_spanned};

/// What the spans of tokens mean that do not say it themselves: those of a macro stand for spans of rustc.
pub trait Spans {
    /// Where the names of generated code are at home.
    fn mixed_site(&self) -> Token;
    /// The first span, with the names that are visible at the second.
    fn resolved_at(&self, span: Token, names: Token) -> Token;
    /// Line and column, counted from one.
    fn line_column(&self, span: Token) -> (u32, u32);
    /// Which expansion of a macro the token comes from, as a number.
    fn context(&self, span: Token) -> u32;
}

thread_local! {
    static SPANS: RefCell<Option<Rc<dyn Spans>>> = const { RefCell::new(None) };
}

/// Runs something whose tokens have such spans.
pub fn with_spans<R>(spans: Rc<dyn Spans>, run: impl FnOnce() -> R) -> R {
    struct Restore(Option<Rc<dyn Spans>>);
    impl Drop for Restore {
        fn drop(&mut self) {
            SPANS.set(self.0.take());
        }
    }
    let _restore = Restore(SPANS.replace(Some(spans)));
    run()
}

/// Where the names of generated code are at home.
pub(crate) fn mixed_site() -> Token {
    SPANS.with_borrow(|spans| spans.as_ref().map_or_else(Token::mixed_site, |spans| spans.mixed_site()))
}

/// Which expansion of a macro the token comes from, as a number.
pub(crate) fn context(span: Token) -> u32 {
    SPANS.with_borrow(|spans| spans.as_ref().map_or(0, |spans| spans.context(span)))
}

/// The first span, with the names that are visible at the second.
pub(crate) fn resolved_at(span: Token, names: Token) -> Token {
    SPANS.with_borrow(|spans| match spans {
        Some(spans) => spans.resolved_at(span, names),
        None => span.resolved_at(names),
    })
}

/// The first and the last token of a construct, so that an error underlines all of it.
///
/// All spans are equal to each other: programs are compared by what they say, not by where they stand.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The span of the first token.
    pub first: Token,
    /// The span of the last token.
    pub last: Token,
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Span {
    /// The span of a piece of syntax, from its first token to its last.
    pub fn of(syntax: &impl ToTokens) -> Span {
        let mut first = None;
        let mut last = None;
        for token in syntax.to_token_stream() {
            last = Some(token.span());
            first = first.or(last);
        }
        let nowhere = Token::call_site();
        Span { first: first.unwrap_or(nowhere), last: last.unwrap_or(nowhere) }
    }

    /// The same of a block: it is one token.
    pub fn of_block(block: &syn::Block) -> Span {
        Span::token(block.brace_token.span.join())
    }

    /// The same of a statement. What is in the blocks of one is not looked at.
    pub fn of_stmt(stmt: &syn::Stmt) -> Span {
        Span::of_compound(stmt).unwrap_or_else(|| Span::of(stmt))
    }

    /// The same of a statement that is a loop, a branch or a block, and has neither attributes nor a label.
    pub fn of_compound(stmt: &syn::Stmt) -> Option<Span> {
        if let syn::Stmt::Expr(e, None) = stmt { compound(e) } else { None }
    }

    /// The span of one token.
    pub fn token(token: Token) -> Span {
        Span { first: token, last: token }
    }

    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: Span) -> Span {
        Span { first: self.first, last: other.last }
    }

    /// Whether both are the same tokens, and not only tokens that say the same.
    pub fn is_at(self, other: Span) -> bool {
        self.first.start() == other.first.start() && self.last.end() == other.last.end()
    }

    /// Line, counted from one, and column, counted from one, of the first token.
    pub fn line_column(self) -> (u32, u32) {
        SPANS.with_borrow(|spans| match spans {
            Some(spans) => spans.line_column(self.first),
            None => {
                let start = self.first.start();
                (start.line as u32, start.column as u32 + 1)
            }
        })
    }

    /// Two tokens that carry the ends of this span, for `syn::Error::new_spanned`.
    pub fn tokens(self) -> TokenStream {
        let first = quote_spanned!(self.first=> first);
        let last = quote_spanned!(self.last=> last);
        quote::quote!(#first #last)
    }
}

fn compound(e: &syn::Expr) -> Option<Span> {
    let (attributes, first, body) = match e {
        syn::Expr::Block(e) if e.label.is_none() => (&e.attrs, e.block.brace_token.span.join(), &e.block),
        syn::Expr::ForLoop(e) if e.label.is_none() => (&e.attrs, e.for_token.span, &e.body),
        syn::Expr::While(e) if e.label.is_none() => (&e.attrs, e.while_token.span, &e.body),
        syn::Expr::Loop(e) if e.label.is_none() => (&e.attrs, e.loop_token.span, &e.body),
        syn::Expr::If(e) if e.attrs.is_empty() => {
            let last = match &e.else_branch {
                Some((_, otherwise)) => compound(otherwise)?,
                None => Span::of_block(&e.then_branch),
            };
            return Some(Span::token(e.if_token.span).to(last));
        }
        _ => return None,
    };
    attributes.is_empty().then(|| Span::token(first).to(Span::of_block(body)))
}
