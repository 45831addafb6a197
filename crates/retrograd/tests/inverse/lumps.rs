//! Lumps: against trying all cuts, in any order of a run, and as a drawing.

use super::Random;
use retrograd::inverse::Modes;
use retrograd::numbers::Graph;
use retrograd::{Real, trace};

/// The nodes of each lump by trying all sets of nodes that may have been computed: those that no cut of full width separates.
fn lumps_by_trying(graph: &Graph) -> Vec<Vec<usize>> {
    let (n, nodes) = (graph.inputs(), graph.nodes());
    let outputs: Vec<usize> = graph.outputs().flatten().collect();
    let mut alive = vec![false; nodes.len()];
    outputs.iter().for_each(|&output| alive[output] = true);
    for i in (0..nodes.len()).rev().filter(|&i| i >= n) {
        if alive[i] {
            nodes[i].partials().for_each(|(parent, _)| alive[parent] = true);
        }
    }
    let inner: Vec<usize> = (n..nodes.len()).filter(|&i| alive[i]).collect();
    let cuts: Vec<Vec<bool>> = (0..1_u32 << inner.len())
        .map(|set| {
            let mut computed = vec![false; nodes.len()];
            computed[..n].fill(true);
            inner.iter().enumerate().for_each(|(bit, &node)| computed[node] = set >> bit & 1 == 1);
            computed
        })
        .filter(|computed| {
            inner.iter().all(|&i| !computed[i] || nodes[i].partials().all(|(parent, _)| computed[parent]))
        })
        .filter(|computed| {
            let is_used = |i: usize| inner.iter().any(|&j| !computed[j] && nodes[j].partials().any(|(p, _)| p == i));
            let is_live = |i: &usize| computed[*i] && (outputs.contains(i) || is_used(*i));
            (0..nodes.len()).filter(is_live).count() == n
        })
        .collect();
    let mut lumps: Vec<Vec<usize>> = Vec::new();
    for &node in &inner {
        let together = |lump: &&mut Vec<usize>| cuts.iter().all(|cut| cut[lump[0]] == cut[node]);
        match lumps.iter_mut().find(together) {
            Some(lump) => lump.push(node),
            None => lumps.push(vec![node]),
        }
    }
    lumps.sort();
    lumps
}

#[test]
fn lumps_are_those_of_all_cuts() {
    let (mut tried, mut seed) = (0, 1_000_000);
    while tried < 10_000 {
        seed += 1;
        let mut random = Random(seed);
        let inputs = 1 + random.below(4);
        let operations = 1 + random.below(8);
        let program = random.program(inputs, operations);
        let graph = trace(&random.numbers(inputs), |x| {
            // One node for each operation, so that all sets can be tried.
            let mut values = x.to_vec();
            for &(operation, a, b) in &program.operations {
                let (a, b) = (values[a], values[b]);
                values.push(if operation % 3 == 0 { a.sin() } else { a * b });
            }
            program.outputs.iter().map(|&output| values[output]).collect::<Vec<_>>()
        });
        let Ok(modes) = graph.clone().inverse() else { continue };
        let mut found: Vec<Vec<usize>> = modes.lumps().iter().map(|lump| lump.nodes().to_vec()).collect();
        // Each lump comes after those that it needs.
        let mut computed: Vec<usize> = (0..inputs).collect();
        for lump in modes.lumps() {
            computed.extend(lump.nodes());
            for &node in lump.nodes() {
                assert!(graph.nodes()[node].partials().all(|(parent, _)| computed.contains(&parent)));
            }
            assert!(lump.width() >= 1 && lump.width() <= lump.nodes().len());
        }
        found.sort();
        assert_eq!(found, lumps_by_trying(&graph), "{program:?}");
        tried += 1;
    }
}

#[test]
fn lumps_do_not_depend_on_the_order_of_a_run() {
    // Two orders of the same operations; a greedy choice of the fewest live values finds a coarser partition in one of them.
    let x = [0.3, 0.7, 1.1];
    let one = trace(&x, |x| {
        let v3 = x[1].sin();
        let v4 = x[2] * v3;
        let v5 = v4 - v3;
        let v6 = x[1].cos();
        let v7 = v5 * x[2];
        vec![x[0], v6, v7]
    });
    let other = trace(&x, |x| {
        let v6 = x[1].cos();
        let v3 = x[1].sin();
        let v4 = x[2] * v3;
        let v5 = v4 - v3;
        let v7 = v5 * x[2];
        vec![x[0], v6, v7]
    });
    let sizes = |graph: Graph| {
        let modes = graph.inverse().unwrap();
        let mut sizes: Vec<_> = modes.lumps().iter().map(|lump| (lump.width(), lump.nodes().len())).collect();
        sizes.sort();
        sizes
    };
    assert_eq!(sizes(one.clone()), [(1, 1), (1, 4)]);
    assert_eq!(sizes(one), sizes(other));
}

/// What a tag of a drawing has in an attribute.
fn attribute(line: &str, name: &str) -> f64 {
    let (_, rest) = line.split_once(&format!("{name}=\"")).unwrap();
    rest.split('"').next().unwrap().parse().unwrap()
}

/// The boxes of a drawing: left, right, top, bottom.
fn boxes(svg: &str) -> Vec<[f64; 4]> {
    let of_lumps = svg.lines().filter(|line| line.starts_with("<rect class"));
    let edges = |line: &str| {
        let (x, y) = (attribute(line, " x"), attribute(line, " y"));
        [x, x + attribute(line, "width"), y, y + attribute(line, "height")]
    };
    of_lumps.map(edges).collect()
}

#[test]
fn a_drawing_has_a_box_for_each_lump_and_none_on_another() {
    let mut tried = 0;
    for seed in 0..300 {
        let mut random = Random(seed);
        let inputs = 1 + random.below(6);
        let operations = 1 + random.below(20);
        let program = random.program(inputs, operations);
        let Ok(modes) = trace(&random.numbers(inputs), |x| program.run(x)).inverse() else { continue };
        let svg = modes.diagram();
        let boxes = boxes(&svg);
        assert_eq!(boxes.len(), modes.lumps().len());
        for (i, a) in boxes.iter().enumerate() {
            let is_apart = |b: &[f64; 4]| a[1] < b[0] || b[1] < a[0] || a[3] < b[2] || b[3] < a[2];
            assert!(boxes[..i].iter().all(is_apart), "{svg}");
            assert!(a[0] > 0.0 && a[1] < attribute(&svg, "width") && a[3] < attribute(&svg, "height"), "{svg}");
        }
        assert_eq!(svg.matches("class=\"name\"").count(), 2 * inputs);
        assert_eq!(svg.matches("<g>").count(), svg.matches("</g>").count());
        tried += 1;
    }
    assert!(tried > 100);
}

#[test]
fn a_drawing_says_what_is_computed_where() {
    let modes: Modes = trace(&[1.0, 2.0, 3.0], |x| {
        let a = x[0] + x[2].sin();
        [a * x[1], a - x[1], x[2]]
    })
    .inverse()
    .unwrap();
    let svg = modes.diagram();
    // The first lump adds a sine to the first line, and the second one changes two lines.
    assert!(svg.contains(&format!("sin at {}", file!())) && svg.contains(">sin +<") && svg.contains(">* -<"), "{svg}");
    let read = svg.lines().filter(|line| line.starts_with("<circle")).count();
    assert_eq!(read, 1);
    assert_eq!(boxes(&svg).len(), 2);
}
