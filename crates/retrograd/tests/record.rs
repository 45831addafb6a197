//! Records: what is kept comes back, in reverse and bit for bit.

use allocation_counter::measure;
use proptest::prelude::*;
use retrograd::ops::Site;
use retrograd::private::{Lease, Slot, shape_of, shapes, value_of};
use retrograd::{ErrorKind, InvertibilityError, Record, Recordable, attempt};

static SITE: Site = Site { function: "f", file: "f.rs", line: 3, column: 1, statement: "f::uncall(..)" };

/// A value of any of several types, compared by its bits.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    F64(u64),
    F32(u32),
    Bool(bool),
    I32(i32),
    U128(u128),
    Array([u64; 3]),
    Text(String, Option<char>),
    Rows(Vec<Vec<u64>>),
}

impl Value {
    fn keep(&self, record: &mut Record) {
        match self {
            Value::F64(bits) => Slot::new().keep(record, &f64::from_bits(*bits)),
            Value::F32(bits) => Slot::new().keep(record, &f32::from_bits(*bits)),
            Value::Bool(bit) => Slot::new().keep(record, bit),
            Value::I32(n) => Slot::new().keep(record, n),
            Value::U128(n) => Slot::new().keep(record, n),
            Value::Array(bits) => Slot::new().keep(record, &bits.map(f64::from_bits)),
            Value::Text(text, end) => Slot::new().keep(record, &(text.clone(), *end)),
            Value::Rows(rows) => Slot::new().keep(record, &floats(rows)),
        }
    }

    /// Takes a value of the same type.
    fn recall(&self, record: &mut Record) -> Value {
        match self {
            Value::F64(_) => Value::F64(Slot::<f64>::new().recall(record).to_bits()),
            Value::F32(_) => Value::F32(Slot::<f32>::new().recall(record).to_bits()),
            Value::Bool(_) => Value::Bool(Slot::new().recall(record)),
            Value::I32(_) => Value::I32(Slot::new().recall(record)),
            Value::U128(_) => Value::U128(Slot::new().recall(record)),
            Value::Array(_) => Value::Array(Slot::<[f64; 3]>::new().recall(record).map(f64::to_bits)),
            Value::Text(..) => {
                let (text, end) = Slot::new().recall(record);
                Value::Text(text, end)
            }
            Value::Rows(_) => {
                let rows: Vec<Vec<f64>> = Slot::new().recall(record);
                Value::Rows(rows.into_iter().map(|row| row.into_iter().map(f64::to_bits).collect()).collect())
            }
        }
    }

    /// The bytes, and the bits beside them, that it takes.
    fn size(&self) -> (usize, usize) {
        match self {
            Value::F64(_) | Value::I32(_) => (8, 0),
            Value::F32(_) => (4, 0),
            Value::Bool(_) => (0, 1),
            Value::U128(_) => (16, 0),
            Value::Array(_) => (24, 0),
            Value::Text(text, end) => (8 + text.len() + if end.is_some() { 4 } else { 0 }, 1),
            Value::Rows(rows) => (8 + rows.iter().map(|row| 8 + 8 * row.len()).sum::<usize>(), 0),
        }
    }
}

fn floats(rows: &[Vec<u64>]) -> Vec<Vec<f64>> {
    rows.iter().map(|row| row.iter().copied().map(f64::from_bits).collect()).collect()
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<u64>().prop_map(Value::F64),
        any::<u32>().prop_map(Value::F32),
        any::<bool>().prop_map(Value::Bool),
        any::<i32>().prop_map(Value::I32),
        any::<u128>().prop_map(Value::U128),
        any::<[u64; 3]>().prop_map(Value::Array),
        any::<(String, Option<char>)>().prop_map(|(text, end)| Value::Text(text, end)),
        prop::collection::vec(prop::collection::vec(any::<u64>(), 0..9), 0..4).prop_map(Value::Rows),
    ]
}

proptest! {
    #[test]
    fn what_is_kept_comes_back_in_reverse_bit_for_bit(values in prop::collection::vec(value(), 0..200)) {
        let mut record = Record::new();
        let (mut bytes, mut bits) = (0, 0_usize);
        for value in &values {
            value.keep(&mut record);
            bytes += value.size().0;
            bits += value.size().1;
            prop_assert_eq!(record.bytes(), bytes + bits.div_ceil(8));
        }
        let most = record.bytes();
        for value in values.iter().rev() {
            prop_assert_eq!(&value.recall(&mut record), value);
        }
        prop_assert_eq!((record.bytes(), record.peak_bytes()), (0, most));
    }
}

#[test]
fn a_shape_is_lengths_and_what_is_present() {
    let (mut record, slot) = (Record::new(), Slot::new());
    let value = (vec![vec![1.5, 2.5], vec![]], Some('c'), [true, false], None::<u8>);
    slot.keep_shape(&mut record, &value);
    assert_eq!(record.bytes(), 3 * 8 + 1);
    assert_eq!(slot.recall_shape(&mut record), (vec![vec![0.0, 0.0], vec![]], Some('\0'), [false, false], None::<u8>));
    assert_eq!(record.bytes(), 0);
}

#[test]
fn integers_are_words_whatever_their_type() {
    let mut record = Record::new();
    Slot::new().keep(&mut record, &-7_i32);
    Slot::new().keep(&mut record, &(3_i32, [4_u8; 2], vec![5_i16]));
    assert_eq!(Slot::<(usize, [u64; 2], Vec<isize>)>::new().recall(&mut record), (3, [4; 2], vec![5]));
    assert_eq!(Slot::<i64>::new().recall(&mut record), -7);
}

#[test]
fn parts_of_slices_come_back_in_place() {
    let (mut record, slot, mut x) = (Record::new(), Slot::new(), [1.0, 2.0, 3.0, 4.0]);
    slot.keep_place(&mut record, &x[1..3]);
    x[1..3].fill(0.0);
    let error = attempt(|| slot.recall_place(&mut record, &mut [0.0; 3][..])).unwrap_err();
    assert_eq!((&*error.expected, &*error.actual), ("3 elements", "2 elements"));
    let (mut record, slot) = (Record::new(), Slot::new());
    slot.keep_place(&mut record, &[2.0, 3.0][..]);
    slot.recall_place(&mut record, &mut x[1..3]);
    assert_eq!((x, record.bytes()), ([1.0, 2.0, 3.0, 4.0], 0));
}

#[test]
fn an_empty_record_is_foreign_to_everything() {
    fn refused<T: Recordable>() {
        let error = attempt(|| Slot::<T>::new().recall(&mut Record::new())).err().unwrap();
        assert_eq!((error.kind, &*error.actual), (ErrorKind::ForeignRecord, "nothing"));
        let error = attempt(|| T::recall(&mut Record::new())).err().unwrap();
        assert_eq!((error.kind, &*error.actual), (ErrorKind::ForeignRecord, "nothing"));
    }
    refused::<f64>();
    refused::<bool>();
    refused::<Vec<f64>>();
    refused::<Option<char>>();
}

#[test]
#[cfg(debug_assertions)]
fn checked_builds_know_what_is_kept_by_which_type() {
    let mut record = Record::new();
    Slot::new().keep(&mut record, &1.5);
    let error = attempt(|| Slot::<usize>::new().recall(&mut record)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::ForeignRecord);
    assert_eq!((&*error.expected, &*error.actual), ("a value of type `an integer`", "a value of type `f64`"));
    assert_eq!(Slot::<f64>::new().recall(&mut record), 1.5);
}

#[test]
fn a_lease_ends_with_an_empty_record_for_the_next() {
    let mut outer = Lease::new();
    Slot::new().keep(&mut outer, &1.0);
    {
        let mut inner = Lease::new();
        assert_eq!(inner.bytes(), 0);
        Slot::new().keep(&mut inner, &vec![1.0; 9]);
    }
    assert_eq!(Lease::new().bytes(), 0);
    assert_eq!(Slot::<f64>::new().recall(&mut outer), 1.0);
}

/// A finished run of `f` that has kept `values`.
fn recorded(record: &mut Record, values: &[Value]) {
    let mut frame = record.begin_frame("f", "f64", 7);
    values.iter().for_each(|value| value.keep(&mut frame));
    frame.finish();
}

#[test]
fn a_run_that_panics_forgets_what_it_has_kept() {
    let mut record = Record::new();
    recorded(&mut record, &[Value::F64(1), Value::Bool(true)]);
    let before = format!("{record:?}");
    let run: Result<(), _> = attempt(|| {
        let mut frame = record.begin_frame("f", "f64", 7);
        Slot::new().keep(&mut frame, &(1.5, true));
        SITE.fail(ErrorKind::Released, "x", "0", "1")
    });
    assert!(run.is_err());
    assert_eq!((before, record.peak_bytes()), ("Record { bytes: 9, peak_bytes: 9, frames: 1 }".into(), 17));
    let mut frame = record.end_frame("f", "f64", 7, &SITE);
    assert_eq!(Value::Bool(false).recall(&mut frame), Value::Bool(true));
    assert_eq!(Value::F64(0).recall(&mut frame), Value::F64(1));
    frame.finish();
    assert_eq!(record.bytes(), 0);
}

proptest! {
    #[test]
    fn a_backward_run_that_panics_leaves_the_record_as_it_was(
        below in prop::collection::vec(value(), 0..20),
        values in prop::collection::vec(value(), 1..100),
        taken in any::<prop::sample::Index>(),
        // How many values are kept again after each that is taken, and then taken again.
        again in prop::collection::vec((0..5_usize, value()), 0..50),
    ) {
        let mut record = Record::new();
        recorded(&mut record, &below);
        recorded(&mut record, &values);
        let bytes = record.bytes();
        let outcome: Result<(), InvertibilityError> = attempt(|| {
            let mut frame = record.end_frame("f", "f64", 7, &SITE);
            for (i, value) in values.iter().rev().take(taken.index(values.len()) + 1).enumerate() {
                assert_eq!(&value.recall(&mut frame), value);
                let Some((times, other)) = again.get(i) else { continue };
                (0..*times).for_each(|_| other.keep(&mut frame));
                (0..*times).for_each(|_| assert_eq!(&other.recall(&mut frame), other));
            }
            // What is kept when the run panics goes with it.
            again.iter().for_each(|(_, other)| other.keep(&mut frame));
            SITE.fail(ErrorKind::Drift, "x", "0", "1")
        });
        prop_assert_eq!((outcome.unwrap_err().kind, record.bytes()), (ErrorKind::Drift, bytes));
        for values in [values, below] {
            let mut frame = record.end_frame("f", "f64", 7, &SITE);
            for value in values.iter().rev() {
                prop_assert_eq!(&value.recall(&mut frame), value);
            }
            frame.finish();
        }
        prop_assert_eq!(record.bytes(), 0);
    }
}

#[test]
fn a_foreign_frame_is_refused_before_anything_is_changed() {
    let mut record = Record::new();
    let refused = |program, number, shape, record: &mut Record| {
        let bytes = record.bytes();
        let error = attempt(|| drop(record.end_frame(program, number, shape, &SITE))).unwrap_err();
        assert_eq!((error.kind, error.line, record.bytes()), (ErrorKind::ForeignRecord, 3, bytes));
        (error.expected.to_string(), error.actual.to_string())
    };
    let words = |expected: &str, actual: &str| (expected.to_string(), actual.to_string());
    assert_eq!(refused("f", "f64", 7, &mut record), words("a run of `f` on `f64`", "nothing"));
    recorded(&mut record, &[Value::F64(1)]);
    assert_eq!(refused("g", "f64", 7, &mut record), words("a run of `g` on `f64`", "a run of `f` on `f64`"));
    assert_eq!(refused("f", "f32", 7, &mut record), words("a run of `f` on `f32`", "a run of `f` on `f64`"));
    let (expected, actual) = refused("f", "f64", 8, &mut record);
    assert!(expected.ends_with("of these shapes") && actual.ends_with("of other shapes"));
    drop(record.end_frame("f", "f64", 7, &SITE));
    assert_eq!(record.bytes(), 8);
}

#[test]
fn a_run_may_leave_another_shape() {
    let (mut record, mut x) = (Record::new(), vec![1.0]);
    let frame = record.begin_frame("f", "f64", shape_of(&x));
    x.push(2.0);
    frame.finish_as(shape_of(&x));
    record.end_frame("f", "f64", shape_of(&x), &SITE).finish();
}

#[test]
fn a_backward_run_takes_just_what_is_in_its_frame() {
    let mut record = Record::new();
    recorded(&mut record, &[Value::F64(1), Value::F64(2)]);
    let error = attempt(|| record.end_frame("f", "f64", 7, &SITE).finish()).unwrap_err();
    assert_eq!((error.kind, error.function, record.bytes()), (ErrorKind::ForeignRecord, "f", 16));
    assert_eq!(&*error.expected, "a frame of 0 bytes and 0 bits");
    assert_eq!(&*error.actual, "a frame of 16 bytes and 0 bits");
}

#[test]
fn shapes_are_lengths_and_what_is_present() {
    assert_eq!(shape_of(&[1.0, 2.0][..]), shape_of(&[3.0, 4.0][..]));
    assert_ne!(shape_of(&[1.0, 2.0][..]), shape_of(&[1.0][..]));
    assert_ne!(shape_of(&Some(1.0)), shape_of(&None::<f64>));
    assert_ne!(shape_of(&vec![vec![1.0], vec![]]), shape_of(&vec![vec![], vec![1.0]]));
    assert_ne!(shapes(&[1, 2]), shapes(&[2, 1]));
    assert_eq!(value_of(&[1.0, 2.0][..]), value_of(&[1.0, 2.0][..]));
    assert_ne!(value_of(&0.0), value_of(&-0.0));
}

#[test]
fn memory_is_used_again_after_clear() {
    let (mut record, slot, x) = (Record::new(), Slot::new(), [(1.5, true); 100]);
    slot.keep(&mut record, &x);
    record.clear();
    assert_eq!((record.bytes(), record.peak_bytes()), (0, 0));
    let allocations = measure(|| slot.keep(&mut record, &x)).count_total;
    assert_eq!((allocations, record.bytes()), (0, 813));
}

#[test]
fn a_lease_is_used_again_without_allocation() {
    let nested = || {
        let (mut outer, slot) = (Lease::new(), Slot::new());
        slot.keep(&mut outer, &[1.5; 100]);
        let mut inner = Lease::new();
        slot.keep(&mut inner, &[2.5; 100]);
        assert_eq!((slot.recall(&mut inner)[0], slot.recall(&mut outer)[0]), (2.5, 1.5));
    };
    nested();
    // Not even if a run in between has panicked.
    let panics: Result<(), _> = attempt(|| {
        let mut lease = Lease::new();
        Slot::new().keep(&mut lease, &[1.5; 10]);
        SITE.fail(ErrorKind::Drift, "x", "0", "1")
    });
    assert!(panics.is_err());
    assert_eq!(measure(nested).count_total, 0);
}
