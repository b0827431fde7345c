//! Code that the preprocessor removes before a compiler parses it, in C, C++ and C#.

pub(super) mod branches;
#[cfg(any(feature = "c", feature = "cpp"))]
mod enumerations;
#[cfg(any(feature = "c", feature = "cpp"))]
pub(crate) mod macros;

#[cfg(any(feature = "c", feature = "cpp"))]
use crate::text::blank;
#[cfg(any(feature = "c", feature = "cpp"))]
use std::borrow::Cow;

/// Returns the text with macros and other branches blanked; every other byte keeps its position.
#[cfg(any(feature = "c", feature = "cpp"))]
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    let text = blank::then(enumerations::blanked(text), branches::blanked);
    // Macros are judged by the lines around them, which are without conditions then.
    blank::then(text, macros::blanked)
}
