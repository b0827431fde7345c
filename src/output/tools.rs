//! Output of compilers, other tools and hosts, and lines that start something new after a success.

use super::rule::Rules;
#[cfg(feature = "files")]
use super::rule::says::*;
#[cfg(feature = "files")]
use super::runner::Runner;

/// Rules for compilers and other tools. The core wasm, which every page loads, omits them for size: its summaries
/// detect errors by the form that all of them share.
#[cfg(feature = "files")]
pub const TOOLS: &[Rules] = &[
    // make, ninja
    (
        Runner::TOOL,
        &[
            (FAILED | ERROR, "make: ~~~ *"),
            (FAILED | ERROR, "make[%]: ~~~ *"),
            (FAILED | ERROR, "gmake: ~~~ *"),
            (FAILED | ERROR, "gmake[%]: ~~~ *"),
            (FAILED, "make: stopped in *"),
            (OK, "make*: Nothing to be done for *"),
            (OK, "make*: * is up to date."),
            (NOTHING, "make*: * directory *"),
            (FAILED, "ninja: build stopped*"),
            (OK, "ninja: no work to do."),
        ],
    ),
    // CMake, ctest
    (
        Runner::TOOL,
        &[
            (FAILED | ERROR, "CMake Error*"),
            (FAILED, "-- Configuring incomplete*"),
            (OK, "-- Build files have been written to: *"),
            (OK, "[100*] Built target *"),
            (BEGINS, "[*] Building *"),
            (BEGINS, "[*] Built target *"),
        ],
    ),
    (
        Runner::CTEST,
        &[
            (COUNTS | WHOLE, "%* tests passed, % test* failed out of *"),
            (NOTHING, "Test #%: *~~~*"),
            (NOTHING, "The following tests did not run:"),
            (NOTHING, "% - * (Disabled)"),
            (NOTHING, "% - * (Skipped)"),
            (FAILED | NAME, "%/% Test #%: {$} *~~~Failed *"),
            (FAILED | NAME, "%/% Test #%: {$} *~~~Timeout *"),
            (FAILED | NAME, "%/% Test #%: {$} *~~~Exception*"),
            (FAILED | NAME, "%/% Test #%: {$} *~~~Not Run *"),
            (FAILED | OPENS, "The following tests FAILED:"),
            (NAME | LISTED, "% - {*} (*)*"),
            (FAILED, "Errors while running CTest"),
            (BEGINS | TESTS, "Test project *"),
        ],
    ),
    // tsc, eslint, biome, ruff, mypy, prettier, rustfmt
    (
        Runner::TOOL,
        &[
            (FAILED | ERROR, "Diff in $:%:"),
            (OK, "Found 0 errors.*"),
            (OK, "Found 0 errors in *"),
            (OK, "Found 0 warnings and 0 errors."),
            (FAILED, "Found 0 warnings and % error*"),
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
            (FAILED, "× Some $ were emitted*"),
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
            (FAILED | ERROR, "[error] {*}"),
        ],
    ),
    // what checkers, bundlers and installers end with: Pyright, oxlint, svelte-check, cspell, markdownlint, webpack, pre-commit, pip
    (
        Runner::TOOL,
        &[
            (OK, "0 errors, % warning*"),
            (FAILED, "% error*, % warning*"),
            (OK, "Found % warning* and 0 errors."),
            (FAILED, "Found % warning* and % error*"),
            (NOTHING, "Found % warning*"),
            (NOTHING, "Finished in * on % file* with % rules *"),
            (OK, "svelte-check found 0 errors*"),
            (FAILED, "svelte-check found % error*"),
            (OK, "CSpell: Files checked: %, Issues found: 0 *"),
            (FAILED, "CSpell: Files checked: %, Issues found: *"),
            (OK, "Summary: 0 error(s)"),
            (FAILED, "Summary: % error(s)"),
            (FAILED, "webpack % compiled with % error*"),
            (OK, "webpack % compiled *"),
            (OK, "✓ built in *"),
            (FAILED, "x Build failed in *"),
            (FAILED, "✗ Build failed in *"),
            (FAILED | OPENS, "error during build:"),
            (ERROR | LISTED, "$ (%:%): *"),
            (ERROR | LISTED, "[vite]: *"),
            (ERROR, "[UNRESOLVED_IMPORT] {*}"),
            (OK, "⚡ Done in *"),
            (OK, "Successfully compiled: % file*"),
            (FAILED | ERROR, "In $ line %:"),
            (FAILED | ERROR, "[!] {*}"),
            (FAILED | ERROR, "==%==ERROR: {*Sanitizer: *}"),
            (FAILED | ERROR, "SUMMARY: {*Sanitizer: *}"),
            (FAILED | ERROR, "Error: ERR_PNPM_*"),
            (FAILED, "[nodemon] app crashed *"),
            (FAILED | NAME, "{*}.....*Failed"),
            (OK, "Successfully installed *"),
            (FAILED | ERROR, "lerna ERR! {*}"),
            (FAILED | ERROR, "sh: %: *: not found"),
        ],
    ),
    // gcc, clang, linkers
    (
        Runner::TOOL,
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
    ),
    // docker
    (
        Runner::TOOL,
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
            (NOTHING, "#% DONE *"),
            (OK, "Successfully built *"),
            (OK, "Successfully tagged *"),
            // Not "Status: Downloaded newer image": `docker run` prints it too, before it runs.
            (OK, "docker.io/$:$"),
            (OK, "ghcr.io/$:$"),
            (OK, "#% naming to * done"),
            (OK, "=> => naming to *"),
            (OK, "*: digest: sha256:* size: %"),
        ],
    ),
    // git
    (
        Runner::TOOL,
        &[
            (FAILED | ERROR, "fatal: *"),
            (FAILED | ERROR, "CONFLICT (*"),
            (FAILED, "Automatic merge failed*"),
            (FAILED | ERROR, "merge: * - not something we can merge"),
            (FAILED | ERROR, "! [*rejected] *"),
            (FAILED | ERROR, "error: failed to push *"),
            (FAILED | ERROR, "error: pathspec *"),
            (NOTHING, "Your branch *"),
            (NOTHING, "branch '*' set up to track *"),
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
    ),
    // kubectl
    (
        Runner::TOOL,
        &[
            (FAILED | ERROR, "Error from server*"),
            (FAILED | ERROR, "Unable to connect to the server*"),
            (FAILED | ERROR, "The connection to the server *"),
            (FAILED | ERROR, "The * is invalid: *"),
            (FAILED | ERROR, "resource mapping not found *"),
            // Objects without a group (`deployment.apps/web`) are matched by kind, because other tools also print
            // "created".
            (NOTHING, "./$ $ed"),
            (NOTHING, "../$ $ed"),
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
    ),
    // terraform
    (
        Runner::TERRAFORM,
        &[
            (FAILED | ERROR, "│ Error: {*}"),
            (OK, "Apply complete!*"),
            (OK, "Destroy complete!*"),
            (OK, "Plan: % to add*"),
            (FAILED, "Apply cancelled."),
            (FAILED, "Destroy cancelled."),
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
    ),
    // RuboCop, whose progress looks like that of tests
    (
        Runner::RUBOCOP,
        &[
            (NOTHING, "% file* inspected, *corrected*"),
            (OK, "% file* inspected, no offenses detected"),
            (FAILED, "% file* inspected, % offense*"),
        ],
    ),
    // Ansible, Xcode
    (
        Runner::TOOL,
        &[
            (NOTHING, "$ : ok=% *unreachable=0 failed=0*"),
            (FAILED, "$ : ok=% *unreachable=% failed=%*"),
            (FAILED | ERROR, "$ | FAILED*"),
            (FAILED | ERROR, "[ERROR]: {*}"),
            (FAILED, "*~ $ FAILED ~~"),
        ],
    ),
    // failures of a run whose tests passed, or that has too many warnings
    (
        Runner::TOOL,
        &[(FAILED | ERROR, "ESLint found too many warnings*"), (FAILED | ERROR, "rake aborted!*")],
    ),
    (Runner::NPM, &[(FAILED | ERROR, "ELIFECYCLE *")]),
    (Runner::VITEST, &[(FAILED | ERROR, "ERROR: Coverage *")]),
    (Runner::RUBY, &[(FAILED | ERROR, "SimpleCov failed with *")]),
    (
        Runner::JEST,
        &[
            (OK, "No test* found, exiting with code 0"),
            (FAILED | ERROR, "No test* found, exiting with code *"),
        ],
    ),
    // test runners, rare lines
    (Runner::UNITTEST, &[(FAILED | NAME, "UNEXPECTED SUCCESS: {$ (*}")]),
    (
        Runner::CARGO,
        &[
            (FAILED | NAME, "test {*} ... error: test failed*"),
            (FAILED | ERROR, "process didn't exit successfully: *"),
        ],
    ),
    (
        Runner::PYTEST,
        &[
            (NOTHING, "E Omitting *"),
            (NOTHING, "E Use -v *"),
            // pytest: the place of an error that it has shown
            (NOTHING, "$.py:%: $Error"),
            (NOTHING, "$.py:%: in *"),
        ],
    ),
    (Runner::TOOL, &[(FAILED | ERROR, "*{Fatal Python error: *}")]),
    (
        Runner::PLAYWRIGHT,
        &[
            // A test that it retries.
            (NOTHING, "✘ % *"),
            (FAILED | NAME, "✘ {*}"),
            (COUNTS, "% passed (%*)"),
        ],
    ),
    (Runner::AVA, &[(COUNTS, "% test* passed"), (COUNTS, "% test* failed")]),
    (
        Runner::DOTNET,
        &[
            (FAILED, "Test Run Aborted*"),
            (FAILED, "Total tests: Unknown"),
            // What stands below the number of all tests.
            (OPENS, "Total tests: %"),
            (COUNTS_AFTER | LISTED, "Passed: %"),
            (COUNTS_AFTER | LISTED, "Failed: %"),
            (CLOSES, "Total time: *"),
        ],
    ),
    // a run without tests, below a run that succeeded
    (
        Runner::UNKNOWN,
        &[
            (BEGINS, "NO TESTS RAN*"),
            (BEGINS, "no tests ran in %s"),
            (BEGINS, "=* no tests ran in %s*"),
        ],
    ),
    // what a check mark stands before, if no other rule knows it
    (Runner::UNKNOWN, &[(NOTHING, "✓ *"), (NOTHING, "✔ *")]),
    // start of something new after another tool succeeded
    (Runner::UNKNOWN, &[(BEGINS, "> $@$ *"), (BEGINS, "Running *"), (BEGINS, "Auto-merging *")]),
    // go build and go vet: the errors in a package
    (
        Runner::GO,
        &[
            (NOTHING, "# ./*"),
            (NOTHING, "# /*"),
            (OPENS, "# $/$"),
            (OPENS, "# $/$ [$]"),
            (OPENS, "# command-line-arguments*"),
            (FAILED | ERROR | LISTED, "$.go:%:%: *"),
        ],
    ),
    // shells and hosts
    (
        Runner::TOOL,
        &[
            (ERROR | FAILED, "Segmentation fault*"),
            (ERROR | FAILED, "*(core dumped)*"),
            (ERROR | FAILED, "*: command not found"),
            (ERROR | FAILED, "*ommand timed out*"),
            (ERROR | FAILED, "Killed"),
            (ERROR | FAILED, "Terminated"),
            (ERROR | FAILED, "*: line %: % {Killed *}"),
            (ERROR | FAILED, "*: line %: % {Terminated *}"),
            (ERROR | FAILED, "##[error]{*}"),
            (ERROR | FAILED, "curl: (%) *"),
            (NOTHING, "warning: *"),
            (NOTHING, "hint: *"),
            (RAISED, "Traceback (most recent call last):"),
            (NOTHING, "+ $ = *"),
            (BEGINS, "+ $*"),
            (BEGINS, "...*truncated*"),
            (BEGINS, "...*omitted*"),
            (BEGINS, "[*truncated*"),
            (BEGINS, "[*omitted*"),
            (BEGINS, "… +% line*"),
        ],
    ),
];

/// No rules.
#[cfg(not(feature = "files"))]
pub const TOOLS: &[Rules] = &[];
