//! What a kernel may do: its runs happen at the same time, on devices that know numbers and arrays.

use std::cell::RefCell;

use crate::analysis::kernel::{Reach, touches};
use crate::diagnostics::Diagnostics;
use crate::ir::{
    Activity, Adapter, Block, Call, Callee, Expr, ExprKind, Kind, Known, Mode, Program, Records, Source, Stmt, Type,
    TypeKind, VarId,
};
use crate::parse::Input;
use crate::print;
use crate::signature::{Parameter, Signature};
use crate::span::Span;

/// Reports what a kernel cannot do, and marks of kernels on what is none.
pub(crate) fn check(program: &Program, input: &Input<'_>, diagnostics: &Diagnostics) {
    let kernel = Kernel { program, signature: input.signature, diagnostics };
    if !input.options.kernel {
        return kernel.unmarked();
    }
    let Some(index) = kernel.signature() else { return };
    kernel.block(&program.body);
    kernel.expressions();
    // Where something else is wrong, it is not known what is touched.
    if !diagnostics.any() {
        kernel.touches(index, input.has_derivatives());
    }
}

struct Kernel<'a> {
    program: &'a Program,
    signature: &'a Signature<'a>,
    diagnostics: &'a Diagnostics,
}

impl Kernel<'_> {
    fn parameters(&self) -> impl Iterator<Item = (&Parameter, Span)> {
        self.signature.parameters.iter().zip(self.signature.syntax.inputs.iter().map(Span::of))
    }

    fn unmarked(&self) {
        for (parameter, span) in self.parameters().filter(|(parameter, _)| parameter.index || parameter.scatter) {
            let mark = if parameter.index { "index" } else { "scatter" };
            self.diagnostics.error(
                span,
                format!("`#[{mark}]` marks a parameter of a kernel; put `#[reversible(kernel)]` on the function, or drop the mark"),
            );
        }
    }

    /// What the signature has to be; the number of the run, if that is there.
    fn signature(&self) -> Option<VarId> {
        let name = Span::of(&self.signature.syntax.ident);
        let error = |span: Span, message: &str| self.diagnostics.error(span, message);
        if self.signature.home.is_associated() {
            error(
                name,
                "a kernel is a free function: put `#[reversible(kernel)]` on a `fn` outside of `impl` and `trait`",
            );
            return None;
        }
        if self.signature.kind == Kind::Function {
            error(
                name,
                "a kernel has no value: let each run change its own element, `y[i] += ..;`, and drop the return type",
            );
        }
        if self.program.records != Records::Nothing {
            let message = "a kernel keeps no record: devices have no memory for what each run would lose; write it without `record`, so \
                           that every statement can be undone";
            let marked = self.program.marked.iter().flatten().next();
            error(*marked.unwrap_or(&name), message);
        }
        let numbers = &self.signature.numbers;
        if numbers.parameters.len() > 1 || !numbers.others.is_empty() {
            error(name, "a kernel has one type of numbers; leave one `T: Real`, or write `f64` or `f32`");
        }
        for (parameter, span) in self.parameters() {
            self.parameter(parameter, span);
        }
        let first = self.signature.parameters.first().filter(|first| first.index && first.value.is("usize"));
        if first.is_none_or(|first| first.mode != Mode::Value) {
            error(name, "a kernel is run once for each index: its first parameter is `#[index] i: usize`");
            return None;
        }
        self.program.params.first().map(|param| param.var)
    }

    fn parameter(&self, parameter: &Parameter, span: Span) {
        let Parameter { name, mode, value, host, index, scatter, active, .. } = parameter;
        let is_slice = matches!(value.kind, TypeKind::Slice(_));
        let message = if *host {
            format!("`{name}` is marked `#[host]`, and a kernel has no host statements; drop the parameter")
        } else if *index && !std::ptr::eq(parameter, &self.signature.parameters[0]) {
            "only the first parameter of a kernel is its `#[index]`".to_string()
        } else if *mode == Mode::Change && !is_slice {
            format!(
                "all runs of a kernel would change `{name}` at the same time; take `{name}: &mut [..]`, of which each run changes its own \
                 element"
            )
        } else if *scatter && (*mode != Mode::Borrow || !is_slice || !active) {
            format!(
                "`#[scatter]` marks a slice that is read and through which derivatives flow; drop it in front of `{name}`"
            )
        } else if let Some(inside) = unknown(value) {
            format!(
                "devices know numbers, `bool`, arrays, tuples and structs of them, and slices behind one reference, but not {inside}; take \
                 `{name}` as one of these"
            )
        } else {
            return;
        };
        self.diagnostics.error(span, message);
    }

    fn block(&self, block: &Block) {
        for stmt in &block.stmts {
            let mut inner = stmt;
            while let Stmt::Unchecked(s) | Stmt::Inverse(s) = inner {
                inner = s;
            }
            self.stmt(inner);
            stmt.blocks().into_iter().for_each(|block| self.block(block));
        }
    }

    fn stmt(&self, stmt: &Stmt) {
        let message = match stmt {
            Stmt::Host(_) => {
                "a kernel has no host statements: there is no host where it runs; look at what it leaves, outside of it"
            }
            Stmt::Call(Call { callee: Callee::Path(path), .. }) if self.is_own(path) => RECURSION,
            Stmt::Call(Call { callee: Callee::Associated(_) | Callee::Method { .. }, .. }) => METHOD,
            Stmt::For(f) => {
                let counts = matches!(f.iter.source, Source::Range { .. })
                    && f.iter.adapters.iter().all(|adapter| matches!(adapter, Adapter::Rev | Adapter::StepBy(_)));
                if counts {
                    return;
                }
                return self.diagnostics.error(f.iter.span, COUNTS);
            }
            Stmt::Begin(b) => {
                if let Some(inside) = b.ty.as_ref().and_then(|ty| unknown(ty.pointee())) {
                    let known = "the locals of a kernel are numbers, `bool`, and arrays, tuples and structs of them";
                    self.diagnostics.error(b.span, format!("{known}: devices do not know {inside}"));
                }
                return;
            }
            _ => return,
        };
        self.diagnostics.error(stmt.span(), message);
    }

    fn is_own(&self, path: &crate::ir::Path) -> bool {
        path.of.is_none() && path.segments.len() == 1 && *path.last() == self.signature.name
    }

    fn expressions(&self) {
        let errors = RefCell::new(Vec::new());
        self.program.body.rewritten(&|e| {
            let message = self.refusal(e)?;
            errors.borrow_mut().push((e.span, message));
            // What is inside of it is no news.
            Some(e.clone())
        });
        errors.into_inner().into_iter().for_each(|(span, message)| self.diagnostics.error_once(span, message));
    }

    /// Why an expression cannot be one of a kernel.
    fn refusal(&self, e: &Expr) -> Option<&'static str> {
        match &e.kind {
            ExprKind::Macro { path, .. } if path.last() == "vec" => Some(VECTOR),
            ExprKind::Closure { .. } => {
                Some("a kernel has no closures; write a reversible function, and call it by its path")
            }
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Path(path) if self.is_own(path) => Some(RECURSION),
                ExprKind::Path(path) if path.of_the_prelude().is_some() => Some(VECTOR),
                _ => None,
            },
            ExprKind::Method { receiver, method, .. } => match method.known {
                Some(Known::Elementary(_) | Known::SinCos | Known::Shape) => None,
                Some(Known::Form) if method.name == "clone" => None,
                Some(Known::Form | Known::Collect) => Some(VECTOR),
                Some(Known::Stops) if method.name.to_string().starts_with("is_") => None,
                Some(Known::Iteration(_)) => Some(COUNTS),
                _ if receiver.is_iterator() => Some(COUNTS),
                _ => Some(METHOD),
            },
            _ => None,
        }
    }

    /// Each run changes what is its own, reads nothing that another one changes, and adjoints of what it reads can be added up.
    fn touches(&self, index: VarId, derivatives: bool) {
        let i = &self.program.var(index).written;
        for touch in touches(self.program, index) {
            let access = &touch.access;
            let var = access.place.root;
            let Some(param) = self.program.params.iter().find(|param| param.var == var) else { continue };
            let (name, place) = (&self.program.var(var).written, print::place(&self.program.vars, &access.written));
            let own =
                format!("`{name}[{i}]`, or in the row `{name}[{i} * d + k]` with 0 ≤ k < d where that can be seen");
            let message = match (param.mode, touch.changed, touch.reach) {
                (Mode::Change, _, Reach::Own) => continue,
                (Mode::Change, true, _) => format!(
                    "`{place}` is not visibly this run's own: the runs of a kernel happen at the same time, and each may change its own \
                     element only: {own} (`for k in 0..d`, the same `d` wherever `{name}` is used, and the same for all runs)"
                ),
                (Mode::Change, false, _) => format!(
                    "`{place}` is not visibly this run's own, and another run may change it at the same time: of a slice that a kernel \
                     changes, each run reads its own element only: {own}; read the others from a second slice, which the kernel does not \
                     change"
                ),
                (Mode::Borrow | Mode::Value, _, Reach::Own | Reach::Shifted | Reach::Uniform) => continue,
                (Mode::Borrow | Mode::Value, _, Reach::Elsewhere) => {
                    let active = derivatives && self.program.var(var).activity == Activity::Active;
                    let marked =
                        self.signature.parameters.iter().any(|p| p.scatter && p.name == self.program.var(var).name);
                    if !active || marked {
                        continue;
                    }
                    format!(
                        "which element of `{name}` this reads depends on data, so the adjoints of any number of runs may meet there; mark \
                         the parameter, `#[scatter] {name}: ..`, and they are added one by one in no fixed order, or use an index that \
                         says which runs meet: `{i}`, `{i} + o` with a fixed `o`, a row `{i} * d + k`, or loop counters and arguments \
                         that are the same for all runs"
                    )
                }
            };
            self.diagnostics.error_once(access.span, message);
        }
    }
}

const VECTOR: &str = "a kernel has no memory to allocate from: devices know locals whose size is written in their type; use an array, \
                      `let mut v = [T::zero(); 3];`, or a slice that the kernel is given";
const METHOD: &str = "a kernel calls functions by their paths, `g(..)`, and has the methods of numbers only: devices know nothing else; \
                      write a reversible function";
const COUNTS: &str =
    "the loops of a kernel count, `for k in 0..n`, with `.rev()` and `.step_by(s)`; devices have no iterators";
const RECURSION: &str = "a kernel does not call itself: devices have no stack to speak of; write a loop";

/// What devices do not know of a type, if there is something.
fn unknown(ty: &Type) -> Option<String> {
    match &ty.kind {
        TypeKind::Slice(of) | TypeKind::Array { of, .. } if matches!(of.kind, TypeKind::Slice(_)) => {
            Some("slices of slices".to_string())
        }
        TypeKind::Slice(of) | TypeKind::Array { of, .. } => unknown(of),
        TypeKind::Tuple(all) => all.iter().find_map(unknown),
        TypeKind::Named { name, .. } if UNKNOWN.iter().any(|unknown| name == unknown) => Some(format!("`{name}`")),
        TypeKind::Named { arguments, .. } => arguments.iter().find_map(unknown),
        TypeKind::Reference { .. } => Some("references inside of types".to_string()),
        TypeKind::Other => Some("trait objects and functions".to_string()),
    }
}

/// Types of libraries that allocate, or that only a host has.
const UNKNOWN: &[&str] = &[
    "Vec",
    "Box",
    "Rc",
    "Arc",
    "String",
    "str",
    "char",
    "Stack",
    "Slots",
    "Record",
    "Option",
    "VecDeque",
    "HashMap",
    "BTreeMap",
    "HashSet",
    "BTreeSet",
    "Cow",
    "InformationBuffer",
    "u128",
    "i128",
];
