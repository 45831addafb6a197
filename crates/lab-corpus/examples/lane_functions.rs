//! What functions cost in lanes: nanoseconds for one number, with each of the instructions that this machine has.
//!
//! cargo run --release -p lab-corpus --example lane_functions

use std::hint::black_box;
use std::time::Instant;

use retrograd::lanes::{InstructionSet, Instructions, Kernel, run, with_instructions};
use retrograd::{Lanes, Real};

/// How many numbers there are, sixteen by sixteen.
const BLOCKS: usize = 64;

/// A function of all numbers, or of each with another one.
struct Column<'a> {
    function: &'a str,
    x: &'a [[f64; 16]; BLOCKS],
    y: &'a mut [[f64; 16]; BLOCKS],
}

macro_rules! functions {
    ($($name:ident)*; $($name2:ident)*) => {
        const FUNCTIONS: &[&str] = &[$(stringify!($name),)* $(stringify!($name2),)* "transpose"];

        impl Kernel for Column<'_> {
            type Output = ();

            #[inline(always)]
            fn run<I: InstructionSet>(self) {
                match self.function {
                    $(stringify!($name) => {
                        for (x, y) in self.x.iter().zip(self.y) {
                            *y = Lanes::<f64, 16, I>::from(*x).$name().to_array();
                        }
                    })*
                    $(stringify!($name2) => {
                        for (x, y) in self.x.iter().zip(self.y) {
                            *y = Lanes::<f64, 16, I>::from(*x).$name2(Lanes::from(*y)).to_array();
                        }
                    })*
                    // From rows to lanes and back.
                    _ => {
                        for (x, y) in self.x.as_chunks::<16>().0.iter().zip(self.y.as_chunks_mut::<16>().0) {
                            let columns = Lanes::<f64, 16, I>::gather(x.each_ref());
                            Lanes::scatter(&columns, y.each_mut());
                        }
                    }
                }
            }
        }
    };
}

functions! {
    abs sqrt round exp exp2 exp_m1 ln ln_1p log2 log10 cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh;
    powf hypot atan2 log rem_euclid max
}

/// Nanoseconds for one number.
fn time(instructions: Instructions, function: &str) -> Option<f64> {
    const ROUNDS: usize = 2000;
    let x = std::array::from_fn(|i| [0.01 + i as f64 / 70.0; 16]);
    let mut y = [[0.5; 16]; BLOCKS];
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        with_instructions(instructions, || run(Column { function, x: black_box(&x), y: black_box(&mut y) })).ok()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Some(best * 1e9 / (16 * BLOCKS) as f64)
}

fn main() {
    print!("{:12}", "");
    for instructions in Instructions::ALL {
        print!("{instructions:>12}");
    }
    println!();
    for function in FUNCTIONS {
        print!("{function:12}");
        for instructions in Instructions::ALL {
            match time(instructions, function) {
                Some(nanoseconds) => print!("{nanoseconds:12.2}"),
                None => print!("{:>12}", "-"),
            }
        }
        println!();
    }
}
