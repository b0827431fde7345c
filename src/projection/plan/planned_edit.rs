//! One edit of the plan.

use crate::message::{Block, BlockId, History, UseId, stable_merge_sort};
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::Replacement;

/// One edit of the plan.
#[derive(Debug, Clone, Copy, Eq)]
pub struct PlannedEdit {
    /// The block that is edited.
    pub block: BlockId,
    /// Its message.
    pub message: usize,
    /// The block's position in its message.
    pub position: u32,
    /// Estimated tokens of the block. Stored here because every view reads them for every edit, and a history's blocks
    /// are far apart in memory.
    pub tokens_before: u64,
    /// The tool use it belongs to, if any.
    pub tool_use: Option<UseId>,
    /// The pass that decided it.
    pub pass: PassName,
    /// The replacement.
    pub replacement: Replacement,
    /// Estimated tokens of the replacement.
    pub tokens: u64,
}

/// Edits of one history are compared, hundreds at every step: the other fields follow from the block.
impl PartialEq for PlannedEdit {
    fn eq(&self, other: &Self) -> bool {
        self.block == other.block
            && self.pass == other.pass
            && self.tokens == other.tokens
            && self.replacement == other.replacement
    }
}

impl PlannedEdit {
    /// Sorts edits by block.
    // One copy for all callers.
    #[inline(never)]
    pub fn sorted(edits: Vec<Self>) -> Vec<Self> {
        stable_merge_sort(edits, |edit| edit.block.0 as u64)
    }

    /// An edit of a block whose replacement has `tokens` estimated tokens.
    pub fn of(
        history: &History,
        block: BlockId,
        pass: PassName,
        replacement: Replacement,
        tokens: u64,
    ) -> Self {
        let &Block { message, tool_use, tokens: tokens_before, .. } = &history[block];
        let position = (block.0 - history.messages()[message].first_block) as u32;
        Self { block, message, position, tokens_before, tool_use, pass, replacement, tokens }
    }

    /// Estimated tokens that the edit saves; 0 before a provider's compaction.
    pub fn saves(&self, history: &History) -> u64 {
        if self.block < history.start() {
            return 0;
        }
        self.tokens_before.saturating_sub(self.tokens)
    }
}
