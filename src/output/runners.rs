//! Output of test runners: an entry for each runner, a rule for each kind of line that reports the outcome. A new runner is
//! an entry here (or in [`super::tools`]) and sample outputs in `tests/fixtures/outputs`.
//!
//! The first rule that matches a line applies. Rules with a literal beginning are tried first, then those that begin with
//! a number or a code, then those that begin with any text.

use super::HAS_ROOM;
use super::last_messages::LAST_MESSAGES;
use super::reports::REPORTS;
use super::rule::says::*;
use super::rule::{Rule, Rules, is_sign};
use super::runner::Runner;
use super::test_runs::TEST_RUNS;
use super::tools::TOOLS;
use super::variants::FIRST;
use super::worded_errors::WORDED;

/// Test runners, and the tools that run them.
const TEST_RUNNERS: &[Rules] = &[
    // npm, yarn, pnpm
    (
        Runner::NPM,
        &[
            (FAILED | ERROR, "npm error {*}"),
            (FAILED | ERROR, "npm ERR! {*}"),
            (FAILED | ERROR, "ERR_PNPM_*"),
        ],
    ),
    // nextest, before others whose lines begin with FAIL
    (
        Runner::NEXTEST,
        &[
            (FAILED | NAME, "FAIL [ %s] (*) {*}"),
            (FAILED | NAME, "FAIL [ %s] {*}"),
            (COUNTS | WHOLE | BEGINS, "Summary [*] 0 tests run: *"),
            // Not all tests ran.
            (FAILED | COUNTS | WHOLE | OPENS, "Summary [*] %/% tests run: *"),
            (COUNTS | WHOLE | OPENS, "Summary [*] *"),
            (FAILED, "error: test run failed"),
        ],
    ),
    // vitest
    (
        Runner::VITEST,
        &[
            (FAILED | NAME, "FAIL {* > *}"),
            (FAILED, "❯ * (% test* | % failed*"),
            (NOTHING, "× * %ms"),
            (FAILED, "Test Files % failed*"),
            (COUNTS, "Tests % *(%)"),
            (FAILED, "Errors % error*"),
        ],
    ),
    // unittest
    (
        Runner::UNITTEST,
        &[
            (FAILED | NAME, "FAIL: {$ (*}"),
            (FAILED | NAME, "ERROR: {$ (*.*)*}"),
            (COUNTS | OPENS, "Ran % test* in *"),
            (FAILED | COUNTS_AFTER, "FAILED (*=*)"),
            (OK | LISTED | CLOSES, "OK"),
            // Python 2.7, for which such a test is no failure.
            (OK, "OK (*unexpected *)"),
            (OK | COUNTS_AFTER, "OK (*=*)"),
        ],
    ),
    // go test
    (
        Runner::GO,
        &[
            (FAILED | NAME, "--- FAIL: {*} (%s)"),
            // No list: a test may have printed these two, whose failure the lines below them state.
            (FAILED | OPENS | CLOSES, "FAIL"),
            (FAILED, "FAIL $ %s"),
            (FAILED, "FAIL $ [*]"),
            (FAILED | ERROR | OPENS | CLOSES, "panic: *"),
            (FAILED | ERROR, "vet: {*}"),
            (OK, "PASS"),
            (OK, "ok $ %s*"),
            (OK, "ok $ (cached)*"),
            (ERROR, "*_test.go:%: *"),
        ],
    ),
    // PHPUnit, JUnit 4, Maven
    (
        Runner::XUNIT,
        &[
            (COUNTS_AFTER, "Tests: %, Assertions: *"),
            (FAILED, "FAILURES!*"),
            (FAILED, "ERRORS!"),
            // A configuration may make a risky test or a warning fail the run; the words are the same.
            (DOUBTS, "OK, but *"),
            (OK | COUNTS, "OK (% test*)"),
            (NOTHING, "There $ 0 *"),
            (FAILED | OPENS, "There $ % failure*:"),
            (FAILED | OPENS, "There $ % error*:"),
            (CLOSES, "There w* % *:"),
            (ERROR, "Failed asserting *"),
            (NOTHING, "Tests run: *Time elapsed*"),
            (COUNTS_AFTER, "Tests run: %, Failures: *"),
            (FAILED | OPENS, "[ERROR] * Time elapsed: * <<< *"),
            (WORD | NOTHING, "[*] Tests run: *Time elapsed*"),
            (WORD | COUNTS_AFTER | DOUBTS, "[*] Tests run: %, Failures: *"),
            (OK, "[INFO] BUILD SUCCESS"),
            (FAILED, "[INFO] BUILD FAILURE"),
            (FAILED | OPENS, "[ERROR] Failures:*"),
            (FAILED | OPENS, "[ERROR] Errors:*"),
            (NAME | LISTED, "[ERROR] {$.$:%}*"),
            (FAILED | ERROR, "[ERROR] {Failed to execute goal *}"),
            (ERROR, "[ERROR] {$*}"),
        ],
    ),
    // JUnit's console
    (
        Runner::JUNIT,
        &[
            (COUNTS | BEGINS | TESTS, "[ % tests successful ]"),
            (NOTHING, "[ 0 containers failed ]"),
            (FAILED, "[ % containers failed ]"),
            (OK | DOUBTS, "[ 0 tests failed ]"),
            (COUNTS, "[ % tests failed ]"),
            (OPENS, "Failures (%):"),
            (NAME | LISTED, "JUnit $:{*}"),
        ],
    ),
    // jest
    (
        Runner::JEST,
        &[
            (FAILED, "Test run was interrupted.*"),
            (FAILED | ERROR, "Jest: * threshold *"),
            (FAILED | ERROR, "Jest: Coverage data for * was not found*"),
            (FAILED | OPENS, "FAIL $*"),
            (CLOSES | TESTS, "PASS $*"),
            (NAME | LISTED, "● {*}"),
            (FAILED, "Test Suites: % failed*"),
            (COUNTS, "Tests: % *"),
            (ERROR, "Expected: *"),
            (ERROR, "Received: *"),
        ],
    ),
    // mocha
    (
        Runner::MOCHA,
        &[
            (COUNTS | DOUBTS, "% passing (%*s)"),
            (DOUBTS, ".*!*"),
            (COUNTS | OPENS | JOINED, "% failing"),
            (COUNTS, "% pending"),
            (NAME | LISTED, "%) {*}"),
        ],
    ),
    // node:test and TAP
    (
        Runner::TAP,
        &[
            (FAILED | NAME, "✖ {*} (%ms)"),
            (FAILED | ERROR, "Bail out!*"),
            (NOTHING, "not ok * # TODO*"),
            (NOTHING, "not ok * # SKIP*"),
            (FAILED | NAME, "not ok % - {*}"),
            (FAILED | NAME, "not ok % {*}"),
            (COUNTS_AFTER, "# pass %"),
            (COUNTS_AFTER, "# fail %"),
            (COUNTS_AFTER, "# cancelled %"),
            (COUNTS_AFTER, "ℹ pass %"),
            (COUNTS_AFTER, "ℹ fail %"),
            (COUNTS_AFTER, "ℹ cancelled %"),
            (FAILED | ERROR, "# {Error: * coverage does not meet threshold *}"),
            (FAILED | ERROR, "ℹ {Error: * coverage does not meet threshold *}"),
            (FAILED | ERROR, "# {Error: *} generated asynchronous activity *"),
            (FAILED | ERROR, "ℹ {Error: *} generated asynchronous activity *"),
            (FAILED, "failureType: 'hookFailed'"),
            (FAILED, "failureType: 'cancelledByParent'"),
        ],
    ),
    // pytest
    (
        Runner::PYTEST,
        &[
            // It was stopped, before or after a summary of the tests that passed; all were skipped.
            (COUNTS, "% skipped* in %s"),
            (FAILED, "!* Interrupted: *"),
            (FAILED, "Interrupted: stopping after *"),
            (FAILED | ERROR, "!* {session-timeout: *} !*"),
            (FAILED | ERROR, "!* {KeyboardInterrupt} !*"),
            (FAILED | ERROR, "!* {_pytest.outcomes.Exit: *} !*"),
            (FAILED, "INTERNALERROR> *"),
            // A parameter may have a dash.
            (FAILED | NAME, "FAILED {$[*]} - *"),
            (FAILED | NAME, "FAILED {*} - *"),
            (FAILED | NAME, "FAILED {*::*}"),
            // A captured log has `ERROR root:a.py:3 ...`.
            (FAILED | NAME, "ERROR {$.py} - *"),
            (FAILED | NAME, "ERROR {$.py::$[*]} - *"),
            (FAILED | NAME, "ERROR {$.py::*} - *"),
            (FAILED | NAME, "ERROR {$.py}"),
            (FAILED | NAME, "ERROR {$.py::*}"),
            (FAILED | NAME, "{*.py::*} FAILED*"),
            (FAILED | NAME, "{*.py::*} ERROR*"),
            (ERROR, "E {*}"),
            (COUNTS, "=* % * in %s*"),
            (COUNTS, "% passed, % failed*"),
            (COUNTS, "% passed, % * in %s*"),
            (COUNTS, "% passed in %s*"),
            (COUNTS, "% failed, % *"),
            (COUNTS, "% failed in %s*"),
            (COUNTS, "% error* in %s"),
        ],
    ),
    // cargo, clippy, rustc
    (
        Runner::CARGO,
        &[
            (FAILED | NAME, "test {*} ... FAILED"),
            // With `--show-output`, passed tests have such a heading too.
            (CLOSES, "successes:"),
            (OPENS, "failures:"),
            (FAILED | NAME | LISTED, "---- {*} stdout ----"),
            (COUNTS, "test result: *"),
            (FAILED | ERROR, "error: could not compile *"),
            (FAILED, "error: test failed*"),
            (NOTHING, "Finished `test` profile*"),
            (OK, "Finished * target(s) in *"),
        ],
    ),
    // RSpec, minitest
    (
        Runner::RUBY,
        &[
            (OPENS, "Failures:"),
            (CLOSES, "Pending:*"),
            (CLOSES | TESTS, "Finished in * (files took *"),
            (CLOSES, "Finished in *"),
            (COUNTS, "% example*, % failure*"),
            (FAILED, "*error* occurred outside of examples*"),
            (COUNTS, "% runs, % assertions, *"),
            (COUNTS, "% tests, % assertions, *"),
            (NAME | FAILED | JOINED, "%) Failure:{}"),
            (NAME | FAILED | JOINED, "%) Error:{}"),
            (NOTHING, "%) Skipped:"),
            (NAME | FAILED | JOINED, "Failure:{}"),
            (NAME | FAILED | JOINED, "Error:{}"),
            // Mocha prints this too: a failed test in the list of tests.
            (DOUBTS, "%) *"),
        ],
    ),
    // Gradle
    (
        Runner::GRADLE,
        &[
            (OK, "BUILD SUCCESSFUL*"),
            (FAILED, "BUILD FAILED*"),
            (FAILED, "FAILURE: Build *"),
            (COUNTS, "% test* completed*"),
            (FAILED | NAME, "{* > *} FAILED"),
            (ERROR, "Execution failed for task *"),
        ],
    ),
    // dotnet
    (
        Runner::DOTNET,
        &[
            (COUNTS_AFTER, "Failed! - Failed: *"),
            (COUNTS_AFTER, "Passed! - Failed: *"),
            (COUNTS_AFTER, "Test summary: *"),
            (FAILED | NAME, "Failed {*} [*s]"),
            (OK, "Test Run Successful*"),
            (FAILED, "Test Run Failed*"),
            (OK, "Build succeeded*"),
            (FAILED, "Build FAILED*"),
            (ERROR, "Error Message:"),
            (ERROR, "Assert.*"),
        ],
    ),
];

/// All rules.
const RUNNERS: [&[Rules]; 7] =
    [REPORTS, FIRST, TEST_RUNNERS, TEST_RUNS, LAST_MESSAGES, TOOLS, WORDED];

/// Bytes of a packed rule before its shape.
const HEAD: usize = 5;

/// Size of [`RULES`] in bytes: the shapes, and their heads.
const SIZE: usize = {
    let (mut size, mut group) = (0, 0);
    while group < RUNNERS.len() {
        let mut runner = 0;
        while runner < RUNNERS[group].len() {
            let mut at = 0;
            while at < RUNNERS[group][runner].1.len() {
                size += RUNNERS[group][runner].1[at].1.len() + HEAD;
                at += 1;
            }
            runner += 1;
        }
        group += 1;
    }
    size
};

/// All rules, packed and grouped by the first byte of their shape, in their order within a group. A table of pointers
/// would take as much space in the core as the shapes.
static RULES: [u8; SIZE] = PACKED.0;

/// For each first byte, the position of its group in [`RULES`].
static STARTS: [u16; 257] = PACKED.1;

const PACKED: ([u8; SIZE], [u16; 257]) = {
    let (mut rules, mut starts) = ([0; SIZE], [0; 257]);
    let (mut end, mut start) = (0, 0);
    while start < 256 {
        starts[start] = end as u16;
        let mut group = 0;
        while group < RUNNERS.len() {
            let mut runner = 0;
            while runner < RUNNERS[group].len() {
                let mut at = 0;
                while at < RUNNERS[group][runner].1.len() {
                    let (says, shape) = RUNNERS[group][runner].1[at];
                    if first_sign(shape.as_bytes()) as usize == start {
                        let number = RUNNERS[group][runner].0.number();
                        end = pack(&mut rules, end, (says, number), shape.as_bytes());
                    }
                    at += 1;
                }
                runner += 1;
            }
            group += 1;
        }
        start += 1;
    }
    starts[256] = end as u16;
    (rules, starts)
};

const fn first_sign(shape: &[u8]) -> u8 {
    if shape[0] == b'{' { shape[1] } else { shape[0] }
}

/// The first sign of the rules whose lines begin with a star: only tools have some.
const STAR: u8 = if HAS_ROOM { b'~' } else { 0 };

/// Writes a rule at `end`: meaning, lengths of the shape and its head, runner, shape. Returns the position after it.
const fn pack(
    rules: &mut [u8; SIZE],
    end: usize,
    (says, runner): (u16, u8),
    shape: &[u8],
) -> usize {
    [rules[end], rules[end + 1]] = says.to_le_bytes();
    rules[end + 2] = shape.len() as u8;
    rules[end + 3] = head_len(shape) as u8;
    rules[end + 4] = runner;
    let mut at = 0;
    while at < shape.len() {
        rules[end + HEAD + at] = shape[at];
        at += 1;
    }
    end + shape.len() + HEAD
}

/// Returns the length of the literal beginning of a shape's first word.
const fn head_len(shape: &[u8]) -> usize {
    let mut at = 0;
    while at < shape.len() && !is_sign(shape[at]) && shape[at] != b' ' {
        at += 1;
    }
    at
}

/// For each first byte of a line and each second one, the upper three bits left out: whether a rule that needs no word may
/// match. Most lines are dismissed by it.
static BEGINNINGS: [u32; 32] = {
    let (mut beginnings, mut at) = ([0; 32], 0);
    while at < SIZE {
        let says = u16::from_le_bytes([PACKED.0[at], PACKED.0[at + 1]]);
        let (length, head) = (PACKED.0[at + 2] as usize, PACKED.0[at + 3]);
        let shape = [PACKED.0[at + HEAD], PACKED.0[at + HEAD + 1]];
        let sign = first_sign(&shape);
        let first = if HAS_ROOM && sign == STAR { b'*' } else { sign };
        if says & WORD == 0 && (!is_sign(first) || sign == STAR) {
            beginnings[(first & 31) as usize] |= seconds(shape, head);
        }
        at += HEAD + length;
    }
    beginnings
};

/// Returns the second bytes of the lines that may match a shape with this beginning, as bits.
const fn seconds(shape: [u8; 2], head: u8) -> u32 {
    match shape[1] {
        _ if head > 1 => 1 << (shape[1] & 31),
        // A line may have any blank where the shape has a space.
        b' ' if head == 1 => 1 << (b' ' & 31) | 1 << b'\t' | 1 << b'\x0c' | 1 << b'\r',
        _ => u32::MAX,
    }
}

/// Returns whether a rule may match a line that has none of the words, by its first word. The line is as printed, with
/// its spaces; colours and overwritten text may hide a match.
pub fn may_fit(line: &[u8]) -> bool {
    let [literal, class] = classes(line);
    // Many lists begin with stars, so that the whole line is looked at.
    let is_other = |rule: Rule| {
        HAS_ROOM && literal == STAR && !str::from_utf8(line).is_ok_and(|line| rule.fits(line))
    };
    let fits = |start| rules_from(start, line).any(|rule| !rule.has(WORD) && !is_other(rule));
    let may_begin = match line {
        [first, second, ..] => BEGINNINGS[usize::from(first & 31)] & 1 << (second & 31) != 0,
        _ => true,
    };
    (may_begin && fits(literal)) || fits(class)
}

/// Returns the groups of rules that a line may match, without those that begin with any text.
fn classes(line: &[u8]) -> [u8; 2] {
    let first = line.first().copied().unwrap_or(0);
    let literal = match first {
        b'*' => STAR,
        _ if is_sign(first) => 0,
        _ => first,
    };
    let class = match first {
        b'0'..=b'9' => b'%',
        b'A'..=b'Z' => b'&',
        _ => 0,
    };
    [literal, class]
}

/// Returns the rules of a group whose literal beginning the line has. Most rules are skipped this way.
fn rules_from(start: u8, line: &[u8]) -> impl Iterator<Item = Rule> {
    let start = usize::from(start);
    let mut rules = RULES.get(STARTS[start].into()..STARTS[start + 1].into()).unwrap_or(&[]);
    std::iter::from_fn(move || {
        while let [low, high, length, head, runner, rest @ ..] = rules {
            let (shape, others) = rest.split_at_checked((*length).into())?;
            rules = others;
            if has_head(line, shape, (*head).into()) {
                return Some(
                    Rule::new(u16::from_le_bytes([*low, *high]), shape)
                        .of(Runner::numbered(*runner)),
                );
            }
        }
        None
    })
}

/// Returns whether a line begins with the first `head` bytes of a shape, and has a space where the shape has one after
/// them. Written as a loop: most lines differ in the second byte.
fn has_head(line: &[u8], shape: &[u8], head: usize) -> bool {
    line.len() >= head
        && line.iter().zip(shape).take(head).all(|(one, other)| one == other)
        && (shape.get(head) != Some(&b' ') || line.get(head).is_some_and(u8::is_ascii_whitespace))
}

/// Returns the first result of `fits` over the rules that may match a line. Rules that begin with any text are tried
/// only with `anywhere`.
pub fn find_rule<T>(line: &str, anywhere: bool, fits: impl Fn(Rule) -> Option<T>) -> Option<T> {
    let [literal, class] = classes(line.as_bytes());
    let (text, word) = if anywhere { (b'*', b'$') } else { (0, 0) };
    let starts = [literal, class, text, word];
    starts.iter().find_map(|start| rules_from(*start, line.as_bytes()).find_map(&fits))
}

#[cfg(test)]
mod tests {
    use super::{HEAD, PACKED, SIZE, WORD, classes, may_fit, rules_from};

    /// Beginnings of lines that the rules may match: their literal beginnings, alone and with something after them.
    fn beginnings() -> Vec<Vec<u8>> {
        let (mut lines, mut at) = (Vec::new(), 0);
        while at < SIZE {
            let (length, head) = (PACKED.0[at + 2].into(), usize::from(PACKED.0[at + 3]));
            let shape = &PACKED.0[at + HEAD..at + HEAD + length];
            for end in 0..=head.max(2).min(length) {
                for after in ["", " ", "\t", "x", "é", ": 1"] {
                    lines.push([&shape[..end], after.as_bytes()].concat());
                }
            }
            at += HEAD + length;
        }
        lines
    }

    #[test]
    fn lines_are_dismissed_by_their_beginning_only_if_no_rule_may_match() {
        // Of lines that begin with a star, more is looked at.
        for line in beginnings().into_iter().filter(|line| line.first() != Some(&b'*')) {
            let fits = |start| rules_from(start, &line).any(|rule| !rule.has(WORD));
            let text = String::from_utf8_lossy(&line);
            assert_eq!(may_fit(&line), classes(&line).into_iter().any(fits), "{text}");
        }
    }
}
