//! Slots in a record: all places, the vacant ones too, so that the peak comes back.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::Slots;
use crate::shadow::Dropped;
use crate::{Record, Recordable};

impl<K: Ord + Clone + Debug + Recordable, T: Recordable> Recordable for Slots<K, T> {
    fn keep(&self, record: &mut Record) {
        self.values.keep(record);
        keep_keys(self, record);
    }
    fn recall(record: &mut Record) -> Self {
        let (places, vacant) = recall_keys(record);
        Slots { places, vacant, values: Recordable::recall(record), dropped: Dropped::none() }
    }
    fn keep_shape(&self, record: &mut Record) {
        self.values.keep_shape(record);
        keep_keys(self, record);
    }
    fn recall_shape(record: &mut Record) -> Self {
        let (places, vacant) = recall_keys(record);
        Slots { places, vacant, values: Recordable::recall_shape(record), dropped: Dropped::none() }
    }
}

fn keep_keys<K: Recordable, T>(slots: &Slots<K, T>, record: &mut Record) {
    slots.vacant.keep(record);
    for (key, place) in slots.places.iter().rev() {
        place.keep(record);
        key.keep(record);
    }
    slots.places.len().keep(record);
}

fn recall_keys<K: Ord + Recordable>(record: &mut Record) -> (BTreeMap<K, usize>, Vec<usize>) {
    let len = usize::recall(record);
    let places = (0..len).map(|_| Recordable::recall(record)).collect();
    (places, Recordable::recall(record))
}
