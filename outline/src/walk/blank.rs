//! Replaces text with blanks to hide it from a parser.

use std::ops::Range;

/// Blanks ranges of a text, which must be in order. Line ends are kept.
pub(crate) fn blank(text: &str, hidden: &[Range<usize>]) -> String {
    let mut blank = String::with_capacity(text.len());
    let mut next = 0;
    for range in hidden.iter().filter(|range| !range.is_empty()) {
        let start = range.start.max(next);
        blank.push_str(text.get(next..start).unwrap_or_default());
        let inside = text.as_bytes().get(start..range.end).unwrap_or_default();
        blank.extend(inside.iter().map(|&byte| if byte == b'\n' { '\n' } else { ' ' }));
        next = range.end.max(next);
    }
    blank.push_str(text.get(next..).unwrap_or_default());
    blank
}
