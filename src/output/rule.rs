//! A line's shape and what a line of that shape says: the words that the table of runners is written in.

use super::HAS_ROOM;
use std::ops::Range;

/// What a line says, as bits of a [`Rule`].
pub mod says {
    /// The run succeeded.
    pub const OK: u16 = 1;
    /// The run failed.
    pub const FAILED: u16 = 1 << 1;
    /// Counts of tests, each before its word: `3 passed`.
    pub const COUNTS: u16 = 1 << 2;
    /// Counts of tests, each behind its word: `Passed: 3`.
    pub const COUNTS_AFTER: u16 = 1 << 3;
    /// The line holds for all tests since the last beginning, whatever was counted or failed before: some were tried again.
    pub const WHOLE: u16 = 1 << 4;
    /// What went wrong. It is told of failed runs alone, and does not make one of them.
    pub const ERROR: u16 = 1 << 5;
    /// The name of a failed test.
    pub const NAME: u16 = 1 << 6;
    /// A list of failed tests begins.
    pub const OPENS: u16 = 1 << 7;
    /// It ends.
    pub const CLOSES: u16 = 1 << 8;
    /// The line means this in such a list alone.
    pub const LISTED: u16 = 1 << 9;
    /// A name goes on over the next lines, up to one with a colon at its end. Of a line that opens a list: the names in
    /// that list do.
    pub const JOINED: u16 = 1 << 10;
    /// The rule is only asked of lines that hold one of [`super::super::words`]: so many lines begin as it does that asking it of
    /// all would take too long.
    pub const WORD: u16 = 1 << 11;
    /// Something else begins, of which what succeeded before says nothing: another command, a part that was left out.
    pub const BEGINS: u16 = 1 << 12;
    /// An error, which the next lines name.
    pub const RAISED: u16 = 1 << 13;
    /// Something failed, which a line further down tells of. A line that counts or says that the run succeeded does not say
    /// so behind such a one: it is only about what did.
    pub const DOUBTS: u16 = 1 << 14;
    /// Tests run, and a summary is to come: until then, what is only an error line may be one that a test logs.
    pub const TESTS: u16 = 1 << 15;
    /// Nothing; but no other rule is asked.
    pub const NOTHING: u16 = 0;
}

/// What a line of a shape says. In a shape, `*` is any text, `$` a word (no space in it), `%` a number, `&` a code
/// (`TS2304`), `^` a commit (seven hexadecimal digits or more), `~` a star, and what stands in braces is what is kept of
/// the line, or else all of it. Everything else is itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// See [`says`].
    pub says: u16,
    shape: &'static [u8],
}

/// The rules of a runner: what lines of a shape say. Lines are as [`super::lines`] gives them: without colours, each run
/// of blanks one space.
pub type Rules = &'static [(u16, &'static str)];

impl Rule {
    /// A line of this shape says this.
    pub const fn new(says: u16, shape: &'static [u8]) -> Self {
        Self { says, shape }
    }

    /// Whether it says any of these things.
    pub const fn has(self, says: u16) -> bool {
        self.says & says != 0
    }

    /// Whether a line has this shape.
    pub fn fits(self, line: &str) -> bool {
        self.kept_of(line).is_some()
    }

    /// What is kept of a line of this shape; `None` where it has another.
    ///
    /// What `*` and `$` stand for is as short as it can be. Only the last of them is tried again, so that the time is at
    /// most the product of both lengths.
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
                Some(b'^') if HAS_ROOM => {
                    Some(run(&line[l..], u8::is_ascii_hexdigit)).filter(|digits| *digits > 6)
                }
                Some(b'~') if HAS_ROOM => (line.get(l) == Some(&b'*')).then_some(1),
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

/// How many bytes of the line pass before what stands behind a `*` can begin.
fn gap(shape: &[u8], line: &[u8]) -> Option<usize> {
    match shape.first() {
        None => Some(line.len()),
        Some(byte) if is_sign(*byte) => Some(0),
        Some(byte) => memchr::memchr(*byte, line),
    }
}

/// Whether a byte stands for more than itself in a shape. It is asked of every byte of every rule: a call would be most of it.
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
