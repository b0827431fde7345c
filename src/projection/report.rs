//! What a projection did, for hosts and people.

use super::{Edit, PassName, Replacement, done};
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
    /// How many blocks it edited.
    pub edits: usize,
    /// Estimated tokens that it saved.
    pub tokens_saved: u64,
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
    /// Why, in a few words.
    pub reason: String,
    /// The tool; `null` where it is not known.
    pub tool: Option<String>,
    /// Estimated tokens of the content.
    pub tokens_before: u64,
    /// Estimated tokens of what stands there now.
    pub tokens_after: u64,
    /// What stands there now; `null` where the block was taken out.
    pub text: Option<String>,
}

impl EditReport {
    /// Describes an edit; `text` is what stands there now.
    pub fn of(history: &History, edit: &Edit, current_step: u32, text: Option<String>) -> Self {
        let tool = edit.tool_use.map_or("", |id| history.names().text(history[id].tool));
        Self {
            message: edit.message,
            block: history.position(edit.block),
            pass: edit.pass,
            reason: reason(history, edit, current_step),
            tool: (!tool.is_empty()).then(|| tool.to_owned()),
            tokens_before: history[edit.block].tokens,
            tokens_after: edit.tokens,
            text,
        }
    }
}

pub(super) fn reason(history: &History, edit: &Edit, current_step: u32) -> String {
    if let (PassName::Done, Some(id)) = (edit.pass, edit.tool_use) {
        let is_call = matches!(edit.replacement, Replacement::Outlined(_));
        return done::reason(history, id, is_call).to_owned();
    }
    let step = edit.tool_use.map_or(current_step, |id| history[id].step);
    let age = format!("{} steps old", current_step.saturating_sub(step));
    let fixed = match edit.replacement {
        Replacement::Cleared(_) => match edit.pass {
            PassName::Reads => "the file was changed since",
            PassName::Lists => "there are newer listings",
            PassName::Budget => "among the oldest when the view did not fit",
            _ => return age,
        },
        Replacement::Reread { latest: false, .. } => "the first read of these lines shows the same",
        Replacement::Reread { latest: true, .. } => "a later read of these lines shows them",
        Replacement::Clipped => "long output: its head and tail are kept",
        Replacement::Placeholder => "among the oldest when the context had grown too large",
        Replacement::Removed if edit.pass == PassName::Reasoning => "reasoning, its turn is over",
        Replacement::Ephemeral | Replacement::Removed => "ephemeral, its turn is over",
        Replacement::Outlined(_) if edit.pass == PassName::Clear => "goes with its result",
        Replacement::Outlined(_) => return age,
        Replacement::Noted { .. } => "tells of several old edits of the file",
        Replacement::Duplicate { of } => {
            let id = history[of].id.as_deref().unwrap_or("");
            return format!("same content as call {id}");
        }
    };
    fixed.to_owned()
}
