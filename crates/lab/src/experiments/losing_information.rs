//! Programs that lose information: gradients that keep what is lost in a record, beside those by hand and of reversible forms.

mod trade;

use std::hint::black_box;

use allocation_counter::measure as count_allocations;
use retrograd::Record;

use super::{Experiment, Failure, Setting, Standing};
use lab_corpus::lossy::nest::NESTS;
use lab_corpus::lossy::{ALL, Input, Lossy, NATURAL, Tape};
use lab_report::findings::{Cell, Claim, Figure, Findings, Table};
use lab_report::measure::Race;
use lab_report::plot::{Axis, Plot, Series, Style};
use trade::Trade;

/// The experiment.
pub const EXPERIMENT: Experiment = Experiment {
    name: "losing_information",
    title: "Programs that lose information",
    about: "Programs with plain assignments, whose gradients keep in a record what derivatives demand, beside gradients by hand \
            with a tape, and the same programs written reversibly, with histories.",
    run,
};

/// The program in plain Rust.
const FUNCTION: &str = "function";
/// Its gradient, with a tape.
const HAND: &str = "by hand";
/// The gradient of the program with plain assignments.
const RECORDED: &str = "recorded";
/// The gradient of the reversible program.
const REVERSIBLE: &str = "reversible";

/// What was found for one program.
struct Found {
    name: &'static str,
    standing: Standing,
    /// The bytes that each gradient keeps.
    tape: u64,
    record: u64,
    history: u64,
    /// What a second gradient with the same record allocates.
    allocations: u64,
}

/// A gradient as numbers of its own, set to zero before each run.
fn gradient(input: &Input, mut add: impl FnMut(&Input, &mut [f64]) -> f64) -> impl FnMut(&mut Vec<f64>) {
    move |g| {
        g.fill(0.0);
        black_box(add(black_box(input), g));
    }
}

/// Measures a program with as many steps as are enough.
fn enough(setting: &Setting, program: &Lossy) -> Found {
    measure(setting, program, setting.size.pick(program.steps.min(20), program.steps, program.steps))
}

fn measure(setting: &Setting, program: &Lossy, steps: usize) -> Found {
    let &Lossy { name, input, plain, by_hand, recorded, reversible, .. } = program;
    let input = input(steps);
    let zero = vec![0.0; input.x.len()];
    let (mut tape, mut record) = (Tape::new(), Record::new());
    by_hand(&mut tape, &input, &mut zero.clone());
    recorded(&mut record, &input, &mut zero.clone());
    let mut g = zero.clone();
    let allocations = count_allocations(|| assert!(recorded(&mut record, &input, &mut g).is_finite())).count_total;
    let history = count_allocations(|| assert!(reversible(&input, &mut g).is_finite())).bytes_max;
    let kept = (tape.peak_bytes() as u64, record.peak_bytes() as u64);
    let results = Race::new()
        .with(FUNCTION, 0.0, |y| *y = plain(black_box(&input)), |y| vec![*y])
        .with(HAND, zero.clone(), gradient(&input, |x, g| by_hand(&mut tape, x, g)), Vec::clone)
        .with(RECORDED, zero.clone(), gradient(&input, |x, g| recorded(&mut record, x, g)), Vec::clone)
        .with(REVERSIBLE, zero, gradient(&input, reversible), Vec::clone)
        .run(setting.size.effort());
    let standing = Standing::new(&results, [(HAND, RECORDED), (HAND, REVERSIBLE)]);
    Found { name, standing, tape: kept.0, record: kept.1, history, allocations }
}

impl Found {
    fn over_hand(&self) -> Figure {
        Figure::times(self.record as f64 / self.tape as f64)
    }

    fn time(&self, over: &str, most: f64) -> Claim {
        let ratio = self.standing.ratio(RECORDED, over);
        Claim::at_most(format!("{}: time of the gradient, {RECORDED} over {over}", self.name), ratio, most).timed()
    }

    /// What is claimed of every form.
    fn claims(&self) -> Vec<Claim> {
        let Found { name, standing, allocations, .. } = self;
        let same = |other| Standing::worst([standing], HAND, other).expect("both took part");
        let mut claims = vec![
            Claim::at_most(format!("{name}: largest difference of gradients, {RECORDED}"), same(RECORDED), 1e-12),
            Claim::at_most(format!("{name}: largest difference of gradients, {REVERSIBLE}"), same(REVERSIBLE), 1e-12),
            self.time(FUNCTION, 4.0),
        ];
        // Checked builds take samples, which are allocated.
        if !cfg!(debug_assertions) {
            let allocated = Figure::count(*allocations as usize);
            claims.push(Claim::exactly(format!("{name}: allocations of the second gradient"), allocated, 0.0));
        }
        claims
    }

    /// What is claimed of a form that is written for speed.
    fn claims_beside_hand(&self) -> [Claim; 2] {
        let bytes = format!("{}: bytes kept, {RECORDED} over {HAND}", self.name);
        [self.time(HAND, 1.25), Claim::at_most(bytes, self.over_hand(), 1.1)]
    }
}

fn run(setting: &Setting) -> Result<Findings, Failure> {
    let mut found: Vec<Found> = Vec::new();
    let parts = ALL.len() + NATURAL.len() + 2;
    for program in ALL.iter().chain(NATURAL) {
        found.push(enough(setting, program));
        setting.progress.done(found.len(), parts)?;
    }
    let for_speed = &found[..ALL.len()];
    let mut claims: Vec<Claim> = found.iter().flat_map(Found::claims).collect();
    claims.extend(for_speed.iter().flat_map(Found::claims_beside_hand));
    let nests: Vec<Found> = nests(setting);
    let seconds = |nest: &Found| nest.standing.seconds(RECORDED).value;
    let flat = Figure::times(seconds(&nests[nests.len() - 1]) / seconds(&nests[0]));
    claims.push(
        Claim::at_most(format!("nests: time of the gradient, {RECORDED}, depth 8 over depth 1"), flat, 1.3).timed(),
    );
    setting.progress.done(parts - 1, parts)?;
    let trade = Trade::measure(setting);
    claims.extend(trade.claims());
    setting.progress.done(parts, parts)?;
    Ok(Findings {
        claims,
        plots: vec![trade.plot(), plot(for_speed)],
        tables: vec![times(&found), bytes(&found), by_depth(&nests), trade.table()],
        remarks: vec![
            "A reversible form keeps histories in vectors of its own: what is counted is the peak of what it allocates. By hand, what \
             is kept is chosen for speed."
                .to_string(),
            "A natural form has the plain assignments that one would first write: arrays that are written again, and copies. The other form of \
             that program is written for speed."
                .to_string(),
            "Recomputed gradients keep the states between segments of the steps, and those of one segment at a time, which a function \
             of its own computes again."
                .to_string(),
        ],
        ..Findings::default()
    })
}

/// Nests of all depths.
fn nests(setting: &Setting) -> Vec<Found> {
    NESTS.iter().map(|nest| enough(setting, nest)).collect()
}

fn times(found: &[Found]) -> Table {
    let columns = ["program", FUNCTION, HAND, RECORDED, REVERSIBLE, "recorded over function", "recorded over hand"];
    let mut table = Table::new("Times of the fastest round, and of recorded gradients as multiples.", columns);
    for Found { name, standing, .. } in found {
        let seconds = [FUNCTION, HAND, RECORDED, REVERSIBLE].map(|who| standing.cell(who, 1));
        let ratios = [FUNCTION, HAND].map(|over| standing.ratio(RECORDED, over).into());
        table.row([Cell::from(*name)].into_iter().chain(seconds).chain(ratios));
    }
    table
}

fn bytes(found: &[Found]) -> Table {
    let columns = ["program", "tape by hand", "record", "histories", "record over tape"];
    let mut table = Table::new("Memory: what each gradient keeps.", columns);
    for one in found {
        let bytes = [one.tape, one.record, one.history].map(Figure::bytes);
        table.row([Cell::from(one.name)].into_iter().chain(bytes.map(Cell::from)).chain([one.over_hand().into()]));
    }
    table
}

fn by_depth(nests: &[Found]) -> Table {
    let mut table =
        Table::new("Gradients by depth of the nest.", ["nest", FUNCTION, HAND, RECORDED, REVERSIBLE, "kept"]);
    for Found { name, standing, record, .. } in nests {
        let seconds = [FUNCTION, HAND, RECORDED, REVERSIBLE].map(|who| standing.cell(who, 1));
        // The names of the programs of the other tables are those of some of these rows.
        let name = format!("gradient, {name}");
        table.row([Cell::from(name)].into_iter().chain(seconds).chain([Figure::bytes(*record).into()]));
    }
    table
}

/// How much time a gradient takes, against how much it keeps.
fn plot(found: &[Found]) -> Plot {
    type Kept = fn(&Found) -> u64;
    let forms: [(&str, Kept); 3] =
        [(HAND, |found| found.tape), (RECORDED, |found| found.record), (REVERSIBLE, |found| found.history)];
    let series = forms.map(|(who, kept)| {
        let points = found.iter().map(|one| (kept(one) as f64, one.standing.ratio(who, FUNCTION).value));
        Series::new(who, Style::Marks, points)
    });
    Plot::new(
        "Time of a gradient against the memory that it keeps, a mark for each program.",
        Axis::logarithmic("bytes"),
        Axis::logarithmic("time of the function"),
        series.into(),
    )
}
