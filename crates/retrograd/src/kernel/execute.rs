//! How a kernel is run on a device with a driver: the memory that it needs besides its arguments, and what comes after it.

use std::sync::PoisonError;
use std::thread;

use super::device::{Device, Kind, Memory};
use super::element::Element;
use super::error::Error;
use super::ready::Ready;
use super::scratch::Scratch;
use super::step::{GROUP, Passed, Step};
use super::text::{Temporary, Text};

/// How much memory the rows of threads may take.
const ROWS: usize = 256 << 20;

/// An argument of a kernel.
pub(super) enum Argument {
    Slice {
        memory: Memory,
        len: usize,
    },
    /// One element that all runs add to, and its bytes before and after.
    Sum(Vec<u8>),
    Value(Vec<u8>),
}

impl Argument {
    pub(super) fn value<T: Element>(value: &T) -> Argument {
        Argument::Value(bytes(value))
    }

    pub(super) fn sum<T: Element>(value: &T) -> Argument {
        Argument::Sum(bytes(value))
    }

    pub(super) fn into_sum(self) -> Option<Vec<u8>> {
        match self {
            Argument::Sum(bytes) => Some(bytes),
            Argument::Slice { .. } | Argument::Value(_) => None,
        }
    }

    fn len(&self) -> usize {
        match self {
            Argument::Slice { len, .. } => *len,
            Argument::Sum(_) => 1,
            Argument::Value(_) => 0,
        }
    }
}

fn bytes<T: Element>(value: &T) -> Vec<u8> {
    let mut bytes = vec![0; T::SIZE];
    value.store(&mut bytes);
    bytes
}

/// Runs a kernel for all indices. Where there are sums of all runs it waits, and sets them.
pub(super) fn execute(device: &Device, runs: usize, text: Text, arguments: &mut [Argument]) -> Result<(), Error> {
    let name = text.name;
    if runs == 0 {
        return Ok(());
    }
    let length = |argument: usize| arguments.get(argument).map_or(0, Argument::len);
    let near = text.written.as_ref().is_ok_and(|written| written.is_near(runs - 1, length));
    let ready = device.ready(text, near)?;
    let waits = arguments.iter().any(|argument| matches!(argument, Argument::Sum(_)));
    let mut scratch = Scratch::new(device);
    let mut sums = Vec::new();
    for argument in &*arguments {
        if let Argument::Sum(bytes) = argument {
            // With one element more, which takes what is out of bounds.
            let memory = scratch.take(2 * bytes.len())?;
            sums.push(memory);
        }
    }
    let steps = steps(device, &ready, runs, arguments, &sums, &mut scratch)?;
    {
        let mut recording = device.0.recording.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(recorded) = recording.as_mut().filter(|recorded| recorded.thread == thread::current().id()) {
            if waits {
                return Err(Error::Waits { kernel: name });
            }
            recorded.steps.extend(steps);
            recorded.memory.extend(scratch.keep());
            return Ok(());
        }
    }
    for (memory, bytes) in sums.iter().zip(bytes_of_sums(arguments)) {
        device.write(memory, bytes)?;
    }
    steps.iter().try_for_each(|step| device.perform(step))?;
    if waits {
        device.finish()?;
    }
    for (memory, bytes) in sums.iter().zip(bytes_of_sums(arguments)) {
        device.read(memory, bytes)?;
    }
    Ok(())
}

/// What all runs add to.
fn bytes_of_sums(arguments: &mut [Argument]) -> impl Iterator<Item = &mut Vec<u8>> {
    arguments.iter_mut().filter_map(|argument| match argument {
        Argument::Sum(bytes) => Some(bytes),
        Argument::Slice { .. } | Argument::Value(_) => None,
    })
}

/// What a launch consists of: the kernel, the gathering of terms, and the sums of rows.
fn steps(
    device: &Device,
    ready: &Ready,
    runs: usize,
    arguments: &[Argument],
    sums: &[Memory],
    scratch: &mut Scratch<'_>,
) -> Result<Vec<Step>, Error> {
    let (written, size) = (&ready.assembled.kernel, ready.size);
    let length = |argument: usize| arguments.get(argument).map_or(0, Argument::len);
    let rows: usize = written
        .temporaries
        .iter()
        .map(|temporary| match *temporary {
            Temporary::Rows { argument, numbers, staged } => {
                (length(argument) + 1) * numbers * size / if staged { device.lanes() } else { 1 }
            }
            Temporary::Terms { .. } | Temporary::Copy { .. } => 0,
        })
        .sum();
    let mut threads = if written.elements { (0..arguments.len()).map(length).fold(runs, usize::max) } else { runs };
    threads = threads.next_multiple_of(GROUP);
    let staged = written.temporaries.iter().any(|it| matches!(it, Temporary::Rows { staged: true, .. }));
    if rows > 0 {
        // Sums of many elements come together in fewer rows.
        threads = threads.min(if staged { 512 * GROUP } else { device.row_threads() }).min(device.row_threads());
        while threads > GROUP && threads * rows > ROWS {
            threads = (threads / 2).next_multiple_of(GROUP);
        }
    }
    let mut steps = Vec::new();
    let mut temporaries = Vec::new();
    for temporary in written.temporaries {
        let numbers = match *temporary {
            Temporary::Rows { argument, numbers, staged } => {
                (length(argument) + 1) * numbers * if staged { threads / device.lanes() } else { threads }
            }
            Temporary::Terms { numbers } => runs * numbers,
            Temporary::Copy { argument, numbers } => (length(argument) + 1) * numbers,
        };
        let memory = scratch.take(numbers * size)?;
        // Every run writes its terms.
        if !matches!(temporary, Temporary::Terms { .. }) {
            steps.push(Step::Zero { memory: memory.clone(), bytes: numbers * size });
        }
        temporaries.push(memory);
    }
    let mut passed = vec![Passed::word(runs)];
    let mut next = sums.iter();
    let mut memories = Vec::new();
    for argument in arguments {
        let memory = match argument {
            Argument::Slice { memory, .. } => Some(memory),
            Argument::Sum(_) => next.next(),
            Argument::Value(bytes) => {
                passed.push(Passed::Bytes(bytes.as_slice().into()));
                None
            }
        };
        if let Some(memory) = memory {
            passed.extend([Passed::Memory(memory.clone()), Passed::word(argument.len())]);
        }
        memories.push(memory.cloned());
    }
    passed.extend(temporaries.iter().cloned().map(Passed::Memory));
    passed.extend([Passed::Memory(device.errors()?), Passed::word(ready.number)]);
    if let Some(gather) = &ready.gather {
        let longest = (0..arguments.len()).map(length).max().unwrap_or(0).max(1);
        let first = Step::Run { function: ready.kernel.clone(), threads, passed: passed.clone() };
        steps.extend([first, Step::Run { function: gather.clone(), threads: longest, passed }]);
    } else {
        steps.push(Step::Run { function: ready.kernel.clone(), threads, passed });
    }
    let Some([add_threads, add_workers, add_parts]) = &ready.adding else { return Ok(steps) };
    for (temporary, rows) in written.temporaries.iter().zip(&temporaries) {
        let Temporary::Rows { argument, numbers, staged } = *temporary else { continue };
        let Some(Some(memory)) = memories.get(argument) else { continue };
        let (elements, workers) = (length(argument) * numbers, if staged { threads / device.lanes() } else { threads });
        let parts = workers.div_ceil(32).min(GROUP);
        if elements == 0 {
            continue;
        }
        let sums = Passed::Memory(scratch.take(elements * parts * size)?);
        let [of_elements, of_threads, of_parts, of_numbers] = [elements, workers, parts, numbers].map(Passed::word);
        let rows = Passed::Memory(rows.clone());
        let passed = vec![of_elements.clone(), of_threads, of_parts.clone(), rows, sums.clone(), of_numbers];
        let function = if staged { add_workers } else { add_threads };
        steps.push(Step::Run { function: function.clone(), threads: elements * parts, passed });
        let passed = vec![of_elements, of_parts, sums, Passed::Memory(memory.clone())];
        steps.push(Step::Run { function: add_parts.clone(), threads: elements, passed });
    }
    Ok(steps)
}

impl Device {
    /// The word that says what went wrong.
    fn errors(&self) -> Result<Memory, Error> {
        let mut errors = self.0.errors.lock().unwrap_or_else(PoisonError::into_inner);
        match &*errors {
            Some(memory) => Ok(memory.clone()),
            None => {
                let memory = self.allocate(8)?;
                self.write(&memory, &[0; 8])?;
                *errors = Some(memory.clone());
                Ok(memory)
            }
        }
    }

    /// What has gone wrong since this was asked last. Everything that was launched is over then.
    pub(super) fn wait(&self) -> Result<(), Error> {
        let errors = self.0.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(memory) = &*errors else { return Ok(()) };
        let mut word = [0; 8];
        self.read(memory, &mut word)?;
        let word = u64::from_ne_bytes(word);
        if word == 0 {
            return Ok(());
        }
        self.write(memory, &[0; 8])?;
        match self.kernel((word >> 32) as usize) {
            Some(ready) => ready.assembled.error(word as u32),
            None => Ok(()),
        }
    }

    /// How many threads have a row of staged sums in common.
    fn lanes(&self) -> usize {
        match &self.0.kind {
            Kind::Cpu => 1,
            #[cfg(feature = "opencl")]
            Kind::OpenCl(_) => 1,
            #[cfg(feature = "cuda")]
            Kind::Cuda(_) => 32,
        }
    }

    /// How many threads run at most where each has sums of its own.
    fn row_threads(&self) -> usize {
        match &self.0.kind {
            Kind::Cpu => GROUP,
            #[cfg(feature = "opencl")]
            Kind::OpenCl(device) => {
                if device.is_gpu() {
                    2048 * GROUP
                } else {
                    8 * GROUP
                }
            }
            #[cfg(feature = "cuda")]
            Kind::Cuda(_) => 2048 * GROUP,
        }
    }
}
