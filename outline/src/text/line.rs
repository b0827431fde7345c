//! Lines and where they are, and the letters of words.

/// A line without its end, and its offset.
pub(crate) type Line<'t> = (usize, &'t str);

/// Returns whether a character is part of a word in most languages.
#[cfg(any(feature = "bash", feature = "c", feature = "cpp", feature = "csharp", feature = "rust"))]
pub(crate) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the lines of a text.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let located = text.split_inclusive('\n').map(|line| {
        start += line.len();
        (start - line.len(), line.trim_end())
    });
    located.collect()
}
