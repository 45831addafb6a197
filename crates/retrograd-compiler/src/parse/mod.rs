//! Syntax in, IR out. Names are resolved on the way; every error is reported and reading goes on.

mod calls;
mod checkpoint;
mod closures;
mod doubled;
mod exits;
mod expr;
mod host;
mod locals;
mod loops;
mod macros;
mod matches;
mod names;
mod options;
mod ordinary;
mod overwrite;
pub(crate) mod path;
mod pattern;
mod recompute;
mod refusals;
mod signature;
mod stmt;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;

use self::names::Names;
use crate::diagnostics::Diagnostics;
use crate::ir::{Block, Checks, Kind, Program, Records, Run, Syntax, Type, VarId, VarKind};
use crate::passes::Passes;
use crate::signature::Signature;
use crate::signature::numbers::Numbers;
use crate::span::Span;

/// What is read: a function or a method with its body.
pub struct Input<'a> {
    /// The signature.
    pub signature: &'a Signature<'a>,
    /// The body.
    pub body: &'a syn::Block,
    /// What the attribute says.
    pub options: Options,
}

impl Input<'_> {
    /// Whether there are derivative companions.
    pub fn has_derivatives(&self) -> bool {
        self.options.derivatives && self.signature.has_derivatives()
    }
}

/// What `#[reversible(..)]` says.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// When run-time checks are made.
    pub checks: Checks,
    /// Whether there are derivative companions.
    pub derivatives: bool,
    /// Which optimisations are made.
    pub passes: Passes,
    /// What is kept in a record.
    pub records: Records,
    /// Whether it is run once for each index.
    pub kernel: bool,
    /// Whether a trait has types that are made of others which have it.
    pub composed: bool,
}

impl Default for Options {
    fn default() -> Options {
        let (derivatives, passes, records) = (true, Passes::ALL, Records::Nothing);
        Options { checks: Checks::Debug, derivatives, passes, records, kernel: false, composed: false }
    }
}

struct Parser<'a> {
    names: Names<'a>,
    numbers: &'a Numbers,
    kind: Kind,
    output: Option<&'a Type>,
    items: Vec<Syntax>,
    hosts: Vec<Syntax>,
    casts: Vec<Type>,
    methods: Vec<Ident>,
    functions: Vec<(Syntax, Syntax)>,
    depth: usize,
    /// Whether the pattern being read is one of an arm.
    refutable: bool,
    /// What is kept in a record of what is being read, and at most anywhere.
    records: Records,
    recorded: Records,
    /// The statements that `#[record]` stands in front of.
    marked: Vec<Span>,
    /// The attributes by which something is run again.
    recomputed: Vec<Span>,
    /// The loops around what is being read, and how many there have been.
    loops: Vec<Around>,
    numbered: usize,
    /// Locals that begin without a value, each with the first place where it is read.
    later: BTreeMap<VarId, Option<Span>>,
    /// Locals of which the beginning has been refused: no more is said of what is assigned to them.
    refused: BTreeSet<VarId>,
    /// Locals to which something is assigned.
    assigned: BTreeSet<VarId>,
    /// Locals that begin as references.
    references: BTreeSet<VarId>,
    /// Parameters by value that are changed: what they begin as is the parameter.
    copies: Vec<crate::ir::Binding>,
    /// Names for values that statements are written out with.
    fresh: ordinary::Fresh,
    /// Names for closures that stand where they are used.
    closures: BTreeMap<VarId, syn::ExprClosure>,
}

/// A loop that can be left.
struct Around {
    label: Option<String>,
    number: usize,
}

/// Reads a function. The program is meaningful only if no error was reported.
pub fn parse(input: &Input<'_>, diagnostics: &Diagnostics) -> Program {
    doubled::check(input.body, diagnostics);
    let Signature { kind, syntax, .. } = input.signature;
    let mut words = names::words(quote::ToTokens::to_token_stream(input.body));
    words.extend(names::words(quote::ToTokens::to_token_stream(syntax)));
    let complex = words.contains("Complex");
    let names = Names::new(diagnostics, words);
    let mut parser = Parser {
        names,
        numbers: &input.signature.numbers,
        kind: *kind,
        output: input.signature.output.as_ref(),
        items: Vec::new(),
        hosts: Vec::new(),
        casts: Vec::new(),
        methods: Vec::new(),
        functions: Vec::new(),
        depth: 0,
        refutable: false,
        records: input.options.records,
        recorded: input.options.records,
        marked: Vec::new(),
        recomputed: Vec::new(),
        loops: Vec::new(),
        numbered: 0,
        later: BTreeMap::new(),
        refused: BTreeSet::new(),
        assigned: BTreeSet::new(),
        references: BTreeSet::new(),
        copies: Vec::new(),
        fresh: ordinary::Fresh::default(),
        closures: BTreeMap::new(),
    };
    let params = parser.params(input.signature);
    if input.has_derivatives() {
        parser.without_objects(input.signature);
    }
    let (statements, tail) = parser.tail(input.body);
    let (body, result) = parser.body(statements, tail, Span::of_block(input.body));
    match parser.recorded {
        Records::Nothing => parser.without_recompute(),
        Records::Lossy | Records::All => parser.without_undoing(&body),
    }
    parser.keep_apart(&body);
    let output = input.signature.output.clone();
    let result = match &output {
        Some(ty) => result.map(|value| value.of_type(ty)),
        None => result,
    };
    // Complex numbers have a method of their own, beside traits by which floats have one too.
    parser.methods.retain(|method| !complex || method != "conj");
    Program {
        name: input.signature.name.clone(),
        kind: *kind,
        run: Run::Values,
        params,
        items: parser.items.into_iter().chain(parser.fresh.items.iter().map(Syntax::of)).collect(),
        hosts: parser.hosts,
        casts: parser.casts,
        methods: parser.methods,
        functions: parser.functions,
        vars: parser.names.vars,
        ending: Block { stmts: Vec::new(), span: body.span },
        body,
        result,
        numbers: input.signature.numbers.clone(),
        output,
        checks: input.options.checks,
        passes: input.options.passes,
        records: parser.recorded,
        marked: (input.options.records == Records::Nothing).then_some(parser.marked),
    }
}

impl Parser<'_> {
    fn error(&self, span: Span, message: impl Into<String>) {
        self.names.diagnostics.error(span, message);
    }

    fn var(&self, id: VarId) -> &crate::ir::Var {
        &self.names.vars[id.0]
    }

    fn forbid_host(&self, var: VarId, span: Span) {
        if self.var(var).kind == VarKind::Host {
            self.error(
                span,
                format!(
                    "`{0}` is marked `#[host]`: only host statements may use it, because it is not what it was when the \
                     program runs backwards, and only a `#[host]` parameter of another procedure may take it over; drop the mark \
                     or write `#[host]` in front of this statement",
                    self.var(var).written
                ),
            );
        }
    }
}

/// The last name of a path, and the one before it.
fn last_two(path: &syn::Path) -> (Option<&Ident>, Option<&Ident>) {
    let mut segments = path.segments.iter().rev().map(|segment| &segment.ident);
    (segments.next(), segments.next())
}
