//! Line ends that an edit changes. Reads do not show them, so a model that sends others does not know it.

/// Kinds of line ends. A carriage return ends a line only in a text without line feeds.
const KINDS: [&str; 3] = ["LF", "CRLF", "CR"];

/// Returns which kinds of line ends a text has.
fn kinds(text: &[u8]) -> [bool; 3] {
    let mut found = [false; 3];
    for at in memchr::memchr_iter(b'\n', text) {
        found[usize::from(at > 0 && text[at - 1] == b'\r')] = true;
        if found[0] && found[1] {
            break;
        }
    }
    found[2] = !found[0] && !found[1] && memchr::memchr(b'\r', text).is_some();
    found
}

/// Adds a warning to an edit's message if all lines ended in one way, and some end in another one now.
pub(super) fn with_warning(message: String, path: &str, before: &[u8], after: &[u8]) -> String {
    let (old, new) = (kinds(before), kinds(after));
    let was: Vec<usize> = (0..3).filter(|kind| old[*kind]).collect();
    let other = (0..3).find(|kind| new[*kind] && !old[*kind]);
    let ([was], Some(is)) = (was.as_slice(), other) else { return message };
    let now = if new[*was] { ", and some end" } else { " and end" };
    let (was, is) = (KINDS[*was], KINDS[is]);
    let line = if message.is_empty() { "" } else { "\n" };
    format!("{message}{line}Warning: the lines of {path} ended with {was}{now} with {is} now.")
}

#[cfg(test)]
mod tests {
    use super::with_warning;

    #[test]
    fn line_ends_that_change() {
        let cases = [
            (
                "a\r\nb\r\n",
                "a\r\nc\nb\r\n",
                "Warning: the lines of w.md ended with CRLF, and some end with LF now.",
            ),
            (
                "a\r\nb\r\n",
                "a\nb\n",
                "Warning: the lines of w.md ended with CRLF and end with LF now.",
            ),
            (
                "a\n",
                "a\nb\r\n",
                "Warning: the lines of w.md ended with LF, and some end with CRLF now.",
            ),
            ("a\n", "b\r\n", "Warning: the lines of w.md ended with LF and end with CRLF now."),
            ("a\r\nb\n", "a\nb\n", ""),
            ("a\r\n", "b\r\nc\r\n", ""),
            ("a\r\n", "b", ""),
            ("a", "b\r\nc\n", ""),
            ("a\rb", "a\nb", "Warning: the lines of w.md ended with CR and end with LF now."),
            (
                "a\r\nb\r\n",
                "a\rb\r",
                "Warning: the lines of w.md ended with CRLF and end with CR now.",
            ),
            (
                "a\r\nb\r\n",
                "a\nb\r\n",
                "Warning: the lines of w.md ended with CRLF, and some end with LF now.",
            ),
            ("a\r", "a\rb\r", ""),
            ("a\r\nb\r\n", "ab", ""),
            ("", "\n", ""),
        ];
        for (before, after, expected) in cases {
            let warning = with_warning(String::new(), "w.md", before.as_bytes(), after.as_bytes());
            assert_eq!(warning, expected, "{before:?} {after:?}");
        }
        let message = with_warning("Edited.".to_owned(), "w", b"a\r\n", b"a\n");
        assert_eq!(
            message,
            "Edited.\nWarning: the lines of w ended with CRLF and end with LF now."
        );
    }
}
