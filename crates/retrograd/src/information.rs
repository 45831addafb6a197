//! Storage for what products lose, to a fraction of a bit.

use crate::check::{Compare, Report};
use crate::record::recordable_fields;

/// Stores the bits that products by factors below one lose, so that [`damp`](fn@crate::ops::damp) is undone bit for bit.
///
/// Multiplying a fixed-point number by 0.9 leaves fewer distinct values than before: it loses log₂(1/0.9) bits, about a sixth of
/// a bit. The buffer grows by that much for each product, and shrinks by it when the product is undone; when all are undone it is
/// empty again. One buffer serves any number of variables and factors.
///
/// ```
/// use retrograd::{Fixed, InformationBuffer, Real, ops::damp};
///
/// let (mut v, factor, mut lost) = (Fixed::<32>::lit(1.25), Fixed::lit(0.9), InformationBuffer::new());
/// for _ in 0..1000 {
///     damp(&mut v, factor, &mut lost);
/// }
/// assert!((lost.bits() - 1000.0 * -factor.to_f64().log2()).abs() < 1e-3);
/// assert_eq!(lost.bytes(), 48);
/// for _ in 0..1000 {
///     damp::uncall(&mut v, factor, &mut lost);
/// }
/// assert!(v == Fixed::lit(1.25) && lost.is_empty());
/// ```
///
/// No derivative flows through a buffer: in a reversible program it is an argument like an integer, without a shadow.
///
/// # How it works
///
/// The buffer is one large number. Putting in a digit of base `b` multiplies it by `b` and adds the digit; taking one out divides
/// by `b`, and the digit is the remainder. Only the head of the number, 192 bits, takes part: the rest is stored below it
/// in words, one of which is moved over when the head becomes too large or too small, as asymmetric numeral systems do. So every step
/// takes constant time, however much is stored.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct InformationBuffer {
    words: Vec<u64>,
    /// The upper part of the head, at least 2⁶⁴: a head that has become too small is refilled by one word.
    high: u128,
    low: u64,
}

/// The upper part of the head of an empty buffer. A product takes a digit out before it puts one in: there are 63 bits to lend.
const EMPTY: u128 = 1 << 127;

impl InformationBuffer {
    /// An empty buffer.
    pub const fn new() -> InformationBuffer {
        InformationBuffer { words: Vec::new(), high: EMPTY, low: 0 }
    }

    /// Whether nothing is stored: every product has been undone.
    pub fn is_empty(&self) -> bool {
        *self == InformationBuffer::new()
    }

    /// How many bits are stored: the sum of log₂(1/factor) over all products, to about nine digits.
    pub fn bits(&self) -> f64 {
        self.words.len() as f64 * 64.0 + (self.high as f64 / EMPTY as f64).log2()
    }

    /// How many bytes of memory they take: words of eight, and 24 for the head.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.high) + size_of_val(&self.low) + size_of_val(&self.words[..])
    }

    /// Whether so many bits can be taken out. Shares of digits are rounded, which is a matter of 2⁻³¹ bits each time.
    pub(crate) fn holds(&self, bits: f64) -> bool {
        self.bits() > bits - 1e-3
    }

    /// Puts `count` bits in; at most 63.
    #[inline]
    pub(crate) fn push_bits(&mut self, bits: u64, count: u32) {
        if count > 0 {
            if self.high >> (128 - count) != 0 {
                self.spill();
            }
            self.high = (self.high << count) | u128::from(self.low >> (64 - count));
            self.low = (self.low << count) | bits;
        }
    }

    /// Takes out the last `count` bits.
    #[inline]
    pub(crate) fn pop_bits(&mut self, count: u32) -> u64 {
        let bits = self.low & ((1 << count) - 1);
        if count > 0 {
            self.low = self.low >> count | (self.high as u64) << (64 - count);
            self.high >>= count;
            self.refill();
        }
        bits
    }

    /// Puts a digit in, of an odd base below 2⁶².
    #[inline]
    pub(crate) fn push_digit(&mut self, digit: u64, base: u64) {
        if base >> 32 == 0 {
            self.push_share(Shares::equal(base), digit);
        } else {
            let (high, whole, part) = (digit >> 32, base >> 32, base & LOWER);
            if high < whole {
                self.push_bits(digit & LOWER, 32);
            } else {
                self.push_share(Shares::equal(part), digit & LOWER);
            }
            self.push_share(Shares::and_part(whole, part), high);
        }
    }

    /// Takes out the last digit.
    #[inline]
    pub(crate) fn pop_digit(&mut self, base: u64) -> u64 {
        if base >> 32 == 0 {
            self.pop_share(Shares::equal(base))
        } else {
            let (whole, part) = (base >> 32, base & LOWER);
            let high = self.pop_share(Shares::and_part(whole, part));
            let low = if high < whole { self.pop_bits(32) } else { self.pop_share(Shares::equal(part)) };
            high << 32 | low
        }
    }

    fn push_share(&mut self, shares: Shares, digit: u64) {
        let Some((start, share)) = shares.cell(digit) else { return };
        if (self.high >> 64) as u64 >= share {
            self.spill();
        }
        // The quotient has two words, since the first word of the head is below the share.
        let share = u128::from(share);
        let first = self.high / share;
        let rest = (self.high % share) << 64 | u128::from(self.low);
        self.high = (first << 64) | (rest / share);
        self.low = start + (rest % share) as u64;
    }

    fn pop_share(&mut self, shares: Shares) -> u64 {
        let digit = shares.digit(self.low);
        if let Some((start, share)) = shares.cell(digit) {
            let share = u128::from(share);
            let lower = (self.high & u128::from(u64::MAX)) * share + u128::from(self.low - start);
            self.high = (self.high >> 64) * share + (lower >> 64);
            self.low = lower as u64;
            self.refill();
        }
        digit
    }

    /// Moves a word from the head to the others.
    fn spill(&mut self) {
        self.words.push(self.low);
        self.low = self.high as u64;
        self.high >>= 64;
    }

    /// Moves a word back, if the head is too small: exactly where putting in what was taken out would move it away.
    #[inline]
    fn refill(&mut self) {
        if self.high >> 64 == 0 {
            self.high = self.high << 64 | u128::from(self.low);
            self.low = self.words.pop().expect("what is taken out was put in, or is lent by the empty buffer");
        }
    }
}

/// The lower half of a word.
const LOWER: u64 = u32::MAX as u64;

/// How digits share the 2⁶⁴ values of a word: `whole` of them have `share` each, the first `larger` of these one more, and
/// the last digit has the rest, if there is one.
#[derive(Clone, Copy, Debug)]
struct Shares {
    whole: u64,
    share: u64,
    larger: u64,
    last: u64,
}

impl Shares {
    /// Digits that are equally likely: as many as `base`, which is below 2³².
    #[inline]
    fn equal(base: u64) -> Shares {
        Shares::of(base, 0)
    }

    /// Digits that are equally likely, `whole` of them, and a last one that is `part` over 2³² as likely.
    #[inline]
    fn and_part(whole: u64, part: u64) -> Shares {
        Shares::of(whole, ((u128::from(part) << 64) / u128::from(whole << 32 | part)) as u64 + 1)
    }

    #[inline]
    fn of(whole: u64, last: u64) -> Shares {
        let (all, whole_128) = ((1 << 64) - u128::from(last), u128::from(whole));
        // A base of one has the share 2⁶⁴, and nothing to store: see `cell`.
        Shares { whole, share: (all / whole_128) as u64, larger: (all % whole_128) as u64, last }
    }

    /// Where the part of a digit begins, and how large it is. A digit that has everything is not stored at all.
    #[inline]
    fn cell(self, digit: u64) -> Option<(u64, u64)> {
        if self.whole == 1 && self.last == 0 {
            None
        } else if digit < self.whole {
            Some((digit * self.share + digit.min(self.larger), self.share + u64::from(digit < self.larger)))
        } else {
            Some((self.last.wrapping_neg(), self.last))
        }
    }

    /// The digit whose part a place is in.
    #[inline]
    fn digit(self, place: u64) -> u64 {
        if self.whole == 1 && self.last == 0 {
            return 0;
        }
        if self.last > 0 && place >= self.last.wrapping_neg() {
            return self.whole;
        }
        let above = place / (self.share + 1);
        if above < self.larger { above } else { (place - self.larger) / self.share }
    }
}

impl Default for InformationBuffer {
    fn default() -> Self {
        InformationBuffer::new()
    }
}

/// How much is in it.
impl std::fmt::Debug for InformationBuffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "InformationBuffer({:.3} bits)", self.bits())
    }
}

recordable_fields! {
    () InformationBuffer { words, high, low } = InformationBuffer::new();
}

/// Compares every bit.
impl Compare for InformationBuffer {
    fn compare(&self, actual: &Self, report: &mut Report) {
        if self != actual {
            report.mismatch(self, actual);
        }
    }

    const EXACT: bool = true;

    fn magnitude(&self) -> f64 {
        0.0
    }

    fn drifts(&self, actual: &Self, _: f64) -> bool {
        self != actual
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bits, or a digit with its base.
    #[derive(Clone, Copy, Debug)]
    enum Item {
        Bits(u64, u32),
        Digit(u64, u64),
    }

    impl Item {
        fn put(self, buffer: &mut InformationBuffer) {
            match self {
                Item::Bits(bits, count) => buffer.push_bits(bits, count),
                Item::Digit(digit, base) => buffer.push_digit(digit, base),
            }
        }

        #[track_caller]
        fn take(self, buffer: &mut InformationBuffer) {
            match self {
                Item::Bits(bits, count) => assert_eq!(buffer.pop_bits(count), bits),
                Item::Digit(digit, base) => assert_eq!(buffer.pop_digit(base), digit),
            }
        }

        fn information(self) -> f64 {
            match self {
                Item::Bits(_, count) => f64::from(count),
                Item::Digit(_, base) => (base as f64).log2(),
            }
        }
    }

    fn item() -> impl Strategy<Value = Item> {
        let bits = (any::<u64>(), 0_u32..=63).prop_map(|(bits, count)| Item::Bits(bits & ((1 << count) - 1), count));
        let digit = (any::<u64>(), 1_u64..1 << 62, 0_u32..62).prop_map(|(digit, base, small)| {
            let base = base >> small | 1;
            Item::Digit(digit % base, base)
        });
        prop_oneof![bits, digit]
    }

    proptest! {
        #[test]
        fn what_is_put_in_comes_out_in_reverse_and_takes_no_more_room_than_it_must(
            items in proptest::collection::vec(item(), 0..200)
        ) {
            let mut buffer = InformationBuffer::new();
            let mut before = Vec::new();
            for &item in &items {
                before.push(buffer.clone());
                item.put(&mut buffer);
            }
            let information: f64 = items.iter().map(|item| item.information()).sum();
            prop_assert!((buffer.bits() - information).abs() < 1e-6, "{} for {information}", buffer.bits());
            for &item in items.iter().rev() {
                item.take(&mut buffer);
                prop_assert!(Some(&buffer) == before.pop().as_ref());
            }
            prop_assert!(buffer.is_empty());
        }

        #[test]
        fn what_is_taken_out_can_be_put_back(
            items in proptest::collection::vec(item(), 40..60), taken in proptest::collection::vec(item(), 0..10)
        ) {
            let mut buffer = InformationBuffer::new();
            items.iter().for_each(|item| item.put(&mut buffer));
            let mut before = Vec::new();
            for &item in &taken {
                if !buffer.holds(item.information()) {
                    break;
                }
                let start = buffer.clone();
                before.push((start, match item {
                    Item::Bits(_, count) => Item::Bits(buffer.pop_bits(count), count),
                    Item::Digit(_, base) => Item::Digit(buffer.pop_digit(base), base),
                }));
            }
            while let Some((start, item)) = before.pop() {
                item.put(&mut buffer);
                prop_assert!(buffer == start);
            }
        }
    }

    #[test]
    fn digits_share_a_word() {
        let bases = [2, 3, 10, 65_537, (1 << 32) - 1].map(Shares::equal);
        let parts = [(1, 1), (1, LOWER), (3, 1 << 31), ((1 << 30) - 1, 1), ((1 << 30) - 1, LOWER)]
            .map(|(whole, part)| Shares::and_part(whole, part));
        for shares in bases.into_iter().chain(parts) {
            let digits = shares.whole + u64::from(shares.last > 0);
            let (start, share) = shares.cell(digits - 1).unwrap();
            assert_eq!((shares.cell(0).unwrap().0, u128::from(start) + u128::from(share)), (0, 1 << 64), "{shares:?}");
            for digit in [0, digits / 3, digits / 2, digits - 1] {
                let (start, share) = shares.cell(digit).unwrap();
                assert_eq!([start, start + (share - 1)].map(|place| shares.digit(place)), [digit; 2], "{shares:?}");
            }
        }
    }

    #[test]
    fn a_buffer_says_how_much_is_in_it() {
        let mut buffer = InformationBuffer::new();
        buffer.push_bits(5, 7);
        assert_eq!((buffer.bits(), buffer.bytes(), buffer.is_empty()), (7.0, 32, false));
        assert_eq!(format!("{buffer:?}"), "InformationBuffer(7.000 bits)");
        let report = crate::check::mismatches(&InformationBuffer::default(), &buffer);
        assert_eq!(&*report[0].actual, "InformationBuffer(7.000 bits)");
    }
}
