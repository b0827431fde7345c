//! The key facts of an output, and their summary.

use super::outcome::Outcome;
use crate::text::joined;
use serde::Serialize;

/// Key facts of an output; document "Rolling Context", `extractKeyInfo`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct KeyInfo {
    /// The outcome: `failed` and `succeeded` only if the output says so.
    pub outcome: Outcome,
    /// The exit status in the output: that of the whole command, else the first one of a failure.
    pub exit_status: Option<u32>,
    /// Number of passed tests, over all summaries in the output.
    pub passed: Option<u32>,
    /// Number of failed tests and tests that ended in an error, over all summaries in the output.
    pub failed: Option<u32>,
    /// Names of the first five failed tests, at most 160 bytes each.
    pub failed_tests: Vec<String>,
    /// Number of further failed tests that are named.
    pub more_failed_tests: u32,
    /// Number of matches of a search: as stated in the output, else the number of its lines.
    pub matches: Option<u32>,
    /// The first three distinct error lines, at most 160 bytes each. Where tests failed, the lines about them come first;
    /// other lines may have been logged by tests.
    pub errors: Vec<String>,
    /// Number of further error lines.
    pub more_errors: u32,
    /// The first five distinct files that are named.
    pub paths: Vec<String>,
    /// Number of lines.
    pub lines: u32,
    /// Whether its first words report that the tool failed; a test may log such words too.
    #[serde(skip)]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(skip))]
    pub begins_with_error: bool,
}

impl KeyInfo {
    /// Returns the facts in one line; empty if there are none. The outcome is given by the exit status and the counts,
    /// and as a word only if these are unknown.
    pub fn to_line(&self) -> String {
        let is_told = self.exit_status.or(self.passed).or(self.failed).is_some();
        let word = self.outcome.word().filter(|_| !is_told).map(str::to_owned);
        joined(&word.into_iter().chain(self.facts()).collect::<Vec<_>>(), "; ")
    }

    /// Returns all facts except the outcome.
    pub fn facts(&self) -> Vec<String> {
        let count =
            |number: Option<u32>, word: &str| number.map(|number| format!("{number} {word}"));
        let matches = if self.matches == Some(1) { "match" } else { "matches" };
        let list = |name: &str, texts: &[String], more: u32| {
            let more = if more == 0 { String::new() } else { format!(" (+{more} more)") };
            (!texts.is_empty()).then(|| format!("{name}: {}{more}", joined(texts, " | ")))
        };
        let facts = [
            self.exit_status.map(|status| format!("exit {status}")),
            count(self.failed, "failed"),
            count(self.passed, "passed"),
            count(self.matches, matches),
            list("failed tests", &self.failed_tests, self.more_failed_tests),
            list("errors", &self.errors, self.more_errors),
            (!self.paths.is_empty()).then(|| format!("files: {}", joined(&self.paths, ", "))),
        ];
        facts.into_iter().flatten().collect()
    }
}
