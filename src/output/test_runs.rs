//! Output of test runners before their summary. What stands between a beginning and the summary may have been logged by
//! tests: an error there is no statement of the runner.

use super::rule::Rules;
use super::rule::says::*;
use super::runner::Runner;

/// Rules for these lines, of which most are of one test.
pub const TEST_RUNS: &[Rules] = &[
    // beginnings of runs
    (Runner::GO, &[(BEGINS | TESTS, "=== RUN *")]),
    (Runner::VITEST, &[(BEGINS | TESTS, "RUN v*")]),
    (Runner::XUNIT, &[(BEGINS | TESTS, "PHPUnit % by *")]),
    (Runner::PYTEST, &[(BEGINS | TESTS, "=* test session starts =*")]),
    (Runner::DOTNET, &[(BEGINS | TESTS, "Starting test execution*"), (BEGINS, "Test run for *")]),
    (
        Runner::NEXTEST,
        &[
            (BEGINS | TESTS, "Nextest run ID *"),
            (BEGINS | TESTS, "Starting % test* across % binar*"),
        ],
    ),
    (Runner::CARGO, &[(TESTS, "running % test*"), (BEGINS, "Doc-tests *")]),
    (Runner::JUNIT, &[(TESTS, "Thanks for using JUnit!*"), (TESTS, "Test execution started. *")]),
    // lines of tests
    (
        Runner::UNKNOWN,
        &[
            (TESTS, "✓ * (% ms)"),
            (TESTS, "✓ * (% test*"),
            (TESTS, "✓ * > *"),
            (TESTS | JOINED, "console.$"),
        ],
    ),
    (Runner::JEST, &[(TESTS, "Test Suites: % *")]),
    (Runner::VITEST, &[(TESTS, "Test Files % *")]),
    (
        Runner::TAP,
        &[
            (TESTS, "✔ * (%ms)"),
            (TESTS, "ℹ tests %"),
            (BEGINS | TESTS, "TAP version %"),
            (TESTS, "ok % *"),
            (TESTS, "# Subtest: *"),
        ],
    ),
    (
        Runner::RUBY,
        &[
            (TESTS, "# Running:"),
            (TESTS, "# Running tests *"),
            (TESTS, "Started with run options *"),
        ],
    ),
    (Runner::UNITTEST, &[(TESTS, "test$ ($.$) ... *")]),
    (Runner::XUNIT, &[(TESTS, "JUnit version *"), (TESTS, "[INFO] Running $.$")]),
    (Runner::JUNIT, &[(TESTS, "├─ * ✔"), (TESTS, "└─ * ✔"), (TESTS, "Test run finished after *")]),
];
