//! What can go wrong on the way to a device, and on it.

use std::error;
use std::fmt;

use crate::InvertibilityError;

/// Why a kernel did not run, or did not run to its end.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A kernel does something that cannot be written for devices yet. `f::over` and its kin can run it.
    Untranslatable {
        /// The name of the kernel.
        kernel: &'static str,
        /// The line that cannot be written.
        line: u32,
        /// Why not.
        reason: String,
    },
    /// There is no driver for such devices, or none that works.
    NoDriver {
        /// Which one, and what it said.
        reason: String,
    },
    /// A text names no kind of device.
    UnknownDevice {
        /// The text.
        asked: String,
    },
    /// There is a driver, but fewer devices.
    NoSuchDevice {
        /// The number that was asked for, from 0.
        asked: usize,
        /// How many there are.
        found: usize,
    },
    /// The device has no room.
    OutOfMemory {
        /// How many bytes were asked for.
        bytes: usize,
    },
    /// An argument lies on another device than the one that is to run the kernel.
    OtherDevice {
        /// The argument.
        argument: &'static str,
    },
    /// A shadow has another length than its values, or values do not fill a buffer.
    Length {
        /// The argument.
        argument: &'static str,
        /// How long it has to be.
        expected: usize,
        /// How long it is.
        found: usize,
    },
    /// A run used an index that there is not. It read or wrote a spare element instead.
    OutOfBounds(Stopped),
    /// A run divided an integer by zero, or counted in steps of zero.
    DivisionByZero(Stopped),
    /// A local did not come back to what it was: the gradient would be wrong.
    Drift(Stopped),
    /// A launch that waits cannot be recorded, and recordings do not contain others.
    Waits {
        /// The name of the kernel.
        kernel: &'static str,
    },
    /// A check of the CPU failed.
    Check(Box<InvertibilityError>),
    /// A run on the CPU panicked.
    Panic {
        /// The name of the kernel.
        kernel: &'static str,
        /// What it said.
        message: String,
    },
    /// The compiler of the device refused the text: this is a bug of this library.
    NotCompiled {
        /// The name of the kernel.
        kernel: &'static str,
        /// What the compiler said.
        log: String,
    },
    /// The driver refused to do something.
    Driver {
        /// What it was asked for.
        action: &'static str,
        /// What it said.
        reason: String,
    },
}

/// A statement of a kernel that some run of it did not survive. Others have run to their ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The function that it stands in.
    pub kernel: &'static str,
    /// The file.
    pub file: &'static str,
    /// The line in the file.
    pub line: u32,
    /// The statement as written.
    pub statement: &'static str,
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Stopped { kernel, file, line, statement } = self;
        write!(f, "in `{kernel}` at {file}:{line}: `{statement}`")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Untranslatable { kernel, line, reason } => {
                write!(f, "the kernel `{kernel}` cannot be written for devices, in line {line}: {reason}")
            }
            Error::NoDriver { reason } => write!(f, "there is no driver for such devices: {reason}"),
            Error::UnknownDevice { asked } => {
                write!(f, "`{asked}` names no device; write `cpu`, `opencl:0` or `cuda:0`")
            }
            Error::NoSuchDevice { asked, found } => {
                write!(f, "there is no device number {asked}: the driver knows {found}, counted from 0")
            }
            Error::OutOfMemory { bytes } => write!(f, "the device has no room for {bytes} bytes"),
            Error::OtherDevice { argument } => {
                write!(f, "`{argument}` lies on another device than the one that is to run the kernel")
            }
            Error::Length { argument, expected, found } => {
                write!(f, "`{argument}` has {found} elements where {expected} are needed")
            }
            Error::OutOfBounds(at) => write!(f, "an index is out of bounds {at}"),
            Error::DivisionByZero(at) => write!(f, "a divisor or a step is zero {at}"),
            Error::Drift(at) => write!(
                f,
                "a local did not come back to what it was {at}; the backward run has lost too many digits to be trusted"
            ),
            Error::Waits { kernel } => {
                write!(
                    f,
                    "`{kernel}` waits until it is over, and cannot be recorded; record launches without shadows of numbers"
                )
            }
            Error::Check(error) => error.fmt(f),
            Error::Panic { kernel, message } => write!(f, "a run of `{kernel}` panicked: {message}"),
            Error::NotCompiled { kernel, log } => {
                write!(f, "the device's compiler refuses the kernel `{kernel}`: {log}")
            }
            Error::Driver { action, reason } => write!(f, "the driver could not {action}: {reason}"),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Error::Check(error) => Some(error),
            _ => None,
        }
    }
}
