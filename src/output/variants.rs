//! Variants of what test runners print, which apply before the rules of the runners themselves.

use super::rule::Rules;
#[cfg(feature = "files")]
use super::rule::says::*;
#[cfg(feature = "files")]
use super::runner::Runner;

/// Rules that apply before those of the test runners. The core wasm omits them, as it does those of tools.
#[cfg(feature = "files")]
pub const FIRST: &[Rules] = &[
    // lines of source that a tool shows, with their numbers
    (
        Runner::UNKNOWN,
        &[(NOTHING, "% | *"), (NOTHING, "%| *"), (NOTHING, "> % | *"), (NOTHING, "=> %: *")],
    ),
    // npm: where it failed, below or above the reason
    (
        Runner::NPM,
        &[
            (FAILED, "npm error syscall *"),
            (FAILED, "npm error path *"),
            (FAILED, "npm error errno *"),
            (FAILED, "npm error dest *"),
            (FAILED, "npm error cwd *"),
            (FAILED, "npm error workspace *"),
            (FAILED, "npm error location *"),
            (FAILED, "npm error command failed"),
            (FAILED, "npm error %"),
            (FAILED, "npm error A complete log of this run *"),
            (FAILED, "npm ERR! syscall *"),
            (FAILED, "npm ERR! path *"),
            (FAILED, "npm ERR! errno *"),
            (FAILED, "npm ERR! dest *"),
            (FAILED, "npm ERR! cwd *"),
            (FAILED, "npm ERR! workspace *"),
            (FAILED, "npm ERR! location *"),
            (FAILED, "npm ERR! command failed"),
            (FAILED, "npm ERR! %"),
            (FAILED, "npm ERR! A complete log of this run *"),
        ],
    ),
    // yarn 4: some of its codes are errors
    (
        Runner::NPM,
        &[
            (FAILED | ERROR, "➤ YN0000: *{Failed with errors in *}"),
            (ERROR, "➤ YN0001: │ {*}"),
            (ERROR, "➤ YN0009: │ {*}"),
            (ERROR, "➤ YN0016: │ {*}"),
            (ERROR, "➤ YN0018: │ {*}"),
            (ERROR, "➤ YN0028: │ {*}"),
            (ERROR, "➤ YN0035: │ {*}"),
            (ERROR, "➤ YN0041: │ {*}"),
            (ERROR, "➤ YN0082: │ {*}"),
        ],
    ),
    // Playwright: `1 failed` alone may be what a test printed, so it counts only below a failed test
    (
        Runner::PLAYWRIGHT,
        &[
            (BEGINS | TESTS, "Running % test* using % worker*"),
            (NAME | OPENS | DOUBTS, "%) {* › *} ─*"),
            (COUNTS | LISTED, "% failed"),
            // The run was stopped.
            (FAILED | BEGINS, "% interrupted"),
            (DOUBTS, "% did not run"),
            (COUNTS | DOUBTS, "% passed (%*s)"),
        ],
    ),
    // pytest-cov, whose line jest's rule for a failed file would fit; pytest, before it collects tests
    (
        Runner::PYTEST,
        &[
            (FAILED, "FAIL Required test coverage *"),
            (FAILED | ERROR, "ImportError while loading conftest *"),
            // A part of a test, by its message and parameters.
            (FAILED | NAME, "SUBFAILED*) {*.py::*} - *"),
            (FAILED | NAME, "SUBFAILED*) {*.py::*}"),
            (FAILED | NAME, "SUBFAILED*] {*.py::*} - *"),
            (FAILED | NAME, "SUBFAILED*] {*.py::*}"),
            (FAILED | NAME, "{*.py::*} SUBFAILED*"),
            // Headings, which announce a failed test, but neither names nor the details of one.
            (FAILED | RAISED | OPENS | CLOSES, "=* FAILURES =*"),
            (FAILED | RAISED | OPENS | CLOSES, "=* ERRORS =*"),
        ],
    ),
    // uvu, which counts the tests that passed
    (
        Runner::UVU,
        &[
            (FAILED, "FAIL \"*\""),
            (OPENS, "Total: %"),
            (COUNTS_AFTER | LISTED, "Passed: %"),
            (CLOSES, "Duration: *"),
        ],
    ),
    (
        Runner::JASMINE,
        &[
            (COUNTS, "% spec*, % failure*"),
            (FAILED, "Incomplete: fit() or fdescribe() was found"),
            (FAILED, "Incomplete: No specs found"),
        ],
    ),
    (Runner::TAP, &[(COUNTS, "Asserts: % pass % fail *")]),
    // stack frames of tests
    (Runner::TAP, &[(TESTS, "at *node:internal/test_runner/*")]),
    (Runner::MOCHA, &[(TESTS, "at *node_modules/mocha/lib/runn*")]),
    (
        Runner::JEST,
        &[
            (NOTHING, "● Console"),
            (NOTHING, "○ *"),
            (NOTHING, "Jest did not exit * after the test run has completed.*"),
            (NOTHING, "This usually means that there are asynchronous operations *"),
            (NOTHING, "Force exiting Jest: *"),
        ],
    ),
    // Django's runner, after unittest's summary
    (Runner::UNITTEST, &[(NOTHING, "Destroying test database for alias *")]),
    (
        Runner::VITEST,
        &[
            (FAILED | OPENS, "⎯* Unhandled *"),
            (FAILED, "Vitest caught % unhandled error*"),
            (FAILED, "Type Errors % error*"),
            // One that it tried again, or several times.
            (NOTHING, "× * %ms (*)"),
            (ERROR, "Cannot find module *"),
            (ERROR, "expect(*).*"),
            (ERROR, "thrown: *"),
            (FAILED | NAME, "FAIL {$} [ $ ]"),
            (TESTS, "stdout | *"),
            (TESTS, "stderr | *"),
        ],
    ),
    // Perl
    (
        Runner::TAP,
        &[
            (FAILED | ERROR, "# Looks like you*"),
            (OK, "Result: PASS"),
            (FAILED | ERROR, "Dubious, test returned *"),
            (FAILED, "Failed %/% subtests*"),
            (NOTHING, "All tests successful."),
        ],
    ),
    // TAP: a test with its time, a group of tests, what a test printed, the kind of an error
    (
        Runner::TAP,
        &[
            (FAILED, "not ok % - * # time=%ms *"),
            (FAILED | NAME, "not ok % - {*} # time=*"),
            (NOTHING, "name: *"),
            (ERROR, "message: {*}"),
        ],
    ),
    // node:test: failed tests while others run, and the list of them with their errors
    (
        Runner::TAP,
        &[
            // Lists tests that are to be done, too, although the run passes.
            (OPENS, "✖ failing tests:"),
            // A test that is to fail, or is skipped.
            (NOTHING, "✖ * (%ms) # *"),
            (FAILED | NAME | LISTED, "✖ {*} (%ms)"),
            (FAILED | NAME | TESTS, "✖ {*} (%ms)"),
        ],
    ),
    // nextest: a test with its number; one that may be tried again
    (
        Runner::NEXTEST,
        &[
            (FAILED | NAME, "SIG$ [ %s] (*) {*}"),
            (FAILED | NAME, "TIMEOUT [ %s] (*) {*}"),
            (FAILED | NAME, "SIG$ [ %s] {*}"),
            (FAILED | NAME, "TIMEOUT [ %s] {*}"),
            (NAME | LISTED, "TRY % $ [ %s] (*) {*}"),
            (NOTHING, "TRY % PASS [*"),
            (WHOLE, "TRY % *"),
            (FAILED | ERROR, "error: no tests to run*"),
        ],
    ),
    // an interrupted RSpec; Checkstyle's reports, of any linter; PHPStan and Nx, whose marks others print too
    (
        Runner::TOOL,
        &[
            (BEGINS | FAILED, "RSpec is shutting down *"),
            (ERROR, "<error line=* severity=* message={*}*"),
            (FAILED, "[ERROR] Found % error*"),
            (FAILED, "✖ %/% targets failed*"),
            (FAILED, "✖ found % problem*"),
            (FAILED | ERROR, "✘ [ERROR] {*}"),
        ],
    ),
    // ExUnit and Bats; Flutter
    (
        Runner::EXUNIT,
        &[
            (BEGINS | TESTS, "Running ExUnit with seed: *"),
            (BEGINS | FAILED | ERROR, "== Compilation error in file *"),
            (FAILED | NAME | OPENS, "%) {test * ($)}"),
            (FAILED | NAME | OPENS, "%) {property * ($)}"),
            (FAILED | NAME | OPENS, "%) {doctest * ($)}"),
            (FAILED | ERROR, "%) {$: failure on setup_all callback*}"),
            (FAILED | COUNTS, "% test*, % invalid*"),
            (COUNTS, "% propert*, % failure*"),
            (CLOSES, "Finished in % seconds (*s async, *"),
            (NOTHING, "$.exs:%: (test)"),
            (ERROR | LISTED, "Assertion *"),
            (ERROR | LISTED, "match (=) failed*"),
            (ERROR | LISTED, "~~ ($) *"),
            (FAILED, "% test*, % failure*, % not run*"),
            (COUNTS, "% test*, % failure*"),
            (COUNTS, "% doctest*, % test*, % failure*"),
            (OK, "%:% +%: All tests passed!"),
            (FAILED, "%:% +*%: Some tests failed."),
        ],
    ),
    // Deno
    (
        Runner::DENO,
        &[
            (BEGINS | TESTS, "running % test* from ./*"),
            (FAILED, "error: Test failed"),
            (FAILED | OPENS, "FAILURES"),
            (NAME | LISTED, "{*} => ./*:%:%"),
            (COUNTS, "ok | % passed* | % failed*"),
            (FAILED | COUNTS, "FAILED | % passed* | % failed*"),
        ],
    ),
    // Bun, whose bare counts others may print
    (
        Runner::BUN,
        &[
            (BEGINS | TESTS | OPENS, "bun test v$ ($)"),
            (ERROR | LISTED, "error: *"),
            (CLOSES, "Ran % test* across % file*"),
            (COUNTS | LISTED, "% pass"),
            (COUNTS | LISTED, "% fail"),
            (FAILED | NAME, "(fail) {*} [%ms]"),
            (FAILED | NAME | LISTED, "✗ {*} [%ms]"),
        ],
    ),
    // GoogleTest
    (
        Runner::GTEST,
        &[
            (BEGINS | TESTS, "[==========] Running % test*"),
            // A failure outside of a test: in what surrounds all, or in what a thread checked.
            (FAILED | DOUBTS, "[ FAILED ] 0 test*, listed below:"),
            (NOTHING, "[ FAILED ] % test*, listed below:"),
            // With a parameter: `All/Sizes.Small/2, where GetParam() = 5 (0 ms)`.
            (FAILED | NAME | DOUBTS, "[ FAILED ] {$.$}, where *"),
            (FAILED | NAME | DOUBTS, "[ FAILED ] {$.$} (% ms)"),
            (FAILED | NAME | DOUBTS, "[ FAILED ] {$.$}"),
            (COUNTS, "% FAILED TEST*"),
            (NOTHING, "[ PASSED ] 0 tests."),
            (NOTHING, "$:%: Skipped"),
            (ERROR, "C++ exception with description *"),
            (OK | COUNTS_AFTER | DOUBTS, "[ PASSED ] % test*."),
        ],
    ),
    // go
    (
        Runner::GO,
        &[
            (FAILED | NAME, "*--- FAIL: {*} (%s)"),
            (FAILED | NAME, "--- FAIL: {$}"),
            (NOTHING, "=== CONT *"),
            (NOTHING, "=== NAME *"),
            (NOTHING, "--- PASS: *"),
            (NOTHING, "--- SKIP: *"),
            (OPENS, "running tests:"),
            (NAME | LISTED, "{Test$} (%s)"),
            (NAME | LISTED, "{Test$} (%m%s)"),
            (FAILED | ERROR, "go: {$@$: *}"),
            (FAILED | ERROR, "$.go:%:%: {no required module provides *}"),
        ],
    ),
    // Maven
    (
        Runner::XUNIT,
        &[
            (BEGINS | DOUBTS, "[INFO] Scanning for projects*"),
            (BEGINS, "[INFO] --- *"),
            (BEGINS, "[INFO] Reactor Summary*"),
            (FAILED, "[INFO] * FAILURE [*"),
            (FAILED, "[ERROR] COMPILATION ERROR*"),
            (FAILED | OPENS, "Tests run: *Time elapsed: * <<< *"),
            (NOTHING, "[ERROR] Please refer to *"),
            (COUNTS_AFTER | WHOLE | DOUBTS, "[*] Tests run: *, Flakes: *"),
        ],
    ),
    // git, whose line Gradle's rule for an error would fit
    (Runner::TOOL, &[(FAILED | ERROR, "Could not apply ^... *")]),
    // Gradle
    (
        Runner::GRADLE,
        &[
            (FAILED, "> Task :* FAILED"),
            (BEGINS | TESTS, "> Task :*est"),
            (BEGINS, "> Task :*"),
            (OPENS | RAISED, "~ What went wrong:"),
            (NOTHING, "> There were failing tests*"),
            (NOTHING, "> Compilation failed; see *"),
            (NOTHING, "> A failure occurred while executing *"),
            (NOTHING, "> startup failed:"),
            (CLOSES, "~ Try:"),
            (CLOSES, "~ Exception is:"),
            (CLOSES, "~ Get more help at *"),
            (FAILED | CLOSES, "BUILD FAILED*"),
            (ERROR | LISTED, "> {*}"),
            (ERROR | LISTED, "*"),
            (TESTS, "* > * STANDARD_ERROR"),
            (ERROR, "Could not *"),
            (ERROR, "A problem occurred *"),
            (ERROR, "e: {file:*}"),
        ],
    ),
    // RSpec, test-unit
    (
        Runner::RUBY,
        &[
            (BEGINS, "Run options: *"),
            // A part of an example's failures.
            (ERROR | LISTED, "%.%) Failure/Error: *"),
            (CLOSES | TESTS, "Pending: *"),
            (FAILED | ERROR | LISTED, "Failure/Error: *"),
            (FAILED, "Failed examples:"),
            (FAILED, "rspec $ # *"),
            (FAILED | NAME | ERROR, "Failure: {test$($)}*"),
            (FAILED | NAME | ERROR, "Error: {test$($)}*"),
        ],
    ),
    (Runner::XUNIT, &[(CLOSES, "% test* triggered % *:"), (NOTHING, "E % / % (*%)")]),
    (
        Runner::JUNIT,
        &[
            (DOUBTS, "[ 0 tests found ]"),
            (NOTHING, "Failures (0):"),
            (FAILED | OPENS, "Failures (%):"),
        ],
    ),
    // dotnet
    (
        Runner::DOTNET,
        &[
            (COUNTS_AFTER, "Skipped! - Failed: *"),
            (FAILED, "Build failed with *"),
            (FAILED | ERROR, "The active test run was aborted.*"),
            (FAILED | NAME, "[xUnit.net %:%:%] {*} [FAIL]"),
            (FAILED | OPENS, "Test run summary: Failed!*"),
            (OK | OPENS, "Test run summary: Passed!*"),
            (COUNTS_AFTER, "Total tests: %. Passed: *"),
            (COUNTS_AFTER | LISTED, "succeeded: %"),
            (COUNTS_AFTER | LISTED, "failed: %"),
            (FAILED | NAME, "failed {$.$.*} (*s)"),
            (FAILED | NAME | ERROR, "{*} (%ms): Error Message: *"),
        ],
    ),
    // cargo: names in the list of failed tests; what a test is to do, which is no part of its name; a summary that says
    // itself that it is a success
    (
        Runner::CARGO,
        &[
            (NAME | LISTED, "{$::$}"),
            (FAILED | NAME, "test {*} - should panic ... FAILED"),
            (FAILED | NAME, "test {*} - compile fail ... FAILED"),
            (FAILED | NAME, "test {*} - compile ... FAILED"),
            (OK | COUNTS, "test result: ok. *"),
        ],
    ),
];

/// No rules.
#[cfg(not(feature = "files"))]
pub const FIRST: &[Rules] = &[];
