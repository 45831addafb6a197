//! What locals of recorded programs were on the way, for backward runs that compare them: samples from some iterations of each loop. Only
//! programs that make checks have them; they lie beside what is kept, and do not count as bytes.

use super::{Record, Recordable};

/// How many iterations of a loop are sampled at most.
const MOST: usize = 8;

/// Where a loop stands: its file, line and column.
type Place = (&'static str, u32, u32);

/// The samples of a record: there are none in builds without checks.
#[derive(Debug, Default)]
pub(super) struct Samples(Option<Box<Runs>>);

#[derive(Debug, Default)]
struct Runs {
    /// The loops that run now, from the outermost.
    open: Vec<Run>,
    /// Those that have ended and are not undone, in their order.
    shut: Vec<Run>,
}

/// One run of a loop.
#[derive(Clone, Debug)]
struct Run {
    place: Place,
    /// How much was kept, in bytes and bits, when it ended.
    end: (usize, usize),
    /// How many iterations have begun and are not undone.
    turns: usize,
    /// Iterations are sampled whose number is a multiple of this.
    stride: usize,
    samples: Vec<Sample>,
}

#[derive(Clone, Debug)]
struct Sample {
    turn: usize,
    point: usize,
    value: Vec<u8>,
}

/// How many loops there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Loops {
    open: usize,
    shut: usize,
}

impl Samples {
    pub(super) const fn new() -> Samples {
        Samples(None)
    }

    #[inline]
    pub(super) fn loops(&self) -> Loops {
        self.0.as_ref().map_or(Loops::default(), |runs| Loops { open: runs.open.len(), shut: runs.shut.len() })
    }

    /// Forgets the loops behind these.
    #[inline]
    pub(super) fn cut(&mut self, loops: Loops) {
        if let Some(runs) = &mut self.0 {
            runs.cut(loops);
        }
    }

    /// The loops that have ended behind these, once more.
    pub(super) fn behind(&self, loops: Loops) -> Samples {
        let behind = |runs: &Runs| Box::new(Runs { open: Vec::new(), shut: runs.shut[loops.shut..].to_vec() });
        Samples(self.0.as_deref().map(behind))
    }

    /// Puts such loops back behind what is left of them.
    pub(super) fn put_back(&mut self, behind: &Samples, all: Loops) {
        if let (Some(runs), Some(behind)) = (&mut self.0, &behind.0) {
            runs.cut(Loops { open: all.open, shut: all.shut - behind.shut.len() });
            runs.shut.extend_from_slice(&behind.shut);
        }
    }

    fn runs(&mut self) -> &mut Runs {
        self.0.get_or_insert_default()
    }

    /// The innermost of the loops that run now.
    fn last(&mut self) -> Option<&mut Run> {
        self.0.as_mut().and_then(|runs| runs.open.last_mut())
    }
}

impl Run {
    fn new(place: Place) -> Run {
        Run { place, end: (0, 0), turns: 0, stride: 1, samples: Vec::new() }
    }
}

impl Runs {
    #[cold]
    #[inline(never)]
    fn cut(&mut self, loops: Loops) {
        self.open.truncate(loops.open);
        self.shut.truncate(loops.shut);
    }
}

/// What generated code calls, in the builds that make checks.
impl Record {
    /// A loop begins.
    #[doc(hidden)]
    pub fn open_samples(&mut self, place: Place) {
        self.samples.runs().open.push(Run::new(place));
    }

    /// An iteration of it begins.
    #[doc(hidden)]
    pub fn begin_turn(&mut self) {
        let Some(run) = self.samples.last() else { return };
        if run.turns == MOST * run.stride {
            // Every other one goes.
            run.stride *= 2;
            run.samples.retain(|sample| sample.turn.is_multiple_of(run.stride));
        }
        run.turns += 1;
    }

    /// The local at this point of the program is this now.
    #[doc(hidden)]
    pub fn keep_sample<T: Recordable>(&mut self, point: usize, value: &T) {
        if let Some(run) = self.samples.last()
            && let Some(turn) = run.turns.checked_sub(1)
            && turn.is_multiple_of(run.stride)
        {
            run.samples.push(Sample { turn, point, value: Record::new().encode(value) });
        }
    }

    /// The loop has ended.
    #[doc(hidden)]
    pub fn shut_samples(&mut self) {
        let end = (self.top, self.bit_top);
        let Runs { open, shut } = self.samples.runs();
        shut.extend(open.pop().map(|run| Run { end, ..run }));
    }

    /// The loop is about to be undone: as much is kept as when it ended. Those that have ended behind it are not undone.
    #[doc(hidden)]
    pub fn reopen_samples(&mut self, place: Place) {
        let now = (self.top, self.bit_top);
        let Runs { open, shut } = self.samples.runs();
        let run =
            shut.iter().rposition(|run| (run.place, run.end) == (place, now)).and_then(|at| shut.drain(at..).next());
        open.push(run.unwrap_or_else(|| Run::new(place)));
    }

    /// What a local was at this point of the iteration that is being undone, and the number of that, if it was sampled.
    #[doc(hidden)]
    pub fn recall_sample<T: Recordable>(&self, point: usize, _: &T) -> Option<(usize, T)> {
        let run = self.samples.0.as_ref()?.open.last()?;
        let turn = run.turns.checked_sub(1)?;
        let sample = run.samples.iter().rev().find(|sample| (sample.turn, sample.point) == (turn, point))?;
        Some((turn, Record::new().decode(&sample.value)))
    }

    /// An iteration has been undone.
    #[doc(hidden)]
    pub fn undo_turn(&mut self) {
        if let Some(run) = self.samples.last() {
            run.turns = run.turns.saturating_sub(1);
            while run.samples.last().is_some_and(|sample| sample.turn >= run.turns) {
                run.samples.pop();
            }
        }
    }

    /// The loop has been undone.
    #[doc(hidden)]
    pub fn drop_samples(&mut self) {
        self.samples.runs().open.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = ("", 1, 1);

    /// The iterations of a loop that are compared, the last first.
    fn compared(iterations: usize) -> Vec<usize> {
        let mut record = Record::new();
        record.open_samples(PLACE);
        for i in 0..iterations {
            record.begin_turn();
            record.keep_sample(3, &i);
            // A loop that nothing undoes.
            record.open_samples(("", 2, 1));
            record.shut_samples();
        }
        record.shut_samples();
        record.reopen_samples(PLACE);
        let mut found = Vec::new();
        for i in (0..iterations).rev() {
            assert_eq!(record.recall_sample(4, &i), None);
            found.extend(record.recall_sample(3, &i).map(|sample| {
                assert_eq!(sample, (i, i));
                i
            }));
            record.undo_turn();
        }
        record.drop_samples();
        assert_eq!((record.samples.loops().open, record.bytes()), (0, 0));
        found
    }

    #[test]
    fn at_most_eight_iterations_are_sampled_from_the_first_to_the_last() {
        assert!(compared(0).is_empty());
        assert_eq!(compared(3), [2, 1, 0]);
        assert_eq!(compared(9), [8, 6, 4, 2, 0]);
        for n in 1..300 {
            let all = compared(n);
            assert!(all.len() <= 8 && all.len() >= n.min(5) && all.last() == Some(&0), "{n}");
        }
    }

    #[test]
    fn what_is_cut_off_is_forgotten_and_what_is_protected_comes_back() {
        let mut record = Record::new();
        let run = |record: &mut Record, value: i32| {
            record.open_samples(PLACE);
            record.begin_turn();
            record.keep_sample(0, &value);
            record.shut_samples();
        };
        run(&mut record, 1);
        let mark = record.mark();
        run(&mut record, 2);
        let top = record.protect(mark);
        record.reopen_samples(PLACE);
        assert_eq!(record.recall_sample(0, &0), Some((0, 2)));
        record.put_back(&top);
        assert_eq!(record.samples.loops().shut, 2);
        record.cut(&mark);
        record.reopen_samples(PLACE);
        assert_eq!(record.recall_sample(0, &0), Some((0, 1)));
    }
}
