//! Derivatives against the clock: ours, the function itself, what was written by hand, and other crates.
//!
//! `cargo bench -p lab --bench derivatives` prints one table. With `--features peers` other crates take part.
//! `-- NAME` measures only the programs whose names contain `NAME`; `-- --quick` only shows that everything runs.

mod lanes;
mod measure;
mod ours;
#[cfg(not(feature = "peers"))]
#[path = "no_peers.rs"]
mod peers;
#[cfg(feature = "peers")]
mod peers;
mod rows;
mod table;

use lab::measure::Effort;
use lab::yardsticks::data::{Mixture, Random, Scene, sparse};

use crate::table::Row;

/// What was asked for, and what came out.
struct Session {
    /// What the names of programs should contain.
    filter: String,
    /// How carefully to measure.
    effort: Effort,
    /// How many promises were met, and how many there are.
    score: (usize, usize),
}

impl Session {
    /// Measures a program, unless it was not asked for.
    fn measure<'a>(&mut self, program: &str, rows: impl FnOnce() -> Vec<Row<'a>>) {
        if !program.contains(&self.filter) {
            return;
        }
        for row in rows() {
            let measured = row.measure(self.effort);
            measured.print();
            let (met, all) = measured.score();
            self.score = (self.score.0 + met, self.score.1 + all);
        }
    }

    /// Measures the embedding of the graph in `K` dimensions.
    fn graph_embedding<const K: usize>(&mut self) {
        let mut random = Random::new(K as u64);
        let x: [[f64; K]; 10] = std::array::from_fn(|_| random.array(-1.0, 1.0));
        self.measure("graph_embedding", || rows::graph_embedding(&x));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = |option: &str| arguments.iter().any(|argument| argument == option);
    let mut session = Session {
        filter: arguments.iter().find(|argument| !argument.starts_with('-')).cloned().unwrap_or_default(),
        // `cargo bench` says `--bench`, and `cargo test` does not.
        effort: if asked("--quick") || !asked("--bench") { Effort::QUICK } else { Effort::FULL },
        score: (0, 0),
    };
    table::introduction();
    table::head(table::COLUMNS);

    // A tenth of the smallest problem of ADBench: computing is measured, and not memory.
    let scene = Scene::new(49, 778, 3184);
    session.measure("bundle_adjustment", || rows::bundle_adjustment(&scene));
    for points in [1000, 10_000] {
        let mixture = Mixture::<10, 55, 25>::new(points);
        session.measure("gaussian_mixture", || rows::gaussian_mixture(&mixture));
    }
    session.graph_embedding::<2>();
    session.graph_embedding::<4>();
    session.graph_embedding::<6>();
    session.graph_embedding::<8>();
    session.graph_embedding::<10>();
    session.measure("bessel", || rows::bessel(2, &1.0));
    let (a, b) = (sparse(1000, 0.05, 1), sparse(1000, 0.05, 2));
    session.measure("sparse_dot", || rows::sparse_dot(&a, &b));
    session.measure("solar_system", || rows::solar_system(1.0, 100));
    session.measure("nesting", rows::nesting);

    table::head(table::IN_LANES);
    session.measure("bundle_adjustment", || lanes::bundle_adjustment(&scene));
    for points in [1000, 10_000] {
        let mixture = Mixture::<10, 55, 25>::new(points);
        session.measure("gaussian_mixture", || lanes::gaussian_mixture(&mixture));
    }

    println!("\n{} of {} targets met", session.score.0, session.score.1);
}
