//! The Jacobian of a kernel: each run writes rows of its own.
//!
//! ```text
//! KERNEL void kernel_residuals(usize runs, SLICE(array_number_2, errors), SLICE(array_number_11, cameras), SLICE(..., rows_cameras), ERRORS) {
//!     BEGIN;
//!     ROWS;
//!     FOR_ITS_ROWS(i, runs) {
//!         array_array_shadow_11_2 all_cameras;
//!         UNROLL for (usize row = 0; row < 2; row++) {
//!             array_number_2 errors_here = errors[..];
//!             array_shadow_2 grad_errors_here = ..;
//!             array_array_shadow_11_1 grad_cameras = {{0}};
//!             ..
//!             all_cameras.at[row] = grad_cameras.at[0];
//!         }
//!         STORE_ROWS(array_array_shadow_11_2, rows_cameras, i, all_cameras);
//!     }
//!     END;
//! }
//! ```
//!
//! A run changes copies of its own elements, so that a Jacobian leaves the arguments as they are. How rows come to lie one behind the other in
//! memory is up to the prelude: with CUDA, the lanes of a warp write them together.

use std::fmt::Write;

use super::shared::Shared;
use super::types::Ty;
use super::{Emitter, Parts, Range, Text, Written, refuse};
use crate::analysis::rows::Rows;
use crate::ir::{Expr, Mode, Param, Role};

/// The places of the text that have to do with arguments.
#[derive(Default)]
struct Frame {
    parameters: String,
    /// What all rows of a run are kept in.
    before: String,
    /// What each row begins and ends with.
    begin: String,
    end: String,
    after: String,
}

/// The Jacobian of a kernel in C.
pub fn jacobian(rows: &Rows, parts: &Parts<'_>) -> Written<Text> {
    let core = &rows.core;
    let mut emitter = Emitter::new(core, parts, Shared::none(), 3);
    let frame = emitter.frame(rows)?;
    emitter.block(&core.body)?;
    let (index, body) = (emitter.index(), std::mem::take(&mut emitter.out));
    let Frame { parameters, before, begin, end, after } = frame;
    let text = format!(
        "KERNEL void kernel_{}(usize runs{parameters}, ERRORS) {{\n    BEGIN;\n    ROWS;\n    FOR_ITS_ROWS({index}, runs) {{\n{before}        \
         UNROLL for (usize row = 0; row < {}; row++) {{\n{begin}{body}{end}        }}\n{after}    }}\n    END;\n}}\n",
        core.name, rows.count
    );
    Ok(emitter.finish(text, String::new(), false))
}

impl Emitter<'_> {
    /// The name of the number of the run.
    fn index(&self) -> String {
        self.program.params.first().map(|param| self.names.of_var(param.var)).unwrap_or_default()
    }

    fn frame(&mut self, rows: &Rows) -> Written<Frame> {
        let program = self.program;
        let (mut frame, mut position, mut seeds) = (Frame::default(), 0, 0);
        self.ranges.extend(program.params.first().map(|run| (run.var, Range::RUN)));
        for (i, param) in program.params.iter().enumerate() {
            let ty = self.parameter_type(param)?;
            let name = self.names.of_var(param.var);
            match (param.role, i.checked_sub(1).map(|before| &program.params[before])) {
                // The index is what the loop over the runs counts.
                (Role::Value, None) => self.declare(param.var, ty),
                (Role::Value, Some(_)) => {
                    match &ty {
                        Ty::Slice(of) => {
                            self.arguments.insert(param.var, position);
                            let _ = write!(frame.parameters, ", SLICE({of}, {name})");
                        }
                        _ => {
                            let _ = write!(frame.parameters, ", {ty} {name}");
                        }
                    }
                    if param.mode == Mode::Change {
                        self.line = program.var(param.var).span.line_column().0;
                        let element = self.own_element(param, &ty)?;
                        frame.begin += &element;
                    }
                    self.declare(param.var, ty);
                    position += 1;
                }
                (Role::Shadow, Some(of)) if of.mode == Mode::Change => {
                    let Ty::Slice(of) = &ty else {
                        return refuse(program.var(param.var).span, "each run has elements");
                    };
                    frame.begin += &format!("            {of} {name}_here = {};\n", of.zero());
                    for number in of.each_number() {
                        let _ = writeln!(frame.begin, "            {name}_here{number} = row == {seeds};");
                        seeds += 1;
                    }
                    self.here.insert(param.var);
                    self.declare(param.var, ty);
                }
                (Role::Shadow, Some(of)) => {
                    let written = self.names.of_var(of.var);
                    self.rows_of(param, ty, &written, rows, &mut frame);
                    position += 1;
                }
                (Role::NoShadow, _) => {}
                (Role::Shadow, None) | (Role::Host | Role::Seed | Role::Record, _) => {
                    return refuse(program.var(param.var).span, "a kernel has no such parameter");
                }
            }
        }
        Ok(frame)
    }

    /// A copy of the element that a run changes.
    fn own_element(&mut self, param: &Param, ty: &Ty) -> Written<String> {
        let span = self.program.var(param.var).span;
        let (Ty::Slice(of), Some(run)) = (ty, self.program.params.first()) else {
            return refuse(span, "each run changes its own element");
        };
        let (name, bounds) = (self.names.of_var(param.var), self.bounds(param.var, &Expr::var(run.var, span)));
        of.structs(&mut self.structs);
        self.here.insert(param.var);
        Ok(format!("            {of} {name}_here = {name}[{bounds}({name}, {}, {})];\n", self.index(), self.line))
    }

    /// The rows by what is only read.
    fn rows_of(&mut self, param: &Param, ty: Ty, written: &str, rows: &Rows, frame: &mut Frame) {
        let name = self.names.of_var(param.var);
        let (of_row, local, one) = match (ty, rows.elements.get(&param.var)) {
            (Ty::Slice(of), Some(&len)) => {
                let local = Ty::Array(of.clone(), len);
                match len {
                    1 => (*of, local, ".at[0]"),
                    _ => (local.clone(), local, ""),
                }
            }
            (ty, _) => (ty.clone(), ty, ""),
        };
        let all = Ty::Array(Box::new(of_row), rows.count);
        all.structs(&mut self.structs);
        let (argument, of_run) =
            (self.names.fresh(&format!("rows_{written}")), self.names.fresh(&format!("all_{written}")));
        let _ = write!(frame.parameters, ", SLICE({all}, {argument})");
        let _ = writeln!(frame.before, "        {all} {of_run};");
        let _ = writeln!(frame.begin, "            {local} {name} = {};", local.zero());
        let _ = writeln!(frame.end, "            {of_run}.at[row] = {name}{one};");
        let _ = writeln!(frame.after, "        STORE_ROWS({all}, {argument}, {}, {of_run});", self.index());
        self.declare(param.var, local);
    }
}
