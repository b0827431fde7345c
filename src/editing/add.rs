//! Adds text at the beginning or end of a file.

use super::change::{Change, Edited, apply};
use super::chars;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Appends `text` to a file, or creates the file if `content` is absent. Adds no line break: to start a new line in a
/// file without a final line feed, `text` must begin with one.
pub fn append_to_file(content: Option<&[u8]>, path: &str, text: &str) -> Edited {
    let before = content.unwrap_or_default();
    let message = format!("Appended {} chars to {path}", chars(text));
    let change = Change { before: before.len()..before.len(), text: text.as_bytes() };
    apply(path, before, &[change], message, content.is_none())
}

/// Adds `text` at the beginning of a file, after its byte order mark, or creates the file if `content` is absent.
pub fn prepend_to_file(content: Option<&[u8]>, path: &str, text: &str) -> Edited {
    let before = content.unwrap_or_default();
    let start = if before.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let message = format!("Prepended {} chars to {path}", chars(text));
    let change = Change { before: start..start, text: text.as_bytes() };
    apply(path, before, &[change], message, content.is_none())
}

#[cfg(test)]
mod tests {
    use super::{append_to_file, prepend_to_file};

    #[test]
    fn adds_at_the_ends_and_makes_files() {
        let edited = append_to_file(Some(b"a\r\nb"), "w.md", "\n## é");
        assert_eq!(edited.content, "a\r\nb\n## é".as_bytes());
        let warning = "Warning: the lines of w.md ended with CRLF, and some end with LF now.";
        assert_eq!(edited.message, format!("Appended 5 chars to w.md\n{warning}"));
        assert_eq!(
            edited.diff,
            "--- w.md\n+++ w.md\n@@ -1,2 +1,3 @@\n a\r\n-b\n\\ No newline at end of file\n+b\n+## é\n\\ No newline at end of file\n"
        );
        let made = append_to_file(None, "w.md", "x\n");
        assert_eq!(made.diff, "--- /dev/null\n+++ w.md\n@@ -0,0 +1 @@\n+x\n");
        let edited = prepend_to_file(Some(b"\xEF\xBB\xBFa\n"), "w.md", "x\n");
        assert_eq!(edited.content, b"\xEF\xBB\xBFx\na\n");
        assert_eq!(edited.message, "Prepended 2 chars to w.md");
        assert_eq!(append_to_file(Some(b"a\n"), "w.md", "").diff, "");
    }
}
