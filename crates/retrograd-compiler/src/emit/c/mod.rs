//! Core in, C out: one text that is CUDA C++ and OpenCL C, behind a prelude for each.
//!
//! ```text
//! KERNEL void kernel_drift(usize runs, SLICE(number, x), SLICE(number, v), number dt, ERRORS) {
//!     FOR_ITS_RUN(i, runs) {
//!         AT(x, i, 3) += (dt * AT(v, i, 3));
//!     }
//! }
//! ```
//!
//! A slice is a pointer and a length. Behind its last element lies one more, which takes what is written out of bounds. Every variable has a
//! type; a program in which one does not follow from those that are written is not translated, and neither is one that has something that
//! has no counterpart yet.

mod calls;
mod expr;
mod matching;
mod names;
mod plan;
mod range;
mod restored;
mod rows;
mod shared;
mod stmt;
mod types;

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write;

pub use self::calls::{Called, Constant};
use self::names::Names;
use self::range::{Range, Ranges};
pub use self::rows::jacobian;
use self::shared::Shared;
pub use self::shared::Temporary;
use self::types::Ty;
use proc_macro2::Ident;

use crate::ir::{Expr, ExprKind, Kind, Mode, Param, Path, Program, Role, Run, Type, VarId, VarKind};
use crate::optimize::with_views;
use crate::span::Span;

/// Why a program cannot be written in C.
#[derive(Debug)]
pub struct Untranslatable {
    /// The line that cannot.
    pub line: u32,
    /// Why.
    pub reason: String,
}

type Written<T> = Result<T, Untranslatable>;

fn refuse<T>(span: Span, reason: impl Into<String>) -> Written<T> {
    Err(Untranslatable { line: span.line_column().0, reason: reason.into() })
}

/// A function in C.
#[derive(Debug)]
pub struct Text {
    /// Its text, which a prelude and its structs stand in front of.
    pub text: String,
    /// The structs that it uses: their names and what is in them, innermost first.
    pub structs: Vec<(String, String)>,
    /// What it returns.
    pub returns: String,
    /// What it calls.
    pub callees: Vec<Called>,
    /// The constants that it names.
    pub constants: Vec<Constant>,
    /// What a kernel needs besides its arguments.
    pub temporaries: Vec<Temporary>,
    /// Whether `gather_f` comes after it.
    pub gathers: bool,
    /// Whether its threads are for all elements of its arguments, and not for runs alone.
    pub elements: bool,
    /// Arguments, with how often the number of the last run and how much more an index of them can be at most, where that is not checked.
    pub reached: Vec<(usize, usize, usize)>,
}

/// What is known of a program besides its core.
pub struct Parts<'a> {
    /// The parameters of a kernel that are marked `#[scatter]`.
    pub scatter: Vec<&'a Ident>,
    /// The functions that are known to have companions.
    pub called: Vec<Path>,
    /// Its generic parameters.
    pub generics: Vec<&'a Ident>,
}

/// Writes one core.
struct Emitter<'p> {
    program: &'p Program,
    parts: &'p Parts<'p>,
    /// The type of its numbers, as it is written.
    number: String,
    types: HashMap<VarId, Ty>,
    names: Names,
    /// The structs that are used, innermost first.
    structs: Vec<Ty>,
    /// What runs share.
    shared: Shared<'p>,
    /// Parameters behind pointers.
    pointers: HashSet<VarId>,
    /// The slices of which a run has a copy of its own element, and touches nothing else.
    here: HashSet<VarId>,
    /// The slices of which a run touches the element with its own number.
    own: RefCell<BTreeSet<VarId>>,
    callees: RefCell<Vec<Called>>,
    constants: RefCell<Vec<Constant>>,
    out: String,
    depth: usize,
    /// The largest values of counters in loops that are unrolled.
    counters: HashMap<VarId, usize>,
    /// How large integers can be.
    ranges: Ranges,
    /// The counters of loops that are not written out.
    rolled: HashSet<VarId>,
    /// The slices among the arguments, by their positions.
    arguments: HashMap<VarId, usize>,
    /// The largest indices of arguments: how often the number of the run, and how much more.
    reached: RefCell<BTreeSet<(usize, i128, i128)>>,
    /// Where the statement stands that is being written.
    line: u32,
    /// Whether nothing has been written since terms for a neighbour, in the same block.
    unchanged: bool,
}

impl<'p> Emitter<'p> {
    fn new(core: &'p Program, parts: &'p Parts<'p>, shared: Shared<'p>, depth: usize) -> Emitter<'p> {
        Emitter {
            program: core,
            parts,
            number: number(core),
            types: HashMap::new(),
            names: Names::of(core),
            structs: Vec::new(),
            shared,
            pointers: HashSet::new(),
            here: HashSet::new(),
            own: RefCell::default(),
            callees: RefCell::default(),
            constants: RefCell::default(),
            out: String::new(),
            depth,
            counters: HashMap::new(),
            ranges: Ranges::new(),
            rolled: HashSet::new(),
            arguments: HashMap::new(),
            reached: RefCell::default(),
            line: 0,
            unchanged: false,
        }
    }

    fn finish(self, text: String, returns: String, gathers: bool) -> Text {
        let structs = self.structs.iter().map(|ty| (ty.to_string(), ty.members().trim_end().to_string())).collect();
        let (temporaries, elements) = (self.shared.temporaries(), self.for_elements());
        let (callees, constants) = (self.callees.into_inner(), self.constants.into_inner());
        let reached = self.reached.into_inner().into_iter().map(|(argument, per_run, more)| {
            let nonnegative = |value: i128| usize::try_from(value).unwrap_or(usize::MAX);
            (argument, nonnegative(per_run), nonnegative(more))
        });
        let reached = reached.collect();
        Text { text, structs, returns, callees, constants, temporaries, gathers, elements, reached }
    }
}

/// The core of a kernel in C.
pub fn kernel(core: &Program, parts: &Parts<'_>) -> Written<Text> {
    let viewed = Program { vars: with_views(core), ..core.clone() };
    let mut emitter = Emitter::new(core, parts, Shared::of(core, &viewed, &parts.scatter), 2);
    let parameters = emitter.parameters()?;
    emitter.ranges.extend(core.params.first().map(|run| (run.var, Range::RUN)));
    emitter.stage();
    emitter.block(&core.body)?;
    emitter.flush();
    let index = core.params.first().map(|param| emitter.names.of_var(param.var)).unwrap_or_default();
    let (gather, body) = (emitter.gather()?, std::mem::take(&mut emitter.out));
    let statements = emitter.framed(&index, &body);
    let (name, temporaries) = (&core.name, emitter.shared.parameters());
    let staged = if emitter.shared.is_staged() { "STAGED_" } else { "" };
    let mut text = format!(
        "{staged}KERNEL void kernel_{name}(usize runs{parameters}{temporaries}, ERRORS) {{\n    BEGIN;\n{statements}    END;\n}}\n"
    );
    if let Some(gather) = &gather {
        let _ = write!(
            text,
            "KERNEL void gather_{name}(usize runs{parameters}{temporaries}, ERRORS) {{\n    BEGIN;\n{gather}    END;\n}}\n"
        );
    }
    Ok(emitter.finish(text, String::new(), gather.is_some()))
}

/// The core of a function or procedure that a kernel may call.
pub fn function(core: &Program, parts: &Parts<'_>) -> Written<Text> {
    let mut emitter = Emitter::new(core, parts, Shared::none(), 1);
    let (mut parameters, output) = emitter.function_parameters()?;
    emitter.block(&core.body)?;
    if let Some(output) = &output {
        if core.run == Run::Tangent {
            parameters.push(format!("{} *tangent_of_value", output.shadow()));
        }
        emitter.returned(output)?;
    }
    parameters.push("FAILED".to_string());
    let returns = output.map_or_else(|| "void".to_string(), |ty| ty.to_string());
    let body = std::mem::take(&mut emitter.out);
    let text = format!("FUNCTION {returns} SELF({}) {{\n{body}}}\n", parameters.join(", "));
    let returns = if core.kind == Kind::Procedure { String::new() } else { returns };
    Ok(emitter.finish(text, returns, false))
}

/// The type of the numbers of a kernel: its type parameter, or the float that its arguments are made of.
fn number(core: &Program) -> String {
    let is_single = |ty: &Type| ty.mentions(&proc_macro2::Ident::new("f32", proc_macro2::Span::call_site()));
    let mut types = core.params.iter().filter_map(|param| core.var(param.var).ty.as_ref());
    match core.numbers.parameters.first() {
        Some(parameter) => parameter.to_string(),
        None if types.any(is_single) => "f32".to_string(),
        None => "f64".to_string(),
    }
}

impl Emitter<'_> {
    /// The parameters behind the number of runs, in the order of the core; what has no derivative has no shadow.
    fn parameters(&mut self) -> Written<String> {
        let mut text = String::new();
        let mut position = 0;
        for (i, param) in self.program.params.iter().enumerate() {
            let (var, ty) = (self.program.var(param.var), self.parameter_type(param)?);
            self.declare(param.var, ty.clone());
            let name = self.names.of_var(param.var);
            match param.role {
                // The index is what the loop over the runs counts.
                Role::Value if i == 0 => {}
                Role::Value | Role::Shadow => match (&ty, param.mode) {
                    (Ty::Slice(of), _) => {
                        self.arguments.insert(param.var, position);
                        let _ = write!(text, ", SLICE({of}, {name})");
                    }
                    // What all runs add to.
                    (_, Mode::Change) => {
                        let _ = write!(text, ", SLICE({ty}, {name})");
                    }
                    (_, Mode::Borrow | Mode::Value) => {
                        let _ = write!(text, ", {ty} {name}");
                    }
                },
                Role::NoShadow => {}
                Role::Host | Role::Seed | Role::Record => return refuse(var.span, "a kernel has no such parameter"),
            }
            position += usize::from(i > 0 && matches!(param.role, Role::Value | Role::Shadow));
        }
        Ok(text)
    }

    /// The type of a parameter of a kernel.
    fn parameter_type(&self, param: &Param) -> Written<Ty> {
        let var = self.program.var(param.var);
        match var.ty.as_ref().and_then(|ty| Ty::of(ty, &self.number)) {
            Some(ty) if param.role == Role::Shadow => Ok(ty.shadow()),
            Some(ty) => Ok(ty),
            None => refuse(var.span, format!("the type of `{}` has no counterpart in C yet", var.written)),
        }
    }

    /// The type of a variable.
    fn var_type(&self, var: VarId, span: Span) -> Written<Ty> {
        match self.types.get(&var) {
            Some(ty) => Ok(ty.clone()),
            None => {
                let name = &self.program.var(var).written;
                refuse(span, format!("the type of `{name}` is not known; write it: `let {name}: .. = ..;`"))
            }
        }
    }

    /// A variable of the text alone.
    fn named(&mut self, name: &str, ty: Ty) -> VarId {
        let var = VarId(self.program.vars.len() + self.types.len());
        self.names.insert(var, name);
        self.declare(var, ty);
        var
    }

    /// A variable has this type from here on.
    fn declare(&mut self, var: VarId, ty: Ty) {
        ty.structs(&mut self.structs);
        self.types.insert(var, ty);
    }

    /// Whether the index is the number of the run, and the slice an argument.
    fn is_own(&self, slice: VarId, index: &Expr) -> bool {
        let run = self.program.params.first().filter(|_| self.shared.has_runs());
        !self.is_view(slice) && run.is_some_and(|run| index.kind == ExprKind::Var(run.var))
    }

    /// Whether the variable is a part of a slice.
    fn is_view(&self, var: VarId) -> bool {
        !self.program.params.iter().any(|param| param.var == var)
    }

    /// Whether the variable is a derivative.
    fn is_shadow(&self, var: VarId) -> bool {
        self.program.vars.get(var.0).is_some_and(|var| matches!(var.kind, VarKind::Shadow { .. }))
    }
}
