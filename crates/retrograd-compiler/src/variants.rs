//! Parts of variants, by the names of variant and field.
//!
//! Where a program takes a variant apart it knows its name, and not which of the variants of its enum it is. So the name is the type of an
//! index: `Part<SOME, 0>`, as a number that stands for it.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// The index of a part, as a type and as a value.
pub(crate) fn part_of(variant: &str, member: &str) -> TokenStream {
    let (variant, member) = (variant.trim_start_matches("r#"), member.trim_start_matches("r#"));
    let variant = Literal::u32_suffixed(number_of(variant));
    let member = Literal::u32_suffixed(member.parse().unwrap_or_else(|_| number_of(member)));
    quote!(Part::<#variant, #member>)
}

/// FNV-1a, of 32 bits. Two variants of one enum with the same number would be two implementations of one trait.
fn number_of(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |number, byte| (number ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_knows_some_by_the_same_number() {
        assert_eq!(number_of("Some"), 0x738d_6891);
    }
}
