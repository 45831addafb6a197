//! `procedure!(s => g(&mut s.x, dt))`: all runs of a call, as one value.

mod elements;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

use self::elements::Role;
use crate::emit::rust::paths::companion_name;
use crate::hygiene::{fresh, numbered, prefixed};
use crate::ir::Run;
use crate::panics::guarded;

/// `s => g(..)`, `s: State => g(..)`, `move s => g(..)`
struct Input {
    /// As of a closure.
    moves: Option<syn::Token![move]>,
    state: Ident,
    ty: Option<syn::Type>,
    call: syn::Expr,
}

impl syn::parse::Parse for Input {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Input> {
        let (moves, state) = (input.parse()?, input.parse()?);
        let ty = match input.peek(syn::Token![:]) {
            true => {
                input.parse::<syn::Token![:]>()?;
                Some(input.parse()?)
            }
            false => None,
        };
        input.parse::<syn::Token![=>]>()?;
        Ok(Input { moves, state, ty, call: input.parse()? })
    }
}

/// Makes a value of a call of a procedure.
pub fn procedure(input: TokenStream) -> TokenStream {
    guarded(input, |input| {
        let expanded = syn::parse2::<Input>(input).and_then(|input| expand(&input));
        expanded.unwrap_or_else(syn::Error::into_compile_error)
    })
}

/// An argument, and its shadow if it is a part of the state.
struct Argument {
    value: TokenStream,
    /// The place of the shadow.
    shadow: Option<TokenStream>,
    /// Whether it is only read.
    read: bool,
}

impl Argument {
    /// A reference to the value.
    fn borrowed(&self, value: &TokenStream, written: &syn::Expr) -> TokenStream {
        if matches!(written, syn::Expr::Reference(_)) { value.clone() } else { quote!(&#value) }
    }

    /// The shadow, as a run takes it.
    fn shadow(&self, run: Run) -> Option<TokenStream> {
        let place = self.shadow.as_ref()?;
        Some(if self.read && run == Run::Tangent { quote!(&#place) } else { quote!(&mut #place) })
    }
}

fn expand(input: &Input) -> syn::Result<TokenStream> {
    let (state, shadow) = (&input.state, fresh("shadow"));
    let (callee, receiver, arguments) = match &input.call {
        syn::Expr::Call(call) => {
            let syn::Expr::Path(path) = &*call.func else { return Err(refused(&input.call)) };
            (Callee::Path(path.clone()), None, &call.args)
        }
        syn::Expr::MethodCall(call) => (Callee::Method(call.method.clone()), Some(&*call.receiver), &call.args),
        other => return Err(refused(other)),
    };
    let written = arguments;
    let arguments: Vec<Argument> =
        written.iter().map(|arg| argument(arg, state, &shadow)).collect::<syn::Result<_>>()?;
    let receiver = receiver.map(|receiver| {
        let moved = renamed(receiver, state, &shadow);
        let bare = matches!(receiver, syn::Expr::Path(_));
        (receiver.to_token_stream(), if bare { quote!(&mut *#moved) } else { quote!(&mut #moved) })
    });
    let parts: Vec<Option<&syn::Expr>> =
        written.iter().zip(&arguments).map(|(arg, of_state)| of_state.shadow.as_ref().map(|_| arg)).collect();
    let (groups, shared) = (elements::groups(&parts), elements::shared_reads(&parts));
    let (private, site) = (quote!(::retrograd::private), site(&input.call));
    let inverse_callee = callee.is_inverse();
    let run = |run: Run, inverse: bool| {
        let inverse = inverse != inverse_callee;
        let mut values: Vec<TokenStream> = arguments.iter().map(|a| a.value.clone()).collect();
        let mut shadows: Vec<Option<TokenStream>> = arguments.iter().map(|a| a.shadow(run)).collect();
        let (mut taken, mut after) = (TokenStream::new(), TokenStream::new());
        let (role, own) = match run {
            Run::Values | Run::Tangent | Run::Keep | Run::Spend => (Role::Tangents, Vec::new()),
            Run::Adjoint => (Role::Adjoints, shared.clone()),
        };
        for group in &groups {
            let (statements, elements) = group.taken(Role::Values, &site, |_| true, syn::Expr::clone);
            taken.extend(statements);
            elements.into_iter().for_each(|(argument, element)| values[argument] = element);
            if run != Run::Values {
                let wanted = |argument: usize| !own.contains(&argument);
                let (statements, elements) = group.taken(role, &site, wanted, |e| renamed(e, state, &shadow));
                taken.extend(statements);
                elements.into_iter().for_each(|(argument, element)| shadows[argument] = Some(element));
            }
        }
        for argument in own {
            let (name, sweep) = (numbered("shadow", argument), fresh("sweep"));
            let value = arguments[argument].borrowed(&values[argument], &written[argument]);
            let place = shadows[argument].replace(quote!(&mut #name));
            taken.extend(quote!(let mut #name = #private::zero(#sweep, #value);));
            after.extend(quote!(#private::add(#place, #name);));
        }
        match (run, &receiver) {
            (Run::Values, None) => {
                let path = callee.path(run, inverse);
                quote!({ #taken #path(#(#values),*) })
            }
            (Run::Values, Some((receiver, _))) => {
                let name = callee.method(run, inverse);
                quote!({ #taken #receiver.#name(#(#values),*) })
            }
            (Run::Adjoint | Run::Tangent | Run::Keep | Run::Spend, _) => {
                let pairs = values.iter().zip(&shadows).map(|(value, shadow)| match shadow {
                    Some(shadow) => quote!(#value, #shadow),
                    None => quote!(#value, #private::NoShadow),
                });
                let (name, sweep) = (state.to_string(), fresh("sweep"));
                let begun = quote!(let #sweep = #private::sweep_of(#name, &*#state, &*#shadow););
                match &receiver {
                    None => {
                        let path = callee.path(run, inverse);
                        quote!({ #begun #taken #path(#sweep, #(#pairs),*); #after })
                    }
                    Some((receiver, moved)) => {
                        let name = callee.method(run, inverse);
                        quote!({ #begun #taken #receiver.#name(#sweep, #moved, #(#pairs),*); #after })
                    }
                }
            }
        }
    };
    let [call, uncall] = [run(Run::Values, false), run(Run::Values, true)];
    let [pullback, pushforward] = [run(Run::Adjoint, false), run(Run::Tangent, false)];
    let [unpullback, unpushforward] = [run(Run::Adjoint, true), run(Run::Tangent, true)];
    let ty = input.ty.as_ref().map_or_else(|| quote!(_), ToTokens::to_token_stream);
    let (moves, step) = (&input.moves, fresh("step"));
    Ok(quote! {
        #moves |#step: #private::Step<'_, #ty>| match #step {
            #private::Step::Call(#state) => #call,
            #private::Step::Uncall(#state) => #uncall,
            #private::Step::Pullback(#state, #shadow) => #pullback,
            #private::Step::Pushforward(#state, #shadow) => #pushforward,
            #private::Step::Unpullback(#state, #shadow) => #unpullback,
            #private::Step::Unpushforward(#state, #shadow) => #unpushforward,
            _ => {}
        }
    })
}

/// The call as a statement, for errors.
fn site(call: &syn::Expr) -> TokenStream {
    let (line, column) = crate::span::Span::of(call).line_column();
    let statement = crate::print::tidy(quote!(#call;));
    let statement = statement.trim();
    quote!(&::retrograd::private::Site {
        function: "procedure!",
        file: ::core::file!(),
        line: #line,
        column: #column,
        statement: #statement,
    })
}

fn refused(e: &syn::Expr) -> syn::Error {
    let message = "`procedure!` takes one call of a reversible procedure on parts of a state: `procedure!(s => step(&mut s.x, dt))`";
    syn::Error::new_spanned(e, message)
}

enum Callee {
    Path(syn::ExprPath),
    Method(Ident),
}

impl Callee {
    /// Whether the call is one of an inverse: `g::uncall(..)`, `s.uncall_g(..)`.
    fn is_inverse(&self) -> bool {
        match self {
            Callee::Path(path) => {
                path.path.segments.len() > 1 && path.path.segments.last().is_some_and(|s| s.ident == "uncall")
            }
            Callee::Method(name) => name.to_string().starts_with("uncall_"),
        }
    }

    fn path(&self, run: Run, inverse: bool) -> TokenStream {
        let Callee::Path(path) = self else { return TokenStream::new() };
        let mut path = path.clone();
        let segments = &mut path.path.segments;
        let mut arguments = segments.last_mut().map(|last| std::mem::take(&mut last.arguments)).unwrap_or_default();
        if self.is_inverse() {
            segments.pop();
            segments.pop_punct();
        }
        if run == Run::Values && !inverse {
            return quote!(#path #arguments);
        }
        // A hidden entry has one generic parameter more, the last: the scalar shadow.
        if let (Run::Adjoint | Run::Tangent, syn::PathArguments::AngleBracketed(arguments)) = (run, &mut arguments) {
            arguments.args.push(syn::parse_quote!(_));
        }
        let name = Ident::new(&companion_name(run, inverse, false), proc_macro2::Span::call_site());
        quote!(<#path>::#name #arguments)
    }

    fn method(&self, run: Run, inverse: bool) -> Ident {
        let Callee::Method(name) = self else { return Ident::new("call", proc_macro2::Span::call_site()) };
        let text = name.to_string();
        let bare = match text.strip_prefix("uncall_") {
            Some(bare) => Ident::new(bare, name.span()),
            None => name.clone(),
        };
        match (run, inverse) {
            (Run::Values, false) => bare,
            _ => Ident::new(&prefixed(&companion_name(run, inverse, false), &bare), name.span()),
        }
    }
}

fn argument(arg: &syn::Expr, state: &Ident, shadow: &Ident) -> syn::Result<Argument> {
    let mut mentions = Mentions { name: state, found: false };
    mentions.visit_expr(arg);
    if !mentions.found {
        return Ok(Argument { value: arg.to_token_stream(), shadow: None, read: true });
    }
    let place = match arg {
        syn::Expr::Reference(r) => &*r.expr,
        other => other,
    };
    if !is_part(place, state) {
        let message = format!(
            "an argument is a part of the state, such as `&mut {state}.x`, or does not mention `{state}`: the derivative of other \
             expressions would be lost"
        );
        return Err(syn::Error::new_spanned(arg, message));
    }
    // The bare state is a reference already.
    let moved = renamed(place, state, shadow);
    let bare = matches!(place, syn::Expr::Path(_));
    let value = match (arg, bare) {
        (syn::Expr::Reference(_), _) | (_, false) => arg.to_token_stream(),
        (_, true) => quote!(&mut *#arg),
    };
    let own = if bare { quote!(*#moved) } else { quote!(#moved) };
    let read = match arg {
        syn::Expr::Reference(r) => r.mutability.is_none(),
        _ => !bare,
    };
    Ok(Argument { value, shadow: Some(own), read })
}

/// `s`, `s.x`, `s.x[i]`, `*s`
fn is_part(e: &syn::Expr, state: &Ident) -> bool {
    match e {
        syn::Expr::Path(path) => path.path.is_ident(state),
        syn::Expr::Field(field) => is_part(&field.base, state),
        syn::Expr::Index(index) => is_part(&index.expr, state),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => is_part(expr, state),
        syn::Expr::Paren(inner) => is_part(&inner.expr, state),
        _ => false,
    }
}

/// The same part of the shadow.
fn renamed(e: &syn::Expr, state: &Ident, shadow: &Ident) -> syn::Expr {
    struct Rename<'a>(&'a Ident, &'a Ident);
    impl VisitMut for Rename<'_> {
        fn visit_expr_index_mut(&mut self, index: &mut syn::ExprIndex) {
            // Indices are values.
            self.visit_expr_mut(&mut index.expr);
        }
        fn visit_ident_mut(&mut self, ident: &mut Ident) {
            if ident == self.0 {
                *ident = self.1.clone();
            }
        }
        fn visit_member_mut(&mut self, _: &mut syn::Member) {}
    }
    let mut e = e.clone();
    Rename(state, shadow).visit_expr_mut(&mut e);
    e
}

struct Mentions<'a> {
    name: &'a Ident,
    found: bool,
}

impl<'ast> Visit<'ast> for Mentions<'_> {
    fn visit_ident(&mut self, ident: &'ast Ident) {
        self.found |= ident == self.name;
    }
    fn visit_member(&mut self, _: &'ast syn::Member) {}
}
