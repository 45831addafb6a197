//! The laws on as many random programs as one likes: `cargo run --release -p retrograd-interpreter --example laws -- 100000`.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use retrograd_interpreter::laws::{Laws, Verdict, shrink};
use retrograd_random::{Any, any};

/// Programs and runs of them consist of many small pieces.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse().ok());
    let count: u64 = arguments.next().unwrap_or(1000);
    let first: u64 = arguments.next().unwrap_or(0);
    let threads =
        arguments.next().unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get() as u64));
    let (next, start) = (AtomicU64::new(first), Instant::now());
    let (tally, failures) = (Mutex::new(BTreeMap::<String, u64>::new()), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let builder = std::thread::Builder::new().stack_size(64 << 20);
            let work = || {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        return;
                    }
                    let Any { name, source } = any(seed);
                    let laws = Laws::in_turn(seed);
                    let what = match laws.check(&source, &name) {
                        Verdict::Holds { .. } => "hold".to_string(),
                        Verdict::Unfit => "no input is fit".to_string(),
                        Verdict::Unknown(what) => format!("unknown: {}", what.lines().next().unwrap_or_default()),
                        Verdict::Broken(failure) => {
                            let mut failures = failures.lock().unwrap_or_else(|e| e.into_inner());
                            if failures.len() < 5 {
                                let (small, found) = shrink(&laws, &source, &name, &failure);
                                failures.push(format!("seed {seed}: {found}\n{small}"));
                            }
                            format!("broken: {}", failure.law)
                        }
                    };
                    let mut tally = tally.lock().unwrap_or_else(|e| e.into_inner());
                    *tally.entry(what).or_default() += 1;
                    let done: u64 = tally.values().sum();
                    if done.is_multiple_of(5000) {
                        eprintln!("{done} programs in {:.0} s: {tally:?}", start.elapsed().as_secs_f64());
                    }
                }
            };
            builder.spawn_scoped(scope, work).expect("a thread can be started");
        }
    });
    for failure in failures.lock().unwrap_or_else(|e| e.into_inner()).iter() {
        println!("{failure}\n");
    }
    let tally = tally.into_inner().unwrap_or_else(|e| e.into_inner());
    for (what, count) in &tally {
        println!("{count:8} {what}");
    }
    println!("{count} programs in {:.1} s", start.elapsed().as_secs_f64());
    let broken = tally.keys().any(|what| what.starts_with("broken"));
    std::process::exit(i32::from(broken));
}
