//! How a tool's run went.

use serde::Serialize;

/// How a tool's run went, as far as its output says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It says that it failed.
    Failed,
    /// It says that it succeeded.
    Succeeded,
    /// It says neither.
    #[default]
    Unknown,
}

impl Outcome {
    /// The word for it; none where it is unknown.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Outcome::Failed => Some("failed"),
            Outcome::Succeeded => Some("succeeded"),
            Outcome::Unknown => None,
        }
    }
}

/// What was said of a run so far.
///
/// What says that it failed is never taken back: of several commands in one output one did. An error line that is only
/// that (a test may log one) counts where nothing behind it says that the run succeeded.
#[derive(Debug, Clone, Copy, Default)]
pub struct Verdict {
    failed: bool,
    /// What was said before the tests that run now.
    failed_before: bool,
    succeeded: bool,
    errors_since: bool,
    /// Whether something failed, which is to be told of.
    pub doubted: bool,
    /// Whether tests run, and their summary is to come.
    runs_tests: bool,
}

impl Verdict {
    /// The run failed.
    pub fn fail(&mut self) {
        self.failed = true;
        self.runs_tests = false;
    }

    /// The run succeeded.
    pub fn succeed(&mut self) {
        self.succeeded = true;
        self.errors_since = false;
        self.runs_tests = false;
    }

    /// Something else begins, of which it is not said yet.
    pub fn begin(&mut self) {
        self.failed_before = self.failed;
        self.succeeded = false;
        self.runs_tests = false;
    }

    /// What is said now holds for all since the last beginning: a test that failed there may have been tried again.
    pub fn judge_anew(&mut self) {
        self.failed = self.failed_before;
        self.errors_since = false;
    }

    /// Tests run: what was only an error line so far, and what will be up to their summary, may be what a test logs.
    pub fn run_tests(&mut self) {
        self.errors_since = false;
        self.runs_tests = true;
    }

    /// An error was named.
    pub fn name_error(&mut self) {
        self.errors_since = !self.runs_tests;
    }

    /// What follows from all that was said, from an exit status, and from a first line that names an error.
    pub fn outcome_of(mut self, exit_status: Option<u32>, is_refused: bool) -> Outcome {
        match exit_status {
            Some(0) => self.succeed(),
            Some(_) => self.fail(),
            None => {}
        }
        // A command may begin with an error that it logs and get through all the same.
        if is_refused && !self.runs_tests && self.outcome() != Outcome::Succeeded {
            self.fail();
        }
        self.outcome()
    }

    fn outcome(self) -> Outcome {
        match self {
            Verdict { failed: true, .. } | Verdict { errors_since: true, .. } => Outcome::Failed,
            Verdict { succeeded: true, .. } => Outcome::Succeeded,
            _ => Outcome::Unknown,
        }
    }
}
