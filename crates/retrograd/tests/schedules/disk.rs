//! Snapshots on disk: damage, a disk that is full, and processes that are killed.

use std::cell::Cell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use super::by;
use retrograd::schedule::{
    Disk, Error, Memory, Multistage, Revolve, SnapshotStore, Staged, Storage, adjoint, differentiable,
};

/// A folder of this test alone.
pub(super) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn snapshots_on_disk_are_those_in_memory_and_are_removed() {
    let folder = folder("disk");
    let schedule = Multistage::new(50, 2, 3).unwrap();
    let mut staged = Staged::new(Memory::limited(2), Disk::new(&folder, 1 << 16).unwrap());
    assert_eq!(by(&schedule, &mut staged), by(&schedule, &mut Memory::new()));
    drop(staged);
    assert!(is_empty(&folder));

    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let mut disk = Disk::new(&folder, 1 << 16).unwrap();
        let mut step = differentiable(|_, x: &mut f64| *x += 1.0, |i, _: &f64, _: &mut f64| assert!(i > 5));
        adjoint(&mut step, &Revolve::new(20, 4).unwrap(), 0.0, &mut disk, |_| 1.0)
    }));
    assert!(outcome.is_err() && is_empty(&folder));
}

#[test]
fn missing_folders_and_damaged_snapshots_are_errors() {
    let folder = folder("damage");
    assert!(matches!(Disk::new(folder.join("missing"), 1 << 16), Err(Error::Io { .. })));
    let mut disk = Disk::new(&folder, 1 << 16).unwrap();
    let file = || fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path().join("3.state");
    let mut state = vec![0.0];
    assert!(matches!(disk.restore(3, Storage::Disk, &mut state), Err(Error::NoSnapshot { state: 3 })));
    disk.save(3, Storage::Disk, &vec![1.0, 2.0]).unwrap();
    let whole = fs::read(file()).unwrap();
    for damaged in [&whole[..whole.len() - 1], &whole[..4], &[]] {
        fs::write(file(), damaged).unwrap();
        assert!(matches!(disk.restore(3, Storage::Disk, &mut state), Err(Error::Damaged { state: 3, .. })));
    }
    let mut flipped = whole.clone();
    flipped[12] ^= 1;
    fs::write(file(), &flipped).unwrap();
    assert!(matches!(disk.restore(3, Storage::Disk, &mut state), Err(Error::Damaged { state: 3, .. })));
    assert_eq!(state, [0.0]);
    fs::remove_file(file()).unwrap();
    assert!(matches!(disk.restore(3, Storage::Disk, &mut state), Err(Error::Io { .. })));
}

/// The folder in which a store keeps its files.
fn files(folder: &Path) -> PathBuf {
    fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()
}

/// What a schedule returns if something happens to its files in front of one of its steps.
fn disturbed(folder: &Path, when: usize, disturb: impl Fn(&Path)) -> Error {
    let (mut disk, runs) = (Disk::new(folder, 1 << 16).unwrap(), Cell::new(0));
    let mut step = differentiable(
        |_, x: &mut f64| {
            runs.set(runs.get() + 1);
            if runs.get() == when {
                disturb(&files(folder));
            }
            *x = x.sin();
        },
        |_, x: &f64, by_x: &mut f64| *by_x *= x.cos(),
    );
    adjoint(&mut step, &Revolve::new(50, 4).unwrap(), 0.3, &mut disk, |_| 1.0).unwrap_err()
}

/// There is an error, and no gradient; nothing is left of the files.
#[test]
fn what_happens_to_snapshots_in_a_schedule_is_an_error() {
    let folder = folder("disturbed");
    let error = disturbed(&folder, 51, |files| {
        for file in fs::read_dir(files).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_some_and(|extension| extension == "state") {
                fs::write(file, [0; 16]).unwrap();
            }
        }
    });
    assert!(matches!(error, Error::Damaged { .. }), "{error}");
    assert!(is_empty(&folder));
    let error = disturbed(&folder, 3, |files| fs::remove_dir_all(files).unwrap());
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert!(is_empty(&folder));
}

/// On Linux, the device `/dev/full` is as full as a disk can be.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_is_an_error() {
    let folder = folder("full");
    let error = disturbed(&folder, 2, |files| std::os::unix::fs::symlink("/dev/full", files.join("draft")).unwrap());
    assert!(matches!(&error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull), "{error}");
    assert!(is_empty(&folder));
}

/// An adjoint with large states on disk, and a short pause in each step.
fn with_large_states(disk: &mut dyn SnapshotStore<Vec<f64>>, pause: Duration) -> Vec<f64> {
    let mut step = differentiable(
        |i, x: &mut Vec<f64>| {
            sleep(pause);
            x.iter_mut().for_each(|x| *x = (*x + 0.1 * i as f64).sin());
        },
        |i, x: &Vec<f64>, by_x: &mut Vec<f64>| {
            by_x.iter_mut().zip(x).for_each(|(by_x, x)| *by_x *= (x + 0.1 * i as f64).cos());
        },
    );
    let start = (0..10_000).map(|i| 1e-4 * f64::from(i)).collect();
    adjoint(&mut step, &Revolve::new(20, 5).unwrap(), start, disk, |end| end.clone()).unwrap().0
}

/// The body of a process that is killed while it carries schedules out.
#[test]
fn schedules_until_killed() {
    let Some(folder) = std::env::var_os("RETROGRAD_TEST_SNAPSHOTS") else { return };
    loop {
        with_large_states(&mut Disk::new(&folder, 1 << 20).unwrap(), Duration::from_micros(100));
    }
}

/// Wherever in a schedule a process is killed, the next one reads nothing of what it leaves, and removes it.
#[test]
fn what_a_killed_process_leaves_is_removed_and_never_read() {
    let folder = folder("killed");
    let expected = with_large_states(&mut Memory::new(), Duration::ZERO);
    let mut left = 0;
    for moment in 0..10 {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "disk::schedules_until_killed"]).env("RETROGRAD_TEST_SNAPSHOTS", &folder);
        let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        while is_empty(&folder) {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_micros(3_700 * moment));
        child.kill().unwrap();
        child.wait().unwrap();
        left += fs::read_dir(&folder).unwrap().count();

        let mut disk = Disk::new(&folder, 1 << 20).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        assert!(matches!(disk.restore(3, Storage::Disk, &mut vec![0.0]), Err(Error::NoSnapshot { state: 3 })));
        assert_eq!(with_large_states(&mut disk, Duration::ZERO), expected);
        drop(disk);
        assert!(is_empty(&folder));
    }
    assert!(left > 0);
}

#[test]
fn stores_in_one_folder_do_not_meet() {
    let folder = folder("beside");
    let (one, mut other) = (Disk::new(&folder, 1 << 20).unwrap(), Disk::new(&folder, 1 << 20).unwrap());
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    other.save(3, Storage::Disk, &1.5).unwrap();
    drop(one);
    let mut state = 0.0;
    other.restore(3, Storage::Disk, &mut state).unwrap();
    assert_eq!(state, 1.5);
    drop(other);
    assert!(is_empty(&folder));
}
