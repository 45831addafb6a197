//! Which variant of an enum is kept, in as few bits as tell them apart.

use super::Record;

/// How many bits tell so many variants apart.
#[inline(always)]
const fn bits(variants: usize) -> u32 {
    variants.next_power_of_two().ilog2()
}

/// Keeps the number of a variant.
#[inline(always)]
pub fn keep_variant(number: usize, variants: usize, record: &mut Record) {
    (0..bits(variants)).for_each(|bit| record.push_bit(number >> bit & 1 == 1));
}

/// The number of the variant that was kept last.
#[inline(always)]
pub fn recall_variant(variants: usize, record: &mut Record) -> usize {
    (0..bits(variants)).fold(0, |number, _| number << 1 | usize::from(record.pop_bit()))
}

/// Raises `ForeignRecord`: there are not so many variants.
#[cold]
#[inline(never)]
pub fn no_variant(name: &str, record: &Record) -> ! {
    record.fail(&format!("a variant of `{name}`"), "something else")
}
