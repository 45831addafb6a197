//! Writes the random programs that `tests/random_1.rs`, `tests/ordinary_1.rs` and their neighbours run: each in a module of its
//! own, and tables of them; and random kernels.
//! Writes copies of programs with other options.

#[path = "build/variants.rs"]
mod variants;

use std::path::Path;
use std::{env, fs};

use retrograd_compiler::passes::Pass;
use retrograd_random as random;

/// How many programs are tested, unless `RETROGRAD_RANDOM` says another number.
const COUNT: usize = 520;

/// How many programs of ordinary Rust are tested.
const ORDINARY: usize = 600;

/// How many kernels are tested, unless `RETROGRAD_KERNELS` says another number.
const KERNELS: usize = 16;

/// Any other seed should do as well.
const SEED: u64 = 20_261_115;

/// One test for each part: cargo compiles them side by side.
const PARTS: usize = 4;

fn main() {
    let folder = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    let count =
        env::var("RETROGRAD_RANDOM").map_or(COUNT, |count| count.parse().expect("`RETROGRAD_RANDOM` is a number"));
    let programs = random::corpus(count, SEED);
    for part in 1..=PARTS {
        let mine: Vec<&random::Program> = programs.iter().skip(part - 1).step_by(PARTS).collect();
        let text = mine.iter().enumerate().map(|(number, program)| module(number, program)).collect::<String>();
        let names =
            |wanted| mine.iter().filter(move |program| constant(program) == wanted).map(|program| &program.name);
        let text = text + &table("PROCEDURE", names("PROCEDURE")) + &table("FUNCTION", names("FUNCTION"));
        fs::write(Path::new(&folder).join(format!("random_{part}.rs")), text).expect("OUT_DIR can be written");
    }
    let programs = random::ordinary(ORDINARY, SEED);
    for part in 1..=PARTS {
        let mine: Vec<&random::Ordinary> = programs.iter().skip(part - 1).step_by(PARTS).collect();
        let text = mine.iter().enumerate().map(|(number, program)| recorded(number, program)).collect::<String>();
        let names =
            |constant| mine.iter().filter(move |program| form(program).0 == constant).map(|program| &program.name);
        let text = text + &table("PROCEDURE", names("PROCEDURE")) + &table("FUNCTION", names("FUNCTION"));
        fs::write(Path::new(&folder).join(format!("ordinary_{part}.rs")), text).expect("OUT_DIR can be written");
    }
    let count =
        env::var("RETROGRAD_KERNELS").map_or(KERNELS, |count| count.parse().expect("`RETROGRAD_KERNELS` is a number"));
    let kernels = random::kernels(count, SEED);
    // A random kernel need not use all it is given, and is no example of style.
    let text = kernels.iter().map(|random::Kernel { name, source }| {
        format!("#[allow(unused_variables, clippy::all)]\nmod {name} {{\nuse retrograd::prelude::*;\n{source}\n}}\n")
    });
    let names = kernels.iter().map(|kernel| format!("    {0}::{0}\n", kernel.name)).collect::<String>();
    let text = text.collect::<String>() + &format!("agree! {{\n{names}}}\n");
    fs::write(Path::new(&folder).join("kernels.rs"), text).expect("OUT_DIR can be written");
    fs::write(Path::new(&folder).join("variants.rs"), variants::all()).expect("OUT_DIR can be written");
    println!("cargo::rerun-if-env-changed=RETROGRAD_RANDOM");
    println!("cargo::rerun-if-env-changed=RETROGRAD_KERNELS");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
}

/// The constant of a program's module that has its runs.
fn constant(program: &random::Program) -> &'static str {
    if program.results.is_none() { "PROCEDURE" } else { "FUNCTION" }
}

/// A module with one program. Every third program makes its run-time checks in release builds too, and every sixth does
/// without some pass of the compiler.
fn module(number: usize, program: &random::Program) -> String {
    let random::Program { name, source, exact, .. } = program;
    let marked = match number % 6 {
        0 | 3 => source.replace("#[reversible]", "#[reversible(checks = \"always\")]"),
        1 => {
            let pass = Pass::ALL[number / 6 % Pass::ALL.len()].name();
            source.replace("#[reversible]", &format!("#[reversible(without = \"{pass}\")]"))
        }
        _ => source.clone(),
    };
    let (constant, kind) = match program.results {
        None => ("PROCEDURE: Procedure", "procedure"),
        Some(random::Results::One) => ("FUNCTION: Function", "scalar"),
        Some(random::Results::Pair | random::Results::Array) => ("FUNCTION: Function", "function"),
    };
    let numbers = if program.generic { "generic" } else { "plain" };
    let runs = format!("{kind}!({name}, {numbers}, {exact}, SOURCE)");
    let (runs, kept) = match with_record(number, program) {
        Some(kept) => (
            format!("Function {{ recorded: Some(pullback!(kept)), ..{runs} }}"),
            format!("    mod recorded {{\n        use super::*;\n{kept}\n    }}\n    use recorded::{name} as kept;\n"),
        ),
        None => (runs, String::new()),
    };
    format!(
        "mod {name} {{
    use super::*;
    const SOURCE: &str = {source:?};
    pub const {constant} = {runs};
{marked}
{kept}}}
"
    )
}

/// The same function with records, of every third one that runs nothing backwards: only the record does that there.
fn with_record(number: usize, program: &random::Program) -> Option<String> {
    let source = &program.source;
    let runs_backwards = ["#[inverse]", "uncall", "#[compute]"].iter().any(|text| source.contains(text));
    let wanted = program.results.is_some() && number % 3 == 2 && !runs_backwards;
    wanted.then(|| source.replace("#[reversible]", "#[reversible(record)]"))
}

/// The constant of the module of an ordinary program that has its runs, its type, and the macro that makes it.
fn form(program: &random::Ordinary) -> (&'static str, &'static str, &'static str) {
    match program.form {
        random::Form::Function => ("FUNCTION", "Function", "function!"),
        random::Form::Procedure { keeps_all: false } => ("PROCEDURE", "Procedure", "procedure!"),
        random::Form::Procedure { keeps_all: true } => ("PROCEDURE", "Procedure", "keeps_all!"),
    }
}

/// A module with one program of ordinary Rust, and the same as plain Rust. Every third makes its run-time checks in release
/// builds too.
fn recorded(number: usize, program: &random::Ordinary) -> String {
    let random::Ordinary { name, source, plain, .. } = program;
    let marked = match number % 3 {
        0 => source.replace("#[reversible(record", "#[reversible(checks = \"always\", record"),
        _ => source.clone(),
    };
    let (constant, kind, runs) = form(program);
    // Plain Rust is compiled in debug builds only: it means the same in others, and takes as long as the programs.
    let (plain, run) = match plain.as_ref().filter(|_| env::var("PROFILE").as_deref() == Ok("debug")) {
        Some(items) => (
            format!("    mod plain {{\n        use super::*;\n        type T = f64;\n{items}\n    }}\n"),
            format!("Some(plain::{name})"),
        ),
        None => (String::new(), "None".into()),
    };
    format!(
        "mod {name} {{
    use super::*;
    const SOURCE: &str = {source:?};
    pub const {constant}: {kind} = {runs}({name}, {run}, SOURCE);
{marked}
{plain}}}
"
    )
}

/// The list of all procedures or of all functions.
fn table<'a>(constant: &str, names: impl Iterator<Item = &'a String>) -> String {
    let rows: String = names.map(|name| format!("    {name}::{constant},\n")).collect();
    let kind = if constant == "PROCEDURE" { "Procedure" } else { "Function" };
    format!("pub const {constant}S: &[{kind}] = &[\n{rows}];\n")
}
