//! The lines of a text, counted like those of the read tool (`src/reading` of the engine).

/// A text and the offsets of its lines. Lines count from 0 here, and from 1 in outlines.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
    terminator: char,
    /// Whether a carriage return before the line feed is part of the line end: only if all lines end that way.
    drops_return: bool,
}

/// The byte order mark, which is not part of the text.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

impl<'t> Lines<'t> {
    /// Splits a text into lines. Lines end with a line feed, or with a carriage return if the text has no line feed. A
    /// final line end does not start another line; a byte order mark is not part of any line.
    #[inline(never)]
    pub fn of(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let begin = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let has_feed = memchr::memchr(b'\n', bytes).is_some();
        let terminator = if has_feed { b'\n' } else { b'\r' };
        let mut starts = Vec::new();
        let mut drops_return = has_feed;
        let mut start = begin;
        for end in memchr::memchr_iter(terminator, bytes) {
            starts.push(start);
            start = end + 1;
            drops_return &= end > 0 && bytes.get(end - 1) == Some(&b'\r');
        }
        if start < bytes.len() {
            starts.push(start);
        }
        Self { text, starts, terminator: char::from(terminator), drops_return }
    }

    /// Returns the number of lines.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns a line's text without its line end; empty after the last line.
    pub fn get(&self, line: usize) -> &'t str {
        let Some(&start) = self.starts.get(line) else { return "" };
        let end = self.starts.get(line + 1).copied().unwrap_or(self.text.len());
        let text = self.text.get(start..end).unwrap_or_default();
        match text.strip_suffix(self.terminator) {
            Some(ended) if self.drops_return => ended.strip_suffix('\r').unwrap_or(ended),
            Some(ended) => ended,
            None => text,
        }
    }

    /// Returns the line that contains a byte.
    pub fn at(&self, byte: usize) -> usize {
        self.starts.partition_point(|&start| start <= byte).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn are_those_of_the_read_tool() {
        let cases: [(&str, &[&str]); 10] = [
            ("", &[]),
            ("a", &["a"]),
            ("a\n", &["a"]),
            ("a\n\nb", &["a", "", "b"]),
            ("a\r\nb\r\n", &["a", "b"]),
            ("a\r\nb\n", &["a\r", "b"]),
            ("a\rb\r", &["a", "b"]),
            ("\na\r", &["", "a\r"]),
            ("a\r\nb\r", &["a", "b\r"]),
            ("\u{feff}a\nb", &["a", "b"]),
        ];
        for (text, expected) in cases {
            let lines = Lines::of(text);
            let found: Vec<&str> = (0..lines.len()).map(|line| lines.get(line)).collect();
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn know_their_bytes() {
        let lines = Lines::of("ab\nc\n");
        assert_eq!([0, 2, 3, 4].map(|byte| lines.at(byte)), [0, 0, 1, 1]);
    }
}
