//! Strongly connected components, in an order in which each comes after those it points to.

/// Vertices by component. The components are in such an order; vertices within one are in ascending order.
pub(super) struct Components {
    vertices: Vec<u32>,
    ends: Vec<u32>,
}

/// What the search knows about a vertex.
#[derive(Clone, Copy)]
struct Found {
    /// When it was found.
    index: u32,
    /// When the first was found that it leads to, as far as is known, and [`CLOSED`] once its component is complete.
    low: u32,
}

const UNSEEN: u32 = u32::MAX;
const CLOSED: u32 = u32::MAX;

impl Components {
    /// By Tarjan's algorithm, with a stack of its own: `successors(v, k)` is the vertex that the k-th edge of v points to. If `roots`, which
    /// are all vertices, begin with those that others lead to, the search never goes far, and memory is read in order.
    pub(super) fn new(
        n: usize,
        roots: impl Iterator<Item = usize>,
        successors: impl Fn(usize, usize) -> Option<usize>,
    ) -> Components {
        let mut found = vec![Found { index: UNSEEN, low: 0 }; n];
        let (mut open, mut path): (Vec<u32>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
        let mut components = Components { vertices: Vec::with_capacity(n), ends: Vec::new() };
        let mut count = 0;
        for root in roots {
            if found[root].index == UNSEEN {
                path.push((root as u32, 0));
            }
            while let Some(&mut (v, ref mut edge)) = path.last_mut() {
                let at = v as usize;
                if *edge == 0 {
                    found[at] = Found { index: count, low: count };
                    open.push(v);
                    count += 1;
                }
                let next = successors(at, *edge as usize);
                *edge += 1;
                match next {
                    Some(w) if found[w].index == UNSEEN => path.push((w as u32, 0)),
                    Some(w) if found[w].low != CLOSED => found[at].low = found[at].low.min(found[w].index),
                    Some(_) => {}
                    None => {
                        path.pop();
                        if let Some(&(parent, _)) = path.last() {
                            let low = found[at].low;
                            let parent = &mut found[parent as usize];
                            parent.low = parent.low.min(low);
                        }
                        if found[at].low == found[at].index {
                            let first = components.vertices.len();
                            while let Some(w) = open.pop() {
                                found[w as usize].low = CLOSED;
                                components.vertices.push(w);
                                if w == v {
                                    break;
                                }
                            }
                            components.vertices[first..].sort_unstable();
                            components.ends.push(components.vertices.len() as u32);
                        }
                    }
                }
            }
        }
        components
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.vertices[begin as usize..end as usize])
    }
}
