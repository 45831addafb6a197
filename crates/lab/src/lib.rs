//! The laboratory of retrograd: experiments with the programs of the corpus, and the `retrograd` command, which shows the
//! programs, reports on the experiments, and debugs programs in both directions.

pub mod cli;
pub mod columns;
mod devices;
pub mod experiments;
pub mod playground;
mod serve;
pub mod tour;
