//! Strongly connected components, in an order in which each comes after those it points to.

/// Vertices by component. The components are in such an order; vertices within one are in ascending order.
pub(super) struct Components {
    vertices: Vec<usize>,
    ends: Vec<usize>,
}

impl Components {
    /// By Tarjan's algorithm, with a stack of its own: `successors(v, k)` is the vertex that the k-th edge of v points to.
    pub(super) fn new(n: usize, successors: impl Fn(usize, usize) -> Option<usize>) -> Components {
        const UNSEEN: usize = usize::MAX;
        let mut index = vec![UNSEEN; n];
        let mut low = vec![0; n];
        let mut is_open = vec![false; n];
        let (mut open, mut path) = (Vec::new(), Vec::new());
        let mut components = Components { vertices: Vec::with_capacity(n), ends: Vec::new() };
        let mut count = 0;
        for root in 0..n {
            if index[root] == UNSEEN {
                path.push((root, 0));
            }
            while let Some(&mut (v, ref mut edge)) = path.last_mut() {
                if *edge == 0 {
                    (index[v], low[v], is_open[v]) = (count, count, true);
                    open.push(v);
                    count += 1;
                }
                let next = successors(v, *edge);
                *edge += 1;
                match next {
                    Some(w) if index[w] == UNSEEN => path.push((w, 0)),
                    Some(w) if is_open[w] => low[v] = low[v].min(index[w]),
                    Some(_) => {}
                    None => {
                        path.pop();
                        if let Some(&(parent, _)) = path.last() {
                            low[parent] = low[parent].min(low[v]);
                        }
                        if low[v] == index[v] {
                            let begin = open.iter().rposition(|&w| w == v).unwrap_or_default();
                            let first = components.vertices.len();
                            components.vertices.extend(open.drain(begin..));
                            let component = &mut components.vertices[first..];
                            component.sort_unstable();
                            component.iter().for_each(|&w| is_open[w] = false);
                            components.ends.push(components.vertices.len());
                        }
                    }
                }
            }
        }
        components
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.vertices[begin..end])
    }
}
