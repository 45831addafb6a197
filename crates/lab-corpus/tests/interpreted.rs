//! Every program of the corpus means what its compiled form does: forwards and backwards, the interpreter leaves in the arguments what
//! compiled code leaves there, bit for bit.

use lab_corpus::interpreted::{ALL, Interpreted};
use lab_corpus::programs;
use lab_corpus::programs::bundle_adjustment::bundle_adjustment;
use lab_corpus::programs::gaussian_mixture::{Wishart, gaussian_mixture};
use lab_corpus::programs::hand_tracking::{Hand, hand_tracking};
use lab_corpus::programs::nice::{Coupling, nice};
use lab_corpus::programs::power::{Logarithm, Number};
use lab_corpus::programs::sparse_dot::{Csc, sparse_dot};
use lab_corpus::programs::turing::{INCREMENT, START, turing};
use lab_corpus::programs::wave::{Layer, Shot, wave};
use lab_corpus::programs::{
    adder::adder, affine::affine, bennett::bennett, bessel::bessel, box_muller::box_muller, complex_log::complex_log,
    complex_sparse::complex_sparse, consistency::consistency, cross_entropy::cross_entropy, factorial::factorial,
    fft::fft, graph_embedding::graph_embedding, lax_wendroff::lax_wendroff, leapfrog::leapfrog, learning::learning,
    log_sum_exp::log_sum_exp, lstm::lstm, lu::lu, matvec::matvec, multiplier::multiplier, qr::qr,
    quantum_circuit::quantum_circuit, recurrent::recurrent, rfib::rfib, rfibn::rfibn, rrfib::rrfib,
    run_length::run_length, solar_system::solar_system, sort::sort, sparse_matvec::sparse_matvec,
    spin_glass::spin_glass, squared_distance::squared_distance, string::string, umm::umm, variance::variance,
};
use num_complex::Complex;
use retrograd::{Fixed, InformationBuffer, Real, Slots, Stack, Tropical};
use retrograd_interpreter::{Error, Interpreter, Module, Value, Way};

/// `power` in the logarithms of the corpus.
fn power(out: &mut Number, x: Number, n: u32) {
    programs::power::power::<_, Logarithm>(out, x, n);
}

mod power {
    pub(crate) fn uncall(out: &mut super::Number, x: super::Number, n: u32) {
        super::programs::power::power::uncall::<_, super::Logarithm>(out, x, n);
    }
}

/// The bits of what a program changes, as both the interpreter and compiled code have them.
trait Bits {
    fn bits(&self, all: &mut Vec<u64>);
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl Bits for $integer {
            fn bits(&self, all: &mut Vec<u64>) {
                all.push(*self as u64);
            }
        }
    )*};
}

integers!(u8 u32 u64 usize i32 i64);

impl Bits for f64 {
    fn bits(&self, all: &mut Vec<u64>) {
        all.push(self.to_bits());
    }
}

impl<const FRAC: u32> Bits for Fixed<FRAC> {
    fn bits(&self, all: &mut Vec<u64>) {
        all.push(self.to_bits() as u64);
    }
}

impl Bits for Tropical<f64> {
    fn bits(&self, all: &mut Vec<u64>) {
        self.value().unwrap_or(f64::NEG_INFINITY).bits(all);
    }
}

impl Bits for Complex<f64> {
    fn bits(&self, all: &mut Vec<u64>) {
        [self.re, self.im].bits(all);
    }
}

impl<T: Bits, const N: usize> Bits for [T; N] {
    fn bits(&self, all: &mut Vec<u64>) {
        self.iter().for_each(|value| value.bits(all));
    }
}

impl<T: Bits> Bits for Stack<T> {
    fn bits(&self, all: &mut Vec<u64>) {
        self.as_slice().iter().for_each(|value| value.bits(all));
    }
}

impl<T: Bits> Bits for Slots<usize, T> {
    fn bits(&self, all: &mut Vec<u64>) {
        for (key, value) in self.iter() {
            key.bits(all);
            value.bits(all);
        }
    }
}

impl Bits for InformationBuffer {
    fn bits(&self, all: &mut Vec<u64>) {
        all.extend(format!("{self:?}").bytes().map(u64::from));
    }
}

impl Bits for Value {
    fn bits(&self, all: &mut Vec<u64>) {
        all.extend(self.to_bits());
    }
}

fn bits_of(values: &[&dyn Bits]) -> Vec<Vec<u64>> {
    let bits = |value: &&dyn Bits| {
        let mut all = Vec::new();
        value.bits(&mut all);
        all
    };
    values.iter().map(bits).collect()
}

/// What compiled code leaves, argument by argument: there, and back again. What it does not change is left out.
type Compiled = [Vec<Option<Vec<u64>>>; 2];

macro_rules! passed {
    (change $arg:ident) => {
        &mut $arg
    };
    (host $arg:ident) => {
        &mut $arg
    };
    (lend $arg:ident) => {
        &$arg
    };
    (give $arg:ident) => {
        $arg
    };
}

macro_rules! left {
    (change $arg:ident) => {
        bits_of(&[&$arg]).pop()
    };
    ($mode:ident $arg:ident) => {
        None
    };
}

/// Runs a program on its arguments, each of which gets a name of its own, and back.
macro_rules! run {
    ($program:ident [$($mode:ident $arg:ident)+]) => {{
        $program($(passed!($mode $arg)),+);
        let there = vec![$(left!($mode $arg)),+];
        $program::uncall($(passed!($mode $arg)),+);
        [there, vec![$(left!($mode $arg)),+]]
    }};
    ($program:ident [$($named:tt)*] $mode:ident($value:expr) $($rest:tt)*) => {{
        #[allow(unused_mut, reason = "what is lent is not changed")]
        let mut argument = $value;
        run!($program [$($named)* $mode argument] $($rest)*)
    }};
}

macro_rules! compiled {
    ($($name:ident in $($file:literal),+: $($mode:ident($arg:expr)),+;)*) => {
        vec![$((stringify!($name), run!($name [] $($mode($arg))+))),*]
    };
}

fn compiled() -> Vec<(&'static str, Compiled)> {
    lab_corpus::interpreted_programs!(compiled)
}

/// What the interpreter leaves, there and back again.
fn interpreted(program: &Interpreted) -> Result<[Vec<Value>; 2], Error> {
    let module = Module::of_files(program.sources)?;
    let args = program.args.iter().enumerate().map(|(i, text)| module.argument(program.name, i, text));
    let interpreter = Interpreter::new(&module);
    let there = interpreter.run(program.name, args.collect::<Result<_, _>>()?, Way::Forwards)?.args;
    let back = interpreter.run(program.name, there.clone(), Way::Backwards)?.args;
    Ok([there, back])
}

#[test]
fn programs_mean_what_compiled_code_does() {
    let mut wrong = Vec::new();
    for (program, (name, compiled)) in ALL.iter().zip(compiled()) {
        assert_eq!(program.name, name);
        match interpreted(program) {
            Err(error) => wrong.push(format!("`{name}`: {error}")),
            Ok(meant) => {
                for (meant, compiled) in meant.iter().flatten().zip(compiled.iter().flatten()) {
                    if let Some(compiled) = compiled
                        && *compiled != bits_of(&[meant]).concat()
                    {
                        wrong.push(format!("`{name}` leaves {compiled:x?}, and should leave {meant}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
