//! Optimisations that a program can do without: `#[reversible(without = "demand, contract")]`.
//!
//! Every derivative is the same without any of them, to rounding. They can be left out to see what they are worth, or to see
//! whether one of them is to blame. What a program would not compile without is not among them: that is
//! [`lower`](crate::lower).

/// An optimisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// [`optimize::demand`](crate::optimize::demand): what nobody demands is not computed.
    Demand,
    /// [`optimize::contract`](crate::optimize::contract): arrays of adjoints become elements.
    Contract,
    /// [`analysis::once`](crate::analysis::once): what an ancilla holds is not computed again for its adjoint.
    Once,
    /// [`adjoint`](crate::adjoint): sums that only the value of a function reads are computed in the sweep backwards.
    Sums,
    /// `#[unroll(N)]` writes short loops out, in every run.
    Unroll,
    /// [`optimize::upwards`](crate::optimize::upwards): loops whose iterations do not depend on each other count upwards.
    Upwards,
    /// [`optimize::fuse`](crate::optimize::fuse): two loops over the same range become one.
    Fuse,
    /// [`optimize::delay`](crate::optimize::delay): sums into neighbouring elements become sums into one.
    Delay,
    /// [`optimize::carry`](crate::optimize::carry): an element that all iterations touch waits in a local.
    Carry,
    /// [`lower`](crate::lower): an innermost loop cuts neighbouring elements out of their arrays once.
    Rows,
}

impl Pass {
    /// Every pass.
    pub const ALL: [Pass; 10] = [
        Pass::Demand,
        Pass::Contract,
        Pass::Once,
        Pass::Sums,
        Pass::Unroll,
        Pass::Upwards,
        Pass::Fuse,
        Pass::Delay,
        Pass::Carry,
        Pass::Rows,
    ];

    /// The name that leaves it out.
    ///
    /// ```
    /// use retrograd_compiler::passes::Pass;
    ///
    /// let names = ["demand", "contract", "once", "sums", "unroll", "upwards", "fuse", "delay", "carry", "rows"];
    /// assert_eq!(Pass::ALL.map(Pass::name), names);
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Pass::Demand => "demand",
            Pass::Contract => "contract",
            Pass::Once => "once",
            Pass::Sums => "sums",
            Pass::Unroll => "unroll",
            Pass::Upwards => "upwards",
            Pass::Fuse => "fuse",
            Pass::Delay => "delay",
            Pass::Carry => "carry",
            Pass::Rows => "rows",
        }
    }
}

/// The passes that are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passes([bool; Pass::ALL.len()]);

impl Passes {
    /// All of them.
    pub const ALL: Passes = Passes([true; Pass::ALL.len()]);

    /// Whether a pass is made.
    pub fn has(self, pass: Pass) -> bool {
        self.0[pass as usize]
    }

    /// The same without one.
    pub fn but(mut self, pass: Pass) -> Passes {
        self.0[pass as usize] = false;
        self
    }

    /// All but those in a list of names, with commas between them.
    pub(crate) fn without(list: &syn::LitStr) -> syn::Result<Passes> {
        let mut passes = Passes::ALL;
        for name in list.value().split(',').map(str::trim) {
            match Pass::ALL.into_iter().find(|pass| pass.name() == name) {
                Some(pass) => passes.0[pass as usize] = false,
                None => return Err(syn::Error::new_spanned(list, unknown(name))),
            }
        }
        Ok(passes)
    }
}

/// What to say to a name that is none of a pass.
fn unknown(name: &str) -> String {
    let names = Pass::ALL.map(|pass| format!("`{}`", pass.name())).join(", ");
    let close = Pass::ALL.into_iter().map(|pass| (distance(name, pass.name()), pass.name())).min();
    let hint = match close {
        _ if name.contains(char::is_whitespace) => "; names have commas between them".to_string(),
        Some((distance, close)) if distance <= close.len() / 2 => format!("; did you mean `{close}`?"),
        _ => String::new(),
    };
    format!("no pass is called `{name}`; `without` can leave out {names}{hint}")
}

/// How many letters have to be inserted, removed or replaced to come from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.chars().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.chars().count()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_as_far_apart_as_letters_change() {
        let far = [("sum", "sums"), ("", "once"), ("unrol", "unroll"), ("demand", "contract")];
        assert_eq!(far.map(|(from, to)| distance(from, to)), [1, 4, 1, 7]);
        for (from, to) in far {
            assert_eq!(distance(from, to), distance(to, from));
            assert_eq!(distance(from, from), 0);
        }
    }

    #[test]
    fn every_pass_can_be_left_out_alone_and_with_others() {
        let list = |text: &str| Passes::without(&syn::LitStr::new(text, proc_macro2::Span::call_site()));
        for pass in Pass::ALL {
            let left = list(pass.name()).unwrap();
            assert!(Pass::ALL.into_iter().all(|other| left.has(other) == (other != pass)), "{pass:?}");
        }
        let none = list(&Pass::ALL.map(Pass::name).join(" , ")).unwrap();
        assert!(!Pass::ALL.into_iter().any(|pass| none.has(pass)));
        assert!(list("demand contract").is_err() && list("").is_err());
    }
}
