//! Lines of a file that contain a text or match a regular expression, numbered like [`super::format_read`] does.
//!
//! Models write the expressions, so matching must be safe: its time grows at most with the product of the lengths of
//! expression and file (`regex-lite` keeps all states side by side, after Thompson). Lookaround and references to groups are
//! not supported.

use crate::bytes::{Decoder, TextEncoding, sniff_bytes};
use crate::message::Problem;
use memchr::memmem::Finder;
use regex_lite::{Regex, RegexBuilder};
use serde::Serialize;

/// Maximum size of an expression in bytes, as written and as compiled: `a{1000}{1000}` is short but large.
const LONGEST_PATTERN: usize = 4 << 10;
const LARGEST_PROGRAM: usize = 64 << 10;
/// The smallest limit that is tried, to find out how large an expression is.
const SMALLEST_PROGRAM: usize = 512;

/// Maximum product of the bytes of a compiled expression and of a line, because a line is matched without a pause.
/// About a second and a half, if all of the expression is active at each character.
const LARGEST_LINE_WORK: u64 = 1 << 30;

/// Bytes that are searched between two questions whether to stop, and the same product for an expression: a twentieth of
/// a second.
const BYTES_BETWEEN: u64 = 16 << 10;
const WORK_BETWEEN: u64 = 32 << 20;

/// Maximum bytes shown of a line; a third of them precedes the match.
const SHOWN_BYTES: usize = 300;

/// A compiled search.
#[derive(Debug)]
pub struct Search(Matcher);

#[derive(Debug)]
enum Matcher {
    Text(Finder<'static>),
    Expression {
        regex: Regex,
        /// Upper limit of its compiled size in bytes, at most twice the size.
        program: u64,
    },
    /// A text in lower case, for lines in lower case.
    Folded(Finder<'static>),
}

/// Options of a pattern.
#[derive(Debug, Clone, Copy, Default)]
pub struct SearchOptions {
    /// Whether it is a regular expression, in the syntax of RE2 without Unicode classes; else it is a literal text.
    pub is_expression: bool,
    /// Whether to ignore case; in expressions only that of ASCII letters.
    pub ignores_case: bool,
}

/// The matches in a file.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct Found {
    /// Number of matching lines.
    pub lines: u64,
    /// The first of them.
    pub first: Vec<FoundLine>,
    /// Number of lines that were not searched: too long for an expression of this size, or left when the search was
    /// stopped.
    pub unsearched: u64,
}

/// A matching line.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct FoundLine {
    /// From 1.
    pub number: u64,
    /// The whole line, or the part around the match; bytes that are not UTF-8 are shown as U+FFFD.
    pub text: String,
    /// The part's first and last column, in characters from 1, and the length of the line; absent if the whole line is
    /// shown.
    pub part: Option<[u64; 3]>,
}

impl Search {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// `pattern` if it is empty, too long, too large, not a valid expression, or asks for a line feed, which no line
    /// contains.
    pub fn new(pattern: &str, options: SearchOptions) -> Result<Self, Problem> {
        if pattern.is_empty() {
            return refuse("pattern is empty: give the text to look for".to_owned());
        }
        if pattern.contains('\n') || (options.is_expression && has_line_feed_escape(pattern)) {
            return refuse(
                "pattern has a line feed, and each line is searched by itself: look for one line of it".to_owned(),
            );
        }
        if !options.is_expression {
            return Ok(Self(text_matcher(pattern, options.ignores_case)));
        }
        if pattern.len() > LONGEST_PATTERN {
            let found = pattern.len();
            return refuse(format!(
                "pattern is longer than an expression may be ({LONGEST_PATTERN} bytes, found {found}): shorten it"
            ));
        }
        compile(pattern, options.ignores_case).map(Self).or_else(|error| {
            refuse(format!(
                "pattern is not a regular expression ({error}): leave regex out to look for the text itself; there is no lookaround, and there are no references to groups"
            ))
        })
    }

    /// Searches each line of a file and returns the first `most` matching lines; `None` for a binary file. `told` is
    /// the encoding that the host named, for files that do not declare one. Stops if `is_over`, which is asked every 16
    /// KB, and more often if the expression is large.
    #[must_use]
    pub fn file(
        &self,
        bytes: &[u8],
        most: usize,
        told: Option<TextEncoding>,
        mut is_over: impl FnMut() -> bool,
    ) -> Option<Found> {
        let (encoding, mark) = sniff_bytes(bytes, told).text()?;
        let mut decoder = Decoder::new(encoding, mark);
        let mut text = decoder.decode(bytes);
        let rest = decoder.finish();
        if !rest.is_empty() {
            text.to_mut().extend_from_slice(rest);
        }
        let mut found = Found::default();
        let between = self.0.bytes_between();
        let (mut since, mut is_stopped) = (0, false);
        for (index, line) in lines(&text).enumerate() {
            since += line.len() as u64;
            if since > between {
                since = 0;
                is_stopped = is_stopped || is_over();
            }
            if is_stopped || self.0.takes_too_long(line.len()) {
                found.unsearched += 1;
                continue;
            }
            let line = String::from_utf8_lossy(line);
            let Some(place) = self.0.find(&line) else { continue };
            found.lines += 1;
            if found.first.len() < most {
                found.first.push(FoundLine::new(index as u64 + 1, &line, place));
            }
        }
        Some(found)
    }
}

fn refuse<T>(reason: String) -> Result<T, Problem> {
    Err(Problem::InvalidOption { option: "pattern", reason })
}

/// Whether an expression has the escape `\n` outside a class: `[^\n]` matches in a line.
fn has_line_feed_escape(pattern: &str) -> bool {
    let mut is_class = false;
    let mut chars = pattern.chars();
    while let Some(char) = chars.next() {
        match char {
            '\\' if chars.next() == Some('n') && !is_class => return true,
            '[' => is_class = true,
            ']' => is_class = false,
            _ => {}
        }
    }
    false
}

/// Compiles an expression with the smallest limit that fits.
fn compile(pattern: &str, ignores_case: bool) -> Result<Matcher, regex_lite::Error> {
    let mut builder = RegexBuilder::new(pattern);
    builder.case_insensitive(ignores_case);
    let mut size = SMALLEST_PROGRAM;
    loop {
        match builder.size_limit(size).build() {
            Err(_) if size < LARGEST_PROGRAM => size *= 2,
            built => {
                return built.map(|regex| Matcher::Expression { regex, program: size as u64 });
            }
        }
    }
}

fn text_matcher(text: &str, ignores_case: bool) -> Matcher {
    let finder = |text: &str| Finder::new(text).into_owned();
    if ignores_case {
        Matcher::Folded(finder(&text.to_lowercase()))
    } else {
        Matcher::Text(finder(text))
    }
}

impl Matcher {
    /// Whether matching a line of so many bytes could block the host for long.
    fn takes_too_long(&self, bytes: usize) -> bool {
        matches!(self, Self::Expression { program, .. } if program * bytes as u64 > LARGEST_LINE_WORK)
    }

    /// Returns the number of bytes to search between two questions whether to stop.
    fn bytes_between(&self) -> u64 {
        match self {
            Self::Expression { program, .. } => BYTES_BETWEEN.min(WORK_BETWEEN / program),
            Self::Text(_) | Self::Folded(_) => BYTES_BETWEEN,
        }
    }

    /// Returns the byte position of the match in the line.
    fn find(&self, line: &str) -> Option<usize> {
        match self {
            Self::Text(finder) => finder.find(line.as_bytes()),
            Self::Expression { regex, .. } => regex.find(line).map(|found| found.start()),
            Self::Folded(finder) => {
                let folded = line.to_lowercase();
                let place = finder.find(folded.as_bytes())?;
                // Lower-case letters may have more or fewer bytes, but nearly always as many characters.
                let chars = folded[..place].chars().count();
                Some(line.char_indices().nth(chars).map_or(line.len(), |(at, _)| at))
            }
        }
    }
}

/// Splits a text into lines, as in [`super::survey::LineEnding`]: at line feeds, or at carriage returns if there is no
/// line feed.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let has_feed = memchr::memchr(b'\n', text).is_some();
    let terminator = if has_feed { b'\n' } else { b'\r' };
    text.split_inclusive(move |byte| *byte == terminator).map(move |line| {
        let line = line.strip_suffix(&[terminator]).unwrap_or(line);
        if has_feed { line.strip_suffix(b"\r").unwrap_or(line) } else { line }
    })
}

impl FoundLine {
    fn new(number: u64, line: &str, place: usize) -> Self {
        if line.len() <= SHOWN_BYTES {
            return Self { number, text: line.to_owned(), part: None };
        }
        let wanted = place.saturating_sub(SHOWN_BYTES / 3).min(line.len() - SHOWN_BYTES);
        let start = character_at(line, wanted);
        let end = character_at(line, start + SHOWN_BYTES);
        let count = |text: &str| text.chars().count() as u64;
        let before = count(&line[..start]);
        let text = &line[start..end];
        let part = [before + 1, before + count(text), count(line)];
        Self { number, text: text.to_owned(), part: Some(part) }
    }
}

/// Returns the start of the character that contains this byte.
fn character_at(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Found, FoundLine, Search, SearchOptions, TextEncoding};

    const TEXT: SearchOptions = SearchOptions { is_expression: false, ignores_case: false };
    const EXPRESSION: SearchOptions = SearchOptions { is_expression: true, ignores_case: false };

    fn found(pattern: &str, options: SearchOptions, bytes: &[u8]) -> Option<Vec<(u64, String)>> {
        let found = Search::new(pattern, options).ok()?.file(bytes, usize::MAX, None, || false)?;
        assert_eq!(found.lines, found.first.len() as u64);
        Some(found.first.into_iter().map(|line| (line.number, line.text)).collect())
    }

    fn lines(numbered: &[(u64, &str)]) -> Option<Vec<(u64, String)>> {
        Some(numbered.iter().map(|(number, text)| (*number, (*text).to_owned())).collect())
    }

    fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        format!("\u{FEFF}{text}").encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn lines_are_those_of_reads() {
        type Case<'a> = (&'a [u8], &'a [(u64, &'a str)]);
        let cases: &[Case] = &[
            (b"", &[]),
            (b"a", &[(1, "a")]),
            (b"b\na\n", &[(2, "a")]),
            (b"b\r\na\r\nb\r\na", &[(2, "a"), (4, "a")]),
            (b"b\ra\rb", &[(2, "a")]),
            (b"b\rc\na\n", &[(2, "a")]),
            (b"\xEF\xBB\xBFa\n", &[(1, "a")]),
            (b"caf\xE9 a\n", &[(1, "caf\u{FFFD} a")]),
            (&utf16("b\nxa\u{1F600}\n", u16::to_le_bytes), &[(2, "xa\u{1F600}")]),
            (&utf16("b\r\na\r\n", u16::to_be_bytes), &[(2, "a")]),
        ];
        for (bytes, expected) in cases {
            assert_eq!(found("a", TEXT, bytes), lines(expected), "{bytes:?}");
        }
        let search = Search::new("é", TEXT).ok();
        let latin = search
            .and_then(|search| search.file(b"caf\xE9", 1, Some(TextEncoding::Latin1), || false));
        assert_eq!(latin.map(|found| found.lines), Some(1));
        assert_eq!(found("^$", EXPRESSION, b""), lines(&[]));
        assert_eq!(found("^$", EXPRESSION, b"a\n\n"), lines(&[(2, "")]));
        assert_eq!(found("a", TEXT, b"a\0b"), None);
        assert_eq!(found("a", TEXT, b"\x89PNG\r\n\x1a\n\0\0a"), None);
    }

    #[test]
    fn case_is_ignored_where_it_is_asked_for() {
        let ignores = |is_expression| SearchOptions { is_expression, ignores_case: true };
        assert_eq!(found("ÄB", ignores(false), "xäb".as_bytes()), lines(&[(1, "xäb")]));
        assert_eq!(found("ÄB", TEXT, "xäb".as_bytes()), lines(&[]));
        assert_eq!(found("A+b", ignores(true), b"aaB"), lines(&[(1, "aaB")]));
    }

    #[test]
    fn a_long_line_is_shown_around_the_place() {
        let first = |line: &str| {
            let search = Search::new("needle", TEXT).ok();
            let found = search.and_then(|search| search.file(line.as_bytes(), 1, None, || false));
            found.and_then(|Found { mut first, .. }| first.pop())
        };
        let middle = first(&format!("{}needle{}", "ä".repeat(5000), "x".repeat(9000)));
        let shown = format!("{}needle{}", "ä".repeat(50), "x".repeat(194));
        assert_eq!(
            middle,
            Some(FoundLine { number: 1, text: shown, part: Some([4951, 5200, 14006]) })
        );
        let end = first(&format!("{}needle", "x".repeat(9000)));
        assert_eq!(end.and_then(|line| line.part), Some([8707, 9006, 9006]));
    }

    #[test]
    fn a_large_expression_can_be_stopped_soon() {
        let text = "a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,\n".repeat(100);
        let unsearched = |pattern: &str| {
            let search = Search::new(pattern, EXPRESSION).ok()?;
            search.file(text.as_bytes(), 1, None, || true).map(|found| found.unsearched)
        };
        assert_eq!(unsearched("b"), Some(0));
        assert!(unsearched("(.{0,12}){0,12}Z").is_some_and(|left| left > 0));
    }

    #[test]
    fn what_cannot_be_looked_for_is_refused() {
        let reason = |pattern: &str, options| {
            Search::new(pattern, options).err().map_or(String::new(), |error| error.to_string())
        };
        assert!(reason("", TEXT).starts_with("pattern is empty"));
        assert!(reason("(", EXPRESSION).starts_with("pattern is not a regular expression ("));
        assert!(reason("(?=a)", EXPRESSION).contains("no lookaround"));
        assert!(reason(r"(a)\1", EXPRESSION).contains("references"));
        assert!(
            reason("((a{100}){100}){100}", EXPRESSION)
                .starts_with("pattern is not a regular expression (")
        );
        // Two thousand states would be active at each character.
        assert!(
            reason("(?:a{1,50}){1,50}z", EXPRESSION)
                .starts_with("pattern is not a regular expression (")
        );
        for (pattern, options) in
            [("a\nb", TEXT), ("a\nb", EXPRESSION), (r"a\nb", EXPRESSION), (r"(\n|[a])", EXPRESSION)]
        {
            assert!(reason(pattern, options).starts_with("pattern has a line feed"), "{pattern}");
        }
        for pattern in [r"a[^\n]*b", r"a\\nb", r"[\]\n]"] {
            assert_eq!(reason(pattern, EXPRESSION), "");
        }
        let names: Vec<String> = (0..60).map(|at| format!("someFunctionName{at}")).collect();
        assert_eq!(reason(&names.join("|"), EXPRESSION), "");
        assert!(reason(&"a".repeat(5000), EXPRESSION).contains("4096 bytes, found 5000"));
        let long = "a".repeat(5000);
        assert_eq!(found(&long, TEXT, long.as_bytes()), lines(&[(1, &long[..300])]));
    }

    /// Expressions that take a backtracking engine too long.
    #[test]
    fn hostile_expressions_take_linear_time() {
        let line = "a".repeat(20_000);
        for pattern in ["(a+)+$", "(a|aa)+$", "(.*)*x", ".*.*.*x", "(a?){30}a{30}$"] {
            let text = format!("{line}!\n");
            assert_eq!(found(&format!("^{pattern}b"), EXPRESSION, text.as_bytes()), lines(&[]));
        }
    }

    /// A line that would block the host for long, and what is left when the host stops the search, are counted.
    #[test]
    fn what_takes_too_long_is_not_searched() {
        let count = |pattern: &str, text: &str, mut asked: usize| {
            let is_over = || {
                asked = asked.saturating_sub(1);
                asked == 0
            };
            let search = Search::new(pattern, EXPRESSION).ok();
            let found = search.and_then(|search| search.file(text.as_bytes(), 1, None, is_over));
            found.map(|found| (found.lines, found.unsearched))
        };
        let long = format!("b\n{}\nb\n", "a".repeat(1_000_000));
        assert_eq!(count("a{1,400}b|^b", &long, usize::MAX), Some((2, 1)));
        assert_eq!(count("^b|ERROR.*timeout", &long, usize::MAX), Some((2, 0)));
        let short = "b\n".repeat(1 << 20);
        assert_eq!(count("b", &short, usize::MAX), Some((1 << 20, 0)));
        let lines = u64::from(16u32 << 10);
        assert_eq!(count("b", &short, 1).map(|(found, _)| found), Some(lines));
        assert_eq!(count("b", &short, 2).map(|(found, left)| found + left), Some(1 << 20));
    }
}
