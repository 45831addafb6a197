//! The programs of the corpus as text, with arguments as expressions: for those who run them without rustc.

/// A program with its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Interpreted {
    /// Its name.
    pub name: &'static str,
    /// The files that it is in, with those of what it calls.
    pub sources: &'static [&'static str],
    /// An expression for each argument.
    pub args: &'static [&'static str],
}

/// Gives another macro a table of all programs that have a page in the tour: a name, the files that the program is in, and an
/// expression for each argument. A program changes some arguments, is lent others, and is given the rest by value; what is for hosts it
/// changes too, where it is compiled.
#[macro_export]
macro_rules! interpreted_programs {
    ($with:ident) => {
        $with! {
            adder in "adder": change(1.5), give(0.25);
            multiplier in "multiplier": change(1.0), give(2.0), give(3.0);
            complex_log in "complex_log": change(Complex::new(0.0, 0.0)), give(Complex::new(1.0, 2.0));
            rfib in "rfib": change(0), give(10);
            rrfib in "rrfib": change(0), give(10);
            rfibn in "rfibn", "rfib": change(0), give(100);
            factorial in "factorial": change(1), give(10);
            power in "power": change(Number::lit(0.5)), give(Number::lit(1.5)), give(10);
            affine in "affine": change([1.0, 2.0, 3.0]), lend([2.0, 1.0, 3.0, 0.5, 4.0, -1.0, 1.0, -0.25, 0.5]), lend([10.0, 20.0, 30.0]);
            matvec in "matvec": change([10.0, 20.0]), lend([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), lend([1.0, 0.0, -1.0]);
            lu in "lu": change([[1.0, 2.0, 0.0], [4.0, 12.0, 8.0], [2.0, 3.0, -4.0]]), lend([1, 2, 2]);
            qr in "qr", "matvec": change([[0.0; 2]; 2]), change([[0.0; 2]; 2]), lend([[3.0, 4.0], [1.0, 1.0]]);
            umm in "umm": change([1.0, 2.0, 3.0, 4.0]), lend([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
            fft in "fft": change([1.0, 2.0, 3.0, 4.0]), change([0.0; 4]);
            quantum_circuit in "quantum_circuit": change([Complex::new(1.0, 0.0), Complex::new(0.0, 0.0), Complex::new(0.0, 0.0), Complex::new(0.0, 0.0)]), lend([0.3, 1.1, 0.7, -0.4]), give(2);
            squared_distance in "squared_distance": change(0.0), change([1.0, 2.0, 3.0]), lend([0.5, 0.5, 0.5]);
            consistency in "consistency": change(1.5), change(0.3), change(0.7);
            log_sum_exp in "log_sum_exp": change(0.0), lend([1.0, 2.0, 3.0]);
            cross_entropy in "cross_entropy", "log_sum_exp": change(0.0), lend([1.0, 2.0, 3.0, 0.5, 0.25, 0.0]), lend([1, 0]);
            variance in "variance": change(0.0), change(0.0), lend([1.0, 4.0, 36.0]);
            sparse_dot in "sparse_dot": change(0.0), lend(Csc { starts: vec![0, 1, 2], rows: vec![0, 1], values: vec![2.0, 3.0] }), lend(Csc { starts: vec![0, 1, 2], rows: vec![0, 1], values: vec![0.5, 4.0] });
            sparse_matvec in "sparse_matvec", "sparse_dot": change([1.0, 2.0]), lend(Csc { starts: vec![0, 1, 2], rows: vec![0, 1], values: vec![2.0, 3.0] }), lend([0.5, 0.25]), give(2.0);
            complex_sparse in "complex_sparse", "sparse_dot": change([Complex::new(0.0, 0.0), Complex::new(1.0, -1.0), Complex::new(0.5, 0.0)]), lend(Csc { starts: vec![0, 2, 3], rows: vec![1, 2, 2], values: vec![Complex::new(0.0, 2.0), Complex::new(1.0, 0.0), Complex::new(1.0, 1.0)] }), lend([Complex::new(1.0, 0.5), Complex::new(0.0, -1.0)]), give(Complex::new(0.0, 1.0)), give(1);
            bessel in "bessel": change(0.0), give(2), give(1.0);
            box_muller in "box_muller": change(0.5), change(0.25);
            bundle_adjustment in "bundle_adjustment": change([[0.0; 2]; 2]), lend([[0.1, -0.2, 0.3, 0.5, 0.1, -4.0, 500.0, 3.0, -2.0, 0.01, -0.002], [0.0, 0.4, 0.0, -0.5, 0.2, -5.0, 480.0, 1.0, 2.0, 0.02, 0.001]]), lend([[0.3, -0.4, 1.0]]), lend([1.0, 0.5]), lend([[40.0, -90.0], [230.0, -50.0]]), lend([(0, 0), (1, 0)]);
            gaussian_mixture in "gaussian_mixture", "gaussian_mixture/wishart", "log_sum_exp": change(0.0), lend([0.5, -0.5]), lend([1.0, 0.0, 0.0, 1.0]), lend([0.1, 0.2, 0.3, 0.0, -0.1, 0.2]), lend([0.5, 0.25, 1.0, -1.0]), lend(Wishart { gamma: 1.0, m: 0 });
            graph_embedding in "graph_embedding": change(0.0), lend([[0.5, 0.25], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.5], [0.3, 0.1], [0.7, -0.2], [0.2, 0.9], [-0.4, -0.6], [1.1, 0.8], [-0.9, 0.4]]);
            hand_tracking in "hand_tracking": change([[0.0; 3]]), lend([0.1; 26]), lend(Hand { parents: [None; 22], relatives: [[[1.0, 0.0, 0.0, 0.1], [0.0, 1.0, 0.0, 0.2], [0.0, 0.0, 1.0, 0.3]]; 22], inverse_absolutes: [[[1.0, 0.0, 0.0, 0.1], [0.0, 1.0, 0.0, 0.2], [0.0, 0.0, 1.0, 0.3]]; 22], vertices: vec![[0.1, 0.2, 0.3]], weights: vec![vec![(0, 0.5), (1, 0.5)]], triangles: vec![], mirrored: false }), lend([[0.0; 3]]), lend([0]);
            lax_wendroff in "lax_wendroff": change([[1.0, 0.5, 0.25, 0.5], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]), give(0.1);
            leapfrog in "leapfrog": change([1.0, 0.0, 0.0]), change([0.0, 0.5, 0.0]), give(0.1), give(100);
            learning in "learning": change([Fixed::<48>::lit(0.1); 13]), change([Fixed::<48>::lit(0.0); 13]), lend([Fixed::<48>::lit(0.1); 3]), lend([Fixed::<48>::lit(0.9); 3]), change(InformationBuffer::new()), lend([Fixed::<48>::lit(0.5), Fixed::<48>::lit(-0.5)]), lend([Fixed::<48>::lit(0.25), Fixed::<48>::lit(1.0)]);
            lstm in "lstm": change(0.0), lend([[[0.1, 0.2], [0.3, -0.1], [0.2, 0.2], [0.0, 0.1], [0.1, 0.0], [0.5, 0.2], [-0.2, 0.1], [0.3, 0.3]]]), lend([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]), lend([[[0.0, 0.1], [0.2, 0.0]]]), lend([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]);
            nice in "nice": change([[0.5, -0.5], [0.25, 1.0]]), lend([Coupling { inner: [[0.1, 0.2], [0.3, -0.4], [0.5, 0.1]], inner_bias: [0.1, 0.0, -0.1], outer: [[0.2, 0.1, 0.3], [-0.3, 0.2, 0.1]], outer_bias: [0.1, -0.2] }]), lend([[0.1, 0.2], [-0.1, 0.3]]);
            recurrent in "recurrent", "umm": change(0.0), lend([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.1, 0.2, 0.3]), lend([0.5, 0.25, -0.5]), give(3);
            run_length in "run_length": change([0; 7]), lend([3, 7, 2, 9, 1, 4]), give(2);
            solar_system in "solar_system": change([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), change([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), lend([1.0, 0.001]), give(0.01), give(50);
            sort in "sort": change([5, 2, 8, 1, 9, 3]), change(Stack::new());
            spin_glass in "spin_glass": change(Tropical::one()), lend([Tropical::new(0.25), Tropical::new(0.5), Tropical::new(-1.0), Tropical::new(0.125)]), lend([Tropical::new(1.0), Tropical::new(-1.0), Tropical::new(0.75), Tropical::new(0.5)]), lend([Tropical::new(-1.0), Tropical::new(1.0), Tropical::new(0.5), Tropical::new(0.0)]), give(2);
            string in "string": change([0.0, 1.0, 0.5, 0.0, 0.0]), change([0.0; 5]), lend([0.25; 5]), give(100);
            turing in "turing": change([2, 1, 1, 0, 2]), change(0), change(START), lend(INCREMENT);
            bennett in "bennett": change(Slots::from_iter([(0, 0.5)])), give(4), give(0), give(64), host(0);
            wave in "wave", "wave/shot", "wave/layer", "wave/step": change(0.0), lend([1.0; 16]), lend(Shot { size: 4, depth: 0, ratio: 0.5, steps: 3, snapshots: 1, sources: vec![14], signals: vec![1.0, 0.5, 0.0], receivers: vec![21], echoes: vec![0.0, 0.1, 0.2], layer: Layer { around: vec![], before: vec![], keep: vec![], speed: vec![], pull: vec![], gain: vec![], fade: vec![], feed: vec![], rim: vec![], ring: vec![] } });
        }
    };
}

macro_rules! texts {
    ($($name:ident in $($file:literal),+: $($mode:ident($arg:expr)),+;)*) => {
        &[$(Interpreted {
            name: stringify!($name),
            sources: &[$(include_str!(concat!("programs/", $file, ".rs"))),+],
            args: &[$(stringify!($arg)),+],
        }),*]
    };
}

/// Every program that has a page in the tour.
pub const ALL: &[Interpreted] = interpreted_programs!(texts);

#[cfg(test)]
mod tests {
    use super::ALL;
    use crate::programs;

    #[test]
    fn every_program_is_here() {
        let mut here: Vec<&str> = ALL.iter().map(|program| program.name).collect();
        let mut all = programs::ALL.map(|program| program.name);
        here.sort_unstable();
        all.sort_unstable();
        assert_eq!(here, all);
    }
}
