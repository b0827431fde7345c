//! Lines as a reader sees them: without colours and overwritten text, with single spaces.

use super::HAS_ROOM;
use super::colours::behind_colour;
use crate::text::{last_of, split_at_last, valid_start};
use std::borrow::Cow;

/// Bytes of a line that are read, including escape sequences.
pub const RAW_LIMIT: usize = 1000;
/// Bytes of an object of JSON that are read: the name of Jest's test stands behind the stacks of its failures.
pub const OBJECT_LIMIT: usize = 16_000;

/// Returns how many bytes of a line are read, which has begun with these.
pub fn limit_of(line: &[u8]) -> usize {
    if HAS_ROOM && line.first() == Some(&b'{') { OBJECT_LIMIT } else { RAW_LIMIT }
}

/// Begins a control sequence of a terminal.
pub const ESCAPE: u8 = 0x1b;

/// Returns the position of the end of the current line, which began with `line` and continues in `rest`; `last` is the
/// last byte before that. A line of JSON, however long, is read object by object: it ends before each that begins in it.
/// A line that begins with a tag, or is in a report, ends before each tag that follows another.
pub fn line_end(line: &[u8], last: Option<u8>, rest: &[u8], in_report: bool) -> Option<usize> {
    let first = match line.first().or(rest.first()) {
        Some(b'{') => b'{',
        first if HAS_ROOM && (in_report || first == Some(&b'<')) => b'<',
        _ => return memchr::memchr(b'\n', rest),
    };
    let begins_piece = |at: usize| {
        let before = at.checked_sub(1).map_or(last, |at| rest.get(at).copied());
        let follows = if first == b'{' {
            matches!(before, Some(b',' | b':' | b'['))
        } else {
            before == Some(b'>')
        };
        (at > 0 || !line.is_empty()) && follows
    };
    let mut ends = memchr::memchr2_iter(b'\n', first, rest);
    ends.find(|at| rest[*at] == b'\n' || begins_piece(*at))
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
    let line = last_of(b"\r", line).map_or(line, |at| &line[at + 1..]);
    let line = without_escapes(not_erased(line));
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
    valid_start(plain).trim_end_matches('\u{fffd}').to_owned()
}

/// Returns the text behind the last movement to the first column, or erasure of the line, if there is any behind it.
fn not_erased(line: &[u8]) -> &[u8] {
    const MARKS: [&[u8]; 3] = [b"\x1b[1G", b"\x1b[G", b"\x1b[2K"];
    let behind_mark = |at: usize| MARKS.iter().find_map(|mark| line[at..].strip_prefix(*mark));
    let behind = (0..line.len()).rev().filter(|at| line[*at] == ESCAPE).find_map(behind_mark);
    behind.filter(|rest| !without_escapes(rest).trim_ascii().is_empty()).unwrap_or(line)
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

/// Returns what stands behind the times and names of jobs that a runner of jobs puts before each line, as printed:
/// `2026-11-26T10:00:01.2Z FAIL a`, `[test] FAIL a`, `web-1  | FAIL a`, `app:test: FAIL a`.
pub fn behind_prefix(line: &[u8]) -> Option<&[u8]> {
    let line = behind_colour(line);
    let mut behind = behind_job(line).or_else(|| behind_name(line))?;
    // The date before the time, or a time before a name.
    for _ in 0..2 {
        behind = behind_name(behind).unwrap_or(behind);
    }
    Some(behind)
}

/// Returns whether a line stands above those of several jobs, each behind the name of its job: turbo's `• Running test in 2
/// packages`, pnpm's `Scope: 2 of 3 workspace projects`.
pub fn heads_jobs(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_turbo = line.starts_with("• Running ".as_bytes())
        && (line.ends_with(b" packages") || line.ends_with(b" package"));
    is_turbo || (line.starts_with(b"Scope: ") && line.ends_with(b" workspace projects"))
}

/// Returns what stands behind a job, its step and a time, as in a log of GitHub's.
fn behind_job(line: &[u8]) -> Option<&[u8]> {
    let is_space = |at: &usize| matches!(line[*at], b' ' | b'\t');
    let mut start = 0;
    for end in (0..line.len().min(RANGE)).filter(is_space).take(8) {
        let word = &line[start..end];
        start = end + 1;
        if word.len() >= "2026-11-26T10:00:01".len() && is_time(&plain_text(word, RANGE)) {
            return Some(&line[start..]);
        }
    }
    None
}

/// Bytes of a line in which a prefix ends.
const RANGE: usize = 120;

fn behind_name(line: &[u8]) -> Option<&[u8]> {
    let end = memchr::memchr2(b' ', b'\t', line).filter(|end| (1..RANGE).contains(end))?;
    let (word, rest) = (plain_text(&line[..end], RANGE), &line[end + 1..]);
    let is_hour = rest.starts_with(b"AM") || rest.starts_with(b"PM");
    if (is_time(&word) && !is_hour) || is_job(&word) || is_task(&word) || is_stream(&word) {
        return Some(rest);
    }
    if let Some(rest) = behind_script(&word, rest) {
        return Some(rest);
    }
    let rest = rest.trim_ascii_start().strip_prefix(b"|").filter(|_| is_numbered(&word))?;
    let rest = behind_colour(rest);
    Some(rest.strip_prefix(b" ").unwrap_or(rest))
}

fn in_brackets(word: &str) -> Option<&str> {
    word.strip_prefix('[')?.strip_suffix(']')
}

const LEVELS: [&str; 7] = ["warn", "warning", "error", "info", "debug", "success", "note"];

/// `[test]`, `[0]`, `[@x/app]:`; not the level of a message.
fn is_job(word: &str) -> bool {
    let word = word.strip_suffix(':').unwrap_or(word);
    in_brackets(word).is_some_and(|name| {
        let is_first =
            |first: char| first.is_ascii_lowercase() || first.is_ascii_digit() || first == '@';
        name.starts_with(is_first) && !name.ends_with('%') && !LEVELS.contains(&name)
    })
}

/// `web-1`, the name of a container.
fn is_numbered(word: &str) -> bool {
    let name = split_at_last(b"-_", word);
    name.is_some_and(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns what stands behind a package and its script, as pnpm puts them: `packages/app test: FAIL a`.
fn behind_script<'a>(package: &str, rest: &'a [u8]) -> Option<&'a [u8]> {
    let end = memchr::memchr(b' ', rest)?;
    let script = str::from_utf8(&rest[..end]).ok()?.strip_suffix(':')?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_:".contains(&byte);
    let is_package = (package.contains('/') || package == ".") && !package.ends_with(':');
    let is_script = script.bytes().all(is_name) && !LEVELS.contains(&script);
    (is_package && is_script).then(|| &rest[end + 1..])
}

/// `01O`, `00E+`: the number and kind of a stream, behind the time of GitLab's.
fn is_stream(word: &str) -> bool {
    let signs = word.strip_suffix('+').unwrap_or(word);
    matches!(signs.as_bytes(), [b'0'..=b'9', b'0'..=b'9', b'O' | b'E'])
}

/// `app:test:`, a package and its task; `@x/app:`, a package.
fn is_task(word: &str) -> bool {
    if word.starts_with('@') && word.contains('/') && word.ends_with(':') {
        return true;
    }
    let names = word.strip_suffix(':').and_then(|names| names.split_once(':'));
    let is_name = |name: &str| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@');
    names.is_some_and(|(package, task)| is_name(package) && task.split(':').all(is_name))
}

/// Returns whether a word is a date or a time: `2026-11-26`, `10:00:01.2`, `[10:00:01]`, `2026-11-26T10:00:01Z`.
fn is_time(word: &str) -> bool {
    let word = in_brackets(word).unwrap_or(word);
    let is_part = |byte: u8| byte.is_ascii_digit() || b"-:.,TZ+".contains(&byte);
    let count = |sign: u8| word.bytes().filter(|byte| *byte == sign).count();
    word.starts_with(|first: char| first.is_ascii_digit())
        && word.bytes().all(is_part)
        && (count(b':') > 1 || count(b'-') > 1)
}

#[cfg(test)]
mod tests {
    use super::{behind_prefix, plain_text};

    #[test]
    fn what_runners_of_jobs_put_before_each_line() {
        for (line, rest) in [
            ("2026-11-26T10:00:01.2Z FAIL a", Some("FAIL a")),
            ("build\tRun tests\t2026-11-26T10:00:01.1234567Z FAIL a", Some("FAIL a")),
            ("2026-11-26 10:00:01 FAIL a", Some("FAIL a")),
            ("[10:00:01] FAIL a", Some("FAIL a")),
            ("[test] FAIL a", Some("FAIL a")),
            ("[0] FAIL a", Some("FAIL a")),
            ("web-1  |   FAIL a", Some("  FAIL a")),
            ("\x1b[36mweb-1  |\x1b[0m FAIL a", Some("FAIL a")),
            ("@x/app:test: FAIL a", Some("FAIL a")),
            ("@x/app: FAIL a", Some("FAIL a")),
            ("[@x/app]: FAIL a", Some("FAIL a")),
            ("packages/app test: FAIL a", Some("FAIL a")),
            (". test:unit: FAIL a", Some("FAIL a")),
            ("2026-11-26T10:00:01.123456Z 01O FAIL a", Some("FAIL a")),
            ("2026-11-26T10:00:01.123456Z 00E+FAIL a", Some("00E+FAIL a")),
            ("lib/a.c error: a", None),
            ("src/a.c:3: error: a", None),
            ("[INFO] BUILD SUCCESS", None),
            ("[100%] Built target a", None),
            ("[main 1a2b3c4] FAIL a", None),
            ("src/a.c:3:5: error: a", None),
            ("error: a", None),
            ("12 | FAIL a", None),
            ("name | FAIL a", None),
            ("FAIL a", None),
            ("[warn] a.js", None),
            ("10:00:01 PM - Found 0 errors.", None),
            ("", None),
        ] {
            assert_eq!(behind_prefix(line.as_bytes()), rest.map(str::as_bytes), "{line}");
        }
    }

    #[test]
    fn as_a_reader_sees_it() {
        let cases = [
            ("  a \t b  ", "a b"),
            ("\x1b[1m\x1b[31mFAIL\x1b[39m\x1b[22m a", "FAIL a"),
            ("\x1b[38;5;196mred\x1b[0m", "red"),
            ("\x1b]0;title\x07x \x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "x link"),
            ("10 %\r50 %\rdone\r", "done"),
            ("src/a.js\x1b[2K\x1b[1GAll matched", "All matched"),
            ("done\x1b[1G\x1b[?25h", "done"),
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
