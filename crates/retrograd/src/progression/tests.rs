//! Progressions against std's adapters on a list of the same elements.

use super::*;

/// One adapter of a chain: `.rev()` or `.step_by(k)`.
#[derive(Clone, Copy, Debug)]
enum Adapter {
    Rev,
    StepBy(usize),
}

const ADAPTERS: [Adapter; 6] =
    [Adapter::Rev, Adapter::StepBy(1), Adapter::StepBy(2), Adapter::StepBy(3), Adapter::StepBy(4), Adapter::StepBy(5)];

/// All chains of up to three adapters.
fn chains() -> Vec<Vec<Adapter>> {
    let mut chains = vec![vec![]];
    for len in 1..=3 {
        let shorter: Vec<_> = chains.iter().filter(|chain| chain.len() == len - 1).cloned().collect();
        for chain in shorter {
            chains.extend(ADAPTERS.map(|adapter| [&chain[..], &[adapter]].concat()));
        }
    }
    chains
}

fn adapted<I: Integer>(start: Progression<I>, chain: &[Adapter]) -> Progression<I> {
    chain.iter().fold(start, |terms, adapter| match *adapter {
        Adapter::Rev => terms.rev(),
        Adapter::StepBy(k) => terms.step_by(k),
    })
}

fn reference<I: Copy>(elements: impl Iterator<Item = I>, chain: &[Adapter]) -> Vec<I> {
    chain.iter().fold(elements.collect(), |elements, adapter| match *adapter {
        Adapter::Rev => elements.into_iter().rev().collect(),
        Adapter::StepBy(k) => elements.into_iter().step_by(k).collect(),
    })
}

fn visited<I: Integer>(terms: Progression<I>) -> Vec<I> {
    let visited: Vec<I> = terms.into_iter().collect();
    assert_eq!(terms.into_iter().size_hint(), (visited.len(), Some(visited.len())));
    visited
}

#[test]
fn every_small_range_is_visited_as_std_visits_it() {
    for chain in chains() {
        for start in -7..8 {
            for end in -7..8 {
                let terms = adapted(progression(start..end), &chain);
                assert_eq!(visited(terms), reference(start..end, &chain), "{start}..{end} {chain:?}");
                let terms = adapted(progression(start..=end), &chain);
                assert_eq!(visited(terms), reference(start..=end, &chain), "{start}..={end} {chain:?}");
            }
        }
    }
}

macro_rules! whole_type {
    ($($name:ident: $type:ident;)*) => {$(
        #[test]
        fn $name() {
            for chain in chains() {
                for start in [$type::MIN, $type::MIN + 1, $type::MAX - 9, $type::MAX] {
                    for end in [$type::MIN, $type::MIN + 9, $type::MAX - 1, $type::MAX] {
                        let terms = adapted(progression(start..end), &chain);
                        assert_eq!(visited(terms), reference(start..end, &chain));
                        let terms = adapted(progression(start..=end), &chain);
                        assert_eq!(visited(terms), reference(start..=end, &chain));
                    }
                }
            }
        }
    )*};
}

whole_type! {
    u8_is_visited_from_end_to_end: u8;
    i8_is_visited_from_end_to_end: i8;
}

/// At the ends of a wide type: the last few elements, and the whole type in giant steps.
macro_rules! wide_type {
    ($($name:ident: $type:ident, $bits:literal;)*) => {$(
        #[test]
        fn $name() {
            for chain in chains() {
                for (start, end) in [
                    ($type::MIN, $type::MIN),
                    ($type::MIN, $type::MIN + 9),
                    ($type::MAX - 9, $type::MAX),
                    ($type::MAX, $type::MAX),
                    ($type::MAX, $type::MIN),
                ] {
                    let terms = adapted(progression(start..end), &chain);
                    assert_eq!(visited(terms), reference(start..end, &chain));
                    let terms = adapted(progression(start..=end), &chain);
                    assert_eq!(visited(terms), reference(start..=end, &chain));
                }
            }
            let half = 1_usize << ($bits - 1);
            let middle = $type::MIN + ($type::MAX / 2 - $type::MIN / 2) + 1;
            let whole = progression($type::MIN..=$type::MAX);
            assert_eq!(visited(whole.step_by(half)), [$type::MIN, middle]);
            assert_eq!(visited(whole.step_by(half).rev()), [middle, $type::MIN]);
            assert_eq!(visited(whole.rev().step_by(half)), [$type::MAX, middle - 1]);
            assert_eq!(visited(whole.rev().step_by(half).rev()), [middle - 1, $type::MAX]);
            let open = progression($type::MIN..$type::MAX).step_by(half - 1).rev();
            assert_eq!(visited(open), [$type::MAX - 1, middle - 1, $type::MIN]);
        }
    )*};
}

wide_type! {
    u64_has_no_overflow_at_its_ends: u64, 64;
    i64_has_no_overflow_at_its_ends: i64, 64;
    usize_has_no_overflow_at_its_ends: usize, 64;
    i32_has_no_overflow_at_its_ends: i32, 32;
}

#[test]
fn wider_than_a_step_can_be() {
    let whole = progression(u128::MIN..=u128::MAX);
    let terms: Vec<u128> = whole.step_by(usize::MAX).step_by(usize::MAX).into_iter().collect();
    let step = usize::MAX as u128 * usize::MAX as u128;
    assert_eq!(terms, [0, step]);
    assert_eq!(visited(progression(i128::MAX - 5..=i128::MAX).step_by(4).rev()), [i128::MAX - 1, i128::MAX - 5]);
}

#[test]
fn a_step_wider_than_the_type_leaves_the_first_element() {
    assert_eq!(visited(progression(3_u8..200).step_by(256)), [3]);
    assert_eq!(visited(progression(3_u8..200).step_by(512).rev().step_by(2)), [3]);
    assert_eq!(visited(progression(-100_i8..100).step_by(150)), [-100, 50]);
}

#[test]
fn a_used_up_range_is_empty() {
    let mut range = 1..=3;
    range.by_ref().for_each(drop);
    assert!(visited(progression(range)).is_empty());
}

#[test]
#[should_panic = "assertion failed: step != 0"]
fn a_step_of_zero_panics_as_in_std() {
    progression(0..3).step_by(0);
}
