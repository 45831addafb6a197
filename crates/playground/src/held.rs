//! A module together with a program of it that is on its way.

// What is on its way refers to the module beside it.
#![allow(unsafe_code)]

use retrograd_interpreter::debug::Journey;
use retrograd_interpreter::{Compiled, Error, Module};

/// A module, what was derived from it, and perhaps a journey through one of its programs.
#[derive(Debug)]
pub(crate) struct Held {
    // Dropped first: it refers to the two others.
    journey: Option<Journey<'static>>,
    parts: *mut Parts,
}

/// What journeys refer to.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) module: Module,
    pub(crate) compiled: Compiled,
}

impl Held {
    pub(crate) fn new(module: Module, compiled: Compiled) -> Held {
        Held { journey: None, parts: Box::into_raw(Box::new(Parts { module, compiled })) }
    }

    pub(crate) fn parts(&self) -> &Parts {
        // SAFETY: `parts` is a box until `self` is dropped, and nobody changes what is in it.
        unsafe { &*self.parts }
    }

    /// Begins another journey in place of the one there is.
    pub(crate) fn begin(
        &mut self,
        start: impl FnOnce(&'static Parts) -> Result<Journey<'static>, Error>,
    ) -> Result<(), Error> {
        self.journey = None;
        // SAFETY: the journey is dropped in front of what it refers to, and handed out for no longer than `self` is borrowed.
        self.journey = Some(start(unsafe { &*self.parts })?);
        Ok(())
    }

    pub(crate) fn journey(&mut self) -> Option<&mut Journey<'static>> {
        self.journey.as_mut()
    }

    /// Ends the journey.
    pub(crate) fn end(&mut self) {
        self.journey = None;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.journey = None;
        // SAFETY: it was made by `Box::into_raw`, and nothing refers to it any more.
        drop(unsafe { Box::from_raw(self.parts) });
    }
}
