//! A shot: where waves come from, where they are heard, and what was heard.

use std::f64::consts::PI;

use super::{Field, Layer, advance, squares};

/// The radius of a circle of cells, its middle, and what the speed in it is multiplied by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Row and column of the middle, as parts of the size of the model.
    pub middle: [f64; 2],
    /// The radius, likewise.
    pub radius: f64,
    /// What the speed is multiplied by in the middle; at the border nothing changes.
    pub factor: f64,
}

impl Circle {
    /// Speeds of one, and other ones in circles, which change smoothly.
    ///
    /// ```
    /// use lab_corpus::programs::wave::Circle;
    ///
    /// let circle = Circle { middle: [0.5, 0.5], radius: 0.3, factor: 1.2 };
    /// let speed = Circle::ground(21, &[circle]);
    /// assert_eq!((speed[0], speed[10 * 21 + 10]), (1.0, 1.2));
    /// ```
    pub fn ground(size: usize, circles: &[Circle]) -> Vec<f64> {
        let speed = |p: usize| {
            let at = [p / size, p % size].map(|k| (k as f64 + 0.5) / size as f64);
            circles.iter().fold(1.0, |speed, circle| {
                let far = (at[0] - circle.middle[0]).hypot(at[1] - circle.middle[1]) / circle.radius;
                let bump = if far < 1.0 { (0.5 * PI * far).cos().powi(2) } else { 0.0 };
                speed * (1.0 + (circle.factor - 1.0) * bump)
            })
        };
        (0..size * size).map(speed).collect()
    }
}

/// A square model in its layer, with sources and receivers in it.
///
/// Places are those of a model that has a ring of cells around it, row by row.
#[derive(Clone, Debug)]
pub struct Shot {
    /// How many rows and columns the model has.
    pub size: usize,
    /// How many cells wide the layer is.
    pub depth: usize,
    /// How many cells a wave of speed one goes in a step.
    pub ratio: f64,
    /// How many steps are made.
    pub steps: usize,
    /// How many states [`checkpointed`](super::checkpointed()) keeps.
    pub snapshots: usize,
    /// The places of sources.
    pub sources: Vec<usize>,
    /// What each source adds to the wave: step by step, source by source.
    pub signals: Vec<f64>,
    /// The places of receivers.
    pub receivers: Vec<usize>,
    /// What each receiver heard, likewise.
    pub echoes: Vec<f64>,
    /// What absorbs the wave.
    pub layer: Layer,
}

impl Shot {
    /// Eight sources on a circle in a model of so many rows and columns, and receivers at all four sides, in front of a layer that is `depth` cells wide. Nothing was heard.
    ///
    /// The sources sound one after the other, each like a stroke of a hammer (a wavelet of Ricker).
    ///
    /// # Panics
    ///
    /// If there is no model, or no layer.
    pub fn around(size: usize, depth: usize, steps: usize) -> Shot {
        let (ratio, width) = (0.5, size + 2);
        let place = |row: usize, column: usize| (row + 1) * width + column + 1;
        // A wave is so many cells long that it can be computed, and no small part of the model.
        let length = (size as f64 / 3.0).min(12.0).max(size as f64 / 8.0);
        let source = |k: usize| {
            let angle = 2.0 * PI * (k as f64 + 0.25) / 8.0;
            let at = |part: f64| ((0.5 + 0.42 * part) * size as f64) as usize;
            place(at(angle.sin()), at(angle.cos()))
        };
        let pause = steps as f64 / 16.0;
        let signal = |t: usize, k: usize| {
            let phase = PI * ratio / length * (t as f64 - 2.0 * length - k as f64 * pause);
            (1.0 - 2.0 * phase * phase) * (-phase * phase).exp()
        };
        let gap = size.div_ceil(50);
        let receivers = (0..size).step_by(gap).flat_map(|k| {
            let last = size - 1;
            [place(0, k), place(last, k), place(k, 0), place(k, last)]
        });
        let receivers: Vec<usize> = receivers.collect();
        Shot {
            size,
            depth,
            ratio,
            steps,
            snapshots: 20,
            sources: (0..8).map(source).collect(),
            signals: (0..steps).flat_map(|t| (0..8).map(move |k| signal(t, k))).collect(),
            echoes: vec![0.0; steps * receivers.len()],
            receivers,
            layer: Layer::new(size, depth, ratio),
        }
    }

    /// The same, with what is heard if the speeds are these.
    pub fn heard_through(self, speed: &[f64]) -> Shot {
        let (courant, mut field) = (squares(speed, &self), Field::silent(&self));
        let mut echoes = Vec::with_capacity(self.echoes.len());
        for t in 0..self.steps {
            advance(&mut field, &courant, &self, t);
            echoes.extend(self.receivers.iter().map(|&p| field.u[p]));
        }
        Shot { echoes, ..self }
    }

    /// The same, with so many states kept by [`checkpointed`](super::checkpointed()).
    pub fn with_snapshots(self, snapshots: usize) -> Shot {
        Shot { snapshots, ..self }
    }

    /// What a source adds in a step.
    pub fn signal(&self, step: usize, source: usize) -> f64 {
        self.signals[step * self.sources.len() + source]
    }

    /// What a receiver heard behind a step.
    pub fn heard(&self, step: usize, receiver: usize) -> f64 {
        self.echoes[step * self.receivers.len() + receiver]
    }
}
