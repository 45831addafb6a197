//! The compiler behind `#[reversible]`: a plain library, every stage testable without rustc.
//!
//! ```text
//! tokens -> signature -> parse -> IR -> check -> elaborate | record -+-> lower -> emit                                  f
//!                                                                    +-> invert -> lower -> optimize -> emit            f::uncall
//!                                                                    +-> tangent -> optimize -> lower -> emit           f::pushforward
//!                                                                    +-> adjoint -> optimize -> lower -> emit           f::pullback
//!                                                                    +-> adjoint -> split -> optimize -> lower -> emit  f::__keep, f::__spend
//! ```
//!
//! A program that keeps a record of what it loses goes through `record`, and all others through `elaborate`.
//! Checking comes before every rewrite; no rewrite can fail.

mod active;
pub mod adjoint;
pub mod analysis;
pub mod check;
mod derivative;
pub mod diagnostics;
pub mod elaborate;
pub mod emit;
mod expand;
pub mod fallback;
pub mod hygiene;
pub mod invert;
pub mod ir;
#[cfg(test)]
mod laws;
pub mod lower;
pub mod optimize;
mod panics;
pub mod parse;
pub mod passes;
pub mod places;
mod primitive;
pub mod print;
mod procedure;
pub mod record;
pub mod signature;
pub mod span;
pub mod tangent;
mod variants;

pub use active::{derive_active, derive_recordable};
pub use expand::{bijection, read_options, reversible};
pub use primitive::primitive;
pub use procedure::procedure;

use std::borrow::Cow;

use diagnostics::Diagnostics;
use ir::{Kind, Program, Records, Run};
use optimize::optimize;

/// What the companions of a program are made of.
#[derive(Debug)]
pub struct Derived {
    /// The program with explicit ends of life.
    pub forward: Form,
    /// Its inverse; a function has none.
    pub inverse: Option<Form>,
    /// The derivative runs, if there are any.
    pub derivatives: Option<Derivatives>,
    /// The runs with a record, of a program that has one.
    pub recorded: Option<Recorded>,
    /// Whether it decides by floats: those that call it have to give it the same ones on the way back.
    pub decides: bool,
}

impl Derived {
    /// Whether it is a procedure with a record, which its callers give.
    fn keeps(&self) -> bool {
        self.recorded.as_ref().is_some_and(|recorded| recorded.unkeep.is_some())
    }
}

/// The runs of a program with a record.
#[derive(Debug)]
pub struct Recorded {
    /// Forwards, filling the record.
    pub keep: Form,
    /// Backwards, emptying it; a function has none.
    pub unkeep: Option<Form>,
    /// Backwards with adjoints, emptying it.
    pub spend: Option<Form>,
}

/// The derivative runs of a program. Those of its inverse undo those of the program.
#[derive(Debug)]
pub struct Derivatives {
    /// Backwards, with adjoints.
    pub pullback: Form,
    /// Forwards, with tangents.
    pub pushforward: Form,
    /// The pullback of the inverse.
    pub unpullback: Option<Form>,
    /// The pushforward of the inverse.
    pub unpushforward: Option<Form>,
}

/// A derived program in its two forms.
#[derive(Debug)]
pub struct Form {
    /// As readers see it: `f::source` prints it.
    pub program: Program,
    /// As back ends read it.
    pub core: Program,
}

impl Form {
    fn new(program: Program, run: Run) -> Form {
        Form { core: lower::lower(&program, run), program }
    }

    fn inverse(program: Program) -> Form {
        Form { core: lower::inverse(&program), program }
    }

    fn adjoint(program: &Program, diagnostics: &Diagnostics) -> Form {
        Form::new(optimize(adjoint::adjoint(program, diagnostics).program), Run::Adjoint)
    }

    fn tangent(program: &Program, diagnostics: &Diagnostics) -> Form {
        Form::new(optimize(tangent::tangent(program, diagnostics)), Run::Tangent)
    }

    fn inverse_tangent(inverse: &Program, diagnostics: &Diagnostics) -> Form {
        Form::new(optimize(tangent::inverse_tangent(inverse, diagnostics)), Run::Tangent)
    }
}

/// The whole pipeline up to the back end.
pub fn derive(input: &parse::Input<'_>) -> syn::Result<Derived> {
    derive_checked(input, checked(input)?)
}

/// The program as it was written, before any rewrite.
pub fn checked(input: &parse::Input<'_>) -> syn::Result<Program> {
    let diagnostics = Diagnostics::default();
    let mut program = parse::parse(input, &diagnostics);
    analysis::activity::infer(&mut program);
    analysis::types::infer(&mut program);
    check::check(&program, &diagnostics);
    if input.options.derivatives {
        check::activity::check_references(&program, &diagnostics);
    }
    check::kernel::check(&program, input, &diagnostics);
    diagnostics.finish()?;
    Ok(program)
}

/// [`derive()`], of a program that is [`checked`] already.
pub fn derive_checked(input: &parse::Input<'_>, mut program: Program) -> syn::Result<Derived> {
    let diagnostics = Diagnostics::default();
    if input.options.kernel {
        // Sums that wait in locals would be sums into elements of which it is not visible whose they are.
        let without = [passes::Pass::Fuse, passes::Pass::Delay, passes::Pass::Carry, passes::Pass::Rows];
        program.passes = without.into_iter().fold(program.passes, passes::Passes::but);
    }
    if program.records != Records::Nothing {
        return match record::private(&program, false) {
            Some(undone) => derive_private(input, program, &undone, &diagnostics),
            None => derive_recorded(input, program, &diagnostics),
        };
    }
    let forward = elaborate::elaborate(&program);
    let inverse = (forward.kind == Kind::Procedure).then(|| elaborate::inverse(&forward));
    let runs = |forward: &Program, inverse: Option<&Program>| Derivatives {
        pullback: Form::adjoint(forward, &diagnostics),
        pushforward: Form::tangent(forward, &diagnostics),
        unpullback: inverse.map(|inverse| Form::adjoint(inverse, &diagnostics)),
        unpushforward: inverse.map(|inverse| Form::inverse_tangent(inverse, &diagnostics)),
    };
    let derivatives = input.has_derivatives().then(|| {
        let Cow::Owned(settled) = places::settle(&program) else { return runs(&forward, inverse.as_ref()) };
        let settled = elaborate::elaborate(&settled);
        runs(&settled, inverse.as_ref().map(|_| elaborate::inverse(&settled)).as_ref())
    });
    diagnostics.finish()?;
    let values = |program| Form::new(program, Run::Values);
    let decides = record::decides(&program, false);
    Ok(Derived { forward: values(forward), inverse: inverse.map(Form::inverse), derivatives, recorded: None, decides })
}

/// The same for a procedure that records only ancillas which undo themselves. Its adjoint runs have a record of their own; the others stop
/// at the last use, and need none.
fn derive_private(
    input: &parse::Input<'_>,
    program: Program,
    undone: &Program,
    diagnostics: &Diagnostics,
) -> syn::Result<Derived> {
    let inverse = elaborate::inverse(undone);
    let inverse = Program { body: record::without_record(&inverse.body), ..inverse };
    let derivatives = input.has_derivatives().then(|| {
        let settled = places::settle_references(&program);
        let run = |derivatives| record::private(&settled, derivatives).unwrap_or_else(|| undone.clone());
        let (once, values) = (run(true), elaborate::inverse(&run(false)));
        Derivatives {
            pullback: Form::adjoint(&once, diagnostics),
            pushforward: Form::tangent(&places::settle(&program), diagnostics),
            unpullback: Some(Form::adjoint(&elaborate::inverse(&once), diagnostics)),
            unpushforward: Some(Form::inverse_tangent(&values, diagnostics)),
        }
    });
    diagnostics.finish()?;
    let decides = record::decides(&program, false);
    let (forward, inverse) = (Form::new(program, Run::Values), Form::inverse(inverse));
    Ok(Derived { forward, inverse: Some(inverse), derivatives, recorded: None, decides })
}

/// A way back of a program with a record.
struct Back {
    /// All of it.
    whole: Program,
    /// As much of it as anything demands.
    demanded: Program,
}

/// The same for a program with a record: it runs as it was written, and backwards as the record allows.
fn derive_recorded(input: &parse::Input<'_>, program: Program, diagnostics: &Diagnostics) -> syn::Result<Derived> {
    let has_derivatives = input.has_derivatives();
    let procedure = program.kind == Kind::Procedure;
    // What host statements read on the way back no derivative may demand.
    let program = match procedure && lower::hosts_read_locals(&program) {
        true => Program { passes: program.passes.but(passes::Pass::Demand), ..program },
        false => program,
    };
    // The run that fills the record; and with derivatives the whole adjoint run, the one that empties the record, and how much is
    // kept in each slot.
    let halves = |prepared: &Program| {
        let kept = || prepared.with_body(lower::run(prepared));
        if !has_derivatives {
            return (kept(), None);
        }
        let adjoint = adjoint::adjoint(prepared, diagnostics);
        let split = match procedure {
            true => record::Split { keep: kept(), spend: adjoint.program.clone() },
            false => record::split(&adjoint, prepared.result.clone()),
        };
        let whole = split.spend.clone();
        let (record::Split { keep, spend }, forms) = optimize::optimize_split(split);
        (keep, Some((adjoint, Back { whole, demanded: spend }, forms)))
    };
    let settled = places::settle(&program);
    let (prepared, keep, backwards) = record::cheapest(record::record(&settled, has_derivatives), halves);
    let tangent = has_derivatives.then(|| Form::tangent(&settled, diagnostics));
    diagnostics.finish()?;
    let (adjoint, spend, forms) = match backwards {
        Some((adjoint, spend, forms)) => (Some(adjoint), Some(spend), forms),
        None => (None, None, None),
    };
    let unkeep = procedure.then(|| {
        let inverse = elaborate::inverse(&prepared);
        let inverse = Program { body: lower::without_assertions(&inverse.body), ..inverse };
        if !inverse.passes.has(passes::Pass::Demand) {
            return Back { whole: inverse.clone(), demanded: inverse };
        }
        // Without derivatives everything is kept.
        let forms = forms.unwrap_or_else(|| record::forms(&inverse.body));
        let mut demanded = lower::compared_inverse(&inverse);
        optimize::demand::demand_of_record(&mut demanded, forms);
        Back { whole: inverse, demanded }
    });
    let points = record::Points::of(&prepared);
    let restored = |back: &Option<Back>| {
        back.as_ref().map(|back| record::restored(&points, &back.whole, &back.demanded)).unwrap_or_default()
    };
    let (spent, unkept) = (restored(&spend), restored(&unkeep));
    let (sampled, nothing) = (spent.union(&unkept).copied().collect(), record::Numbers::new());
    let keep = record::with_samples(keep, &points, &sampled, &nothing);
    let spend = spend.map(|back| record::with_samples(back.demanded, &points, &nothing, &spent));
    let unkeep = unkeep.map(|back| record::with_samples(back.demanded, &points, &nothing, &unkept));
    let derivatives = adjoint.zip(tangent).map(|(adjoint, pushforward)| {
        let pullback = match (&spend, procedure) {
            (Some(spend), true) => spend.clone(),
            _ => record::with_samples(optimize(adjoint.program), &points, &spent, &spent),
        };
        Derivatives { pullback: Form::new(pullback, Run::Adjoint), pushforward, unpullback: None, unpushforward: None }
    });
    let recorded = Recorded {
        keep: Form::new(keep, Run::Keep),
        unkeep: unkeep.map(|program| Form::new(program, Run::Keep)),
        spend: spend.map(|program| Form::new(program, Run::Spend)),
    };
    let decides = record::decides(&program, true);
    let forward = Form::new(program, Run::Values);
    Ok(Derived { forward, inverse: None, derivatives, recorded: Some(recorded), decides })
}
