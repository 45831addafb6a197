//! Memory that launches need besides their arguments, and use again and again.

use std::sync::{Mutex, PoisonError};

use super::device::{Device, Memory};
use super::error::Error;

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

/// Memory for one launch. Later launches may have it as soon as this one is queued: what is queued happens in order.
pub(super) struct Scratch<'d> {
    device: &'d Device,
    used: Vec<(usize, Memory)>,
}

impl<'d> Scratch<'d> {
    pub(super) fn new(device: &'d Device) -> Scratch<'d> {
        Scratch { device, used: Vec::new() }
    }

    /// So many bytes, whatever is in them.
    pub(super) fn take(&mut self, bytes: usize) -> Result<Memory, Error> {
        let memory = match self.device.0.pool.take(bytes) {
            Some(memory) => memory,
            None => self.device.allocate(bytes)?,
        };
        self.used.push((bytes, memory.clone()));
        Ok(memory)
    }

    /// The memory is not for others.
    pub(super) fn keep(&mut self) -> Vec<Memory> {
        self.used.drain(..).map(|(_, memory)| memory).collect()
    }
}

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        self.used.drain(..).for_each(|(bytes, memory)| self.device.0.pool.give(bytes, memory));
    }
}
