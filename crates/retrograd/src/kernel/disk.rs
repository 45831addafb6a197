//! Compiled kernels on disk, so that the next process need not compile them again.
//!
//! A file is named after what was compiled, and holds it in front of the result. What cannot be read or written, or is not what was asked for, is
//! compiled as if there were no file.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process;

/// What says where the files are.
const FOLDER: &str = "RETROGRAD_KERNEL_CACHE";

fn folder() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = || named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
    named(FOLDER).or_else(|| Some(cache()?.join("retrograd").join("kernels")))
}

fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, bytes).hash(&mut hasher);
    hasher.finish()
}

fn file(compiled: &str) -> Option<PathBuf> {
    let name = format!("{:016x}{:016x}", hash(1, compiled.as_bytes()), hash(2, compiled.as_bytes()));
    Some(folder()?.join(name))
}

/// What came of compiling it, if that is on disk.
pub(super) fn read(compiled: &str) -> Option<Vec<u8>> {
    let bytes = fs::read(file(compiled)?).ok()?;
    let (sum, bytes) = bytes.split_first_chunk::<8>()?;
    let whole = u64::from_le_bytes(*sum) == hash(3, bytes);
    let result = bytes.strip_prefix(compiled.as_bytes())?.strip_prefix(&[0])?;
    whole.then(|| result.to_vec())
}

/// Keeps what came of compiling it.
pub(super) fn write(compiled: &str, result: &[u8]) {
    let Some(file) = file(compiled) else { return };
    let bytes = [compiled.as_bytes(), &[0], result].concat();
    let bytes = [hash(3, &bytes).to_le_bytes().as_slice(), &bytes].concat();
    let beside = file.with_extension(process::id().to_string());
    let written = file.parent().map(fs::create_dir_all).transpose().and_then(|_| fs::write(&beside, bytes));
    // Others see all of a file or none of it.
    if written.and_then(|()| fs::rename(&beside, &file)).is_err() {
        let _ = fs::remove_file(&beside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_until_it_is_damaged() {
        let text = format!("a kernel of process {}", process::id());
        assert_eq!(read(&text), None);
        write(&text, b"compiled");
        let Some(file) = file(&text).filter(|file| file.exists()) else {
            eprintln!("skipped: there is no folder for compiled kernels");
            return;
        };
        assert_eq!(read(&text).as_deref(), Some(b"compiled".as_slice()));
        let mut bytes = fs::read(&file).expect("it was read before");
        *bytes.last_mut().expect("it is not empty") ^= 1;
        fs::write(&file, bytes).expect("it was written before");
        assert_eq!(read(&text), None);
        fs::remove_file(file).expect("it is there");
    }
}
