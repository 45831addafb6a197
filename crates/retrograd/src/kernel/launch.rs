//! Launches: what generated companions call to run a kernel on a device.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::device::{Buffer, Device, Storage};
use super::element::Element;
use super::error::Error;
#[cfg(any(feature = "opencl", feature = "cuda"))]
use super::execute::{Argument, execute};
use super::text::Text;
use crate::attempt;

/// A launch of a kernel on a device that is not the CPU, with the arguments that it has been given so far.
#[doc(hidden)]
pub struct Launch<'d> {
    device: &'d Device,
    runs: usize,
    text: Text,
    #[cfg(any(feature = "opencl", feature = "cuda"))]
    arguments: Vec<Argument>,
}

impl<'d> Launch<'d> {
    /// A launch without arguments.
    pub fn new(device: &'d Device, runs: usize, text: Text) -> Launch<'d> {
        Launch {
            device,
            runs,
            text,
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            arguments: Vec::new(),
        }
    }

    /// The next argument is a slice.
    pub fn slice<T: Element>(&mut self, name: &'static str, buffer: &Buffer<T>) -> Result<(), Error> {
        if !buffer.device.is(self.device) {
            return Err(Error::OtherDevice { argument: name });
        }
        #[cfg(any(feature = "opencl", feature = "cuda"))]
        if let Storage::Device(memory) = &buffer.storage {
            self.arguments.push(Argument::Slice { memory: memory.clone(), len: buffer.len() });
        }
        Ok(())
    }

    /// The next argument is a value.
    #[cfg_attr(not(any(feature = "opencl", feature = "cuda")), allow(unused_variables, clippy::unused_self))]
    pub fn value<T: Element>(&mut self, value: &T) {
        #[cfg(any(feature = "opencl", feature = "cuda"))]
        self.arguments.push(Argument::value(value));
    }

    /// The next argument is added to by all runs.
    #[cfg_attr(not(any(feature = "opencl", feature = "cuda")), allow(unused_variables, clippy::unused_self))]
    pub fn sum<T: Element>(&mut self, value: &T) {
        #[cfg(any(feature = "opencl", feature = "cuda"))]
        self.arguments.push(Argument::sum(value));
    }

    /// Runs it, and waits until it is over if there are sums. Returns them in the order of [`sum`](Launch::sum).
    // Without a driver, nothing but the CPU runs it, and nothing in it changes.
    #[cfg_attr(not(any(feature = "opencl", feature = "cuda")), allow(unused_mut))]
    pub fn run(mut self) -> Result<Sums, Error> {
        #[cfg(any(feature = "opencl", feature = "cuda"))]
        {
            execute(self.device, self.runs, self.text, &mut self.arguments)?;
            Ok(Sums { arguments: self.arguments.into_iter() })
        }
        #[cfg(not(any(feature = "opencl", feature = "cuda")))]
        {
            let _ = (self.device, self.runs, self.text);
            Ok(Sums {})
        }
    }
}

/// What all runs have added to.
#[doc(hidden)]
pub struct Sums {
    #[cfg(any(feature = "opencl", feature = "cuda"))]
    arguments: std::vec::IntoIter<Argument>,
}

impl Sums {
    /// The next of them.
    #[cfg_attr(not(any(feature = "opencl", feature = "cuda")), allow(unused_variables, clippy::unused_self))]
    pub fn next<T: Element>(&mut self, sum: &mut T) {
        #[cfg(any(feature = "opencl", feature = "cuda"))]
        if let Some(bytes) = self.arguments.find_map(Argument::into_sum) {
            *sum = T::load(&bytes);
        }
    }
}

/// A shadow has to be as long as its values.
#[doc(hidden)]
pub fn fit(argument: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Length { argument, expected, found }) }
}

/// The elements of a buffer on the CPU.
#[doc(hidden)]
pub fn host<'b, T: Element>(argument: &'static str, buffer: &'b Buffer<T>) -> Result<&'b [T], Error> {
    match &buffer.storage {
        Storage::Host(values) => Ok(values),
        Storage::Device(_) => Err(Error::OtherDevice { argument }),
    }
}

/// The same, to be changed.
#[doc(hidden)]
pub fn host_mut<'b, T: Element>(argument: &'static str, buffer: &'b mut Buffer<T>) -> Result<&'b mut [T], Error> {
    match &mut buffer.storage {
        Storage::Host(values) => Ok(values),
        Storage::Device(_) => Err(Error::OtherDevice { argument }),
    }
}

/// Runs a kernel on the CPU.
#[doc(hidden)]
pub fn on_cpu(kernel: &'static str, run: impl FnOnce()) -> Result<(), Error> {
    // What it changes may be half changed afterwards, as on any other device.
    match catch_unwind(AssertUnwindSafe(|| attempt(run))) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(Error::Check(Box::new(error))),
        Err(payload) => Err(Error::Panic { kernel, message: message(&*payload) }),
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("it did not say why").to_string()
}
