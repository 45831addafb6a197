//! Snapshots on disk.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use super::SnapshotStore;
use crate::schedule::{Error, Storage};
use crate::{Record, Recordable};

/// The file in a folder of snapshots that its owner has locked.
const OWNER: &str = "owner";
/// How folders of snapshots begin.
const PREFIX: &str = "retrograd-snapshots-";

/// Snapshots on disk, wherever a schedule wants them: one file for each, in a folder of their own.
///
/// A snapshot is written beside its file and then renamed, so that there is never half of one, and it is read with a checksum. The folder
/// belongs to one value of this type, and is removed with it, also by a panic. What a process leaves behind that was killed is
/// never read, and is removed by the next one that uses the same folder.
///
/// ```
/// use retrograd::schedule::{Disk, SnapshotStore, Storage};
///
/// let mut disk = Disk::new(std::env::temp_dir(), 1 << 20)?;
/// disk.save(7, Storage::Disk, &vec![1.5, -0.0])?;
/// let mut state: Vec<f64> = Vec::new();
/// disk.restore(7, Storage::Disk, &mut state)?;
/// assert_eq!(state, [1.5, 0.0]);
/// assert!(state[1].is_sign_negative());
/// # Ok::<(), retrograd::schedule::Error>(())
/// ```
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    /// Locked while the folder is in use.
    _owner: File,
    /// How many bytes each snapshot takes.
    sizes: BTreeMap<usize, usize>,
    used: usize,
    most: usize,
    /// Used again for every snapshot.
    record: Record,
}

impl Disk {
    /// A place for snapshots of so many bytes, in a new folder inside of this one.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the folder is missing, or cannot be written to.
    pub fn new(inside: impl AsRef<Path>, bytes: usize) -> Result<Disk, Error> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let inside = inside.as_ref();
        remove_abandoned(inside)?;
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let folder = inside.join(format!("{PREFIX}{}-{number}", process::id()));
            match fs::create_dir(&folder) {
                Ok(()) => {}
                // Another process of the same number has left it, in another container perhaps.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(Error::at(folder)(error)),
            }
            let owner = folder.join(OWNER);
            // Until the folder is locked, another process may take it for one that nobody uses.
            if let Some(_owner) = lock(&owner).map_err(Error::at(owner))? {
                let (sizes, record) = (BTreeMap::new(), Record::new());
                return Ok(Disk { folder, _owner, sizes, used: 0, most: bytes, record });
            }
        }
    }

    /// How many bytes are on disk.
    pub fn bytes(&self) -> usize {
        self.used
    }

    fn path(&self, state: usize) -> PathBuf {
        self.folder.join(format!("{state}.state"))
    }

    fn budget(&self, needed: usize) -> Result<(), Error> {
        match needed <= self.most {
            true => Ok(()),
            false => Err(Error::Budget { what: "bytes on disk", needed, available: self.most }),
        }
    }
}

/// A new file, locked; nothing if its folder has been removed in the meantime.
fn lock(path: &Path) -> io::Result<Option<File>> {
    match File::create_new(path).and_then(|file| file.lock().map(|()| file)) {
        Ok(file) => Ok(path.exists().then_some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Removes the folders of processes that are gone: nobody holds their locks.
fn remove_abandoned(inside: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(inside).map_err(Error::at(inside))? {
        let entry = entry.map_err(Error::at(inside))?;
        if !entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)) {
            continue;
        }
        // Two may find the same folder at once; then one of them comes too late, which is as good.
        match File::open(entry.path().join(OWNER)) {
            // The lock is held until the folder is gone: who is about to take it finds that out.
            Ok(owner) if owner.try_lock().is_ok() => drop(fs::remove_dir_all(entry.path())),
            Ok(_) => {}
            // Its process had no time for a lock, and so there is nothing in it.
            Err(_) => drop(fs::remove_dir(entry.path())),
        }
    }
    Ok(())
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Nobody could be told; the next process removes what stays.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn checksum(bytes: &[u8]) -> [u8; 8] {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish().to_le_bytes()
}

impl<S: Recordable> SnapshotStore<S> for Disk {
    fn reserve(&mut self, like: &S, snapshots: usize) -> Result<(), Error> {
        let each = 8 + self.record.encode(like).len();
        self.budget(each.saturating_mul(snapshots))
    }

    fn save(&mut self, state: usize, _storage: Storage, value: &S) -> Result<(), Error> {
        let bytes = self.record.encode(value);
        let (size, before) = (8 + bytes.len(), self.sizes.get(&state).copied().unwrap_or(0));
        self.budget(self.used - before + size)?;
        let (path, draft) = (self.path(state), self.folder.join("draft"));
        let written = File::create(&draft)
            .and_then(|mut file| file.write_all(&checksum(&bytes)).and_then(|()| file.write_all(&bytes)))
            .and_then(|()| fs::rename(&draft, &path));
        if let Err(error) = written {
            let _ = fs::remove_file(&draft);
            return Err(Error::at(path)(error));
        }
        self.used = self.used - before + size;
        self.sizes.insert(state, size);
        Ok(())
    }

    fn restore(&mut self, state: usize, _storage: Storage, into: &mut S) -> Result<(), Error> {
        if !self.sizes.contains_key(&state) {
            return Err(Error::NoSnapshot { state });
        }
        let path = self.path(state);
        let bytes = fs::read(&path).map_err(Error::at(&path))?;
        match bytes.split_first_chunk() {
            Some((sum, bytes)) if *sum == checksum(bytes) => *into = self.record.decode(bytes),
            _ => return Err(Error::Damaged { state, path }),
        }
        Ok(())
    }

    fn free(&mut self, state: usize, _storage: Storage) -> Result<(), Error> {
        let size = self.sizes.remove(&state).ok_or(Error::NoSnapshot { state })?;
        self.used -= size;
        let path = self.path(state);
        fs::remove_file(&path).map_err(Error::at(path))
    }
}
