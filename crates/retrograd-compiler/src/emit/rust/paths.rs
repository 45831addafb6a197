//! Paths as Rust tokens: of what the user named, and of the companions beside it.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use crate::hygiene;
use crate::ir::{Callee, Member, Path, Run, Segment, Syntax};
use crate::span::{mixed_site, resolved_at};

impl ToTokens for Path {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let separated = |segments: &[Segment]| quote!(#(#segments)::*);
        tokens.extend(match &self.of {
            None => {
                let (global, path) = (self.global.then(|| quote!(::)), separated(&self.segments));
                quote!(#global #path)
            }
            Some((ty, 0)) => {
                let (ty, path) = (ty.written.tokens(), separated(&self.segments));
                quote!(<#ty>::#path)
            }
            Some((ty, position)) => {
                let (of, item) = self.segments.split_at(*position);
                let global = self.global.then(|| quote!(::));
                let (ty, of, item) = (ty.written.tokens(), separated(of), separated(item));
                quote!(<#ty as #global #of>::#item)
            }
        });
        if let Some(companion) = &self.companion {
            tokens.extend(quote!(::#companion));
        }
    }
}

impl ToTokens for Segment {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.name.to_tokens(tokens);
        self.arguments.as_deref().map(turbofish).to_tokens(tokens);
    }
}

impl ToTokens for Member {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Member::Named(name) => name.to_tokens(tokens),
            Member::Index(index) => proc_macro2::Literal::usize_unsuffixed(*index).to_tokens(tokens),
        }
    }
}

/// `::<A, B>`
pub(crate) fn turbofish(arguments: &[Syntax]) -> TokenStream {
    let arguments = arguments.iter().map(Syntax::tokens);
    quote!(::<#(#arguments),*>)
}

/// The same for a hidden entry. Where it carries shadows it has one generic parameter more, the last: the scalar shadow.
pub(crate) fn turbofish_of_run(arguments: &[Syntax], run: Run) -> TokenStream {
    if run == Run::Keep {
        return turbofish(arguments);
    }
    let shadow = Ident::new(SHADOW, proc_macro2::Span::call_site());
    let arguments = arguments.iter().map(Syntax::tokens);
    quote!(::<#(#arguments,)* #shadow>)
}

/// A path without the generic arguments of its last name, and these.
pub(crate) fn apart(path: &Path) -> (Path, Option<Vec<Syntax>>) {
    let mut path = path.clone();
    let arguments = path.segments.last_mut().and_then(|last| last.arguments.take());
    (path, arguments)
}

/// `g` or `g::uncall`, `Type::g` or `Type::uncall_g`
pub(crate) fn callee_path(callee: &Callee, inverse: bool) -> TokenStream {
    match callee {
        Callee::Path(path) if inverse => {
            let (path, arguments) = apart(path);
            let arguments = arguments.as_deref().map(turbofish);
            quote!(#path::uncall #arguments)
        }
        Callee::Associated(path) if inverse => prefixed(path, "uncall").to_token_stream(),
        Callee::Path(path) | Callee::Associated(path) => path.to_token_stream(),
        Callee::Method { name, .. } => name.to_token_stream(),
    }
}

/// The name of a run of a procedure or function: the hidden entry, or the public one.
pub(crate) fn companion_name(run: Run, inverse: bool, public: bool) -> String {
    let name = match (run, inverse) {
        (Run::Values, _) => "uncall",
        (Run::Adjoint, false) => "pullback",
        (Run::Adjoint, true) => "unpullback",
        (Run::Tangent, false) => "pushforward",
        (Run::Tangent, true) => "unpushforward",
        (Run::Keep, false) => "keep",
        (Run::Keep, true) => "unkeep",
        (Run::Spend, _) => "spend",
    };
    if public { name.to_string() } else { format!("__{name}") }
}

/// `g::pullback`, `Type::pullback_g`, for readers.
pub(crate) fn companion_path(callee: &Callee, run: Run, inverse: bool) -> TokenStream {
    let name = companion_name(run, inverse, true);
    match callee {
        Callee::Path(path) => {
            let ((path, _), name) = (apart(path), Ident::new(&name, path.last().span()));
            quote!(#path::#name)
        }
        Callee::Associated(path) => prefixed(path, &name).to_token_stream(),
        Callee::Method { name, .. } => name.to_token_stream(),
    }
}

/// `<g>::__pullback`, `Type::__pullback_g`; of `g`, its companions are there or it is said why not.
pub(crate) fn hidden_path(
    callee: &Callee,
    run: Run,
    inverse: bool,
    held: impl Fn(&Path) -> TokenStream,
) -> TokenStream {
    let name = companion_name(run, inverse, false);
    match callee {
        Callee::Path(path) => {
            let ((_, arguments), holder) = (apart(path), held(path));
            // At the call, but not a part of what the user wrote: rustc proposes no changes of it.
            let at = resolved_at(path.segments[0].name.span(), mixed_site());
            let (name, arguments) = (Ident::new(&name, at), arguments.as_deref().map(|a| turbofish_of_run(a, run)));
            quote_spanned!(at=> <#holder>::#name #arguments)
        }
        Callee::Associated(path) => {
            let (path, arguments) = apart(&prefixed(path, &name));
            let arguments = arguments.as_deref().map(|a| turbofish_of_run(a, run));
            quote!(#path #arguments)
        }
        Callee::Method { name, .. } => name.to_token_stream(),
    }
}

/// `Type::uncall_g` for `Type::g`
pub(crate) fn prefixed(path: &Path, prefix: &str) -> Path {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.name = Ident::new(&hygiene::prefixed(prefix, &last.name), last.name.span());
    }
    path
}

/// The scalar shadow of a sweep in generated code.
pub(crate) const SHADOW: &str = "__Shadow";
