//! Reports of test runners that are data. What they quote is no statement of a tool.

use super::rule::Rules;
#[cfg(feature = "files")]
use super::rule::says::*;
#[cfg(feature = "files")]
use super::runner::Runner;

/// Rules for reports, which apply before all others. The core wasm omits them, as it does those of tools.
#[cfg(feature = "files")]
pub const REPORTS: &[Rules] = &[
    // reports in XML: one for all suites, or one for each
    (
        Runner::REPORT,
        &[
            (COUNTS_AFTER | OPENS | JOINED, "<testsuites *failures=\"%\"*"),
            (NOTHING, "<testsuites*"),
            (NOTHING | LISTED, "<testsuite *"),
            (COUNTS_AFTER | OPENS, "<testsuite *failures=\"%\"*"),
            (CLOSES, "</testsuites>"),
            // Not the last one, if the counts of all suites were above them.
            (CLOSES | JOINED, "</testsuite>"),
            (FAILED | NAME, "<testcase * name=\"{*}\"*><failure*"),
            (FAILED | NAME, "<testcase * name=\"{*}\"*><error*"),
            (JOINED, "<testcase name=\"{*}\"*"),
            (JOINED, "<testcase * name=\"{*}\"*"),
            (FAILED | NAME | ERROR, "<failure*message=\"{*}\"*"),
            (FAILED | NAME | ERROR, "<error*message=\"{*}\"*"),
            (FAILED | NAME | ERROR, "<failure message=\"{*}"),
            (FAILED | NAME | ERROR | LISTED, "<failure*>{*}</failure>*"),
            (FAILED | NAME | ERROR, "<failure*>{*}"),
            (FAILED | NAME | ERROR | LISTED, "<error message=\"{*}"),
            (FAILED | NAME | ERROR | LISTED, "<error*>{*}</error>*"),
            (FAILED | NAME | ERROR | LISTED, "<error*>{*}"),
        ],
    ),
    // reports in JSON: mocha's, in many lines; Jest's and vitest's in one, which is read in pieces
    (
        Runner::REPORT,
        &[
            (TESTS | OPENS, "\"stats\": *"),
            (COUNTS_AFTER | LISTED, "\"passes\": %,"),
            (COUNTS_AFTER | LISTED, "\"failures\": %,"),
            (JOINED | LISTED, "\"fullTitle\": \"{*}\","),
            (FAILED | NAME | ERROR | LISTED, "\"message\": \"{*}\","),
            (FAILED | NAME | ERROR | LISTED, "\"message\": \"{*}\""),
            (FAILED | NAME | ERROR | LISTED, "\"message\": \"{*}"),
            (FAILED, "\"added\":*\"success\":false,*"),
            // Not the status of the file, which follows its last test.
            (WORD | FAILED | NAME, "*\"fullName\":\"{*}\",*\"status\":\"failed\",\"title\":*"),
        ],
    ),
    // mocha's other reports: of these, only that of all events says whether the run passed
    (
        Runner::MOCHA,
        &[
            (TESTS, "[\"start\",*\"total\":%*"),
            (FAILED | NAME, "[\"fail\",*\"fullTitle\":\"{*}\",*"),
            (COUNTS_AFTER, "[\"end\",*\"passes\":*"),
            (TESTS, "<section class=\"suite\">"),
            (NOTHING, "<dt class=\"error\">/*"),
            (FAILED | NAME, "<dt class=\"error\">{*}</dt>"),
            (NOTHING, "<dd class=\"error\"><*"),
            (ERROR, "<dd class=\"error\">{*}</dd>"),
            (TESTS, "# TOC"),
        ],
    ),
    // events of `go test -json`: what a test prints is quoted
    (
        Runner::GO,
        &[
            (ERROR, "\"Time\":*\"Action\":\"output\",*\"Output\":\" {$_test.go:%: *}\\n\"*"),
            (ERROR, "\"Time\":*\"Action\":\"output\",*\"Output\":\"{panic: *}\\n\"*"),
            (TESTS, "\"Time\":*\"Action\":\"output\",*"),
            (FAILED | NAME, "\"Time\":*\"Action\":\"fail\",*\"Test\":\"{*}\"*"),
            (FAILED, "\"Time\":*\"Action\":\"fail\",*"),
            (FAILED, "\"ImportPath\":*\"Action\":\"build-fail\"*"),
        ],
    ),
    // events of `cargo test -- --format json`
    (
        Runner::CARGO,
        &[(FAILED | NAME, "*\"type\": \"test\", *\"name\": \"{*}\", \"event\": \"failed\"*")],
    ),
    // lines that say nothing about tests, or rarely appear
    (
        Runner::NPM,
        &[
            (OK, "added % package* in %*s"),
            (OK, "removed % package* in %*s"),
            (OK, "changed % package* in %*s"),
            (OK, "up to date, audited *"),
            (OK, "up to date in %*s"),
            (OK, "found 0 vulnerabilities"),
            (OK, "Done in * using pnpm *"),
            (OK, "Done in %s."),
            (FAILED | ERROR, "error Command *"),
            (FAILED | ERROR, "error Couldn't *"),
            (NOTHING, "% package* looking for funding"),
            (NOTHING, "% *severity vulnerabilit*"),
            (NOTHING, "% vulnerabilit*"),
            (NOTHING, "To address *"),
            (NOTHING, "Some issues need review*"),
            (NOTHING, "Run `npm audit` for details."),
            (NOTHING, "npm notice *"),
        ],
    ),
    (Runner::PYTEST, &[(FAILED | ERROR, "INTERNALERROR> {$Error: *}")]),
    // RSpec's reports
    (
        Runner::RUBY,
        &[
            (TESTS, "\"version\":\"*\"examples\":[*"),
            (FAILED | NAME, "\"id\":*\"full_description\":\"{*}\",\"status\":\"failed\"*"),
            (ERROR, "\"class\":*\"message\":\"{*}\",\"backtrace\":*"),
            (COUNTS, "\"duration\":*\"summary_line\":\"{*}\"*"),
            (TESTS, "<title>RSpec results</title>"),
            (FAILED | NAME, "<span class=\"failed_spec_name\">{*}</span>*"),
        ],
    ),
];

/// No rules.
#[cfg(not(feature = "files"))]
pub const REPORTS: &[Rules] = &[];
