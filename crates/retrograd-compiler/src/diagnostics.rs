//! Errors are collected while a program is read and checked, and reported together.

use std::cell::RefCell;

use crate::span::Span;

/// Collects the errors of one program. It must be asked for them with [`Diagnostics::finish`].
///
/// ```
/// # use retrograd_compiler::diagnostics::Diagnostics;
/// let diagnostics = Diagnostics::default();
/// assert!(diagnostics.finish().is_ok());
/// ```
#[derive(Default)]
pub struct Diagnostics {
    errors: RefCell<Vec<syn::Error>>,
    once: RefCell<Vec<((u32, u32), String)>>,
    finished: std::cell::Cell<bool>,
}

impl Diagnostics {
    /// Reports what is wrong, why, and what to write, on the whole construct.
    pub fn error(&self, span: Span, message: impl Into<String>) {
        self.push(syn::Error::new_spanned(span.tokens(), message.into()));
    }

    /// Reports an error that several stages may find, once.
    pub fn error_once(&self, span: Span, message: impl Into<String>) {
        let (message, place) = (message.into(), span.line_column());
        let known = (place, message.clone());
        if !self.once.borrow().contains(&known) {
            self.once.borrow_mut().push(known);
            self.error(span, message);
        }
    }

    /// Reports an error and, at a second place, what it has to do with it.
    pub fn error_with(&self, span: Span, message: impl Into<String>, other: Span, remark: impl Into<String>) {
        self.error(span, message);
        self.error(other, remark);
    }

    /// Takes over an error that `syn` found.
    pub fn push(&self, error: syn::Error) {
        self.errors.borrow_mut().push(error);
    }

    /// Whether anything was reported so far.
    pub fn any(&self) -> bool {
        !self.errors.borrow().is_empty()
    }

    /// All errors at once, or `Ok` if there were none.
    pub fn finish(&self) -> syn::Result<()> {
        self.finished.set(true);
        let mut errors = self.errors.borrow_mut().drain(..).collect::<Vec<_>>().into_iter();
        match errors.next() {
            None => Ok(()),
            Some(mut all) => {
                errors.for_each(|error| all.combine(error));
                Err(all)
            }
        }
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(self.finished.get(), "errors were collected and never asked for");
        }
    }
}
