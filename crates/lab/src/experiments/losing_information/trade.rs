//! Time against memory, for one program: what is lost is kept, or computed again.

use std::hint::black_box;

use allocation_counter::measure as count_allocations;

use super::{FUNCTION, Found, HAND, RECORDED, REVERSIBLE, Setting, Standing, gradient, measure};
use lab_corpus::lossy::Lossy;
use lab_corpus::lossy::pendulum::{self, recomputed};
use lab_report::findings::{Cell, Claim, Figure, Table};
use lab_report::measure::{Contestant, Race};
use lab_report::plot::{Axis, Plot, Series, Style};

/// Into how many segments the steps are cut, of which one at a time is in memory. The number of steps is a multiple of each.
const SEGMENTS: [(usize, &str); 3] =
    [(4, "recomputed, 4 segments"), (16, "recomputed, 16 segments"), (64, "recomputed, 64 segments")];

/// What was found.
pub(super) struct Trade {
    steps: usize,
    kept: Found,
    recomputed: Standing,
    /// The bytes that each number of segments needs.
    bytes: [u64; SEGMENTS.len()],
}

impl Trade {
    pub(super) fn measure(setting: &Setting) -> Trade {
        let program = &pendulum::LOSSY;
        let &Lossy { input, plain, by_hand, .. } = program;
        let steps = setting.size.pick(64, 4096, 4096);
        let input = input(steps);
        let zero = vec![0.0; input.x.len()];
        let bytes = SEGMENTS.map(|(segments, _)| {
            let mut g = zero.clone();
            count_allocations(|| assert!(recomputed(&input, segments, &mut g).is_finite())).bytes_max
        });
        let contestants = SEGMENTS.map(|(segments, name)| {
            let run = gradient(&input, move |x, g| recomputed(x, segments, g));
            Contestant::new(name, zero.clone(), run, Vec::clone)
        });
        let results = Race::new()
            .with(FUNCTION, 0.0, |y| *y = plain(black_box(&input)), |y| vec![*y])
            .with(HAND, zero.clone(), gradient(&input, |x, g| by_hand(&mut Default::default(), x, g)), Vec::clone)
            .join(contestants)
            .run(setting.size.effort());
        let recomputed = Standing::new(&results, SEGMENTS.map(|(_, name)| (HAND, name)));
        Trade { steps, kept: measure(setting, program, steps), recomputed, bytes }
    }

    /// Each form, with the bytes it needs and how many times as long as the function it takes.
    fn points(&self) -> Vec<(&'static str, u64, Figure)> {
        let Found { standing, tape, record, history, .. } = &self.kept;
        let kept = [(HAND, tape), (RECORDED, record), (REVERSIBLE, history)];
        let kept = kept.map(|(name, bytes)| (name, *bytes, standing.ratio(name, FUNCTION)));
        let recomputed = SEGMENTS.iter().zip(self.bytes);
        let recomputed = recomputed.map(|(&(_, name), bytes)| (name, bytes, self.recomputed.ratio(name, FUNCTION)));
        kept.into_iter().chain(recomputed).collect()
    }

    pub(super) fn claims(&self) -> impl Iterator<Item = Claim> {
        SEGMENTS.iter().map(|(_, name)| {
            let difference = Standing::worst([&self.recomputed], HAND, name).expect("both took part");
            Claim::at_most(format!("double pendulum: largest difference of gradients, {name}"), difference, 1e-12)
        })
    }

    pub(super) fn table(&self) -> Table {
        let caption =
            "Time against memory: gradients of the double pendulum that keep what is lost, or compute it again.";
        let mut table = Table::new(caption, ["form", "memory", "time over function"]);
        for (name, bytes, ratio) in self.points() {
            table.row([Cell::from(name), Figure::bytes(bytes).into(), ratio.into()]);
        }
        table
    }

    pub(super) fn plot(&self) -> Plot {
        let points = self.points();
        let (kept, recomputed) = points.split_at(points.len() - SEGMENTS.len());
        let place = |&(_, bytes, ratio): &(&str, u64, Figure)| (bytes as f64, ratio.value);
        let mut series: Vec<Series> =
            kept.iter().map(|form| Series::new(form.0, Style::Marks, [place(form)])).collect();
        series.push(Series::new("recomputed, 4 to 64 segments", Style::Line, recomputed.iter().map(place)));
        Plot::new(
            format!("Time against memory: gradients through {} steps of the double pendulum.", self.steps),
            Axis::logarithmic("bytes"),
            Axis::logarithmic("time of the function"),
            series,
        )
    }
}
