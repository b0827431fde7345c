//! Outcome of a tool's run.

use super::HAS_ROOM;
use super::runner::Runner;
use serde::Serialize;

/// Outcome of a tool's run, according to its output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The output reports failure.
    Failed,
    /// The output reports success.
    Succeeded,
    /// The output reports neither.
    #[default]
    Unknown,
}

impl Outcome {
    /// The word for it; `None` if unknown.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Outcome::Failed => Some("failed"),
            Outcome::Succeeded => Some("succeeded"),
            Outcome::Unknown => None,
        }
    }
}

/// The outcome reported so far.
///
/// A reported failure is final, because one of several commands in the output failed. A failed test that is only named
/// leaves the outcome open if success follows: a test of a passing run may have logged the name. So does an error line,
/// unless a sign that tests run follows it, which may have logged it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Verdict {
    failed: bool,
    /// Whether a failed test was named since the last beginning.
    named: bool,
    /// The value of `failed` before the current tests.
    failed_before: bool,
    /// The value of `named` before them.
    named_before: bool,
    succeeded: bool,
    /// Whether the last exit status that reports failure was between other lines, where a test may have logged it.
    exit_logged: bool,
    /// Whether the success that was stated last is the end of its run.
    has_ended: bool,
    /// Whether a line below the success makes it doubtful.
    revoked: bool,
    errors_since: bool,
    /// Whether a line since then contained the words of an error, but did not state one.
    mentioned: bool,
    /// Whether something did not work since the last success.
    hindered: bool,
    /// Whether a line showed a failure that a later line is expected to report.
    pub doubted: bool,
    /// Whether a summary does not show that all succeeded, although it counts no failure.
    pub is_open: bool,
    /// Whether a test failed that may be tried again; if so, whether the run had failed before.
    tried: Option<bool>,
    /// Whether tests are running and their summary is still to come.
    runs_tests: bool,
    /// The same, also after a failed test was named: the runner of these tests.
    tests_of: Option<Runner>,
    /// Runners that stated a failure while tests were running, where a test may have logged it: a bit for each.
    logged: u32,
    /// Runners that stated a failure or named a failed test since the last beginning: a bit for each.
    failing: u32,
    /// The runner of the last summary of failures, if its runs are not told apart: a test may have logged it, unless the
    /// same runner's next summary does not say otherwise.
    summed: Option<Runner>,
}

impl Verdict {
    /// Records that a runner or another tool states a failure. If tests of another runner are running, one of them may
    /// have logged it: it is final unless a summary of another runner says that all tests passed.
    pub fn fail(&mut self, runner: Runner) {
        self.failing |= runner.bit();
        if self.tests_of.is_some_and(|of| !runner.may_run(of)) {
            self.logged |= runner.bit();
            self.named = true;
            self.succeeded = false;
        } else if runner.begins_silently() {
            self.summed = Some(runner);
            self.named = true;
            self.succeeded = false;
        } else {
            self.failed = true;
            self.tests_of = None;
        }
        self.runs_tests = false;
    }

    /// Records the name of a failed test.
    pub fn name_failure(&mut self, runner: Runner) {
        self.failing |= runner.bit();
        if self.tests_of.is_some_and(|of| !runner.may_run(of)) {
            self.logged |= runner.bit();
        }
        self.named = true;
        self.succeeded = false;
        self.runs_tests = false;
    }

    /// Records that a runner states a success. It covers an error line above it only if a test may have logged it.
    pub fn succeed(&mut self, runner: Runner) {
        // A tool that runs no tests has no summary that could cover a failed one.
        self.failed |= match runner.has_summary() {
            true => self.logged & runner.bit() != 0,
            false => self.failing != 0 && !self.succeeded,
        };
        self.failed |= self.summed.take().is_some_and(|of| of != runner);
        self.named |= self.errors_since || self.mentioned;
        self.mentioned = false;
        self.hindered = false;
        self.succeeded = true;
        self.has_ended = runner.ends_with_success();
        self.revoked = false;
        self.errors_since = false;
        self.runs_tests = false;
        self.tests_of = None;
    }

    /// Records the beginning of another command, whose outcome is not known yet. If it is a further part of the tests
    /// that are running, it leaves a failure open that one of them may have logged.
    pub fn begin(&mut self, runner: Runner) {
        let is_same_run = runner != Runner::UNKNOWN && self.tests_of == Some(runner);
        if is_same_run && self.failing & runner.bit() == 0 {
            return;
        }
        self.failed |= (self.named && !self.succeeded) || self.summed.take().is_some();
        // An error above the first line of a run was logged by none of its tests.
        self.is_open |= HAS_ROOM && self.errors_since && runner != Runner::UNKNOWN;
        self.failed_before = self.failed;
        self.named_before = self.named;
        self.succeeded = false;
        self.runs_tests = false;
        self.tests_of = None;
        self.logged = 0;
        self.failing = 0;
    }

    /// Returns whether a success was stated that nothing has revoked.
    pub fn has_succeeded(&self) -> bool {
        self.succeeded && !self.revoked
    }

    /// Records a line that no rule knows. It revokes a success above it if it speaks of a failure, or if the runner that
    /// stated the success prints nothing below it: then it is of another command.
    pub fn go_on(&mut self, tells_of_failure: bool) {
        self.revoked |= tells_of_failure || self.has_ended;
    }

    /// Discards failures since the last beginning: the runner's next line covers all tests, and a failed one may have
    /// been retried. It does not cover what another runner or tool stated.
    pub fn judge_anew(&mut self, runner: Runner) {
        let others = self.failing & !runner.covered();
        if others & !self.logged != 0 {
            return;
        }
        // Error lines above belong to a failed test, or to nothing known.
        let are_others = self.failing == 0 && self.tried.is_none();
        self.errors_since &= are_others;
        self.mentioned &= are_others;
        self.failing = others;
        self.failed = self.failed_before;
        self.named = self.named_before || others != 0;
        self.logged = others;
        self.tried = None;
    }

    /// Records an exit status that reports failure. Hosts put it before the output or after it.
    pub fn exit(&mut self, is_first: bool) {
        self.succeeded = false;
        self.exit_logged = !is_first;
    }

    /// Records the host's own statement that the command succeeded, whatever it printed.
    fn exit_well(&mut self) {
        self.succeeded = true;
        self.is_open = false;
        self.revoked = false;
        self.errors_since = false;
        self.mentioned = false;
        self.hindered = false;
        self.runs_tests = false;
    }

    /// Returns whether there was a sign that tests run, since the last beginning or the last statement.
    pub fn has_tests(&self) -> bool {
        self.tests_of.is_some()
    }

    /// Records that a test failed that may be tried again. What is reported about it counts from the summary on.
    pub fn try_again(&mut self) {
        let has_failed = self.failed || self.named || self.errors_since;
        self.tried = self.tried.or(Some(has_failed));
    }

    /// Records that something did not work, which fails the run unless a success follows.
    pub fn hinder(&mut self) {
        self.hindered |= !self.runs_tests;
    }

    /// Records that tests are running. Error lines before and up to their summary may have been logged by a test.
    pub fn run_tests(&mut self, runner: Runner) {
        // Its first line, which is the same for each part of its tests. See `begin`.
        let is_first = runner == Runner::CARGO && self.tests_of.is_none();
        self.is_open |= HAS_ROOM && self.errors_since && is_first;
        self.errors_since = false;
        self.mentioned = false;
        self.runs_tests = true;
        let known = self.tests_of.filter(|_| runner == Runner::UNKNOWN);
        self.tests_of = known.or(Some(runner));
    }

    /// Records an error line.
    pub fn name_error(&mut self) {
        self.errors_since = !self.runs_tests;
    }

    /// Records a line with the words of an error that may be text which a command shows: no success is certain then.
    pub fn mention_error(&mut self) {
        self.mentioned |= !self.runs_tests;
        self.revoked |= self.succeeded;
    }

    /// Returns the outcome, given an exit status and whether the first line names an error.
    pub fn outcome_of(mut self, exit_status: Option<u32>, is_refused: bool) -> Outcome {
        if exit_status.is_none() && self.tried == Some(false) {
            return Outcome::Unknown;
        }
        self.failed |= self.summed.take().is_some();
        match exit_status {
            Some(0) => self.exit_well(),
            Some(_) if self.exit_logged && self.succeeded => self.named = true,
            Some(_) => self.failed = true,
            None => {}
        }
        // A command may begin by logging an error and still succeed.
        if is_refused && !self.runs_tests && !self.succeeded {
            self.failed = true;
        }
        self.outcome()
    }

    fn outcome(self) -> Outcome {
        match self {
            Verdict { failed: true, .. }
            | Verdict { errors_since: true, .. }
            | Verdict { hindered: true, .. } => Outcome::Failed,
            Verdict { named: true, succeeded: true, .. } => Outcome::Unknown,
            Verdict { named: true, .. } => Outcome::Failed,
            _ if self.is_open || self.revoked => Outcome::Unknown,
            Verdict { succeeded: true, .. } => Outcome::Succeeded,
            _ => Outcome::Unknown,
        }
    }
}
