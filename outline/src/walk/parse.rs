//! Runs the generated parser.

use super::allocations;
use std::cell::Cell;
use std::ops::ControlFlow;
use tree_sitter::{Language, ParseOptions, ParseState, Parser, Tree};

/// Number of parser operations per progress call. A valid file takes up to four operations per byte (a table of single
/// digits), most less than one.
const OPERATIONS_PER_CALL: usize = 100;
const OPERATIONS_PER_BYTE: usize = 4;
const FREE_OPERATIONS: usize = 1_000_000;

/// Number of allocations. A valid file takes up to four per byte, most less than one; small headers of C++ read as C take
/// up to 16. At each error the parser tries all reductions down the whole stack, which is no operation, but allocates.
const ALLOCATIONS_PER_BYTE: usize = 10;
const FREE_ALLOCATIONS: usize = 500_000;

/// Number of bytes passed to the parser at once. A valid file is passed little more than once; but if nothing ends a
/// comment or string, some scanners search for its end up to the end of the file, from each position at which one might
/// begin.
const BYTES_AT_ONCE: usize = 16 << 10;
const TIMES_GIVEN: usize = 16;
const FREE_BYTES: usize = 8 << 20;

/// Parses a file. Returns `None` if recovering from its errors, or finding the end of an unterminated comment or
/// string, would take too long. The limits are counts, not times, so that a file has the same outline everywhere.
#[inline(never)]
pub(super) fn parse(language: &Language, text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    let mut left = (text.len() * OPERATIONS_PER_BYTE + FREE_OPERATIONS) / OPERATIONS_PER_CALL;
    let to_give = Cell::new(Some(text.len() * TIMES_GIVEN + FREE_BYTES));
    let max_allocations = text.len() * ALLOCATIONS_PER_BYTE + FREE_ALLOCATIONS;
    let before = allocations::count();
    let mut goes_on = |_: &ParseState| match (left.checked_sub(1), to_give.get()) {
        (Some(rest), Some(_)) if allocations::since(before) <= max_allocations => {
            left = rest;
            ControlFlow::Continue(())
        }
        _ => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut goes_on);
    let bytes = text.as_bytes();
    let mut input = |offset: usize, _| {
        let rest = bytes.get(offset..).unwrap_or_default();
        let given = rest.get(..BYTES_AT_ONCE).unwrap_or(rest);
        to_give.set(to_give.get().and_then(|left| left.checked_sub(given.len())));
        // Ends the input if the limit is exceeded.
        if to_give.get().is_some() { given } else { &[] }
    };
    let tree = parser.parse_with_options(&mut input, None, Some(options));
    tree.filter(|_| to_give.get().is_some())
}
