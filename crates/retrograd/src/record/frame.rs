//! Frames: what one recorded run has kept, and the run that takes it back.
//!
//! Both runs hold a guard in place of the record. A run that panics drops its guard, and the record is what it was before. The programs that they call
//! have no frames of their own.

use std::ops::{Deref, DerefMut};

use super::{Mark, Record, Top};
use crate::check::Digest;
use crate::error::ErrorKind;
use crate::site::Site;

/// A recorded run that is finished.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    run: Run,
    /// What it has left, where that was looked at.
    values: Option<Digest>,
    base: Mark,
}

/// What two runs have in common if one undoes the other.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    program: &'static str,
    /// The type of its numbers.
    number: &'static str,
    /// The shapes of its arguments, by `shape_of`, as the recorded run has left them.
    shape: u64,
}

impl Record {
    /// Begins a recorded run. What it keeps is a frame, once it is [finished](FrameGuard::finish).
    #[doc(hidden)]
    pub fn begin_frame(&mut self, program: &'static str, number: &'static str, shape: u64) -> FrameGuard<'_> {
        let frame = Frame { run: Run { program, number, shape }, values: None, base: self.mark() };
        FrameGuard { record: self, frame, finished: false }
    }

    /// Whether host statements run.
    #[doc(hidden)]
    #[inline]
    pub fn runs_hosts(&self) -> bool {
        self.hosts
    }

    /// Begins a run that takes back what the last recorded one has kept.
    ///
    /// If that was a run of another program, or on other numbers or shapes, this raises `ForeignRecord` and changes nothing.
    #[doc(hidden)]
    pub fn end_frame(
        &mut self,
        program: &'static str,
        number: &'static str,
        shape: u64,
        site: &Site,
    ) -> SpendGuard<'_> {
        let expected = Run { program, number, shape };
        let frame = match self.frames.last() {
            Some(frame) if frame.run == expected => *frame,
            last => foreign(expected, last.map(|frame| frame.run), site),
        };
        self.site = Some(*site);
        let top = self.protect(frame.base);
        SpendGuard { record: self, frame, top, finished: false }
    }
}

/// Says which record was expected, and which one is there.
#[cold]
#[inline(never)]
fn foreign(expected: Run, actual: Option<Run>, site: &Site) -> ! {
    let name = |run: Run| match run.number {
        "" => format!("a run of `{}`", run.program),
        number => format!("a run of `{}` on `{number}`", run.program),
    };
    let (mut wanted, mut found) = (name(expected), actual.map_or("nothing".into(), name));
    if wanted == found {
        wanted += " with arguments of these shapes";
        found += " with arguments of other shapes";
    }
    site.fail(ErrorKind::ForeignRecord, "record", wanted, found)
}

/// The record of a run that is under way. Dropped before the run is finished, it forgets what the run has kept.
#[derive(Debug)]
pub struct FrameGuard<'r> {
    record: &'r mut Record,
    frame: Frame,
    finished: bool,
}

impl FrameGuard<'_> {
    /// What the run has left in its arguments, where checks are made.
    #[must_use]
    pub fn leaving(mut self, values: Option<Digest>) -> Self {
        self.frame.values = values;
        self
    }

    /// The run is over, and has left its arguments in this shape: some runs change the length of a `Vec`.
    pub fn finish_as(mut self, shape: u64) {
        self.frame.run.shape = shape;
        self.finish();
    }

    /// The run is over: what it has kept is one frame.
    pub fn finish(mut self) {
        self.record.frames.push(self.frame);
        self.finished = true;
    }
}

impl Drop for FrameGuard<'_> {
    fn drop(&mut self) {
        self.record.hosts = false;
        if !self.finished {
            self.record.cut(&self.frame.base);
        }
    }
}

/// The record of a backward run that is under way. Dropped before the run is finished, it puts the record back as it was.
#[derive(Debug)]
pub struct SpendGuard<'r> {
    record: &'r mut Record,
    frame: Frame,
    top: Top,
    finished: bool,
}

impl SpendGuard<'_> {
    /// What the run is given is what the recorded one has left, as far as both were looked at. If not, this raises `ForeignRecord`,
    /// and changes nothing.
    #[must_use]
    pub fn behind(self, values: Option<Digest>) -> Self {
        if let (Some(left), Some(given)) = (self.frame.values, values)
            && left.differs(given)
        {
            let program = self.frame.run.program;
            let wanted = format!("the run of `{program}` that has left these values in its arguments");
            self.record.fail(&wanted, &format!("another run of `{program}`, which has left other values"));
        }
        self
    }

    /// The run is over, and its frame is removed.
    ///
    /// If the run has taken more or less than was in the frame, this raises `ForeignRecord`.
    pub fn finish(mut self) {
        let (left, base) = (self.record.mark(), self.frame.base);
        if left != base {
            let (taken, kept) = (self.top.above(&left), self.top.above(&base));
            self.record.fail(&format!("a frame of {taken}"), &format!("a frame of {kept}"));
        }
        self.record.frames.pop();
        self.record.samples.cut(base.loops);
        self.finished = true;
    }
}

impl Drop for SpendGuard<'_> {
    fn drop(&mut self) {
        if self.finished {
            self.record.forget_protected();
        } else {
            self.record.put_back(&self.top);
        }
        (self.record.site, self.record.hosts) = (None, false);
    }
}

macro_rules! guards {
    ($($guard:ident)*) => {$(
        impl $guard<'_> {
            /// The run is one on values alone, in which host statements run.
            #[must_use]
            pub fn with_hosts(self) -> Self {
                self.record.hosts = true;
                self
            }
        }

        impl Deref for $guard<'_> {
            type Target = Record;

            #[inline(always)]
            fn deref(&self) -> &Record {
                self.record
            }
        }

        impl DerefMut for $guard<'_> {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut Record {
                self.record
            }
        }
    )*};
}

guards!(FrameGuard SpendGuard);
