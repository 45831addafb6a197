use retrograd::prelude::*;

#[reversible]
fn add_sum(y: &mut i64, x: &[i64]) {
    for i in 0..x.len() {
        *y += x[i];
    }
}

#[reversible]
fn for_a_while(x: &mut i64, y: &mut i64, c: &mut i64) {
    #[compute]
    {
        if *c > 0 {
            *x += 10;
        }
    }
    *y += *x;
    *c -= 5;
}

#[reversible]
fn nested(x: &mut [i64], y: &mut i64) {
    let mut t = 0;
    {
        #[compute]
        {
            x[0] += 1;
            t += x[0];
        }
        *y += t;
    }
    *y += 100 * t;
}

#[reversible]
fn backwards(x: &[i64], y: &mut i64) {
    #[inverse]
    add_sum(y, x);
    #[inverse]
    {
        let mut t = x[0];
        t += 1;
        *y += t * t;
        *y = -*y;
    }
    #[inverse]
    if (*y > 0, *y > 5) {
        *y += 5;
    }
    #[unchecked]
    for i in 0..3 {
        *y += i;
    }
}

#[test]
fn they_run_there_and_back() {
    let (mut x, mut y, mut c) = (1, 2, 3);
    for_a_while(&mut x, &mut y, &mut c);
    assert_eq!((x, y, c), (11, 13, -2));
    for_a_while::uncall(&mut x, &mut y, &mut c);
    assert_eq!((x, y, c), (1, 2, 3));

    let mut v = [4, 5];
    nested(&mut v, &mut y);
    assert_eq!((v, y), ([4, 5], 7));
    nested::uncall(&mut v, &mut y);
    assert_eq!((v, y), ([4, 5], 2));

    let mut y = -100;
    backwards(&v, &mut y);
    assert_eq!(y, 100 + 9 - 25 - 5 + 3);
    backwards::uncall(&v, &mut y);
    assert_eq!(y, -100);
}
