#![allow(non_camel_case_types)]

mod a_parameter {
    use retrograd::prelude::*;

    type usize = f64;

    #[reversible]
    fn f(x: f64, n: usize) -> f64 {
        x * n
    }
}

mod an_annotation {
    use retrograd::prelude::*;

    type Count = f64;
    use self::Count as u32;

    #[reversible]
    fn f(x: f64) -> f64 {
        let n: u32 = x * x;
        x * n
    }
}

mod a_cast {
    use retrograd::prelude::*;

    type i64 = f64;

    #[reversible]
    fn f(x: f64) -> f64 {
        x * (x as i64)
    }
}

mod a_struct {
    use retrograd::prelude::*;

    #[derive(Active)]
    pub struct String {
        x: f64,
    }

    #[reversible]
    fn f(s: &String, x: f64) -> f64 {
        s.x * x
    }
}

mod a_container {
    use retrograd::prelude::*;

    #[derive(Active)]
    pub struct Stack<K> {
        keys: Vec<K>,
        weights: Vec<f64>,
    }

    #[reversible]
    fn f(s: &[Stack<usize>], x: f64) -> f64 {
        s[0].weights[s[0].keys[0]] * x
    }
}

mod a_primitive {
    use retrograd::prelude::*;

    type bool = f64;

    #[primitive(d_x = b)]
    fn f(x: f64, b: bool) -> f64 {
        x * b
    }
}

mod a_method {
    use retrograd::prelude::*;

    type usize = f64;

    #[derive(Active)]
    struct S {
        x: f64,
    }

    #[reversible]
    impl S {
        fn f(&self, n: &[usize]) -> f64 {
            self.x * n[0]
        }
    }
}

fn main() {}
