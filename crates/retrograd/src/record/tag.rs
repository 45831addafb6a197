//! What checked builds remember of a value that is kept: its type.

use std::any::type_name;

/// The type of a value, as one number, and its name for messages.
///
/// All integers of up to 64 bits have the same tag. They are kept as words, and a literal may have one integer type in the run and another
/// on the way back, where fewer uses determine it.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    hash: u64,
    #[cfg_attr(not(debug_assertions), expect(dead_code, reason = "messages about types are for checked builds"))]
    name: &'static str,
}

impl Tag {
    /// The tag of a type by its name.
    pub fn of<T>() -> Tag {
        Tag { hash: hash(0, type_name::<T>().as_bytes()), name: type_name::<T>() }
    }

    /// An integer of up to 64 bits.
    pub(super) fn integer() -> Tag {
        Tag { hash: 1, name: "an integer" }
    }

    /// The tag of a container by its kind and the tags of what it contains.
    pub(crate) fn container<T: ?Sized>(kind: &str, of: &[Tag]) -> Tag {
        let start = hash(0, kind.as_bytes());
        let hash = of.iter().fold(start, |so_far, tag| hash(so_far, &tag.hash.to_ne_bytes()));
        Tag { hash, name: type_name::<T>() }
    }

    /// So many values that a called function has kept.
    #[cfg(debug_assertions)]
    pub(super) fn count(values: usize) -> Tag {
        Tag { hash: values as u64, name: "a call" }
    }

    /// How many values a called function has kept.
    #[cfg(debug_assertions)]
    pub(super) fn counted(self) -> usize {
        self.hash as usize
    }

    #[cfg(debug_assertions)]
    pub(super) fn name(self) -> &'static str {
        self.name
    }
}

impl PartialEq for Tag {
    fn eq(&self, other: &Tag) -> bool {
        self.hash == other.hash
    }
}

/// FNV-1a.
pub(super) fn hash(so_far: u64, bytes: &[u8]) -> u64 {
    let start = so_far ^ 0xcbf2_9ce4_8422_2325;
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
