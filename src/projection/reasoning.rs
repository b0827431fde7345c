//! What becomes of the model's reasoning.

use super::{PassName, View};
use crate::message::{Block, BlockId, BlockKind, Role, UseId};
use serde::{Deserialize, Serialize};

/// What becomes of the model's reasoning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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

impl ReasoningMode {
    /// Takes out the reasoning of turns that are over.
    pub fn run(self, view: &mut View<'_>) {
        if self != ReasoningMode::Drop {
            return;
        }
        for message in 0..turn_start(view) {
            let (first, blocks) = view.history.blocks_of(message);
            // A message is not left with nothing.
            if !blocks.iter().any(says_something) {
                continue;
            }
            for (i, block) in blocks.iter().enumerate() {
                if block.removable {
                    view.plan.remove_block(view.history, BlockId(first + i), PassName::Reasoning);
                }
            }
        }
    }

    /// Keeps the passes that follow from what stands before reasoning that must find everything as it was.
    pub fn hold(self, view: &mut View<'_>) {
        if self != ReasoningMode::AppendOnly {
            return;
        }
        let is_reasoning = |block: &Block| block.kind == BlockKind::Reasoning;
        let before = ..view.history.blocks().iter().rposition(is_reasoning).map(BlockId);
        for (i, one) in view.history.uses().iter().enumerate() {
            if before.contains(&one.call) {
                view.plan.take_call(UseId(i));
            }
            if before.contains(&one.result) {
                view.plan.hold_result(UseId(i));
            }
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
            && message.step <= view.current_step
            && blocks.iter().all(|block| block.kind != BlockKind::ToolResult)
            && !matches!(before, Some(BlockKind::ToolCall | BlockKind::ToolResult))
    };
    (0..history.messages().len()).rev().find(is_prompt).unwrap_or(0)
}
