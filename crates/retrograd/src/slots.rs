//! Storage under keys, allocated and freed in any order.

mod derivatives;
mod recording;

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt::{self, Debug};
use std::mem;
use std::ops::{Index, IndexMut};

use crate::ErrorKind;
use crate::check::{Compare, Report, compare_maps, first_mismatch};
use crate::ops::Disjoint;
use crate::shadow::Dropped;
use crate::site::Site;

/// A store of values under keys, whose `allocate` and `free` undo each other.
///
/// [`allocate`](Slots::allocate) creates a default value, which is zero for numbers, under a new key.
/// [`free`](Slots::free) removes a slot whose value is zero again. In between a value is used
/// and changed as `slots[key]`. [`peak`](Slots::peak) tells how much memory a run has needed.
///
/// ```
/// use retrograd::Slots;
///
/// let mut slots = Slots::<&str, f64>::new();
/// slots.allocate("mass");
/// slots["mass"] += 2.5;
/// assert_eq!(slots["mass"], 2.5);
/// slots["mass"] -= 2.5;
/// slots.free("mass");
/// assert_eq!((slots.len(), slots.peak()), (0, 1));
/// ```
#[derive(Clone)]
pub struct Slots<K, T> {
    // A key leads to a place in `values`; so several values can be lent at once. Vacant places are
    // used again before new ones are made.
    places: BTreeMap<K, usize>,
    values: Vec<T>,
    vacant: Vec<usize>,
    dropped: Dropped<T>,
}

impl<K: Ord + Clone + Debug, T> Slots<K, T> {
    /// A store without slots.
    pub const fn new() -> Slots<K, T> {
        Slots { places: BTreeMap::new(), values: Vec::new(), vacant: Vec::new(), dropped: Dropped::none() }
    }

    /// How many slots there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is no slot.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The largest number of slots that existed at one time.
    ///
    /// ```
    /// use retrograd::Slots;
    ///
    /// let mut slots = Slots::<u32, f64>::new();
    /// for key in 0..3 {
    ///     slots.allocate(key);
    /// }
    /// slots.free(1);
    /// assert_eq!((slots.len(), slots.peak()), (2, 3));
    /// ```
    pub fn peak(&self) -> usize {
        // A place is made only when all others are taken.
        self.values.len()
    }

    /// Whether there is a slot under `key`.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.places.contains_key(key)
    }

    /// The keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.places.keys()
    }

    /// The keys in order, each with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &T)> {
        self.places.iter().map(|(key, &place)| (key, &self.values[place]))
    }

    /// The values in the order of their keys.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = &T> {
        self.iter().map(|(_, value)| value)
    }

    /// The values in the order of their keys, to be changed.
    pub(crate) fn in_order_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let mut values: Vec<Option<&mut T>> = self.values.iter_mut().map(Some).collect();
        let values: Vec<&mut T> = self.places.values().filter_map(|&place| values[place].take()).collect();
        values.into_iter()
    }

    /// The value under `key`, if there is a slot.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&T>
    where
        K: Borrow<Q>,
    {
        self.places.get(key).map(|&place| &self.values[place])
    }

    /// Sets the value under `key` before a run, and returns the one that was there.
    ///
    /// This overwrites, so a reversible program cannot do it.
    ///
    /// ```
    /// use retrograd::Slots;
    ///
    /// let mut slots = Slots::new();
    /// assert_eq!(slots.insert(0, 'a'), None);
    /// assert_eq!(slots.insert(0, 'b'), Some('a'));
    /// ```
    pub fn insert(&mut self, key: K, value: T) -> Option<T> {
        if let Some(&place) = self.places.get(&key) {
            return Some(mem::replace(&mut self.values[place], value));
        }
        let place = match self.vacant.pop() {
            Some(place) => {
                self.values[place] = value;
                place
            }
            None => {
                self.values.push(value);
                self.values.len() - 1
            }
        };
        self.places.insert(key, place);
        None
    }

    /// The value of a slot that exists.
    fn index_of(&self, key: &K) -> &T {
        &self.values[self.places[key]]
    }

    /// Removes the slot under `key`, if there is one, whatever its value; `zero` replaces that.
    fn drop_slot(&mut self, key: &K, zero: T) {
        if let Some(place) = self.places.remove(key) {
            self.dropped.keep(mem::replace(&mut self.values[place], zero));
            self.vacant.push(place);
        }
    }

    #[track_caller]
    fn place(&self, key: &K) -> usize {
        match self.places.get(key) {
            Some(&place) => place,
            None => missing(key, Site::caller("Slots::index", "slots[key]")),
        }
    }
}

impl<K: Ord + Clone + Debug, T: Default + Compare> Slots<K, T> {
    /// Creates a slot under `key`, with the default value.
    ///
    /// A key that already has a slot raises [`OccupiedKey`](ErrorKind::OccupiedKey) in every build.
    ///
    /// ```
    /// use retrograd::{ErrorKind, Slots, attempt};
    ///
    /// let mut slots = Slots::<u32, f64>::new();
    /// slots.allocate(7);
    /// assert_eq!(slots[7], 0.0);
    /// let error = attempt(|| slots.allocate(7)).unwrap_err();
    /// assert_eq!(error.kind, ErrorKind::OccupiedKey);
    /// ```
    #[track_caller]
    pub fn allocate(&mut self, key: K) {
        if self.places.contains_key(&key) {
            let site = Site::caller("Slots::allocate", "slots.allocate(key);");
            site.fail(ErrorKind::OccupiedKey, format!("slots[{key:?}]"), "no slot", "a slot");
        }
        self.insert(key, T::default());
    }

    /// Removes the slot under `key`, whose value must be zero.
    ///
    /// A key without a slot raises [`MissingKey`](ErrorKind::MissingKey) in every build. A value
    /// that is not its type's default raises [`NonzeroFree`](ErrorKind::NonzeroFree) in checked
    /// builds.
    ///
    /// ```
    /// use retrograd::{ErrorKind, Slots, attempt};
    ///
    /// let mut slots = Slots::new();
    /// slots.insert(7, 0.5);
    /// slots[7] -= 0.5;
    /// slots.free(7);
    /// assert_eq!(attempt(|| slots.free(7)).unwrap_err().kind, ErrorKind::MissingKey);
    /// ```
    #[track_caller]
    pub fn free(&mut self, key: K) {
        let site = Site::caller("Slots::free", "slots.free(key);");
        let Some(&place) = self.places.get(&key) else { missing(&key, site) };
        if cfg!(debug_assertions)
            && let Some(found) = first_mismatch(&T::default(), &self.values[place])
        {
            let variable = format!("slots[{key:?}]{}", found.path);
            site.fail(ErrorKind::NonzeroFree, variable, found.expected, found.actual);
        }
        self.values[place] = T::default();
        self.places.remove(&key);
        self.vacant.push(place);
    }

    /// Undoes `allocate`.
    #[doc(hidden)]
    #[track_caller]
    pub fn uncall_allocate(&mut self, key: K) {
        self.free(key);
    }

    /// Undoes `free`.
    #[doc(hidden)]
    #[track_caller]
    pub fn uncall_free(&mut self, key: K) {
        self.allocate(key);
    }
}

#[cold]
#[inline(never)]
fn missing(key: &dyn Debug, site: Site) -> ! {
    site.fail(ErrorKind::MissingKey, format!("slots[{key:?}]"), "a slot", "no slot")
}

impl<K: Ord + Clone + Debug, T> Index<K> for Slots<K, T> {
    type Output = T;

    /// The value under `key`. Raises [`MissingKey`](ErrorKind::MissingKey) if there is no slot.
    #[track_caller]
    fn index(&self, key: K) -> &T {
        &self.values[self.place(&key)]
    }
}

impl<K: Ord + Clone + Debug, T> IndexMut<K> for Slots<K, T> {
    /// The value under `key`. Raises [`MissingKey`](ErrorKind::MissingKey) if there is no slot.
    #[track_caller]
    fn index_mut(&mut self, key: K) -> &mut T {
        let place = self.place(&key);
        &mut self.values[place]
    }
}

impl<K: Ord + Clone + Debug, T> Slots<K, T> {
    /// Where the values of some keys are.
    fn places_of<const N: usize>(&self, keys: &[K; N], site: &Site) -> [usize; N] {
        std::array::from_fn(|n| match self.places.get(&keys[n]) {
            Some(&place) => place,
            None => missing(&keys[n], *site),
        })
    }
}

impl<K: Ord + Clone + Debug, T> Disjoint<K> for Slots<K, T> {
    type Element = T;

    fn disjoint_mut<const N: usize>(&mut self, keys: [K; N], site: &Site) -> [&mut T; N] {
        let places = self.places_of(&keys, site);
        match self.values.get_disjoint_mut::<usize, N>(places) {
            Ok(values) => values,
            // Every place is in bounds, so two keys are equal.
            Err(_) => crate::ops::same_element(&keys, site),
        }
    }

    fn changed_and_read<const N: usize, const M: usize>(
        &mut self,
        changed: [K; N],
        read: [K; M],
        site: &Site,
    ) -> ([&mut T; N], [&T; M]) {
        let places = (self.places_of(&changed, site), self.places_of(&read, site));
        let found = crate::ops::cut_elements(&mut self.values, places.0, places.1);
        found.unwrap_or_else(|| crate::ops::same_element_read(&changed, &read, site))
    }
}

impl<K: Ord + Clone + Debug, T> Default for Slots<K, T> {
    fn default() -> Self {
        Slots::new()
    }
}

impl<K: Ord + Clone + Debug, T: Debug> Debug for Slots<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Equal if the same keys have equal values, whatever the peak was.
impl<K: Ord + Clone + Debug, T: PartialEq> PartialEq for Slots<K, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<K: Ord + Clone + Debug, T: Compare> Compare for Slots<K, T> {
    fn compare(&self, actual: &Self, report: &mut Report) {
        let in_expected = |key: &K| self.contains_key(key);
        compare_maps(self.iter(), in_expected, actual.iter(), |key| actual.get(key), report);
    }
}

impl<K: Ord + Clone + Debug, T> FromIterator<(K, T)> for Slots<K, T> {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(entries: I) -> Self {
        let mut slots = Slots::new();
        for (key, value) in entries {
            slots.insert(key, value);
        }
        slots
    }
}
