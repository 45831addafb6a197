//! Values that ordinary programs move, take out of memory, leave parts of without a name, or make from others.

#![allow(
    clippy::unnecessary_to_owned,
    unused_assignments,
    clippy::assign_op_pattern,
    clippy::manual_memcpy,
    clippy::needless_range_loop,
    reason = "programs are written here as others write them"
)]

#[macro_use]
mod against_dual;

use std::mem;

use retrograd::prelude::*;

#[derive(Active, Clone, Debug)]
struct Pair<T> {
    a: T,
    list: Vec<T>,
}

#[reversible]
fn triple<T: Real>(x: T) -> (T, T, [T; 2]) {
    (x * x, x.sin(), [x, x.exp()])
}

#[reversible]
fn power<T: Real>(x: T) -> [T; 2] {
    [x, x * x]
}

const POINT: [f64; 3] = [1.5, 0.7, -0.4];

/// Parts of a result that have no name have derivatives all the same: zeros.
#[reversible]
fn first_part<T: Real>(x: &[T]) -> T {
    let (u, ..) = triple(x[0]);
    let (_, v, [_, w]) = triple(x[1]);
    u * v + w * x[2]
}

#[reversible(record)]
fn first_part_recorded<T: Real>(x: &[T]) -> T {
    let (u, _, _) = triple(x[0]);
    let mut y = u;
    y = y * x[1];
    y
}

#[test]
fn parts_without_a_name_take_no_derivative_from_the_others() {
    agrees!(first_part, POINT);
    agrees!(first_part_recorded, POINT);
}

#[reversible(record)]
fn taken<T: Real>(x: &[T]) -> T {
    let mut v = x.to_vec();
    let old = mem::take(&mut v);
    let mut sum = T::zero();
    for y in old.iter() {
        sum = sum * 0.5 + *y * *y;
        v.push(sum);
        if v.len() > 1 {
            let both = mem::take(&mut v);
            v.push(both[0] * both[1]);
        }
    }
    let mut pair = (sum, v[0]);
    let before = mem::replace(&mut pair, (x[0], x[1]));
    before.0 * pair.1 + before.1 * pair.0
}

#[test]
fn what_is_taken_out_of_memory_has_the_type_of_the_memory() {
    agrees!(taken, POINT);
}

/// Blocks, branches and loops give vectors and structs away.
#[reversible(record)]
fn moved<T: Real>(x: &[T]) -> T {
    let squares = {
        let mut v: Vec<T> = Vec::new();
        for y in x {
            v.push(*y * *y);
        }
        v
    };
    let mut best = squares.clone();
    for i in 0..squares.len() {
        let mut v = best.clone();
        v[i] = v[i] * x[0] + 0.1;
        if v[i] > 0.2 {
            best = v;
        }
    }
    let scale = {
        let k: i64 = "3".parse().unwrap();
        k
    };
    let result = early(best[0], &squares);
    result.a * scale as T + result.list[1] * best[2]
}

#[reversible(record)]
fn early<T: Real>(x: T, list: &[T]) -> Pair<T> {
    let mut pair = Pair { a: x, list: list.to_vec() };
    if x > 1.0 {
        return pair;
    }
    pair.a = pair.a * pair.a;
    pair
}

#[test]
fn values_that_are_assigned_and_returned_may_be_moved() {
    agrees!(moved, POINT);
    agrees!(moved, [0.3, 0.7, -0.4]);
}

#[reversible]
fn add_squares<T: Real>(y: &mut T, v: Vec<T>) {
    for i in 0..v.len() {
        *y += v[i] * v[i];
    }
}

/// A vector goes to a procedure that owns it.
#[reversible]
fn give_away<T: Real>(y: &mut T, x: &[T]) {
    let mut v = x.to_vec();
    v[0] += x[1];
    add_squares(y, v);
}

/// The same with a record.
#[reversible(record)]
fn given_away<T: Real>(x: &[T]) -> T {
    let mut y = x[0];
    let mut v = x.to_vec();
    v[0] = v[0] * x[1];
    add_squares(&mut y, v);
    y = y * y;
    give_away(&mut y, x);
    y
}

#[test]
fn procedures_may_own_what_they_are_given() {
    agrees!(given_away, POINT);
    let (mut y, x) = (0.5, [0.3, 0.7]);
    give_away(&mut y, &x);
    assert!((y - 0.5 - 1.0 - 0.49).abs() < 1e-15);
    give_away::uncall(&mut y, &x);
    assert!((y - 0.5).abs() < 1e-15);
}

/// The rest of a struct comes from another one.
#[reversible(record)]
fn updated<T: Real>(x: &[T]) -> T {
    let start = Pair { a: x[0], list: x.to_vec() };
    let mut pair = Pair { a: x[1] * start.a, ..start };
    for i in 0..3 {
        pair.list[i] = pair.list[i] * pair.a;
        pair = Pair { a: pair.a * x[1] + 0.2, ..pair };
    }
    if pair.a > 0.3 {
        pair = Pair { list: vec![pair.a; 3], ..pair };
    }
    pair.a * pair.list[0] + pair.list[2]
}

#[test]
fn the_rest_of_a_struct_has_its_derivatives() {
    agrees!(updated, POINT);
    agrees!(updated, [0.1, 0.2, 0.3]);
}

#[reversible(record)]
fn by_elements<T: Real>(x: &[T]) -> T {
    let mut a: [T; 3] = std::array::from_fn(|i| x[i] * x[0]);
    a[0] = a[0] * a[1];
    let mut sum = T::zero();
    for v in a {
        sum = sum * 0.5 + v * v;
    }
    let last = power(sum);
    for v in last {
        sum = sum * 0.5 + v;
    }
    sum
}

#[reversible]
fn of_a_call<T: Real>(x: &[T]) -> T {
    let a = power(x[0]);
    let mut sum = T::zero();
    for v in a {
        sum += v * v;
    }
    sum * x[1] + x[2]
}

#[test]
fn arrays_that_calls_make_are_gone_through() {
    agrees!(by_elements, POINT);
    agrees!(of_a_call, POINT);
}

#[reversible(record)]
fn clones<T: Real>(x: &[T]) -> T {
    let pairs = vec![vec![Pair { a: x[0], list: vec![x[1]] }; 2]; 2];
    let mut sum = x[2];
    for row in pairs.iter().cloned() {
        for pair in row.iter().cloned() {
            sum = sum * pair.a + pair.list[0];
        }
    }
    let own = x.to_owned();
    let mut rows: Vec<Vec<T>> = vec![vec![], vec![own[0]]];
    rows[0].push(sum);
    rows.push(vec![]);
    rows.push(Vec::new());
    rows[2].push(sum * own[1]);
    rows[0][0] * rows[1][0] + rows[2][0]
}

#[test]
fn elements_that_are_no_numbers_are_cloned() {
    agrees!(clones, POINT);
}

#[reversible(record)]
fn chosen<T: Real>(x: &[T], k: i32) -> T {
    let mut y = x[0];
    match k {
        n @ (1 | 2) => {
            y = y * x[1] * n as T;
        }
        n @ (3..=5 | 7) if n > 3 => {
            y = y * y;
        }
        _ => {
            y = x[2];
        }
    }
    y
}

#[test]
fn alternatives_behind_a_name_stay_together() {
    for k in [1, 2, 3, 4, 7, 8] {
        agrees!(chosen, POINT, k);
    }
}

/// What does not say its type has that of what it is assigned to.
#[reversible(record)]
fn typed_by_the_target<T: Real>(x: &[T]) -> T {
    let mut nested = Some(Some(x[0]));
    let mut list = Vec::new();
    let mut pair = (x[0], None);
    list = x.iter().map(|v| *v * *v).collect();
    for i in 0..x.len() {
        if i == 1 {
            nested = Some(None);
            pair = (pair.0 * x[1], None);
        } else if i == 2 {
            pair = (pair.0, Some(list[i]));
        }
        list = list.iter().map(|v| *v * x[i]).collect();
    }
    let rest = match (nested, pair.1) {
        (Some(Some(v)), _) => v,
        (_, Some(v)) => v.sin(),
        _ => x[1],
    };
    rest * pair.0 * list[0] + list[2]
}

#[reversible(record)]
fn assigned_sums(x: &mut [f64]) {
    let squares: Vec<f64> = x.iter().map(|v| v * v).collect();
    x[0] = squares.iter().sum();
    x[1] = squares.iter().map(|v| v * 0.5).product();
}

#[test]
fn types_follow_from_what_is_assigned_to() {
    agrees!(typed_by_the_target, POINT);
    agrees!(typed_by_the_target, [0.3, 0.7, 1.4]);
    let (mut x, mut record) = (POINT, Record::new());
    assigned_sums::recorded(&mut x, &mut record);
    let mut by_x = [1.0, 1.0, 1.0];
    assigned_sums::pullback((&mut x, &mut by_x), &mut record);
    assert_eq!(x, POINT);
    let squares = POINT.map(|v| v * v);
    let product: f64 = squares.iter().map(|v| v * 0.5).product();
    for i in 0..3 {
        let (kept, slope) = (if i == 2 { 1.0 } else { 0.0 }, 2.0 * POINT[i] + 2.0 * product / POINT[i]);
        assert!((by_x[i] - kept - slope).abs() < 1e-12, "{i}: {}", by_x[i]);
    }
}
