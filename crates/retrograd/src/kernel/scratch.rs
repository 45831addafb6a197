//! How a kernel is run on a device with a driver: the memory that it needs besides its arguments, and what comes after it.

use std::sync::{Mutex, PoisonError};

use super::device::{Device, Kind, Memory};
use super::element::Element;
use super::error::Error;
use super::text::{Assembled, Language, Temporary, Text, sums};
use crate::check::DriftTolerance;

/// Threads run in groups of this size.
pub(super) const GROUP: usize = 128;

/// How much memory the rows of threads may take.
const ROWS: usize = 256 << 20;

/// An argument of a kernel.
pub(super) enum Argument {
    Slice { memory: Memory, len: usize },
    Sum { memory: Memory },
    Value(Vec<u8>),
}

impl Argument {
    pub(super) fn value<T: Element>(value: &T) -> Argument {
        let mut bytes = vec![0; T::SIZE];
        value.store(&mut bytes);
        Argument::Value(bytes)
    }

    pub(super) fn into_sum(self) -> Option<Memory> {
        match self {
            Argument::Sum { memory } => Some(memory),
            Argument::Slice { .. } | Argument::Value(_) => None,
        }
    }

    /// Its memory and its length.
    fn slice(&self) -> Option<(&Memory, usize)> {
        match self {
            Argument::Slice { memory, len } => Some((memory, *len)),
            Argument::Sum { memory } => Some((memory, 1)),
            Argument::Value(_) => None,
        }
    }
}

/// Memory that launches have used, by its size in bytes.
#[derive(Default)]
pub(super) struct Pool(Mutex<Vec<(usize, Memory)>>);

/// How much memory is kept for launches to come.
const KEPT: usize = 1 << 30;

impl Pool {
    pub(super) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn take(&self, bytes: usize) -> Option<Memory> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all.iter().position(|(size, _)| *size == bytes)?;
        Some(all.swap_remove(found).1)
    }

    fn give(&self, bytes: usize, memory: Memory) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes <= KEPT {
            all.push((bytes, memory));
        }
        while all.iter().map(|(size, _)| size).sum::<usize>() > KEPT || all.len() > 64 {
            all.remove(0);
        }
    }
}

/// Memory for one launch.
struct Scratch<'d> {
    device: &'d Device,
    used: Vec<(usize, Memory)>,
}

impl Scratch<'_> {
    fn take(&mut self, bytes: usize, zero: bool) -> Result<Memory, Error> {
        let memory = match self.device.0.pool.take(bytes) {
            Some(memory) => memory,
            None => self.device.allocate(bytes)?,
        };
        self.used.push((bytes, memory.clone()));
        if zero {
            self.device.zero(&memory, bytes)?;
        }
        Ok(memory)
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        self.used.drain(..).for_each(|(bytes, memory)| self.device.0.pool.give(bytes, memory));
    }
}

/// What a driver passes to a kernel.
pub(super) enum Passed<'a> {
    Memory(&'a Memory),
    Bytes(&'a [u8]),
}

/// Runs a kernel for all indices, and waits until it is over.
pub(super) fn execute(device: &Device, runs: usize, text: Text, arguments: &[Argument]) -> Result<(), Error> {
    let (kernel, number, single) = (text.name, text.number, text.number == "float");
    let assembled = Assembled::new(device.language()?, text)?;
    let written = &assembled.kernel;
    if runs == 0 {
        return Ok(());
    }
    let source = format!("{}{}", drift(single), assembled.source);
    let size = if single { 4 } else { 8 };
    let length = |argument: usize| arguments.get(argument).and_then(Argument::slice).map_or(0, |(_, len)| len);
    let rows: usize = written
        .temporaries
        .iter()
        .map(|temporary| match *temporary {
            Temporary::Rows { argument, numbers } => (length(argument) + 1) * numbers * size,
            Temporary::Terms { .. } | Temporary::Copy { .. } => 0,
        })
        .sum();
    let mut threads = runs.next_multiple_of(GROUP);
    if rows > 0 {
        threads = threads.min(device.row_threads());
        while threads > GROUP && threads * rows > ROWS {
            threads = (threads / 2).next_multiple_of(GROUP);
        }
    }
    let mut scratch = Scratch { device, used: Vec::new() };
    let mut temporaries = Vec::new();
    for temporary in written.temporaries {
        let numbers = match *temporary {
            Temporary::Rows { argument, numbers } => (length(argument) + 1) * numbers * threads,
            Temporary::Terms { numbers } => runs * numbers,
            Temporary::Copy { argument, numbers } => (length(argument) + 1) * numbers,
        };
        // Every run writes its terms.
        let zero = !matches!(temporary, Temporary::Terms { .. });
        temporaries.push(scratch.take(numbers * size, zero)?);
    }
    let errors = scratch.take(8, true)?;
    let words: Vec<[u8; 8]> =
        arguments.iter().map(|a| (a.slice().map_or(0, |(_, len)| len) as u64).to_ne_bytes()).collect();
    let count = (runs as u64).to_ne_bytes();
    let mut passed = vec![Passed::Bytes(&count)];
    for (argument, len) in arguments.iter().zip(&words) {
        match argument {
            Argument::Slice { memory, .. } | Argument::Sum { memory } => {
                passed.extend([Passed::Memory(memory), Passed::Bytes(len)]);
            }
            Argument::Value(bytes) => passed.push(Passed::Bytes(bytes)),
        }
    }
    passed.extend(temporaries.iter().map(Passed::Memory));
    passed.push(Passed::Memory(&errors));
    let run = |source: &str, name: &str, threads: usize, passed: &[Passed<'_>]| {
        device.run(kernel, source, name, threads.next_multiple_of(GROUP), passed)
    };
    run(&source, &format!("kernel_{kernel}"), threads, &passed)?;
    if written.gathers {
        let longest = (0..arguments.len()).map(length).max().unwrap_or(0);
        run(&source, &format!("gather_{kernel}"), longest.max(1), &passed)?;
    }
    let adding = sums(device.language()?, number);
    for (temporary, rows) in written.temporaries.iter().zip(&temporaries) {
        let Temporary::Rows { argument, numbers } = *temporary else { continue };
        let Some((memory, len)) = arguments.get(argument).and_then(Argument::slice) else { continue };
        let (elements, parts) = (len * numbers, threads.div_ceil(GROUP).min(GROUP));
        if elements == 0 {
            continue;
        }
        let sums = scratch.take(elements * parts * size, false)?;
        let word = |value: usize| (value as u64).to_ne_bytes();
        let words = [word(elements), word(threads), word(parts), word(numbers)];
        let [of_elements, of_threads, of_parts, of_numbers] = words.each_ref().map(|word| Passed::Bytes(word));
        let passed = [of_elements, of_threads, of_parts, Passed::Memory(rows), Passed::Memory(&sums), of_numbers];
        run(&adding, "add_threads", elements * parts, &passed)?;
        let [of_elements, _, of_parts, _] = words.each_ref().map(|word| Passed::Bytes(word));
        let passed = [of_elements, of_parts, Passed::Memory(&sums), Passed::Memory(memory)];
        run(&adding, "add_parts", elements, &passed)?;
    }
    let mut word = [0; 8];
    device.read(&errors, &mut word)?;
    assembled.error(u64::from_ne_bytes(word))
}

/// The tolerance of this thread for locals that come back, if it is not the default.
fn drift(single: bool) -> String {
    let of = |tolerance: DriftTolerance| {
        // A tolerance of infinity lets everything pass that is a number.
        let finite = |x: f64| x.min(f64::MAX);
        (finite(tolerance.relative), finite(tolerance.absolute))
    };
    let (relative, absolute) = of(DriftTolerance::current_for(single));
    match (relative, absolute) == of(DriftTolerance::least(single)) {
        true => String::new(),
        false => format!("#define DRIFT_RELATIVE {relative:e}\n#define DRIFT_ABSOLUTE {absolute:e}\n"),
    }
}

impl Device {
    fn language(&self) -> Result<Language, Error> {
        match &self.0.kind {
            Kind::Cpu => Err(unreachable()),
            #[cfg(feature = "opencl")]
            Kind::OpenCl(_) => Ok(Language::OpenCl),
            #[cfg(feature = "cuda")]
            Kind::Cuda(_) => Ok(Language::Cuda),
        }
    }

    /// How many threads run at most where each has sums of its own.
    fn row_threads(&self) -> usize {
        match &self.0.kind {
            Kind::Cpu => GROUP,
            #[cfg(feature = "opencl")]
            Kind::OpenCl(device) => {
                if device.is_gpu() {
                    256 * GROUP
                } else {
                    8 * GROUP
                }
            }
            #[cfg(feature = "cuda")]
            Kind::Cuda(_) => 256 * GROUP,
        }
    }

    /// Queues a kernel of a text.
    fn run(
        &self,
        kernel: &'static str,
        source: &str,
        name: &str,
        threads: usize,
        passed: &[Passed<'_>],
    ) -> Result<(), Error> {
        match &self.0.kind {
            Kind::Cpu => Err(unreachable()),
            #[cfg(feature = "opencl")]
            Kind::OpenCl(device) => device.run(kernel, source, name, threads, passed),
            #[cfg(feature = "cuda")]
            Kind::Cuda(device) => device.run(kernel, source, name, threads, passed),
        }
    }
}

/// Memory of one device does not reach another one: arguments are looked at before.
pub(super) fn unreachable() -> Error {
    Error::Driver { action: "use memory of another device", reason: "this is a bug of this library".to_string() }
}
