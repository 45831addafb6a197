//! The programs that retrograd is tried on, with the same in plain Rust, derivatives by hand, and data to run them on.
//!
//! ```
//! let rfib = lab_corpus::programs::ALL.iter().find(|program| program.name == "rfib").unwrap();
//! let demo = (rfib.demo)();
//! assert_eq!((&*demo.after, &*demo.back), ("out = 55, n = 10", "out = 0, n = 10"));
//! ```

pub mod dense;
pub mod interpreted;
pub mod kernels;
pub mod lossy;
pub mod nesting;
pub mod programs;
pub mod variants;
pub mod yardsticks;
