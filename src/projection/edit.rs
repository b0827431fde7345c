//! One edit of a view: which block, what stands there instead, and the pass that decided it.

use super::outline::Outline;
use super::stub::StubStyle;
use crate::message::{BlockId, UseId};
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
    /// Reasoning of turns that are over.
    Reasoning,
    /// Content that goes after its turn.
    Ephemeral,
    /// The oldest results, once the context has grown too large.
    Clear,
    /// Results that are too old.
    Age,
    /// Repeated reads of the same lines, and reads that a newer read or a write has overtaken.
    Reads,
    /// Listings but for the newest.
    Lists,
    /// Old output, but for a summary.
    Summarize,
    /// Long output, but for its head and tail.
    Clip,
    /// Results that repeat an earlier one.
    Dedupe,
    /// Edits of one file.
    Edits,
    /// Long arguments of old calls.
    Inputs,
    /// Whatever else must go for the view to fit.
    Budget,
    /// What is done, in batches that pay for their rewrite.
    Done,
}

impl PassName {
    /// In the order in which they run.
    pub const ALL: &[PassName] = &[
        PassName::Reasoning,
        PassName::Ephemeral,
        PassName::Clear,
        PassName::Age,
        PassName::Reads,
        PassName::Lists,
        PassName::Summarize,
        PassName::Clip,
        PassName::Dedupe,
        PassName::Edits,
        PassName::Inputs,
        PassName::Budget,
        PassName::Done,
    ];
}

/// What stands where a block's content was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacement {
    /// The stub of ephemeral content.
    Ephemeral,
    /// A stub that says what a result was.
    Cleared(StubStyle),
    /// A pointer to another read of the same lines.
    Reread {
        /// The read that stands in full.
        of: UseId,
        /// Whether it is the latest, or else the first.
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
    /// A call's arguments with their long texts cut.
    Outlined(Outline),
    /// The same, with a note of several edits of the file in the place of the largest text.
    Noted {
        /// The first of these edits; the call's own is the last.
        from: UseId,
    },
    /// Nothing: the block is taken out.
    Removed,
}

impl Replacement {
    /// The tool use whose result it points to.
    pub fn names(self) -> Option<UseId> {
        match self {
            Replacement::Reread { of, .. } | Replacement::Duplicate { of } => Some(of),
            _ => None,
        }
    }

    /// Whether the pass puts it anywhere.
    pub fn is_of(self, pass: PassName) -> bool {
        use PassName::*;
        match self {
            Replacement::Ephemeral => pass == Ephemeral,
            Replacement::Cleared(_) => {
                matches!(pass, Age | Reads | Lists | Summarize | Budget | Done)
            }
            Replacement::Reread { .. } => pass == Reads,
            Replacement::Clipped => pass == Clip,
            Replacement::Placeholder => pass == Clear,
            Replacement::Duplicate { .. } => pass == Dedupe,
            Replacement::Outlined(_) => matches!(pass, Clear | Edits | Inputs | Done),
            Replacement::Noted { .. } => pass == Edits,
            Replacement::Removed => matches!(pass, Ephemeral | Reasoning),
        }
    }

    /// The tool use without which it means nothing.
    pub fn rests_on(self) -> Option<UseId> {
        match self {
            Replacement::Noted { from } => Some(from),
            other => other.names(),
        }
    }
}

/// One edit of the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edit {
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

impl Edit {
    /// Whether later projections repeat it. What is ephemeral is marked in the history, and what a turn is stands
    /// there: both are found each time.
    pub fn is_lasting(&self) -> bool {
        !matches!(self.pass, PassName::Ephemeral | PassName::Reasoning)
    }

    /// Whether it can wait until a batch is worth its rewrite.
    pub(super) fn can_wait(&self) -> bool {
        self.is_lasting()
            && !matches!(self.pass, PassName::Clear | PassName::Budget | PassName::Done)
    }
}
