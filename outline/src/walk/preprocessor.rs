//! C and C++ code that the preprocessor removes before a compiler parses it.

use super::{blank, branches, macros};
use std::borrow::Cow;

/// Returns the text with macros and other branches blanked; every other byte keeps its position.
pub(crate) fn blanked(text: &str) -> Cow<'_, str> {
    // Macros are judged by the lines around them, which are without conditions then.
    blank::then(branches::blanked(text), macros::blanked)
}
