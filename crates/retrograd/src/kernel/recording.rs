//! Launches that are recorded once and repeated often.

use std::fmt;
use std::sync::PoisonError;
use std::thread::{self, ThreadId};

use super::device::Device;
use super::error::Error;
#[cfg(any(feature = "opencl", feature = "cuda"))]
use super::{device::Memory, step::Step};

/// Launches that a device has recorded, to be repeated. See [`Device::record`].
pub struct Recording<F> {
    device: Device,
    /// What is run on the CPU; elsewhere it keeps the buffers borrowed.
    launches: F,
    #[cfg(any(feature = "opencl", feature = "cuda"))]
    recorded: Recorded,
    #[cfg(feature = "cuda")]
    graph: Option<super::cuda::Graph>,
}

/// What has been recorded so far, by one thread.
pub(super) struct Recorded {
    pub(super) thread: ThreadId,
    #[cfg(any(feature = "opencl", feature = "cuda"))]
    pub(super) steps: Vec<Step>,
    /// Memory that the launches need besides their arguments.
    #[cfg(any(feature = "opencl", feature = "cuda"))]
    pub(super) memory: Vec<Memory>,
}

impl Device {
    /// Records the launches of `launches` without running them. [`replay`](Recording::replay) runs them as often as one likes, which takes
    /// less time than launching them again: with CUDA they become a graph.
    ///
    /// ```
    /// use retrograd::kernel::{Device, Error};
    /// use retrograd::prelude::*;
    ///
    /// #[reversible(kernel)]
    /// fn drift(#[index] i: usize, x: &mut [f64], v: &[f64]) {
    ///     x[i] += v[i];
    /// }
    ///
    /// let device = Device::cpu();
    /// let (mut x, v) = (device.upload(&[1.0, 2.0])?, device.upload(&[10.0, 20.0])?);
    /// device.record(|device| drift::launch(device, 2, &mut x, &v))?.replay(3)?;
    /// assert_eq!(x.download()?, [31.0, 62.0]);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// What `launches` returns, and [`Error::Waits`] where one of them waits, because it has the shadow of a number, or where something is
    /// recorded already.
    pub fn record<F>(&self, mut launches: F) -> Result<Recording<F>, Error>
    where
        F: FnMut(&Device) -> Result<(), Error>,
    {
        if self.is_cpu() {
            return Ok(Recording {
                device: self.clone(),
                launches,
                #[cfg(any(feature = "opencl", feature = "cuda"))]
                recorded: Recorded::default(),
                #[cfg(feature = "cuda")]
                graph: None,
            });
        }
        {
            let mut recording = self.0.recording.lock().unwrap_or_else(PoisonError::into_inner);
            if recording.is_some() {
                return Err(Error::Waits { kernel: "record" });
            }
            *recording = Some(Recorded::default());
        }
        let launched = launches(self);
        let recorded = self.0.recording.lock().unwrap_or_else(PoisonError::into_inner).take();
        launched?;
        let recorded = recorded.unwrap_or_default();
        #[cfg(not(any(feature = "opencl", feature = "cuda")))]
        let _ = recorded;
        #[cfg(feature = "cuda")]
        let graph = self.graph(&recorded.steps)?;
        Ok(Recording {
            device: self.clone(),
            launches,
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            recorded,
            #[cfg(feature = "cuda")]
            graph,
        })
    }
}

impl Default for Recorded {
    fn default() -> Recorded {
        Recorded {
            thread: thread::current().id(),
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            steps: Vec::new(),
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            memory: Vec::new(),
        }
    }
}

impl<F: FnMut(&Device) -> Result<(), Error>> Recording<F> {
    /// Runs the launches so often.
    ///
    /// # Errors
    ///
    /// As the launches themselves.
    pub fn replay(&mut self, times: usize) -> Result<(), Error> {
        for _ in 0..times {
            if self.device.is_cpu() {
                (self.launches)(&self.device)?;
                continue;
            }
            #[cfg(feature = "cuda")]
            if let Some(graph) = &self.graph {
                graph.launch()?;
                continue;
            }
            #[cfg(any(feature = "opencl", feature = "cuda"))]
            self.recorded.steps.iter().try_for_each(|step| self.device.perform(step))?;
        }
        Ok(())
    }
}

impl<F> fmt::Debug for Recording<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recording(on {:?})", self.device)
    }
}

#[cfg(any(feature = "opencl", feature = "cuda"))]
impl<F> Drop for Recording<F> {
    fn drop(&mut self) {
        // Memory is given back when all runs that use it are over.
        let _ = self.device.wait();
        self.recorded.memory.clear();
    }
}
