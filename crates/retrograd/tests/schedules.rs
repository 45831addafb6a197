//! Schedules: every one of them gives the adjoint that keeping all states gives, with the counts it predicts; errors leave nothing.

#[path = "schedules/disk.rs"]
mod disk;

use std::cell::Cell;

use retrograd::schedule::{
    Bennett, Budget, Costs, Counts, Disk, Error, Memory, Multistage, Periodic, Reversal, Revolve, Schedule,
    SnapshotStore, Step, Storage, StoreAll, adjoint, adjoint_while, best, differentiable, recorded, reversible,
};
use retrograd::{prelude::*, procedure};

/// A state of the map below, and a parameter of it.
type State = Vec<f64>;
/// The adjoint of the state, and the gradient of the parameter.
type Adjoint = (Vec<f64>, f64);

/// How often the step was run.
fn counted(runs: &Cell<u64>) -> impl Step<State = State, Adjoint = Adjoint> + '_ {
    let r = 3.7;
    differentiable(
        move |i, x: &mut State| {
            runs.set(runs.get() + 1);
            *x = vec![r * x[0] * (1.0 - x[0]) + 0.01 * (i % 5) as f64, x[0] + 0.5 * x[1]];
        },
        move |_, x: &State, (by_x, by_r): &mut Adjoint| {
            *by_r += by_x[0] * x[0] * (1.0 - x[0]);
            *by_x = vec![by_x[0] * r * (1.0 - 2.0 * x[0]) + by_x[1], 0.5 * by_x[1]];
        },
    )
}

fn seed(end: &State) -> Adjoint {
    (vec![1.0 + end[0], -2.0], end[1])
}

/// The adjoint by a schedule, whose counts have to be what was predicted, as counted by the step itself too.
fn by(schedule: &dyn Schedule, store: &mut dyn SnapshotStore<State>) -> Adjoint {
    let runs = Cell::new(0);
    let (adjoint, counts) = adjoint(&mut counted(&runs), schedule, vec![0.3, 0.1], store, seed).unwrap();
    assert_eq!(counts, schedule.predicted(), "{schedule:?}");
    assert_eq!(runs.get(), counts.steps(), "{schedule:?}");
    adjoint
}

#[test]
fn every_schedule_gives_the_adjoint_of_storing_all() {
    for n in 0..=60 {
        let expected = by(&StoreAll::new(n), &mut Memory::new());
        for k in 1..=12 {
            let mut schedules: Vec<Box<dyn Schedule>> = vec![
                Box::new(Revolve::new(n, k).unwrap()),
                Box::new(Periodic::new(n, k).unwrap()),
                Box::new(Multistage::new(n, k / 2, k - k / 2).unwrap()),
            ];
            if k > 1 && n <= 30 {
                let bennett = Bennett::new(n, k).unwrap();
                schedules.extend([Box::new(bennett) as Box<dyn Schedule>, Box::new(bennett.keeping_parts())]);
            }
            for schedule in &schedules {
                assert_eq!(by(&**schedule, &mut Memory::limited(schedule.predicted().peak)), expected, "{schedule:?}");
            }
        }
    }
}

#[test]
fn the_counts_are_those_of_the_closed_forms() {
    let binomial = |n: u64, k: u64| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    for (n, s) in (1..=60_u64).flat_map(|n| (1..=12_u64).map(move |s| (n, s))) {
        let r = (0..).find(|r| binomial(s + r, s) >= n).unwrap();
        let closed = n + r * n - if r == 0 { 0 } else { binomial(s + r, s + 1) };
        let runs = Cell::new(0);
        let schedule = Revolve::new(n as usize, s as usize).unwrap();
        adjoint(&mut counted(&runs), &schedule, vec![0.3, 0.1], &mut Memory::limited(s as usize), seed).unwrap();
        assert_eq!(runs.get(), closed, "{n} steps, {s} snapshots");
    }
    for (k, m) in [(2, 0), (2, 5), (3, 3), (4, 2), (7, 2)] {
        let counts = Bennett::new(usize::pow(k, m), k).unwrap().predicted();
        assert_eq!(counts.steps(), 2 * u64::pow(2 * k as u64 - 1, m));
        assert_eq!(counts.peak, m as usize * (k - 1) + 2);
    }
}

#[test]
fn runs_of_unknown_length_keep_their_budget() {
    for n in 0..=80 {
        let expected = by(&StoreAll::new(n), &mut Memory::new());
        for snapshots in 1..=6 {
            let (runs, mut store) = (Cell::new(0), Memory::limited(snapshots));
            let more = |step: usize, _: &State| step < n;
            let (found, counts) =
                adjoint_while(&mut counted(&runs), snapshots, vec![0.3, 0.1], more, &mut store, seed).unwrap();
            assert_eq!(found, expected, "{n} steps, {snapshots} snapshots");
            assert_eq!((counts.steps(), counts.adjoint), (runs.get(), n as u64));
            let fewest = Revolve::new(n, snapshots).unwrap().predicted().steps();
            assert!(2 * counts.steps() <= 3 * fewest, "{n} steps, {snapshots} snapshots");
        }
    }
}

#[reversible]
fn kick_drift<T: Real>(x: &mut T, v: &mut T, force: T) {
    *v += 0.1 * (force - x.sin());
    *x += 0.1 * *v;
}

#[reversible(record)]
fn damped(x: &mut f64, v: &mut f64, force: f64) {
    *v = 0.5 * *v + 0.1 * (force - x.sin());
    *x += 0.1 * *v;
}

#[test]
fn reversible_steps_need_no_snapshots() {
    let mut step =
        reversible(|i| procedure!(move s: (f64, f64) => kick_drift(&mut s.0, &mut s.1, (0.1 * i as f64).cos())));
    let seed = |_: &(f64, f64)| (1.0, -0.5);
    let (reversed, counts) = adjoint(&mut step, &Reversal::new(200), (0.3, 0.2), &mut Memory::new(), seed).unwrap();
    assert_eq!(counts, Counts { forward: 200, reversed: 200, ..Counts::default() });
    let (kept, _) = adjoint(&mut step, &Revolve::new(200, 5).unwrap(), (0.3, 0.2), &mut Memory::new(), seed).unwrap();
    assert!((reversed.0 - kept.0).abs() < 1e-12 && (reversed.1 - kept.1).abs() < 1e-12);
}

#[test]
fn tangents_go_back_by_the_inverse_jacobian() {
    let procedure = |i| procedure!(move s: (f64, f64) => kick_drift(&mut s.0, &mut s.1, (0.1 * i as f64).cos()));
    let (mut state, mut tangent) = ((0.3, 0.2), (1.0, -0.5));
    for i in 0..50 {
        retrograd::Procedure::pushforward(&procedure(i), &mut state, &mut tangent);
    }
    for schedule in [Box::new(Reversal::new(50)) as Box<dyn Schedule>, Box::new(Revolve::new(50, 4).unwrap())] {
        let mut step = reversible(procedure).inverse();
        let (back, _) = adjoint(&mut step, &*schedule, (0.3, 0.2), &mut Memory::new(), |_| tangent).unwrap();
        assert!((back.0 - 1.0).abs() < 1e-12 && (back.1 + 0.5).abs() < 1e-12, "{schedule:?}: {back:?}");
    }
}

#[test]
fn recorded_steps_keep_one_step_at_a_time() {
    let mut step = recorded(
        |_, s: &mut (f64, f64)| damped(&mut s.0, &mut s.1, 0.2),
        |_, s, record| damped::recorded(&mut s.0, &mut s.1, 0.2, record),
        |_, s, a: &mut (f64, f64, f64), record| {
            damped::pullback((&mut s.0, &mut a.0), (&mut s.1, &mut a.1), (0.2, &mut a.2), record);
        },
    );
    let seed = |_: &(f64, f64)| (1.0, 0.0, 0.0);
    let (found, _) = adjoint(&mut step, &Revolve::new(40, 3).unwrap(), (0.3, 0.2), &mut Memory::new(), seed).unwrap();
    let (online, _) = adjoint_while(&mut step, 3, (0.3, 0.2), |i, _| i < 40, &mut Memory::new(), seed).unwrap();
    assert_eq!(found, online);

    let ahead = |x: f64, v: f64, force: f64| {
        let mut s = (x, v);
        (0..40).for_each(|_| damped(&mut s.0, &mut s.1, force));
        s.0
    };
    let h = 1e-6;
    let central = [
        (ahead(0.3 + h, 0.2, 0.2) - ahead(0.3 - h, 0.2, 0.2)) / (2.0 * h),
        (ahead(0.3, 0.2 + h, 0.2) - ahead(0.3, 0.2 - h, 0.2)) / (2.0 * h),
        (ahead(0.3, 0.2, 0.2 + h) - ahead(0.3, 0.2, 0.2 - h)) / (2.0 * h),
    ];
    for (found, central) in [found.0, found.1, found.2].into_iter().zip(central) {
        assert!((found - central).abs() < 1e-8, "{found} {central}");
    }
}

#[test]
fn a_budget_that_is_too_small_is_said_before_anything_is_run() {
    assert!(matches!(Revolve::new(10, 0), Err(Error::Budget { needed: 1, available: 0, .. })));
    assert!(matches!(best(10, Budget { memory: 0, disk: 0 }, &Costs::default()), Err(Error::Budget { .. })));
    let folder = disk::folder("budget");
    let runs = Cell::new(0);
    let run = |schedule: &dyn Schedule, store: &mut dyn SnapshotStore<State>| {
        adjoint(&mut counted(&runs), schedule, vec![0.3, 0.1], store, seed).map(|_| ())
    };
    assert!(matches!(
        run(&StoreAll::new(20), &mut Memory::limited(18)),
        Err(Error::Budget { needed: 19, available: 18, .. })
    ));
    let mut disk = Disk::new(&folder, 100).unwrap();
    assert!(matches!(run(&Revolve::new(20, 4).unwrap(), &mut disk), Err(Error::Budget { .. })));
    assert!(matches!(run(&Reversal::new(20), &mut Memory::new()), Err(Error::NotReversible)));
    assert_eq!(runs.get(), 0);
    let error = run(&Reversal::new(20), &mut Memory::new()).unwrap_err();
    assert!(error.to_string().contains("`schedule::reversible`"));
}

#[test]
fn the_best_schedule_fits_and_costs_least() {
    let costs = Costs { forward: 1.0, adjoint: 3.0, copy: 0.3, write: 4.0, read: 4.0, reverse: None };
    for (n, memory, disk) in [(1, 1, 0), (100, 1, 0), (100, 5, 0), (100, 5, 10), (100, 30, 0), (100, 100, 0), (0, 0, 0)]
    {
        let schedule = best(n, Budget { memory, disk }, &costs).unwrap();
        assert!(schedule.predicted().peak <= memory + disk);
        if memory > 0 {
            assert!(costs.of(&*schedule) <= costs.of(&Revolve::new(n, memory).unwrap()));
        }
    }
    let only_disk = best(100, Budget { memory: 0, disk: 7 }, &costs).unwrap();
    assert!(
        only_disk
            .actions()
            .all(|action| !matches!(action, retrograd::schedule::Action::Save { storage: Storage::Memory, .. }))
    );
}
