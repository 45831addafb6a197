//! Back ends: core in, code out. One folder for each language.

pub mod c;
pub mod rust;
