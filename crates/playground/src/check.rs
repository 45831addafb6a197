//! What a page shows of a text: messages, programs, and what is derived from them.

use retrograd_compiler::ir::{Activity, Mode, Role};
use retrograd_interpreter::{Compiled, Error, ErrorKind, Module, Run, Way};

use crate::json::Json;

/// The messages of an error, with line and column.
pub(crate) fn messages(error: &Error) -> Json {
    let message = |line: u32, column: u32, text: String| {
        Json::Object(vec![("line", line.into()), ("column", column.into()), ("text", text.into())])
    };
    match &error.kind {
        ErrorKind::Compile(all) => Json::list(all.iter().map(|m| message(m.line, m.column, m.text.clone()))),
        _ => Json::list([message(error.line, error.column, error.to_string().trim_end().to_string())]),
    }
}

/// The names of the programs, and where each stands.
pub(crate) fn programs(module: &Module) -> Json {
    Json::list(module.names().map(|name| {
        let line = module.program(name).map(|program| program.name.span().start().line as u32);
        Json::Object(vec![("name", name.into()), ("line", line.into())])
    }))
}

/// One program: its parameters, itself, its inverse and its adjoint.
pub(crate) fn program(module: &Module, compiled: &Compiled, name: &str) -> Json {
    let Some(program) = module.program(name) else { return Json::Null };
    let params = program.params.iter().enumerate().map(|(i, param)| {
        let var = program.var(param.var);
        let ty = var.ty.as_ref().map(|ty| ty.written.text().replace("& mut", "&mut"));
        let example = module.example(name, i).map_or(String::new(), |value| value.to_string());
        Json::Object(vec![
            ("name", var.written.as_str().into()),
            ("type", ty.unwrap_or_default().into()),
            ("changed", (param.mode == Mode::Change).into()),
            ("active", (var.activity == Activity::Active && param.role == Role::Value).into()),
            ("host", (param.role == Role::Host).into()),
            ("example", example.into()),
        ])
    });
    let text = |way, run| match module.printed(compiled, name, way, run) {
        Some(printed) => {
            Json::Object(vec![("text", printed.text.as_str().into()), ("lines", Json::list(printed.origins))])
        }
        None => Json::Null,
    };
    let forward = module.printed(compiled, name, Way::Forwards, Run::Values);
    // A statement of the drawing is known by its line in the text of the user.
    let diagram = forward.map(|printed| {
        let origin = |line: u32| printed.origins.get(line as usize - 1).copied().flatten();
        retrograd::diagram::with_lines(&printed.text, origin)
    });
    Json::Object(vec![
        ("name", name.into()),
        ("procedure", module.is_procedure(name).into()),
        ("params", Json::list(params)),
        ("diagram", diagram.into()),
        ("inverse", text(Way::Backwards, Run::Values)),
        ("adjoint", text(Way::Forwards, Run::Adjoint)),
    ])
}
