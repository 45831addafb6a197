//! Records: what programs lose on their way forwards, kept for the way back.
//!
//! A [`Record`] is a stack in memory. Everything is kept as plain bytes in one buffer, and single bits in another, so that keeping a number
//! costs what pushing it to a `Vec` costs. What goes in is [`Recordable`]; what comes out has to be asked for in reverse, and by
//! the same types: generated code ties the two together by a [`Slot`].
//!
//! Popping only moves a cursor. So a backward run that panics can put the cursor back, and nothing is lost; see `guarded` in
//! [`Record`] for runs that push again in between.

mod containers;
mod lease;
mod numbers;
mod recordable;
mod slot;
mod tag;

use std::fmt;

pub(crate) use containers::recordable_fields;
pub use lease::Lease;
pub use recordable::Recordable;
pub use slot::Slot;
pub use tag::Tag;

use crate::error::ErrorKind;
use crate::site::Site;

/// What recorded programs have lost, for their way back: a stack of values of any type in one growing piece of memory.
///
/// ```
/// use retrograd::Record;
///
/// let mut record = Record::new();
/// assert_eq!((record.bytes(), record.peak_bytes()), (0, 0));
/// record.clear();
/// ```
///
/// An `f64` takes 8 bytes, an `f32` takes 4, an integer of up to 64 bits takes 8, and a `bool` takes one bit.
#[derive(Default)]
pub struct Record {
    /// What is kept lies below `top`; above is memory for more.
    bytes: Vec<u8>,
    top: usize,
    /// A stack of single bits, in words of 64.
    bits: Vec<u64>,
    bit_top: usize,
    /// The most that was kept at once, up to the last time that something was taken.
    peak: usize,
    /// What was kept by which types, in checked builds.
    #[cfg(debug_assertions)]
    tags: Vec<Tag>,
}

impl Record {
    /// A record in which nothing is kept. It allocates when the first value is.
    pub const fn new() -> Record {
        Record {
            bytes: Vec::new(),
            top: 0,
            bits: Vec::new(),
            bit_top: 0,
            peak: 0,
            #[cfg(debug_assertions)]
            tags: Vec::new(),
        }
    }

    /// How many bytes are kept now. Single bits are rounded up to whole bytes.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.top + self.bit_top.div_ceil(8)
    }

    /// The most bytes that were kept at once since the record was made or [cleared](Record::clear).
    #[inline]
    pub fn peak_bytes(&self) -> usize {
        self.peak.max(self.bytes())
    }

    /// Forgets everything. The memory remains, for what is kept next.
    pub fn clear(&mut self) {
        (self.top, self.bit_top, self.peak) = (0, 0, 0);
        #[cfg(debug_assertions)]
        self.tags.clear();
    }

    /// Keeps `N` bytes.
    #[inline]
    pub(crate) fn push<const N: usize>(&mut self, bytes: [u8; N]) {
        *self.room(N).first_chunk_mut().expect("there is room for them") = bytes;
    }

    /// Takes the last `N` bytes.
    #[inline]
    pub(crate) fn pop<const N: usize>(&mut self) -> [u8; N] {
        *self.take(N).first_chunk().expect("that many are taken")
    }

    /// The place for `count` more bytes.
    #[inline]
    pub(crate) fn room(&mut self, count: usize) -> &mut [u8] {
        let (start, end) = (self.top, self.top + count);
        if end > self.bytes.len() {
            self.grow(end);
        }
        self.top = end;
        &mut self.bytes[start..end]
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, end: usize) {
        let size = end.max(2 * self.bytes.len()).max(64);
        self.bytes.resize(size, 0);
    }

    /// The last `count` bytes, which are taken. They are in memory until something else is kept.
    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> &[u8] {
        self.note_peak();
        let end = self.top;
        match end.checked_sub(count) {
            Some(start) => {
                self.top = start;
                &self.bytes[start..end]
            }
            None => self.is_empty_for("a value"),
        }
    }

    /// Keeps one bit.
    #[inline]
    pub(crate) fn push_bit(&mut self, bit: bool) {
        let (word, place) = (self.bit_top / 64, self.bit_top % 64);
        if word == self.bits.len() {
            self.bits.push(0);
        }
        self.bits[word] = self.bits[word] & !(1 << place) | u64::from(bit) << place;
        self.bit_top += 1;
    }

    /// Takes the last bit.
    #[inline]
    pub(crate) fn pop_bit(&mut self) -> bool {
        self.note_peak();
        match self.bit_top.checked_sub(1) {
            Some(last) => {
                self.bit_top = last;
                self.bits[last / 64] >> (last % 64) & 1 == 1
            }
            None => self.is_empty_for("a `bool`"),
        }
    }

    /// The peak is passed just before something is taken.
    #[inline]
    fn note_peak(&mut self) {
        let now = self.bytes();
        if now > self.peak {
            self.peak = now;
        }
    }

    #[cold]
    #[inline(never)]
    fn is_empty_for(&self, expected: &str) -> ! {
        self.fail(expected, "nothing")
    }

    /// Raises `ForeignRecord`.
    #[cold]
    #[inline(never)]
    pub(crate) fn fail(&self, expected: &str, actual: &str) -> ! {
        const SITE: Site = Site { function: "Record", file: file!(), line: line!(), column: 1, statement: "" };
        SITE.fail(ErrorKind::ForeignRecord, "record", expected, actual)
    }
}

impl fmt::Debug for Record {
    /// Sizes only: what is kept does not know its types.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record").field("bytes", &self.bytes()).field("peak_bytes", &self.peak_bytes()).finish()
    }
}
