//! What of C and C++ the preprocessor takes away before any parser sees it.

use super::{branches, macros};
use std::borrow::Cow;

/// The text with blanks where macros and other branches stand; every other byte keeps its place.
pub(crate) fn blanked(text: &str) -> Cow<'_, str> {
    match macros::blanked(text) {
        Cow::Borrowed(text) => branches::blanked(text),
        Cow::Owned(text) => match branches::blanked(&text) {
            Cow::Borrowed(_) => Cow::Owned(text),
            Cow::Owned(blanked) => Cow::Owned(blanked),
        },
    }
}

/// Blanks ranges of a text, which are in order; the ends of lines stay.
pub(super) fn blank(text: &str, hidden: &[std::ops::Range<usize>]) -> String {
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
