//! A Turing machine that runs backwards as well.

use retrograd::prelude::*;

use super::{Demo, Entry};

/// What a machine does in one step. States are numbers, and so are symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// From one state to another, if the symbol `read` is under the head, which becomes `write`.
    Write {
        /// The state before.
        from: u8,
        /// The symbol before.
        read: u8,
        /// The symbol afterwards.
        write: u8,
        /// The state afterwards.
        to: u8,
    },
    /// The head moves to the left, whatever symbol is under it.
    Left {
        /// The state before.
        from: u8,
        /// The state afterwards.
        to: u8,
    },
    /// The head moves to the right, whatever symbol is under it.
    Right {
        /// The state before.
        from: u8,
        /// The state afterwards.
        to: u8,
    },
}

/// The state in which a machine begins. No rule leads to it.
pub const START: u8 = 1;

/// The state in which a machine ends. No rule leads away from it.
pub const HALT: u8 = 6;

/// The symbol where nothing is written.
pub const BLANK: u8 = 2;

/// A machine that adds 1 to a binary number of n bits, modulo 2ⁿ.
///
/// The number stands between two blanks, its lowest bit first, with the head on the first blank. Carrying turns ones
/// into zeros on the way right, up to the first zero. Then the head goes back to where it began.
pub const INCREMENT: [Rule; 8] = [
    Rule::Write { from: START, read: BLANK, write: BLANK, to: 2 },
    Rule::Right { from: 2, to: 3 },
    Rule::Write { from: 3, read: 0, write: 1, to: 4 },
    Rule::Write { from: 3, read: 1, write: 0, to: 2 },
    Rule::Write { from: 3, read: BLANK, write: BLANK, to: 4 },
    Rule::Left { from: 4, to: 5 },
    Rule::Write { from: 5, read: 0, write: 0, to: 4 },
    Rule::Write { from: 5, read: BLANK, write: BLANK, to: HALT },
];

/// The rule that leads away from a state and a symbol.
fn leaving(rules: &[Rule], state: u8, symbol: u8) -> Rule {
    let fits = |rule: &Rule| match *rule {
        Rule::Write { from, read, .. } => (from, read) == (state, symbol),
        Rule::Left { from, .. } | Rule::Right { from, .. } => from == state,
    };
    rules.iter().copied().find(fits).expect("a rule for every state and symbol that the machine gets into")
}

/// The rule that led to a state and a symbol.
fn entering(rules: &[Rule], state: u8, symbol: u8) -> Rule {
    let fits = |rule: &Rule| match *rule {
        Rule::Write { write, to, .. } => (write, to) == (symbol, state),
        Rule::Left { to, .. } | Rule::Right { to, .. } => to == state,
    };
    rules.iter().copied().find(fits).expect("a rule for every state and symbol that the machine gets out of")
}

/// Runs a machine from its start to its end.
///
/// A machine is deterministic if each state and symbol has at most one rule that leaves it, and reversible if each
/// has at most one that enters it. Here the second law is the value by which `rule` is released.
///
/// ```
/// use lab_corpus::programs::turing::{BLANK, HALT, INCREMENT, START, turing};
///
/// let (mut tape, mut head, mut state) = ([BLANK, 1, 1, 0, BLANK], 0, START);
/// turing(&mut tape, &mut head, &mut state, &INCREMENT);
/// assert_eq!((tape, head, state), ([BLANK, 0, 0, 1, BLANK], 0, HALT)); // 3 + 1 = 4
/// turing::uncall(&mut tape, &mut head, &mut state, &INCREMENT);
/// assert_eq!((tape, head, state), ([BLANK, 1, 1, 0, BLANK], 0, START));
/// ```
#[reversible]
pub fn turing(tape: &mut [u8], head: &mut usize, state: &mut u8, #[constant] rules: &[Rule]) {
    while (*state != HALT, *state != START) {
        let mut rule = leaving(rules, *state, tape[*head]);
        match rule {
            Rule::Write { from, read, write, to } => {
                tape[*head] ^= read ^ write;
                *state ^= from ^ to;
            }
            Rule::Left { from, to } => {
                *head -= 1;
                *state ^= from ^ to;
            }
            Rule::Right { from, to } => {
                *head += 1;
                *state ^= from ^ to;
            }
        }
        release!(rule == entering(rules, *state, tape[*head]));
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "turing",
    about: "runs a Turing machine that increments a binary number, by a table of rules that reads both ways",
    source: turing::source,
    demo: || {
        Demo::new(
            ([BLANK, 1, 1, 1, 0, 1, BLANK], 0, START),
            |(tape, head, state): &mut ([u8; 7], usize, u8)| turing(tape, head, state, &INCREMENT),
            |(tape, head, state)| turing::uncall(tape, head, state, &INCREMENT),
            |(tape, head, state)| {
                let symbols: String = tape.iter().map(|symbol| ['0', '1', '_'][usize::from(*symbol)]).collect();
                format!("tape = {symbols}, head = {head}, state = {state}")
            },
        )
    },
};
