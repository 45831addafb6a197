//! What a function keeps on behalf of a procedure: the inverse of the procedure has no use for it, and forgets it as a whole.
//!
//! ```text
//! let y = f(x);     begin_call, what `f` keeps, end_call: how much that was
//! pullback          enter_call, and `f` takes what it has kept
//! uncall            forget_call
//! ```
//!
//! A program that decides by floats that it is given says so, and then its caller keeps these: they come back to the last bit.

use super::{Mark, Record};

/// Where a call begins in a record.
#[derive(Debug)]
pub struct Call(Mark);

impl Record {
    /// The run decides by floats that it is given.
    #[doc(hidden)]
    #[inline]
    pub fn decide(&mut self) {
        self.decisions += 1;
    }

    /// How many runs have said so.
    #[doc(hidden)]
    #[inline]
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Begins a call of a function.
    #[doc(hidden)]
    #[inline]
    pub fn begin_call(&mut self) -> Call {
        Call(self.mark())
    }

    /// Keeps how much the function has kept: one bit, if that was nothing.
    #[doc(hidden)]
    #[inline]
    pub fn end_call(&mut self, Call(begin): Call) {
        let (bytes, bits) = (self.top - begin.top, self.bit_top - begin.bit_top);
        let kept = bytes + bits > 0;
        if kept {
            self.push_size(bytes);
            self.push_size(bits);
        }
        self.push_bit(kept);
        #[cfg(debug_assertions)]
        self.tags.push(super::Tag::count(self.tags.len() - begin.tags));
    }

    /// What the function has kept comes next.
    #[doc(hidden)]
    #[inline]
    pub fn enter_call(&mut self) {
        self.pop_call();
    }

    /// Forgets what the function has kept.
    #[doc(hidden)]
    #[inline]
    pub fn forget_call(&mut self) {
        let kept = self.pop_call();
        (self.top, self.bit_top) = (kept.top, kept.bit_top);
        #[cfg(debug_assertions)]
        self.tags.truncate(kept.tags);
    }

    /// Where the call that ended last began.
    #[inline]
    fn pop_call(&mut self) -> Mark {
        #[cfg(debug_assertions)]
        let tags = self.tags.pop().map_or(0, super::Tag::counted);
        let (mut bytes, mut bits) = (0, 0);
        if self.pop_bit() {
            (bits, bytes) = (self.pop_size(), self.pop_size());
        }
        let (Some(top), Some(bit_top)) = (self.top.checked_sub(bytes), self.bit_top.checked_sub(bits)) else {
            self.fail("a call", "something else");
        };
        Mark {
            top,
            bit_top,
            frames: self.frames.len(),
            loops: self.samples.loops(),
            #[cfg(debug_assertions)]
            tags: self.tags.len().saturating_sub(tags),
        }
    }

    /// Keeps a number, in as many bytes as it needs. The last one has its highest digits, and the first one a mark.
    fn push_size(&mut self, size: usize) {
        let (mut rest, mut first) = (size, 0x80);
        loop {
            self.push([(rest & 0x7f) as u8 | first]);
            (rest, first) = (rest >> 7, 0);
            if rest == 0 {
                return;
            }
        }
    }

    fn pop_size(&mut self) -> usize {
        let mut size = 0;
        loop {
            let [digits] = self.pop();
            size = size << 7 | usize::from(digits & 0x7f);
            if digits & 0x80 != 0 {
                return size;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways back find the record as it was before the call.
    #[test]
    fn calls_are_entered_and_forgotten() {
        for (bytes, bits) in [(0, 0), (0, 3), (5, 0), (127, 128), (70_000, 300)] {
            let mut record = Record::new();
            record.push([7, 8]);
            record.push_bit(true);
            let keep = |record: &mut Record| {
                let call = record.begin_call();
                (0..bytes).for_each(|i| record.push([i as u8]));
                (0..bits).for_each(|i| record.push_bit(i % 3 == 0));
                record.end_call(call);
            };
            keep(&mut record);
            record.forget_call();
            keep(&mut record);
            record.enter_call();
            assert!((0..bits).rev().all(|i| record.pop_bit() == (i % 3 == 0)));
            assert!((0..bytes).rev().all(|i| record.pop() == [i as u8]));
            assert!(record.pop_bit());
            assert_eq!((record.pop(), record.bytes()), ([7, 8], 0));
        }
    }
}
