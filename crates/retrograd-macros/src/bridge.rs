//! Tokens cross the bridge to rustc twice: once on the way in, once on the way out.
//!
//! Every operation on a token of rustc is a call across that bridge, and the compiler makes, joins and copies very many. So it
//! works on tokens of its own, those that `proc_macro2` has outside of rustc. They cannot hold a span of rustc; instead each
//! stands at a place in a line of letters, and a table says which span that place means.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use proc_macro::{Span, TokenTree};
use proc_macro2::TokenStream;
use retrograd_compiler::span::{Spans, with_spans};

/// What rustc calls the crate of a macro by example. It is no word that anybody could write, so it stays behind on the way in.
const CRATE: &str = "__retrograd_dollar_crate";

/// Expands tokens of rustc by a function on tokens of its own.
pub(crate) fn expand<const N: usize>(
    inputs: [proc_macro::TokenStream; N],
    function: fn([TokenStream; N]) -> TokenStream,
) -> proc_macro::TokenStream {
    proc_macro2::fallback::force();
    let table = Rc::new(Table::default());
    let inputs = inputs.map(|input| table.enter(input));
    let output = with_spans(table.clone(), || function(inputs));
    table.leave(output)
}

/// The spans of rustc behind places in texts.
#[derive(Default)]
struct Table {
    entries: RefCell<Vec<Entry>>,
    /// Where the names of generated code are at home.
    mixed_site: RefCell<Option<proc_macro2::Span>>,
    /// Places with the names of other places: every run of a program asks for the same ones.
    resolved: RefCell<HashMap<(Place, Place), proc_macro2::Span>>,
    /// Which expansion of a macro a place belongs to.
    contexts: RefCell<HashMap<Place, u32>>,
}

/// The entry of a place; what the expansion made has none.
type Place = Option<usize>;

struct Entry {
    span: Span,
    /// The token itself, where it cannot be made of its text.
    original: Option<TokenTree>,
}

thread_local! {
    /// The places that there are: all expansions of a thread use the same ones.
    static PLACES: RefCell<Vec<proc_macro2::Span>> = const { RefCell::new(Vec::new()) };
}

/// How many letters the first text has; each of the others has twice as many as the one before.
const LETTERS: usize = 256;

impl Table {
    fn enter(&self, stream: proc_macro::TokenStream) -> TokenStream {
        stream.into_iter().map(|tree| self.enter_tree(tree)).collect()
    }

    fn enter_tree(&self, tree: TokenTree) -> proc_macro2::TokenTree {
        let span = self.place(tree.span());
        let mut entered = match &tree {
            TokenTree::Group(group) => {
                let delimiter = match group.delimiter() {
                    proc_macro::Delimiter::Parenthesis => proc_macro2::Delimiter::Parenthesis,
                    proc_macro::Delimiter::Brace => proc_macro2::Delimiter::Brace,
                    proc_macro::Delimiter::Bracket => proc_macro2::Delimiter::Bracket,
                    proc_macro::Delimiter::None => proc_macro2::Delimiter::None,
                };
                proc_macro2::Group::new(delimiter, self.enter(group.stream())).into()
            }
            TokenTree::Ident(ident) => self.enter_word(&ident.to_string(), span, &tree),
            TokenTree::Punct(punct) => {
                let spacing = match punct.spacing() {
                    proc_macro::Spacing::Joint => proc_macro2::Spacing::Joint,
                    proc_macro::Spacing::Alone => proc_macro2::Spacing::Alone,
                };
                proc_macro2::Punct::new(punct.as_char(), spacing).into()
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                match text.parse() {
                    // A literal that is parsed makes a text of its own, and the more there are, the longer it takes to find one.
                    Ok(number) if is_plain(&text) => proc_macro2::Literal::usize_unsuffixed(number).into(),
                    _ => match text.parse::<proc_macro2::Literal>() {
                        Ok(literal) => literal.into(),
                        Err(_) => self.enter_word(CRATE, span, &tree),
                    },
                }
            }
        };
        entered.set_span(span);
        entered
    }

    fn enter_word(&self, text: &str, span: proc_macro2::Span, tree: &TokenTree) -> proc_macro2::TokenTree {
        let raw = text.strip_prefix("r#");
        match raw {
            Some(raw) => proc_macro2::Ident::new_raw(raw, span).into(),
            None if text.starts_with('$') || text == CRATE => {
                if let Some(entry) = index(span).and_then(|i| self.entries.borrow_mut().get_mut(i).map(|_| i)) {
                    self.entries.borrow_mut()[entry].original = Some(tree.clone());
                }
                proc_macro2::Ident::new(CRATE, span).into()
            }
            None => proc_macro2::Ident::new(text, span).into(),
        }
    }

    fn leave(&self, stream: TokenStream) -> proc_macro::TokenStream {
        stream.into_iter().map(|tree| self.leave_tree(tree)).collect()
    }

    fn leave_tree(&self, tree: proc_macro2::TokenTree) -> TokenTree {
        let span = self.meant(tree.span());
        match tree {
            proc_macro2::TokenTree::Group(group) => {
                let delimiter = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => proc_macro::Delimiter::Parenthesis,
                    proc_macro2::Delimiter::Brace => proc_macro::Delimiter::Brace,
                    proc_macro2::Delimiter::Bracket => proc_macro::Delimiter::Bracket,
                    proc_macro2::Delimiter::None => proc_macro::Delimiter::None,
                };
                // What nobody else holds is moved out of its group, not copied.
                let inside = group.stream();
                drop(group);
                let mut group = proc_macro::Group::new(delimiter, self.leave(inside));
                group.set_span(span);
                group.into()
            }
            proc_macro2::TokenTree::Ident(ident) => {
                let text = ident.to_string();
                if text == CRATE
                    && let Some(original) =
                        index(ident.span()).and_then(|i| self.entries.borrow().get(i)?.original.clone())
                {
                    return original;
                }
                match text.strip_prefix("r#") {
                    Some(raw) => proc_macro::Ident::new_raw(raw, span).into(),
                    None => proc_macro::Ident::new(&text, span).into(),
                }
            }
            proc_macro2::TokenTree::Punct(punct) => {
                let spacing = match punct.spacing() {
                    proc_macro2::Spacing::Joint => proc_macro::Spacing::Joint,
                    proc_macro2::Spacing::Alone => proc_macro::Spacing::Alone,
                };
                let mut punct = proc_macro::Punct::new(punct.as_char(), spacing);
                punct.set_span(span);
                punct.into()
            }
            proc_macro2::TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let mut literal = match text.parse() {
                    Ok(number) if is_plain(&text) => proc_macro::Literal::usize_unsuffixed(number),
                    _ => text.parse().expect("a literal has the text of a literal"),
                };
                literal.set_span(span);
                literal.into()
            }
        }
    }

    /// A place that means this span.
    fn place(&self, span: Span) -> proc_macro2::Span {
        let mut entries = self.entries.borrow_mut();
        entries.push(Entry { span, original: None });
        PLACES.with_borrow_mut(|places| {
            if places.len() < entries.len() {
                more_places(places);
            }
            places[entries.len() - 1]
        })
    }

    /// The span that a place means. What has no place was made by the expansion.
    fn meant(&self, place: proc_macro2::Span) -> Span {
        let entries = self.entries.borrow();
        index(place).and_then(|i| entries.get(i)).map_or_else(Span::call_site, |entry| entry.span)
    }
}

/// Adds the letters of one more text. They stand in a line of its own, and none stands where a line begins: that is where the
/// tokens stand that have no place.
fn more_places(places: &mut Vec<proc_macro2::Span>) {
    let text = (places.len() / LETTERS + 1).ilog2();
    let line = format!("{}{}", "\n".repeat(text as usize + 1), " a".repeat(LETTERS << text));
    let letters: TokenStream = line.parse().expect("letters are tokens");
    places.extend(letters.into_iter().map(|letter| letter.span()));
}

/// The entry of a place: by the text it stands in, which is told by its line, and by its column.
fn index(place: proc_macro2::Span) -> Place {
    let start = place.start();
    let (text, column) = (start.line.checked_sub(2)?, start.column.checked_sub(1)?);
    Some((LETTERS << text) - LETTERS + column / 2)
}

/// Whether a text is that of a number as it is written by itself.
fn is_plain(text: &str) -> bool {
    text == "0" || !text.starts_with(['0', '+'])
}

impl Spans for Table {
    fn mixed_site(&self) -> proc_macro2::Span {
        if let Some(place) = *self.mixed_site.borrow() {
            return place;
        }
        let place = self.place(Span::mixed_site());
        *self.mixed_site.borrow_mut() = Some(place);
        place
    }

    fn resolved_at(&self, place: proc_macro2::Span, names: proc_macro2::Span) -> proc_macro2::Span {
        let key = (index(place), index(names));
        if let Some(known) = self.resolved.borrow().get(&key) {
            return *known;
        }
        let resolved = self.place(self.meant(place).resolved_at(self.meant(names)));
        self.resolved.borrow_mut().insert(key, resolved);
        resolved
    }

    fn context(&self, place: proc_macro2::Span) -> u32 {
        let key = index(place);
        if let Some(known) = self.contexts.borrow().get(&key) {
            return *known;
        }
        // rustc has no other word for it: a span is shown as `#4 bytes(17..20)`, where 4 is the expansion.
        let text = format!("{:?}", self.meant(place));
        let number = text.strip_prefix('#').and_then(|rest| rest.split(' ').next()).and_then(|n| n.parse().ok());
        let context = number.unwrap_or_default();
        self.contexts.borrow_mut().insert(key, context);
        context
    }

    fn line_column(&self, place: proc_macro2::Span) -> (u32, u32) {
        let span = self.meant(place);
        (span.line() as u32, span.column() as u32)
    }
}
