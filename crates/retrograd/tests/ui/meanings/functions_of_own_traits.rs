//! Traits and types may call functions of their own like those of numbers.

mod table {
    pub(crate) struct Table;

    impl Table {
        pub(crate) fn exp(x: f64) -> f64 {
            3.0 * x
        }
    }

    pub(crate) trait Looked {
        fn sin(self) -> f64;
        fn exp(self) -> f64;
    }

    impl Looked for f64 {
        fn sin(self) -> f64 {
            7.0 * self
        }

        fn exp(self) -> f64 {
            5.0 * self
        }
    }
}

mod qualified {
    use super::table::{Looked, Table};
    use retrograd::prelude::*;

    #[reversible]
    fn sine(x: f64) -> f64 {
        <f64 as Looked>::sin(x)
    }

    #[reversible]
    fn in_place(x: &mut f64) {
        *x = Table::exp(*x);
    }

    #[reversible]
    fn in_place_by_trait(x: &mut f64) {
        *x = <f64 as Looked>::exp(*x);
    }
}

mod another_real {
    use super::table::Looked as Real;
    use retrograd::reversible;

    #[reversible]
    fn sine(x: f64) -> f64 {
        2.0 * Real::sin(x)
    }

    #[reversible]
    fn in_place(x: &mut f64) {
        *x = Real::exp(*x);
    }
}

mod methods {
    use retrograd::reversible;

    trait Turned {
        fn conj(self) -> Self;
        fn cube(self) -> Self;
        fn recip(self) -> Self;
    }

    impl Turned for f64 {
        fn conj(self) -> f64 {
            1.0 - self
        }

        fn cube(self) -> f64 {
            2.0 * self
        }

        fn recip(self) -> f64 {
            -self
        }
    }

    impl Turned for i64 {
        fn conj(self) -> i64 {
            self + 1
        }

        fn cube(self) -> i64 {
            self + 1
        }

        fn recip(self) -> i64 {
            self + 1
        }
    }

    #[reversible]
    fn conjugated(x: &mut f64) {
        *x = x.conj();
    }

    #[reversible]
    fn cubed(x: &mut f64) {
        *x = x.cube();
    }

    #[reversible]
    fn counted(k: &mut i64) {
        *k = k.recip();
    }
}

fn main() {}
