//! Programs as text for devices: kernels, and what they may call.
//!
//! `f::__kernel_text(direction, number)` is a run in C, with what it calls: functions that return the texts of callees, and constants. A launch
//! puts them together. What has no such function is said to have no text.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::callees::Purpose;
use super::companions::companion_lints;
use super::derivatives::Companions;
use super::paths::apart;
use crate::analysis::Context;
use crate::emit::c::{self, Called, Constant, Parts, Temporary, Text, Untranslatable};
use crate::ir::{Callee, ExprKind, Mode, Path, Program, Records, Run, Stmt, TypeKind};
use crate::print;
use crate::signature::{Home, Parameter};
use crate::span::Span;
use crate::{Derived, Form};

impl Companions<'_> {
    /// The runs of a program as text: of a kernel, and of what a kernel may call.
    pub(super) fn kernel_source(&self, derived: &Derived) -> TokenStream {
        let is_kernel = self.signature.index().is_some();
        if !is_kernel && !self.may_be_called(derived) {
            return TokenStream::new();
        }
        let (vis, name) = (self.vis, self.signature.name.to_string());
        let (kernel, direction) = (quote!(::retrograd::private::kernel), quote!(::retrograd::private::Direction));
        let (parts, runs) = (self.parts(derived), derived.derivatives.as_ref());
        let written = |form: Option<&Form>| {
            let text = form
                .map(|form| if is_kernel { c::kernel(&form.core, &parts) } else { c::function(&form.core, &parts) });
            self.written_or_not(text)
        };
        let [forward, inverse] = [written(Some(&derived.forward)), written(derived.inverse.as_ref())];
        let [pullback, pushforward] =
            [written(runs.map(|runs| &runs.pullback)), written(runs.map(|runs| &runs.pushforward))];
        let [unpullback, unpushforward] = [
            written(runs.and_then(|runs| runs.unpullback.as_ref())),
            written(runs.and_then(|runs| runs.unpushforward.as_ref())),
        ];
        let written = quote! {
            match direction {
                #direction::Inverse => #inverse,
                #direction::Pullback => #pullback,
                #direction::Pushforward => #pushforward,
                #direction::Unpullback => #unpullback,
                #direction::Unpushforward => #unpushforward,
                _ => #forward,
            }
        };
        let (text, lints) = (self.text(derived, &quote!(direction), &written), companion_lints());
        let source = is_kernel.then(|| {
            let (number, doc) = (self.c_number(), format!("A run of `{name}` as the text of a kernel for devices."));
            quote! {
                #[doc = #doc]
                // Most programs never ask for the text.
                #[allow(dead_code)]
                #vis fn kernel_source(
                    language: #kernel::Language, direction: #direction
                ) -> ::core::result::Result<::retrograd::private::String, #kernel::Error> {
                    #kernel::source(language, Self::__kernel_text(direction, #number))
                }
            }
        });
        quote! {
            #[doc(hidden)]
            #lints
            #vis fn __kernel_text(direction: #direction, number: &'static ::core::primitive::str) -> #kernel::Text {
                #text
            }
            #source
        }
    }

    /// What is known of the program besides its cores.
    pub(super) fn parts<'s>(&'s self, derived: &Derived) -> Parts<'s> {
        let generics = self.signature.syntax.generics.params.iter().filter_map(|param| match param {
            syn::GenericParam::Type(param) => Some(&param.ident),
            syn::GenericParam::Const(param) => Some(&param.ident),
            syn::GenericParam::Lifetime(_) => None,
        });
        Parts {
            scatter: self.parameters().iter().filter(|p| p.scatter).map(|p| &p.name).collect(),
            called: called(derived),
            generics: generics.collect(),
        }
    }

    /// The line that the program begins in.
    fn first_line(&self) -> u32 {
        Span::token(self.signature.name.span()).line_column().0
    }

    /// A run in C, or the line that cannot be written, and why.
    pub(super) fn written_or_not(&self, text: Option<Result<Text, Untranslatable>>) -> TokenStream {
        match text {
            Some(Ok(text)) => {
                let text = self.written_text(&text);
                quote!(::core::result::Result::Ok(#text))
            }
            Some(Err(Untranslatable { line, reason })) => quote!(::core::result::Result::Err((#line, #reason))),
            None => {
                let line = self.first_line();
                quote!(::core::result::Result::Err((#line, "it has no derivatives")))
            }
        }
    }

    /// A text of the program: `number` is its type of numbers, `written` the run in that direction.
    pub(super) fn text(&self, derived: &Derived, direction: &TokenStream, written: &TokenStream) -> TokenStream {
        let (kernel, name) = (quote!(::retrograd::private::kernel), self.signature.name.to_string());
        let imports = self.callees.map(super::callees::Callees::imports);
        let (statements, line) = (statements(&derived.forward.program), self.first_line());
        quote! {
            #imports
            use #kernel::NoText as _;
            let written = #written;
            #kernel::Text {
                name: #name, file: ::core::file!(), line: #line, statements: &[#(#statements),*], number,
                direction: #direction, written
            }
        }
    }

    /// Whether a kernel could call it: devices pass numbers, arrays and tuples.
    fn may_be_called(&self, derived: &Derived) -> bool {
        let passed = |p: &Parameter| {
            let slice = matches!(p.value.kind, TypeKind::Slice(_));
            !slice
                && !p.host
                && (p.mode == Mode::Value || p.mode == Mode::Borrow || p.active)
                && self.lies_on_devices(&p.value)
        };
        matches!(self.signature.home, Home::Holder)
            && derived.forward.core.records == Records::Nothing
            && self.numbers().parameters.len() <= 1
            && self.numbers().others.is_empty()
            && self.parameters().iter().all(passed)
            && self.value().is_none_or(|ty| self.lies_on_devices(ty))
    }

    fn written_text(&self, text: &Text) -> TokenStream {
        let kernel = quote!(::retrograd::private::kernel);
        let Text { text, structs, returns, callees, constants, temporaries, gathers, elements, reached } = text;
        let structs = structs.iter().map(|(name, members)| quote!((#name, #members)));
        let temporaries = temporaries.iter().map(temporary);
        let reached = reached.iter().map(|(argument, per_run, more)| quote!((#argument, #per_run, #more)));
        let callees = callees.iter().map(|called| self.called_text(called));
        let constants = constants.iter().map(|Constant { path, ty, line }| {
            quote!(#kernel::Constant { value: #kernel::constant(&#path), ty: #ty, line: #line })
        });
        quote!(#kernel::Written {
            text: #text, structs: &[#(#structs),*], returns: #returns,
            callees: ::retrograd::private::Vec::from([#(#callees),*]), constants: ::retrograd::private::Vec::from([#(#constants),*]),
            temporaries: &[#(#temporaries),*], gathers: #gathers, elements: #elements, reached: &[#(#reached),*]
        })
    }

    fn called_text(&self, Called { path, run, inverse, returns, line }: &Called) -> TokenStream {
        let kernel = quote!(::retrograd::private::kernel);
        let direction = direction(*run, *inverse);
        let holder = match self.callees {
            Some(callees) => callees.holder(path, Purpose::Derivative),
            None => quote!(#path),
        };
        quote!(#kernel::Callee {
            text: |number| <#holder>::__kernel_text(::retrograd::private::Direction::#direction, number),
            returns: #returns,
            line: #line
        })
    }

    /// The numbers of the kernel in C, where it is written for one type of them; `double` where it is not.
    pub(super) fn c_number(&self) -> &'static str {
        let is_single = |p: &Parameter| p.value.mentions(&format_ident!("f32"));
        if self.parameters().iter().any(is_single) { "float" } else { "double" }
    }
}

/// The functions that are known to have companions, because some run calls one of them.
fn called(derived: &Derived) -> Vec<Path> {
    let mut forms = vec![&derived.forward];
    if let Some(runs) = &derived.derivatives {
        forms.extend([&runs.pullback, &runs.pushforward]);
    }
    let found = RefCell::new(Vec::new());
    let add = |path: &Path| {
        let (path, _) = apart(path);
        let mut found = found.borrow_mut();
        if !found.contains(&path) {
            found.push(path);
        }
    };
    for form in forms {
        form.core.body.walk(&mut |stmt| {
            if let Stmt::Call(call) = stmt
                && let Callee::Path(path) = &call.callee
            {
                add(path);
            }
        });
        form.core.body.rewritten(&|e| {
            if let ExprKind::Companion { callee, .. } = &e.kind
                && let Callee::Path(path) = &**callee
            {
                add(path);
            }
            None
        });
    }
    found.into_inner()
}

/// What a kernel needs besides its arguments, as the run-time library knows it.
fn temporary(temporary: &Temporary) -> TokenStream {
    let kernel = quote!(::retrograd::private::kernel::Temporary);
    match temporary {
        Temporary::Rows { argument, numbers, staged } => {
            quote!(#kernel::Rows { argument: #argument, numbers: #numbers, staged: #staged })
        }
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

/// The direction of a run, by the name of its variant.
pub(super) fn direction(run: Run, inverse: bool) -> TokenStream {
    match (run, inverse) {
        (Run::Tangent, false) => quote!(Pushforward),
        (Run::Tangent, true) => quote!(Unpushforward),
        (Run::Adjoint, false) => quote!(Pullback),
        (Run::Adjoint, true) => quote!(Unpullback),
        (_, false) => quote!(Forward),
        (_, true) => quote!(Inverse),
    }
}
