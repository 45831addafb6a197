use retrograd::prelude::*;

#[reversible]
fn exchange(a: &mut Vec<i64>, b: &mut Vec<i64>) {
    swap(a, b);
    a[0] += b[0];
}

#[reversible]
fn slots(store: &mut Slots<u32, i64>, x: i64) {
    store.allocate(7);
    store[7] += x;
    store[8] += store[7];
    store[7] -= x;
    store.free(7);
}

#[reversible]
fn copies(y: &mut i64, x: &[i64], n: usize) {
    let mut zeros = vec![0; n];
    let mut copy = x.to_vec();
    for i in 0..n {
        copy[i] *= 2;
        zeros[i] += copy[i];
    }
    for v in zeros.iter() {
        *y += *v;
    }
}

#[test]
fn they_run_there_and_back() {
    let (mut a, mut b) = (vec![1], vec![2, 3]);
    exchange(&mut a, &mut b);
    assert_eq!((&a[..], &b[..]), (&[3, 3][..], &[1][..]));
    exchange::uncall(&mut a, &mut b);
    assert_eq!((&a[..], &b[..]), (&[1][..], &[2, 3][..]));

    let mut store = Slots::from_iter([(8, 0)]);
    slots(&mut store, 5);
    assert_eq!((store.len(), store[8]), (1, 5));
    slots::uncall(&mut store, 5);
    assert_eq!((store.len(), store[8]), (1, 0));

    let mut y = 0;
    copies(&mut y, &[1, 2, 3], 2);
    assert_eq!(y, 6);
    copies::uncall(&mut y, &[1, 2, 3], 2);
    assert_eq!(y, 0);
}
