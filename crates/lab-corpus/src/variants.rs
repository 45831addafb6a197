//! Programs once more, compiled otherwise: with checks in every build or in none, or without some pass of the compiler.
//!
//! The build script writes them: the functions of [`programs`](crate::programs) with more options in their attributes.

include!(concat!(env!("OUT_DIR"), "/variants.rs"));
