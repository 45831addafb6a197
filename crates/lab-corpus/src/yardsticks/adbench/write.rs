//! Problems as files of the suite. Numbers are written so that they are read as what they were.

use std::fmt::{Display, Write};

use super::MixtureOfSlices;
use super::hand::Pose;
use super::net::Net;
use crate::yardsticks::data::Scene;

/// A line of words with a space between them.
fn line<T: Display>(text: &mut String, words: impl IntoIterator<Item = T>) {
    for (i, word) in words.into_iter().enumerate() {
        let space = if i == 0 { "" } else { " " };
        write!(text, "{space}{word}").expect("writing into a string cannot fail");
    }
    text.push('\n');
}

impl MixtureOfSlices {
    /// The mixture as a file of the suite, which [`parse`](Self::parse) reads.
    pub fn to_text(&self) -> String {
        let MixtureOfSlices { dimensions: d, alphas, means, icf, x, prior } = self;
        let mut text = String::new();
        line(&mut text, [*d, alphas.len(), x.len() / d]);
        for (numbers, width) in [(alphas, 1), (means, *d), (icf, d * (d + 1) / 2), (x, *d)] {
            numbers.chunks(width).for_each(|row| line(&mut text, row));
        }
        line(&mut text, [prior.gamma, prior.m.into()]);
        text
    }
}

impl Scene {
    /// The scene as a file of the suite, which [`parse`](Self::parse) reads. That has one camera, point, weight and feature: there is
    /// none for a scene that is not made of copies of them.
    pub fn to_text(&self) -> Option<String> {
        let Scene { cameras, points, weights, features, seen } = self;
        let mut text = String::new();
        line(&mut text, [cameras.len(), points.len(), seen.len()]);
        line(&mut text, cameras.first()?);
        line(&mut text, points.first()?);
        line(&mut text, weights.first());
        line(&mut text, features.first()?);
        (Scene::parse(&text).as_ref() == Ok(self)).then_some(text)
    }
}

impl<const B: usize> Net<B> {
    /// The net and its text as a file of the suite, which [`parse`](Self::parse) reads.
    pub fn to_text(&self) -> String {
        let Net { layers, extra, start, sequence } = self;
        let mut text = String::new();
        line(&mut text, [layers.len(), sequence.len(), B]);
        for part in [layers.as_flattened(), extra, start.as_flattened(), sequence] {
            text.push('\n');
            part.iter().for_each(|row| line(&mut text, row));
        }
        text
    }
}

impl Pose {
    /// The pose as a file of the suite, which [`parse`](Self::parse) reads.
    pub fn to_text(&self) -> String {
        let Pose { theta, points, seen, us } = self;
        let mut text = String::new();
        line(&mut text, [points.len(), theta.len()]);
        for (point, index) in points.iter().zip(seen) {
            line(&mut text, [index as &dyn Display, &point[0], &point[1], &point[2]]);
        }
        us.iter().flatten().for_each(|near| line(&mut text, near));
        theta.iter().for_each(|number| line(&mut text, [number]));
        text
    }
}
