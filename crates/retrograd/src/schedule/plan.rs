//! The schedule of a loop that is marked `#[checkpoint]`, as generated code asks for it.

use std::cell::{Cell, RefCell};
use std::iter::{Skip, Take};

use super::online::Back;
use super::revolve::Sweep;
use super::{Action, Online};
use crate::error::ErrorKind;
use crate::record::{InPlace, Mark, Record};
use crate::site::Site;

/// What is to be done next with a loop.
///
/// On the way there, the last iteration fills the record; the way back begins with undoing it. Of a loop that ends when it likes, this is so if there
/// are few iterations.
#[derive(Debug)]
pub struct Plan {
    way: RefCell<Way>,
    now: Cell<Option<Action>>,
    /// Whether the iteration that is undone has to be run before.
    repeats: Cell<bool>,
    /// How many iterations of the current part are left, of a loop that asks before each.
    left: Cell<usize>,
}

/// Which way, and what is left of it.
#[derive(Debug)]
enum Way {
    /// The way there. Nothing, if there are no iterations.
    There(Option<Sweep>),
    /// The way there of a loop that may end before any iteration.
    Search(Search),
    /// The way back, and the iteration that it begins with, if that one fills the record already.
    Back(Option<Action>, Back),
}

/// The way there of a loop that may end before any iteration.
#[derive(Debug)]
struct Search {
    online: Online,
    /// How many iterations there are at most.
    most: usize,
    /// How many are run.
    at: usize,
    /// Whether it is known that there are no more.
    ended: bool,
    /// How much was in the record in front of each state.
    states: Vec<Mark>,
    /// How much was in it in front of what the last iteration has kept.
    filled: Option<Mark>,
}

/// As many iterations at the start of a search fill the record, each until another one follows. Behind them, running the last one again
/// costs less than filling the record for each.
const FILLED: usize = 4;

impl Plan {
    fn new(way: Way) -> Plan {
        Plan { way: way.into(), now: None.into(), repeats: true.into(), left: 0.into() }
    }

    /// The way there.
    pub fn there(count: usize, snapshots: usize, site: &Site) -> Plan {
        at_least_one(snapshots, site);
        Plan::new(Way::There((count > 0).then(|| Sweep::new(0, count, snapshots))))
    }

    /// The way back, from where the way there has ended.
    pub fn back(count: usize, snapshots: usize) -> Plan {
        let mut sweep = (count > 0).then(|| Sweep::new(0, count, snapshots));
        let first = sweep.iter_mut().flatten().find(|action| matches!(action, Action::Adjoint { .. }));
        Plan::new(Way::Back(first, Back::of(sweep)))
    }

    /// The way there of a loop with so many iterations at most, which may end before any of them.
    pub fn search(snapshots: usize, most: usize, site: &Site) -> Plan {
        at_least_one(snapshots, site);
        let online = Online::new(snapshots).expect("there is a snapshot");
        Plan::new(Way::Search(Search { online, most, at: 0, ended: false, states: Vec::new(), filled: None }))
    }

    /// The way back of such a loop, which has turned out to have so many iterations.
    pub fn found(count: usize, snapshots: usize) -> Plan {
        let mut online = Online::new(snapshots).expect("there was a snapshot on the way there");
        while online.due() < count {
            online.pass_to(online.due());
            // What there is to do with the states was done on the way there.
            online.before_step().for_each(drop);
        }
        let filled = (1..=FILLED).contains(&count);
        let first = filled.then(|| Action::Adjoint { step: count - 1 });
        Plan::new(Way::Back(first, online.back_from(count - usize::from(filled))))
    }

    /// Goes on to the next action, if there is one.
    pub fn next(&self) -> bool {
        let action = match &mut *self.way.borrow_mut() {
            Way::There(_) if matches!(self.now.get(), Some(Action::Adjoint { .. })) => return false,
            Way::There(sweep) => sweep.as_mut().and_then(Sweep::next),
            Way::Search(_) => unreachable!("a search needs the record"),
            Way::Back(first, back) => {
                let first = first.take();
                self.repeats.set(first.is_none());
                first.or_else(|| back.next())
            }
        };
        self.now.set(action);
        action.is_some()
    }

    /// The same for a search. Of what the record holds, that is forgotten which the way back does not ask for if another iteration follows.
    pub fn seeks(&self, record: &mut Record) -> bool {
        let Way::Search(search) = &mut *self.way.borrow_mut() else { unreachable!("only a search needs the record") };
        if search.ended || search.at == search.most {
            // The first state was kept before it was known whether there is an iteration, and without one the way back does not ask for it.
            if search.at == 1
                && self.left.get() == 1
                && let Some(mark) = search.states.pop()
            {
                record.cut(&mark);
            }
            return false;
        }
        let action = search.next(record);
        self.now.set(Some(action));
        self.left.set(part_of(action).1);
        true
    }

    /// Whether another iteration of the current part follows.
    pub fn goes_on(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// There are no more iterations.
    pub fn end(&self) {
        if let Way::Search(search) = &mut *self.way.borrow_mut() {
            search.ended = true;
        }
    }

    /// Whether the current state is kept.
    pub fn saves(&self) -> bool {
        matches!(self.now.get(), Some(Action::Save { .. }))
    }

    /// Whether iterations are run and nothing is kept of them.
    pub fn runs(&self) -> bool {
        matches!(self.now.get(), Some(Action::Forward { .. }))
    }

    /// Whether the last state that was kept becomes the current one.
    pub fn restores(&self) -> bool {
        matches!(self.now.get(), Some(Action::Restore { .. }))
    }

    /// Whether the last state that was kept is forgotten.
    pub fn frees(&self) -> bool {
        matches!(self.now.get(), Some(Action::Free { .. }))
    }

    /// Whether the iteration that is undone next is run again before.
    pub fn repeats(&self) -> bool {
        self.repeats.get()
    }

    /// The iterations of a loop that run now.
    pub fn part<I: IntoIterator>(&self, all: I) -> Take<Skip<I::IntoIter>> {
        let (from, count) = self.now.get().map_or((0, 0), part_of);
        self.left.set(0);
        all.into_iter().skip(from).take(count)
    }
}

impl Search {
    /// What to do next, if another iteration follows.
    fn next(&mut self, record: &mut Record) -> Action {
        if let Some(mark) = self.filled.take() {
            record.cut(&mark);
        }
        let at = self.at;
        if self.online.due() == at {
            self.online.pass_to(at);
            let freed = self.online.before_step().filter(|action| matches!(action, Action::Free { .. })).count();
            if let Some(mark) = self.states.drain(self.states.len() - freed..).next() {
                record.cut(&mark);
            }
            self.states.push(record.mark());
            return Action::Save { state: at, storage: super::Storage::Memory };
        }
        if at < FILLED {
            self.filled = Some(record.mark());
            self.at = at + 1;
            return Action::Adjoint { step: at };
        }
        self.at = self.online.due().min(self.most);
        Action::Forward { from: at, to: self.at }
    }
}

/// Where the iterations begin that run now, and how many these are.
fn part_of(action: Action) -> (usize, usize) {
    match action {
        Action::Forward { from, to } => (from, to - from),
        Action::Adjoint { step } => (step, 1),
        _ => (0, 0),
    }
}

fn at_least_one(snapshots: usize, site: &Site) {
    if snapshots == 0 {
        site.fail(ErrorKind::Budget, "snapshots", "at least 1", "0");
    }
}

/// How many bytes a place takes in a record.
pub fn kept_bytes<T: InPlace + ?Sized>(place: &T) -> usize {
    let mut record = Record::new();
    place.keep_place(&mut record);
    record.bytes()
}

/// How many states fit into so many bytes, each of places with these sizes.
pub fn snapshots_within<const N: usize>(bytes: usize, places: [usize; N]) -> usize {
    match places.iter().sum() {
        // A state without any values costs nothing. Twice as many still have a number.
        0 => usize::MAX / 2,
        state => bytes / state,
    }
}
