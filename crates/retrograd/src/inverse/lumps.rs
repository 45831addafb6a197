//! The parts of a program between which as many values are alive as there are inputs.

use std::fmt;
use std::sync::Arc;

use super::matching::Matching;
use super::ordering::Components;
use super::system::System;

/// A part of a program that has to be inverted as a whole.
///
/// Before and after it, exactly as many values are alive as the program has inputs. No such cut goes through it, whatever the order
/// of the operations.
///
/// ```
/// use retrograd::trace;
///
/// // A step in place, and then two values that determine each other.
/// let modes = trace(&[1.0, 2.0], |x| {
///     let a = x[0] + x[1] * x[1];
///     [a + x[1], a - x[1]]
/// })
/// .inverse()?;
/// let sizes: Vec<_> = modes.lumps().iter().map(|lump| (lump.width(), lump.nodes().len())).collect();
/// assert_eq!(sizes, [(1, 2), (2, 2)]);
/// # Ok::<(), retrograd::inverse::Error>(())
/// ```
#[derive(Clone)]
pub struct Lump {
    width: u32,
    /// The nodes of all lumps, one after the other.
    all: Arc<Vec<usize>>,
    begin: u32,
    end: u32,
}

impl Lump {
    /// How many values it replaces by others.
    pub fn width(&self) -> usize {
        self.width as usize
    }

    /// Its nodes in the graph, in the order of the run.
    pub fn nodes(&self) -> &[usize] {
        &self.all[self.begin as usize..self.end as usize]
    }
}

impl PartialEq for Lump {
    fn eq(&self, other: &Lump) -> bool {
        (self.width, self.nodes()) == (other.width, other.nodes())
    }
}

impl fmt::Debug for Lump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lump").field("width", &self.width).field("nodes", &self.nodes()).finish()
    }
}

// A cut is a set of nodes that have been computed, closed under operands. It has as many live values as there are inputs exactly when each
// path of the flow has one of them, the last one computed, and there are no others: a node beside the paths has been used by all
// that use it, and so has a node on a path whose successor on that path has been computed. So each node implies others, and nodes
// that imply each other are computed together.
pub(super) fn lumps(system: &System, matching: &Matching) -> Vec<Lump> {
    let n = system.len();
    let users = Users::new(system);
    // The users of a node beside the paths, or of the node before on its path.
    let implied = |node: usize| users.of(matching.unknown(node));
    let components = Components::new(n, 0..n, |node, edge| {
        if node < system.inputs() {
            return None;
        }
        let mut parents = system.parents(node);
        let arity = parents.clone().count();
        match edge < arity {
            true => parents.nth(edge),
            false => implied(node).get(edge - arity).map(|&user| user as usize),
        }
    });
    let parts = || components.iter().filter(|part| part[0] as usize >= system.inputs());
    let all = Arc::new(parts().flatten().map(|&node| system.node(node as usize)).collect());
    let mut lump_of = vec![u32::MAX; n];
    let mut begin = 0;
    let lump = |(lump, part): (usize, &[u32])| {
        part.iter().for_each(|&node| lump_of[node as usize] = lump as u32);
        let enters = |&&node: &&u32| {
            let before = matching.unknown(node as usize);
            before != node as usize && lump_of[before] != lump as u32
        };
        let (width, end) = (part.iter().filter(enters).count() as u32, begin + part.len() as u32);
        Lump { width, all: Arc::clone(&all), begin: std::mem::replace(&mut begin, end), end }
    };
    parts().enumerate().map(lump).collect()
}

/// The nodes that use each value.
struct Users {
    begins: Vec<u32>,
    users: Vec<u32>,
}

impl Users {
    fn new(system: &System) -> Users {
        let n = system.len();
        let mut begins = vec![0; n + 1];
        (0..n).flat_map(|node| system.parents(node)).for_each(|parent| begins[parent + 1] += 1);
        for i in 0..n {
            begins[i + 1] += begins[i];
        }
        let mut next = begins.clone();
        let mut users = vec![0; begins[n] as usize];
        for node in 0..n {
            for parent in system.parents(node) {
                users[next[parent] as usize] = node as u32;
                next[parent] += 1;
            }
        }
        Users { begins, users }
    }

    fn of(&self, node: usize) -> &[u32] {
        &self.users[self.begins[node] as usize..self.begins[node + 1] as usize]
    }
}
