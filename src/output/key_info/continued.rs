//! Lines that continue an earlier one, or say what it is.

use super::super::HAS_ROOM;
use super::super::failure::{is_raised_by_python, names_error};
use super::super::open::Open;
use super::super::rule::{Rule, says};
use super::super::runner::Runner;
use super::{KeyInfoReader, SHOWN_LIMIT};

impl KeyInfoReader {
    /// Keeps a line of which only the next one tells whether it is an error. Returns whether it may be one.
    pub(super) fn is_crossed(&mut self, rule: Rule, kept: &str) -> bool {
        let is_crossed = HAS_ROOM && rule.says == says::JOINED && !rule.runner.is_report();
        if is_crossed && !names_error(kept) {
            self.cross(kept, false);
        }
        is_crossed
    }

    /// Keeps the text behind a cross until the next line.
    pub(super) fn cross(&mut self, text: &str, is_error: bool) {
        text.clone_into(&mut self.candidate);
        self.open = Open::Crossed { is_error };
    }

    /// Takes the text behind a cross for what the next line shows that it is.
    pub(super) fn judge_crossed(&mut self, line: &str) {
        const PLACE: Rule = Rule::new(0, b",-[*:%:%]");
        /// node:test prints no time of a test that it did not run.
        const CANCELLED: Rule = Rule::new(0, b"'test did not finish *'");
        let Open::Crossed { is_error } = self.open else { return };
        self.open = Open::Nothing;
        let text = std::mem::take(&mut self.candidate);
        let is_placed = PLACE.fits(line);
        self.verdict.doubted |= is_placed;
        if CANCELLED.fits(line) {
            self.verdict.name_failure(Runner::TAP);
            self.had_details = true;
            self.add_name(&text, false);
        } else if is_error || is_placed {
            self.add_error(&text, false, true);
        }
    }

    /// Consumes the line that says what was raised, or why a test failed.
    fn gives_reason(&mut self, open: Open, line: &str) -> bool {
        let is_raised = open == Open::Raised;
        if is_raised && !self.is_at_margin {
            self.open = Open::Raised;
            return false;
        }
        let gives_it = match open {
            Open::Raised => is_raised_by_python(line),
            // Jest indents the reason; of a filtered output, the next line may be another name.
            _ if self.is_at_margin || line.starts_with("● ") => false,
            _ => !line.starts_with("expect(") && !names_error(line),
        };
        if gives_it {
            self.add_error(line, is_raised, !is_raised || self.has_details);
        }
        gives_it
    }

    /// Consumes a line that continues an earlier one; returns whether it was consumed.
    pub(super) fn continues(&mut self, line: &str) -> bool {
        match std::mem::replace(&mut self.open, Open::Nothing) {
            Open::Nothing | Open::Crossed { .. } => return false,
            Open::NewName => self.add_name(line, true),
            open @ (Open::Raised | Open::Reason) => {
                return HAS_ROOM && self.gives_reason(open, line);
            }
            Open::Name => {
                self.names.extend_last(line.trim_end_matches(':'), SHOWN_LIMIT);
                if !line.ends_with(':') {
                    self.open = Open::Name;
                }
            }
            Open::Error { in_failures, in_errors, in_details } => {
                if in_failures {
                    self.failures.extend_last(line, SHOWN_LIMIT);
                }
                if in_errors {
                    self.errors.extend_last(line, SHOWN_LIMIT);
                }
                if in_details {
                    self.details.extend_last(line, SHOWN_LIMIT);
                }
                return false;
            }
        }
        true
    }
}
