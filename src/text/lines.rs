//! Line ends and line numbers.

/// Returns the byte that ends the lines of `content`: a line feed, or a carriage return if there is no line feed at all
/// (files of classic Mac OS). A carriage return in a text with line feeds ends no line, so that line numbers equal
/// those of compilers, grep and git.
pub fn line_terminator(content: &[u8]) -> u8 {
    let classic = memchr::memchr(b'\n', content).is_none();
    if classic && memchr::memchr(b'\r', content).is_some() { b'\r' } else { b'\n' }
}

/// Returns the line, from 1, of the byte at `position`.
pub fn line_number(content: &[u8], position: usize) -> usize {
    let before = &content[..position.min(content.len())];
    1 + memchr::memchr_iter(line_terminator(content), before).count()
}

/// Returns the line numbers of positions in order, in one pass.
pub fn line_numbers(content: &[u8], positions: impl Iterator<Item = usize>) -> Vec<usize> {
    let terminator = line_terminator(content);
    let (mut line, mut passed) = (1, 0);
    let numbers = positions.map(|position| {
        let between = content.get(passed..position).unwrap_or_default();
        line += memchr::memchr_iter(terminator, between).count();
        passed = position.max(passed);
        line
    });
    numbers.collect()
}

/// Returns the position in bytes at which each line starts. A terminator at the end starts no further line; empty
/// content has no lines.
pub fn line_starts(content: &[u8], terminator: u8) -> Vec<usize> {
    let after = memchr::memchr_iter(terminator, content).map(|end| end + 1);
    let starts = std::iter::once(0).chain(after);
    starts.filter(|start| *start < content.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::{line_number, line_numbers, line_starts, line_terminator};

    #[test]
    fn lines_are_those_of_other_tools() {
        let cases: &[(&str, u8, &[usize])] = &[
            ("", b'\n', &[]),
            ("a", b'\n', &[0]),
            ("a\n", b'\n', &[0]),
            ("\n\n", b'\n', &[0, 1]),
            ("a\r\nb", b'\n', &[0, 3]),
            ("a\rb\nc", b'\n', &[0, 4]),
            ("a\rb\r", b'\r', &[0, 2]),
            ("a\u{2028}b", b'\n', &[0]),
        ];
        for (text, terminator, starts) in cases {
            assert_eq!(line_terminator(text.as_bytes()), *terminator, "{text:?}");
            assert_eq!(line_starts(text.as_bytes(), *terminator), *starts, "{text:?}");
            for (index, start) in starts.iter().enumerate() {
                assert_eq!(line_number(text.as_bytes(), *start), index + 1, "{text:?}");
            }
            let numbers = line_numbers(text.as_bytes(), starts.iter().copied());
            assert_eq!(numbers, (1..=starts.len()).collect::<Vec<_>>(), "{text:?}");
        }
    }
}
