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
