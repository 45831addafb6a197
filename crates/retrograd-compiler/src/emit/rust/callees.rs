//! The functions that a program calls, as types that have companions.
//!
//! ```text
//! type __callee_0_of_f = Checked<(), { ordinary("`vectors::norm` is an ordinary function, ..") }>;
//!
//! fn __pullback(..) {
//!     use vectors::norm as __callee_0_of_f;
//!     .. <__callee_0_of_f>::__pullback(..) ..
//! }
//! ```
//!
//! The import brings what has the name: the struct with the companions, and the function. An ordinary function has no such struct, and
//! so the type is the one outside. It is a constant that does not compile, which rustc looks at only here: it says why, once.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;

use super::paths::apart;
use crate::ir::Path;
use crate::span::{mixed_site, resolved_at};

/// What a program needs a companion for.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    /// A derivative flows through an operand.
    Derivative,
    /// A call statement is undone.
    Undoing,
    /// `y = g(y)` is undone.
    Bijection,
}

/// The functions that a program calls by their paths.
pub(crate) struct Callees {
    program: Ident,
    all: RefCell<Vec<(Path, Purpose)>>,
    numbers: RefCell<HashMap<String, usize>>,
    /// Which of them the body that is written now has called.
    current: RefCell<BTreeSet<usize>>,
}

impl Callees {
    pub(crate) fn of(program: &Ident) -> Callees {
        let (all, numbers, current) = (RefCell::default(), RefCell::default(), RefCell::default());
        Callees { program: program.clone(), all, numbers, current }
    }

    /// The path, without its generic arguments, as a type that has companions.
    pub(crate) fn holder(&self, path: &Path, purpose: Purpose) -> TokenStream {
        let (path, _) = apart(&Path { companion: None, ..path.clone() });
        if !is_importable(&path) {
            return path.into_token_stream();
        }
        let number = *self.numbers.borrow_mut().entry(written(&path)).or_insert_with(|| {
            let mut all = self.all.borrow_mut();
            all.push((path.clone(), purpose));
            all.len() - 1
        });
        self.current.borrow_mut().insert(number);
        self.name(number, &path).into_token_stream()
    }

    /// The imports of the body that was just written.
    pub(crate) fn imports(&self) -> TokenStream {
        let all = self.all.borrow();
        let imports = self.current.take().into_iter().map(|number| {
            let path = &all[number].0;
            let name = self.name(number, path);
            // In the namespace of values nothing uses it.
            quote!(#[allow(unused_imports)] use #path as #name;)
        });
        imports.collect()
    }

    /// What stands in the place of functions that have no companions, outside of all bodies.
    pub(crate) fn ordinary(&self, attrs: &[syn::Attribute]) -> TokenStream {
        let cfg: Vec<_> = attrs.iter().filter(|a| a.path().is_ident("cfg")).collect();
        let all = self.all.borrow();
        let types = all.iter().enumerate().map(|(number, (path, purpose))| {
            let (name, message) = (self.name(number, path), purpose.message(path));
            let said = quote_spanned!(path.segments[0].name.span()=> ::retrograd::private::ordinary(#message));
            // Every import hides it that finds companions, and no type is called so.
            quote! {
                #(#cfg)*
                #[doc(hidden)]
                #[allow(dead_code, non_camel_case_types)]
                type #name = ::retrograd::private::Checked<(), { #said }>;
            }
        });
        types.collect()
    }

    /// At the call, but not a part of what the user wrote: rustc proposes no changes of it.
    fn name(&self, number: usize, path: &Path) -> Ident {
        let at = resolved_at(path.segments[0].name.span(), mixed_site());
        format_ident!("__callee_{number}_of_{}", self.program, span = at)
    }
}

impl Purpose {
    fn message(self, path: &Path) -> String {
        let name = written(path);
        match self {
            Purpose::Derivative => format!(
                "`{name}` is an ordinary function, and a derivative would have to flow through it: put `#[reversible]` on it, or \
                 `#[primitive(d_x = ..)]` with its derivative; or keep the derivative out, with `#[constant] let t = {name}(..);`"
            ),
            Purpose::Undoing => format!(
                "`{name}` is an ordinary function, and a call of it cannot be undone: put `#[reversible]` on it; or, if nothing has \
                 to be undone, `#[host]` on the call"
            ),
            Purpose::Bijection => format!(
                "`{name}` is an ordinary function, and `y = {name}(y)` cannot be undone: put `#[bijection(inverse = ..)]` on it"
            ),
        }
    }
}

/// The names of a path, as the user wrote them.
fn written(path: &Path) -> String {
    let names: Vec<String> = path.segments.iter().map(|segment| segment.name.to_string()).collect();
    let global = if path.global { "::" } else { "" };
    format!("{global}{}", names.join("::"))
}

/// The method that stands between a receiver and the derivative runs of a method: of one that has none rustc says, whichever run is
/// called, that there is no method of this name. It is silent about what is called behind it.
pub(super) fn with_runs(method: &Ident) -> Ident {
    Ident::new(&format!("__{}_with_reversible_on_its_impl", method.unraw()), method.span())
}

/// Whether `use` takes the path: it leads through modules. A name alone would be ambiguous to it where a `#[reversible]` function
/// hides another one of a glob import or of the module around it; and what the library itself names has companions.
fn is_importable(path: &Path) -> bool {
    let through_modules = path.of.is_none() && path.segments.iter().all(|segment| segment.arguments.is_none());
    let of_the_library = path.global && path.segments[0].name == "retrograd";
    through_modules && path.segments.len() > 1 && !of_the_library
}
