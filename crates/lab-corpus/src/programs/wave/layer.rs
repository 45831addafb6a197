//! A layer that waves enter and do not leave: perfectly matched, so that nothing is reflected where it begins.
//!
//! Inside of the layer the wave u obeys, after Grote and Sim (2010),
//!
//! ```text
//! ∂²u/∂t² + (a + b) ∂u/∂t + a b u = c² Δu + ∂φ/∂x + ∂ψ/∂y
//! ∂φ/∂t = −a φ + c² (b − a) ∂u/∂x
//! ∂ψ/∂t = −b ψ + c² (a − b) ∂u/∂y
//! ```
//!
//! where a grows with the distance from the model along x, and b along y. In the model both are zero, and so are φ and ψ: the wave
//! equation is left. All is discretised around the middle of a step, φ at the right edge of a cell and ψ at its lower edge.

/// An absorbing layer around a square model: its cells, one after the other, and what a step does in each.
///
/// A place is the number of a cell, or comes behind all cells: the outermost cells of the model, called the rim, and at last a place
/// where the wave is always zero.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The places to the west, east, north and south of each cell.
    pub around: Vec<[usize; 4]>,
    /// The cells to the west and north of each cell, or the number of cells where there is no layer.
    pub before: Vec<[usize; 2]>,
    /// What the last change of the wave is multiplied by.
    pub keep: Vec<f64>,
    /// What the waves around are multiplied by.
    pub speed: Vec<f64>,
    /// What the wave itself is multiplied by.
    pub pull: Vec<f64>,
    /// What differences of φ and ψ are multiplied by.
    pub gain: Vec<f64>,
    /// What φ and ψ are multiplied by.
    pub fade: Vec<[f64; 2]>,
    /// What is added to φ and ψ, for each difference of the wave.
    pub feed: Vec<[f64; 2]>,
    /// The cells of the model that touch the layer, in a model that has a ring of cells around it.
    pub rim: Vec<usize>,
    /// The cells of that ring, without its corners, and the cells of the layer that they are.
    pub ring: Vec<[usize; 2]>,
}

/// Where a cell is.
#[derive(Clone, Copy)]
enum Spot {
    Layer(usize),
    Rim(usize),
    Outside,
}

impl Layer {
    /// A layer that is `depth` cells wide, around a square of `size` by `size` cells, in which a wave goes `ratio` cells in a step.
    ///
    /// ```
    /// use lab_corpus::programs::wave::Layer;
    ///
    /// let layer = Layer::new(10, 3, 0.5);
    /// assert_eq!((layer.cells(), layer.rim.len(), layer.ring.len()), (16 * 16 - 10 * 10, 36, 40));
    /// assert!(layer.keep.iter().all(|keep| keep.abs() < 1.0));
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no model, or no layer.
    pub fn new(size: usize, depth: usize, ratio: f64) -> Layer {
        assert!(size > 0 && depth > 0, "a model of {size} by {size} cells in a layer of {depth}");
        let grid = Grid::new(size, depth);
        let cells = grid.cells.len();
        let mut layer = Layer {
            around: Vec::with_capacity(cells),
            before: Vec::with_capacity(cells),
            keep: Vec::with_capacity(cells),
            speed: Vec::with_capacity(cells),
            pull: Vec::with_capacity(cells),
            gain: Vec::with_capacity(cells),
            fade: Vec::with_capacity(cells),
            feed: Vec::with_capacity(cells),
            rim: grid.rim.clone(),
            ring: grid.ring(),
        };
        let square = ratio * ratio;
        for &(row, column) in &grid.cells {
            let place = |row, column| match grid.spot(row, column) {
                Spot::Layer(cell) => cell,
                Spot::Rim(place) => cells + place,
                Spot::Outside => cells + grid.rim.len(),
            };
            let cell = |row, column| match grid.spot(row, column) {
                Spot::Layer(cell) => cell,
                Spot::Rim(_) | Spot::Outside => cells,
            };
            let (west, north) = (column.wrapping_sub(1), row.wrapping_sub(1));
            layer.around.push([place(row, west), place(row, column + 1), place(north, column), place(row + 1, column)]);
            layer.before.push([cell(row, west), cell(north, column)]);
            // Coordinates in half cells: a cell has its middle at an odd number, and its edges at even ones.
            let [a, b] = [column, row].map(|at| grid.friction(2 * at + 1, ratio));
            let gain = 1.0 / (1.0 + 0.5 * (a + b));
            layer.keep.push((1.0 - 0.5 * (a + b)) * gain);
            layer.speed.push(square * gain);
            layer.pull.push((4.0 * square + a * b) * gain);
            layer.gain.push(gain);
            let [at_right, below] = [column, row].map(|at| grid.friction(2 * at + 2, ratio));
            let edges = [(at_right, b), (below, a)];
            layer.fade.push(edges.map(|(along, _)| (1.0 - 0.5 * along) / (1.0 + 0.5 * along)));
            layer.feed.push(edges.map(|(along, across)| square * (across - along) / (1.0 + 0.5 * along)));
        }
        layer
    }

    /// How many cells it has.
    pub fn cells(&self) -> usize {
        self.keep.len()
    }

    /// How many places there are.
    pub fn places(&self) -> usize {
        self.cells() + self.rim.len() + 1
    }
}

/// The cells of a square model and of the layer around it.
struct Grid {
    size: usize,
    depth: usize,
    /// Row and column of each cell of the layer.
    cells: Vec<(usize, usize)>,
    /// The rim of the model.
    rim: Vec<usize>,
    /// What is in each row and column.
    spots: Vec<Spot>,
}

impl Grid {
    fn new(size: usize, depth: usize) -> Grid {
        let whole = size + 2 * depth;
        let mut grid = Grid { size, depth, cells: Vec::new(), rim: Vec::new(), spots: Vec::new() };
        let (model, inside) = (depth..depth + size, depth + 1..(depth + size).saturating_sub(1));
        for row in 0..whole {
            for column in 0..whole {
                grid.spots.push(if !(model.contains(&row) && model.contains(&column)) {
                    grid.cells.push((row, column));
                    Spot::Layer(grid.cells.len() - 1)
                } else if !(inside.contains(&row) && inside.contains(&column)) {
                    grid.rim.push((row - depth + 1) * (size + 2) + column - depth + 1);
                    Spot::Rim(grid.rim.len() - 1)
                } else {
                    Spot::Outside
                });
            }
        }
        grid
    }

    /// What is in a row and column. Those that do not exist are outside.
    fn spot(&self, row: usize, column: usize) -> Spot {
        let whole = self.size + 2 * self.depth;
        if row < whole && column < whole { self.spots[row * whole + column] } else { Spot::Outside }
    }

    /// The ring around the model, and the cells of the layer that it consists of.
    fn ring(&self) -> Vec<[usize; 2]> {
        let sides = (1..=self.size).flat_map(|k| [(0, k), (self.size + 1, k), (k, 0), (k, self.size + 1)]);
        let cell = |(row, column): (usize, usize)| match self.spot(row + self.depth - 1, column + self.depth - 1) {
            Spot::Layer(cell) => [row * (self.size + 2) + column, cell],
            Spot::Rim(_) | Spot::Outside => unreachable!("the ring is in the layer"),
        };
        sides.map(cell).collect()
    }

    /// The friction along one coordinate, which is given in half cells, for one step. It grows with the square of the way into the layer, to such an extent
    /// that of a wave that goes straight in and comes back from the end of the layer, a ten-thousandth is left.
    fn friction(&self, at: usize, ratio: f64) -> f64 {
        let (first, last) = (2 * self.depth, 2 * (self.depth + self.size));
        let inwards = first.saturating_sub(at).max(at.saturating_sub(last)) as f64 / (2 * self.depth) as f64;
        1.5 * ratio / self.depth as f64 * 1e4_f64.ln() * inwards * inwards
    }
}
