//! Runs of a kernel for all indices, one after the other.
//!
//! `f::over(n, ..)` is `for i in 0..n { f(i, ..); }`, and each other run is that of this loop. No run reads what another one changes, so that
//! their order makes no difference to values; adjoints of what they share are added up in the order of the loop.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::companions::{companion_lints, copied_attributes};
use super::derivatives::Companions;
use super::pairs::Names;
use crate::hygiene::fresh;
use crate::ir::Run;

/// The name of the companion that runs a kernel for all indices.
pub(super) fn over_name(once: &Ident) -> Ident {
    format_ident!("{once}_over", span = once.span())
}

impl Companions<'_> {
    /// The runs on values for all indices, of a kernel: `f::over` and `f::uncall_over`.
    pub(super) fn over_values(&self) -> TokenStream {
        let name = &self.signature.name;
        if self.signature.index().is_none() {
            return TokenStream::new();
        }
        let (vis, copied, lints) = (self.vis, copied_attributes(self.attrs), companion_lints());
        // The program may be called like one of its parameters.
        let names = match self.parameters().iter().any(|parameter| parameter.name == *name) {
            true => Names::Own,
            false => Names::Written,
        };
        let inputs = self.parameters().iter().map(|parameter| match parameter.index {
            true => self.count(),
            false => {
                let (name, typed) = (parameter.named(names), parameter.typed());
                quote!(#name: #typed)
            }
        });
        let inputs: Vec<TokenStream> = inputs.collect();
        let (generics, _, clause) = self.signature.syntax.generics.split_for_impl();
        let uncall = self.name(Run::Values, true, true);
        let runs = [
            (format_ident!("over", span = name.span()), quote!(#name), false, name.to_string()),
            (over_name(&uncall), quote!(Self::#uncall), true, format!("{name}::{uncall}")),
        ];
        let mut tokens = TokenStream::new();
        for (over, callee, backwards, once) in runs {
            let given = self.parameters().iter().map(|parameter| match parameter.index {
                true => parameter.handed_on(Names::Written),
                false => parameter.handed_on(names),
            });
            let (run, doc) = (self.each(backwards, &quote!(#callee(#(#given),*))), each_doc(&once, backwards));
            tokens.extend(
                quote!(#[doc = #doc] #(#copied)* #lints #vis fn #over #generics (#(#inputs),*) #clause { #run }),
            );
        }
        tokens
    }

    /// The parameter that says how many runs there are.
    pub(super) fn count(&self) -> TokenStream {
        let count = fresh("n");
        quote!(#count: usize)
    }

    /// A run for each index, in order or the other way round.
    pub(super) fn each(&self, backwards: bool, run: &TokenStream) -> TokenStream {
        let (Some(index), count) = (self.signature.index(), fresh("n")) else { return run.clone() };
        let (name, reversed) = (&index.name, backwards.then(|| quote!(.rev())));
        quote!(for #name in (0..#count)#reversed { #run; })
    }
}

/// What the run for all indices says of itself.
pub(super) fn each_doc(once: &str, backwards: bool) -> String {
    let order = if backwards { "from the last to the first" } else { "in order" };
    format!("Runs `{once}` for each index in `0..n`, {order}.")
}
