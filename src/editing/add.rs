//! Adds text at the beginning or end of a file.

use super::change::{Change, Edited, apply};
use super::{MARK, chars};

/// Appends `text` to a file, or creates the file if `content` is absent. Adds no line break: to start a new line in a
/// file without a final line feed, `text` must begin with one.
pub fn append_to_file(content: Option<&[u8]>, path: &str, text: &str) -> Edited {
    let before = content.unwrap_or_default();
    let message = format!("Appended {} chars to {path}", chars(text));
    let change = Change { before: before.len()..before.len(), text: text.as_bytes() };
    apply(path, before, &[change], message, content.is_none())
}

/// Adds `text` at the beginning of a file, after its byte order mark, or creates the file if `content` is absent. A mark
/// of the text is left out if the file has one.
pub fn prepend_to_file(content: Option<&[u8]>, path: &str, text: &str) -> Edited {
    let before = content.unwrap_or_default();
    let is_marked = before.starts_with(MARK.as_bytes());
    let start = if is_marked { MARK.len() } else { 0 };
    let text = text.strip_prefix(MARK).filter(|_| is_marked).unwrap_or(text);
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
        let marks: [(&str, &str, &str); 4] = [
            ("\u{feff}a\n", "\u{feff}x\n", "\u{feff}x\na\n"),
            ("\u{feff}a\n", "\u{feff}\u{feff}x\n", "\u{feff}\u{feff}x\na\n"),
            ("\u{feff}", "\u{feff}", "\u{feff}"),
            ("a\n", "\u{feff}x\n", "\u{feff}x\na\n"),
        ];
        for (before, text, after) in marks {
            let edited = prepend_to_file(Some(before.as_bytes()), "w.md", text);
            assert_eq!(edited.content, after.as_bytes(), "{text:?} before {before:?}");
        }
        assert_eq!(append_to_file(Some(b"a\n"), "w.md", "").diff, "");
    }
}
