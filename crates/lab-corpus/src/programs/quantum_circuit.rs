//! A quantum circuit on complex amplitudes, and the energy of the state that it prepares.

use num_complex::Complex;
use retrograd::numbers::NumAssign;
use retrograd::prelude::*;

use super::{Demo, Entry, rounded};

/// Turns the phase of the qubit: every amplitude in which it is set is multiplied by a number of length one.
///
/// ```
/// use lab_corpus::programs::quantum_circuit::phase;
/// use num_complex::Complex;
/// use std::f64::consts::FRAC_PI_2;
///
/// let mut state = [Complex::new(0.6, 0.0), Complex::new(0.8, 0.0)];
/// phase(&mut state, 0, FRAC_PI_2);
/// assert!((state[1] - Complex::new(0.0, 0.8)).norm() < 1e-15);
/// ```
#[reversible]
pub fn phase<T: Real + NumAssign>(state: &mut [Complex<T>], qubit: usize, angle: T) {
    for k in 0..state.len() {
        if k >> qubit & 1 == 1 {
            state[k] *= Complex::<T>::cis(angle);
        }
    }
}

/// Turns the qubit by half the angle from its one basis state to the other. This matrix is real: both parts of the amplitudes turn.
#[reversible]
pub fn turn<T: Real + NumAssign>(state: &mut [Complex<T>], qubit: usize, angle: T) {
    for k in 0..state.len() {
        if k >> qubit & 1 == 0 {
            rotate(&mut state[k].re, &mut state[k + (1 << qubit)].re, angle * 0.5);
            rotate(&mut state[k].im, &mut state[k + (1 << qubit)].im, angle * 0.5);
        }
    }
}

/// Flips the target where the control is set.
#[reversible]
pub fn controlled_not<T: Real + NumAssign>(state: &mut [Complex<T>], control: usize, target: usize) {
    for k in 0..state.len() {
        if k >> control & 1 == 1 && k >> target & 1 == 0 {
            state.swap(k, k + (1 << target));
        }
    }
}

/// Layers of turns, of phases, and of flips that entangle each qubit with the next; two angles for each qubit and layer.
///
/// A circuit is unitary, so its inverse is one, and its adjoint runs on no more memory than the state and its adjoint, however many
/// layers there are.
///
/// ```
/// use lab_corpus::programs::quantum_circuit::quantum_circuit;
/// use num_complex::Complex;
///
/// let zero = [1.0, 0.0, 0.0, 0.0].map(|x| Complex::new(x, 0.0));
/// let (mut state, angles) = (zero, [0.3, 1.1, 0.7, -0.4]);
/// quantum_circuit(&mut state, &angles, 2);
/// let length: f64 = state.iter().map(|amplitude| amplitude.norm_sqr()).sum();
/// assert!((length - 1.0).abs() < 1e-15);
/// quantum_circuit::uncall(&mut state, &angles, 2);
/// assert!(state.iter().zip(zero).all(|(a, b)| (a - b).norm() < 1e-15));
/// ```
#[reversible]
pub fn quantum_circuit<T: Real + NumAssign>(state: &mut [Complex<T>], angles: &[T], qubits: usize) {
    for layer in 0..angles.len() / (2 * qubits) {
        for qubit in 0..qubits {
            turn(state, qubit, angles[2 * (layer * qubits + qubit)]);
            phase(state, qubit, angles[2 * (layer * qubits + qubit) + 1]);
        }
        for qubit in 1..qubits {
            controlled_not(state, qubit - 1, qubit);
        }
    }
}

/// The energy of spins in a row in a transverse field, −Σ ZZ − field Σ X, in the state that the circuit makes of |0..0⟩.
///
/// ```
/// use lab_corpus::programs::quantum_circuit::energy;
///
/// // Without any turn all spins point up: each pair of neighbours counts −1.
/// let (value, gradient, by_field) = energy::gradient(&[0.0_f64; 6], 3, 0.7);
/// assert_eq!((value, by_field), (-2.0, 0.0));
/// // Turning a spin towards the field pays at once: ∂E/∂angle = −field. The last one is not copied by any flip.
/// assert!((gradient[4] - -0.7).abs() < 1e-15);
/// ```
#[reversible]
pub fn energy<T: Real + NumAssign>(angles: &[T], qubits: usize, field: T) -> T {
    let mut state = vec![Complex::new(0.0, 0.0); 1 << qubits];
    state[0] += 1.0;
    quantum_circuit(&mut state, angles, qubits);
    let mut sum = Complex::new(0.0, 0.0);
    for k in 0..1 << qubits {
        for qubit in 1..qubits {
            if (k >> qubit ^ k >> (qubit - 1)) & 1 == 0 {
                sum -= state[k].norm_sqr();
            } else {
                sum += state[k].norm_sqr();
            }
        }
        for qubit in 0..qubits {
            sum -= state[k].conj() * state[k ^ 1 << qubit] * field;
        }
    }
    sum.re
}

pub(super) const ENTRY: Entry = Entry {
    name: "quantum_circuit",
    about: "a unitary circuit on complex amplitudes: turns, phases and controlled flips, each undone by its inverse",
    source: quantum_circuit::source,
    demo: || {
        let angles = [0.3, 1.1, 0.7, -0.4];
        let on_parts = |program: fn(&mut [Complex<f64>], &[f64], usize)| {
            move |parts: &mut [f64; 8]| {
                let mut state: [Complex<f64>; 4] =
                    std::array::from_fn(|k| Complex::new(parts[2 * k], parts[2 * k + 1]));
                program(&mut state, &angles, 2);
                *parts = std::array::from_fn(|i| if i % 2 == 0 { state[i / 2].re } else { state[i / 2].im });
            }
        };
        Demo::new(
            [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            on_parts(quantum_circuit),
            on_parts(quantum_circuit::uncall),
            |parts| format!("amplitudes = {:?}", rounded(parts)),
        )
    },
};
