//! Methods and functions that the compiler knows by their names.

use proc_macro2::Ident;

use super::Expr;

/// Enums whose variants stand for names.
macro_rules! named {
    ($(#[$doc:meta])* $vis:vis enum $Enum:ident { $($Variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // the names say it
        $vis enum $Enum { $($Variant,)* }

        #[allow(dead_code)] // not every table is read in both directions
        impl $Enum {
            /// All of them.
            $vis const ALL: &[$Enum] = &[$($Enum::$Variant,)*];

            /// The name that it stands for.
            $vis fn name(self) -> &'static str {
                match self { $($Enum::$Variant => $name,)* }
            }

            /// What a name stands for.
            $vis fn by_name(name: &str) -> Option<$Enum> {
                match name { $($name => Some($Enum::$Variant),)* _ => None }
            }
        }
    };
}

named! {
    /// A function of numbers with a derivative.
    pub enum Elementary {
        Sin = "sin", Cos = "cos", Tan = "tan", Asin = "asin", Acos = "acos", Atan = "atan", Atan2 = "atan2",
        Sinh = "sinh", Cosh = "cosh", Tanh = "tanh", Asinh = "asinh", Acosh = "acosh", Atanh = "atanh",
        Exp = "exp", Exp2 = "exp2", ExpM1 = "exp_m1", Ln = "ln", Ln1p = "ln_1p", Log2 = "log2", Log10 = "log10", Log = "log",
        Powi = "powi", Powf = "powf", Sqrt = "sqrt", Cbrt = "cbrt", Square = "square", Cube = "cube", Hypot = "hypot",
        Recip = "recip", Conj = "conj", Abs = "abs", Max = "max", Min = "min", Clamp = "clamp",
        SelectLess = "select_less", SelectEqual = "select_equal", MulAdd = "mul_add", RemEuclid = "rem_euclid",
        ToDegrees = "to_degrees", ToRadians = "to_radians", Erf = "erf", Gamma = "gamma", Lgamma = "lgamma", Fract = "fract",
        Pow = "pow", AbsDiff = "abs_diff", Isqrt = "isqrt", WrappingAdd = "wrapping_add", WrappingSub = "wrapping_sub",
        WrappingMul = "wrapping_mul", SaturatingAdd = "saturating_add", SaturatingSub = "saturating_sub",
        Signum = "signum", Floor = "floor", Ceil = "ceil", Round = "round", Trunc = "trunc",
    }
}

impl Elementary {
    /// Whether floats have it by the trait `Real` only, so that another trait could give them a method of that name.
    pub fn is_of_real(self) -> bool {
        use Elementary::*;
        matches!(self, Conj | Square | Cube | SelectLess | SelectEqual | Erf | Gamma | Lgamma)
    }

    /// Whether it is a function of integers, through which nothing flows.
    pub fn is_of_integers(self) -> bool {
        use Elementary::*;
        matches!(self, Pow | AbsDiff | Isqrt | WrappingAdd | WrappingSub | WrappingMul | SaturatingAdd | SaturatingSub)
    }
}

named! {
    /// A partial derivative, or another step that the runtime gives a name.
    pub enum Partial {
        Sin = "d_sin", Cos = "d_cos", Tan = "d_tan", Asin = "d_asin", Acos = "d_acos", Atan = "d_atan",
        Atan2By0 = "d_atan2_0", Atan2By1 = "d_atan2_1",
        Sinh = "d_sinh", Cosh = "d_cosh", Tanh = "d_tanh", Asinh = "d_asinh", Acosh = "d_acosh", Atanh = "d_atanh",
        Exp = "d_exp", Exp2 = "d_exp2", ExpM1 = "d_exp_m1", Ln = "d_ln", Ln1p = "d_ln_1p", Log2 = "d_log2", Log10 = "d_log10",
        LogBy0 = "d_log_0", LogBy1 = "d_log_1", Powi = "d_powi", PowfBy0 = "d_powf_0", PowfBy1 = "d_powf_1",
        Sqrt = "d_sqrt", Cbrt = "d_cbrt", Square = "d_square", Cube = "d_cube", HypotBy0 = "d_hypot_0", HypotBy1 = "d_hypot_1",
        Recip = "d_recip", Conj = "d_conj", Abs = "d_abs", MaxBy0 = "d_max_0", MaxBy1 = "d_max_1", MinBy0 = "d_min_0",
        MinBy1 = "d_min_1", ClampBy0 = "d_clamp_0", ClampBy1 = "d_clamp_1", ClampBy2 = "d_clamp_2",
        SelectLessBy2 = "d_select_less_2", SelectLessBy3 = "d_select_less_3",
        SelectEqualBy2 = "d_select_equal_2", SelectEqualBy3 = "d_select_equal_3", RemEuclidBy1 = "d_rem_euclid_1",
        ToDegrees = "d_to_degrees", ToRadians = "d_to_radians", Erf = "d_erf", Gamma = "d_gamma", Lgamma = "d_lgamma",
        DivBy0 = "d_div_0", DivBy1 = "d_div_1", RemBy1 = "d_rem_1",
        // Operators of integers: nothing flows, and what is not an integer has none.
        Bits = "d_bits",
        // A shadow in the type of another: of a cast number, of a number in each lane, of all elements added up,
        // and of the elements one by one.
        Cast = "cast", Spread = "spread", Total = "total", Elements = "elements",
    }
}

named! {
    /// A step from a container to a loop over it, or from one iterator to another.
    pub enum Iteration {
        Iter = "iter", IntoIter = "into_iter", Chunks = "chunks", ChunksExact = "chunks_exact", Windows = "windows",
        Map = "map", Zip = "zip", Copied = "copied", Cloned = "cloned", Rev = "rev", Enumerate = "enumerate", StepBy = "step_by",
        Filter = "filter", FilterMap = "filter_map", FlatMap = "flat_map", Skip = "skip", Take = "take", Chain = "chain",
        SkipWhile = "skip_while", TakeWhile = "take_while", Inspect = "inspect", Scan = "scan", Flatten = "flatten",
        Peekable = "peekable",
    }
}

impl Iteration {
    /// Whether it makes an iterator of something that is none.
    pub fn begins(self) -> bool {
        use Iteration::*;
        matches!(self, Iter | IntoIter | Chunks | ChunksExact | Windows)
    }
}

/// A copy that the program did not ask for: of what it moves.
pub const DUPLICATE: &str = "__duplicate";

/// The length of what has to be a slice, an array or a vector.
pub const LEN_OF_SLICE: &str = "__len_of_slice";

/// The length of what has to be a vector.
pub const LEN_OF_VECTOR: &str = "__len_of_vector";

/// What the compiler knows of a method by its name and the number of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A function of numbers with a derivative.
    Elementary(Elementary),
    /// `x.sin_cos()`
    SinCos,
    /// `x.spread()`: a number that all lanes share, in each of them.
    Spread,
    /// `x.clone()`, `x.to_vec()`, `x.to_owned()`: the receiver in another form.
    Form,
    /// `x.len()` and its kin: how much there is, not what it is.
    Shape,
    /// Its value carries no derivative.
    Stops,
    /// The same, if it is asked of an iterator.
    Asks,
    /// A step of an iterator.
    Iteration(Iteration),
    /// `.sum()` of an iterator or a slice.
    Sum,
    /// `.product()` of an iterator.
    Product,
    /// `.collect()` of an iterator.
    Collect,
    /// `o.unwrap()` and its kin: what is in an `Option`, or something else.
    Unwrap,
    /// A method of `Option` that has no derivative.
    OfOption,
    /// A method of numbers that has no derivative. Those that a user may have as well are not here.
    Underived,
}

impl Known {
    fn of(name: &str, arguments: usize) -> Option<Known> {
        if let Some(function) = Elementary::by_name(name)
            && crate::derivative::rules::rule(function).len() == arguments + 1
        {
            return Some(Known::Elementary(function));
        }
        if let Some(step) = Iteration::by_name(name) {
            return Some(Known::Iteration(step));
        }
        Some(match (name, arguments) {
            ("sin_cos", 0) => Known::SinCos,
            ("spread", 0) => Known::Spread,
            ("clone" | "to_vec" | "to_owned" | DUPLICATE, 0) => Known::Form,
            ("sum", 0) => Known::Sum,
            ("product", 0) => Known::Product,
            ("collect", 0) => Known::Collect,
            ("count", 0) | ("any" | "all" | "position" | "rposition", 1) => Known::Asks,
            ("len" | "is_empty" | "nrows" | "ncols" | "shape" | LEN_OF_SLICE | LEN_OF_VECTOR, 0) => Known::Shape,
            (
                "len" | "is_empty" | "nrows" | "ncols" | "shape" | "argmax" | "argmin" | "is_nan" | "is_finite"
                | "is_infinite" | "is_some" | "is_none" | "contains" | "contains_key" | "total_cmp" | "partial_cmp"
                | "cmp" | "eq" | "ne" | "lt" | "le" | "gt" | "ge",
                _,
            ) => Known::Stops,
            ("unwrap", 0) | ("unwrap_or" | "unwrap_or_else" | "expect", 1) => Known::Unwrap,
            ("unwrap_or_default" | "map_or" | "map_or_else", _) => Known::OfOption,
            ("next_up" | "next_down" | "to_bits" | "copysign" | "div_euclid", _) | ("into", 0) => Known::Underived,
            _ => return None,
        })
    }

    /// Whether its value carries no derivative, if it is asked of `receiver`.
    pub fn stops(self, receiver: &Expr) -> bool {
        matches!(self, Known::Shape | Known::Stops) || self == Known::Asks && receiver.is_iterator()
    }
}

/// The name of a method, and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// The name.
    pub name: Ident,
    /// What is known of it.
    pub known: Option<Known>,
}

impl Method {
    /// The name that readers see.
    pub fn readable(&self) -> Ident {
        match self.name.to_string().as_str() {
            DUPLICATE => Ident::new("clone", self.name.span()),
            LEN_OF_SLICE | LEN_OF_VECTOR => Ident::new("len", self.name.span()),
            _ => self.name.clone(),
        }
    }

    /// The method of that name with so many arguments, the receiver not counted.
    pub fn new(name: Ident, arguments: usize) -> Method {
        let known = Known::of(&name.to_string(), arguments);
        Method { name, known }
    }
}
