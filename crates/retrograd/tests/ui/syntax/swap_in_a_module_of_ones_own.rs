use retrograd::prelude::reversible;

mod mem {
    use retrograd::prelude::reversible;

    #[reversible]
    pub fn swap(a: &mut f64, b: &mut f64) {
        *a += *b;
        *b -= *a;
    }
}

#[reversible]
fn by_two_names(a: &mut f64, b: &mut f64) {
    mem::swap(a, b);
}

#[reversible]
fn by_its_whole_path(a: &mut f64, b: &mut f64) {
    self::mem::swap(a, b);
}

mod plain {
    use retrograd::prelude::reversible;

    fn swap<T: Clone>(a: &mut T, b: &mut T) {
        *a = b.clone();
    }

    #[reversible]
    fn of_a_function(a: &mut f64, b: &mut f64) {
        swap(a, b);
    }
}

fn main() {}
