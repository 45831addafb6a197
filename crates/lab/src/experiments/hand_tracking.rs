//! Hand tracking of ADBench: a Jacobian with many rows and few columns.

use std::path::Path;

use allocation_counter::measure as count_allocations;
use retrograd::prelude::Real;
use retrograd::{Dual, Seeds};

use super::{Experiment, Failure, Setting, Standing, beside_peers, largest, read_file, read_files};
use lab_corpus::programs::hand_tracking::{Hand, hand_tracking, hand_tracking_of_triangles};
use lab_corpus::yardsticks::adbench::hand::{Pose, bones, triangles, vertices};
use lab_corpus::yardsticks::data::{Random, hand as random_hand};
use lab_corpus::yardsticks::hand_tracking as plain;
use lab_report::findings::{Cell, Claim, Figure, Findings, Table};
use lab_report::measure::{Race, Results};

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "hand_tracking",
    title: "Hand tracking",
    about: "How far measured points are from the skin of a hand, and the Jacobian with respect to its pose: the problem of \
            ADBench, with generated data or its files.",
    run,
};

/// The numbers of a pose, which are the columns of a simple Jacobian.
const SIMPLE: usize = 26;
/// The columns of a complicated one: two more for where a point is in its triangle, which no other point depends on.
const COMPLICATED: usize = SIMPLE + 2;

/// What peers take for a Jacobian of 100 points, simple and complicated.
const PEERS: [[(&str, f64); 2]; 2] = [
    [("C++ by hand with Eigen, moving all vertices", 2.15e-4), ("Tapenade, moving all vertices", 6.45e-3)],
    [("C++ by hand with Eigen, moving all vertices", 2.14e-4), ("Tapenade, moving all vertices", 6.26e-2)],
];

/// How many points the problems of the suite have.
const SUITE: [usize; 12] = [100, 192, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 100_000];

/// Three rows of the Jacobian, for one point.
type Rows<const C: usize> = [[f64; C]; 3];

/// A hand, and what was measured of it.
struct Problem {
    hand: Hand,
    pose: Pose,
}

impl Problem {
    /// A random problem: so many points on as many vertices or triangles as the hand of the suite has.
    fn new(points: usize, in_triangles: bool) -> Problem {
        let hand = random_hand(544, 1084, 17);
        let random = &mut Random::new(19);
        let parts = if in_triangles { hand.triangles.len() } else { hand.vertices.len() };
        let pose = Pose {
            theta: random.array(-0.5, 0.5),
            points: (0..points).map(|_| random.array(0.0, 4.0)).collect(),
            seen: (0..points).map(|_| random.below(parts)).collect(),
            us: in_triangles.then(|| (0..points).map(|_| random.array(0.0, 0.5)).collect()),
        };
        Problem { hand, pose }
    }

    /// Reads a file of the suite, and the hand in the folder beside it.
    fn read(path: &Path) -> Result<Problem, Failure> {
        let model = path.with_file_name("model");
        let bones = read_file(&model.join("bones.txt"), bones)?;
        let (vertices, weights) = read_file(&model.join("vertices.txt"), vertices)?;
        let triangles = read_file(&model.join("triangles.txt"), |text| triangles(text, vertices.len()))?;
        let pose = read_file(path, |text| Pose::parse(text, vertices.len(), triangles.len()))?;
        let hand = Hand {
            parents: std::array::from_fn(|bone| bones[bone].parent),
            relatives: std::array::from_fn(|bone| bones[bone].relative),
            inverse_absolutes: std::array::from_fn(|bone| bones[bone].inverse_absolute),
            vertices,
            weights,
            triangles,
            mirrored: false,
        };
        Ok(Problem { hand, pose })
    }

    /// How near each point is to two corners of its triangle; nothing without triangles.
    fn us(&self) -> &[[f64; 2]] {
        self.pose.us.as_deref().unwrap_or_default()
    }

    /// The errors in plain Rust, for this pose.
    fn plain(&self, theta: &[f64; SIMPLE], us: &[[f64; 2]]) -> Vec<[f64; 3]> {
        let Pose { points, seen, .. } = &self.pose;
        match self.pose.us {
            Some(_) => plain::errors_of_triangles(theta, us, &self.hand, points, seen),
            None => plain::errors(theta, &self.hand, points, seen),
        }
    }

    /// Adds the errors by the reversible program.
    fn call<T: Real>(&self, errors: &mut [[T; 3]], theta: &[T; SIMPLE], us: &[[T; 2]], points: &[[T; 3]]) {
        match self.pose.us {
            Some(_) => hand_tracking_of_triangles(errors, theta, us, &self.hand, points, &self.pose.seen),
            None => hand_tracking(errors, theta, &self.hand, points, &self.pose.seen),
        }
    }

    /// The Jacobian in one sweep forwards, with all columns at once. The errors are zero before.
    fn jacobian<const C: usize>(
        &self,
        errors: &mut [[f64; 3]],
        rows: &mut [[Seeds<f64, C>; 3]],
        d_us: &[[Seeds<f64, C>; 2]],
    ) {
        let Problem { hand, pose: Pose { theta, points, seen, us } } = self;
        let d_theta: [Seeds<f64, C>; SIMPLE] = std::array::from_fn(Seeds::basis);
        match us {
            Some(us) => hand_tracking_of_triangles::pushforward(
                (errors, rows),
                (theta, &d_theta),
                (us, d_us),
                hand,
                points,
                seen,
            ),
            None => hand_tracking::pushforward((errors, rows), (theta, &d_theta), hand, points, seen),
        }
    }

    /// The tangents of where points are in their triangles.
    fn moved<const C: usize>(&self) -> Vec<[Seeds<f64, C>; 2]> {
        self.us().iter().map(|_| [Seeds::basis(SIMPLE), Seeds::basis(SIMPLE + 1)]).collect()
    }

    /// The Jacobian by dual numbers.
    fn jacobian_of_duals<const C: usize>(&self) -> Vec<Rows<C>> {
        let theta = std::array::from_fn(|i| Dual::<f64, C>::variable(self.pose.theta[i], i));
        let near = |u: &[f64; 2]| std::array::from_fn(|k| Dual::variable(u[k], SIMPLE + k));
        let us: Vec<[Dual<f64, C>; 2]> = self.us().iter().map(near).collect();
        let points: Vec<_> = self.pose.points.iter().map(|point| point.map(Dual::constant)).collect();
        let mut errors = vec![[Dual::constant(0.0); 3]; points.len()];
        self.call(&mut errors, &theta, &us, &points);
        errors.into_iter().map(|error| error.map(|number| number.eps)).collect()
    }

    /// The Jacobian by central differences of the errors in plain Rust.
    fn jacobian_of_differences<const C: usize>(&self) -> Vec<Rows<C>> {
        const STEP: f64 = 1e-5;
        let mut jacobian = vec![[[0.0; C]; 3]; self.pose.points.len()];
        for column in 0..C {
            let beside = |step: f64| {
                let (mut theta, mut us) = (self.pose.theta, self.us().to_vec());
                match column.checked_sub(SIMPLE) {
                    None => theta[column] += step,
                    Some(k) => us.iter_mut().for_each(|u| u[k] += step),
                }
                self.plain(&theta, &us)
            };
            let (before, after) = (beside(-STEP), beside(STEP));
            for (rows, (before, after)) in jacobian.iter_mut().zip(before.iter().zip(&after)) {
                for k in 0..3 {
                    rows[k][column] = (after[k] - before[k]) / (2.0 * STEP);
                }
            }
        }
        jacobian
    }

    /// The gradient of half the sum of squares by the pose, in one sweep backwards. The errors are found before.
    fn gradient(&self, errors: &mut [[f64; 3]], g_us: &mut [[f64; 2]]) -> [f64; SIMPLE] {
        let Problem { hand, pose: Pose { theta, points, seen, us } } = self;
        let (mut seed, mut g_theta) = (errors.to_vec(), [0.0; SIMPLE]);
        match us {
            Some(us) => hand_tracking_of_triangles::pullback(
                (errors, &mut seed),
                (theta, &mut g_theta),
                (us, g_us),
                hand,
                points,
                seen,
            ),
            None => hand_tracking::pullback((errors, &mut seed), (theta, &mut g_theta), hand, points, seen),
        }
        g_theta
    }
}

/// What was found for one problem.
struct Found {
    name: String,
    in_triangles: bool,
    points: usize,
    standing: Standing,
    /// Bytes that a Jacobian allocates beside where it is written to.
    allocated: u64,
}

/// What a Jacobian is written to: the errors, and the rows for each point.
type Written<const C: usize> = (Vec<[f64; 3]>, Vec<[Seeds<f64, C>; 3]>);

/// What a gradient is written to: the errors, the gradient by where points are in their triangles, and that by the pose.
type Gradient = (Vec<[f64; 3]>, Vec<[f64; 2]>, [f64; SIMPLE]);

impl Found {
    fn new<const C: usize>(name: String, problem: &Problem, setting: &Setting) -> Found {
        let Pose { theta, points, .. } = &problem.pose;
        let (n, us, d_us) = (points.len(), problem.us(), problem.moved::<C>());
        let errors = |errors: &Vec<[f64; 3]>| errors.as_flattened().to_vec();
        let rows = |rows: &Vec<Rows<C>>| rows.as_flattened().as_flattened().to_vec();
        let jacobian = |(errors, rows): &mut Written<C>| {
            errors.fill([0.0; 3]);
            rows.fill([Seeds::default(); 3]);
            problem.jacobian(errors, rows, &d_us);
        };
        let written = || (vec![[0.0; 3]; n], vec![[Seeds::default(); 3]; n]);
        let gradient = |(errors, g_us, g_theta): &mut Gradient| {
            errors.fill([0.0; 3]);
            g_us.fill([0.0; 2]);
            problem.call(errors, theta, us, points);
            *g_theta = problem.gradient(errors, g_us);
        };
        let results = Race::new()
            .with("plain", Vec::new(), |errors| *errors = problem.plain(theta, us), errors)
            .with(
                "call",
                vec![[0.0; 3]; n],
                |errors| {
                    errors.fill([0.0; 3]);
                    problem.call(errors, theta, us, points);
                },
                errors,
            )
            .with("Jacobian", written(), jacobian, |written| {
                written.1.as_flattened().iter().flat_map(|row| row.0).collect()
            })
            .with("Jacobian of duals", Vec::new(), |all| *all = problem.jacobian_of_duals::<C>(), rows)
            .with("Jacobian of differences", Vec::new(), |all| *all = problem.jacobian_of_differences::<C>(), rows)
            .with("gradient", (vec![[0.0; 3]; n], us.to_vec(), [0.0; SIMPLE]), gradient, |(_, g_us, g_theta)| {
                [g_theta, g_us.as_flattened()].concat()
            })
            .run(setting.size.effort_for_many());
        let pairs = [("plain", "call"), ("Jacobian of duals", "Jacobian"), ("Jacobian of differences", "Jacobian")];
        let mut written = written();
        Found {
            name,
            in_triangles: C == COMPLICATED,
            points: n,
            standing: Standing::new(&results, pairs).differs(
                "Jacobian",
                "gradient",
                difference_of_gradients::<C>(&results),
            ),
            allocated: count_allocations(|| jacobian(&mut written)).bytes_total,
        }
    }

    /// What the suite calls it.
    fn kind(&self) -> &'static str {
        if self.in_triangles { "complicated" } else { "simple" }
    }
}

/// The errors times the Jacobian: by the pose, and then by where each point is in its triangle.
fn expected_gradient<const C: usize>(results: &Results) -> Vec<f64> {
    let (errors, rows) = (results.found("plain"), results.found("Jacobian"));
    let mut gradient = vec![0.0; SIMPLE];
    for (errors, rows) in errors.chunks(3).zip(rows.chunks(3 * C)) {
        let column = |c: usize| (0..3).map(|k| errors[k] * rows[k * C + c]).sum::<f64>();
        gradient[..SIMPLE].iter_mut().enumerate().for_each(|(c, sum)| *sum += column(c));
        gradient.extend((SIMPLE..C).map(column));
    }
    gradient
}

/// How far the gradient is from what the Jacobian says, over the largest number there.
fn difference_of_gradients<const C: usize>(results: &Results) -> f64 {
    let expected = expected_gradient::<C>(results);
    let scale = expected.iter().fold(f64::MIN_POSITIVE, |scale, x| scale.max(x.abs()));
    let differences = expected.iter().zip(results.found("gradient")).map(|(a, b)| (a - b).abs());
    largest(differences).unwrap_or_default() / scale
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let mut problems = read_files(setting.files, "hand", Problem::read)?;
    if problems.is_empty() {
        let sizes: &[usize] = setting.size.pick(&[4], &[100], &SUITE);
        let both =
            sizes.iter().flat_map(|&points| [false, true].map(|in_triangles| Problem::new(points, in_triangles)));
        problems = both.map(|problem| ("generated".to_string(), problem)).collect();
    }
    let mut all = Vec::new();
    for (name, problem) in &problems {
        all.push(match problem.pose.us {
            Some(_) => Found::new::<COMPLICATED>(name.clone(), problem, setting),
            None => Found::new::<SIMPLE>(name.clone(), problem, setting),
        });
        setting.progress.done(all.len(), problems.len())?;
    }
    Ok(Findings {
        claims: claims(&all),
        tables: vec![table(&all)],
        remarks: vec![
            "A Jacobian with many rows and few columns is computed forwards, all columns in one sweep. Backwards, one sweep \
             gives the gradient of half the sum of squares, which is what a first-order method needs."
                .to_string(),
            "The peers did not do the same work. The objective of the suite moves all 544 vertices with all 22 bones; here \
             only the vertices that points belong to are moved, with the bones that they follow. The machine is different as \
             well."
                .to_string(),
            "Generated hands have as many vertices and triangles as that of the suite, but a vertex follows 2.5 bones on \
             average; there 1.7."
                .to_string(),
        ], ..Findings::default() })
}

fn claims(all: &[Found]) -> Vec<Claim> {
    let worst = |one: &str, other: &str| {
        Standing::worst(all.iter().map(|found| &found.standing), one, other).expect("all took part")
    };
    let allocated: u64 = all.iter().map(|found| found.allocated).sum();
    let mut claims = vec![
        Claim::at_most("difference of the errors from plain Rust", worst("plain", "call"), 1e-12),
        Claim::at_most("difference of Jacobians from dual numbers", worst("Jacobian of duals", "Jacobian"), 1e-12),
        Claim::at_most(
            "difference of Jacobians from difference quotients of plain Rust",
            worst("Jacobian of differences", "Jacobian"),
            1e-6,
        ),
        Claim::at_most(
            "difference of reverse-mode gradients from errors times Jacobians",
            worst("Jacobian", "gradient"),
            1e-10,
        ),
        Claim::exactly("bytes that a Jacobian allocates", Figure::bytes(allocated), 0.0),
    ];
    for found in all.iter().filter(|found| found.points == 100) {
        let (kind, standing) = (found.kind(), &found.standing);
        let text = format!("{kind}, 100 points: Jacobian");
        let peers = &PEERS[usize::from(found.in_triangles)];
        claims.extend(beside_peers(&text, standing.seconds("Jacobian"), peers));
        let ratio = standing.ratio("Jacobian", "plain");
        claims.push(Claim::beside(format!("{text} over plain objective"), ratio).timed());
        let ratio = standing.ratio("Jacobian", "Jacobian of differences");
        let text = format!("{text} over central differences of plain Rust");
        claims.push(Claim::at_most(text, ratio, 1.0).timed());
        let text = format!("{kind}, 100 points: gradient over plain objective");
        claims.push(Claim::at_most(text, standing.ratio("gradient", "plain"), 6.0).timed());
    }
    claims
}

fn table(all: &[Found]) -> Table {
    let names = ["plain", "call", "Jacobian", "Jacobian of duals", "Jacobian of differences", "gradient"];
    let mut table = Table::new(
        "The fastest round, for one point. A simple Jacobian has 26 columns, a complicated one 28.",
        [
            "data",
            "kind",
            "points",
            "objective, plain",
            "objective",
            "Jacobian",
            "by dual numbers",
            "by differences",
            "gradient",
            "J / O",
            "G / O",
        ],
    );
    for found in all {
        let times = names.map(|name| found.standing.cell(name, found.points));
        let ratios = ["Jacobian", "gradient"].map(|name| Cell::from(found.standing.ratio(name, "plain")));
        let first = [found.name.clone().into(), found.kind().into(), Cell::from(Figure::count(found.points))];
        table.row(first.into_iter().chain(times).chain(ratios));
    }
    table
}
