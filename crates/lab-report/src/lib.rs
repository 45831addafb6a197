//! Reports of experiments: what they found, measured and drawn, on which machine and by which command.
//!
//! Nothing here knows what the experiments are about.

pub mod compare;
mod experiment;
pub mod findings;
pub mod headline;
mod html;
mod json;
mod machine;
pub mod map;
pub mod measure;
pub mod plot;
pub mod quote;
mod run;
mod svg;
mod text;

use std::error::Error;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use experiment::{Experiment, Failure, Progress, Setting, Size};
pub use machine::Machine;
pub use run::{Order, Stop, run};
pub use text::summary;

use findings::{Findings, Verdict, is_nothing};

/// What became of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It found something.
    Found(Findings),
    /// It ended before, for this reason.
    Failed(String),
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome::Found(Findings::default())
    }
}

/// An experiment in the report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its heading.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub title: String,
    /// What it shows.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub about: String,
    /// How long it took.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub seconds: f64,
    /// What became of it.
    pub outcome: Outcome,
}

impl Entry {
    /// What became of an experiment after so many seconds.
    pub fn new(experiment: &Experiment, seconds: f64, outcome: Result<Findings, Failure>) -> Entry {
        let Experiment { name, title, about, .. } = *experiment;
        let outcome = outcome.map_or_else(|failure| Outcome::Failed(failure.to_string()), Outcome::Found);
        Entry { name: name.into(), title: title.into(), about: about.into(), seconds, outcome }
    }

    /// What it found, if it did.
    pub fn findings(&self) -> Option<&Findings> {
        match &self.outcome {
            Outcome::Found(findings) => Some(findings),
            Outcome::Failed(_) => None,
        }
    }
}

/// A report of experiments. As `report.json` it can be read again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// What it was run on, by which build, and when.
    pub machine: Machine,
    /// The command.
    pub command: String,
    /// How much was done.
    pub size: Size,
    /// How many experiments were asked for. There are fewer entries while the run is on, or if it was stopped.
    pub planned: usize,
    /// The experiments that came to an end.
    pub experiments: Vec<Entry>,
}

impl Report {
    /// Whether all experiments that were planned have findings, and all claims that do not depend on the clock hold.
    pub fn succeeded(&self) -> bool {
        let fine = |entry: &Entry| {
            entry.findings().is_some_and(|findings| {
                findings.claims.iter().all(|claim| claim.timed || claim.verdict() != Verdict::Fails)
            })
        };
        self.experiments.len() == self.planned && self.experiments.iter().all(fine)
    }

    /// Writes `index.html` and `report.json` into a folder, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// [`Unwritable`], with the file.
    pub fn write(&self, folder: &Path) -> Result<(), Unwritable> {
        fs::create_dir_all(folder).map_err(|error| Unwritable { path: folder.into(), error })?;
        for (name, text) in [("report.json", self.to_json()), ("index.html", html::page(self))] {
            let path = folder.join(name);
            // Whoever reads in between finds the old file or the new one, and never half of it.
            let unfinished = folder.join(format!("{name}.new"));
            let written = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, &path));
            written.map_err(|error| Unwritable { path, error })?;
        }
        Ok(())
    }

    /// The text of `report.json`.
    pub fn to_json(&self) -> String {
        json::text(self)
    }

    /// Reads a `report.json`, or the one in a folder.
    ///
    /// # Errors
    ///
    /// [`Unreadable`], with the file and, where it is no report, the line.
    pub fn read(path: &Path) -> Result<Report, Unreadable> {
        let path = if path.is_dir() { path.join("report.json") } else { path.to_path_buf() };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => return Err(Unreadable { path, what: error.to_string() }),
        };
        serde_json::from_str(&text)
            .map_err(|error| Unreadable { path, what: format!("not a report of this version: {error}") })
    }
}

/// A file of the report that could not be written.
#[derive(Debug)]
pub struct Unwritable {
    /// The file, or the folder.
    pub path: PathBuf,
    /// Why not.
    pub error: io::Error,
}

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} could not be written: {}", self.path.display(), self.error)
    }
}

impl Error for Unwritable {}

/// A report that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// The file.
    pub path: PathBuf,
    /// Why not.
    pub what: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.what)
    }
}

impl Error for Unreadable {}
