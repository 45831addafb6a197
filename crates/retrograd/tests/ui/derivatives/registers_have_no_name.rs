// Whoever could name the registers of a machine could use them on another one.
use retrograd::lanes::Register;

fn main() {
    let _ = <f64 as Register>::splat(1.0);
}
