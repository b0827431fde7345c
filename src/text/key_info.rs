//! The facts of a log that outlive it: failures, counts and exit status, found line by line in bounded memory.

use super::keep_start;

const LINE_LIMIT: usize = 400;
const SHOWN_LIMIT: usize = 160;
const ERROR_LINES: usize = 3;

/// Collects key facts over the UTF-8 chunks of a text.
#[derive(Debug, Default)]
pub struct KeyInfo {
    line: Vec<u8>,
    errors: Vec<String>,
    more_errors: usize,
    exit: Option<String>,
    passed: Option<String>,
    failed: Option<String>,
}

impl KeyInfo {
    /// Reads the next chunk.
    pub fn add_chunk(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.extend_line(&rest[..end]);
            self.end_line();
            rest = &rest[end + 1..];
        }
        self.extend_line(rest);
    }

    /// All facts in one line; empty where there are none.
    pub fn finish(mut self) -> String {
        self.end_line();
        let count = |number: &Option<String>, word: &str| {
            number.as_ref().map(|number| format!("{number} {word}"))
        };
        let mut facts: Vec<String> = Vec::new();
        facts.extend(self.exit.map(|status| format!("exit {status}")));
        facts.extend(count(&self.failed, "failed"));
        facts.extend(count(&self.passed, "passed"));
        if !self.errors.is_empty() {
            let more = if self.more_errors > 0 {
                format!(" (+{} more)", self.more_errors)
            } else {
                String::new()
            };
            facts.push(format!("errors: {}{more}", self.errors.join(" | ")));
        }
        facts.join("; ")
    }

    fn extend_line(&mut self, piece: &[u8]) {
        let room = LINE_LIMIT.saturating_sub(self.line.len()).min(piece.len());
        self.line.extend_from_slice(&piece[..room]);
    }

    fn end_line(&mut self) {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let line = text.trim();
        let lower = line.to_ascii_lowercase();
        self.exit = exit_status(&lower).or(self.exit.take());
        self.passed = count_before(&lower, &["passed", "passing"]).or(self.passed.take());
        self.failed = count_before(&lower, &["failed", "failing"]).or(self.failed.take());
        if !is_error_line(&lower)
            || self.errors.iter().any(|known| line.starts_with(known.trim_end_matches('…')))
        {
            return;
        }
        if self.errors.len() < ERROR_LINES {
            self.errors.push(keep_start(line, SHOWN_LIMIT));
        } else {
            self.more_errors += 1;
        }
    }
}

fn is_error_line(lower: &str) -> bool {
    const MARKS: &[&str] =
        &["error:", "error[", "error ts", "exception:", "panicked at", "fatal:", "assertionerror"];
    MARKS.iter().any(|mark| lower.contains(mark))
}

/// `exit code: 1`, `exit code 1`, `exited with code 1`, `exit status 1`.
fn exit_status(lower: &str) -> Option<String> {
    const MARKS: &[&str] = &["exit code", "exited with code", "exit status"];
    let rest = MARKS.iter().find_map(|mark| lower.split_once(mark)).map(|(_, rest)| rest)?;
    let rest = rest.trim_start_matches([':', ' ', '=']);
    leading_digits(rest)
}

/// The whole number in front of the first of these words: `3 failed`.
fn count_before(lower: &str, words: &[&str]) -> Option<String> {
    let mut before = "";
    for word in lower.split([' ', ',', ';', '(', ')', '|', '\t']).filter(|word| !word.is_empty()) {
        if words.contains(&word.trim_end_matches(['.', ':', '!']))
            && before.bytes().all(|b| b.is_ascii_digit())
        {
            return (!before.is_empty() && before.len() <= 9).then(|| before.to_owned());
        }
        before = word;
    }
    None
}

fn leading_digits(text: &str) -> Option<String> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).take(9).collect();
    (!digits.is_empty()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::KeyInfo;

    fn facts(text: &str) -> String {
        let mut info = KeyInfo::default();
        info.add_chunk(text.as_bytes());
        info.finish()
    }

    #[test]
    fn finds_what_a_reader_would_note() {
        let cases = [
            ("", ""),
            ("all good\n", ""),
            ("Tests: 3 failed, 120 passed, 123 total\n", "3 failed; 120 passed"),
            ("test result: ok. 12 passed; 0 failed; 0 ignored", "0 failed; 12 passed"),
            ("Command exited with code 2", "exit 2"),
            (
                "src/a.ts(3,1): error TS2304: Cannot find name 'x'.\n",
                "errors: src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
            ),
            (
                "error: a\nerror: b\nerror: c\nerror: d\nerror: e",
                "errors: error: a | error: b | error: c (+2 more)",
            ),
            ("error: a\nerror: a\n", "errors: error: a"),
        ];
        for (text, expected) in cases {
            assert_eq!(facts(text), expected, "{text:?}");
        }
    }

    #[test]
    fn chunks_do_not_change_it() {
        let text = "héllo\nerror: né\nTests: 3 failed, 9 passed\nexit code: 1\n";
        for cut in 0..text.len() {
            let mut info = KeyInfo::default();
            info.add_chunk(&text.as_bytes()[..cut]);
            info.add_chunk(&text.as_bytes()[cut..]);
            assert_eq!(info.finish(), facts(text), "cut at {cut}");
        }
    }
}
