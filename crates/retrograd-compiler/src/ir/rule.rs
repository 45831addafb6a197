//! Steps of derivatives, and the runs of programs that take them.

use super::{Elementary, Partial};

/// Where a factor of a product stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In front of the other.
    Left,
    /// Behind the other.
    Right,
}

impl Side {
    /// The function of the runtime that takes a factor there.
    pub(crate) fn function(self) -> &'static str {
        match self {
            Side::Left => "left_factor",
            Side::Right => "right_factor",
        }
    }
}

/// A step of a derivative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rule {
    /// An adjoint, taken back through a partial derivative.
    Pull,
    /// The same through a product, to one factor: the adjoint of the product, the other factor, the factor itself. Where the other one is
    /// an argument of a procedure, this one has its part in the determinant.
    PullFactor,
    /// What a bijection of an argument adds to its adjoint, by its part in the determinant: m″/m′; of an inverse, that of the function, and
    /// the slope of the inverse.
    Bend,
    /// m″/m′ of a bijection m that the compiler knows.
    Bent(Elementary),
    /// A tangent, taken on through a partial derivative.
    Push,
    /// The sum of two shadows.
    Join,
    /// A shadow with the other sign.
    Negate,
    /// A derivative, as it is: through a sum or a difference, which has to be one of numbers.
    Linear,
    /// A derivative, as it is: through a partial derivative, of a value that has to be a number.
    OfNumber,
    /// The number behind a value, to be used as a partial derivative.
    Number,
    /// The same for a value that is not visibly a number.
    AskedNumber,
    /// What stands on one side of a product that is not visibly one of numbers: as a number, or as a matrix.
    Factor(Side),
    /// The zero shadow of a value, of which only the shape is read.
    Zero,
    /// The same, for one that is given away: it may stay as it is.
    PlainZero,
    /// The shadow of a number to which nothing has been added yet.
    Neutral,
    /// The shadow of an argument through which no derivative flows.
    NoShadow,
    /// An index, to a part of the variant that a value is.
    Part {
        /// The name of the variant.
        variant: String,
        /// The name or the number of the field.
        member: String,
    },
    /// Of what shadows a tangent is made.
    MadeOf,
    /// The tangent of an argument, and what it is made of.
    Passed,
    /// A value, and the shadow whose shape has to be that of the value.
    Fitting,
    /// The adjoint that a callee is given, as one of its value's kind.
    Arrive,
    /// A shadow, with zero left in its place: what is overwritten has no derivative behind that.
    Taken,
    /// A value that comes later.
    Later,
    /// Some value, which nothing reads.
    Blank,
    /// The value of a function, before there is one.
    Absent,
    /// The value of a function, once there is one.
    Given,
    /// A copy of a variable, if there can be one.
    Keep,
    /// A copy of one of the values that sequences, so deep, are made of, if there is one and there can be one.
    KeepOne(usize),
    /// The largest magnitude of a float in a variable.
    Magnitude,
    /// A record of the run's own, as one of the thread that is free.
    Lease,
    /// How many of the runs that filled the record decide by floats that they were given.
    Decisions,
    /// What a schedule says.
    Schedule(Scheduled),
    /// A partial derivative.
    Partial(Partial),
}

/// What is asked of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduled {
    /// How many elements a value has that a loop goes through.
    Length,
    /// How many snapshots of these places fit into so many bytes.
    Fitting,
    /// The plan for so many iterations and snapshots on the way there.
    There,
    /// The same on the way back.
    Back,
    /// The plan for so many snapshots, and as many iterations at most, on the way there of a loop that may end before any iteration.
    Search,
    /// The plan for so many iterations and snapshots on the way back of such a loop.
    Found,
    /// Whether there is anything else to do; then that is what the plan says.
    Next,
    /// The same for a search.
    Seeks,
    /// Whether the current state is kept.
    Saves,
    /// Whether iterations are run and nothing is kept of them.
    Runs,
    /// Whether the last state that was kept becomes the current one.
    Restores,
    /// Whether the last state that was kept is forgotten.
    Frees,
    /// Whether the iteration that is undone next is run again before.
    Repeats,
}

impl Scheduled {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Scheduled::Length => "length",
            Scheduled::Fitting => "fitting",
            Scheduled::There => "there",
            Scheduled::Back => "back",
            Scheduled::Search => "search",
            Scheduled::Found => "found",
            Scheduled::Next => "next",
            Scheduled::Seeks => "seeks",
            Scheduled::Saves => "saves",
            Scheduled::Runs => "runs",
            Scheduled::Restores => "restores",
            Scheduled::Frees => "frees",
            Scheduled::Repeats => "repeats",
        }
    }
}

/// Which run of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// Values alone.
    Values,
    /// Values forwards, tangents with them.
    Tangent,
    /// Values backwards, adjoints with them.
    Adjoint,
    /// Values alone, and a record takes what the way back asks for. Inverted: values backwards, from the record.
    Keep,
    /// The adjoint run behind [`Run::Keep`], which the record gives what it took.
    Spend,
}

impl Run {
    /// Whether adjoints are carried.
    pub fn is_adjoint(self) -> bool {
        matches!(self, Run::Adjoint | Run::Spend)
    }

    /// Whether there is a record.
    pub fn has_record(self) -> bool {
        matches!(self, Run::Keep | Run::Spend)
    }
}
