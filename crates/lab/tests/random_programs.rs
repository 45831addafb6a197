//! The two inverse laws, `uncall(call(s)) == s` and `call(uncall(s)) == s`, for random programs on random states: bit by
//! bit for integers and for programs that only move floats, within rounding for the others.

/// The arguments of every program.
#[derive(Clone, Debug)]
struct State {
    x: [f64; 6],
    y: [f64; 6],
    u: [i64; 6],
    s: f64,
    k: i64,
    b: bool,
    p: [f64; 6],
    m: [i64; 6],
    n: usize,
    c: f64,
    /// The host's counter, which no law binds.
    h: u64,
}

/// A run of a program, forwards or backwards.
type Run = fn(&mut State);

/// A program of the table that `build.rs` writes.
struct Program {
    name: &'static str,
    /// Whether floats come back bit by bit.
    exact: bool,
    source: &'static str,
    call: Run,
    uncall: Run,
}

// Random text is not tidy: it has unused names, and conditions that are always true.
#[allow(warnings, clippy::all)]
mod programs {
    use super::{Program, State};

    include!(concat!(env!("OUT_DIR"), "/random_programs.rs"));

    pub(super) const ALL: &[Program] = PROGRAMS;
}

/// How far a float may be from where it was, relative to its size and to 1.
const TOLERANCE: f64 = 1e-9;

/// How many states each program is run on.
const INPUTS: u64 = 8;

/// Splitmix64.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between -2 and 2.
    fn float(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 51) as f64 - 2.0
    }

    /// From -20 to 20.
    fn int(&mut self) -> i64 {
        (self.bits() % 41) as i64 - 20
    }

    fn state(&mut self) -> State {
        State {
            x: std::array::from_fn(|_| self.float()),
            y: std::array::from_fn(|_| self.float()),
            u: std::array::from_fn(|_| self.int()),
            s: self.float(),
            k: self.int(),
            b: self.bits().is_multiple_of(2),
            p: std::array::from_fn(|_| self.float()),
            m: std::array::from_fn(|_| self.int()),
            n: (self.bits() % 7) as usize,
            c: self.float(),
            h: 0,
        }
    }
}

/// The floats of a state, by name.
fn floats(state: &State) -> Vec<(String, f64)> {
    let slices = [("x", state.x), ("y", state.y), ("p", state.p)];
    let elements = slices.into_iter().flat_map(|(name, slice)| (0..6).map(move |i| (format!("{name}[{i}]"), slice[i])));
    elements.chain([("s".into(), state.s), ("c".into(), state.c)]).collect()
}

/// The integers and truth values of a state, by name.
fn integers(state: &State) -> Vec<(String, i64)> {
    let slices = [("u", state.u), ("m", state.m)];
    let elements = slices.into_iter().flat_map(|(name, slice)| (0..6).map(move |i| (format!("{name}[{i}]"), slice[i])));
    elements.chain([("k".into(), state.k), ("b".into(), state.b.into())]).collect()
}

/// The first component in which two states differ, in words.
fn difference(before: &State, after: &State, exact: bool) -> Option<String> {
    let is_back = |old: f64, new: f64| match exact {
        true => old.to_bits() == new.to_bits(),
        false => (old - new).abs() <= TOLERANCE * (1.0 + old.abs()),
    };
    let integer = (integers(before).into_iter().zip(integers(after)))
        .find(|((_, old), (_, new))| old != new)
        .map(|((name, old), (_, new))| format!("`{name}` was {old} and became {new}"));
    let float = (floats(before).into_iter().zip(floats(after)))
        .find(|((_, old), (_, new))| !is_back(*old, *new))
        .map(|((name, old), (_, new))| format!("`{name}` was {old:?} and became {new:?}"));
    integer.or(float)
}

/// What a panic that is no failed check says, such as an index out of range.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let owned = panic.downcast_ref::<String>().cloned();
    owned.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default()
}

/// Runs `there` and `back` from random states; the first failure in words.
fn failure(exact: bool, there: Run, back: Run) -> Option<String> {
    (0..INPUTS).find_map(|seed| {
        let before = Random(seed).state();
        let round_trip = || {
            let mut state = before.clone();
            there(&mut state);
            back(&mut state);
            state
        };
        let problem = match std::panic::catch_unwind(|| retrograd::attempt(round_trip)) {
            Ok(Ok(after)) => difference(&before, &after, exact)?,
            Ok(Err(error)) => error.to_string(),
            Err(panic) => format!("a panic, {}", words(&*panic)),
        };
        Some(format!("input {seed}: {problem}"))
    })
}

/// Tests a law for all programs: a list of those that break it, then the source of the first.
fn check(law: &str, in_order: fn(&Program) -> (Run, Run)) {
    let broken: Vec<(&Program, String)> = (programs::ALL.iter())
        .filter_map(|program| {
            let (there, back) = in_order(program);
            Some((program, failure(program.exact, there, back)?))
        })
        .collect();
    let list: String = broken.iter().map(|(program, problem)| format!("{}, {problem}\n", program.name)).collect();
    if let Some((first, _)) = broken.first() {
        panic!("{law} fails for {} programs:\n{list}\n{}", broken.len(), first.source);
    }
}

#[test]
fn uncalling_undoes_a_call() {
    check("uncall(call(s)) == s", |program| (program.call, program.uncall));
}

#[test]
fn calling_undoes_an_uncall() {
    check("call(uncall(s)) == s", |program| (program.uncall, program.call));
}

#[test]
fn every_program_does_something() {
    let is_idle = |program: &&Program| {
        (0..INPUTS).all(|seed| {
            let before = Random(seed).state();
            let mut after = before.clone();
            (program.call)(&mut after);
            difference(&before, &after, true).is_none()
        })
    };
    let idle: Vec<&str> = programs::ALL.iter().filter(is_idle).map(|program| program.name).collect();
    assert!(idle.len() <= programs::ALL.len() / 50, "these programs change nothing: {idle:?}");
}
