//! Why tests failed, as pytest's summary gives it. It is all that `--tb=no` and `| tail` leave.

use super::super::rule::Rule;
use super::{ERROR_LINES, KeyInfoReader, SHOWN_LIMIT};

impl KeyInfoReader {
    /// Keeps the reason behind the name of a failed test: `FAILED a.py::test_one - AssertionError: bad sum`.
    pub(super) fn keep_reason(&mut self, line: &str, name: &str) {
        /// The failure of a test whose parts failed, each with a reason of its own.
        const PARTS: Rule = Rule::new(0, b"contains % failed subtest*");
        let behind = line.split_once(name).and_then(|(_, rest)| rest.strip_prefix(" - "));
        if let Some(reason) = behind.filter(|reason| !PARTS.fits(reason)) {
            self.reasons.offer(reason, ERROR_LINES, SHOWN_LIMIT);
        }
    }

    /// Adds the reasons that no other error line names, if all lines about failed tests are known.
    pub(super) fn add_reasons(&mut self) {
        let reasons = std::mem::take(&mut self.reasons);
        if self.details.more > 0 {
            return;
        }
        // What other lines name is known only if all of them are.
        let others = if self.failures.more == 0 { &*self.failures.texts } else { &[] };
        let known: Vec<_> = self.details.texts.iter().chain(others).cloned().collect();
        if known.is_empty() {
            self.failures.more += reasons.more;
        }
        for reason in &reasons.texts {
            // pytest cuts it at the width of the terminal.
            let start = reason.trim_end_matches(['.', '…']);
            if !known.iter().any(|error| error.contains(start)) {
                self.add_error(reason, false, true);
            }
        }
    }
}
