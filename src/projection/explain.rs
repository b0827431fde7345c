//! Why each block of a message was kept or edited.

use super::plan::Plan;
use super::policy::{Policy, reason};
use super::registry::{ORDER, PassName};
use super::view::eligibility::Kept;
use super::view::pass_view::View;
use crate::message::{Block, BlockId, BlockKind, UseId};
use serde::Serialize;

/// Whether one block was kept or edited, and why.
#[derive(Debug, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct BlockReport {
    /// The block's position in its message.
    pub block: usize,
    /// The kind of block.
    pub kind: BlockKind,
    /// The tool; `null` if there is none or it is unknown.
    pub tool: Option<String>,
    /// The pass that edited it; `null` if it was kept.
    pub pass: Option<PassName>,
    /// The reason, in a few words.
    pub reason: String,
    /// Estimated tokens of the content.
    pub tokens_before: u64,
    /// Estimated tokens after the edit, if there is one.
    pub tokens_after: u64,
}

/// Explains the blocks of `message` under `plan`; `view` is the view of the history before any pass.
pub fn explain(view: &View<'_>, policy: &Policy, plan: &Plan, message: usize) -> Vec<BlockReport> {
    let history = view.history;
    let (first, blocks) = history.blocks_of(message);
    let report = |(i, block): (usize, &Block)| {
        let edit = plan.edit(BlockId(first + i));
        let tool = block.tool_use.map_or("", |id| history.names().text(history[id].tool));
        BlockReport {
            block: i,
            kind: block.kind,
            tool: (!tool.is_empty()).then(|| tool.to_owned()),
            pass: edit.map(|edit| edit.pass),
            reason: match edit {
                Some(edit) => reason(history, edit, view.settings.current_step),
                None => why_kept(view, policy, plan, block),
            },
            tokens_before: block.tokens,
            tokens_after: edit.map_or(block.tokens, |edit| edit.tokens),
        }
    };
    blocks.iter().enumerate().map(report).collect()
}

fn why_kept(view: &View<'_>, policy: &Policy, plan: &Plan, block: &Block) -> String {
    let fixed = match (block.kind, block.tool_use) {
        (BlockKind::ToolResult, Some(id)) => {
            return why_result_kept(view, policy, plan, id).to_owned();
        }
        (BlockKind::ToolCall, _) => "a call is kept with its result",
        (BlockKind::Text, _) => "text is not edited",
        (BlockKind::Reasoning, _) => "reasoning is kept as the provider sent it",
        (BlockKind::File, _) => "files beside text are not edited",
        _ => "of an unknown type: passed on as it is",
    };
    fixed.to_owned()
}

/// The rule that keeps the result from every pass, else the reason of a pass that is on, else the rule that keeps old
/// results.
fn why_result_kept(view: &View<'_>, policy: &Policy, plan: &Plan, id: UseId) -> &'static str {
    let tool_use = &view.history[id];
    let referred = plan.is_referred(id).then_some(Kept::Referred);
    if let Some(kept) = view.kept(tool_use).or(referred) {
        return kept.reason();
    }
    let of_passes = ORDER.iter().find_map(|pass| policy.why_kept(*pass, view, id));
    let of_age = || view.kept_when_old(tool_use).map(Kept::reason);
    let is_short = !view.is_long(tool_use, "[cleared, 1000 chars]".len());
    let of_size = || is_short.then(|| Kept::Short.reason());
    let waits = || plan.waits_for_reasoning && is_before_reasoning(view, plan, id);
    let of_reasoning = || waits().then(|| Kept::Waits.reason());
    let reason = of_passes.or_else(of_age).or_else(of_size).or_else(of_reasoning);
    reason.unwrap_or("no pass of the policy edits it")
}

/// Whether signed reasoning that the plan keeps follows the result.
fn is_before_reasoning(view: &View<'_>, plan: &Plan, id: UseId) -> bool {
    let last = view.history.signed().iter().rfind(|block| !plan.has_edit(**block));
    view.history[id].result < last.copied()
}
