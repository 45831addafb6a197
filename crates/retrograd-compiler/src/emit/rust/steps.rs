//! Steps of derivatives, as calls of the runtime or, for readers, as arithmetic.

use proc_macro2::{Delimiter, Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::callees::{Purpose, with_runs};
use super::guard::inside;
use super::operators::Binding;
use super::out::Out;
use super::paths::{apart, companion_name, companion_path, hidden_path, turbofish_of_run};
use super::tokens::Writer;
use crate::hygiene::{fresh, prefixed};
use crate::ir::{BinaryOp, Callee, Expr, ExprKind, Path, Rule, Run, Scheduled};
use crate::variants::part_of;

/// Whether a partial derivative may be a matrix.
fn is_factor(partial: &Expr) -> bool {
    matches!(partial.kind, ExprKind::Rule(Rule::Factor(_), _))
}

impl Writer<'_> {
    /// A derivative that goes through a partial one. That of a matrix is not moved: it may be needed again.
    pub(super) fn lent(&self, derivative: &Expr, partial: &Expr) -> TokenStream {
        let (at, derivative) = (derivative.span.first, self.expr(derivative));
        match is_factor(partial) {
            true => quote_spanned!(at=> __private::lent(&(#derivative))),
            false => derivative,
        }
    }

    /// A step of a derivative, as a call of the runtime.
    pub(super) fn rule<O: Out>(&self, rule: &Rule, args: &[Expr], at: proc_macro2::Span, out: &mut O) {
        match rule {
            Rule::Pull | Rule::Push if is_factor(&args[1]) => {
                let function = Ident::new(if *rule == Rule::Pull { "pull" } else { "push" }, at);
                let (derivative, factor) = (self.lent(&args[0], &args[1]), self.expr(&args[1]));
                out.stream(quote_spanned!(at=> __private::#function(#derivative, #factor)));
            }
            Rule::Pull => self.of_runtime("pull", args, at, out),
            Rule::PullFactor => self.of_runtime("pull_factor", args, at, out),
            Rule::Push => self.of_runtime("push", args, at, out),
            Rule::Join => self.of_runtime("join", args, at, out),
            Rule::Negate => self.of_runtime("negate", args, at, out),
            Rule::Arrive => self.of_runtime("arrive", args, at, out),
            Rule::Partial(partial) => self.of_runtime(partial.name(), args, at, out),
            Rule::Bent(function) => self.of_runtime(&format!("bend_{}", function.name()), args, at, out),
            // The type of a literal follows from its neighbours, unless it is that of the program's numbers.
            Rule::Number if matches!(&args[0].kind, ExprKind::Lit(lit) if !self.is_real(lit)) => {
                self.write(&args[0], Binding::Loosest, out);
            }
            Rule::Number => self.of_runtime("number", args, at, out),
            // They stand in statements of their own, which write them.
            Rule::Bend | Rule::Later => {}
            // In method syntax, which looks through references.
            Rule::Zero | Rule::PlainZero => {
                self.write(&args[0], Binding::Postfix, out);
                out.op(".", at);
                out.word(if *rule == Rule::Zero { "zero_shadow_in" } else { "plain_zero_in" }, at);
                out.open(Delimiter::Parenthesis, at);
                out.ident(&fresh("sweep"));
                out.close();
            }
            Rule::Absent => out.stream(quote_spanned!(at=> ::core::option::Option::None)),
            Rule::NoShadow => out.stream(quote_spanned!(at=> __private::NoShadow)),
            Rule::Lease => out.stream(quote_spanned!(at=> &mut *__private::Lease::new())),
            Rule::Decisions => {
                let record = fresh("record");
                out.stream(quote_spanned!(at=> #record.decisions()));
            }
            Rule::Blank => self.of_runtime("blank", args, at, out),
            Rule::Neutral => self.of_runtime("neutral", args, at, out),
            Rule::Schedule(Scheduled::Length) => {
                let a = self.expr(&args[0]);
                out.stream(quote_spanned!(at=> __private::count_of(&#a)));
            }
            Rule::Schedule(Scheduled::Fitting) => {
                let (bytes, places) = (self.expr(&args[0]), self.list(&args[1..]));
                let places = quote_spanned!(at=> [#(__private::kept_bytes(&#places)),*]);
                out.stream(quote_spanned!(at=> __private::snapshots_within(#bytes, #places)));
            }
            Rule::Schedule(way @ (Scheduled::Back | Scheduled::Found)) => {
                let (name, list) = (Ident::new(way.name(), at), self.list(args));
                out.stream(quote_spanned!(at=> __private::Plan::#name(#(#list),*)));
            }
            Rule::Taken => {
                let (place, zero) = (self.expr(&args[0]), self.expr(&args[1]));
                out.stream(quote_spanned!(at=> ::core::mem::replace(&mut #place, #zero)));
            }
            Rule::Part { variant, member } => {
                let part = part_of(variant, member);
                out.stream(quote_spanned!(at=> __private::#part));
            }
            Rule::MadeOf => {
                let list = self.list(args);
                let kinds = list.iter().map(|leaf| quote_spanned!(at=> __private::made_of(&#leaf)));
                out.stream(kinds.rfold(quote!(()), |kinds, kind| quote_spanned!(at=> (#kind, #kinds))));
            }
            Rule::Passed => self.of_runtime("passed", args, at, out),
            Rule::Fitting => {
                let (sweep, list) = (fresh("sweep"), self.list(args));
                out.stream(quote_spanned!(at=> __private::fitting(#sweep, #(#list),*)));
            }
            // An error in a variable that the user does not see is one in the sum.
            Rule::Linear => {
                let a = self.expr(&args[0]);
                out.stream(quote_spanned!(at=> __private::linear(&(#a))));
            }
            Rule::OfNumber => {
                let a = self.expr(&args[0]);
                out.stream(quote_spanned!(at=> __private::of_number(&(#a))));
            }
            Rule::AskedNumber => {
                let a = self.expr(&args[0]);
                out.stream(quote_spanned!(at=> __private::number({ #a })));
            }
            Rule::Factor(side) => {
                let (a, function) = (self.expr(&args[0]), Ident::new(side.function(), at));
                out.stream(quote_spanned!(at=> __private::#function({ #a })));
            }
            Rule::Given => {
                let a = self.expr(&args[0]);
                out.stream(quote_spanned!(at=> #a.expect("every way through the function gives a value")));
            }
            Rule::Keep => {
                let a = self.expr(&args[0]);
                out.stream(quote_spanned!(at=> __private::keep!(&(#a))));
            }
            Rule::KeepOne(depth) => {
                let (a, depth) = (self.expr(&args[0]), inside(*depth));
                out.stream(quote_spanned!(at=> __private::keep_one!(#depth, &(#a))));
            }
            Rule::Magnitude => {
                let a = self.expr(&args[0]);
                out.stream(quote_spanned!(at=> __private::magnitude!(&(#a))));
            }
            Rule::Schedule(Scheduled::Seeks) => {
                let (a, record) = (self.expr(&args[0]), fresh("record"));
                out.stream(quote_spanned!(at=> #a.seeks(#record)));
            }
            Rule::Schedule(asked) => {
                let (a, name) = (self.expr(&args[0]), Ident::new(asked.name(), at));
                out.stream(quote_spanned!(at=> #a.#name()));
            }
        }
    }

    /// A call of a function of the runtime.
    fn of_runtime<O: Out>(&self, name: &str, args: &[Expr], at: proc_macro2::Span, out: &mut O) {
        out.word("__private", at);
        out.op("::", at);
        out.word(name, at);
        self.write_list(args, Delimiter::Parenthesis, at, out);
    }

    /// A step of a derivative, as arithmetic.
    pub(super) fn readable_rule<O: Out>(&self, rule: &Rule, args: &[Expr], at: proc_macro2::Span, out: &mut O) {
        match (rule, args) {
            (Rule::Pull | Rule::Push, [a, b]) | (Rule::PullFactor, [a, b, _]) => {
                self.binary(BinaryOp::Mul, a, b, at, out);
            }
            (Rule::Join, [a, b]) => self.binary(BinaryOp::Add, a, b, at, out),
            (Rule::Negate, [a]) => self.prefix("-", a, at, out),
            (
                Rule::Linear | Rule::OfNumber | Rule::Number | Rule::AskedNumber | Rule::Factor(_) | Rule::Arrive,
                [a],
            )
            | (Rule::Fitting | Rule::Passed, [a, _]) => self.write(a, Binding::Loosest, out),
            (Rule::Zero | Rule::PlainZero, [a]) => self.of_reference("zero", a, at, out),
            (Rule::Keep, [a]) => self.of_reference("keep", a, at, out),
            (Rule::KeepOne(_), [a]) => self.of_reference("keep_one", a, at, out),
            (Rule::Magnitude, [a]) => self.of_reference("magnitude", a, at, out),
            (Rule::Taken, [a, _]) => {
                let a = self.at_least(a, Binding::Prefix);
                out.stream(quote!(take(&mut #a)));
            }
            (Rule::Absent, []) => out.word("None", at),
            (Rule::Neutral, []) => out.stream(quote!(0.0)),
            (Rule::Blank | Rule::Lease | Rule::Decisions, []) => {
                let word = match rule {
                    Rule::Blank => "blank",
                    Rule::Lease => "lease",
                    _ => "decisions",
                };
                out.word(word, at);
                self.write_list(&[], Delimiter::Parenthesis, at, out);
            }
            (Rule::Part { variant, member }, []) => {
                let part: TokenStream = format!("{variant}.{member}").parse().unwrap_or_default();
                out.stream(part);
            }
            (Rule::Given, [a]) => {
                let a = self.at_least(a, Binding::Postfix);
                out.stream(quote!(#a.unwrap()));
            }
            (Rule::Schedule(asked), args) => {
                out.word(asked.name(), at);
                self.write_list(args, Delimiter::Parenthesis, at, out);
            }
            (Rule::Partial(partial), args) => {
                out.word(partial.name(), at);
                self.write_list(args, Delimiter::Parenthesis, at, out);
            }
            _ => out.stream(quote!(())),
        }
    }

    /// `name(&a)`, as readers see it.
    fn of_reference<O: Out>(&self, name: &str, a: &Expr, at: proc_macro2::Span, out: &mut O) {
        out.word(name, at);
        out.open(Delimiter::Parenthesis, at);
        self.prefix("&", a, at, out);
        out.close();
    }

    /// How tightly a step binds as arithmetic.
    pub(super) fn binding_of_rule(&self, rule: &Rule, args: &[Expr]) -> Binding {
        match (rule, args) {
            (Rule::Pull | Rule::Push, [_, _]) | (Rule::PullFactor, [_, _, _]) => Binding::Product,
            (Rule::Join, [_, _]) => Binding::Sum,
            (Rule::Negate, [_]) => Binding::Prefix,
            (
                Rule::Linear | Rule::OfNumber | Rule::Number | Rule::AskedNumber | Rule::Factor(_) | Rule::Arrive,
                [a],
            )
            | (Rule::Fitting, [a, _]) => self.binding(a),
            _ => Binding::Postfix,
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
