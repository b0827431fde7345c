//! Recorded output of test runners, compilers and other tools, with the expected facts: `tests/fixtures/outputs`.
//!
//! Each output is one file in the folder of its tool. `expected.json` gives the outcome of the run (by its exit status,
//! where the output shows it at all), the counts, parts of the names of the failed tests, parts of the first error lines
//! (`error`: in any of them; `firstError`: in the first one). `heldOut` marks outputs that were not looked at while the rules were written.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use trimtab::output::{KeyInfo, KeyInfoReader, OutputKind};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Expected {
    outcome: String,
    passed: Option<u32>,
    failed: Option<u32>,
    #[serde(default)]
    failed_tests: Vec<String>,
    error: Option<String>,
    first_error: Option<String>,
    #[serde(default)]
    held_out: bool,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/outputs")
}

fn cases() -> BTreeMap<String, Expected> {
    serde_json::from_str(&fs::read_to_string(folder().join("expected.json")).unwrap()).unwrap()
}

fn output(case: &str) -> Vec<u8> {
    fs::read(folder().join(format!("{case}.txt"))).unwrap()
}

fn key_info(text: &[u8]) -> KeyInfo {
    KeyInfoReader::new(OutputKind::Log).read(|sink| sink(text))
}

/// Differences between the extracted and the expected facts of a case.
fn differences(case: &str, expected: &Expected) -> Vec<String> {
    let info = key_info(&output(case));
    let outcome = info.outcome.word().unwrap_or("unknown");
    let mut found = Vec::new();
    let mut check = |is_same: bool, what: String| {
        if !is_same {
            found.push(format!("{case}: {what}"));
        }
    };
    check(outcome == expected.outcome, format!("{outcome}, not {}", expected.outcome));
    check(
        info.passed == expected.passed,
        format!("passed {:?}, not {:?}", info.passed, expected.passed),
    );
    // Output need not state that no test failed.
    check(
        info.failed.or(Some(0)) == expected.failed.or(Some(0)),
        format!("failed {:?}, not {:?}", info.failed, expected.failed),
    );
    for name in &expected.failed_tests {
        let is_named = info.failed_tests.iter().any(|known| known.contains(name));
        check(is_named, format!("{name} is not in {:?}", info.failed_tests));
    }
    if let Some(error) = &expected.error {
        let is_told = info.errors.iter().any(|known| known.contains(error));
        check(is_told, format!("{error} is not in {:?}", info.errors));
    }
    if let Some(error) = &expected.first_error {
        let is_first = info.errors.first().is_some_and(|first| first.contains(error));
        check(is_first, format!("{error} is not first in {:?}", info.errors));
    }
    let invents = expected.outcome == "succeeded" && !info.failed_tests.is_empty();
    check(!invents, format!("names failed tests: {:?}", info.failed_tests));
    found
}

#[test]
fn every_output_says_what_it_means() {
    let cases = cases();
    let mut wrong = Vec::new();
    for held_out in [false, true] {
        let rows: Vec<_> =
            cases.iter().filter(|(_, expected)| expected.held_out == held_out).collect();
        let found: Vec<_> =
            rows.iter().map(|(case, expected)| differences(case, expected)).collect();
        let right = found.iter().filter(|differences| differences.is_empty()).count();
        let which = if held_out { "held out" } else { "written from" };
        println!("{which}: {right} of {}", rows.len());
        wrong.extend(found.into_iter().flatten());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Tools that print no colour themselves or through the programs that they run.
const WITHOUT_COLOR: [&str; 2] = ["go-test", "kubectl"];

/// Number of outputs of a tool by kind: passing and failing, each without and with colours.
type Kinds = [[usize; 2]; 2];

/// Whether the text sets a colour; a mere reset does not count, because Maven prints it everywhere.
fn is_colored(text: &[u8]) -> bool {
    let starts = text.windows(3).enumerate().filter(|(_, start)| start.starts_with(b"\x1b["));
    starts.map(|(at, _)| &text[at + 2..]).any(|rest| {
        let code: Vec<u8> = rest.iter().copied().take_while(|b| *b != b'm').take(12).collect();
        !code.is_empty() && code != b"0" && code.iter().all(|b| b.is_ascii_digit() || *b == b';')
    })
}

/// Each tool has at least ten outputs, passing and failing, with and without colours, and each output is listed. A tool
/// that prints nothing on success (a compiler) passes if its output reports no failure.
#[test]
fn every_tool_has_ten() {
    let cases = cases();
    let mut tools: BTreeMap<&str, Kinds> = BTreeMap::new();
    for (case, expected) in &cases {
        let kinds = tools.entry(case.split('/').next().unwrap()).or_default();
        kinds[usize::from(expected.outcome == "failed")][usize::from(is_colored(&output(case)))] +=
            1;
    }
    for (tool, kinds) in &tools {
        println!("{tool}: {kinds:?}");
        let files = fs::read_dir(folder().join(tool)).unwrap().count();
        let listed: usize = kinds.iter().flatten().sum();
        assert!(listed >= 10 && files == listed, "{tool}: {files} files, {listed} listed");
        for [plain, colored] in kinds {
            assert!(*plain > 0 && plain + colored >= 3, "{tool}: {kinds:?}");
            assert_eq!(*colored == 0, WITHOUT_COLOR.contains(tool), "{tool}: {kinds:?}");
        }
    }
    let is_folder = |entry: &fs::DirEntry| entry.path().is_dir();
    let folders = fs::read_dir(folder()).unwrap().map(Result::unwrap).filter(is_folder).count();
    assert_eq!((tools.len(), folders), (34, 34));
}

fn outcome(text: &[u8]) -> &'static str {
    key_info(text).outcome.word().unwrap_or("unknown")
}

/// `hard.json`: by tool, outputs that matching single words would misread.
#[test]
fn hard_cases() {
    let text = fs::read_to_string(folder().join("hard.json")).unwrap();
    let tools: BTreeMap<String, Vec<(String, String)>> = serde_json::from_str(&text).unwrap();
    let cases = tools.iter().flat_map(|(tool, cases)| cases.iter().map(move |case| (tool, case)));
    let is_wrong = |text: &str, expected: &str| outcome(text.as_bytes()) != expected;
    let wrong: Vec<_> = cases
        .clone()
        .filter(|(_, (expected, text))| {
            is_wrong(text, expected) || is_wrong(&text.replace('\n', "\r\n"), expected)
        })
        .collect();
    println!("{} cases", cases.clone().count());
    assert!(cases.count() >= 300 && wrong.is_empty(), "{wrong:#?}");
}

/// What `facts.json` expects of an output: all facts but the files and the number of lines.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Facts {
    outcome: String,
    passed: Option<u32>,
    failed: Option<u32>,
    #[serde(default)]
    failed_tests: Vec<String>,
    errors: Vec<String>,
    #[serde(default)]
    more_errors: u32,
    text: String,
}

/// `facts.json`: by tool, outputs in which the reason of the failure is easily lost.
#[test]
fn the_reason_of_a_failure_is_told() {
    let text = fs::read_to_string(folder().join("facts.json")).unwrap();
    let tools: BTreeMap<String, Vec<Facts>> = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for (tool, case) in tools.iter().flat_map(|(tool, all)| all.iter().map(move |one| (tool, one)))
    {
        let in_chunks = KeyInfoReader::new(OutputKind::Log)
            .read(|sink| case.text.as_bytes().chunks(7).for_each(sink));
        let whole = key_info(case.text.as_bytes());
        for info in [in_chunks].iter().filter(|info| **info != whole).chain([&whole]) {
            let outcome = info.outcome.word().unwrap_or("unknown");
            let found = (outcome, info.passed, info.failed, &info.failed_tests);
            let expected = (&*case.outcome, case.passed, case.failed, &case.failed_tests);
            let errors = (&info.errors, info.more_errors);
            if found != expected || errors != (&case.errors, case.more_errors) {
                wrong.push(format!("{tool}: {:?}\n  {found:?} {errors:?}", case.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{} outputs:\n{}", wrong.len(), wrong.join("\n"));
}

/// The summary of another runner is not read as unittest's: after Bun's `Ran 2 tests`, one of them failed.
#[test]
fn tests_that_ran_did_not_all_pass() {
    let bun = "a.test.ts:\n\n 1 pass\n 1 fail\nRan 2 tests across 1 files. [9.00ms]\n";
    assert_eq!(key_info(bun.as_bytes()).passed, None);
}

/// Outputs that show their failure by an error line only. Passing tests may log such a line, so an output that later
/// reports success counts as a success.
const ERROR_LINES_ALONE: [&str; 13] = [
    "bun-deno/deno-no-file",
    "bundlers/swc-fail",
    "cargo-test/build-then-panic",
    "kubectl/no-file",
    "kubectl/rollout-failed",
    "kubectl/unknown",
    "minitest/broken",
    "nextest/none",
    "npm/fail-script",
    "phpunit/broken",
    "terraform/invalid",
    "terraform/n-fail-validate",
    "terraform/syntax",
];

/// A failed run is never read as a success: with the output of a successful run before or after it, with exit code 0
/// from a shell that went on, or with any five lines cut out and marked as truncated.
#[test]
fn failures_are_never_successes() {
    let cases = cases();
    let of = |outcome: &'static str| {
        cases.iter().filter(move |(_, expected)| expected.outcome == outcome).map(|(case, _)| case)
    };
    let (mut tried, mut wrong) = (0, Vec::new());
    // What was read of a text goes on with another one: each text is read once for all that follow it.
    let mut check = |read: &KeyInfoReader, text: &[u8], what: &dyn Fn() -> String| {
        tried += 1;
        let info = read.clone().read(|sink| sink(text));
        if info.outcome.word() == Some("succeeded") {
            wrong.push(what());
        }
    };
    let start = KeyInfoReader::new(OutputKind::Log);
    let read_on = |read: &KeyInfoReader, text: &[u8]| {
        let mut read = read.clone();
        read.add_chunk(text);
        read
    };
    let succeeded = of("succeeded").map(|case| {
        let text = output(case);
        let read = read_on(&read_on(&start, &text), b"\n");
        (case, text, read)
    });
    let succeeded: Vec<_> = succeeded.collect();
    for case in of("failed") {
        let text = output(case);
        let read = read_on(&read_on(&start, &text), b"\n");
        let is_alone = ERROR_LINES_ALONE.contains(&case.as_str());
        for (other, other_text, other_read) in &succeeded {
            if !is_alone {
                check(&read, other_text, &|| format!("{case}, {other}"));
            }
            check(other_read, &text, &|| format!("{other}, {case}"));
        }
        if !is_alone {
            check(&read, b"Exit code: 0\n", &|| format!("{case}, exit code 0"));
        }
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let mut head = start.clone();
        for (first, line) in lines.iter().enumerate() {
            let tail = lines[lines.len().min(first + 5)..].concat();
            let cut = [&b"... [5 lines truncated] ...\n"[..], &tail].concat();
            check(&head, &cut, &|| format!("{case} without five lines from {first}"));
            head.add_chunk(line);
        }
    }
    println!("{tried} outputs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The result does not depend on how a text is split into chunks.
#[test]
fn chunks_do_not_matter() {
    for case in cases().keys() {
        let text = output(case);
        let whole = key_info(&text);
        for size in [1, 7, 64] {
            let info =
                KeyInfoReader::new(OutputKind::Log).read(|sink| text.chunks(size).for_each(sink));
            assert_eq!(info, whole, "{case} by {size}");
        }
    }
}

/// Failed runs whose output, up to some line, is the whole output of a successful run: of another project or job, with
/// warnings, of a fetch only, of the objects before the one that failed, of the build before the program, or of the tests
/// before an abort.
const WHOLE_BEFORE: [&str; 9] = [
    "cargo-test/build-then-panic",
    "dotnet/two-projects-color",
    "eslint/max-warnings-color",
    "git/conflict",
    "go-test/main-exit",
    "kubectl/depot-kind",
    "npm/concurrently-fail",
    "npm/concurrently-fail-color",
    "pytest/bank-exit",
];

/// A failed run's output, cut after any line, is never read as a success.
#[test]
fn cut_behind_any_line_a_failed_run_has_not_succeeded() {
    let cases = cases();
    let is_meant = |case: &str| !WHOLE_BEFORE.contains(&case);
    let failed = cases.iter().filter(|(case, one)| one.outcome == "failed" && is_meant(case));
    let (mut cuts, mut wrong) = (0, Vec::new());
    for (case, _) in failed {
        let text = output(case);
        for (end, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
            cuts += 1;
            if outcome(&text[..end]) == "succeeded" {
                let line = text[..end].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
                wrong.push(format!("{case}: {}", String::from_utf8_lossy(line)));
            }
        }
    }
    println!("{cuts} cuts");
    assert!(cuts > 1000 && wrong.is_empty(), "{} of {cuts}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Passing outputs that begin with an error logged by a test, with the number of cut positions before any line shows
/// that tests run.
const LOGGED_FIRST: [(&str, usize); 17] = [
    ("junit/cart-pass", 2),
    ("junit/cart-pass-color", 2),
    ("junit/cart-pass-flat-color", 2),
    ("junit/console-pass-color", 2),
    ("mocha/bank-pass-dot", 3),
    ("mocha/pass", 1),
    ("mocha/pass-color", 1),
    ("node-test/bank-pass-spec", 5),
    ("node-test/depot-pass", 3),
    ("node-test/pass", 1),
    ("node-test/pass-color", 1),
    ("rspec/cart-pass-doc", 4),
    ("rspec/depot-pass-doc-color", 4),
    ("rspec/pass", 1),
    ("rspec/pass-doc-color", 4),
    ("unittest/pass", 1),
    ("unittest/pass-color", 1),
];

/// Outputs with a failed test that passes on a retry, with the number of cut positions at which it counts as failed:
/// Maven says only afterwards that it tries again.
const TRIED_AGAIN: [(&str, usize); 1] = [("maven/depot-retry", 14)];

/// A successful run's output, cut after any line, is never read as a failure once it shows that tests run.
#[test]
fn cut_behind_any_line_a_passing_run_has_not_failed() {
    let (mut cuts, mut wrong) = (0, BTreeMap::new());
    for (case, _) in cases().iter().filter(|(_, one)| one.outcome == "succeeded") {
        let text = output(case);
        for (end, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
            cuts += 1;
            if outcome(&text[..end]) == "failed" {
                *wrong.entry(case.clone()).or_insert(0) += 1;
            }
        }
    }
    println!("{cuts} cuts");
    let expected = LOGGED_FIRST.iter().chain(&TRIED_AGAIN);
    let expected = expected.map(|(case, lines)| ((*case).to_owned(), *lines)).collect();
    assert!(cuts > 700 && wrong == expected, "of {cuts}: {wrong:#?}");
}

/// Lines in which a tool says that it succeeded.
const SUCCESSES: [&str; 14] = [
    "=== 2 passed in 0.01s ===",
    "Tests: 3 passed, 3 total",
    "OK",
    "PASS",
    "BUILD SUCCESSFUL in 3s",
    "[INFO] BUILD SUCCESS",
    "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
    "OK (3 tests, 3 assertions)",
    "3 examples, 0 failures",
    "2 passing (5ms)",
    "added 3 packages in 2s",
    "Already up to date.",
    "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.",
    "Summary [ 0.175s] 5 tests run: 5 passed, 0 skipped",
];

/// Lines in which a tool that runs no tests says that it failed.
const FAILURES: [&str; 10] = [
    "make: *** [Makefile:3: all] Error 2",
    "Killed",
    "Segmentation fault (core dumped)",
    "src/a.c:3:5: error: expected ';'",
    "src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
    "collect2: error: ld returned 1 exit status",
    "CMake Error at CMakeLists.txt:3 (message):",
    "fatal: not a git repository (or any of the parent directories): .git",
    "sh: 1: foo: command not found",
    "ERROR: failed to solve: x",
];

/// Returns the text with a line at three places in it.
fn with_logged(text: &[u8], logged: &str) -> Vec<Vec<u8>> {
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let places = [1, 2, 3].map(|quarter| lines.len() * quarter / 4);
    let places = places.into_iter().filter(|place| *place > 0);
    let with = |place: usize| {
        [&lines[..place].concat()[..], logged.as_bytes(), b"\n", &lines[place..].concat()].concat()
    };
    places.map(with).collect()
}

/// A failed run that prints another tool's success is never read as a success.
#[test]
fn a_logged_success_does_not_cover_a_failure() {
    let cases = cases();
    let (mut tried, mut wrong) = (0, Vec::new());
    for (case, _) in cases.iter().filter(|(_, one)| one.outcome == "failed") {
        for logged in SUCCESSES {
            for text in with_logged(&output(case), logged) {
                tried += 1;
                if outcome(&text) == "succeeded" {
                    wrong.push(format!("{case} <- {logged}"));
                }
            }
        }
    }
    println!("{tried} outputs");
    assert!(tried > 10_000 && wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a tool says while tests run may be logged by one of them: if they all pass, they have not failed.
#[test]
fn a_logged_failure_is_no_failure_of_the_tests() {
    let cases = cases();
    let (mut tried, mut wrong) = (0, Vec::new());
    for (case, _) in cases.iter().filter(|(_, one)| one.outcome == "succeeded") {
        let text = output(case);
        for (end, _) in text.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
            let (head, rest) = text.split_at(end + 1);
            let has_tests_running = outcome(head) == "unknown"
                && outcome(&[head, b"Error: logged\n"].concat()) == "unknown";
            for logged in FAILURES.iter().filter(|_| has_tests_running) {
                tried += 1;
                if outcome(&[head, logged.as_bytes(), b"\n", rest].concat()) == "failed" {
                    wrong.push(format!("{case}:{end} <- {logged}"));
                }
            }
        }
    }
    println!("{tried} outputs");
    assert!(tried > 1_000 && wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
}

/// What runners of jobs put before each line: a time, GitHub's job, step and time, a job, a container, a task.
const PREFIXES: [&str; 5] = [
    "2026-11-26T10:00:01.1234567Z ",
    "build\tRun tests\t2026-11-26T10:00:01.1234567Z ",
    "[test] ",
    "web-1  | ",
    "app:test: ",
];

/// Outputs that a prefix changes: JSON or XML in one line, which is read piece by piece only if the line begins with it,
/// and a first line that overwrites the prefix.
const CHANGED: [&str; 5] = [
    "git/rebase",
    "mocha/report-xunit-fail",
    "rspec/exit-json",
    "rspec/pass-json",
    "vitest/report-json-fail",
];

#[test]
fn a_prefix_of_every_line_changes_nothing() {
    let facts = |text: &[u8]| {
        let info = key_info(text);
        (info.outcome, info.passed, info.failed, info.failed_tests, info.errors)
    };
    for case in cases().keys().filter(|case| !CHANGED.contains(&case.as_str())) {
        let text = output(case);
        for prefix in PREFIXES {
            let lines = text.split_inclusive(|byte| *byte == b'\n');
            let prefixed: Vec<u8> =
                lines.flat_map(|line| [prefix.as_bytes(), line].concat()).collect();
            assert_eq!(facts(&prefixed), facts(&text), "{case} behind {prefix:?}");
        }
    }
}
