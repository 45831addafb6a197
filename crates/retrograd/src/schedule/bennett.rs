//! Bennett's trade of time for space, on a machine that cannot erase.

use super::{Action, Counts, Error, Schedule, Storage};

/// Bennett's schedule: a state is not erased, but uncomputed, by running again what computed it.
///
/// A run is cut into k parts. All are run; then all but the last are run again, each to clear the state it made. Parts are cut
/// in the same way. For n = kᵐ this takes (2k − 1)ᵐ steps and leaves only the last state; there are never more than m(k − 1) + 2 states. The way back takes
/// as many, and carries the adjoint through each step once. Any other n is cut as evenly as can be.
///
/// ```
/// use retrograd::schedule::{Bennett, Schedule};
///
/// let schedule = Bennett::new(256, 4)?;
/// assert_eq!((schedule.calls(), schedule.predicted().peak), (2401, 14));
/// assert_eq!(schedule.predicted().steps(), 2 * 2401);
///
/// // If the states between the parts may stay until the way back, each part is run once less.
/// assert_eq!(schedule.keeping_parts().predicted().steps(), 2 * 4 * 343);
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
///
/// On a machine that can erase, [`Revolve`](super::Revolve) is better in time and space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bennett {
    steps: usize,
    parts: usize,
    keeps_parts: bool,
}

impl Bennett {
    /// So many steps, with runs cut into so many parts.
    ///
    /// # Errors
    ///
    /// [`Error::Budget`] if there are fewer than two parts: a run would not become shorter.
    pub fn new(steps: usize, parts: usize) -> Result<Bennett, Error> {
        match parts {
            0 | 1 => Err(Error::Budget { what: "parts", needed: 2, available: parts }),
            _ => Ok(Bennett { steps, parts, keeps_parts: false }),
        }
    }

    /// The same without the last uncomputing: the states between the parts of the whole run stay for the way back.
    pub fn keeping_parts(self) -> Bennett {
        Bennett { keeps_parts: true, ..self }
    }

    /// How many steps are run on the way to the last state.
    pub fn calls(&self) -> u64 {
        let whole = self.size(self.steps);
        match self.keeps_parts {
            true => self.cut(0, self.steps).map(|(from, to)| self.size(to - from).calls).sum(),
            false => whole.calls,
        }
    }

    /// A run, cut into parts as evenly as can be.
    fn cut(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
        let (len, parts) = (to - from, self.parts.min(to - from));
        // Products in more digits: lengths may be large.
        let at = move |part: usize| from + (len as u128 * part as u128 / parts as u128) as usize;
        (0..parts).map(move |part| (at(part), at(part + 1)))
    }

    /// What it takes to go through `len` steps. Parts of one run differ by at most one in length, so this is quick.
    fn size(&self, len: usize) -> Size {
        if len <= 1 {
            return Size { calls: len as u64, computing: len, adjoint: len };
        }
        let mut known: Vec<(usize, Size)> = Vec::new();
        let mut size = Size::default();
        let last = self.parts.min(len) - 1;
        for (part, (from, to)) in self.cut(0, len).enumerate() {
            let len = to - from;
            let of_part = known.iter().find(|(known, _)| *known == len).map(|(_, size)| *size);
            let of_part = of_part.unwrap_or_else(|| {
                let size = self.size(len);
                known.push((len, size));
                size
            });
            // While a part is computed or cleared, there are the states of those before it, and that of the last one once it is made.
            let (again, end) = if part < last { (2, 1) } else { (1, 0) };
            size.calls += again * of_part.calls;
            size.computing = size.computing.max(part + end + of_part.computing);
            size.adjoint = size.adjoint.max(part + end + of_part.computing).max(part + of_part.adjoint);
        }
        size
    }
}

/// What a run takes.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    /// Steps on the way there; as many on the way back.
    calls: u64,
    /// States beside the first, the last included.
    computing: usize,
    /// The same while the adjoint is carried back.
    adjoint: usize,
}

impl Schedule for Bennett {
    fn steps(&self) -> usize {
        self.steps
    }

    fn actions(&self) -> Box<dyn Iterator<Item = Action> + '_> {
        if self.steps == 0 {
            return Box::new(std::iter::empty());
        }
        let (n, storage) = (self.steps, Storage::Memory);
        // What is done last comes first: the tasks are a stack.
        let tasks = match self.keeps_parts {
            false => vec![Task::Adjoint(0, n), Task::Compute(0, n)],
            true => {
                let back = self.cut(0, n).map(|(from, to)| Task::Adjoint(from, to));
                back.chain(self.cut(0, n).rev().map(|(from, to)| Task::Compute(from, to))).collect()
            }
        };
        let first = [Action::Save { state: 0, storage }];
        let last = [Action::Free { state: 0, storage }];
        Box::new(first.into_iter().chain(Walk { schedule: *self, tasks, pending: Vec::new() }).chain(last))
    }

    fn predicted(&self) -> Counts {
        let (n, calls) = (self.steps as u64, self.calls());
        let whole = self.size(self.steps);
        let adjoint = match self.keeps_parts {
            false => whole.adjoint.max(whole.computing),
            // The states of all parts before the one that is taken back.
            true => {
                let parts = self.cut(0, self.steps).enumerate();
                parts.map(|(part, (from, to))| part + self.size(to - from).adjoint).max().unwrap_or(0)
            }
        };
        // Of the 2·calls steps, n carry the adjoint. Each of the others computes a state or clears one; n states are cleared by
        // carrying the adjoint, and all others by uncomputing, so that computing has n more.
        let (forward, uncomputed) = (calls, calls - n);
        Counts { forward, uncomputed, adjoint: n, reversed: 0, peak: (1 + adjoint) * n.min(1) as usize }
    }
}

/// From the snapshot of the first state of a run.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// Compute the last state.
    Compute(usize, usize),
    /// Clear the last state.
    Clear(usize, usize),
    /// Carry the adjoint of the last state to the first, and clear the last state.
    Adjoint(usize, usize),
}

/// Tasks that are cut until they are single steps.
struct Walk {
    schedule: Bennett,
    tasks: Vec<Task>,
    /// The actions of the last task, in reverse.
    pending: Vec<Action>,
}

impl Iterator for Walk {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        let storage = Storage::Memory;
        loop {
            if let Some(action) = self.pending.pop() {
                return Some(action);
            }
            let task = self.tasks.pop()?;
            let (Task::Compute(from, to) | Task::Clear(from, to) | Task::Adjoint(from, to)) = task;
            if to - from > 1 {
                self.cut(task, from, to);
                continue;
            }
            match task {
                Task::Compute(..) => {
                    let save = Action::Save { state: to, storage };
                    self.pending.extend([save, Action::Forward { from, to }]);
                }
                Task::Clear(..) => self.pending.push(Action::Uncompute { step: from }),
                Task::Adjoint(..) => {
                    let free = Action::Free { state: to, storage };
                    self.pending.extend([free, Action::Adjoint { step: from }]);
                }
            }
            return Some(Action::Restore { state: from, storage });
        }
    }
}

impl Walk {
    /// Puts the parts of a task on the stack.
    fn cut(&mut self, task: Task, from: usize, to: usize) {
        let parts: Vec<_> = self.schedule.cut(from, to).collect();
        let (_, before) = parts.split_last().expect("a run of several steps has parts");
        let (compute, clear) = (|&(from, to): &_| Task::Compute(from, to), |&(from, to): &_| Task::Clear(from, to));
        match task {
            // All parts, then all but the last backwards.
            Task::Compute(..) => {
                self.tasks.extend(before.iter().map(clear));
                self.tasks.extend(parts.iter().rev().map(compute));
            }
            // The states before the last part again, then all parts backwards.
            Task::Clear(..) => {
                self.tasks.extend(parts.iter().map(clear));
                self.tasks.extend(before.iter().rev().map(compute));
            }
            Task::Adjoint(..) => {
                self.tasks.extend(parts.iter().map(|&(from, to)| Task::Adjoint(from, to)));
                self.tasks.extend(before.iter().rev().map(compute));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_take_what_bennett_says() {
        for (k, m) in
            (2..=7).flat_map(|k| (0..=6).map(move |m| (k, m))).filter(|&(k, m): &(usize, u32)| k.pow(m) <= 1000)
        {
            let schedule = Bennett::new(k.pow(m), k).unwrap();
            assert_eq!(schedule.calls(), (2 * k as u64 - 1).pow(m), "{k}^{m} steps");
            assert_eq!(schedule.predicted().peak, m as usize * (k - 1) + 2, "{k}^{m} steps");
        }
    }

    #[test]
    fn predictions_are_what_the_actions_add_up_to() {
        for (n, k) in (0..=60).flat_map(|n| (2..=12).map(move |k| (n, k))) {
            let schedule = Bennett::new(n, k).unwrap();
            for schedule in [schedule, schedule.keeping_parts()] {
                assert_eq!(Counts::of(schedule.actions()), schedule.predicted(), "{schedule:?}");
            }
        }
    }
}
