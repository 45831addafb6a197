//! The laboratory of retrograd: experiments with the programs of the corpus, and the `retrograd` command, which shows the
//! programs and reports on the experiments.

pub mod cli;
pub mod columns;
pub mod experiments;
pub mod tour;
