//! The laboratory of retrograd: the programs that the language is tried on, the experiments that are made with them, and
//! the `retrograd` command, which shows the programs and reports on the experiments.
//!
//! ```
//! let rfib = lab::programs::ALL.iter().find(|program| program.name == "rfib").unwrap();
//! let demo = (rfib.demo)();
//! assert_eq!((&*demo.after, &*demo.back), ("out = 55, n = 10", "out = 0, n = 10"));
//! ```

pub mod cli;
pub mod columns;
pub mod experiments;
pub mod measure;
pub mod nesting;
pub mod programs;
pub mod report;
pub mod tour;
pub mod variants;
pub mod yardsticks;
