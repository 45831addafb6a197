//! Kernels as text: what the macro has written, behind the prelude of a language.

use super::error::{Error, Stopped};
use crate::Direction;

/// A language that kernels are written in for devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// CUDA C++, as NVRTC compiles it. Contraction must be off: `--fmad=false`.
    Cuda,
    /// OpenCL C, from version 1.2.
    OpenCl,
}

/// A run of a program as the macro has written it.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Text {
    /// The name of the program.
    pub name: &'static str,
    /// The file that it stands in.
    pub file: &'static str,
    /// The line that it begins in.
    pub line: u32,
    /// The statements that it consists of, with their lines.
    pub statements: &'static [(u32, &'static str)],
    /// The type of its numbers in C.
    pub number: &'static str,
    /// Which run it is.
    pub direction: Direction,
    /// The run, or the line and the reason why there is none.
    pub written: Result<Written, (u32, &'static str)>,
}

/// A run of a program in C.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Written {
    /// The text.
    pub text: &'static str,
    /// The structs that it uses: their names, and what is in them.
    pub structs: &'static [(&'static str, &'static str)],
    /// The type that it returns.
    pub returns: &'static str,
    /// What it calls, as `CALLEE_0` and so on.
    pub callees: Vec<Callee>,
    /// What it names, as `CONSTANT_0` and so on.
    pub constants: Vec<Constant>,
    /// What it needs besides its arguments.
    pub temporaries: &'static [Temporary],
    /// Whether a second kernel gathers what the first one has left.
    pub gathers: bool,
    /// Whether its threads are for all elements of its arguments, and not for runs alone.
    pub elements: bool,
    /// Arguments, with how often the number of the last run and how much more an index of them can be at most, where that is not checked.
    pub reached: &'static [(usize, usize, usize)],
}

impl Written {
    /// Whether no index is out of bounds that is not checked, with that last run and these lengths.
    pub(super) fn is_near(&self, last: usize, length: impl Fn(usize) -> usize) -> bool {
        let largest = |per_run: usize, more: usize| per_run.checked_mul(last)?.checked_add(more);
        self.reached.iter().all(|(argument, per_run, more)| {
            largest(*per_run, *more).is_some_and(|largest| largest < length(*argument))
        })
    }

    /// Whether threads have sums of their own.
    pub(super) fn has_rows(&self) -> bool {
        self.temporaries.iter().any(|temporary| matches!(temporary, Temporary::Rows { .. }))
    }
}

/// A function that a text calls.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Callee {
    /// Its text.
    pub text: fn(&'static str) -> Text,
    /// What it has to return.
    pub returns: &'static str,
    /// The line of a call.
    pub line: u32,
}

/// A constant that a text names.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Constant {
    /// It in C, and its type.
    pub value: (String, &'static str),
    /// The type that it has to have.
    pub ty: &'static str,
    /// The line of a use.
    pub line: u32,
}

/// What has no text of its own, says so.
#[doc(hidden)]
pub trait NoText {
    /// The text that there is not.
    fn __kernel_text(direction: Direction, number: &'static str) -> Text {
        let written = Err((0, "it is not written in this language"));
        Text { name: "", file: "", line: 0, statements: &[], number, direction, written }
    }
}

impl<T: ?Sized> NoText for T {}

/// What a constant may be.
#[doc(hidden)]
pub trait Literal {
    /// It in C, and its type there.
    fn literal(&self) -> (String, &'static str);
}

/// A constant in C, and its type.
#[doc(hidden)]
pub fn constant<T: Literal>(value: &T) -> (String, &'static str) {
    value.literal()
}

macro_rules! literals {
    ($($type:ident)*) => {$(
        impl Literal for $type {
            fn literal(&self) -> (String, &'static str) {
                // In two's complement: C has no literal for the smallest integer.
                (format!("(({}){}u)", stringify!($type), *self as u64), stringify!($type))
            }
        }
    )*};
}

literals!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl Literal for bool {
    fn literal(&self) -> (String, &'static str) {
        (format!("((boolean){})", u8::from(*self)), "boolean")
    }
}

impl Literal for f64 {
    fn literal(&self) -> (String, &'static str) {
        let text = match self {
            x if x.is_nan() => "(INFINITY - INFINITY)".to_string(),
            x if x.is_infinite() => format!("({}INFINITY)", if *x > 0.0 { "" } else { "-" }),
            x => format!("{x:e}"),
        };
        (format!("((number){text})"), "number")
    }
}

impl Literal for f32 {
    fn literal(&self) -> (String, &'static str) {
        f64::from(*self).literal()
    }
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
        /// Whether threads that run together have a row in common, in which its sums lie one behind the other.
        staged: bool,
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

/// The texts of a kernel and of all that it calls, in the order in which they are compiled.
pub(super) struct Assembled {
    /// Behind the prelude.
    pub(super) source: String,
    texts: Vec<Text>,
    /// The kernel itself.
    pub(super) kernel: Written,
}

impl Assembled {
    pub(super) fn new(language: Language, text: Text) -> Result<Assembled, Error> {
        let mut assembling = Assembling { kernel: text.name, number: text.number, ..Assembling::default() };
        let kernel = text.written.clone();
        assembling.add(text, &mut Vec::new())?;
        let Assembling { structs, text, texts, kernel: name, number, .. } = assembling;
        let structs: String =
            structs.iter().map(|(name, members)| format!("typedef struct {{ {members} }} {name};\n")).collect();
        let source = format!("{}{}\n{structs}{text}", prelude(language, number), include_str!("functions.h"));
        let kernel = kernel.map_err(|(line, reason)| untranslatable(name, line, reason))?;
        Ok(Assembled { source, texts, kernel })
    }

    /// What a word for errors says, if it says anything.
    pub(super) fn error(&self, word: u32) -> Result<(), Error> {
        let (function, line) = ((word >> 20) as usize, word >> 3 & 0x1_ffff);
        let Some(text) = self.texts.get(function).filter(|_| word != 0) else { return Ok(()) };
        let statement = text.statements.iter().rev().find(|(at, _)| *at <= line).map_or("", |(_, statement)| statement);
        let stopped = Stopped { kernel: text.name, file: text.file, line, statement };
        Err(match word & 7 {
            1 => Error::OutOfBounds(stopped),
            2 => Error::DivisionByZero(stopped),
            _ => Error::Drift(stopped),
        })
    }
}

#[derive(Default)]
struct Assembling {
    kernel: &'static str,
    number: &'static str,
    structs: Vec<(&'static str, &'static str)>,
    text: String,
    texts: Vec<Text>,
}

/// Which program, and which run of it. Programs that a macro has written may have a name and a place in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Identity {
    name: &'static str,
    place: (&'static str, u32),
    direction: Direction,
    text: Option<(usize, usize)>,
    callees: Vec<usize>,
    constants: Vec<String>,
}

impl Text {
    pub(super) fn identity(&self) -> Identity {
        let (name, place, direction) = (self.name, (self.file, self.line), self.direction);
        let written = self.written.as_ref().ok();
        Identity {
            name,
            place,
            direction,
            text: written.map(|written| (written.text.as_ptr() as usize, written.text.len())),
            callees: written.map_or_else(Vec::new, |it| it.callees.iter().map(|it| it.text as usize).collect()),
            constants: written.map_or_else(Vec::new, |it| it.constants.iter().map(|it| it.value.0.clone()).collect()),
        }
    }
}

impl Assembling {
    /// Writes a text behind those that it calls, and returns its number; `callers` are those that call it.
    fn add(&mut self, text: Text, callers: &mut Vec<Identity>) -> Result<usize, Error> {
        let own = text.identity();
        if let Some(known) = self.texts.iter().position(|known| known.identity() == own) {
            return Ok(known);
        }
        let refused = |line, reason: &str| untranslatable(self.kernel, line, reason);
        if callers.contains(&own) {
            return Err(refused(
                text.line,
                &format!("`{}` calls itself, and devices have no stack to speak of", text.name),
            ));
        }
        let written = text.written.clone().map_err(|(line, reason)| match callers.is_empty() {
            true => refused(line, reason),
            false => refused(line, &format!("of `{}`, which it calls: {reason}", text.name)),
        })?;
        callers.push(own);
        let mut names = String::new();
        for (i, Callee { text: callee, returns, line }) in written.callees.iter().enumerate() {
            let callee = callee(self.number);
            let name = callee.name;
            if let Ok(callee) = &callee.written
                && callee.returns != *returns
            {
                let reason = format!(
                    "what `{name}` returns has another type than is visible here; write it: `let v: .. = {name}(..);`"
                );
                return Err(untranslatable(self.kernel, *line, &reason));
            }
            let without = callee.written.as_ref().err().filter(|(at, _)| *at == 0);
            if let Some((_, reason)) = without {
                return Err(untranslatable(
                    self.kernel,
                    *line,
                    &format!("devices have no text of what is called here: {reason}"),
                ));
            }
            let number = self.add(callee, callers)?;
            names += &format!("#undef CALLEE_{i}\n#define CALLEE_{i} function_{number}\n");
        }
        callers.pop();
        for (i, Constant { value: (value, found), ty, line }) in written.constants.iter().enumerate() {
            if found != ty {
                let reason =
                    format!("this constant is of the type `{found}`, and not `{ty}`; write `let c: {found} = ..;`");
                return Err(untranslatable(self.kernel, *line, &reason));
            }
            names += &format!("#undef CONSTANT_{i}\n#define CONSTANT_{i} {value}\n");
        }
        for (name, members) in written.structs {
            if !self.structs.iter().any(|(known, _)| known == name) {
                self.structs.push((name, members));
            }
        }
        let number = self.texts.len();
        self.text += &format!(
            "#undef OF_FUNCTION\n#define OF_FUNCTION {number}\n#undef SELF\n#define SELF function_{number}\n{names}{}",
            written.text
        );
        self.texts.push(text);
        Ok(number)
    }
}

/// What the words of a language mean, for numbers of that type.
fn prelude(language: Language, number: &str) -> String {
    let prelude = match language {
        Language::Cuda => include_str!("cuda.h"),
        Language::OpenCl => include_str!("opencl.h"),
    };
    format!("#ifndef NUMBER\n#define NUMBER {number}\n#endif\n{prelude}")
}

/// The kernels that add up what threads have summed: one text for all kernels with numbers of that type.
pub(super) fn sums(language: Language, number: &str) -> String {
    format!("{}{}", prelude(language, number), include_str!("sums.h"))
}

fn untranslatable(kernel: &'static str, line: u32, reason: &str) -> Error {
    Error::Untranslatable { kernel, line, reason: reason.to_string() }
}

/// The text behind the prelude of its language, and behind what it calls.
#[doc(hidden)]
pub fn source(language: Language, text: Text) -> Result<String, Error> {
    Assembled::new(language, text).map(|assembled| assembled.source)
}
