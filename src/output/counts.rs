//! Test counts in a runner's summary.

use super::HAS_ROOM;
use super::rule::Rule;

/// Numbers of tests by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    passed: Option<u32>,
    failed: Option<u32>,
    /// All tests, for summaries without a count of passed tests.
    all: u32,
    /// The tests among them that did not pass.
    others: u32,
}

/// The count that a word in a summary names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Passed,
    Failed,
    Skipped,
    All,
}

const WORDS: [(Counted, &[&str]); 4] = [
    (Counted::Passed, &["pass", "succe"]),
    (Counted::Failed, &["fail", "err", "cancel", "timed", "invalid"]),
    (Counted::Skipped, &["skip", "pend", "ignor", "incompl", "exclu"]),
    (Counted::All, &["test", "example", "spec", "run", "total", "complet", "of"]),
];

fn counted(word: &str) -> Option<Counted> {
    let begins =
        |start: &&str| word.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    WORDS.iter().find(|(_, starts)| starts.iter().any(begins)).map(|(what, _)| *what)
}

impl Counts {
    /// Reads the counts of a line: each before its word (`3 passed`) or, with `after`, after it (`Passed: 3`).
    pub fn of(line: &str, after: bool) -> Self {
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '%');
        let words: Vec<&str> = line
            .split(is_end)
            .map(|word| word.trim_matches('.'))
            .filter(|w| !w.is_empty())
            .collect();
        let word =
            |at: Option<usize>| at.and_then(|at| words.get(at)).and_then(|word| counted(word));
        let mut counts = Counts::default();
        let mut skipped = 0;
        for (at, text) in words.iter().enumerate() {
            let Some(number) = whole_number(text) else {
                continue;
            };
            // `expected failures=1, unexpected successes=1`
            let before = match at.checked_sub(2).and_then(|at| words.get(at)) {
                Some(&"expected") => None,
                Some(&"unexpected") => Some(Counted::Failed),
                _ => word(at.checked_sub(1)),
            };
            // nextest: `1 exec failed`
            let next = at + 1 + usize::from(words.get(at + 1) == Some(&"exec"));
            let what = match word(Some(next)) {
                _ if after => before,
                // `2 tests failed`
                Some(Counted::All) => word(Some(at + 2)).or(Some(Counted::All)),
                // `out of 4`
                None if at + 1 == words.len() => before.filter(|what| *what == Counted::All),
                what => what,
            };
            match what {
                Some(Counted::Passed) => counts.passed = sum(counts.passed, Some(number)),
                Some(Counted::Failed) => counts.failed = sum(counts.failed, Some(number)),
                Some(Counted::Skipped) => skipped += number,
                Some(Counted::All) => counts.all = number,
                None => {}
            }
        }
        match counts.passed {
            Some(_) => counts.all = 0,
            None => counts.others = counts.failed.unwrap_or(0).saturating_add(skipped),
        }
        counts
    }

    /// Returns whether the counts say that the run succeeded, if no test failed. The number of tests alone does not, nor
    /// that none passed: with an option, some runners then fail (`mocha --fail-zero`).
    pub fn is_told(self) -> bool {
        self.passed.is_some_and(|passed| passed > 0)
            || (self.all > self.others && self.failed.is_some())
    }

    /// The number of tests that a summary counts.
    pub fn all(self) -> u32 {
        self.all
    }

    /// Adds the counts of another summary.
    pub fn add(&mut self, other: Self) {
        self.passed = sum(self.passed, other.passed);
        self.failed = sum(self.failed, other.failed);
        self.all = self.all.saturating_add(other.all);
        self.others = self.others.saturating_add(other.others);
    }

    /// The number of passed tests, stated or derived from the other counts.
    pub fn passed(self) -> Option<u32> {
        let rest = (self.all > 0).then(|| self.all.saturating_sub(self.others));
        sum(self.passed, rest)
    }

    /// The number of failed tests.
    pub fn failed(self) -> Option<u32> {
        self.failed
    }
}

/// Returns whether the parts of a summary are all that it counts. `1 passed, 1 of 3 total` and `0 passed (2)` are of a run
/// that goes on.
pub fn adds_up(summary: &str) -> bool {
    let (mut parts, mut total) = (0_u32, 0);
    for word in summary.split(' ') {
        if word == "of" {
            total = 0;
        } else if let Some(number) = whole_number(word.trim_matches(['(', ')'])) {
            parts = parts.saturating_add(total);
            total = number;
        }
    }
    parts >= total
}

/// Returns the number of matches that a line states: `41 matches`, `found 3 files`, `no results found`.
pub fn matches_in(lower: &str) -> Option<u32> {
    const NONE: Rule = Rule::new(0, b"no * found*");
    if lower.starts_with("no match") || (HAS_ROOM && NONE.fits(lower)) {
        return Some(0);
    }
    let mut before = "";
    for word in lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        // `found 4 total occurrences across 2 files`
        if before == "found"
            && let Some(number) = whole_number(word)
        {
            return Some(number);
        }
        if matches!(word, "match" | "matches") {
            return whole_number(before).filter(|_| !before.is_empty());
        }
        before = word;
    }
    None
}

fn sum(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.saturating_add(other)),
        (one, other) => one.or(other),
    }
}

/// Parses a number of at most nine digits.
pub fn whole_number(text: &str) -> Option<u32> {
    let digits = Some(text.as_bytes()).filter(|digits| (1..=9).contains(&digits.len()))?;
    digits.iter().try_fold(0, |number, digit| Some(number * 10 + char::from(*digit).to_digit(10)?))
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn of_summaries() {
        let cases: &[(&str, bool, Option<u32>, Option<u32>)] = &[
            ("Tests: 1 failed, 2 skipped, 3 passed, 6 total", false, Some(3), Some(1)),
            ("Tests: 3 failed, 3 total", false, Some(0), Some(3)),
            ("50% tests passed, 2 tests failed out of 4", false, Some(2), Some(2)),
            ("100% tests passed, 0 tests failed out of 3", false, Some(3), Some(0)),
            ("[ 3 tests successful ]", false, Some(3), None),
            ("4 examples, 2 failures, 1 pending", false, Some(1), Some(2)),
            ("4 runs, 2 assertions, 1 failures, 1 errors, 1 skips", false, Some(1), Some(2)),
            ("6 tests completed, 2 failed, 1 skipped", false, Some(3), Some(2)),
            (
                "Summary [ 0.175s] 5 tests run: 2 passed, 3 failed, 0 skipped",
                false,
                Some(2),
                Some(3),
            ),
            ("=== 1 failed, 2 passed, 1 error, 1 xfailed in 0.12s ===", false, Some(2), Some(2)),
            ("2 passing (5ms)", false, Some(2), None),
            ("OK (3 tests, 3 assertions)", false, Some(3), None),
            (
                "Tests: 4, Assertions: 2, Errors: 1, Failures: 1, Skipped: 1.",
                true,
                Some(1),
                Some(2),
            ),
            ("[ERROR] Tests run: 6, Failures: 1, Errors: 1, Skipped: 1", true, Some(3), Some(2)),
            (
                "Failed! - Failed: 1, Passed: 2, Skipped: 0, Total: 3, Duration: 5 ms",
                true,
                Some(2),
                Some(1),
            ),
            ("ℹ fail 3", true, None, Some(3)),
            ("FAILED (expected failures=1, unexpected successes=1)", true, None, Some(1)),
            ("Summary [ 0.1s] 5 tests run: 4 passed, 1 timed out", false, Some(4), Some(1)),
            ("Tests: 99999999999 failed", false, None, None),
            ("", false, None, None),
        ];
        for (line, after, passed, failed) in cases {
            let counts = Counts::of(line, *after);
            assert_eq!((counts.passed(), counts.failed()), (*passed, *failed), "{line}");
        }
    }

    #[test]
    fn several_summaries_add_up() {
        let mut counts = Counts::of("Ran 5 tests in 0.001s", false);
        counts.add(Counts::of("FAILED (failures=1, errors=1, skipped=1)", true));
        assert_eq!((counts.passed(), counts.failed()), (Some(2), Some(2)));
        counts.add(Counts::of("test result: ok. 4 passed; 0 failed; 1 ignored", false));
        assert_eq!((counts.passed(), counts.failed()), (Some(6), Some(2)));
    }
}
