//! Loops in loops, with an ancilla in each.

use retrograd::prelude::*;

use super::{Nested, pulled, work};

#[reversible]
fn one(x: f64) -> f64 {
    let mut a = 0.0;
    a += work(x);
    a.sin()
}

#[reversible]
fn two(x: f64) -> f64 {
    let mut a = 0.0;
    for _ in 0..2 {
        let mut b = 0.0;
        b += work(x);
        a += b.sin();
    }
    a.sin()
}

#[reversible]
fn three(x: f64) -> f64 {
    let mut a = 0.0;
    for _ in 0..2 {
        let mut b = 0.0;
        for _ in 0..2 {
            let mut c = 0.0;
            c += work(x);
            b += c.sin();
        }
        a += b.sin();
    }
    a.sin()
}

#[reversible]
fn four(x: f64) -> f64 {
    let mut a = 0.0;
    for _ in 0..2 {
        let mut b = 0.0;
        for _ in 0..2 {
            let mut c = 0.0;
            for _ in 0..2 {
                let mut d = 0.0;
                d += work(x);
                c += d.sin();
            }
            b += c.sin();
        }
        a += b.sin();
    }
    a.sin()
}

#[reversible]
fn five(x: f64) -> f64 {
    let mut a = 0.0;
    for _ in 0..2 {
        let mut b = 0.0;
        for _ in 0..2 {
            let mut c = 0.0;
            for _ in 0..2 {
                let mut d = 0.0;
                for _ in 0..2 {
                    let mut e = 0.0;
                    e += work(x);
                    d += e.sin();
                }
                c += d.sin();
            }
            b += c.sin();
        }
        a += b.sin();
    }
    a.sin()
}

#[reversible]
fn six(x: f64) -> f64 {
    let mut a = 0.0;
    for _ in 0..2 {
        let mut b = 0.0;
        for _ in 0..2 {
            let mut c = 0.0;
            for _ in 0..2 {
                let mut d = 0.0;
                for _ in 0..2 {
                    let mut e = 0.0;
                    for _ in 0..2 {
                        let mut f = 0.0;
                        f += work(x);
                        e += f.sin();
                    }
                    d += e.sin();
                }
                c += d.sin();
            }
            b += c.sin();
        }
        a += b.sin();
    }
    a.sin()
}

#[reversible]
fn seven(x: f64) -> f64 {
    let mut a = 0.0;
    for _ in 0..2 {
        let mut b = 0.0;
        for _ in 0..2 {
            let mut c = 0.0;
            for _ in 0..2 {
                let mut d = 0.0;
                for _ in 0..2 {
                    let mut e = 0.0;
                    for _ in 0..2 {
                        let mut f = 0.0;
                        for _ in 0..2 {
                            let mut g = 0.0;
                            g += work(x);
                            f += g.sin();
                        }
                        e += f.sin();
                    }
                    d += e.sin();
                }
                c += d.sin();
            }
            b += c.sin();
        }
        a += b.sin();
    }
    a.sin()
}

#[reversible]
fn eight(x: f64) -> f64 {
    let mut a = 0.0;
    for _ in 0..2 {
        let mut b = 0.0;
        for _ in 0..2 {
            let mut c = 0.0;
            for _ in 0..2 {
                let mut d = 0.0;
                for _ in 0..2 {
                    let mut e = 0.0;
                    for _ in 0..2 {
                        let mut f = 0.0;
                        for _ in 0..2 {
                            let mut g = 0.0;
                            for _ in 0..2 {
                                let mut h = 0.0;
                                h += work(x);
                                g += h.sin();
                            }
                            f += g.sin();
                        }
                        e += f.sin();
                    }
                    d += e.sin();
                }
                c += d.sin();
            }
            b += c.sin();
        }
        a += b.sin();
    }
    a.sin()
}

/// Functions of loops in loops with an ancilla in each, by depth.
pub const BLOCKS: &[Nested] = &[
    Nested { depth: 1, run: one, pullback: |x| pulled(|slope| one::pullback((x, slope), 1.0)) },
    Nested { depth: 2, run: two, pullback: |x| pulled(|slope| two::pullback((x, slope), 1.0)) },
    Nested { depth: 3, run: three, pullback: |x| pulled(|slope| three::pullback((x, slope), 1.0)) },
    Nested { depth: 4, run: four, pullback: |x| pulled(|slope| four::pullback((x, slope), 1.0)) },
    Nested { depth: 5, run: five, pullback: |x| pulled(|slope| five::pullback((x, slope), 1.0)) },
    Nested { depth: 6, run: six, pullback: |x| pulled(|slope| six::pullback((x, slope), 1.0)) },
    Nested { depth: 7, run: seven, pullback: |x| pulled(|slope| seven::pullback((x, slope), 1.0)) },
    Nested { depth: 8, run: eight, pullback: |x| pulled(|slope| eight::pullback((x, slope), 1.0)) },
];
