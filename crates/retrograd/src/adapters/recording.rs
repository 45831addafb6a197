//! Matrices in a record: their elements, then their lengths.

use super::Elements;
use crate::{Record, Recordable};

/// A container that can be made of its lengths and its elements.
pub(super) trait Made: Elements + Sized {
    /// How long it is in each direction.
    type Lengths: Recordable;

    fn all_lengths(&self) -> Self::Lengths;
    /// How many elements there are.
    fn count(lengths: &Self::Lengths) -> usize;
    /// The elements, if they lie in memory in the order of [`elements`](Elements::elements), one after the other.
    fn in_a_row(&self) -> Option<&[Self::Element]>;
    /// The container, of its elements in order.
    fn made(lengths: Self::Lengths, elements: Vec<Self::Element>) -> Self;
}

pub(super) fn keep<V: Made<Element: Recordable>>(value: &V, record: &mut Record) {
    let row = value.in_a_row();
    match row {
        Some(elements) => Recordable::keep_slice(elements, record),
        None => in_reverse(value).for_each(|element| element.keep(record)),
    }
    row.is_some().keep(record);
    value.all_lengths().keep(record);
}

pub(super) fn recall<V: Made<Element: Recordable>>(record: &mut Record) -> V {
    let lengths = Recordable::recall(record);
    let count = V::count(&lengths);
    let elements = match bool::recall(record) {
        true => Recordable::recall_vec(count, record),
        false => (0..count).map(|_| Recordable::recall(record)).collect(),
    };
    V::made(lengths, elements)
}

pub(super) fn keep_shape<V: Made<Element: Recordable>>(value: &V, record: &mut Record) {
    in_reverse(value).for_each(|element| element.keep_shape(record));
    value.all_lengths().keep(record);
}

pub(super) fn recall_shape<V: Made<Element: Recordable>>(record: &mut Record) -> V {
    let lengths = Recordable::recall(record);
    let elements = (0..V::count(&lengths)).map(|_| Recordable::recall_shape(record)).collect();
    V::made(lengths, elements)
}

fn in_reverse<V: Elements>(value: &V) -> impl Iterator<Item = &V::Element> {
    let elements: Vec<&V::Element> = value.elements().collect();
    elements.into_iter().rev()
}
