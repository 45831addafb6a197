//! Writes the random programs that `tests/random_programs.rs` runs: each in a module of its own, and a table of them.

use std::path::Path;
use std::{env, fs};

use retrograd_compiler::random;

/// How many programs are tested.
const COUNT: usize = 320;

/// Any other seed should do as well.
const SEED: u64 = 20_261_115;

fn main() {
    let (mut modules, mut table) = (String::new(), String::new());
    for (number, program) in random::corpus(COUNT, SEED).into_iter().enumerate() {
        let random::Program { name, exact, .. } = &program;
        modules.push_str(&module(number, &program));
        table.push_str(&format!(
            "    Program {{ name: {name:?}, exact: {exact}, source: {name}::SOURCE, call: {name}::call, uncall: {name}::uncall }},\n"
        ));
    }
    let text = format!("{modules}\nconst PROGRAMS: &[Program] = &[\n{table}];\n");
    let folder = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&folder).join("random_programs.rs"), text).expect("OUT_DIR can be written");
    println!("cargo::rerun-if-changed=build.rs");
}

/// A module with one program and what calls it. Every other program makes its run-time checks in release builds too.
fn module(number: usize, program: &random::Program) -> String {
    let random::Program { name, source, .. } = program;
    let arguments = "&mut s.x, &mut s.y, &mut s.u, &mut s.s, &mut s.k, &mut s.b, &s.p, &s.m, s.n, s.c, &mut s.h";
    let marked = match number % 2 {
        0 => source.replace("#[reversible]", "#[reversible(checks = \"always\")]"),
        _ => source.clone(),
    };
    format!(
        "mod {name} {{
    use super::State;
    use retrograd::prelude::*;
    pub const SOURCE: &str = {source:?};
    pub fn call(s: &mut State) {{ {name}({arguments}); }}
    pub fn uncall(s: &mut State) {{ {name}::uncall({arguments}); }}
{marked}
}}
"
    )
}
