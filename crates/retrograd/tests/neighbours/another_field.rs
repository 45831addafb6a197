use retrograd::prelude::*;

#[derive(Clone, Debug, PartialEq, Active)]
struct Body {
    x: i64,
    v: i64,
    cell: usize,
    visits: [i64; 2],
}

#[reversible]
impl Body {
    fn drift(&mut self) {
        self.x += 3 * self.v;
        self.visits[self.cell] += 1;
    }

    fn bounce(&mut self) {
        if self.x > 10 {
            self.v -= 7;
        } else {
            self.visits[1] += self.x;
        }
    }
}

#[reversible]
fn lean(pair: &mut (i64, i64)) {
    pair.0 += 5 * pair.1;
}

#[test]
fn they_run_there_and_back() {
    let start = Body { x: 5, v: 2, cell: 1, visits: [0, 0] };
    let mut body = start.clone();
    body.drift();
    body.bounce();
    assert_ne!(body, start);
    body.uncall_bounce();
    body.uncall_drift();
    assert_eq!(body, start);

    let mut pair = (1, 2);
    lean(&mut pair);
    lean::uncall(&mut pair);
    assert_eq!(pair, (1, 2));
}
