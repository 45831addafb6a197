use retrograd::prelude::*;

#[reversible]
fn neighbours(x: &mut [i64]) {
    for i in 0..x.len() - 1 {
        x[i + 1] += x[i];
    }
}

#[reversible]
fn pairs(x: &mut [i64]) {
    for i in 0..x.len() {
        for j in i + 1..x.len() {
            x[j] -= 3 * x[i];
        }
    }
}

#[reversible]
fn eliminate(a: &mut [[i64; 3]], n: usize) {
    for k in 0..n {
        for i in k + 1..n {
            let f = a[i][k];
            for j in k + 1..n {
                a[i][j] -= f * a[k][j];
            }
        }
    }
}

#[reversible]
fn chunks(x: &mut [i64]) {
    for pair in x.chunks_exact_mut(2) {
        pair[0] += pair[1];
    }
}

#[reversible]
fn told_apart_at_run_time(x: &mut [i64], i: usize, j: usize) {
    let old = x[i];
    x[j] += old * x[i];
}

#[reversible]
fn behind_ranges(x: &mut [i64], i: usize) {
    x[1..][i] += x[i];
    x[2..4][0] += x[0..2][1];
}

#[test]
fn they_run_there_and_back() {
    let start = [3, 1, 4, 1];
    let mut x = start;
    neighbours(&mut x);
    pairs(&mut x);
    chunks(&mut x);
    told_apart_at_run_time(&mut x, 2, 0);
    behind_ranges(&mut x, 1);
    assert_ne!(x, start);
    behind_ranges::uncall(&mut x, 1);
    told_apart_at_run_time::uncall(&mut x, 2, 0);
    chunks::uncall(&mut x);
    pairs::uncall(&mut x);
    neighbours::uncall(&mut x);
    assert_eq!(x, start);

    let start = [[2, 7, 1], [8, 2, 8], [1, 8, 2]];
    let mut a = start;
    eliminate(&mut a, 3);
    assert_ne!(a, start);
    eliminate::uncall(&mut a, 3);
    assert_eq!(a, start);
}
