//! Writes the random programs that a test compiles, to compare them with what they mean.

use std::path::PathBuf;
use std::{env, fs};

use retrograd_random::{Config, program};

/// How many programs are compared.
const COUNT: u64 = 48;

fn main() -> std::io::Result<()> {
    let mut text = String::new();
    let mut table = String::new();
    for number in 0..COUNT {
        let config = Config {
            function: number % 4 == 3,
            generic: !number.is_multiple_of(3),
            size: 2 + (number % 3) as usize,
            depth: 1 + (number % 2) as usize,
            helpers: (number % 2) as usize,
            ..Config::default()
        };
        let written = program(0x5eed + number, &config);
        let kind = if config.function { "function" } else { "procedure" };
        // Derivatives are compared without rustc: what is compiled here are values.
        let compiled = written.source.replace("#[reversible]", "#[reversible(derivatives = \"never\")]");
        text += &format!("pub mod program_{number} {{ use super::*; {compiled} }}\n");
        table += &format!("({:?}, super::{kind}!(program_{number})),\n", written.source);
    }
    text += &format!("pub const ALL: &[(&str, super::Compiled)] = &[{table}];\n");
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    println!("cargo::rerun-if-changed=build.rs");
    fs::write(folder.join("random.rs"), text)
}
