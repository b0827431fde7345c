//! C and C++ code that the preprocessor removes before a compiler parses it.

use super::{branches, macros};
use std::borrow::Cow;

/// Returns the text with macros and other branches blanked; every other byte keeps its position.
pub(crate) fn blanked(text: &str) -> Cow<'_, str> {
    match branches::blanked(text) {
        Cow::Borrowed(text) => macros::blanked(text),
        // Macros are judged by the lines around them, which are without conditions now.
        Cow::Owned(text) => match macros::blanked(&text) {
            Cow::Borrowed(_) => Cow::Owned(text),
            Cow::Owned(blanked) => Cow::Owned(blanked),
        },
    }
}
