//! Overwrites text that a parser would reject. Every other byte keeps its position.

use std::borrow::Cow;
use std::ops::Range;

/// A text, and a copy of it as soon as something is overwritten.
pub(crate) struct Overwritten<'t> {
    text: &'t str,
    bytes: Vec<u8>,
}

impl<'t> Overwritten<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, bytes: Vec::new() }
    }

    /// Overwrites each byte of a range. Line ends are kept.
    pub fn fill(&mut self, range: Range<usize>, with: u8) {
        let bytes = self.bytes(range);
        bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = with);
    }

    /// Overwrites what is at an offset with a word.
    pub fn write(&mut self, start: usize, word: &str) {
        let bytes = self.bytes(start..start + word.len());
        bytes.iter_mut().zip(word.bytes()).for_each(|(byte, with)| *byte = with);
    }

    fn bytes(&mut self, range: Range<usize>) -> &mut [u8] {
        if self.bytes.is_empty() {
            self.bytes = self.text.as_bytes().to_vec();
        }
        self.bytes.get_mut(range).unwrap_or_default()
    }

    /// Returns the text as it was if a range ended within a character.
    pub fn text(self) -> Cow<'t, str> {
        match String::from_utf8(self.bytes) {
            Ok(text) if !text.is_empty() => Cow::Owned(text),
            _ => Cow::Borrowed(self.text),
        }
    }
}

/// Overwrites what is left of a text after another overwriting.
#[cfg(any(
    feature = "bash",
    feature = "c",
    feature = "cpp",
    feature = "csharp",
    feature = "javascript",
    feature = "rust",
    feature = "tsx",
    feature = "typescript"
))]
pub(crate) fn then<'t>(text: Cow<'t, str>, next: crate::grammar::Overwrite) -> Cow<'t, str> {
    match text {
        Cow::Borrowed(text) => next(text),
        Cow::Owned(text) => Cow::Owned(next(&text).into_owned()),
    }
}

/// Blanks ranges of a text, from first to last: a range is blanked from the end of those before it in the list.
#[cfg(any(
    feature = "c",
    feature = "cpp",
    feature = "csharp",
    feature = "javascript",
    feature = "tsx",
    feature = "typescript"
))]
pub(crate) fn blank<'t>(text: &'t str, hidden: &[Range<usize>]) -> Cow<'t, str> {
    let mut overwritten = Overwritten::new(text);
    let mut next = 0;
    for range in hidden {
        let start = range.start.max(next);
        if start < range.end {
            overwritten.fill(start..range.end, b' ');
            next = range.end;
        }
    }
    overwritten.text()
}
