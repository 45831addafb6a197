//! What being reversible costs: the time of a reversible program over that of a plain one.

use std::hint::black_box;

use retrograd::Active;

use super::{Experiment, Failure, Setting};
use lab_corpus::programs;
use lab_corpus::programs::lu::pivots;
use lab_corpus::programs::nice::Coupling;
use lab_corpus::programs::solar_system::Bodies;
use lab_corpus::variants::checked;
use lab_corpus::yardsticks as plain;
use lab_corpus::yardsticks::data::{Mixture, Parameters, Random, Scene, hand, sparse};
use lab_report::findings::{Cell, Claim, Figure, Findings, Table};
use lab_report::headline::{Headline, Sketch};
use lab_report::measure::{Race, Results, difference, largest, worse};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "granularity",
    title: "What being reversible costs",
    about: "The time of a reversible program over that of a plain one, for every program that has a plain twin, and the same \
            with run-time checks. The paper calls the logarithm of this ratio the granularity of a program. Running forwards, \
            what would be undone at the end of a program is simply dropped.",
    run,
};

/// How many programs there are.
const PROGRAMS: usize = 26;

/// How many of these, the first ones, are programs of the papers and of ADBench.
const OF_PAPERS: usize = 9;

/// The races of all programs.
struct Races<'a> {
    setting: &'a Setting<'a>,
    all: Vec<(&'static str, Results)>,
    /// How far a program is from its twin, and from where it began after the way back.
    apart: f64,
    away: f64,
    /// How far checks take a program from itself.
    changed: f64,
}

impl Races<'_> {
    /// A race of `plain` with a program, and with its copy that has checks, each forwards and backwards. `read` is what the plain
    /// program computes as well.
    fn add<S: Clone + Active<Number = f64>>(
        &mut self,
        name: &'static str,
        start: S,
        read: fn(&S) -> Vec<f64>,
        plain: impl FnMut(&mut S),
        (mut call, uncall): (impl FnMut(&mut S), impl FnMut(&mut S)),
        (checked_call, checked_uncall): (impl FnMut(&mut S), impl FnMut(&mut S)),
    ) -> Result<(), Failure> {
        let mut after = start.clone();
        call(&mut after);
        let results = Race::new()
            .with("plain", start.clone(), plain, read)
            .with("call", start.clone(), from(&start, call), numbers)
            .with("uncall", start.clone(), from(&after, uncall), numbers)
            .with("checked call", start.clone(), from(&start, checked_call), numbers)
            .with("checked uncall", start.clone(), from(&after, checked_uncall), numbers)
            .run(self.setting.size.effort());
        let size = largest(&numbers(&after)).max(largest(&numbers(&start)));
        self.apart = worse(self.apart, difference(&read(&after), results.found("plain")) / size);
        self.away = worse(self.away, difference(&numbers(&start), results.found("uncall")) / size);
        for run in ["call", "uncall"] {
            let checked = results.found(&format!("checked {run}"));
            self.changed = worse(self.changed, difference(results.found(run), checked));
        }
        self.all.push((name, results));
        self.setting.progress.done(self.all.len(), PROGRAMS)
    }
}

/// A run that always begins with the same numbers.
fn from<S: Clone>(beginning: &S, mut run: impl FnMut(&mut S)) -> impl FnMut(&mut S) {
    move |now| {
        now.clone_from(beginning);
        run(now);
    }
}

/// All numbers of a state.
pub(super) fn numbers<S: Active<Number = f64>>(state: &S) -> Vec<f64> {
    let mut all = Vec::new();
    state.visit(&mut |number| all.push(*number));
    all
}

/// `race!(races, name, start, read, plain, file::program(state => arguments))`
macro_rules! race {
    (
        $races:ident,
        $name:literal,
        $start:expr,
        $read:expr,
        $plain:expr,
        $file:ident::$program:ident($now:pat_param => $($argument:expr),*)
    ) => {
        $races.add(
            $name,
            $start,
            $read,
            $plain,
            (|$now| programs::$file::$program($($argument),*), |$now| programs::$file::$program::uncall($($argument),*)),
            (|$now| checked::$file::$program($($argument),*), |$now| checked::$file::$program::uncall($($argument),*)),
        )?
    };
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let mut races = Races { setting, all: Vec::new(), apart: 0.0, away: 0.0, changed: 0.0 };
    of_papers(&mut races)?;
    assert_eq!(races.all.len(), OF_PAPERS);
    of_linear_algebra(&mut races)?;
    of_statistics(&mut races)?;
    of_sequences(&mut races)?;
    assert_eq!(races.all.len(), PROGRAMS);
    Ok(Findings {
        headlines: vec![headline(&races.all)],
        claims: claims(&races),
        tables: vec![table(&races.all)],
        remarks: vec![
            "Programs with checks are copies with `checks = \"always\"`. Whether additions of integers are checked for \
             overflow, and what the library checks on its own, depends on the build that made the report, which is named at \
             the top."
                .to_string(),
            "The plain twin of the LU decomposition looks for its pivots while it eliminates. The program is given them, and \
             is not charged for it. The twin of mean and variance passes through the numbers twice, the program once through \
             their squares."
                .to_string(),
            "A matrix-vector product adds every term to an element in memory, with an index check in between, where its twin \
             sums in a register. The program of Box and Muller leaves nothing of its inputs behind, so it computes them once \
             more, with `hypot` and `atan2`."
                .to_string(),
        ], ..Findings::default() })
}

/// Programs of the papers, and of ADBench.
fn of_papers(races: &mut Races) -> Result<(), Failure> {
    let size = races.setting.size;
    let (nu, z) = (2, 1.0);
    race!(
        races,
        "Bessel function",
        0.0,
        numbers,
        |y| *y = plain::bessel::bessel_j(black_box(nu), black_box(z)),
        bessel::bessel(y => y, black_box(nu), black_box(z))
    );

    let order = size.pick(60, 500, 1000);
    let (a, b) = (&sparse(order, 0.05, 1), &sparse(order, 0.05, 2));
    race!(
        races,
        "sparse dot, with a record",
        0.0,
        numbers,
        |y| *y = plain::sparse_dot::sparse_dot(a, &a.values, b, &b.values),
        sparse_dot::sparse_dot(y => y, a, b)
    );
    race!(
        races,
        "sparse dot, of matches",
        0.0,
        numbers,
        |y| *y = plain::sparse_dot::sparse_dot(a, &a.values, b, &b.values),
        sparse_dot::sparse_dot_of_matches(y => y, a, b)
    );

    let mut random = Random::new(5);
    let x: &[[f64; 5]; 10] = &std::array::from_fn(|_| random.array(-1.0, 1.0));
    race!(
        races,
        "graph embedding",
        0.0,
        numbers,
        |y| *y = plain::graph_embedding::loss(black_box(x)),
        graph_embedding::graph_embedding(y => y, black_box(x))
    );

    let scene = Scene::new(10, 100, size.pick(50, 1000, 1000));
    let Scene { cameras, points, weights, features, seen } = &scene;
    race!(
        races,
        "bundle adjustment",
        vec![[0.0; 2]; seen.len()],
        numbers,
        |errors| {
            for (i, error) in errors.iter_mut().enumerate() {
                let (camera, point) = (&cameras[seen[i].0], &points[seen[i].1]);
                *error = plain::bundle_adjustment::residual(camera, point, weights[i], &features[i]);
            }
        },
        bundle_adjustment::bundle_adjustment(errors => errors, cameras, points, weights, features, seen)
    );

    let mixture = Mixture::<10, 55, 5>::new(size.pick(10, 1000, 1000));
    let Mixture { parameters: Parameters { alphas, means, icf }, x, prior } = &mixture;
    let (means, icf, x) = (means.as_flattened(), icf.as_flattened(), x.as_flattened());
    race!(
        races,
        "Gaussian mixture of slices",
        0.0,
        numbers,
        |y| *y = plain::gaussian_mixture::objective_of_slices(alphas, means, icf, x, prior),
        gaussian_mixture::gaussian_mixture(y => y, alphas, means, icf, x, prior)
    );

    let Bodies { x, v, m } = &Bodies::solar_system();
    let steps = size.pick(10, 100, 100);
    race!(
        races,
        "solar system, 100 steps",
        (*x, *v),
        numbers,
        |(now, speed)| {
            (*now, *speed) = (*x, *v);
            plain::solar_system::solar_system(now, speed, m, 1.0, steps);
        },
        solar_system::solar_system((x, v) => x, v, m, 1.0, steps)
    );

    let (vertices, count) = (size.pick(20, 200, 200), size.pick(5, 100, 100));
    let hand = &hand(vertices, vertices, 7);
    let theta = &random.array(-0.5, 0.5);
    let points: &[[f64; 3]] = &(0..count).map(|_| random.array(0.0, 4.0)).collect::<Vec<_>>();
    let us: &[[f64; 2]] = &(0..count).map(|_| random.array(0.0, 0.5)).collect::<Vec<_>>();
    let nearest: &[usize] = &(0..count).map(|_| random.below(vertices)).collect::<Vec<_>>();
    race!(
        races,
        "hand tracking",
        vec![[0.0; 3]; count],
        numbers,
        |errors| *errors = plain::hand_tracking::errors(theta, hand, points, nearest),
        hand_tracking::hand_tracking(errors => errors, theta, hand, points, nearest)
    );
    race!(
        races,
        "hand tracking, of triangles",
        vec![[0.0; 3]; count],
        numbers,
        |errors| *errors = plain::hand_tracking::errors_of_triangles(theta, us, hand, points, nearest),
        hand_tracking::hand_tracking_of_triangles(errors => errors, theta, us, hand, points, nearest)
    );
    Ok(())
}

/// Products and decompositions.
fn of_linear_algebra(races: &mut Races) -> Result<(), Failure> {
    let size = races.setting.size;
    let random = &mut Random::new(11);
    let mut vector = |length: usize| (0..length).map(|_| random.between(-1.0, 1.0)).collect::<Vec<f64>>();
    let n = size.pick(5, 100, 100);
    let (start, x, a) = (&vector(n), &vector(n), &vector(n * n));
    let (long, many) = (&vector(n * n), &vector(n * n));
    race!(
        races,
        "axpy",
        long.clone(),
        numbers,
        from(long, |y| plain::matvec::axpy(y, black_box(0.5), many)),
        matvec::axpy(y => y, black_box(0.5), many)
    );
    race!(
        races,
        "matrix times vector",
        start.clone(),
        numbers,
        from(start, |y| plain::matvec::matvec(y, a, x)),
        matvec::matvec(y => y, a, x)
    );
    race!(
        races,
        "transposed matrix times vector",
        start.clone(),
        numbers,
        from(start, |y| plain::matvec::matvec_transposed(y, a, x)),
        matvec::matvec_transposed(y => y, a, x)
    );

    let order = size.pick(60, 500, 1000);
    let (start, x, a) = (&vector(order), &vector(order), &sparse(order, 0.05, 3));
    race!(
        races,
        "sparse matrix times vector",
        start.clone(),
        numbers,
        from(start, |y| plain::sparse_matvec::sparse_matvec(y, a, x, 0.5)),
        sparse_matvec::sparse_matvec(y => y, a, x, 0.5)
    );
    race!(
        races,
        "sparse transposed matrix times vector",
        start.clone(),
        numbers,
        from(start, |y| plain::sparse_matvec::sparse_matvec_transposed(y, a, x, 0.5)),
        sparse_matvec::sparse_matvec_transposed(y => y, a, x, 0.5)
    );

    let matrix: &[[f64; 16]; 16] = &std::array::from_fn(|_| random.array(-1.0, 1.0));
    let order = &pivots(matrix);
    race!(
        races,
        "LU decomposition",
        *matrix,
        numbers,
        |a| {
            *a = *matrix;
            plain::lu::lu(a);
        },
        lu::lu(a => a, order)
    );
    race!(
        races,
        "QR decomposition",
        ([[0.0; 16]; 16], [[0.0; 16]; 16]),
        numbers,
        |factors| *factors = plain::qr::qr(black_box(matrix)),
        qr::qr((q, r) => q, r, black_box(matrix))
    );

    let (start, theta) = (random.array::<20>(-1.0, 1.0), &random.array::<190>(-3.0, 3.0));
    race!(
        races,
        "product of rotations",
        start,
        numbers,
        from(&start, |x| plain::umm::umm(x, theta)),
        umm::umm(x => x, theta)
    );

    let n = size.pick(16, 1024, 1024);
    let mut half = || (0..n).map(|_| random.between(-1.0, 1.0)).collect::<Vec<f64>>();
    let start = &(half(), half());
    race!(
        races,
        "fast Fourier transform",
        start.clone(),
        numbers,
        from(start, |now| plain::fft::fft(&mut now.0, &mut now.1)),
        fft::fft((re, im) => re, im)
    );
    Ok(())
}

/// Random numbers, means and losses.
fn of_statistics(races: &mut Races) -> Result<(), Failure> {
    let n = races.setting.size.pick(30, 1000, 1000);
    let random = &mut Random::new(13);
    race!(
        races,
        "Box and Muller",
        (0.3, 0.6),
        numbers,
        |pair| *pair = plain::box_muller::box_muller(black_box(0.3), black_box(0.6)),
        box_muller::box_muller((u, v) => u, v)
    );
    race!(
        races,
        "difference of exponentials",
        (0.0, 0.3, 1.6),
        |(y, _, _)| vec![*y],
        |(y, _, _)| *y = plain::consistency::difference(black_box(0.3), black_box(1.6)),
        consistency::consistency((y, x, p) => y, x, p)
    );
    let x: &[f64] = &(0..n).map(|_| random.between(0.0, 10.0)).collect::<Vec<_>>();
    let squares: &[f64] = &x.iter().map(|x| x * x).collect::<Vec<_>>();
    race!(
        races,
        "mean and variance",
        (0.0, 0.0),
        numbers,
        |(spread, mean)| (*mean, *spread) = plain::variance::mean_and_variance(x),
        variance::variance((spread, mean) => spread, mean, squares)
    );
    race!(
        races,
        "log-sum-exp",
        0.0,
        numbers,
        |total| *total = plain::log_sum_exp::log_of_sum(x),
        log_sum_exp::log_sum_exp(total => total, x)
    );
    let labels: &[usize] = &(0..n / 10).map(|_| random.below(10)).collect::<Vec<_>>();
    race!(
        races,
        "cross entropy",
        0.0,
        numbers,
        |loss| *loss = plain::log_sum_exp::cross_entropy(x, labels),
        cross_entropy::cross_entropy(loss => loss, x, labels)
    );
    Ok(())
}

/// Nets, and a wave that goes through time.
fn of_sequences(races: &mut Races) -> Result<(), Failure> {
    let steps = races.setting.size.pick(4, 100, 100);
    let random = &mut Random::new(17);
    let layers: &[[[f64; 14]; 8]] = &[(); 2].map(|()| std::array::from_fn(|_| random.array(-1.0, 1.0)));
    let start: &[[[f64; 14]; 2]] = &[(); 2].map(|()| std::array::from_fn(|_| random.array(-1.0, 1.0)));
    let extra = &std::array::from_fn(|_| random.array(-1.0, 1.0));
    let sequence: &[[f64; 14]] = &(0..steps).map(|_| random.array(0.0, 1.0)).collect::<Vec<_>>();
    race!(
        races,
        "recurrent net, 100 steps",
        0.0,
        numbers,
        |loss| *loss = plain::lstm::objective(layers, extra, start, sequence),
        lstm::lstm(loss => loss, layers, extra, start, sequence)
    );

    let layers: &[Coupling<f64, 4, 8>] = &[(); 6].map(|()| Coupling {
        inner: std::array::from_fn(|_| random.array(-1.0, 1.0)),
        inner_bias: random.array(-1.0, 1.0),
        outer: std::array::from_fn(|_| random.array(-1.0, 1.0)),
        outer_bias: random.array(-1.0, 1.0),
    });
    let halves: [[f64; 4]; 2] = std::array::from_fn(|_| random.array(-1.0, 1.0));
    let scales = &std::array::from_fn(|_| random.array(-0.5, 0.5));
    race!(
        races,
        "coupling layers",
        halves,
        numbers,
        |x| *x = plain::nice::nice(black_box(&halves), layers, scales),
        nice::nice(x => x, layers, scales)
    );

    let mut states = vec![[0.0; 64]; steps + 1];
    states[0] = random.array(0.0, 1.0);
    let wave = &states[0].clone();
    race!(
        races,
        "Lax and Wendroff, 100 steps",
        states,
        |states| states[states.len() - 1].to_vec(),
        |states| states[steps] = plain::lax_wendroff::lax_wendroff(wave, 0.1, steps),
        lax_wendroff::lax_wendroff(states => states, 0.1)
    );
    Ok(())
}

/// How many times as long as its plain twin a run of each program takes.
fn ratios(all: &[(&str, Results)], run: &str) -> Vec<f64> {
    all.iter().map(|(_, results)| results.timing(run).ratio(results.timing("plain"))).collect()
}

/// The median of these.
fn middle(all: &[(&str, Results)], run: &str) -> Figure {
    let mut ratios = ratios(all, run);
    ratios.sort_by(f64::total_cmp);
    Figure::times(ratios[ratios.len() / 2])
}

/// What each kind of run takes, in the median.
fn headline(all: &[(&str, Results)]) -> Headline {
    let bars = [
        ("plain Rust", Figure::times(1.0)),
        ("forwards", middle(all, "call")),
        ("backwards", middle(all, "uncall")),
        ("forwards, checked", middle(all, "checked call")),
        ("backwards, checked", middle(all, "checked uncall")),
    ];
    Headline {
        figure: middle(all, "call"),
        sentence: format!(
            "the time of plain Rust is what a reversible program takes to run forwards, in the median of {} programs.",
            all.len()
        ),
        sketch: Sketch::Bars(bars.map(|(name, figure)| (name.to_string(), figure)).to_vec()),
    }
}

fn claims(races: &Races) -> Vec<Claim> {
    let middle = |run| middle(&races.all, run);
    let largest = |all| Figure::times(ratios(all, "call").into_iter().fold(0.0, f64::max));
    let place = "NiLang (embedded), Section 5";
    vec![
        Claim::at_most("largest difference of a program from its plain twin", Figure::plain(races.apart), 1e-12),
        Claim::at_most("largest difference from the start after a round trip", Figure::plain(races.away), 1e-10),
        Claim::exactly("largest difference that checks make", Figure::plain(races.changed), 0.0),
        Claim::at_most("median granularity", middle("call"), 1.25).timed().paper_figure(2.0, place),
        Claim::at_most(
            "largest granularity among programs of the papers and of ADBench",
            largest(&races.all[..OF_PAPERS]),
            2.0,
        )
        .timed(),
        Claim::beside("largest granularity of all programs", largest(&races.all)).timed(),
        Claim::beside("median granularity, backwards", middle("uncall")).timed(),
        Claim::beside("median granularity, with checks", middle("checked call")).timed(),
        Claim::beside("median granularity, backwards with checks", middle("checked uncall")).timed(),
    ]
}

fn table(all: &[(&str, Results)]) -> Table {
    let mut table = Table::new(
        "The fastest round of each, and the time of call and uncall over that of the plain program, without and with checks.",
        [
            "program",
            "plain",
            "call",
            "uncall",
            "call / plain",
            "uncall / plain",
            "checked call / plain",
            "checked uncall / plain",
        ],
    );
    for (name, results) in all {
        let time = |who: &str| Cell::from(Figure::seconds(results.timing(who).minimum()));
        let ratio = |who: &str| Cell::from(Figure::times(results.timing(who).ratio(results.timing("plain"))));
        let times = ["plain", "call", "uncall"].map(time);
        let ratios = ["call", "uncall", "checked call", "checked uncall"].map(ratio);
        table.row([Cell::from(*name)].into_iter().chain(times).chain(ratios));
    }
    table
}
