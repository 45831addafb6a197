//! Steps of derivatives, as calls of the runtime or, for readers, as arithmetic.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::callees::{Purpose, with_runs};
use super::paths::{apart, companion_name, companion_path, hidden_path, turbofish_of_run};
use super::tokens::{Binding, Writer};
use crate::hygiene::{fresh, prefixed};
use crate::ir::{BinaryOp, Callee, Expr, ExprKind, Path, Rule, Run, Scheduled};

impl Writer<'_> {
    /// A step of a derivative, as a call of the runtime.
    pub(super) fn rule(&self, rule: &Rule, args: &[Expr], at: proc_macro2::Span) -> TokenStream {
        let list = self.list(args);
        let name = match rule {
            Rule::Pull => "pull",
            Rule::PullFactor => "pull_factor",
            // It stands in a statement of its own, which writes it.
            Rule::Bend => return TokenStream::new(),
            Rule::Bent(function) => {
                let name = Ident::new(&format!("bend_{}", function.name()), at);
                return quote_spanned!(at=> __private::#name(#(#list),*));
            }
            Rule::Push => "push",
            Rule::Join => "join",
            Rule::Negate => "negate",
            // The type of a literal follows from its neighbours, unless it is that of the program's numbers.
            Rule::Number if matches!(&args[0].kind, ExprKind::Lit(lit) if !self.is_real(lit)) => {
                return list.into_iter().collect();
            }
            // An error in a variable that the user does not see is one in the sum.
            Rule::Linear => return quote_spanned!(at=> __private::linear(#(&(#list)),*)),
            Rule::OfNumber => return quote_spanned!(at=> __private::of_number(#(&(#list)),*)),
            Rule::Number => "number",
            Rule::AskedNumber => return quote_spanned!(at=> __private::number({ #(#list),* })),
            Rule::Arrive => "arrive",
            Rule::Zero | Rule::PlainZero => {
                let sweep = fresh("sweep");
                // In method syntax, which looks through references.
                let value = self.at_least(&args[0], Binding::Postfix);
                let method = Ident::new(if *rule == Rule::Zero { "zero_shadow_in" } else { "plain_zero_in" }, at);
                return quote_spanned!(at=> #value.#method(#sweep));
            }
            Rule::Taken => {
                let (place, zero) = (&list[0], &list[1]);
                return quote_spanned!(at=> ::core::mem::replace(&mut #place, #zero));
            }
            Rule::Later => return TokenStream::new(),
            Rule::Blank => return quote_spanned!(at=> __private::blank()),
            Rule::Absent => return quote_spanned!(at=> ::core::option::Option::None),
            Rule::Given => return quote_spanned!(at=> #(#list)*.expect("every way through the function gives a value")),
            Rule::NoShadow => return quote_spanned!(at=> __private::NoShadow),
            Rule::Keep => return quote_spanned!(at=> __private::keep!(&(#(#list),*))),
            Rule::Magnitude => return quote_spanned!(at=> __private::magnitude!(&(#(#list),*))),
            Rule::Fitting => {
                let sweep = fresh("sweep");
                return quote_spanned!(at=> __private::fitting(#sweep, #(#list),*));
            }
            Rule::Schedule(Scheduled::Fitting) => {
                let (bytes, places) = (&list[0], &list[1..]);
                return quote_spanned!(at=> __private::snapshots_within(#bytes, [#(__private::kept_bytes(&#places)),*]));
            }
            Rule::Schedule(Scheduled::Back) => return quote_spanned!(at=> __private::Plan::back(#(#list),*)),
            Rule::Schedule(asked) => {
                let name = Ident::new(asked.name(), at);
                return quote_spanned!(at=> #(#list)*.#name());
            }
            Rule::Partial(partial) => partial.name(),
        };
        let name = Ident::new(name, at);
        quote_spanned!(at=> __private::#name(#(#list),*))
    }

    /// A step of a derivative, as arithmetic.
    pub(super) fn readable_rule(&self, rule: &Rule, args: &[Expr], at: proc_macro2::Span) -> (TokenStream, Binding) {
        match (rule, args) {
            (Rule::Pull | Rule::Push, [a, b]) | (Rule::PullFactor, [a, b, _]) => self.binary(BinaryOp::Mul, a, b, at),
            (Rule::Join, [a, b]) => self.binary(BinaryOp::Add, a, b, at),
            (Rule::Negate, [a]) => {
                let a = self.at_least(a, Binding::Prefix);
                (quote!(-#a), Binding::Prefix)
            }
            (Rule::Linear | Rule::OfNumber | Rule::Number | Rule::AskedNumber | Rule::Arrive, [a])
            | (Rule::Fitting, [a, _]) => self.parts(a),
            (Rule::Zero | Rule::PlainZero, [a]) => {
                let a = self.at_least(a, Binding::Prefix);
                (quote!(zero(&#a)), Binding::Postfix)
            }
            (Rule::Taken, [a, _]) => {
                let a = self.at_least(a, Binding::Prefix);
                (quote!(take(&mut #a)), Binding::Postfix)
            }
            (Rule::Absent, []) => (quote!(None), Binding::Postfix),
            (Rule::Blank, []) => (quote!(blank()), Binding::Postfix),
            (Rule::Given, [a]) => {
                let a = self.at_least(a, Binding::Postfix);
                (quote!(#a.unwrap()), Binding::Postfix)
            }
            (Rule::Keep | Rule::Magnitude, [a]) => {
                let a = self.at_least(a, Binding::Prefix);
                let name = Ident::new(if *rule == Rule::Keep { "keep" } else { "magnitude" }, at);
                (quote!(#name(&#a)), Binding::Postfix)
            }
            (Rule::Schedule(asked), args) => {
                let (name, list) = (Ident::new(asked.name(), at), self.list(args));
                (quote!(#name(#(#list),*)), Binding::Postfix)
            }
            (Rule::Partial(partial), args) => {
                let (name, list) = (Ident::new(partial.name(), at), self.list(args));
                (quote!(#name(#(#list),*)), Binding::Postfix)
            }
            _ => (quote!(()), Binding::Postfix),
        }
    }

    /// What has the companions of a function.
    pub(super) fn holder(&self, path: &Path, purpose: Purpose) -> TokenStream {
        match self.callees {
            Some(callees) => callees.holder(path, purpose),
            None => {
                let (path, _) = apart(&Path { companion: None, ..path.clone() });
                path.into_token_stream()
            }
        }
    }

    /// A derivative run of a function. A procedure says in its record where what a function has kept begins: its inverse forgets that.
    pub(super) fn companion(&self, callee: &Callee, run: Run, args: &[Expr], at: proc_macro2::Span) -> TokenStream {
        let (called, record) = (self.called(callee, run, args, at), fresh("record"));
        match run {
            Run::Keep if self.encloses => {
                let (call, value) = (fresh("call"), fresh("value"));
                quote_spanned! {at=> {
                    let #call = #record.begin_call();
                    let #value = #called;
                    #record.end_call(#call);
                    #value
                }}
            }
            Run::Spend if self.encloses => quote_spanned!(at=> { #record.enter_call(); #called }),
            _ => called,
        }
    }

    fn called(&self, callee: &Callee, run: Run, args: &[Expr], at: proc_macro2::Span) -> TokenStream {
        let list = self.list(args);
        let carried = (!self.readable).then(|| carried(run));
        let path = || match self.readable {
            true => companion_path(callee, run, false),
            false => hidden_path(callee, run, false, |path| self.holder(path, Purpose::Derivative)),
        };
        match callee {
            Callee::Path(_) => {
                let path = path();
                quote_spanned!(at=> #path(#carried #(#list),*))
            }
            Callee::Associated(_) => {
                let path = path();
                let (first, list) = list.split_at(list.len().min(1));
                quote_spanned!(at=> #path(#(#first,)* #carried #(#list),*))
            }
            Callee::Method { name, turbofish } => {
                let turbofish = turbofish.as_deref().map(|arguments| turbofish_of_run(arguments, run));
                let run = Ident::new(&prefixed(&companion_name(run, false, self.readable), name), name.span());
                let (receiver, list) = (self.at_least(&args[0], Binding::Postfix), &list[1..]);
                let with_runs = (!self.readable).then(|| with_runs(name)).map(|method| quote!(.#method()));
                quote_spanned!(at=> #receiver #with_runs.#run #turbofish (#carried #(#list),*))
            }
        }
    }
}

/// What a hidden entry is given in front of its arguments.
pub(super) fn carried(run: Run) -> TokenStream {
    let (sweep, record) = (fresh("sweep"), fresh("record"));
    match run {
        Run::Keep => quote!(#record,),
        Run::Spend => quote!(#sweep, #record,),
        Run::Values | Run::Adjoint | Run::Tangent => quote!(#sweep,),
    }
}
