//! What a line that a rule matches changes in the facts.

use super::super::HAS_ROOM;
use super::super::counts::{Counts, adds_up};
use super::super::firsts::Firsts;
use super::super::open::{List, Open};
use super::super::quoted::unquoted;
use super::super::rule::{Rule, says};
use super::super::runner::Runner;
use super::{ERROR_LINES, KeyInfoReader, NAMES, SHOWN_LIMIT};
use crate::text::keep_start;

impl KeyInfoReader {
    /// Records what a line says, by the rule that it matches.
    pub(super) fn apply(&mut self, rule: Rule, line: &str, kept: &str) {
        let kept = unquoted(line, kept);
        let kept = kept.as_ref();
        let is_report = rule.runner.is_report();
        let is_logged = self.is_logged(rule, line, kept);
        if is_report && rule.has(says::OPENS) {
            self.run_tests(rule.runner);
        }
        if rule.has(says::WHOLE) && !rule.has(says::COUNTS | says::COUNTS_AFTER) {
            self.verdict.try_again();
        } else if rule.has(says::WHOLE) {
            self.counts = Counts::default();
            self.verdict.judge_anew(rule.runner);
        }
        if rule.has(says::OK | says::COUNTS | says::COUNTS_AFTER) {
            self.success_line = self.full_lines;
        }
        let doubts = rule.has(says::DOUBTS);
        let is_clear = !(doubts && self.verdict.doubted);
        self.verdict.doubted |= doubts && !rule.has(says::OK | says::COUNTS);
        if rule.has(says::COUNTS | says::COUNTS_AFTER) {
            let counts = Counts::of(kept, rule.has(says::COUNTS_AFTER));
            self.counts.add(counts);
            if rule.has(says::WHOLE) && counts.failed().unwrap_or(0) == 0 {
                self.names = Firsts::default();
            }
            let is_whole = self.is_borne_out(rule, kept, counts);
            match counts.failed() {
                Some(1..) => self.verdict.fail(rule.runner),
                _ if counts.is_told() && is_clear && is_whole => self.verdict.succeed(rule.runner),
                _ => {}
            }
        }
        // Jest and vitest print their summary while tests run, too.
        if line.starts_with("Test") && rule.runner.begins_with_failures() {
            self.verdict.is_open |= !adds_up(line);
        }
        if rule.has(says::BEGINS) {
            self.verdict.begin(rule.runner);
        }
        if rule.has(says::TESTS) {
            self.run_tests(rule.runner);
            self.quotes |= rule.has(says::JOINED);
        }
        if rule.has(says::NAME | says::OPENS) && !rule.has(says::RAISED) {
            self.has_details = !rule.has(says::TESTS);
            self.had_details = true;
        }
        if rule.has(says::RAISED) {
            self.verdict.name_error();
        }
        if HAS_ROOM && rule.says == says::RAISED {
            self.open = Open::Raised;
        }
        let verdict = rule.says & says::UNLESS;
        if HAS_ROOM && verdict == says::UNLESS {
            self.verdict.hinder();
        } else if verdict == says::OK && is_clear {
            self.verdict.succeed(rule.runner);
        } else if verdict == says::FAILED {
            if rule.has(says::NAME | says::OPENS) {
                self.verdict.name_failure(rule.runner);
            } else {
                self.verdict.fail(rule.runner);
            }
        }
        if rule.has(says::ERROR) && !is_logged {
            let is_line = rule.has(says::NAME) && !is_report;
            let error = if is_line { line } else { kept };
            if HAS_ROOM && rule.has(says::JOINED) && !is_report {
                self.cross(error, true);
            } else {
                self.add_error(error, verdict == says::FAILED, true);
            }
        }
        if is_report && rule.has(says::JOINED) {
            if !rule.has(says::OPENS | says::CLOSES) {
                kept.clone_into(&mut self.candidate);
            }
        } else if is_report && rule.has(says::ERROR) {
            let name = std::mem::take(&mut self.candidate);
            if !name.is_empty() {
                self.add_name(&name, false);
            }
        } else if rule.has(says::NAME) {
            if HAS_ROOM && rule.runner == Runner::PYTEST {
                self.keep_reason(line, kept);
            }
            self.add_name(
                kept,
                rule.has(says::JOINED) || self.list.is_some_and(|list| list.is_joined),
            );
            if HAS_ROOM && rule.runner == Runner::JEST {
                self.open = Open::Reason;
            }
        }
        if HAS_ROOM && rule.runner == Runner::UVU && rule.has(says::OPENS) {
            self.total = line.rsplit(' ').next().and_then(|total| total.parse().ok());
        }
        if rule.has(says::OPENS) {
            self.list = Some(List { of: rule.runner, is_joined: rule.has(says::JOINED) });
        }
        if rule.has(says::CLOSES) {
            self.list = None;
        }
    }

    /// Returns whether a summary without failures tells success. That of a report does not: vitest's has none for a worker
    /// that was killed. That of RSpec does not show that an example ended the run, and those that begin with the failures
    /// tell nothing without their beginning. node:test counts no suites and hooks, in which the run may have failed.
    fn is_borne_out(&mut self, rule: Rule, summary: &str, counts: Counts) -> bool {
        let is_rspec = rule.runner == Runner::RUBY && Rule::new(0, b"* example*").fits(summary);
        let is_tap = rule.runner == Runner::TAP && summary.starts_with('#');
        let is_whole = if is_rspec {
            self.examples.take(counts.all())
        } else if is_tap {
            self.verdict.has_tests() || self.verdict.has_succeeded()
        } else if HAS_ROOM && self.list.is_some_and(|list| list.of == Runner::UVU) {
            self.total == counts.passed()
        } else {
            self.verdict.has_tests() || !rule.runner.begins_with_failures()
        };
        self.verdict.is_open |= !is_whole;
        is_whole && !rule.runner.is_report()
    }

    /// Returns whether a line was logged by a test whose verdict is still to come. Adds what a failed one logged.
    fn is_logged(&mut self, rule: Rule, line: &str, kept: &str) -> bool {
        if !HAS_ROOM || rule.runner != Runner::GO {
            return false;
        }
        for error in self.test_logs.follow(line) {
            self.add_error(&error, false, true);
        }
        rule.says == says::ERROR && self.test_logs.keep(kept)
    }

    pub(super) fn add_error(&mut self, line: &str, by_itself: bool, in_details: bool) {
        // TAP gives a message of several lines as a block of YAML.
        let line = line.strip_suffix(" |-").unwrap_or(line);
        if HAS_ROOM && is_note(line) {
            self.notes.offer(line, ERROR_LINES, SHOWN_LIMIT);
            return;
        }
        let in_failures = self.failures.offer(line, ERROR_LINES, SHOWN_LIMIT);
        let in_errors = by_itself && self.errors.offer(line, ERROR_LINES, SHOWN_LIMIT);
        let in_details = in_details && self.details.offer(line, ERROR_LINES, SHOWN_LIMIT);
        if line.ends_with(':') && (in_failures || in_details) {
            self.open = Open::Error { in_failures, in_errors, in_details };
        }
    }

    pub(super) fn add_name(&mut self, name: &str, is_joined: bool) {
        let name = name.trim_end_matches([' ', '-']);
        if name.is_empty() {
            self.open = Open::NewName;
            return;
        }
        let is_whole = !is_joined || name.ends_with(':');
        let name = name.trim_end_matches(':');
        let is_end_of = |known: &String| {
            known.strip_suffix(name).is_some_and(|rest| rest.ends_with([' ', '.', ':']))
        };
        if self.names.texts.iter().any(is_end_of) && is_whole {
            return;
        }
        let begins_before = |known: &&mut String| {
            name.strip_suffix(known.as_str()).is_some_and(|rest| rest.ends_with([' ', '.', ':']))
        };
        if is_whole && let Some(known) = self.names.texts.iter_mut().find(begins_before) {
            *known = keep_start(name, SHOWN_LIMIT);
            return;
        }
        let is_new = self.names.offer(name, NAMES, SHOWN_LIMIT);
        if !is_whole && is_new {
            self.open = Open::Name;
        }
    }
}

/// Returns whether a line is what a compiler adds to an error: `a.c:3:5: note: declared here`.
fn is_note(line: &str) -> bool {
    Rule::new(0, b"*:%: note: *").fits(line)
}
