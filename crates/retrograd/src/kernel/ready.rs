//! Kernels that are ready to be run: put together and compiled at their first launch on a device.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::device::{Device, Kind};
use super::error::Error;
use super::step::{Function, unreachable};
use super::text::{Assembled, Identity, Language, Text, sums};
use crate::check::DriftTolerance;

/// A kernel on a device.
pub(super) struct Ready {
    pub(super) assembled: Assembled,
    /// Its number on the device, which it says in front of its errors.
    pub(super) number: usize,
    pub(super) kernel: Function,
    /// What gathers the terms that runs have left.
    pub(super) gather: Option<Function>,
    /// What adds up the sums of threads, or of those with a row in common, and then of parts of them.
    pub(super) adding: Option<[Function; 3]>,
    /// How many bytes a number has.
    pub(super) size: usize,
}

/// The kernels of a device.
#[derive(Default)]
pub(super) struct Kernels(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The numbers of kernels.
    numbers: HashMap<Key, usize>,
    all: Vec<Arc<Ready>>,
}

/// What a kernel was compiled from.
type Key = (Identity, &'static str, [u64; 2], bool);

impl Device {
    /// The kernel with that text; `near` says that no index is out of bounds which need not be checked then.
    pub(super) fn ready(&self, text: Text, near: bool) -> Result<Arc<Ready>, Error> {
        let single = text.number == "float";
        let tolerance = DriftTolerance::current_for(single);
        let key = (text.identity(), text.number, [tolerance.relative.to_bits(), tolerance.absolute.to_bits()], near);
        let mut kernels = self.0.kernels.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Known { numbers, all } = &mut *kernels;
        if let Some(ready) = numbers.get(&key).and_then(|number| all.get(*number)) {
            return Ok(Arc::clone(ready));
        }
        let ready = Arc::new(self.prepare(text, near, all.len())?);
        numbers.insert(key, all.len());
        all.push(Arc::clone(&ready));
        Ok(ready)
    }

    /// The kernel with that number.
    pub(super) fn kernel(&self, number: usize) -> Option<Arc<Ready>> {
        self.0.kernels.0.lock().unwrap_or_else(PoisonError::into_inner).all.get(number).cloned()
    }

    fn prepare(&self, text: Text, near: bool, number: usize) -> Result<Ready, Error> {
        let (name, of, single) = (text.name, text.number, text.number == "float");
        let assembled = Assembled::new(self.language()?, text)?;
        let bounds = if near { "#define IS_NEAR\n" } else { "" };
        let source = format!("{bounds}{}{}", drift(single), assembled.source);
        let kernel = self.compile(name, &source, &format!("kernel_{name}"))?;
        let gather = match assembled.kernel.gathers {
            true => Some(self.compile(name, &source, &format!("gather_{name}"))?),
            false => None,
        };
        let adding = match assembled.kernel.has_rows() {
            true => {
                let source = sums(self.language()?, of);
                let add = |what: &str| self.compile(name, &source, what);
                Some([add("add_threads")?, add("add_workers")?, add("add_parts")?])
            }
            false => None,
        };
        Ok(Ready { assembled, number, kernel, gather, adding, size: if single { 4 } else { 8 } })
    }

    pub(super) fn language(&self) -> Result<Language, Error> {
        match &self.0.kind {
            Kind::Cpu => Err(unreachable()),
            #[cfg(feature = "opencl")]
            Kind::OpenCl(_) => Ok(Language::OpenCl),
            #[cfg(feature = "cuda")]
            Kind::Cuda(_) => Ok(Language::Cuda),
        }
    }
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
