//! Line ends that an edit changes. Reads do not show them, so a model that sends others does not know it.

/// Which line ends a text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LineEnds {
    lf: bool,
    crlf: bool,
}

impl LineEnds {
    fn of(text: &[u8]) -> Self {
        let is_crlf = |at: usize| at > 0 && text[at - 1] == b'\r';
        let mut ends = Self { lf: false, crlf: false };
        for at in memchr::memchr_iter(b'\n', text) {
            *(if is_crlf(at) { &mut ends.crlf } else { &mut ends.lf }) = true;
            if ends.lf && ends.crlf {
                break;
            }
        }
        ends
    }
}

/// Adds a warning to an edit's message if all lines ended with LF, or all with CRLF, and some end otherwise now.
pub(super) fn with_warning(message: String, path: &str, before: &[u8], after: &[u8]) -> String {
    let (old, new) = (LineEnds::of(before), LineEnds::of(after));
    let (was, is) = match (old.lf, old.crlf) {
        (true, false) if new.crlf => ("LF", "CRLF"),
        (false, true) if new.lf => ("CRLF", "LF"),
        _ => return message,
    };
    let now = if new.lf && new.crlf { ", and some end" } else { " and end" };
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
            ("a\rb", "a\nb", ""),
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
