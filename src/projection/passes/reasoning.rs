//! Keeps or removes the model's reasoning.

use crate::message::{Block, BlockId, BlockKind, History, Removable};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{Kind, Replacement};
use crate::projection::settings::pass_setting::Setting;
use crate::projection::settings::words;
use crate::projection::view::pass_view::View;
use serde::Serialize;

/// What happens to the model's reasoning.
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
    /// Reasoning of finished turns is removed, if the provider allows it. Unsigned reasoning beside calls stays.
    Drop,
    /// It stays, and nothing before it changes any more: for providers that compare the content before the reasoning.
    /// Keeping earlier decisions needs a `Context` or `state`. Ephemeral content is removed anyway.
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
        "reasoning: its turn is over, or the content before it changed".to_owned()
    }
}

/// Removes the reasoning of finished turns.
fn drop_reasoning(view: &mut View<'_>) {
    for (message, has_calls) in calls_of_past_turns(view).into_iter().enumerate() {
        let (first, blocks) = view.history.blocks_of(message);
        // Content before a provider's compaction is kept, and so is the reasoning of a message without other content.
        if first < view.history.start().0 || !blocks.iter().any(says_something) {
            continue;
        }
        let may_go = |block: &Block| match block.removable {
            Removable::Never => false,
            Removable::AfterTurn => true,
            Removable::WithoutCalls => !has_calls,
        };
        for (i, _) in blocks.iter().enumerate().filter(|(_, block)| may_go(block)) {
            let (pass, block) = (PassName::Reasoning, BlockId(first + i));
            if view.plan.decided(block).is_none() {
                view.plan.replace(view.history, block, pass, Replacement::Removed, 0);
            }
        }
    }
}

/// For each message of the finished turns, whether its turn has calls that are not excluded.
fn calls_of_past_turns(view: &View<'_>) -> Vec<bool> {
    let mut end = view.turn_prompt();
    let mut has_calls = vec![false; end];
    for message in (0..end).rev() {
        if message == 0 || view.is_prompt(message) {
            let is_call = |index| {
                let (first, blocks) = view.history.blocks_of(index);
                let stays = |(i, block): (usize, &Block)| {
                    block.kind == BlockKind::ToolCall && !view.plan.removes(BlockId(first + i))
                };
                blocks.iter().enumerate().any(stays)
            };
            let calls = (message..end).any(is_call);
            has_calls[message..end].fill(calls);
            end = message;
        }
    }
    has_calls
}

/// Prevents later passes, except for ephemeral content, from editing anything before the last reasoning.
fn hold(view: &mut View<'_>) {
    let is_reasoning = |block: &Block| block.kind == BlockKind::Reasoning;
    if let Some(last) = view.history.blocks().iter().rposition(is_reasoning) {
        view.hold_before(BlockId(last));
    }
}

fn says_something(block: &Block) -> bool {
    block.kind != BlockKind::Reasoning && (block.kind != BlockKind::Text || block.size.bytes > 0)
}
