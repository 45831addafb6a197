//! Runs of a kernel for all indices, one after the other, and as text for devices.
//!
//! `f::over(n, ..)` is `for i in 0..n { f(i, ..); }`, and each other run is that of this loop. No run reads what another one changes, so that
//! their order makes no difference to values; adjoints of what they share are added up in the order of the loop.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::companions::{companion_lints, copied_attributes};
use super::derivatives::Companions;
use super::pairs::Names;
use crate::analysis::Context;
use crate::emit::c::{self, Kernel, Temporary, Untranslatable};
use crate::hygiene::fresh;
use crate::ir::{Program, Run, VarId};
use crate::print;
use crate::signature::Parameter;
use crate::span::Span;
use crate::{Derived, Form};

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

    /// The runs of a kernel as text for devices.
    pub(super) fn kernel_source(&self, derived: &Derived) -> TokenStream {
        if self.signature.index().is_none() {
            return TokenStream::new();
        }
        let (vis, name) = (self.vis, self.signature.name.to_string());
        let (kernel, direction) = (quote!(::retrograd::private::kernel), quote!(::retrograd::private::Direction));
        let runs = derived.derivatives.as_ref();
        let written = |form: Option<&Form>| match form.map(|form| self.written(&form.core)) {
            Some(Ok(Kernel { text, temporaries, gathers })) => {
                let temporaries = temporaries.iter().map(temporary);
                quote!(::core::result::Result::Ok(#kernel::Written {
                    text: #text, temporaries: &[#(#temporaries),*], gathers: #gathers
                }))
            }
            Some(Err(Untranslatable { line, reason })) => quote!(::core::result::Result::Err((#line, #reason))),
            None => {
                let (line, _) = Span::token(self.signature.name.span()).line_column();
                quote!(::core::result::Result::Err((#line, "it has no derivatives")))
            }
        };
        let [forward, inverse] = [written(Some(&derived.forward)), written(derived.inverse.as_ref())];
        let [pullback, pushforward] =
            [written(runs.map(|runs| &runs.pullback)), written(runs.map(|runs| &runs.pushforward))];
        let [unpullback, unpushforward] = [
            written(runs.and_then(|runs| runs.unpullback.as_ref())),
            written(runs.and_then(|runs| runs.unpushforward.as_ref())),
        ];
        let statements = statements(&derived.forward.program);
        let number = self.c_number();
        let doc = format!("A run of `{name}` as the text of a kernel for devices.");
        quote! {
            #[doc(hidden)]
            #[allow(dead_code)]
            #vis fn __kernel_text(direction: #direction, number: &'static str) -> #kernel::Text {
                let written: ::core::result::Result<#kernel::Written, (u32, &'static str)> = match direction {
                    #direction::Inverse => #inverse,
                    #direction::Pullback => #pullback,
                    #direction::Pushforward => #pushforward,
                    #direction::Unpullback => #unpullback,
                    #direction::Unpushforward => #unpushforward,
                    _ => #forward,
                };
                #kernel::Text {
                    kernel: #name, file: ::core::file!(), statements: &[#(#statements),*], number, written
                }
            }

            #[doc = #doc]
            // Most programs never ask for the text.
            #[allow(dead_code)]
            #vis fn kernel_source(
                language: #kernel::Language, direction: #direction
            ) -> ::core::result::Result<::retrograd::private::String, #kernel::Error> {
                #kernel::source(language, &Self::__kernel_text(direction, #number))
            }
        }
    }

    fn written(&self, core: &Program) -> Result<Kernel, Untranslatable> {
        let scatter = |var: VarId| self.parameters().iter().any(|p| p.scatter && p.name == core.var(var).name);
        c::kernel(core, &scatter)
    }

    /// The numbers of the kernel in C, where it is written for one type of them; `double` where it is not.
    pub(super) fn c_number(&self) -> &'static str {
        let is_single = |p: &Parameter| p.value.mentions(&format_ident!("f32"));
        if self.parameters().iter().any(is_single) { "float" } else { "double" }
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

/// What a kernel needs besides its arguments, as the run-time library knows it.
fn temporary(temporary: &Temporary) -> TokenStream {
    let kernel = quote!(::retrograd::private::kernel::Temporary);
    match temporary {
        Temporary::Rows { argument, numbers } => quote!(#kernel::Rows { argument: #argument, numbers: #numbers }),
        Temporary::Terms { numbers } => quote!(#kernel::Terms { numbers: #numbers }),
        Temporary::Copy { argument, numbers } => quote!(#kernel::Copy { argument: #argument, numbers: #numbers }),
    }
}

/// The statements of a program by their lines.
fn statements(program: &Program) -> Vec<TokenStream> {
    let context = Context::new(program);
    let mut found: BTreeMap<u32, String> = BTreeMap::new();
    program.body.walk(&mut |stmt| {
        if stmt.acts() || !stmt.blocks().is_empty() || stmt.begun().is_some() {
            let (line, _) = stmt.span().line_column();
            found.entry(line).or_insert_with(|| print::head(program, &context, stmt));
        }
    });
    found.into_iter().map(|(line, statement)| quote!((#line, #statement))).collect()
}

/// What the run for all indices says of itself.
pub(super) fn each_doc(once: &str, backwards: bool) -> String {
    let order = if backwards { "from the last to the first" } else { "in order" };
    format!("Runs `{once}` for each index in `0..n`, {order}.")
}
