//! Runs the generated parser.

use super::{allocations, error_runs};
use std::cell::Cell;
use std::ops::ControlFlow;
use tree_sitter::{
    InputEdit, Language, Node, ParseOptions, ParseState, Parser, Point, Range, Tree,
};

/// Number of parser operations per progress call. A valid file takes up to four operations per byte (a table of single
/// digits), most less than one.
const OPERATIONS_PER_CALL: usize = 100;
const OPERATIONS_PER_BYTE: usize = 4;

/// Number of allocations. A valid file takes up to four per byte, most less than one; small headers of C++ read as C take
/// up to 16. At each error the parser tries all reductions down the whole stack, which is no operation, but allocates.
const ALLOCATIONS_PER_BYTE: usize = 10;

/// Number of bytes passed to the parser at once. A valid file is passed little more than once; but if nothing ends a
/// comment or string, some scanners search for its end up to the end of the file, from each position at which one might
/// begin.
const BYTES_AT_ONCE: usize = 16 << 10;
const TIMES_GIVEN: usize = 16;

/// What a parser may take besides what it may for each byte.
struct Free {
    operations: usize,
    allocations: usize,
    bytes: usize,
}

const FREE: Free = Free { operations: 1_000_000, allocations: 500_000, bytes: 8 << 20 };
/// For a part of a file: a file may have thousands.
const FREE_IN_PART: Free = Free { operations: 10_000, allocations: 10_000, bytes: 100_000 };

/// Parses a file. Returns `None` if recovering from its errors, or finding the end of an unterminated comment or
/// string, would take too long. The limits are counts, not times, so that a file has the same outline everywhere.
pub(super) fn parse(language: &Language, text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    parse_in_parts(&mut parser, text, Position::default(), &FREE)
}

/// Like [`parse`], for the text between two brackets.
pub(super) fn parse_between(
    language: &Language,
    text: &str,
    (open, close): (Node, Node),
) -> Option<Tree> {
    let range = Range {
        start_byte: open.end_byte(),
        end_byte: close.start_byte(),
        start_point: open.end_position(),
        end_point: close.start_position(),
    };
    let mut parser = Parser::new();
    parser.set_language(language).ok()?;
    parser.set_included_ranges(&[range]).ok()?;
    let start = Position { byte: range.start_byte, point: range.start_point };
    parse_in_parts(&mut parser, text.get(..range.end_byte)?, start, &FREE_IN_PART)
}

#[derive(Clone, Copy, Default)]
struct Position {
    byte: usize,
    point: Point,
}

impl Position {
    /// Returns the position of a byte behind this one.
    fn of(self, text: &str, byte: usize) -> Self {
        let between = text.as_bytes().get(self.byte..byte).unwrap_or_default();
        let rows = memchr::memchr_iter(b'\n', between).count();
        let column = memchr::memrchr(b'\n', between)
            .map_or(self.point.column + between.len(), |last| between.len() - last - 1);
        Self { byte, point: Point { row: self.point.row + rows, column } }
    }

    /// Describes that a text that ended here goes on to another position.
    fn extended_to(self, end: Self) -> InputEdit {
        InputEdit {
            start_byte: self.byte,
            old_end_byte: self.byte,
            new_end_byte: end.byte,
            start_position: self.point,
            old_end_position: self.point,
            new_end_position: end.point,
        }
    }
}

/// Parses a text from `start` to its end: parts with many comments first (see [`error_runs`]), then the whole.
#[inline(never)]
fn parse_in_parts(parser: &mut Parser, text: &str, start: Position, free: &Free) -> Option<Tree> {
    let (mut known, mut end): (Option<Tree>, _) = (None, start);
    for byte in error_runs::ends_of_parts(text, start.byte) {
        let next = end.of(text, byte);
        if let Some(tree) = &mut known {
            tree.edit(&end.extended_to(next));
        }
        let tree = parse_once(parser, text.get(..byte)?, byte - start.byte, known.as_ref(), free)?;
        if error_runs::has_long_run(tree.root_node()) {
            return None;
        }
        (known, end) = (Some(tree), next);
    }
    parse_once(parser, text, text.len() - start.byte, None, free)
}

/// Parses a text. `size`: number of bytes to parse. `known`: the tree of an earlier parse, told what changed since.
#[inline(never)]
fn parse_once(
    parser: &mut Parser,
    text: &str,
    size: usize,
    known: Option<&Tree>,
    free: &Free,
) -> Option<Tree> {
    let mut left = (size * OPERATIONS_PER_BYTE + free.operations) / OPERATIONS_PER_CALL;
    let to_give = Cell::new(Some(size * TIMES_GIVEN + free.bytes));
    let max_allocations = size * ALLOCATIONS_PER_BYTE + free.allocations;
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
    let tree = parser.parse_with_options(&mut input, known, Some(options));
    tree.filter(|_| to_give.get().is_some())
}
