//! What the tests of the README and of the book need to know about Markdown.

use std::fs;
use std::path::PathBuf;

/// A block of code.
#[derive(Debug)]
pub(crate) struct Block {
    /// What stands behind the opening fence, such as `rust,compile_fail`.
    pub(crate) info: String,
    /// The lines in between.
    pub(crate) code: String,
}

/// The blocks of code in a text, in order.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some(Block { info: info.to_string(), code: String::new() }),
            (None, None) => {}
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.code += &format!("{line}\n"),
        }
    }
    assert!(open.is_none(), "a block of code is not closed");
    blocks
}

/// The text outside of blocks of code.
pub(crate) fn prose(text: &str) -> String {
    let mut inside = false;
    let lines = text.lines().filter(|line| {
        let fence = line.starts_with("```");
        inside ^= fence;
        !inside && !fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The targets of all links in a text.
pub(crate) fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_string()).collect()
}

/// A path in the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A file of the repository.
#[track_caller]
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
