//! Shapes of lines and their meaning: the language of the table of runners.

use super::runner::Runner;
use std::ops::Range;

/// Meanings of a line, as bits of a [`Rule`].
pub mod says {
    /// The run succeeded.
    pub const OK: u16 = 1;
    /// The run failed.
    pub const FAILED: u16 = 1 << 1;
    /// Counts of tests, each before its word: `3 passed`.
    pub const COUNTS: u16 = 1 << 2;
    /// Counts of tests, each after its word: `Passed: 3`.
    pub const COUNTS_AFTER: u16 = 1 << 3;
    /// The line covers all tests since the last beginning and replaces earlier counts and failures: some tests were
    /// retried. Without counts: a test failed that may be tried again.
    pub const WHOLE: u16 = 1 << 4;
    /// An error message. It is reported only for failed runs, and does not make a run fail.
    /// With a name, the error is the whole line.
    pub const ERROR: u16 = 1 << 5;
    /// The name of a failed test.
    pub const NAME: u16 = 1 << 6;
    /// Start of a list of failed tests.
    pub const OPENS: u16 = 1 << 7;
    /// End of that list.
    pub const CLOSES: u16 = 1 << 8;
    /// The rule applies only inside such a list.
    pub const LISTED: u16 = 1 << 9;
    /// A name continues over the next lines, up to one that ends with a colon. On a line that opens a list, this
    /// applies to the names in the list. On a line that shows that tests run, what one of them logged continues over the
    /// lines below that are indented by four spaces. Alone: an error, if the next line shows a place in a file.
    /// With an error: none if the next line shows that it is the name of a test.
    pub const JOINED: u16 = 1 << 10;
    /// The rule is tried only on lines that hold one of [`super::super::words`]: too many lines have its beginning to
    /// try it on all.
    pub const WORD: u16 = 1 << 11;
    /// Start of something that earlier success does not cover: another command, or an omitted part.
    pub const BEGINS: u16 = 1 << 12;
    /// An error that the next lines name. With the start of a list: these lines are not about a failed test.
    pub const RAISED: u16 = 1 << 13;
    /// A failure that a later line reports. After it, a line with counts or success does not make the run succeed: it
    /// covers only the tests that passed.
    pub const DOUBTS: u16 = 1 << 14;
    /// Tests are running and a summary will follow; until then, an error line may have been logged by a test.
    pub const TESTS: u16 = 1 << 15;
    /// The run failed, unless a success follows: it may have tried something that is not there.
    pub const UNLESS: u16 = OK | FAILED;
    /// No meaning, but no further rule is tried.
    pub const NOTHING: u16 = 0;
}

/// A line's shape and its meaning. In a shape, `*` is any text, `$` a word (no space in it), `%` a number, `&` a code
/// (`TS2304`), `^` a commit (seven hexadecimal digits or more), `~` a star. Braces mark the part of the line that is
/// kept; without them all of it is. All other characters are literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// See [`says`].
    pub says: u16,
    /// Who prints the line.
    pub runner: Runner,
    shape: &'static [u8],
}

/// The rules of a runner, or some of them: meanings and shapes. Lines are normalized by [`super::lines`]: no colours, and a single space
/// for each run of blanks.
pub type Rules = (Runner, &'static [(u16, &'static str)]);

impl Rule {
    /// Creates a rule.
    pub const fn new(says: u16, shape: &'static [u8]) -> Self {
        Self { says, runner: Runner::UNKNOWN, shape }
    }

    /// Returns the rule as one of a test runner.
    pub const fn of(self, runner: Runner) -> Self {
        Self { runner, ..self }
    }

    /// Returns whether the rule has any of these meanings.
    pub const fn has(self, says: u16) -> bool {
        self.says & says != 0
    }

    /// Returns whether a line has this shape.
    pub fn fits(self, line: &str) -> bool {
        self.kept_of(line).is_some()
    }

    /// Returns whether a line has this shape, given as its bytes.
    pub fn fits_bytes(self, line: &[u8]) -> bool {
        self.range_kept_of(line).is_some()
    }

    /// Returns the part of the line to keep; `None` if the line has another shape.
    ///
    /// `*` and `$` match as little as possible. Backtracking is limited to the last of them, so the time is at most the
    /// product of both lengths.
    pub fn kept_of(self, line: &str) -> Option<&str> {
        line.get(self.range_kept_of(line.as_bytes())?)
    }

    fn range_kept_of(self, line: &[u8]) -> Option<Range<usize>> {
        let shape = self.shape;
        let (mut s, mut l) = (0, 0);
        let mut kept = 0..line.len();
        let mut retry: Option<(usize, usize, bool)> = None;
        loop {
            let sign = shape.get(s).copied();
            let run = match sign {
                None if l == line.len() => return Some(kept),
                None => None,
                Some(b'{') => {
                    kept.start = l;
                    Some(0)
                }
                Some(b'}') => {
                    kept.end = l;
                    Some(0)
                }
                Some(b'*') => {
                    retry = Some((s + 1, l, false));
                    Some(0)
                }
                Some(b'$') if line.get(l).is_some_and(|b| *b != b' ') => {
                    retry = Some((s + 1, l + 1, true));
                    Some(1)
                }
                Some(b'$') => None,
                Some(b'%') => number(&line[l..]),
                Some(b'&') => code(&line[l..]),
                Some(b'^') => {
                    Some(run(&line[l..], u8::is_ascii_hexdigit)).filter(|digits| *digits > 6)
                }
                Some(b'~') => (line.get(l) == Some(&b'*')).then_some(1),
                Some(byte) => (line.get(l) == Some(&byte)).then_some(1),
            };
            if let Some(run) = run {
                (s, l) = (s + 1, l + run);
                continue;
            }
            let (after, from, is_word) = retry?;
            let next = *line.get(from)?;
            if is_word && next == b' ' {
                return None;
            }
            let from = from + 1;
            let from = if is_word { from } else { from + gap(&shape[after..], &line[from..])? };
            retry = Some((after, from, is_word));
            (s, l) = (after, from);
        }
    }
}

/// Returns the number of bytes to skip before the shape after a `*` can match.
fn gap(shape: &[u8], line: &[u8]) -> Option<usize> {
    match shape.first() {
        None => Some(line.len()),
        Some(byte) if is_sign(*byte) => Some(0),
        Some(byte) => memchr::memchr(*byte, line),
    }
}

/// Returns whether a byte is a placeholder in a shape. Inlined: it runs for every byte of every rule.
#[inline(always)]
pub(super) const fn is_sign(byte: u8) -> bool {
    matches!(byte, b'*' | b'$' | b'%' | b'&' | b'^' | b'~' | b'{' | b'}')
}

fn run(line: &[u8], fits: fn(&u8) -> bool) -> usize {
    line.iter().take_while(|byte| fits(byte)).count()
}

fn number(line: &[u8]) -> Option<usize> {
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    line.first().is_some_and(u8::is_ascii_digit).then(|| run(line, is_part))
}

fn code(line: &[u8]) -> Option<usize> {
    let letters = run(line, u8::is_ascii_uppercase);
    let digits = run(&line[letters..], u8::is_ascii_digit);
    (letters > 0 && digits > 0).then_some(letters + digits)
}

#[cfg(test)]
mod tests {
    use super::Rule;

    #[test]
    fn shapes() {
        let cases = [
            ("OK", "OK", Some("OK")),
            ("OK", "OK!", None),
            ("OK", "O", None),
            ("FAIL: {*}", "FAIL: a b", Some("a b")),
            ("FAIL {$} *", "FAIL a.ts 5 s", Some("a.ts")),
            ("FAIL $", "FAIL a b", None),
            ("{*} FAILED", "a FAILED b FAILED", Some("a FAILED b")),
            ("{* > *} FAILED", "> Task FAILED", None),
            ("% in %s", "12 in 0.5s", Some("12 in 0.5s")),
            ("% in", "a in", None),
            ("%", "", None),
            ("error &:*", "error TS2304: x", Some("error TS2304: x")),
            ("error &:*", "error Ts: x", None),
            ("[$ ^] *", "[main 1a2b3c4] x", Some("[main 1a2b3c4] x")),
            ("[$ ^] *", "[main 1a2b3c] x", None),
            ("a: ~~~ {*}", "a: *** b", Some("b")),
            ("a: ~~~ {*}", "a: b", None),
            ("x{}", "x", Some("")),
            ("*", "", Some("")),
            ("$", "", None),
            ("✖ {*} (%ms)", "✖ ünï (1) (5.2ms)", Some("ünï (1)")),
        ];
        for (shape, line, kept) in cases {
            let found = Rule::new(0, shape.as_bytes()).kept_of(line);
            assert_eq!(found, kept, "{shape} of {line}");
        }
    }
}
