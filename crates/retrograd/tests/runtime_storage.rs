//! Laws of the storage that reversible programs set values aside in: `Stack` and `Slots`.

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use retrograd::check::{check_inverse, mismatches};
use retrograd::ops::{Disjoint, Site};
use retrograd::{ErrorKind, Slots, Stack, attempt};

const SITE: Site = Site { function: "test", file: file!(), line: 1, column: 1, statement: "swap(..);" };

proptest! {
    #[test]
    fn pop_undoes_push(below in vec(any::<i64>(), 0..8), value: i64) {
        let push = |(stack, x): &mut (Stack<i64>, i64)| stack.push(x);
        let pop = |(stack, x): &mut (Stack<i64>, i64)| stack.pop(x);
        let uncall_push = |(stack, x): &mut (Stack<i64>, i64)| stack.uncall_push(x);
        let state = (Stack::from(below), value);
        prop_assert_eq!(check_inverse(&state, push, pop), Ok(()));
        prop_assert_eq!(check_inverse(&state, push, uncall_push), Ok(()));
    }

    #[test]
    fn push_undoes_pop(values in vec(any::<i64>(), 1..8)) {
        let state = (values.into_iter().collect::<Stack<i64>>(), 0);
        let pop = |(stack, x): &mut (Stack<i64>, i64)| stack.pop(x);
        let push = |(stack, x): &mut (Stack<i64>, i64)| stack.push(x);
        let uncall_pop = |(stack, x): &mut (Stack<i64>, i64)| stack.uncall_pop(x);
        prop_assert_eq!(check_inverse(&state, pop, push), Ok(()));
        prop_assert_eq!(check_inverse(&state, pop, uncall_pop), Ok(()));
    }

    #[test]
    fn what_is_pushed_is_popped_in_reverse(values in vec(any::<u16>(), 0..20)) {
        let mut stack = Stack::with_capacity(values.len());
        prop_assert!(stack.capacity() >= values.len());
        for value in &values {
            let mut x = *value;
            stack.push(&mut x);
            prop_assert_eq!(x, 0);
        }
        prop_assert_eq!(stack.as_slice(), &values[..]);
        for value in values.iter().rev() {
            let mut x = 0;
            stack.pop(&mut x);
            prop_assert_eq!(x, *value);
        }
        prop_assert!(stack.is_empty());
    }

    #[test]
    fn a_target_that_is_not_zero_is_refused(below in vec(any::<i32>(), 1..5), target in 1..9) {
        let (mut stack, mut x) = (Stack::from(below.clone()), target);
        if cfg!(debug_assertions) {
            let error = attempt(|| stack.pop(&mut x)).unwrap_err();
            prop_assert_eq!(error.kind, ErrorKind::StackTarget);
            prop_assert_eq!((stack.as_slice(), x), (&below[..], target));
        }
    }

    #[test]
    fn free_undoes_allocate(keys in btree_set(0..20_u8, 0..8), key in 20..40_u8) {
        let state: Slots<u8, f64> = keys.iter().map(|&key| (key, f64::from(key))).collect();
        let result = check_inverse(&state, |s| s.allocate(key), |s| s.free(key));
        prop_assert_eq!(result, Ok(()));
        let result = check_inverse(&state, |s| s.allocate(key), |s| s.uncall_allocate(key));
        prop_assert_eq!(result, Ok(()));
    }

    #[test]
    fn allocate_undoes_free(keys in btree_set(0..20_u8, 0..8), key in 20..40_u8) {
        let mut state: Slots<u8, f64> = keys.iter().map(|&key| (key, f64::from(key))).collect();
        state.allocate(key);
        let result = check_inverse(&state, |s| s.free(key), |s| s.allocate(key));
        prop_assert_eq!(result, Ok(()));
        let result = check_inverse(&state, |s| s.free(key), |s| s.uncall_free(key));
        prop_assert_eq!(result, Ok(()));
    }

    /// Any order of allocating and freeing, against a map.
    #[test]
    fn slots_are_a_map_that_remembers_its_peak(keys in vec(0..6_u8, 0..60)) {
        let mut slots = Slots::<u8, i32>::new();
        let mut map = std::collections::BTreeMap::new();
        let mut peak = 0;
        for (turn, key) in (1..).zip(keys) {
            if let Some(value) = map.remove(&key) {
                prop_assert_eq!(slots[key], value);
                slots[key] -= value;
                slots.free(key);
            } else {
                map.insert(key, turn);
                slots.allocate(key);
                prop_assert_eq!(slots[key], 0);
                slots[key] += turn;
            }
            peak = peak.max(map.len());
            prop_assert_eq!((slots.len(), slots.peak()), (map.len(), peak));
            prop_assert_eq!(slots.is_empty(), map.is_empty());
            prop_assert!(slots.iter().eq(map.iter()));
            prop_assert!(slots.keys().eq(map.keys()));
            for key in 0..6 {
                prop_assert_eq!(slots.get(&key), map.get(&key));
                prop_assert_eq!(slots.contains_key(&key), map.contains_key(&key));
            }
        }
    }
}

#[test]
fn slots_refuse_what_cannot_be_undone() {
    let mut slots: Slots<&str, f64> = [("a", 1.5)].into_iter().collect();
    let kind = |error: retrograd::InvertibilityError| (error.kind, error.variable);
    let occupied = attempt(|| slots.allocate("a")).map_err(kind);
    assert_eq!(occupied, Err((ErrorKind::OccupiedKey, "slots[\"a\"]".into())));
    let missing = attempt(|| slots.free("b")).map_err(kind);
    assert_eq!(missing, Err((ErrorKind::MissingKey, "slots[\"b\"]".into())));
    if cfg!(debug_assertions) {
        let nonzero = attempt(|| slots.free("a")).map_err(kind);
        assert_eq!(nonzero, Err((ErrorKind::NonzeroFree, "slots[\"a\"]".into())));
    }
    assert_eq!((slots["a"], slots.len()), (1.5, 1));
}

#[test]
fn an_index_without_a_slot_points_at_the_caller() {
    let mut slots = Slots::<u8, i32>::new();
    let (line, error) = (line!(), attempt(|| slots[3]).unwrap_err());
    assert_eq!((error.kind, error.line), (ErrorKind::MissingKey, line));
    let (line, error) = (line!(), attempt(|| slots[3] += 1).unwrap_err());
    assert_eq!((error.kind, error.line, error.file), (ErrorKind::MissingKey, line, file!()));
}

#[test]
fn several_slots_are_lent_at_once() {
    let mut slots: Slots<char, i32> = [('a', 1), ('b', 2), ('c', 3)].into_iter().collect();
    let [c, a] = slots.disjoint_mut(['c', 'a'], &SITE);
    std::mem::swap(c, a);
    assert_eq!((slots['a'], slots['b'], slots['c']), (3, 2, 1));
    let equal = attempt(|| slots.disjoint_mut(['a', 'b', 'a'], &SITE).map(|x| *x)).unwrap_err();
    assert_eq!((equal.kind, &*equal.actual), (ErrorKind::EqualIndices, "['a', 'b', 'a']"));
    let missing = attempt(|| slots.disjoint_mut(['a', 'x'], &SITE).map(|x| *x)).unwrap_err();
    assert_eq!(missing.kind, ErrorKind::MissingKey);
}

#[test]
fn the_peak_is_no_part_of_the_value() {
    let mut used = Slots::<u8, i32>::new();
    used.allocate(1);
    used.free(1);
    assert_eq!(used, Slots::new());
    assert!(mismatches(&used, &Slots::new()).is_empty());
    let other: Slots<u8, i32> = [(2, 7)].into_iter().collect();
    assert_eq!(mismatches(&used, &other)[0].path, "[2]");
    assert_eq!(format!("{other:?}"), "{2: 7}");
}

#[test]
fn stacks_compare_value_by_value() {
    let found = mismatches(&Stack::from(vec![1.0, 2.0]), &Stack::from(vec![1.0, 3.0]));
    assert_eq!(found[0].to_string(), "[1]: expected 2.0, found 3.0");
}
