//! Tests in single brackets: `[ "$a" "$op" 5 ]`. The grammar reads an expression in them, but the shell calls a
//! command, whose operators may be in variables. They are written as one word, a command: `xxxxxxxxxxxxxx`.

use crate::text::blank::Overwritten;

/// Maximum bytes of a test.
const MAX_TEST: usize = 500;

/// Writes letters for tests. In texts and comments that changes nothing.
pub(super) fn overwrite(text: &str, into: &mut Overwritten) {
    let bytes = text.as_bytes();
    let mut next = 0;
    for at in memchr::memchr_iter(b'[', bytes) {
        if at < next || !begins_word(bytes, at) {
            continue;
        }
        let Some(end) = closing(bytes, at) else { continue };
        if bytes.get(at..end).is_some_and(is_on_one_line) {
            into.fill(at..end + 1, b'x');
        } else {
            // What looks like its text may be a here-document and what is below: `[ don't`.
            into.fill(at..at + 1, b'x');
            into.fill(end..end + 1, b'x');
        }
        next = end;
    }
}

/// Returns whether the bracket at an offset is the first byte of a word, and the last.
fn begins_word(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    before.is_none_or(|byte| b" \t\n;&|(!{`".contains(byte)) && is_space(bytes.get(at + 1))
}

fn is_space(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| b" \t\\".contains(byte))
}

/// Returns whether all line ends of a test are escaped.
fn is_on_one_line(test: &[u8]) -> bool {
    test.windows(2).all(|pair| !pair.ends_with(b"\n") || pair.starts_with(b"\\"))
}

/// Returns the offset of the word `]` that ends the test at an offset. None does if the command ends before.
fn closing(bytes: &[u8], start: usize) -> Option<usize> {
    let last = bytes.len().min(start + MAX_TEST);
    let mut at = start + 1;
    // Commands in the test: `$(...)`.
    let mut open = 0_usize;
    while at < last {
        match *bytes.get(at)? {
            b'\\' => at += 1,
            quote @ (b'"' | b'\'' | b'`') => at = end_of_text(bytes, at, quote)?,
            b'(' => open += 1,
            b')' => open = open.checked_sub(1)?,
            b';' | b'&' | b'|' | b'\n' if open == 0 => return None,
            b']' if open == 0 && is_word(bytes, at) => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns whether the bracket at an offset is a word of its own.
fn is_word(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
    before.is_some_and(|byte| b" \t\n".contains(byte))
        && bytes.get(at + 1).is_none_or(|byte| b" \t\r\n;&|)<>`".contains(byte))
}

/// Returns the offset of the quote that closes the one at an offset.
fn end_of_text(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let last = bytes.len().min(start + MAX_TEST);
    let mut at = start + 1;
    while at < last {
        match *bytes.get(at)? {
            b'\\' if quote != b'\'' => at += 1,
            byte if byte == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::overwrite;
    use crate::text::blank::Overwritten;

    fn written(text: &str) -> String {
        let mut into = Overwritten::new(text);
        overwrite(text, &mut into);
        into.text().into_owned()
    }

    #[test]
    fn tests_are_written_as_commands() {
        let cases = [
            ("[ \"$a\" \"$b\" ] || c", "xxxxxxxxxxxxx || c"),
            ("if [ a ]&&! [ b ]; then", "if xxxxx&&! xxxxx; then"),
            ("x=$([ $(a | b) = ']' ])", "x=$(xxxxxxxxxxxxxxxxxx)"),
            ("[ a == \\\n  -1 ]\n[ \\] ]", "xxxxxxxx\nxxxxxx\nxxxxxx"),
            ("[ \"$(a\nb)\" ]", "x \"$(a\nb)\" x"),
        ];
        for (text, expected) in cases {
            assert_eq!(written(text), expected);
        }
    }

    #[test]
    fn other_brackets_stay() {
        for text in [
            "[[ a ]]",
            "a[0]=b a[ 1 ]=c",
            "[a-z]* [ab]",
            "case a in [ab]) ;; esac",
            "$[ 1 + 2 ]",
            "[ a\n]",
            "[ a; ]",
            "[ \"a ]",
            "a=([ 1 ]=b)",
            "${a%%[ ]*}",
        ] {
            assert_eq!(written(text), text);
        }
    }
}
