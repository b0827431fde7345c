//! Output of compilers, other tools and hosts, and lines that start something new after a success.

use super::rule::Rules;
#[cfg(feature = "files")]
use super::rule::says::*;

/// Rules that apply before those of the test runners. The core wasm omits them, as it does [`TOOLS`].
#[cfg(feature = "files")]
pub const FIRST: &[Rules] = &[
    // lines of source that a tool shows, with their numbers
    &[(NOTHING, "% | *"), (NOTHING, "%| *"), (NOTHING, "> % | *"), (NOTHING, "=> %: *")],
    // Playwright: `1 failed` alone may be what a test printed, so it counts only below a failed test
    &[
        (BEGINS | TESTS, "Running % test* using % worker*"),
        (NAME | OPENS | DOUBTS, "%) {* › *} ─*"),
        (COUNTS | LISTED, "% failed"),
        (COUNTS | DOUBTS, "% passed (%*s)"),
    ],
    // pytest-cov, whose line jest's rule for a failed file would fit
    &[(FAILED, "FAIL Required test coverage *")],
    // uvu, which counts the tests that passed
    &[(FAILED, "FAIL \"*\"")],
    // Jasmine, tap
    &[(COUNTS, "% spec*, % failure*"), (COUNTS, "Asserts: % pass % fail *")],
    // stack frames of tests
    &[(TESTS, "at *node:internal/test_runner/*"), (TESTS, "at *node_modules/mocha/lib/runn*")],
    // jest, vitest
    &[
        (NOTHING, "● Console"),
        (NOTHING, "○ *"),
        (OPENS, "⎯* Unhandled *"),
        (FAILED, "Vitest caught % unhandled error*"),
        (ERROR, "Cannot find module *"),
        (ERROR, "expect(*).*"),
        (ERROR, "thrown: *"),
        (FAILED | NAME, "FAIL {$} [ $ ]"),
        (TESTS, "stdout | *"),
        (TESTS, "stderr | *"),
    ],
    // TAP: a test with its time, a group of tests, what a test printed, the kind of an error
    &[
        (FAILED, "not ok % - * # time=%ms *"),
        (FAILED | NAME, "not ok % - {*} # time=*"),
        (NOTHING, "name: *"),
        (ERROR, "message: {*}"),
    ],
    // node:test: failed tests while others run, and the list of them with their errors
    &[
        (FAILED | OPENS, "✖ failing tests:"),
        (FAILED | NAME | LISTED, "✖ {*} (%ms)"),
        (FAILED | NAME | TESTS, "✖ {*} (%ms)"),
    ],
    // nextest: a failed test that may be tried again
    &[(NAME | LISTED, "TRY % $ [ %s] (*) {*}"), (NOTHING, "TRY % PASS [*"), (WHOLE, "TRY % *")],
    // go
    &[
        (OPENS, "running tests:"),
        (NAME | LISTED, "{Test$} (%s)"),
        (NAME | LISTED, "{Test$} (%m%s)"),
        (FAILED | ERROR, "go: {$@$: *}"),
        (FAILED | ERROR, "$.go:%:%: {no required module provides *}"),
    ],
    // Maven
    &[
        (BEGINS | DOUBTS, "[INFO] Scanning for projects*"),
        (BEGINS, "[INFO] --- *"),
        (BEGINS, "[INFO] Reactor Summary*"),
        (FAILED, "[INFO] * FAILURE [*"),
        (COUNTS_AFTER | WHOLE | DOUBTS, "[*] Tests run: *, Flakes: *"),
    ],
    // Gradle
    &[
        (FAILED, "> Task :* FAILED"),
        (BEGINS | TESTS, "> Task :*est"),
        (TESTS, "* > * STANDARD_ERROR"),
        (ERROR, "Could not *"),
        (ERROR, "A problem occurred *"),
        (ERROR, "e: {file:*}"),
    ],
    // RSpec, test-unit, PHPUnit
    &[
        (CLOSES | TESTS, "Pending: *"),
        (FAILED | NAME | ERROR, "Failure: {test$($)}*"),
        (FAILED | NAME | ERROR, "Error: {test$($)}*"),
        (CLOSES, "% test* triggered % *:"),
    ],
    // dotnet
    &[
        (FAILED | OPENS, "Test run summary: Failed!*"),
        (OK | OPENS, "Test run summary: Passed!*"),
        (COUNTS_AFTER | LISTED, "succeeded: %"),
        (COUNTS_AFTER | LISTED, "failed: %"),
        (FAILED | NAME, "failed {$.$.*} (*s)"),
        (FAILED | NAME | ERROR, "{*} (%ms): Error Message: *"),
    ],
    // cargo: names in the list of failed tests
    &[(NAME | LISTED, "{$::$}")],
];

/// No rules.
#[cfg(not(feature = "files"))]
pub const FIRST: &[Rules] = &[];

/// Rules for compilers and other tools. The core wasm, which every page loads, omits them for size: its summaries
/// detect errors by the form that all of them share.
#[cfg(feature = "files")]
pub const TOOLS: &[Rules] = &[
    // make, ninja
    &[
        (FAILED | ERROR, "make: ~~~ *"),
        (FAILED | ERROR, "make[%]: ~~~ *"),
        (FAILED | ERROR, "gmake: ~~~ *"),
        (FAILED | ERROR, "gmake[%]: ~~~ *"),
        (FAILED, "make: stopped in *"),
        (OK, "make*: Nothing to be done for *"),
        (OK, "make*: * is up to date."),
        (FAILED, "ninja: build stopped*"),
        (OK, "ninja: no work to do."),
    ],
    // CMake, ctest
    &[
        (FAILED | ERROR, "CMake Error*"),
        (FAILED, "-- Configuring incomplete*"),
        (OK, "-- Build files have been written to: *"),
        (OK, "[100*] Built target *"),
        (BEGINS, "[*] Building *"),
        (BEGINS, "[*] Built target *"),
        (COUNTS, "%* tests passed, % test* failed out of *"),
        (FAILED | OPENS, "The following tests FAILED:"),
        (NAME | LISTED, "% - {*} (*)*"),
        (FAILED, "Errors while running CTest"),
        (TESTS, "Test project *"),
    ],
    // tsc, eslint, biome, ruff, mypy, prettier, rustfmt
    &[
        (FAILED | ERROR, "Diff in $:%:"),
        (OK, "Found 0 errors.*"),
        (OK, "Found 0 errors in *"),
        (NOTHING, "Found 0 *"),
        (OK, "%:%:%* - Found 0 errors*"),
        (BEGINS, "[%:%:%*] Starting *compilation*"),
        (BEGINS, "[%:%:%*] File change detected.*"),
        (OK, "[%:%:%*] Found 0 errors.*"),
        (OK, "Found % error* (% fixed, 0 remaining)*"),
        (FAILED, "%:%:%* - Found % error*"),
        (FAILED, "[%:%:%*] Found % error*"),
        (FAILED, "Found % error*"),
        (OK, "✖ % problem* (0 errors*"),
        (FAILED, "✖ % problem*"),
        (ERROR | DOUBTS, "✖ {*}"),
        (ERROR, "%:% error {*}"),
        (FAILED | ERROR, "$(%,%): error &: *"),
        (FAILED | ERROR, "error TS%: *"),
        (FAILED, "Oops! Something went wrong*"),
        (OK | DOUBTS, "Checked % file* in *"),
        (OK | DOUBTS, "Formatted % file* in *"),
        (FAILED, "× Some errors were emitted*"),
        (ERROR | DOUBTS, "× {*}"),
        (FAILED | ERROR, "::error {*}"),
        (FAILED | ERROR, "invalid-syntax: *"),
        (FAILED, "Would fix % error*"),
        (FAILED, "ruff failed"),
        (ERROR, "Cause: {*}"),
        (ERROR, "%:% {& *}"),
        (ERROR, "% & [*"),
        (OK, "0 issues."),
        (FAILED, "% issues:"),
        (OK, "All checks passed!"),
        (FAILED, "% file* would be reformatted*"),
        (FAILED, "% file* failed to reformat*"),
        (OK, "% file* already formatted"),
        (OK, "% file* reformatted*"),
        (OK, "% file* left unchanged*"),
        (NOTHING, "& %:*"),
        (ERROR, "& *"),
        (OK, "Success: no issues found *"),
        (OK, "All matched files use Prettier *"),
        (FAILED, "[warn] Code style issues *"),
    ],
    // gcc, clang, linkers
    &[
        (FAILED | ERROR, "$:%:%: error: *"),
        (FAILED | ERROR, "$:%:%: fatal error: *"),
        (FAILED, "collect2: error: *"),
        (FAILED | ERROR, "clang*: error: *"),
        (FAILED, "% error* generated."),
        (FAILED, "% warning* and % error* generated."),
        (FAILED, "compilation terminated."),
        (ERROR, "*undefined reference to *"),
    ],
    // docker
    &[
        (FAILED | ERROR, "ERROR: failed to *"),
        (FAILED | ERROR, "failed to solve: *"),
        (FAILED, "=> ERROR *"),
        (FAILED | ERROR, "Error response from daemon: *"),
        (FAILED | ERROR, "docker: *"),
        (FAILED | ERROR, "dependency failed to start: *"),
        (FAILED | ERROR, "no such service: *"),
        (FAILED | ERROR, "yaml: line %: *"),
        (FAILED | ERROR, "OCI runtime * failed: *"),
        (FAILED | ERROR, "denied: *"),
        (FAILED | ERROR, "Cannot connect to the Docker daemon*"),
        (FAILED | ERROR, "unable to prepare context: *"),
        (FAILED | ERROR, "The command '*' returned a non-zero code: *"),
        (OK, "Successfully built *"),
        (OK, "Successfully tagged *"),
        // Not "Status: Downloaded newer image": `docker run` prints it too, before it runs.
        (OK, "docker.io/$:$"),
        (OK, "ghcr.io/$:$"),
        (OK, "#% naming to * done"),
        (OK, "=> => naming to *"),
        (OK, "*: digest: sha256:* size: %"),
    ],
    // git
    &[
        (FAILED | ERROR, "fatal: *"),
        (FAILED | ERROR, "CONFLICT (*"),
        (FAILED, "Automatic merge failed*"),
        (FAILED | ERROR, "merge: * - not something we can merge"),
        (FAILED | ERROR, "! [*rejected] *"),
        (FAILED | ERROR, "error: failed to push *"),
        (FAILED | ERROR, "error: pathspec *"),
        (OK, "Already up to date."),
        (OK, "Everything up-to-date"),
        (OK, "Fast-forward"),
        (OK, "Merge made by *"),
        (OK, "Switched to branch '*"),
        (OK, "Switched to a new branch '*"),
        (OK, "Already on '*'"),
        (OK, "HEAD is now at *"),
        (OK, "Successfully rebased and updated *"),
        (OK, "[$ ^] *"),
        (OK, "[$ (root-commit) ^] *"),
        (OK, "[detached HEAD ^] *"),
        (OK, "* [new *] * -> *"),
        (OK, "$..^ * -> *"),
    ],
    // kubectl
    &[
        (FAILED | ERROR, "Error from server*"),
        (FAILED | ERROR, "Unable to connect to the server*"),
        (FAILED | ERROR, "The connection to the server *"),
        (FAILED | ERROR, "The * is invalid: *"),
        (FAILED | ERROR, "resource mapping not found *"),
        // Objects without a group (`deployment.apps/web`) are matched by kind, because other tools also print
        // "created".
        (NOTHING, "./*"),
        (NOTHING, "../*"),
        (OK, "$.$/$ created"),
        (OK, "$.$/$ configured"),
        (OK, "$.$/$ unchanged"),
        (OK, "$.$ \"$\" deleted*"),
        (OK, "pod/$ $ed"),
        (OK, "service/$ $ed"),
        (OK, "configmap/$ $ed"),
        (OK, "secret/$ $ed"),
        (OK, "namespace/$ $ed"),
        (OK, "serviceaccount/$ $ed"),
        (OK, "persistentvolume$/$ $ed"),
        (OK, "pod \"$\" deleted*"),
        (OK, "service \"$\" deleted*"),
        (OK, "configmap \"$\" deleted*"),
        (OK, "secret \"$\" deleted*"),
        (OK, "namespace \"$\" deleted*"),
        (OK, "deployment.apps/$ $ed"),
        (OK, "deployment.apps/$ condition met"),
        (OK, "pod/$ condition met"),
        (OK, "deployment \"$\" successfully rolled out"),
    ],
    // terraform
    &[
        (FAILED | ERROR, "│ Error: {*}"),
        (OK, "Apply complete!*"),
        (OK, "Destroy complete!*"),
        (OK, "Plan: % to add*"),
        (OK, "You can apply this plan to save these new output values*"),
        (FAILED | NAME, "run {*}... fail"),
        (COUNTS, "Success! % passed, % failed*"),
        (FAILED | COUNTS, "Failure! % passed, % failed*"),
        (FAILED | ERROR, "Terraform has no command named *"),
        (BEGINS, "*: Creating...*"),
        (OK, "No changes. Your *"),
        (OK, "No changes. Infrastructure *"),
        (OK, "No changes. No objects *"),
        (OK, "Success! The configuration is valid*"),
        (OK, "Terraform has been successfully initialized!"),
    ],
    // failures of a run whose tests passed, or that has too many warnings
    &[
        (FAILED | ERROR, "ERROR: Coverage *"),
        (FAILED | ERROR, "No test* found, exiting with code *"),
        (FAILED | ERROR, "Jest: *coverage threshold *"),
        (FAILED | ERROR, "SimpleCov failed with *"),
        (FAILED | ERROR, "ESLint found too many warnings*"),
        (FAILED | ERROR, "ELIFECYCLE *"),
        (FAILED | ERROR, "rake aborted!*"),
    ],
    // test runners, rare lines
    &[
        (FAILED | NAME, "UNEXPECTED SUCCESS: {$ (*}"),
        (FAILED | NAME, "test {*} ... error: test failed*"),
        (FAILED, "INTERNALERROR> *"),
        (NOTHING, "E Omitting *"),
        (NOTHING, "E Use -v *"),
        // pytest: the place of an error that it has shown
        (NOTHING, "$.py:%: $Error"),
        (NOTHING, "$.py:%: in *"),
        (FAILED | ERROR, "process didn't exit successfully: *"),
        (FAILED | ERROR, "*{Fatal Python error: *}"),
        // Playwright marks a test this way that it retries.
        (NOTHING, "✘ % *"),
        (FAILED | NAME, "✘ {*}"),
        (COUNTS, "% passed (%*)"),
        // AVA
        (COUNTS, "% test* passed"),
        (COUNTS, "% test* failed"),
        (FAILED, "Test Run Aborted*"),
    ],
    // start of something new after another tool succeeded
    &[
        (BEGINS, "> $@$ *"),
        (BEGINS | TESTS, "=== RUN *"),
        (BEGINS, "Running *"),
        (BEGINS | TESTS, "RUN v*"),
        (BEGINS | TESTS, "PHPUnit % by *"),
        (BEGINS | TESTS, "=* test session starts =*"),
        (BEGINS, "Test run for *"),
        (BEGINS | TESTS, "Starting test execution*"),
        (BEGINS, "Auto-merging *"),
        (BEGINS | TESTS, "Nextest run ID *"),
        (BEGINS, "Doc-tests *"),
        (TESTS, "running % test*"),
        (TESTS, "Thanks for using JUnit!*"),
        (TESTS, "Test execution started. *"),
        (BEGINS, "> Task :*"),
    ],
    // lines of a test run before its summary
    &[
        (TESTS, "✓ * (% ms)"),
        (TESTS, "✓ * (% test*"),
        (TESTS, "✓ * > *"),
        (NOTHING, "✓ *"),
        (TESTS, "console.error"),
        (TESTS, "console.warn"),
        (TESTS, "console.log"),
        (TESTS, "Test Suites: % passed*"),
        (TESTS, "Test Files % passed*"),
        (TESTS, "✔ * (%ms)"),
        (NOTHING, "✔ *"),
        (TESTS, "ℹ tests %"),
        (TESTS, "TAP version %"),
        (TESTS, "ok % - *"),
        (TESTS, "# Subtest: *"),
        (TESTS, "# Running:"),
        (TESTS, "# Running tests *"),
        // go build and go vet: the errors in a package
        (NOTHING, "# ./*"),
        (NOTHING, "# /*"),
        (OPENS, "# $/$"),
        (OPENS, "# $/$ [$]"),
        (OPENS, "# command-line-arguments*"),
        (FAILED | ERROR | LISTED, "$.go:%:%: *"),
        (TESTS, "Started with run options *"),
        (TESTS, "test$ ($.$) ... *"),
        (TESTS, "JUnit version *"),
        (TESTS, "├─ * ✔"),
        (TESTS, "└─ * ✔"),
        (TESTS, "Test run finished after *"),
        (TESTS, "[INFO] Running $.$"),
    ],
    // shells and hosts
    &[
        (ERROR | FAILED, "Segmentation fault*"),
        (ERROR | FAILED, "*: command not found"),
        (ERROR | FAILED, "Command timed out*"),
        (ERROR | FAILED, "Killed"),
        (RAISED, "Traceback (most recent call last):"),
        (NOTHING, "+ $ = *"),
        (BEGINS, "+ $*"),
        (BEGINS, "...*truncated*"),
        (BEGINS, "...*omitted*"),
        (BEGINS, "[*truncated*"),
        (BEGINS, "[*omitted*"),
        (BEGINS, "… +% line*"),
    ],
];

/// No rules.
#[cfg(not(feature = "files"))]
pub const TOOLS: &[Rules] = &[];

/// Rules of these tables that show that tests run, with the number of the runner: its position among the test runners,
/// from 1.
#[cfg(feature = "files")]
pub const OWNERS: &[(&str, u8)] = &[
    ("Nextest run ID *", 2),
    ("stdout | *", 3),
    ("stderr | *", 3),
    ("RUN v*", 3),
    ("Test Files % passed*", 3),
    ("test$ ($.$) ... *", 4),
    ("=== RUN *", 5),
    ("PHPUnit % by *", 6),
    ("[INFO] Running $.$", 6),
    ("Thanks for using JUnit!*", 7),
    ("├─ * ✔", 7),
    ("└─ * ✔", 7),
    ("Test run finished after *", 7),
    ("Test Suites: % passed*", 8),
    ("at *node_modules/mocha/lib/runn*", 9),
    ("at *node:internal/test_runner/*", 10),
    ("✔ * (%ms)", 10),
    ("ℹ tests %", 10),
    ("TAP version %", 10),
    ("ok % - *", 10),
    ("# Subtest: *", 10),
    ("=* test session starts =*", 11),
    ("running % test*", 12),
    ("# Running:", 13),
    ("# Running tests *", 13),
    ("Started with run options *", 13),
    ("Starting test execution*", 15),
];

/// No rules.
#[cfg(not(feature = "files"))]
pub const OWNERS: &[(&str, u8)] = &[];
