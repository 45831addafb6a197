//! Core in, C out: one text that is CUDA C++ and OpenCL C, behind a prelude for each.
//!
//! ```text
//! KERNEL void kernel_drift(usize runs, SLICE(number, x), SLICE(number, v), number dt, ERRORS) {
//!     FOR_EACH_RUN(i, runs) {
//!         AT(x, i, 3) += (dt * AT(v, i, 3));
//!     }
//! }
//! ```
//!
//! A slice is a pointer and a length. Behind its last element lies one more, which takes what is written out of bounds. Every variable has a
//! type; a program in which one does not follow from those that are written is not translated, and neither is one that has something that
//! has no counterpart yet.

mod expr;
mod matching;
mod names;
mod restored;
mod shared;
mod stmt;
mod types;

use std::collections::HashMap;
use std::fmt::Write;

use self::names::Names;
pub use self::shared::Temporary;
use self::shared::{Frame, Shared};
use self::types::Ty;
use crate::ir::{Mode, Program, Role, Type, VarId, VarKind};
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

/// A kernel in C.
#[derive(Debug)]
pub struct Kernel {
    /// Its text, which a prelude stands in front of.
    pub text: String,
    /// What it needs besides its arguments.
    pub temporaries: Vec<Temporary>,
    /// Whether `gather_f` comes after it.
    pub gathers: bool,
}

/// Writes one core.
struct Emitter<'p> {
    program: &'p Program,
    /// The type of its numbers, as it is written.
    number: String,
    types: HashMap<VarId, Ty>,
    names: Names,
    /// The structs that are used, innermost first.
    structs: Vec<Ty>,
    /// What runs share.
    shared: Shared<'p>,
    out: String,
    depth: usize,
    /// Where the statement stands that is being written.
    line: u32,
    /// Whether nothing has been written since terms for a neighbour, in the same block.
    unchanged: bool,
}

/// The core of a kernel in C. `scatter` says which arguments are marked so.
pub fn kernel(core: &Program, scatter: &dyn Fn(VarId) -> bool) -> Written<Kernel> {
    let viewed = Program { vars: with_views(core), ..core.clone() };
    let mut emitter = Emitter {
        program: core,
        number: number(core),
        types: HashMap::new(),
        names: Names::of(core),
        structs: Vec::new(),
        shared: Shared::of(&viewed, scatter),
        out: String::new(),
        depth: 2,
        line: 0,
        unchanged: false,
    };
    let parameters = emitter.parameters()?;
    emitter.block(&core.body)?;
    let index = core.params.first().map(|param| emitter.names.of_var(param.var)).unwrap_or_default();
    let (gather, body) = (emitter.gather()?, std::mem::take(&mut emitter.out));
    let Frame { before, each_before, each_after, after } = emitter.frame(&index);
    let mut text = String::new();
    for ty in &emitter.structs {
        let _ = writeln!(text, "typedef struct {{ {} }} {ty};", ty.members().trim_end());
    }
    let (name, temporaries) = (&core.name, emitter.shared.parameters());
    let _ = write!(
        text,
        "KERNEL void kernel_{name}(usize runs{parameters}{temporaries}, ERRORS) {{\n{before}    FOR_EACH_RUN({index}, runs) \
         {{\n{each_before}{body}{each_after}    }}\n{after}}}\n"
    );
    if let Some(gather) = &gather {
        let _ = write!(text, "KERNEL void gather_{name}(usize runs{parameters}{temporaries}, ERRORS) {{\n{gather}}}\n");
    }
    Ok(Kernel { text, temporaries: emitter.shared.temporaries(), gathers: gather.is_some() })
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
        for (i, param) in self.program.params.iter().enumerate() {
            let var = self.program.var(param.var);
            let ty = var.ty.as_ref().and_then(|ty| Ty::of(ty, &self.number));
            let Some(ty) = ty else {
                return refuse(var.span, format!("the type of `{}` has no counterpart in C yet", var.written));
            };
            let ty = if param.role == Role::Shadow { ty.shadow() } else { ty };
            self.types.insert(param.var, ty.clone());
            ty.structs(&mut self.structs);
            let name = self.names.of_var(param.var);
            match param.role {
                // The index is what the loop over the runs counts.
                Role::Value if i == 0 => {}
                Role::Value | Role::Shadow => match (&ty, param.mode) {
                    (Ty::Slice(of), _) => {
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
        }
        Ok(text)
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

    /// A variable has this type from here on.
    fn declare(&mut self, var: VarId, ty: Ty) {
        ty.structs(&mut self.structs);
        self.types.insert(var, ty);
    }

    /// Whether the variable is a part of a slice.
    fn is_view(&self, var: VarId) -> bool {
        !self.program.params.iter().any(|param| param.var == var)
    }

    /// Whether the variable is a derivative.
    fn is_shadow(&self, var: VarId) -> bool {
        matches!(self.program.var(var).kind, VarKind::Shadow { .. })
    }
}
