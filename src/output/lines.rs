//! Lines as a reader sees them: without colours and overwritten text, with single spaces.

use super::HAS_ROOM;
use std::borrow::Cow;

const ESCAPE: u8 = 0x1b;

/// Returns the position of the end of the current line, which began with `line` and continues in `rest`; `last` is the
/// last byte before that. A line of JSON, however long, is read object by object: it ends before each that begins in it.
pub fn line_end(line: &[u8], last: &[u8], rest: &[u8]) -> Option<usize> {
    if !HAS_ROOM || line.first().or(rest.first()) != Some(&b'{') {
        return memchr::memchr(b'\n', rest);
    }
    let begins_object = |at: usize| {
        let before = at.checked_sub(1).map_or(last.first(), |at| rest.get(at));
        (at > 0 || !line.is_empty()) && matches!(before, Some(b',' | b':' | b'['))
    };
    let mut ends = memchr::memchr2_iter(b'\n', b'{', rest);
    ends.find(|at| rest[*at] == b'\n' || begins_object(*at))
}

/// Returns the text of a line of output, at most `limit` bytes. Borrows it if nothing changes, as for most lines.
pub fn plain_text(line: &[u8], limit: usize) -> Cow<'_, str> {
    let line = line.trim_ascii_end();
    match str::from_utf8(line) {
        Ok(text) if line.len() <= limit && is_plain(line) => Cow::Borrowed(text),
        _ => Cow::Owned(made_plain(line, limit)),
    }
}

/// Returns whether a line needs no change: it has single spaces, no control characters and no build step, and does not
/// end in a replacement character.
fn is_plain(line: &[u8]) -> bool {
    let mut before = b' ';
    let is_single = line.iter().all(|byte| {
        let is_other = *byte > b' ' || (*byte == b' ' && before != b' ');
        before = *byte;
        is_other
    });
    is_single && line.first() != Some(&b'#') && !line.ends_with("\u{fffd}".as_bytes())
}

fn made_plain(line: &[u8], limit: usize) -> String {
    let line = memchr::memrchr(b'\r', line).map_or(line, |at| &line[at + 1..]);
    let line = without_escapes(line);
    let mut plain = Vec::with_capacity(line.len().min(limit));
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    for word in words {
        if plain.len() >= limit {
            break;
        }
        if !plain.is_empty() {
            plain.push(b' ');
        }
        plain.extend_from_slice(word);
    }
    plain.truncate(limit);
    let plain = without_build_step(&plain);
    String::from_utf8_lossy(plain).trim_end_matches('\u{fffd}').to_owned()
}

/// Removes the escape sequences of terminals: colours, cursor movements, titles, links.
fn without_escapes(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(ESCAPE, text) else {
        return Cow::Borrowed(text);
    };
    let mut plain = text[..first].to_vec();
    let mut rest = &text[first..];
    while let [byte, after @ ..] = rest {
        rest = if *byte == ESCAPE {
            behind_escape(after)
        } else {
            plain.push(*byte);
            after
        };
    }
    Cow::Owned(plain)
}

/// Returns the text after an escape sequence; `rest` begins after its first byte.
fn behind_escape(rest: &[u8]) -> &[u8] {
    let end = match rest.first() {
        Some(b'[') => rest.iter().skip(1).position(|b| (0x40..=0x7e).contains(b)).map(|at| at + 2),
        Some(b']') => rest.iter().position(|b| matches!(*b, 0x07 | ESCAPE)).map(|at| {
            // A title ends with a bell, or with an escape and a backslash.
            if rest[at] == ESCAPE { at + 2 } else { at + 1 }
        }),
        Some(0x20..=0x2f) => rest.iter().position(|b| !(0x20..=0x2f).contains(b)).map(|at| at + 1),
        _ => Some(1),
    };
    rest.get(end.unwrap_or(rest.len())..).unwrap_or(&[])
}

/// Removes the step and the time that Docker's builder puts before the output of commands: `#8 0.512 npm error ...`.
fn without_build_step(line: &[u8]) -> &[u8] {
    let mut words = line.splitn(3, |b| *b == b' ');
    let is_number = |word: &[u8]| word.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    match (words.next(), words.next(), words.next()) {
        (Some([b'#', step @ ..]), Some(time), Some(rest))
            if is_number(step) && is_number(time) && time.contains(&b'.') =>
        {
            rest
        }
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::plain_text;

    #[test]
    fn as_a_reader_sees_it() {
        let cases = [
            ("  a \t b  ", "a b"),
            ("\x1b[1m\x1b[31mFAIL\x1b[39m\x1b[22m a", "FAIL a"),
            ("\x1b[38;5;196mred\x1b[0m", "red"),
            ("\x1b]0;title\x07x \x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "x link"),
            ("10 %\r50 %\rdone\r", "done"),
            ("cut \x1b[3", "cut"),
            ("cut \x1b", "cut"),
            ("\x1b(Bplain", "plain"),
            ("#8 0.512 npm error code 1", "npm error code 1"),
            ("#8 DONE 0.1s", "#8 DONE 0.1s"),
            ("# pass 2", "# pass 2"),
            ("a\x01b", "a\x01b"),
            ("a\u{a0}\u{a0}b", "a\u{a0}\u{a0}b"),
            ("a \u{fffd}", "a "),
            ("\u{fffd}a", "\u{fffd}a"),
            ("", ""),
            ("0123456789abc", "0123456789"),
            ("12345678 9äb", "12345678 9"),
        ];
        for (line, plain) in cases {
            let limit =
                if line.starts_with(char::is_numeric) && !line.contains('\r') { 10 } else { 400 };
            assert_eq!(plain_text(line.as_bytes(), limit), plain, "{line:?}");
        }
    }
}
