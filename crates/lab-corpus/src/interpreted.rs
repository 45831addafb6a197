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

macro_rules! programs {
    ($($name:ident in $($file:literal),+: $($arg:literal),+;)*) => {
        &[$(Interpreted {
            name: stringify!($name),
            sources: &[$(include_str!(concat!("programs/", $file, ".rs"))),+],
            args: &[$($arg),+],
        }),*]
    };
}

/// Every program that has a page in the tour.
pub const ALL: &[Interpreted] = programs! {
    adder in "adder": "1.5", "0.25";
    multiplier in "multiplier": "1.0", "2.0", "3.0";
    complex_log in "complex_log": "Complex::new(0.0, 0.0)", "Complex::new(1.0, 2.0)";
    rfib in "rfib": "0", "10";
    rrfib in "rrfib": "0", "10";
    rfibn in "rfibn", "rfib": "0", "100";
    factorial in "factorial": "1", "10";
    power in "power": "0.0", "1.5", "7";
    affine in "affine": "[1.0, 2.0, 3.0]", "[2.0, 1.0, 3.0, 0.5, 4.0, -1.0, 1.0, -0.25, 0.5]", "[10.0, 20.0, 30.0]";
    matvec in "matvec": "[10.0, 20.0]", "[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]", "[1.0, 0.0, -1.0]";
    lu in "lu": "[[1.0, 2.0, 0.0], [4.0, 12.0, 8.0], [2.0, 3.0, -4.0]]", "[1, 2, 2]";
    qr in "qr", "matvec": "[[0.0; 2]; 2]", "[[0.0; 2]; 2]", "[[3.0, 4.0], [1.0, 1.0]]";
    umm in "umm": "[1.0, 2.0, 3.0, 4.0]", "[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]";
    fft in "fft": "[1.0, 2.0, 3.0, 4.0]", "[0.0; 4]";
    quantum_circuit in "quantum_circuit": "[Complex::new(1.0, 0.0), Complex::new(0.0, 0.0)]", "[0.5, 0.25]", "1";
    squared_distance in "squared_distance": "0.0", "[1.0, 2.0, 3.0]", "[0.5, 0.5, 0.5]";
    consistency in "consistency": "1.5", "0.3", "0.7";
    log_sum_exp in "log_sum_exp": "0.0", "[1.0, 2.0, 3.0]";
    cross_entropy in "cross_entropy", "log_sum_exp": "0.0", "[1.0, 2.0, 3.0, 0.5, 0.25, 0.0]", "[1, 0]";
    variance in "variance": "0.0", "0.0", "[1.0, 4.0, 36.0]";
    sparse_dot in "sparse_dot": "0.0", "Csc { starts: vec![0, 1, 2], rows: vec![0, 1], values: vec![2.0, 3.0] }", "Csc { starts: vec![0, 1, 2], rows: vec![0, 1], values: vec![0.5, 4.0] }";
    sparse_matvec in "sparse_matvec", "sparse_dot": "[1.0, 2.0]", "Csc { starts: vec![0, 1, 2], rows: vec![0, 1], values: vec![2.0, 3.0] }", "[0.5, 0.25]", "2.0";
    complex_sparse in "complex_sparse", "sparse_dot": "[Complex::new(0.0, 0.0)]", "Csc { starts: vec![0], rows: vec![], values: vec![] }", "[Complex::new(0.0, 0.0)]", "Complex::new(1.0, 0.0)", "0";
    bessel in "bessel": "0.0", "2", "1.0";
    box_muller in "box_muller": "0.5", "0.25";
    bundle_adjustment in "bundle_adjustment": "[[0.0; 2]; 2]", "[[0.1, -0.2, 0.3, 0.5, 0.1, -4.0, 500.0, 3.0, -2.0, 0.01, -0.002], [0.0, 0.4, 0.0, -0.5, 0.2, -5.0, 480.0, 1.0, 2.0, 0.02, 0.001]]", "[[0.3, -0.4, 1.0]]", "[1.0, 0.5]", "[[40.0, -90.0], [230.0, -50.0]]", "[(0, 0), (1, 0)]";
    gaussian_mixture in "gaussian_mixture", "gaussian_mixture/wishart", "log_sum_exp": "0.0", "[0.5, -0.5]", "[1.0, 0.0, 0.0, 1.0]", "[0.1, 0.2, 0.3, 0.0, -0.1, 0.2]", "[0.5, 0.25, 1.0, -1.0]", "Wishart { gamma: 1.0, m: 0 }";
    graph_embedding in "graph_embedding": "0.0", "[[0.5, 0.25], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.5], [0.3, 0.1], [0.7, -0.2], [0.2, 0.9], [-0.4, -0.6], [1.1, 0.8], [-0.9, 0.4]]";
    hand_tracking in "hand_tracking": "[[0.0; 3]]", "[0.1; 26]", "Hand { parents: [None; 22], relatives: [[[1.0, 0.0, 0.0, 0.1], [0.0, 1.0, 0.0, 0.2], [0.0, 0.0, 1.0, 0.3]]; 22], inverse_absolutes: [[[1.0, 0.0, 0.0, 0.1], [0.0, 1.0, 0.0, 0.2], [0.0, 0.0, 1.0, 0.3]]; 22], vertices: vec![[0.1, 0.2, 0.3]], weights: vec![vec![(0, 0.5), (1, 0.5)]], triangles: vec![], mirrored: false }", "[[0.0; 3]]", "[0]";
    lax_wendroff in "lax_wendroff": "[[1.0, 0.5, 0.25, 0.5], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]", "0.1";
    leapfrog in "leapfrog": "[1.0, 0.0, 0.0]", "[0.0, 0.5, 0.0]", "0.1", "100";
    learning in "learning": "[0.1; 13]", "[0.0; 13]", "[0.1; 3]", "[0.9; 3]", "InformationBuffer::new()", "[0.5, -0.5]", "[0.25, 1.0]";
    lstm in "lstm": "0.0", "[[[0.1, 0.2], [0.3, -0.1], [0.2, 0.2], [0.0, 0.1], [0.1, 0.0], [0.5, 0.2], [-0.2, 0.1], [0.3, 0.3]]]", "[[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]", "[[[0.0, 0.1], [0.2, 0.0]]]", "[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]";
    nice in "nice": "[[0.5, -0.5], [0.25, 1.0]]", "[Coupling { inner: [[0.1, 0.2], [0.3, -0.4], [0.5, 0.1]], inner_bias: [0.1, 0.0, -0.1], outer: [[0.2, 0.1, 0.3], [-0.3, 0.2, 0.1]], outer_bias: [0.1, -0.2] }]", "[[0.1, 0.2], [-0.1, 0.3]]";
    recurrent in "recurrent", "umm": "0.0", "[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.1, 0.2, 0.3]", "[0.5, 0.25, -0.5]", "3";
    run_length in "run_length": "[0; 7]", "[3, 7, 2, 9, 1, 4]", "2";
    solar_system in "solar_system": "[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]", "[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]", "[1.0, 0.001]", "0.01", "50";
    sort in "sort": "[5, 2, 8, 1, 9, 3]", "Stack::new()";
    spin_glass in "spin_glass": "Number::zero()", "[]", "[]", "[]", "2";
    string in "string": "[0.0, 1.0, 0.5, 0.0, 0.0]", "[0.0; 5]", "[0.25; 5]", "100";
    turing in "turing": "[2, 1, 1, 0, 2]", "0", "START", "INCREMENT";
    bennett in "bennett": "Slots::new()", "4", "0", "4", "0";
    wave in "wave", "wave/shot", "wave/layer", "wave/step": "0.0", "[1.0; 16]", "Shot { size: 4, depth: 0, ratio: 0.5, steps: 3, snapshots: 1, sources: vec![14], signals: vec![1.0, 0.5, 0.0], receivers: vec![21], echoes: vec![0.0, 0.1, 0.2], layer: Layer { around: vec![], before: vec![], keep: vec![], speed: vec![], pull: vec![], gain: vec![], fade: vec![], feed: vec![], rim: vec![], ring: vec![] } }";
};

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
