//! The facts of an output that outlive it: failures, counts, exit status, files, found line by line in bounded memory.

use super::keep_start;
use serde::Serialize;

const LINE_LIMIT: usize = 400;
const SHOWN_LIMIT: usize = 160;
const ERROR_LINES: usize = 3;
const PATHS: usize = 5;
const LONGEST_PATH: usize = 120;

/// What can be expected of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// A command's log: errors, exit status and test counts mean what they say.
    Log,
    /// The matches of a search.
    Matches,
    /// The content of files, or their names: what looks like an error in it is none.
    Content,
}

/// The key facts of an output: document "Rolling Context", `extractKeyInfo`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct KeyInfo {
    /// Whether nothing in it says that the tool failed.
    pub success: bool,
    /// The exit status that it names last.
    pub exit_status: Option<u32>,
    /// The number of passed tests that it names last.
    pub passed: Option<u32>,
    /// The number of failed tests that it names last.
    pub failed: Option<u32>,
    /// How many matches a search has: as it says, or else the lines.
    pub matches: Option<u32>,
    /// The first three different error lines, 160 bytes each at most.
    pub errors: Vec<String>,
    /// How many more error lines there are.
    pub more_errors: u32,
    /// The first five different files that it names.
    pub paths: Vec<String>,
    /// Lines.
    pub lines: u32,
}

/// Collects key facts over the UTF-8 chunks of a text.
#[derive(Debug)]
pub struct KeyInfoReader {
    kind: OutputKind,
    /// How many paths it looks for.
    paths: usize,
    /// The beginning of a line that the chunks so far have not ended.
    line: Vec<u8>,
    full_lines: u32,
    info: KeyInfo,
}

impl KeyInfoReader {
    /// A reader of an output of this kind.
    pub fn new(kind: OutputKind) -> Self {
        Self { kind, paths: PATHS, line: Vec::new(), full_lines: 0, info: KeyInfo::default() }
    }

    /// The same without looking for paths, which [`KeyInfo::to_line`] does not tell.
    pub fn without_paths(self) -> Self {
        Self { paths: 0, ..self }
    }

    /// Reads the next chunk.
    pub fn add_chunk(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.info.lines += 1;
            if self.line.is_empty() {
                self.end_line(&rest[..end.min(LINE_LIMIT)]);
            } else {
                self.extend_line(&rest[..end]);
                self.end_open_line();
            }
            rest = &rest[end + 1..];
        }
        self.extend_line(rest);
    }

    /// All facts.
    pub fn finish(mut self) -> KeyInfo {
        self.info.lines += u32::from(!self.line.is_empty());
        self.end_open_line();
        let KeyInfo { exit_status, failed, matches, errors, .. } = &self.info;
        let is_good = |number: &Option<u32>| number.is_none_or(|number| number == 0);
        let success = is_good(exit_status) && is_good(failed) && errors.is_empty();
        let matches = matches.or((self.kind == OutputKind::Matches).then_some(self.full_lines));
        KeyInfo { success, matches, ..self.info }
    }

    fn extend_line(&mut self, piece: &[u8]) {
        let room = LINE_LIMIT.saturating_sub(self.line.len()).min(piece.len());
        self.line.extend_from_slice(&piece[..room]);
    }

    fn end_open_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.end_line(&line);
    }

    fn end_line(&mut self, line: &[u8]) {
        self.full_lines += u32::from(!line.iter().all(u8::is_ascii_whitespace));
        // Most lines say nothing; seeing that has to be cheap.
        let names_path = self.info.paths.len() < self.paths && may_name_path(line);
        let words = words_in(line);
        if !names_path && words == 0 {
            return;
        }
        let text = String::from_utf8_lossy(line);
        let line = text.trim();
        if names_path {
            self.add_paths(line);
        }
        match self.kind {
            OutputKind::Log if words & !MATCH != 0 => self.add_log_line(line, words),
            OutputKind::Matches if words & MATCH != 0 => {
                let lower = line.to_ascii_lowercase();
                let none = lower.starts_with("no match").then_some(0);
                let told = count_before(&lower, &["match", "matches"]).or(none);
                self.info.matches = told.or(self.info.matches);
            }
            _ => {}
        }
    }

    fn add_log_line(&mut self, line: &str, words: u32) {
        let lower = line.to_ascii_lowercase();
        let info = &mut self.info;
        if words & EXIT != 0 {
            info.exit_status = exit_status(&lower).or(info.exit_status);
        }
        if words & PASS != 0 {
            info.passed = count_before(&lower, &["passed", "passing"]).or(info.passed);
        }
        if words & FAIL != 0 {
            info.failed = count_before(&lower, &["failed", "failing"]).or(info.failed);
        }
        let is_known = |known: &String| line.starts_with(known.trim_end_matches('…'));
        if words & ERRORS == 0 || !is_error_line(&lower) || info.errors.iter().any(is_known) {
            return;
        }
        if info.errors.len() < ERROR_LINES {
            info.errors.push(keep_start(line, SHOWN_LIMIT));
        } else {
            info.more_errors += 1;
        }
    }

    fn add_paths(&mut self, line: &str) {
        let ends = |c: char| {
            matches!(
                c,
                '"' | '\''
                    | '`'
                    | '('
                    | ')'
                    | '['
                    | ']'
                    | '{'
                    | '}'
                    | '<'
                    | '>'
                    | ','
                    | ';'
                    | '='
                    | '|'
            ) || c.is_whitespace()
        };
        for word in line.split(ends) {
            if self.info.paths.len() >= self.paths {
                return;
            }
            if let Some(path) = path_in(word)
                && !self.info.paths.iter().any(|known| known == path)
            {
                self.info.paths.push(path.to_owned());
            }
        }
    }
}

/// Whether a line has what a path has: see [`path_in`].
fn may_name_path(line: &[u8]) -> bool {
    memchr::memchr(b'.', line).is_some() && memchr::memchr2(b'/', b':', line).is_some()
}

/// The beginnings of the words that the others look for.
const WORDS: [&[u8; 4]; 9] =
    [b"exit", b"pass", b"fail", b"matc", b"erro", b"exce", b"pani", b"fata", b"asse"];
const EXIT: u32 = 1;
const PASS: u32 = 1 << 1;
const FAIL: u32 = 1 << 2;
const MATCH: u32 = 1 << 3;
/// The words of errors.
const ERRORS: u32 = !(EXIT | PASS | FAIL | MATCH);

/// How far the next word can be, by the last two letters of the four that would be its beginning (Wu and Manber).
const SHIFTS: [u8; 1024] = shifts();

const fn shifts() -> [u8; 1024] {
    let mut shifts = [3; 1024];
    let mut word = 0;
    while word < WORDS.len() {
        let mut at = 0;
        while at < 3 {
            let shift = &mut shifts[pair(WORDS[word][at], WORDS[word][at + 1])];
            let left = 2 - at as u8;
            *shift = if left < *shift { left } else { *shift };
            at += 1;
        }
        word += 1;
    }
    shifts
}

/// The number of a pair of letters, whatever their case. What is no letter has that of some letter.
const fn pair(first: u8, second: u8) -> usize {
    ((first & 31) as usize) << 5 | (second & 31) as usize
}

/// Which words may begin in a line, by their bits, whatever their case.
fn words_in(line: &[u8]) -> u32 {
    let mut found = 0;
    let mut at = 3;
    while at < line.len() {
        let shift = SHIFTS[pair(line[at - 1], line[at])];
        if shift == 0 {
            let here = [line[at - 3] | 32, line[at - 2] | 32, line[at - 1] | 32, line[at] | 32];
            let word = WORDS.iter().position(|word| **word == here);
            found |= word.map_or(0, |number| 1 << number);
        }
        at += usize::from(shift.max(1));
    }
    found
}

impl KeyInfo {
    /// What a reader would note, in one line; empty where that is nothing.
    pub fn to_line(&self) -> String {
        let count =
            |number: Option<u32>, word: &str| number.map(|number| format!("{number} {word}"));
        let mut facts: Vec<String> = Vec::new();
        facts.extend(self.exit_status.map(|status| format!("exit {status}")));
        facts.extend(count(self.failed, "failed"));
        facts.extend(count(self.passed, "passed"));
        facts
            .extend(count(self.matches, if self.matches == Some(1) { "match" } else { "matches" }));
        if !self.errors.is_empty() {
            let more = match self.more_errors {
                0 => String::new(),
                more => format!(" (+{more} more)"),
            };
            facts.push(format!("errors: {}{more}", self.errors.join(" | ")));
        }
        facts.join("; ")
    }
}

/// The path that a word is, without the line number behind it: a name with an extension, in a folder or with a line
/// number (`src/a.ts`, `a.ts:12`). `and/or`, `1.5` and addresses are none.
fn path_in(word: &str) -> Option<&str> {
    let (path, rest) = word.split_once(':').unwrap_or((word, ""));
    let path = path.trim_end_matches('.');
    let (stem, extension) = path.rsplit_once('.')?;
    let name = stem.rsplit('/').next().unwrap_or(stem);
    let is_numbered = rest.starts_with(|c: char| c.is_ascii_digit());
    let is_placed = stem.contains('/') || is_numbered;
    let is_extension = (1..=5).contains(&extension.len())
        && extension.bytes().all(|b| b.is_ascii_alphanumeric())
        && extension.bytes().any(|b| b.is_ascii_alphabetic());
    let is_path = !name.is_empty() && !rest.starts_with("//") && path.len() <= LONGEST_PATH;
    (is_placed && is_extension && is_path).then_some(path)
}

fn is_error_line(lower: &str) -> bool {
    const MARKS: &[&str] =
        &["error:", "error[", "error ts", "exception:", "panicked at", "fatal:", "assertionerror"];
    MARKS.iter().any(|mark| lower.contains(mark))
}

/// `exit code: 1`, `exit code 1`, `exited with code 1`, `exit status 1`.
fn exit_status(lower: &str) -> Option<u32> {
    const MARKS: &[&str] = &["exit code", "exited with code", "exit status"];
    let rest = MARKS.iter().find_map(|mark| lower.split_once(mark)).map(|(_, rest)| rest)?;
    let rest = rest.trim_start_matches([':', ' ', '=']);
    leading_digits(rest)
}

/// The whole number in front of the first of these words: `3 failed`.
fn count_before(lower: &str, words: &[&str]) -> Option<u32> {
    let mut before = "";
    for word in lower.split([' ', ',', ';', '(', ')', '|', '\t']).filter(|word| !word.is_empty()) {
        if words.contains(&word.trim_end_matches(['.', ':', '!']))
            && before.bytes().all(|b| b.is_ascii_digit())
        {
            return before.parse().ok().filter(|_| before.len() <= 9);
        }
        before = word;
    }
    None
}

fn leading_digits(text: &str) -> Option<u32> {
    let end = text.bytes().take_while(u8::is_ascii_digit).take(9).count();
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{KeyInfo, KeyInfoReader, OutputKind, WORDS, words_in};

    fn info(kind: OutputKind, text: &str) -> KeyInfo {
        let mut reader = KeyInfoReader::new(kind);
        reader.add_chunk(text.as_bytes());
        reader.finish()
    }

    #[test]
    fn finds_what_a_reader_would_note() {
        let cases = [
            ("", "", true),
            ("all good\n", "", true),
            ("Tests: 3 failed, 120 passed, 123 total\n", "3 failed; 120 passed", false),
            ("test result: ok. 12 passed; 0 failed; 0 ignored", "0 failed; 12 passed", true),
            ("Command exited with code 2", "exit 2", false),
            ("exit code: 1\nexit code: 0", "exit 0", true),
            (
                "src/a.ts(3,1): error TS2304: Cannot find name 'x'.\n",
                "errors: src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
                false,
            ),
            (
                "error: a\nerror: b\nerror: c\nerror: d\nerror: e",
                "errors: error: a | error: b | error: c (+2 more)",
                false,
            ),
            ("error: a\nerror: a\n", "errors: error: a", false),
        ];
        for (text, expected, success) in cases {
            let info = info(OutputKind::Log, text);
            assert_eq!((info.to_line().as_str(), info.success), (expected, success), "{text:?}");
        }
    }

    #[test]
    fn what_is_shown_of_files_is_not_taken_for_a_failure() {
        let source = "throw new Error('error: exit code: 1')\n3 failed\n";
        let info = info(OutputKind::Content, source);
        assert!(info.success && info.errors.is_empty() && info.failed.is_none());
        assert_eq!(info.lines, 2);
    }

    #[test]
    fn matches_as_the_search_says_or_else_its_lines() {
        let cases = [
            ("src/a.ts:1:x\n\nsrc/b.ts:2:x", 2),
            ("Found 41 matches in 3 files\nsrc/a.ts:1:x", 41),
            ("No matches found\n", 0),
            ("", 0),
        ];
        for (text, expected) in cases {
            assert_eq!(info(OutputKind::Matches, text).matches, Some(expected), "{text:?}");
        }
    }

    #[test]
    fn paths_and_what_only_looks_like_one() {
        let cases: &[(&str, &[&str])] = &[
            (
                "src/a.ts:12:3 in ./b/c.test.py, \"/usr/lib/x.so\"",
                &["src/a.ts", "./b/c.test.py", "/usr/lib/x.so"],
            ),
            ("main.rs:4", &["main.rs"]),
            ("see src/a.ts.", &["src/a.ts"]),
            ("and/or 1.5 e.g. a.b https://x.org/a.html v1/2.0 .../. a.ts", &[]),
            ("a/b.ts a/b.ts", &["a/b.ts"]),
            ("p/1.c p/2.c p/3.c p/4.c p/5.c p/6.c", &["p/1.c", "p/2.c", "p/3.c", "p/4.c", "p/5.c"]),
        ];
        for (text, expected) in cases {
            assert_eq!(info(OutputKind::Content, text).paths, *expected, "{text:?}");
        }
    }

    #[test]
    fn chunks_do_not_change_it() {
        let text = "héllo src/é/a.ts:3\nerror: né\nTests: 3 failed, 9 passed\nexit code: 1\n";
        for kind in [OutputKind::Log, OutputKind::Matches, OutputKind::Content] {
            for cut in 0..text.len() {
                let mut reader = KeyInfoReader::new(kind);
                reader.add_chunk(&text.as_bytes()[..cut]);
                reader.add_chunk(&text.as_bytes()[cut..]);
                assert_eq!(reader.finish(), info(kind, text), "cut at {cut}");
            }
        }
    }

    #[test]
    fn finds_every_word_wherever_it_stands() {
        let naive = |line: &[u8]| {
            let lower = line.to_ascii_lowercase();
            let has = |word: &[u8; 4]| lower.windows(4).any(|part| part == word);
            (0..WORDS.len()).filter(|at| has(WORDS[*at])).fold(0, |found, at| found | 1 << at)
        };
        let pieces: [&[u8]; 8] = [b"", b"e", b"exi", b"FA", b"pas", b"\xc3\xa4 ", b"err", b"as"];
        for (number, word) in WORDS.iter().enumerate() {
            for before in pieces {
                for after in pieces {
                    let lines =
                        [[before, word.as_slice(), after].concat(), [before, after].concat()];
                    for line in lines {
                        assert_eq!(words_in(&line), naive(&line), "{line:?}");
                    }
                    let upper = [before, &word.to_ascii_uppercase(), after].concat();
                    assert_ne!(words_in(&upper) & 1 << number, 0, "{upper:?}");
                }
            }
        }
    }
}
