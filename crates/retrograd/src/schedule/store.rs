//! Where snapshots are kept.

mod disk;

use std::collections::BTreeMap;

pub use disk::Disk;

use super::{Error, Storage};

/// Snapshots of states, by their number.
pub trait SnapshotStore<S> {
    /// Looks whether so many snapshots of states like this one fit, before anything is run.
    ///
    /// # Errors
    ///
    /// [`Error::Budget`] if they do not.
    fn reserve(&mut self, like: &S, snapshots: usize) -> Result<(), Error>;

    /// Keeps a copy of a state.
    ///
    /// # Errors
    ///
    /// If there is no room for it. Other snapshots stay as they are.
    fn save(&mut self, state: usize, storage: Storage, value: &S) -> Result<(), Error>;

    /// Copies a snapshot, which stays.
    ///
    /// # Errors
    ///
    /// If it is not there, or not what was written.
    fn restore(&mut self, state: usize, storage: Storage, into: &mut S) -> Result<(), Error>;

    /// Forgets a snapshot.
    ///
    /// # Errors
    ///
    /// If it is not there.
    fn free(&mut self, state: usize, storage: Storage) -> Result<(), Error>;
}

/// Snapshots in memory, wherever a schedule wants them.
///
/// ```
/// use retrograd::schedule::{Memory, SnapshotStore, Storage};
///
/// let mut memory = Memory::limited(1);
/// memory.save(0, Storage::Memory, &vec![1.0, 2.0])?;
/// assert!(memory.save(1, Storage::Memory, &vec![3.0, 4.0]).is_err());
/// let mut state = Vec::new();
/// memory.restore(0, Storage::Memory, &mut state)?;
/// assert_eq!(state, [1.0, 2.0]);
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Memory<S> {
    kept: BTreeMap<usize, S>,
    /// What was freed, whose memory is used again.
    spare: Vec<S>,
    most: usize,
}

impl<S> Memory<S> {
    /// As many as a schedule wants.
    pub fn new() -> Memory<S> {
        Memory::limited(usize::MAX)
    }

    /// So many at most.
    pub fn limited(snapshots: usize) -> Memory<S> {
        Memory { kept: BTreeMap::new(), spare: Vec::new(), most: snapshots }
    }

    fn budget(&self, needed: usize) -> Result<(), Error> {
        match needed <= self.most {
            true => Ok(()),
            false => Err(Error::Budget { what: "snapshots", needed, available: self.most }),
        }
    }
}

impl<S> Default for Memory<S> {
    fn default() -> Memory<S> {
        Memory::new()
    }
}

impl<S: Clone> SnapshotStore<S> for Memory<S> {
    fn reserve(&mut self, _like: &S, snapshots: usize) -> Result<(), Error> {
        self.budget(snapshots)
    }

    fn save(&mut self, state: usize, _storage: Storage, value: &S) -> Result<(), Error> {
        self.budget(self.kept.len() + usize::from(!self.kept.contains_key(&state)))?;
        let copy = match self.spare.pop() {
            Some(mut spare) => {
                spare.clone_from(value);
                spare
            }
            None => value.clone(),
        };
        self.spare.extend(self.kept.insert(state, copy));
        Ok(())
    }

    fn restore(&mut self, state: usize, _storage: Storage, into: &mut S) -> Result<(), Error> {
        let kept = self.kept.get(&state).ok_or(Error::NoSnapshot { state })?;
        into.clone_from(kept);
        Ok(())
    }

    fn free(&mut self, state: usize, _storage: Storage) -> Result<(), Error> {
        let kept = self.kept.remove(&state).ok_or(Error::NoSnapshot { state })?;
        self.spare.push(kept);
        Ok(())
    }
}

/// Snapshots in memory or on disk, as a schedule says: for [`Multistage`](super::Multistage).
#[derive(Debug)]
pub struct Staged<S> {
    memory: Memory<S>,
    disk: Disk,
}

impl<S> Staged<S> {
    /// With both places.
    pub fn new(memory: Memory<S>, disk: Disk) -> Staged<S> {
        Staged { memory, disk }
    }
}

impl<S: Clone> SnapshotStore<S> for Staged<S>
where
    Disk: SnapshotStore<S>,
{
    fn reserve(&mut self, like: &S, snapshots: usize) -> Result<(), Error> {
        self.disk.reserve(like, snapshots.saturating_sub(self.memory.most))
    }

    fn save(&mut self, state: usize, storage: Storage, value: &S) -> Result<(), Error> {
        match storage {
            Storage::Memory => self.memory.save(state, storage, value),
            Storage::Disk => self.disk.save(state, storage, value),
        }
    }

    fn restore(&mut self, state: usize, storage: Storage, into: &mut S) -> Result<(), Error> {
        match storage {
            Storage::Memory => self.memory.restore(state, storage, into),
            Storage::Disk => self.disk.restore(state, storage, into),
        }
    }

    fn free(&mut self, state: usize, storage: Storage) -> Result<(), Error> {
        match storage {
            Storage::Memory => self.memory.free(state, storage),
            Storage::Disk => SnapshotStore::<S>::free(&mut self.disk, state, storage),
        }
    }
}
