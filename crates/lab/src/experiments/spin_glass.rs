//! The ground state of spin glasses, read off a gradient in tropical numbers.

use std::time::Instant;

use super::{Experiment, Failure, Setting};
use lab_corpus::yardsticks::spin_glass::Glass;
use lab_report::findings::{Cell, Claim, Figure, Findings, NOTHING, Table};
use lab_report::plot::{Plot, Series, Style};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "spin_glass",
    title: "Ground states of spin glasses",
    about: "In tropical numbers, the sum over all configurations is the largest gain of any of them, and its gradient with \
            respect to the fields is the configuration that attains it.",
    run,
};

/// What was found for one lattice.
struct Solved {
    glass: Glass,
    most: f64,
    spins: Vec<f64>,
    seconds: f64,
    /// The most that was found by trying all configurations, where there are not too many, and how long that took.
    tried: Option<(f64, f64)>,
}

impl Solved {
    /// Solves a lattice, and tries all configurations of one that is at most so wide.
    fn new(width: usize, seed: u64, try_to: usize) -> Solved {
        let glass = Glass::new(width, seed);
        let start = Instant::now();
        let (most, spins) = glass.solved();
        let seconds = start.elapsed().as_secs_f64();
        let tried = (width <= try_to).then(|| {
            let start = Instant::now();
            (glass.by_trying(), start.elapsed().as_secs_f64())
        });
        Solved { glass, most, spins, seconds, tried }
    }

    /// How many single spins, and pairs of neighbours, gain more when they are turned.
    fn improvements(&self) -> usize {
        let (width, sites) = (self.glass.width, self.spins.len());
        let gains = |turned: &[usize]| {
            let mut spins = self.spins.clone();
            turned.iter().for_each(|&site| spins[site] = -spins[site]);
            self.glass.gained(&spins) > self.most
        };
        let single = (0..sites).filter(|&site| gains(&[site])).count();
        let right = (0..sites).filter(|site| (site + 1) % width != 0).filter(|&site| gains(&[site, site + 1])).count();
        let down = (0..sites - width).filter(|&site| gains(&[site, site + width])).count();
        single + right + down
    }
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let widths: &[usize] = setting.size.pick(&[3, 4], &[3, 4, 5, 8, 10, 12], &[3, 4, 5, 8, 10, 12, 14]);
    let mut solved = Vec::new();
    for &width in widths {
        solved.push(Solved::new(width, 7 + width as u64, 5));
        setting.progress.done(solved.len(), widths.len())?;
    }
    let wrong = solved.iter().filter(|solved| solved.tried.is_some_and(|(most, _)| most != solved.most)).count();
    let tried = solved.iter().filter(|solved| solved.tried.is_some()).count();
    let others = solved.iter().filter(|solved| solved.glass.gained(&solved.spins) != solved.most).count();
    let improvements: usize = solved.iter().map(Solved::improvements).sum();
    let claims = vec![
        Claim::exactly(
            format!("of {tried} lattices of which all configurations were tried, those whose best gain differs"),
            Figure::count(wrong),
            0.0,
        ),
        Claim::exactly(
            format!("of {} lattices, those whose gradient is a configuration with a different gain", solved.len()),
            Figure::count(others),
            0.0,
        ),
        Claim::exactly("spins and pairs of neighbours that would gain by flipping", Figure::count(improvements), 0.0)
            .paper("the ground state of a lattice of 28 × 28", "NiLang (embedded), Section 6"),
    ];
    let pictured = solved.iter().rev().find(|solved| solved.glass.width <= 10);
    Ok(Findings {
        claims,
        plots: pictured.map(picture).into_iter().collect(),
        tables: vec![table(&solved)],
        remarks: vec![
            "Bonds are ±1 at random, fields a multiple of 1/128 between −1/4 and 1/4. All sums are exact, so gains are \
             compared without tolerance."
                .to_string(),
        ],
        ..Findings::default()
    })
}

fn table(solved: &[Solved]) -> Table {
    let mut table = Table::new(
        "Lattices, the largest gain of their spins, and how long it took to find the configuration.",
        ["lattice", "best gain", "by the gradient", "best gain, by trying", "by trying all"],
    );
    let nothing = || Cell::from(NOTHING);
    // A sum of multiples of 1/128 is shown as it is.
    let exact = |gain: f64| Cell::from(gain.to_string());
    for Solved { glass, most, seconds, tried, .. } in solved {
        table.row([
            format!("{0} × {0}", glass.width).into(),
            exact(*most),
            Figure::seconds(*seconds).into(),
            tried.map_or_else(nothing, |tried| exact(tried.0)),
            tried.map_or_else(nothing, |tried| Figure::seconds(tried.1).into()),
        ]);
    }
    table
}

/// The lattice with its spins, and which of the bonds are satisfied.
fn picture(solved: &Solved) -> Plot {
    let Solved { glass: Glass { width, right, down, .. }, spins, .. } = solved;
    let place = |site: usize| ((site % width) as f64, -((site / width) as f64));
    let of_spin = |spin: f64| (0..spins.len()).filter(move |&site| spins[site] == spin).map(place);
    let bonds: Vec<(usize, usize, f64)> = (0..spins.len())
        .flat_map(|site| {
            let to_right = ((site + 1) % width != 0).then(|| (site, site + 1, right[site]));
            let to_below = (site + width < spins.len()).then(|| (site, site + width, down[site]));
            to_right.into_iter().chain(to_below)
        })
        .collect();
    let of_bonds = |satisfied: bool| {
        let chosen = bonds.iter().filter(move |(a, b, bond)| (spins[*a] * spins[*b] * bond > 0.0) == satisfied);
        chosen.flat_map(|&(a, b, _)| [place(a), place(b)])
    };
    Plot::picture(
        format!("The ground state of a lattice of {width} × {width}, as the gradient gives it."),
        vec![
            Series::new("bond satisfied", Style::Segments, of_bonds(true)),
            Series::new("bond not satisfied", Style::DashedSegments, of_bonds(false)),
            Series::new("spin up", Style::Marks, of_spin(1.0)),
            Series::new("spin down", Style::Marks, of_spin(-1.0)),
        ],
    )
}
