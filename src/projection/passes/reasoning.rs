//! What becomes of the model's reasoning.

use crate::message::{Block, BlockId, BlockKind, History, Role, UseId};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{Kind, Replacement};
use crate::projection::settings::pass_setting::Setting;
use crate::projection::settings::words;
use crate::projection::view::pass_view::View;
use serde::Serialize;

/// What becomes of the model's reasoning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum ReasoningMode {
    /// It stays.
    #[default]
    Keep,
    /// That of turns that are over goes, where the provider allows it.
    Drop,
    /// It stays, and nothing before it changes any more: for providers that compare what preceded the reasoning they are
    /// given back. What was decided before needs a `Context` or `state`. Ephemeral content goes even so.
    AppendOnly,
}

words!(ReasoningMode { Keep = "keep", Drop = "drop", AppendOnly = "append-only" });

impl Setting for Option<ReasoningMode> {
    type Pass = ReasoningMode;

    fn settings(&self) -> Option<&ReasoningMode> {
        self.as_ref()
    }
}

impl Pass for ReasoningMode {
    const PUTS: &'static [Kind] = &[Kind::Removed];
    /// What a turn is stands in the history.
    const LASTING: bool = false;
    const WAITS: bool = false;

    fn run(&self, view: &mut View<'_>) {
        match self {
            ReasoningMode::Keep => {}
            ReasoningMode::Drop => drop_reasoning(view),
            ReasoningMode::AppendOnly => hold(view),
        }
    }

    fn edits(&self) -> bool {
        *self == ReasoningMode::Drop
    }

    fn reason(_: &History, _: &PlannedEdit, _: u32) -> String {
        "reasoning, its turn is over".to_owned()
    }
}

/// Takes out the reasoning of turns that are over.
fn drop_reasoning(view: &mut View<'_>) {
    for message in 0..turn_start(view) {
        let (first, blocks) = view.history.blocks_of(message);
        // A message is not left with nothing.
        if !blocks.iter().any(says_something) {
            continue;
        }
        for (i, _) in blocks.iter().enumerate().filter(|(_, block)| block.removable) {
            let (pass, block) = (PassName::Reasoning, BlockId(first + i));
            view.plan.replace_block(view.history, block, pass, Replacement::Removed, 0);
        }
    }
}

/// Keeps the passes that follow, but for ephemeral content, from what stands before reasoning that must find everything as
/// it was.
fn hold(view: &mut View<'_>) {
    let is_reasoning = |block: &Block| block.kind == BlockKind::Reasoning;
    let before = ..view.history.blocks().iter().rposition(is_reasoning).map(BlockId);
    for (i, tool_use) in view.history.uses().iter().enumerate() {
        if before.contains(&tool_use.call) {
            view.plan.take_call(UseId(i));
        }
        if before.contains(&tool_use.result) {
            view.plan.hold_result(UseId(i));
        }
    }
}

fn says_something(block: &Block) -> bool {
    block.kind != BlockKind::Reasoning && (block.kind != BlockKind::Text || block.size.bytes > 0)
}

/// The message with which the turn that goes on began: the newest prompt that came when the model had had its say. One
/// that came in the midst of its calls belongs to their turn: providers take it as a part of the results before it.
fn turn_start(view: &View<'_>) -> usize {
    let history = view.history;
    let is_prompt = |index: &usize| {
        let message = &history.messages()[*index];
        let (first, blocks) = history.blocks_of(*index);
        let before = first.checked_sub(1).map(|at| history.blocks()[at].kind);
        message.role == Role::User
            && message.step <= view.settings.current_step
            && blocks.iter().all(|block| block.kind != BlockKind::ToolResult)
            && !matches!(before, Some(BlockKind::ToolCall | BlockKind::ToolResult))
    };
    (0..history.messages().len()).rev().find(is_prompt).unwrap_or(0)
}
