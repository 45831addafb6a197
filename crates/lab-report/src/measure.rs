//! How long something takes: in turns with its competitors, many times, so that what disturbs one disturbs all.

use std::fmt;
use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;

/// One computation that can be measured, and whose result can be looked at.
pub trait Run {
    /// Computes `times` times.
    fn repeat(&mut self, times: u64);
    /// Computes once, and returns the numbers that it found.
    fn result(&mut self) -> Vec<f64>;
}

/// A computation with a name.
pub struct Contestant<'a> {
    /// The name.
    pub name: &'static str,
    /// The computation.
    pub run: Box<dyn Run + 'a>,
}

struct Computation<S, C, R> {
    state: S,
    compute: C,
    read: R,
}

impl<S, C: FnMut(&mut S), R: Fn(&S) -> Vec<f64>> Run for Computation<S, C, R> {
    fn repeat(&mut self, times: u64) {
        for _ in 0..times {
            (self.compute)(black_box(&mut self.state));
            black_box(&self.state);
        }
    }

    fn result(&mut self) -> Vec<f64> {
        self.repeat(1);
        (self.read)(&self.state)
    }
}

impl<'a> Contestant<'a> {
    /// A computation that works on a state of its own, and how to read its result from there.
    pub fn new<S: 'a>(
        name: &'static str,
        state: S,
        compute: impl FnMut(&mut S) + 'a,
        read: impl Fn(&S) -> Vec<f64> + 'a,
    ) -> Contestant<'a> {
        Contestant { name, run: Box::new(Computation { state, compute, read }) }
    }

    /// The same under another name.
    pub fn called(self, name: &'static str) -> Contestant<'a> {
        Contestant { name, ..self }
    }
}

/// Seconds for one computation, in each round.
#[derive(Clone, Debug)]
pub struct Timing(Vec<f64>);

impl Timing {
    /// The fastest of all rounds.
    pub fn minimum(&self) -> f64 {
        self.0.iter().fold(f64::INFINITY, |minimum, &time| minimum.min(time))
    }

    /// The one in the middle.
    pub fn median(&self) -> f64 {
        median(self.0.clone())
    }

    /// How many times as long as another one: the ratio in the middle of the quieter half of rounds. In a round, both ran
    /// right after one another, so that a machine that is slow for a while is slow for both.
    pub fn ratio(&self, other: &Timing) -> f64 {
        let slowness = |(a, b): &(&f64, &f64)| **a / self.minimum() + **b / other.minimum();
        let mut rounds: Vec<(&f64, &f64)> = self.0.iter().zip(&other.0).collect();
        rounds.sort_by(|x, y| slowness(x).total_cmp(&slowness(y)));
        rounds.truncate(rounds.len().div_ceil(2));
        median(rounds.into_iter().map(|(a, b)| a / b).collect())
    }

    /// The time for one of so many equal parts.
    pub fn part(&self, parts: usize) -> Timing {
        Timing(self.0.iter().map(|time| time / parts as f64).collect())
    }
}

/// The number in the middle.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// How much time to take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How long a single measurement should be at least.
    pub batch: Duration,
    /// How many measurements of each contestant.
    pub rounds: usize,
    /// After how long a contestant is not measured again.
    pub limit: Duration,
}

impl Effort {
    /// Enough for numbers that come out the same again.
    pub const FULL: Effort = Effort { batch: Duration::from_millis(2), rounds: 60, limit: Duration::from_millis(1500) };
    /// Enough to see that everything runs.
    pub const QUICK: Effort = Effort { batch: Duration::from_micros(1), rounds: 1, limit: Duration::ZERO };
}

/// Measures all contestants in turns. Finding out how many computations make a measurement warms them up.
///
/// ```
/// use lab_report::measure::{Contestant, Effort, measure};
///
/// let sum = |name, n: u64| Contestant::new(name, 0, move |sum| *sum = (0..n).map(|i| i ^ *sum).sum(), |_: &u64| Vec::new());
/// let timings = measure(&mut [sum("few", 10), sum("many", 10_000)], Effort::QUICK);
/// assert!(timings[1].minimum() > 0.0 && timings[1].minimum() <= timings[1].median());
/// ```
pub fn measure(contestants: &mut [Contestant], effort: Effort) -> Vec<Timing> {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); contestants.len()];
    let batches: Vec<u64> =
        contestants.iter_mut().map(|contestant| batch(&mut *contestant.run, effort.batch)).collect();
    for _ in 0..effort.rounds {
        for ((contestant, &batch), times) in contestants.iter_mut().zip(&batches).zip(&mut times) {
            let spent: f64 = times.iter().sum();
            if times.is_empty() || spent < effort.limit.as_secs_f64() {
                times.push(seconds(&mut *contestant.run, batch));
            }
        }
    }
    let timing = |(times, batch): (Vec<f64>, u64)| Timing(times.iter().map(|time| time / batch as f64).collect());
    times.into_iter().zip(batches).map(timing).collect()
}

/// What something finds that takes too long to be repeated, and how many seconds it keeps the processor busy.
///
/// ```
/// use lab_report::measure::once;
///
/// let (sum, seconds) = once(|| (0..1000_u64).sum::<u64>());
/// assert!(sum == 499_500 && seconds >= 0.0);
/// ```
pub fn once<R>(run: impl FnOnce() -> R) -> (R, f64) {
    let start = ThreadTime::now();
    let found = run();
    (found, start.elapsed().as_secs_f64())
}

/// How many computations take as long as a measurement should.
fn batch(run: &mut dyn Run, at_least: Duration) -> u64 {
    let mut times = 1;
    loop {
        let taken = seconds(run, times);
        if taken >= at_least.as_secs_f64() {
            return times;
        }
        let missing = at_least.as_secs_f64() / taken.max(1e-9);
        times = (times as f64 * missing.clamp(1.2, 100.0)).ceil() as u64;
    }
}

/// How long so many computations keep the processor busy: what others do on it in between does not count.
fn seconds(run: &mut dyn Run, times: u64) -> f64 {
    let start = ThreadTime::now();
    run.repeat(times);
    start.elapsed().as_secs_f64()
}

/// The larger of two differences, or the one that is not a number.
///
/// ```
/// use lab_report::measure::worse;
///
/// assert_eq!([0.5, 2.0, 1.0].into_iter().fold(0.0, worse), 2.0);
/// assert!([0.5, f64::NAN, 1.0].into_iter().fold(0.0, worse).is_nan());
/// ```
pub fn worse(one: f64, other: f64) -> f64 {
    if one.is_nan() || other <= one { one } else { other }
}

/// The largest number, whatever its sign, or a tiny one.
pub fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(f64::MIN_POSITIVE, |largest, x| largest.max(x.abs()))
}

/// The largest difference between numbers at the same places.
///
/// # Panics
///
/// If there are not as many on both sides.
#[track_caller]
pub fn difference(one: &[f64], other: &[f64]) -> f64 {
    assert_eq!(one.len(), other.len(), "both should find as many numbers");
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, worse)
}

/// Contestants that compute the same, or should.
#[derive(Default)]
pub struct Race<'a>(Vec<Contestant<'a>>);

impl<'a> Race<'a> {
    /// A race without contestants.
    pub fn new() -> Race<'a> {
        Race::default()
    }

    /// Adds a contestant: a computation on a state of its own, and how to read its result from there.
    pub fn with<S: 'a>(
        mut self,
        name: &'static str,
        state: S,
        compute: impl FnMut(&mut S) + 'a,
        read: impl Fn(&S) -> Vec<f64> + 'a,
    ) -> Race<'a> {
        self.0.push(Contestant::new(name, state, compute, read));
        self
    }

    /// Adds all of these.
    pub fn join(mut self, contestants: impl IntoIterator<Item = Contestant<'a>>) -> Race<'a> {
        self.0.extend(contestants);
        self
    }

    /// Lets all compute once, to look at what they find, and then in turns.
    ///
    /// ```
    /// use lab_report::measure::{Effort, Race};
    ///
    /// let sum = |n: u64| move |sum: &mut u64| *sum = (0..n).sum();
    /// let read = |sum: &u64| vec![*sum as f64];
    /// let results = Race::new().with("few", 0, sum(10), read).with("many", 0, sum(100), read).run(Effort::QUICK);
    /// assert_eq!((results.found("few"), results.found("many")), (&[45.0][..], &[4950.0][..]));
    /// ```
    pub fn run(mut self, effort: Effort) -> Results {
        let found: Vec<Vec<f64>> = self.0.iter_mut().map(|contestant| contestant.run.result()).collect();
        let timings = measure(&mut self.0, effort);
        let names = self.0.iter().map(|contestant| contestant.name);
        Results(names.zip(timings).zip(found).map(|((name, timing), found)| (name, timing, found)).collect())
    }
}

/// What came out of a [`Race`].
#[derive(Clone, Debug)]
pub struct Results(Vec<(&'static str, Timing, Vec<f64>)>);

impl Results {
    #[track_caller]
    fn of(&self, name: &str) -> &(&'static str, Timing, Vec<f64>) {
        self.0.iter().find(|result| result.0 == name).unwrap_or_else(|| panic!("`{name}` took no part"))
    }

    /// The times of a contestant.
    ///
    /// # Panics
    ///
    /// If it took no part.
    #[track_caller]
    pub fn timing(&self, name: &str) -> &Timing {
        &self.of(name).1
    }

    /// What a contestant found.
    ///
    /// # Panics
    ///
    /// If it took no part.
    #[track_caller]
    pub fn found(&self, name: &str) -> &[f64] {
        &self.of(name).2
    }

    /// The largest difference between what two contestants found, relative to the largest number that the first one has.
    ///
    /// # Panics
    ///
    /// If one of them took no part, or they found different numbers of numbers.
    #[track_caller]
    pub fn difference(&self, name: &str, other: &str) -> f64 {
        let (one, other) = (self.found(name), self.found(other));
        difference(one, other) / largest(one)
    }

    /// All contestants with their times, in order.
    pub fn timings(&self) -> impl Iterator<Item = (&'static str, &Timing)> {
        self.0.iter().map(|(name, timing, _)| (*name, timing))
    }
}

/// A time with three digits and a fitting unit.
///
/// ```
/// use lab_report::measure::Time;
///
/// assert_eq!([Time(1.234e-8), Time(0.5), Time(120.0)].map(|time| time.to_string()), ["12.3 ns", "500 ms", "120 s"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time(pub f64);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (number, unit) = match self.0 {
            time if time < 1e-6 => (time * 1e9, "ns"),
            time if time < 1e-3 => (time * 1e6, "us"),
            time if time < 1.0 => (time * 1e3, "ms"),
            time => (time, "s"),
        };
        let digits = if number < 10.0 {
            2
        } else if number < 100.0 {
            1
        } else {
            0
        };
        f.pad(&format!("{number:.digits$} {unit}"))
    }
}
