//! The report in a few lines, for a terminal.

use std::fmt::Write;

use super::findings::{Claim, Verdict};
use super::{Outcome, Report};

/// All claims with what became of them, below the machine and the command.
pub fn summary(report: &Report) -> String {
    let Report { machine, command, planned, experiments, .. } = report;
    let mut text = format!(
        "{}, {} cores, {}, {}, {} build, {}\n{command}\n\n",
        machine.processor, machine.cores, machine.system, machine.compiler, machine.build, machine.date
    );
    let (mut holding, mut failing) = (0, 0);
    for entry in experiments {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{}", entry.name);
        match &entry.outcome {
            Outcome::Failed(why) => {
                let _ = writeln!(text, "  failed: {why}");
            }
            Outcome::Found(findings) => {
                for claim in &findings.claims {
                    let _ = writeln!(text, "  {:8}{}", claim.verdict(), line(claim));
                    holding += usize::from(claim.verdict() == Verdict::Holds);
                    failing += usize::from(claim.verdict() == Verdict::Fails);
                }
            }
        }
    }
    let failed = experiments.iter().filter(|entry| entry.findings().is_none()).count();
    let _ = write!(text, "\n{} of {planned} experiments, {holding} claims hold, {failing} fail", experiments.len());
    if failed > 0 {
        let _ = write!(text, ", {failed} experiments failed");
    }
    text + "\n"
}

/// A claim on one line.
fn line(claim: &Claim) -> String {
    let Claim { text, ours, paper, .. } = claim;
    let mut line = format!("{text}: {ours}");
    let should_be = claim.should_be();
    if !should_be.is_empty() {
        line += &format!(" ({should_be})");
    }
    if let Some(paper) = paper {
        line += &format!("; {}: {}", paper.place, paper.says);
    }
    if let Some(ratio) = claim.ratio() {
        line += &format!(", ratio {}", super::findings::Figure::plain(ratio));
    }
    line
}
