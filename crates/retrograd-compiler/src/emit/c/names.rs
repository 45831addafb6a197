//! Names of C: one for each variable, and none that means something else.

use std::collections::{HashMap, HashSet};

use crate::ir::{Program, VarId};

pub(super) struct Names {
    of_vars: HashMap<VarId, String>,
    taken: HashSet<String>,
    /// How often a role has been given a name.
    given: HashMap<String, usize>,
}

impl Names {
    pub(super) fn of(program: &Program) -> Names {
        let mut taken: HashSet<String> = RESERVED.split_whitespace().map(str::to_string).collect();
        let mut names = HashMap::new();
        for (i, var) in program.vars.iter().enumerate() {
            let written = var.name.to_string();
            // Letters of other alphabets, and `r#`.
            let plain: String =
                written.trim_start_matches("r#").chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
            let unusable = plain.is_empty()
                || plain.starts_with(|c: char| c.is_ascii_digit())
                || counts(&plain)
                || taken.contains(&plain)
                || PARTS.iter().any(|part| taken.contains(&format!("{plain}{part}")));
            let name = if unusable { format!("{plain}_v{i}") } else { plain };
            taken.extend(PARTS.iter().map(|part| format!("{name}{part}")));
            taken.insert(name.clone());
            names.insert(VarId(i), name);
        }
        Names { of_vars: names, taken, given: HashMap::new() }
    }

    /// The name of a variable that has been added.
    pub(super) fn insert(&mut self, var: VarId, name: &str) {
        self.of_vars.insert(var, name.to_string());
    }

    /// A name that no variable has.
    pub(super) fn fresh(&mut self, role: &str) -> String {
        let given = self.given.entry(role.to_string()).or_default();
        loop {
            let name = if *given == 0 { role.to_string() } else { format!("{role}_n{given}") };
            *given += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    pub(super) fn of_var(&self, var: VarId) -> String {
        self.of_vars.get(&var).cloned().unwrap_or_default()
    }
}

/// What is declared along with a slice or a view.
const PARTS: &[&str] = &["_len", "_own", "_here", "_sum", "_start", "_behind"];

/// Whether a loop of the text may count with that name.
fn counts(name: &str) -> bool {
    let number = ["k", "count", "turn"].iter().find_map(|role| name.strip_prefix(role));
    number.is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
}

/// Words of C, C++ and OpenCL C, types and functions of the preludes.
const RESERVED: &str = "
    alignas alignof and asm auto bool break case catch char class const constant constexpr continue default delete do double
    dynamic_cast else enum explicit export extern false float for friend global goto half if inline int kernel local long
    mutable namespace new not nullptr operator or private protected public quad register reinterpret_cast restrict return
    short signed sizeof static static_assert static_cast struct switch template this throw true try typedef typeid typename
    uchar uint ulong union unsigned ushort using uniform virtual void volatile while wchar_t xor complex imaginary event_t
    image2d_t sampler_t size_t ptrdiff_t intptr_t uintptr_t __global __local __kernel NULL INFINITY NAN M_PI
    BEGIN END FAILED UNROLL ROWS STORE_ROWS FOR_ITS_ROWS COLUMNS row stores rows_of_warp store_rows STAGES STAGE LANES FLUSH ON OFF flush stage failed failed_before error_word kernel_number most lane first on parts target worker
    number shadow boolean tangent_of_value usize isize u8 u16 u32 u64 i8 i16 i32 i64 runs errors thread threads element from there part witness start larger at_element at_part view_start nonzero fail before operand drifted one_minus_square over_squares
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log1p log2 log10 pow pown sqrt cbrt
    hypot fabs fmax fmin fma fmod floor ceil round trunc square cube reciprocal clamped select_less select_equal rem_euclid
    signum fraction log_to isnan isinf isfinite main
";
