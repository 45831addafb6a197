use retrograd::prelude::*;

enum Kind {
    Fire(i64),
    Water,
}

#[reversible]
fn with_postconditions(x: &mut i64, y: i64) {
    if (*x > 10, *x > 20) {
        *x += 10;
    }
    if (*x == 3, *x == 5) {
        *x += 2;
    } else if (*x == 4, *x == 3) {
        *x -= 1;
    } else if y > 0 {
        *x += 0;
    }
}

#[reversible(derivatives = "never")]
fn on_what_stays(x: &mut i64, y: &mut i64, kind: &Kind, maybe: &mut Option<i64>) {
    let small = *y < 5;
    if small {
        *x += 1;
    }
    match kind {
        Kind::Fire(heat) if *heat > *y => *x += *heat,
        Kind::Fire(_) => *x -= 2,
        Kind::Water => {}
    }
    match maybe {
        Some(v) => *x += *v,
        None => *y += 1,
    }
    if let Some(v) = *maybe {
        *y += v;
    }
    *y += if *x > 100 { 1 } else { 2 };
}

#[reversible]
fn loops_with_postconditions(n: &mut u64, steps: u64) {
    let mut k = 0;
    while (k < steps, k > 0) {
        *n += k;
        k += 1;
    }
    *n += 2 * k;
}

#[test]
fn they_run_there_and_back() {
    for start in [3, 4, 11, 0] {
        let mut x = start;
        with_postconditions(&mut x, 1);
        with_postconditions::uncall(&mut x, 1);
        assert_eq!(x, start);
    }
    for kind in [Kind::Fire(9), Kind::Fire(1), Kind::Water] {
        for start in [None, Some(6)] {
            let (mut x, mut y, mut maybe) = (1, 2, start);
            on_what_stays(&mut x, &mut y, &kind, &mut maybe);
            on_what_stays::uncall(&mut x, &mut y, &kind, &mut maybe);
            assert_eq!((x, y, maybe), (1, 2, start));
        }
    }
    let mut n = 7;
    loops_with_postconditions(&mut n, 4);
    assert_eq!(n, 7 + 6 + 8);
    loops_with_postconditions::uncall(&mut n, 4);
    assert_eq!(n, 7);
}
