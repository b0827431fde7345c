//! Running the generated parser.

use std::ops::ControlFlow;
use tree_sitter::{Language, ParseOptions, ParseState, Parser, Tree};

/// The parser asks once in so many operations whether to go on; a valid file takes less than one operation a byte.
const OPERATIONS_PER_CALL: usize = 100;
const OPERATIONS_PER_BYTE: usize = 4;
const FREE_OPERATIONS: usize = 1_000_000;

/// The file's tree. Nothing where finding a place for every error would take too long: the limit is a count, not a
/// time, so that the same file has the same outline everywhere.
#[inline(never)]
pub(super) fn parse(language: &Language, text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    let mut left = (text.len() * OPERATIONS_PER_BYTE + FREE_OPERATIONS) / OPERATIONS_PER_CALL;
    let mut goes_on = |_: &ParseState| match left.checked_sub(1) {
        Some(rest) => {
            left = rest;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    };
    let options = ParseOptions::new().progress_callback(&mut goes_on);
    let bytes = text.as_bytes();
    let mut input = |offset: usize, _| bytes.get(offset..).unwrap_or_default();
    parser.parse_with_options(&mut input, None, Some(options))
}
