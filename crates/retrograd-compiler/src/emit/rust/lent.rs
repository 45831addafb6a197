//! Several elements of one container may be arguments of one call: rustc sees one borrow of the container then, so they are taken
//! out of it together.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::body::Emitter;
use crate::hygiene::{fresh, numbered};
use crate::ir::{Arg, ArgKind, Expr, ExprKind, Place, Projection, Stmt};

/// One argument that is a reference into a variable.
struct Reference<'a> {
    number: usize,
    place: &'a Place,
    changed: bool,
}

/// References into one container that rustc would not accept together.
pub(super) struct Group<'a> {
    members: Vec<Reference<'a>>,
    /// How many steps lead to the container, if it can lend the elements all at once.
    container: Option<usize>,
}

impl Group<'_> {
    /// Whether the container compares the elements of both arguments when it lends them.
    pub(super) fn compares(&self, a: usize, b: usize) -> bool {
        let is_member = |number| self.members.iter().any(|reference| reference.number == number);
        self.container.is_some() && is_member(a) && is_member(b)
    }

    /// The steps that lead to the container: up to the first index in which two members differ.
    fn depth(&self) -> usize {
        let pairs = self.members.iter().flat_map(|a| self.members.iter().map(move |b| (a.place, b.place)));
        let parted = pairs.filter(|(a, b)| a.differs_by_index(b)).map(|(a, b)| a.parting(b).0.path.len());
        parted.min().unwrap_or_default()
    }
}

/// An element of a container that is taken out of it.
struct Element {
    index: Expr,
    changed: bool,
    name: Ident,
}

impl Emitter<'_> {
    /// Groups of references that rustc would not accept together.
    pub(super) fn conflicts<'a>(&self, args: &'a [Arg]) -> Vec<Group<'a>> {
        let references = args.iter().enumerate().filter_map(|(number, arg)| match &arg.kind {
            ArgKind::Change(place) => Some(Reference { number, place, changed: true }),
            ArgKind::Borrow(place) => Some(Reference { number, place, changed: false }),
            ArgKind::Value(_) | ArgKind::Host(_) => None,
        });
        let references: Vec<Reference<'a>> = references.collect();
        let conflict = |a: &Reference<'_>, b: &Reference<'_>| {
            a.number != b.number && (a.changed || b.changed) && a.place.differs_by_index(b.place)
        };
        let (clashing, others): (Vec<_>, Vec<_>) = {
            let clashes: Vec<bool> = references.iter().map(|a| references.iter().any(|b| conflict(a, b))).collect();
            references.into_iter().zip(clashes).partition(|(_, clashes)| *clashes)
        };
        let mut groups: Vec<Group<'a>> = Vec::new();
        for (reference, _) in clashing {
            // What has another element of the same container belongs together, and so do groups that it belongs to.
            let is_near = |group: &Group<'a>| group.members.iter().any(|m| m.place.differs_by_index(reference.place));
            let (near, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(is_near);
            let members = near.into_iter().flat_map(|group| group.members).chain([reference]).collect();
            groups = others.into_iter().chain([Group { members, container: None }]).collect();
        }
        // While the container lends some of its elements, it lends all of them.
        for (reference, _) in others {
            let inside = |group: &&mut Group<'a>| {
                let (first, depth) = (group.members[0].place, group.depth());
                let shared = reference.place.parting(first).0.path.len();
                first.root == reference.place.root && shared >= depth && reference.place.path.len() > depth
            };
            if let Some(group) = groups.iter_mut().find(inside) {
                group.members.push(reference);
            }
        }
        for group in &mut groups {
            let depth = group.depth();
            let first = group.members[0].place;
            let lendable = |reference: &Reference<'_>| {
                let alike = reference.place.path[..depth] == first.path[..depth];
                alike && reference.place.is_whole_element(depth)
            };
            group.container = group.members.iter().all(lendable).then_some(depth);
        }
        groups
    }

    /// Takes elements of one container out of it: all at once where the container can do that, else by copying them
    /// out and back in.
    pub(super) fn take_out(
        &self,
        group: &Group<'_>,
        stmt: &Stmt,
        written: &mut [TokenStream],
        before: &mut TokenStream,
        after: &mut TokenStream,
    ) {
        let w = self.writer;
        let Some(depth) = group.container else {
            for reference in &group.members {
                let (element, place) = (numbered("element", reference.number), w.place(reference.place));
                if reference.changed {
                    before.extend(quote!(let mut #element = #place;));
                    written[reference.number] = quote!(&mut #element);
                    after.extend(quote!(#place = #element;));
                } else {
                    before.extend(quote!(let #element = #place;));
                    written[reference.number] = quote!(&#element);
                }
            }
            return;
        };
        let group = &group.members;
        let first = group[0].place;
        let container = Place { path: first.path[..depth].to_vec(), ..first.clone() };
        let container_tokens = w.receiver(&container);
        let index = |reference: &Reference<'_>| match &reference.place.path[depth] {
            Projection::Index(index) => index.clone(),
            Projection::Deref | Projection::Field(_) | Projection::Some => {
                Expr::new(ExprKind::Tuple(Vec::new()), reference.place.span)
            }
        };
        // Places in the same element share it; what some of them change is changed.
        let mut elements: Vec<Element> = Vec::new();
        let mut element_of = Vec::new();
        for reference in group {
            let index = index(reference);
            let known = elements.iter().position(|element| element.index == index);
            let position = known.unwrap_or(elements.len());
            if known.is_none() {
                elements.push(Element { index, changed: false, name: numbered("element", reference.number) });
            }
            elements[position].changed |= reference.changed;
            element_of.push(position);
        }
        let is_range = |e: &Expr| crate::analysis::index::may_be_range(self.context.vars, e);
        let any_range = elements.iter().any(|element| is_range(&element.index));
        before.extend(self.lent(&elements, &container_tokens, any_range, stmt));
        for (reference, element) in group.iter().zip(element_of) {
            let Element { index, name, .. } = &elements[element];
            let mut element = quote!((*#name));
            if any_range && !is_range(index) {
                element = quote!(#element[0]);
            }
            for step in &reference.place.path[depth + 1..] {
                element = match step {
                    Projection::Deref => quote!((*#element)),
                    Projection::Field(member) => quote!(#element.#member),
                    Projection::Index(index) => {
                        let index = w.expr(index);
                        quote!(#element[#index])
                    }
                    Projection::Some => element,
                };
            }
            written[reference.number] = match reference.changed {
                true => quote!(&mut #element),
                false => quote!(&#element),
            };
        }
    }

    /// Statements that take elements out of their container. Of those that are only read, several may be the same.
    fn lent(&self, elements: &[Element], container: &TokenStream, any_range: bool, stmt: &Stmt) -> TokenStream {
        let index = |element: &&Element| {
            let tokens = self.writer.expr(&element.index);
            if any_range { quote!((#tokens).to_range(#container.len())) } else { tokens }
        };
        let (changed, read): (Vec<&Element>, Vec<&Element>) = elements.iter().partition(|element| element.changed);
        let site = self.site(stmt);
        // Which of the traits a call uses depends on its container.
        let traits = quote!(
            #[allow(unused_imports)]
            use ::retrograd::private::{Disjoint as _, ToRange as _};
        );
        if read.len() < 2 {
            let (names, indices) = (elements.iter().map(|element| &element.name), elements.iter().map(|e| index(&e)));
            let listed = fresh("indices");
            return quote! {
                #traits
                let #listed = [#(#indices),*];
                let [#(#names),*] = #container.disjoint_mut(#listed, #site);
            };
        }
        let names = |elements: &[&Element]| elements.iter().map(|element| element.name.clone()).collect::<Vec<_>>();
        let (changed_indices, read_indices) = (changed.iter().map(index), read.iter().map(index));
        let (listed, looked_at) = (fresh("indices"), fresh("read"));
        let (changed_names, read_names) = (names(&changed), names(&read));
        quote! {
            #traits
            let (#listed, #looked_at) = ([#(#changed_indices),*], [#(#read_indices),*]);
            let ([#(#changed_names),*], [#(#read_names),*]) = #container.changed_and_read(#listed, #looked_at, #site);
        }
    }
}
