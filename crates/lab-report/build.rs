//! Tells the report by which compiler it was built.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=COMPILER={}", compiler().unwrap_or_else(|| "an unknown compiler".to_string()));
}

/// The name and version of the compiler, as it says itself.
fn compiler() -> Option<String> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_string())
}
