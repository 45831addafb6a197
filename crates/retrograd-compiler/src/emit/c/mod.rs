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
mod names;
mod stmt;
mod types;

use std::collections::HashMap;
use std::fmt::Write;

use self::names::Names;
use self::types::Ty;
use crate::analysis::kernel::{Reach, touches};
use crate::ir::{Mode, Program, Role, Type, VarId, VarKind};
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

/// Writes one core.
struct Emitter<'p> {
    program: &'p Program,
    /// The type of its numbers, as it is written.
    number: String,
    types: HashMap<VarId, Ty>,
    names: Names,
    /// The structs that are used, innermost first.
    structs: Vec<Ty>,
    out: String,
    depth: usize,
    /// Where the statement stands that is being written.
    line: u32,
}

/// The core of a kernel as text that a prelude stands in front of.
pub fn kernel(core: &Program) -> Written<String> {
    let mut emitter = Emitter {
        program: core,
        number: number(core),
        types: HashMap::new(),
        names: Names::of(core),
        structs: Vec::new(),
        out: String::new(),
        depth: 2,
        line: 0,
    };
    let parameters = emitter.parameters()?;
    emitter.shared()?;
    emitter.block(&core.body)?;
    let mut text = String::new();
    for ty in &emitter.structs {
        let _ = writeln!(text, "typedef struct {{ {} }} {ty};", ty.members().trim_end());
    }
    let (name, body) = (&core.name, &emitter.out);
    let index = core.params.first().map(|param| emitter.names.of_var(param.var)).unwrap_or_default();
    let _ = write!(
        text,
        "KERNEL void kernel_{name}(usize runs{parameters}, ERRORS) {{\n    FOR_EACH_RUN({index}, runs) {{\n{body}    }}\n}}\n"
    );
    Ok(text)
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
                    (_, Mode::Change) => {
                        let shared =
                            "belongs to all runs, and adjoints that they share are not added up on devices yet";
                        return refuse(var.span, format!("`{}` {shared}", var.written));
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

    /// What a run adds to has to be its own.
    fn shared(&self) -> Written<()> {
        let Some(index) = self.program.params.first() else { return Ok(()) };
        let is_shadow =
            |var: VarId| self.program.params.iter().any(|param| param.var == var && param.role == Role::Shadow);
        for touch in touches(self.program, index.var) {
            let (var, span) = (touch.access.place.root, touch.access.span);
            if touch.changed && touch.reach != Reach::Own && is_shadow(var) {
                let name = &self.program.var(var).written;
                return refuse(
                    span,
                    format!(
                        "`{name}` belongs to all runs, and adjoints that they share are not added up on devices yet"
                    ),
                );
            }
        }
        Ok(())
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
