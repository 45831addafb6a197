//! What a device is told to do: it does it in order, and nobody waits for it.

use std::sync::Arc;

use super::device::{Device, Kind, Memory};
use super::error::Error;

/// Threads run in groups of this size.
pub(super) const GROUP: usize = 128;

/// One of the things that a device does in order.
#[derive(Clone)]
pub(super) enum Step {
    /// Sets memory to zero.
    Zero { memory: Memory, bytes: usize },
    /// Runs a kernel.
    Run { function: Function, threads: usize, passed: Vec<Passed> },
}

/// A compiled kernel.
#[derive(Clone)]
pub(super) enum Function {
    #[cfg(feature = "opencl")]
    OpenCl(Arc<super::opencl::Function>),
    #[cfg(feature = "cuda")]
    Cuda(Arc<super::cuda::Function>),
}

/// What is passed to a kernel.
#[derive(Clone)]
pub(super) enum Passed {
    Memory(Memory),
    Bytes(Box<[u8]>),
    Word(u64),
}

impl Passed {
    pub(super) fn word(value: usize) -> Passed {
        Passed::Word(value as u64)
    }
}

impl Device {
    /// Compiles a text; each driver does so once.
    pub(super) fn compile(&self, kernel: &'static str, source: &str, name: &str) -> Result<Function, Error> {
        match &self.0.kind {
            Kind::Cpu => Err(unreachable()),
            #[cfg(feature = "opencl")]
            Kind::OpenCl(device) => device.compile(kernel, source, name).map(|it| Function::OpenCl(Arc::new(it))),
            #[cfg(feature = "cuda")]
            Kind::Cuda(device) => device.compile(kernel, source, name).map(|it| Function::Cuda(Arc::new(it))),
        }
    }

    /// Queues a step.
    pub(super) fn perform(&self, step: &Step) -> Result<(), Error> {
        match (&self.0.kind, step) {
            (_, Step::Zero { memory, bytes }) => self.zero(memory, *bytes),
            #[cfg(feature = "opencl")]
            (Kind::OpenCl(device), Step::Run { function: Function::OpenCl(function), threads, passed }) => {
                device.run(function, threads.next_multiple_of(GROUP), passed)
            }
            #[cfg(feature = "cuda")]
            (Kind::Cuda(device), Step::Run { function: Function::Cuda(function), threads, passed }) => {
                device.run(function, threads.next_multiple_of(GROUP), passed)
            }
            _ => Err(unreachable()),
        }
    }
}

/// Memory of one device does not reach another one: arguments are looked at before.
pub(super) fn unreachable() -> Error {
    Error::Driver { action: "use memory of another device", reason: "this is a bug of this library".to_string() }
}
