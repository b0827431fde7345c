//! Reports on a projection: its passes and its edits.

use super::plan::{Plan, PlannedEdit};
use super::policy::reason;
use super::registry::PassName;
use crate::message::History;
use serde::Serialize;

/// What one pass did.
#[derive(Debug, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct PassReport {
    /// The pass.
    pub pass: PassName,
    /// Number of blocks that it edited.
    pub edits: usize,
    /// Estimated tokens that it saved.
    pub tokens_saved: u64,
}

impl PassReport {
    /// Reports on all passes in a plan.
    pub fn all(history: &History, plan: &Plan) -> Vec<Self> {
        let report = |pass: &PassName| {
            let edits = || plan.edits().iter().filter(|edit| edit.pass == *pass);
            let tokens_saved = edits().map(|edit| edit.saves(history)).sum();
            Self { pass: *pass, edits: edits().count(), tokens_saved }
        };
        PassName::ALL.iter().map(report).collect()
    }
}

/// One edit and its reason.
#[derive(Debug, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct EditReport {
    /// The message's position in the history.
    pub message: usize,
    /// The block's position in its message.
    pub block: usize,
    /// The pass that decided it.
    pub pass: PassName,
    /// Whether the replacement points to another result: the same result, or another read of the lines, of which the
    /// latest may show them changed.
    pub is_pointer: bool,
    /// The reason, in a few words.
    pub reason: String,
    /// The tool; `null` if it is unknown.
    pub tool: Option<String>,
    /// Estimated tokens of the content.
    pub tokens_before: u64,
    /// Estimated tokens of the replacement.
    pub tokens_after: u64,
    /// The replacement text; `null` if the block was removed.
    pub text: Option<String>,
}

impl EditReport {
    /// Describes an edit; `text` is its replacement text.
    pub fn of(
        history: &History,
        edit: &PlannedEdit,
        current_step: u32,
        text: Option<String>,
    ) -> Self {
        let tool = edit.tool_use.map_or("", |id| history.names().text(history[id].tool));
        Self {
            message: edit.message,
            block: edit.position as usize,
            pass: edit.pass,
            is_pointer: edit.replacement.names().is_some(),
            reason: reason(history, edit, current_step),
            tool: (!tool.is_empty()).then(|| tool.to_owned()),
            tokens_before: edit.tokens_before,
            tokens_after: edit.tokens,
            text,
        }
    }
}
