//! Kernels as text: what the macro has written, behind the prelude of a language.

use super::error::{Error, Stopped};

/// A language that kernels are written in for devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// CUDA C++, as NVRTC compiles it. Contraction must be off: `--fmad=false`.
    Cuda,
    /// OpenCL C, from version 1.2.
    OpenCl,
}

/// A run of a kernel as the macro has written it.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Text {
    /// The name of the kernel.
    pub kernel: &'static str,
    /// The file that it stands in.
    pub file: &'static str,
    /// The statements that it consists of, with their lines.
    pub statements: &'static [(u32, &'static str)],
    /// The type of its numbers in C.
    pub number: &'static str,
    /// The run, or the line and the reason why there is none.
    pub written: Result<Written, (u32, &'static str)>,
}

/// A run of a kernel in C.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The text.
    pub text: &'static str,
    /// What it needs besides its arguments.
    pub temporaries: &'static [Temporary],
    /// Whether a second kernel gathers what the first one has left.
    pub gathers: bool,
}

/// Memory that a kernel needs besides its arguments. It comes behind them, and begins as zero.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Temporary {
    /// For each element of an argument, and one more, a sum of each thread.
    Rows {
        /// The argument.
        argument: usize,
        /// Of how many numbers an element is made.
        numbers: usize,
    },
    /// So many numbers for each run.
    Terms {
        /// How many.
        numbers: usize,
    },
    /// As many elements as an argument has, and one more.
    Copy {
        /// The argument.
        argument: usize,
        /// Of how many numbers an element is made.
        numbers: usize,
    },
}

impl Text {
    /// The run, if it can be written.
    pub(super) fn written(&self) -> Result<Written, Error> {
        let kernel = self.kernel;
        self.written.map_err(|(line, reason)| Error::Untranslatable { kernel, line, reason })
    }

    /// What a word for errors says, if it says anything.
    pub(super) fn error(&self, word: u64) -> Result<(), Error> {
        let line = (word >> 8) as u32;
        let statement = self.statements.iter().rev().find(|(at, _)| *at <= line).map_or("", |(_, statement)| statement);
        let stopped = Stopped { kernel: self.kernel, file: self.file, line, statement };
        match word & 0xff {
            0 => Ok(()),
            1 => Err(Error::OutOfBounds(stopped)),
            2 => Err(Error::DivisionByZero(stopped)),
            _ => Err(Error::Drift(stopped)),
        }
    }
}

/// The text behind the prelude of its language.
#[doc(hidden)]
pub fn source(language: Language, text: &Text) -> Result<String, Error> {
    let written = text.written()?;
    let prelude = match language {
        Language::Cuda => include_str!("cuda.h"),
        Language::OpenCl => include_str!("opencl.h"),
    };
    let number = format!("#ifndef NUMBER\n#define NUMBER {}\n#endif\n", text.number);
    Ok(format!("{number}{prelude}{}\n{}", include_str!("functions.h"), written.text))
}
