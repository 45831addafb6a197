//! The desk behind three functions of the C ABI, for a page: the module needs no glue from other tools.
//!
//! The page asks for memory, writes a request there, and calls [`ask`]; it reads the answer where that says. If the module traps, the
//! page reads [`last_words`] and starts another instance: nothing else is left of the old one.

// What is exported is not mangled, and memory from outside is taken by its address.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::sync::Once;

use crate::desk::Desk;

thread_local! {
    static DESK: RefCell<Desk> = RefCell::new(Desk::default());
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
    static WORDS: RefCell<String> = const { RefCell::new(String::new()) };
}

static HOOK: Once = Once::new();

/// Memory for a request of that length.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(len: usize) -> *mut u8 {
    Box::leak(vec![0_u8; len].into_boxed_slice()).as_mut_ptr()
}

/// Answers a request in memory from [`allocate`], which it takes back: address and length of the answer, in two halves. It stays
/// there until the next request.
///
/// # Safety
///
/// `at` is what [`allocate`] returned for `len`, and nothing else uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ask(at: *mut u8, len: usize) -> u64 {
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|panic| WORDS.set(panic.to_string())));
    });
    // SAFETY: the caller hands over what `allocate` leaked.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, len)) };
    let request = String::from_utf8_lossy(&request);
    let answer = DESK.with_borrow_mut(|desk| desk.ask(&request));
    ANSWER.set(answer);
    ANSWER.with_borrow(|answer| halves(answer))
}

/// What a module said before it trapped.
#[unsafe(no_mangle)]
pub extern "C" fn last_words() -> u64 {
    WORDS.with_borrow(|words| halves(words))
}

/// Address and length in the halves of one number.
fn halves(text: &str) -> u64 {
    ((text.as_ptr() as u64) << 32) | text.len() as u64
}
