//! Why each block of a message was kept or edited.

use super::age::last_accesses;
use super::protect::Protection;
use super::report::reason;
use super::stub::is_worth;
use super::{PassName, Plan, Policy, View};
use crate::message::{Block, BlockKind, ToolUse, UseId};
use serde::Serialize;

/// What became of one block, and why.
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
    /// What it is.
    pub kind: BlockKind,
    /// The tool; `null` where it is none or not known.
    pub tool: Option<String>,
    /// The pass that edited it; `null` where it was kept.
    pub pass: Option<PassName>,
    /// Why, in a few words.
    pub reason: String,
    /// Estimated tokens of the content.
    pub tokens_before: u64,
    /// Estimated tokens of what stands there now.
    pub tokens_after: u64,
}

/// Explains the blocks of `message` under `plan`, which was made of `view`'s history and `policy`.
pub fn explain(view: &View<'_>, policy: &Policy, plan: &Plan, message: usize) -> Vec<BlockReport> {
    let history = view.history;
    let (first, blocks) = history.blocks_of(message);
    let report = |(i, block): (usize, &Block)| {
        let edit = plan.edits().iter().find(|edit| edit.block.0 == first + i);
        let tool = block.tool_use.map_or("", |id| history.names().text(history[id].tool));
        BlockReport {
            block: i,
            kind: block.kind,
            tool: (!tool.is_empty()).then(|| tool.to_owned()),
            pass: edit.map(|edit| edit.pass),
            reason: match edit {
                Some(edit) => reason(history, edit, view.current_step),
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
        (BlockKind::ToolCall, _) => "a call stays while its result does",
        (BlockKind::Text, _) => "what was said is not edited",
        (BlockKind::Reasoning, _) => "reasoning is the provider's own",
        (BlockKind::File, _) => "files beside text are not edited",
        _ => "not known here, so passed on as it is",
    };
    fixed.to_owned()
}

/// The reasons in the order in which passes ask.
fn why_result_kept(view: &View<'_>, policy: &Policy, plan: &Plan, id: UseId) -> &'static str {
    let one = &view.history[id];
    let size = one.result.map(|block| view.history[block].size);
    let is_long = size.is_some_and(|size| is_worth(size, "[cleared, 1000 chars]".len()));
    let protection = Protection::of(view, &[]);
    let done = policy.done.settings();
    let is_done =
        done.is_some_and(|done| done.find(view).iter().any(|of| Some(of.block) == one.result));
    let cases = [
        (one.step > view.current_step, "later than the step that the view is made for"),
        (one.is_stub, "an earlier projection put it there"),
        (!one.editable, "its content has a shape that is not edited"),
        (view.cache.protected.cover(one), "the policy protects its tool or file"),
        (plan.is_referred(id), "a pointer names it"),
        (is_done, "done: it goes with the next batch that pays for its rewrite"),
        (one.is_error, "a failure stays"),
        (!is_long, "too short to be worth a stub"),
        (done.is_some(), "not done: it may still be needed"),
        (protection.covers(id, one), "the newest read of a file that was edited"),
        (is_young(view, policy, one), "among the newest"),
        (is_active(view, policy, one), "its file is in use"),
    ];
    let found = cases.iter().find(|(applies, _)| *applies);
    found.map_or("no pass of the policy takes it", |(_, reason)| reason)
}

fn is_young(view: &View<'_>, policy: &Policy, one: &ToolUse) -> bool {
    let age = view.current_step.saturating_sub(one.step);
    policy.age.settings().is_some_and(|settings| age <= settings.max_tool_output_age)
}

fn is_active(view: &View<'_>, policy: &Policy, one: &ToolUse) -> bool {
    let Some(settings) = policy.age.settings().filter(|age| age.preserve_recent_files) else {
        return false;
    };
    let accesses = last_accesses(view.history, view.current_step);
    one.files
        .iter()
        .filter_map(|(path, _)| accesses[path.index()])
        .any(|step| view.current_step.saturating_sub(step) <= settings.max_tool_output_age)
}
