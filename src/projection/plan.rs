//! The plan: which block is replaced, by what, and why.

use super::View;
use crate::message::{Block, BlockId, BlockKind, History, ToolUse, UseId};
use serde::Serialize;

/// A pass, by the name of its field in the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum PassName {
    /// Content that goes after its turn.
    Ephemeral,
    /// The oldest results, once the context has grown too large.
    Clear,
    /// Results that are too old.
    Age,
    /// Repeated reads of the same lines.
    Reads,
    /// Long output, but for its head and tail.
    Clip,
    /// Results that repeat an earlier one.
    Dedupe,
}

impl PassName {
    /// In the order in which they run.
    pub const ALL: &[PassName] = &[
        PassName::Ephemeral,
        PassName::Clear,
        PassName::Age,
        PassName::Reads,
        PassName::Clip,
        PassName::Dedupe,
    ];
}

/// What stands where a block's content was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacement {
    /// The stub of ephemeral content.
    Ephemeral,
    /// The stub of a result cleared for its age.
    Cleared,
    /// A pointer to the first read of the same lines, or to the latest.
    Reread {
        /// Whether it is the latest.
        latest: bool,
    },
    /// Head and tail of the content.
    Clipped,
    /// The placeholder of the policy's clear pass.
    Placeholder,
    /// A pointer to an earlier result with the same content.
    Duplicate {
        /// The tool use whose result stands in full.
        of: UseId,
    },
    /// Nothing: the block is taken out.
    Removed,
}

/// One edit of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit {
    /// The block that is edited.
    pub block: BlockId,
    /// Its message.
    pub message: usize,
    /// The tool use it belongs to.
    pub tool_use: UseId,
    /// The pass that decided it.
    pub pass: PassName,
    /// What stands there instead.
    pub replacement: Replacement,
    /// Estimated tokens of what stands there instead.
    pub tokens: u64,
}

/// The edits of one projection. Calls and results of a tool use are edited together or not at all.
#[derive(Debug, Default)]
pub struct Plan {
    edits: Vec<Edit>,
    taken: Vec<bool>,
    /// Tool uses whose results a pointer names: they stay in full.
    referred: Vec<UseId>,
    /// Messages that are taken out whole, in order.
    removed_messages: Vec<usize>,
    /// Edits and tokens saved, by pass in the order of [`PassName::ALL`].
    passes: [(usize, u64); PassName::ALL.len()],
}

impl Plan {
    /// An empty plan for a history.
    pub fn new(history: &History) -> Self {
        Self {
            edits: Vec::with_capacity(history.uses().len()),
            taken: vec![false; history.uses().len()],
            referred: Vec::new(),
            removed_messages: Vec::new(),
            passes: Default::default(),
        }
    }

    /// The edits, in the order of their blocks once the plan is finished.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Edits and tokens saved, by pass in the order of [`PassName::ALL`].
    pub fn passes(&self) -> &[(usize, u64)] {
        &self.passes
    }

    /// Messages that lose every block, in order.
    pub fn removed_messages(&self) -> &[usize] {
        &self.removed_messages
    }

    /// Whether an edit of this tool use was planned already.
    pub fn is_taken(&self, id: UseId) -> bool {
        self.taken.get(id.0).copied().unwrap_or(true)
    }

    /// Notes that a pointer names the result of this tool use, which later passes must leave in full.
    pub fn refer_to(&mut self, id: UseId) {
        self.referred.push(id);
    }

    /// Whether a pointer names the result of this tool use.
    pub fn is_referred(&self, id: UseId) -> bool {
        self.referred.contains(&id)
    }

    /// Plans that the tool use's result is replaced by something of `tokens`.
    pub fn replace(
        &mut self,
        history: &History,
        id: UseId,
        pass: PassName,
        replacement: Replacement,
        tokens: u64,
    ) {
        let Some(block) = history.uses()[id.0].result else { return };
        self.push(history, id, block, pass, replacement, tokens);
    }

    /// Plans that call and result are taken out together.
    pub fn remove(&mut self, history: &History, id: UseId, pass: PassName) {
        let tool_use = &history.uses()[id.0];
        for block in [tool_use.call, tool_use.result].into_iter().flatten() {
            self.push(history, id, block, pass, Replacement::Removed, 0);
        }
    }

    fn push(
        &mut self,
        history: &History,
        id: UseId,
        block: BlockId,
        pass: PassName,
        replacement: Replacement,
        tokens: u64,
    ) {
        self.taken[id.0] = true;
        let Block { message, tokens: before, .. } = history.blocks()[block.0];
        let (edits, saved) = &mut self.passes[pass as usize];
        *edits += 1;
        *saved += before.saturating_sub(tokens);
        self.edits.push(Edit { block, message, tool_use: id, pass, replacement, tokens });
    }

    /// Puts the edits in the order of their blocks and works out which messages are left with nothing.
    pub fn finish(&mut self, history: &History) {
        if !self.edits.is_sorted_by_key(|edit| edit.block) {
            self.edits.sort_by_key(|edit| edit.block);
        }
        let removed = |edit: &&Edit| edit.replacement == Replacement::Removed;
        if !self.edits.iter().any(|edit| removed(&edit)) {
            return;
        }
        // An empty text beside a call that goes is nothing to send.
        let counts = |block: &&Block| block.kind != BlockKind::Text || block.size.bytes > 0;
        for group in self.edits.chunk_by(|a, b| a.message == b.message) {
            let (_, blocks) = history.blocks_of(group[0].message);
            if group.iter().filter(removed).count() == blocks.iter().filter(counts).count() {
                self.removed_messages.push(group[0].message);
            }
        }
    }
}

impl View<'_> {
    /// Answered tool uses that no earlier pass has edited and that are not later than the current step, in the order
    /// of their calls.
    pub fn survivors(&self) -> impl Iterator<Item = (UseId, &ToolUse)> {
        let uses = self.history.uses().iter().enumerate();
        uses.map(|(i, tool_use)| (UseId(i), tool_use))
            .filter(|(id, tool_use)| tool_use.result.is_some() && !self.plan.is_taken(*id))
            .filter(|(_, tool_use)| tool_use.step <= self.current_step)
    }

    /// Whether a message, or the answer that it is a piece of, holds anything that a signature may cover, so that none
    /// of its blocks can be taken out.
    pub fn is_signed(&self, message: usize) -> bool {
        let opaque = |kind| matches!(kind, BlockKind::Reasoning | BlockKind::Unknown);
        self.history.blocks_of_answer(message).iter().any(|block| opaque(block.kind))
    }
}
