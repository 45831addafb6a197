//! Writes the page of the playground, with the module that it runs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt, fs, io};

/// The target that browsers run.
const TARGET: &str = "wasm32-unknown-unknown";

/// Why there is no page.
#[derive(Debug)]
pub enum Failure {
    /// A tool could not be run.
    Unrunnable(String, io::Error),
    /// rustc has no library for browsers.
    NoTarget,
    /// cargo could not build the module, and said this.
    Unbuilt(String),
    /// A file could not be read or written.
    File(PathBuf, io::Error),
    /// A program of the gallery is no Rust.
    Gallery(String),
}

impl std::error::Error for Failure {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Unrunnable(tool, error) => write!(f, "`{tool}` could not be run: {error}"),
            Failure::NoTarget => write!(
                f,
                "the page runs a WebAssembly module, and rustc has no library for it; run `rustup target add {TARGET}` first"
            ),
            Failure::Unbuilt(why) => write!(f, "the module of the page could not be built; cargo says:\n{why}"),
            Failure::File(path, error) => write!(f, "{}: {error}", path.display()),
            Failure::Gallery(error) => write!(f, "the gallery could not be read: {error}"),
        }
    }
}

/// Builds the module, and writes the page into a file.
pub fn write(out: &Path) -> Result<(), Failure> {
    let module = module()?;
    let module = fs::read(&module).map_err(|error| Failure::File(module, error))?;
    let page = ::playground::page::page(&module).map_err(|error| Failure::Gallery(error.to_string()))?;
    let folder = out.parent().map_or(Ok(()), fs::create_dir_all);
    folder.and_then(|()| fs::write(out, page)).map_err(|error| Failure::File(out.into(), error))
}

/// Has cargo build the module, and says where it is.
fn module() -> Result<PathBuf, Failure> {
    let unrunnable = |tool: &str| {
        let tool = tool.to_string();
        move |error| Failure::Unrunnable(tool, error)
    };
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let library = Command::new(&rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    let library = library.map_err(unrunnable(&rustc))?;
    if !Path::new(String::from_utf8_lossy(&library.stdout).trim()).is_dir() {
        return Err(Failure::NoTarget);
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (cargo, target) = (env::var("CARGO").unwrap_or_else(|_| "cargo".into()), root.join("target"));
    let built = Command::new(&cargo)
        .args(["build", "--package", "playground", "--lib", "--profile", "playground", "--target", TARGET])
        .arg("--manifest-path")
        .arg(root.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .output()
        .map_err(unrunnable(&cargo))?;
    // Where it succeeds, cargo would only warn of parts of the library that browsers do not use.
    if !built.status.success() {
        return Err(Failure::Unbuilt(String::from_utf8_lossy(&built.stderr).into_owned()));
    }
    Ok(target.join(TARGET).join("playground/playground.wasm"))
}
