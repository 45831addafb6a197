//! Which equation determines which unknown: a maximum flow from the inputs of a program to its outputs.

use super::system::System;
use super::{Error, Value};
use crate::numbers::Node;

/// One unknown for each equation that determines it, and the other way round.
///
/// The equation of a node that is no part of the flow determines its own value. Along a path of the flow, it determines
/// the value that the node is computed from: run backwards, the node is overwritten by that.
#[derive(Clone)]
pub(super) struct Matching {
    unknown: Vec<u32>,
    equation: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Matching {
    /// The unknown that an equation determines.
    #[inline]
    pub(super) fn unknown(&self, equation: usize) -> usize {
        self.unknown[equation] as usize
    }

    /// The equation that determines an unknown.
    #[inline]
    pub(super) fn equation(&self, unknown: usize) -> usize {
        self.equation[unknown] as usize
    }

    /// By the algorithm of Hopcroft and Karp, beginning with what a program that computes in place needs.
    pub(super) fn new(system: &System, nodes: &[Node]) -> Result<Matching, Error> {
        let mut matching = Matching::in_place(system);
        if !matching.unknown.contains(&NONE) {
            return Ok(matching);
        }
        let mut search = Search::new(system.len());
        while search.layers(system, &matching) {
            search.augment(system, &mut matching);
        }
        match matching.unknown.contains(&NONE) {
            false => Ok(matching),
            true => Err(search.cut(system, nodes)),
        }
    }

    /// Each value overwrites an operand that is not needed any more, if there is one.
    fn in_place(system: &System) -> Matching {
        let n = system.len();
        let mut uses = vec![0_u32; n];
        for unknown in (0..n).flat_map(|i| system.parents(i)).chain(system.outputs().iter().copied().flatten()) {
            uses[unknown] += 1;
        }
        let mut matching = Matching { unknown: vec![NONE; n], equation: vec![NONE; n] };
        for node in system.inputs()..n {
            system.parents(node).for_each(|parent| uses[parent] -= 1);
            // A parent that nothing determines yet ends a path from an input.
            let ended = system.parents(node).find(|&parent| uses[parent] == 0 && matching.equation[parent] == NONE);
            matching.pair(node, ended.unwrap_or(node));
        }
        for (output, unknown) in system.outputs().iter().enumerate() {
            if let Some(unknown) = *unknown
                && matching.equation[unknown] == NONE
            {
                matching.pair(output, unknown);
            }
        }
        matching
    }

    fn pair(&mut self, equation: usize, unknown: usize) {
        (self.unknown[equation], self.equation[unknown]) = (unknown as u32, equation as u32);
    }
}

/// The shortest alternating paths from equations that determine nothing.
struct Search {
    distance: Vec<u32>,
    /// How many of its unknowns have been tried by each equation.
    tried: Vec<u8>,
    queue: Vec<usize>,
}

impl Search {
    fn new(n: usize) -> Search {
        Search { distance: vec![NONE; n], tried: vec![0; n], queue: Vec::with_capacity(n) }
    }

    /// The distance of each equation from one that determines nothing, and whether a path leads to a free unknown.
    fn layers(&mut self, system: &System, matching: &Matching) -> bool {
        self.distance.fill(NONE);
        self.tried.fill(0);
        self.queue.clear();
        self.queue.extend((0..system.len()).filter(|&equation| matching.unknown[equation] == NONE));
        self.queue.iter().for_each(|&equation| self.distance[equation] = 0);
        let (mut next, mut found) = (0, false);
        while let Some(&equation) = self.queue.get(next) {
            next += 1;
            for unknown in system.unknowns(equation) {
                match matching.equation[unknown] {
                    NONE => found = true,
                    other if self.distance[other as usize] == NONE => {
                        self.distance[other as usize] = self.distance[equation] + 1;
                        self.queue.push(other as usize);
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// Moves equations along paths that have no equation in common.
    fn augment(&mut self, system: &System, matching: &mut Matching) {
        let mut path: Vec<(usize, usize)> = Vec::new();
        for start in (0..system.len()).filter(|&equation| self.distance[equation] == 0) {
            let mut equation = start;
            path.clear();
            loop {
                let unknown = system.unknowns(equation).nth(self.tried[equation] as usize);
                self.tried[equation] = self.tried[equation].saturating_add(1);
                match unknown {
                    Some(unknown) if matching.equation[unknown] == NONE => {
                        path.push((equation, unknown));
                        path.iter().for_each(|&(equation, unknown)| matching.pair(equation, unknown));
                        break;
                    }
                    Some(unknown) => {
                        let other = matching.equation(unknown);
                        if self.distance[other] == self.distance[equation] + 1 {
                            path.push((equation, unknown));
                            equation = other;
                        }
                    }
                    None => match path.pop() {
                        Some((before, _)) => equation = before,
                        None => break,
                    },
                }
            }
        }
    }

    // The equations that the last search has reached contain fewer unknowns than they are. Those unknowns whose own equations it has
    // not reached, and the outputs that it has not, separate the inputs from the outputs.
    fn cut(&self, system: &System, nodes: &[Node]) -> Error {
        let n = system.inputs();
        let reached = |equation: usize| self.distance[equation] != NONE;
        let mut cut: Vec<usize> = (0..system.len())
            .filter(|&equation| reached(equation))
            .flat_map(|equation| system.unknowns(equation))
            .filter(|&unknown| unknown < n || !reached(unknown))
            .chain((0..n).filter(|&output| !reached(output)).filter_map(|output| system.outputs()[output]))
            .map(|unknown| system.node(unknown))
            .collect();
        cut.sort_unstable();
        cut.dedup();
        let cut: Vec<Value> = cut.into_iter().map(|node| Value::new(nodes, node)).collect();
        Error::StructurallySingular { rank: cut.len(), cut }
    }
}
