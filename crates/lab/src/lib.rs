//! The laboratory of retrograd: the programs that the language is tried on, and the `retrograd` command that shows
//! them.
//!
//! ```
//! let rfib = lab::programs::ALL.iter().find(|program| program.name == "rfib").unwrap();
//! let demo = (rfib.demo)();
//! assert_eq!((&*demo.after, &*demo.back), ("out = 55, n = 10", "out = 0, n = 10"));
//! ```

pub mod cli;
pub mod columns;
pub mod nesting;
pub mod programs;
pub mod tour;
pub mod yardsticks;
