//! Records: what programs lose on their way forwards, kept for the way back.
//!
//! A [`Record`] is a stack. Values are kept as plain bytes in one buffer, and single bits in another, so that keeping a number
//! costs what pushing it onto a `Vec` costs. [`Recordable`] says how a value goes in and comes out. Values come out in reverse order, and
//! each as the type it went in as: in generated code a [`Slot`] ties the two types together.
//!
//! Taking a value only moves a cursor. A backward run that panics moves it back, and puts back what was written over in between,
//! which `saved` has copied.

mod calls;
mod containers;
mod frame;
mod in_place;
mod lease;
mod library;
mod numbers;
mod orders;
mod recordable;
mod samples;
mod saved;
mod shape;
mod slot;
mod tag;
mod variant;
mod vectors;
mod window;

use std::fmt;

pub(crate) use containers::recordable_fields;
pub use frame::{FrameGuard, SpendGuard};
pub use in_place::InPlace;
pub use lease::{Lease, set_aside, using};
pub use orders::{sort_by, sort_by_key};
pub use recordable::{Recordable, blank};
pub use shape::{HasShape, shape_of, shapes, value_of};
pub use slot::Slot;
pub use tag::Tag;
pub use variant::{keep_variant, no_variant, recall_variant};
pub use vectors::{append, insert_at, remove_at, shrink};
pub use window::{Rest, Room, rests, rooms};

use crate::error::ErrorKind;
use crate::site::Site;
use frame::Frame;
use samples::{Loops, Samples};
use saved::Saved;

/// What recorded runs have lost, kept for the way back: a stack of values of any type, in one growing piece of memory.
///
/// A recorded run appends a *frame* to it, and the run that undoes it removes the last one. So several runs can share one record,
/// if they are undone in reverse order. A frame knows the program, the type of its numbers and the shapes of its arguments: undoing any other run
/// raises [`ErrorKind::ForeignRecord`](crate::ErrorKind::ForeignRecord) before anything is changed. A recorded run that panics leaves no frame, and a
/// backward run that panics leaves the record as it was.
///
/// ```
/// use retrograd::Record;
///
/// let record = Record::new();
/// assert_eq!((record.bytes(), record.peak_bytes()), (0, 0));
/// assert_eq!(format!("{record:?}"), "Record { bytes: 0, peak_bytes: 0, frames: 0 }");
/// ```
///
/// # Memory
///
/// An `f64` takes 8 bytes, an `f32` 4, an integer of up to 64 bits 8, a `bool` or the presence of an `Option` one bit, and a `Vec` 8
/// bytes more than its elements. The memory grows by doubling and is never given back, so a record that is used again
/// allocates nothing.
///
/// What can be kept is [`Recordable`].
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
    frames: Vec<Frame>,
    /// Whether host statements run: in `recorded` and `uncall`, and not in derivative runs.
    hosts: bool,
    /// The program that runs backwards now, for errors.
    site: Option<Site>,
    saved_bytes: Saved<u8>,
    saved_bits: Saved<u64>,
    samples: Samples,
    /// How many of the runs that filled it decide by floats that they were given.
    decisions: u64,
    /// The types of what is kept, in checked builds.
    #[cfg(debug_assertions)]
    tags: Vec<Tag>,
}

/// How much of a record there is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    top: usize,
    bit_top: usize,
    frames: usize,
    loops: Loops,
    #[cfg(debug_assertions)]
    tags: usize,
}

impl PartialEq for Mark {
    fn eq(&self, other: &Mark) -> bool {
        (self.top, self.bit_top) == (other.top, other.bit_top)
    }
}

/// How much there was when a backward run began.
#[derive(Debug)]
struct Top {
    mark: Mark,
    /// The samples of its frame.
    samples: Samples,
    /// The tags of its frame.
    #[cfg(debug_assertions)]
    tags: Vec<Tag>,
}

impl Top {
    /// How much there was above `mark`.
    fn above(&self, mark: &Mark) -> String {
        format!("{} bytes and {} bits", self.mark.top - mark.top, self.mark.bit_top - mark.bit_top)
    }
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
            frames: Vec::new(),
            hosts: false,
            site: None,
            saved_bytes: Saved::new(),
            saved_bits: Saved::new(),
            samples: Samples::new(),
            decisions: 0,
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

    /// A record in which there are zeros.
    fn of_zeros() -> Record {
        Record { bytes: vec![0; 64], top: 64, bits: vec![0], bit_top: 64, ..Record::default() }
    }

    /// A value as bytes, by way of an empty record: what is kept, then the bits, then how many these are.
    pub(crate) fn encode<T: Recordable>(&mut self, value: &T) -> Vec<u8> {
        self.clear();
        value.keep(self);
        let mut bytes = Vec::with_capacity(self.bytes() + 24);
        bytes.extend_from_slice(&self.bytes[..self.top]);
        let words = &self.bits[..self.bit_top.div_ceil(64)];
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend((self.bit_top as u64).to_le_bytes());
        bytes
    }

    /// The value that was [encoded](Record::encode).
    pub(crate) fn decode<T: Recordable>(&mut self, bytes: &[u8]) -> T {
        self.clear();
        let (rest, bits) = bytes.split_last_chunk().expect("the number of bits is the last word");
        let bits = u64::from_le_bytes(*bits) as usize;
        let (values, words) = rest.split_at(rest.len() - 8 * bits.div_ceil(64));
        self.room(values.len()).copy_from_slice(values);
        self.bits.clear();
        self.bits.extend(words.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes"))));
        self.bit_top = bits;
        T::recall(self)
    }

    /// Forgets everything, including the peak. The memory remains, for what is kept next.
    ///
    /// ```
    /// use retrograd::Record;
    ///
    /// let mut record = Record::new();
    /// record.clear();
    /// assert_eq!(record.bytes(), 0);
    /// ```
    pub fn clear(&mut self) {
        (self.top, self.bit_top, self.peak) = (0, 0, 0);
        self.frames.clear();
        self.samples.cut(Loops::default());
        #[cfg(debug_assertions)]
        self.tags.clear();
    }

    /// Keeps `N` bytes.
    #[inline]
    pub(crate) fn push<const N: usize>(&mut self, bytes: [u8; N]) {
        let start = self.top;
        match self.bytes.get_mut(start..).and_then(<[u8]>::first_chunk_mut) {
            Some(place) if start >= self.saved_bytes.limit => {
                *place = bytes;
                self.top = start + N;
            }
            _ => self.push_slowly(bytes),
        }
    }

    /// The same where memory is missing, or protected. All of it is out of line, so that loops that keep numbers hold them in registers.
    #[cold]
    #[inline(never)]
    fn push_slowly<const N: usize>(&mut self, bytes: [u8; N]) {
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
        if start < self.saved_bytes.limit || end > self.bytes.len() {
            self.make_room(end);
        }
        self.top = end;
        &mut self.bytes[start..end]
    }

    /// Makes it possible to write up to `end`.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, end: usize) {
        if self.top < self.saved_bytes.limit {
            self.saved_bytes.save(&self.bytes, self.top);
        }
        if end > self.bytes.len() {
            let size = end.max(2 * self.bytes.len()).max(64);
            self.bytes.resize(size, 0);
        }
    }

    /// Takes the last `count` bytes. They stay in memory until something else is kept.
    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> &[u8] {
        self.note_peak();
        let end = self.top;
        match end.checked_sub(count) {
            // `top` is never beyond the end, which rustc does not know.
            Some(start) if end <= self.bytes.len() => {
                self.top = start;
                &self.bytes[start..end]
            }
            _ => self.is_empty_for("a value"),
        }
    }

    /// Keeps one bit.
    #[inline]
    pub(crate) fn push_bit(&mut self, bit: bool) {
        let (word, place) = (self.bit_top / 64, self.bit_top % 64);
        if word < self.saved_bits.limit {
            self.saved_bits.save(&self.bits, word);
        }
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

    #[inline]
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            top: self.top,
            bit_top: self.bit_top,
            frames: self.frames.len(),
            loops: self.samples.loops(),
            #[cfg(debug_assertions)]
            tags: self.tags.len(),
        }
    }

    /// Forgets everything above `mark`.
    #[inline]
    pub(crate) fn cut(&mut self, mark: &Mark) {
        self.note_peak();
        (self.top, self.bit_top) = (mark.top, mark.bit_top);
        self.frames.truncate(mark.frames);
        self.samples.cut(mark.loops);
        #[cfg(debug_assertions)]
        self.tags.truncate(mark.tags);
    }

    /// Protects everything that is kept, for a backward run that takes what is above `base`; [`put_back`](Record::put_back) undoes
    /// that run.
    fn protect(&mut self, base: Mark) -> Top {
        self.saved_bytes.protect(self.top);
        self.saved_bits.protect(self.bit_top.div_ceil(64));
        Top {
            mark: self.mark(),
            samples: self.samples.behind(base.loops),
            #[cfg(debug_assertions)]
            tags: self.tags[base.tags..].to_vec(),
        }
    }

    /// Puts back what a backward run has taken.
    fn put_back(&mut self, top: &Top) {
        self.note_peak();
        self.saved_bytes.restore(&mut self.bytes);
        self.saved_bits.restore(&mut self.bits);
        (self.top, self.bit_top) = (top.mark.top, top.mark.bit_top);
        self.samples.put_back(&top.samples, top.mark.loops);
        #[cfg(debug_assertions)]
        {
            self.tags.truncate(top.mark.tags - top.tags.len());
            self.tags.extend_from_slice(&top.tags);
        }
    }

    /// Gives up what a backward run has taken.
    fn forget_protected(&mut self) {
        self.saved_bytes.forget();
        self.saved_bits.forget();
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
        const NOWHERE: Site = Site { function: "Record", file: file!(), line: line!(), column: 1, statement: "" };
        self.site.unwrap_or(NOWHERE).fail(ErrorKind::ForeignRecord, "record", expected, actual)
    }
}

impl fmt::Debug for Record {
    /// Sizes only: what is kept does not know its types.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Record")
            .field("bytes", &self.bytes())
            .field("peak_bytes", &self.peak_bytes())
            .field("frames", &self.frames.len())
            .finish()
    }
}
