//! One edit of the plan.

use crate::message::{BlockId, History, UseId};
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::Replacement;

/// One edit of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedEdit {
    /// The block that is edited.
    pub block: BlockId,
    /// Its message.
    pub message: usize,
    /// The tool use it belongs to, if any.
    pub tool_use: Option<UseId>,
    /// The pass that decided it.
    pub pass: PassName,
    /// What stands there instead.
    pub replacement: Replacement,
    /// Estimated tokens of what stands there instead.
    pub tokens: u64,
}

impl PlannedEdit {
    /// Tokens that it saves: none of what a provider has compacted since.
    pub fn saves(&self, history: &History) -> u64 {
        if self.block < history.start() {
            return 0;
        }
        history[self.block].tokens.saturating_sub(self.tokens)
    }
}
