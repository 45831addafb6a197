//! What a visitor sees first of an experiment: a figure, a sentence about it, and a small picture.

use serde::{Deserialize, Serialize};

use crate::findings::Figure;
use crate::plot::Plot;

/// The most telling figure of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Headline {
    /// The figure.
    pub figure: Figure,
    /// How the sentence goes on that begins with the figure.
    pub sentence: String,
    /// What it looks like.
    pub sketch: Sketch,
}

/// A picture that is understood at a glance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sketch {
    /// A small plot.
    Plot(Plot),
    /// A bar for each figure, with its name. All have the same unit.
    Bars(Vec<(String, Figure)>),
}
