//! Removal of signed reasoning that a model would refuse. Providers may bind a signed block to all content that was
//! sent before it when it was made, and refuse a request in which that content has changed. So reasoning is sent only
//! after the same content as when it was made.
//!
//! One rule is enough: all signed reasoning after the first block that differs from the previous request is removed, in
//! the same rewrite. Reasoning before that block was preceded by the same content in that request already.

use super::plan::{Before, Plan, first_difference};
use super::registry::PassName;
use super::replacement::kind::Replacement;
use super::sent_log::SentLog;
use super::settings::words;
use super::view::pass_view::View;
use crate::message::{BlockId, History, ToolUse, UseId};
use serde::Serialize;
use std::ops::Range;

/// What a model requires of signed reasoning that is sent back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum Binding {
    /// Not known: no model may refuse a view. During a turn with reasoning, nothing before that reasoning changes; at
    /// the user's next prompt, waiting edits are made and the reasoning after them is removed.
    #[default]
    Unknown,
    /// The content before it must be the same as when it was made; reasoning after a change is removed.
    Bound,
    /// It must be present during its turn; the content before it may change.
    Required,
    /// Nothing before it may change.
    AppendOnly,
    /// Nothing.
    Free,
}

words!(Binding {
    Unknown = "unknown",
    Bound = "bound",
    Required = "required",
    AppendOnly = "append-only",
    Free = "free",
});

/// What was sent before the view that is being planned.
#[derive(Debug, Clone, Copy)]
pub struct Sent<'a> {
    /// The requests.
    pub log: &'a SentLog,
    /// From this block on it is unknown which content preceded the reasoning when it was made, because the host has
    /// changed its history, its system prompt or its model.
    pub unknown_from: Option<BlockId>,
}

/// What [`Binding::hold`] keeps from later passes.
#[derive(Clone, Copy)]
pub struct Held {
    /// The reasoning before which nothing changes.
    pub before: BlockId,
    /// Whether results before it could be edited if the model were known.
    pub results_wait: bool,
}

impl Binding {
    /// Prevents later passes from editing content that must not change yet: all before the last signed reasoning that
    /// stays, among the reasoning before `gone`. Returns that reasoning.
    pub fn hold(self, view: &mut View<'_>, gone: BlockId) -> Option<Held> {
        if view.history.signed().is_empty() {
            return None;
        }
        let from = match self {
            Binding::Unknown => view.turn_start(),
            Binding::AppendOnly => BlockId(0),
            Binding::Bound | Binding::Required | Binding::Free => return None,
        };
        let stays = |id: &&BlockId| (from..gone).contains(*id) && view.plan.decided(**id).is_none();
        let last = *view.history.signed().iter().rfind(stays)?;
        let waits = |(i, tool_use): (usize, &ToolUse)| {
            tool_use.result.is_some_and(|block| block < last)
                && view.is_eligible(UseId(i), tool_use, 0)
        };
        let results_wait =
            self == Binding::Unknown && view.history.uses().iter().enumerate().any(waits);
        view.hold_before(last);
        Some(Held { before: last, results_wait })
    }

    /// Whether reasoning is removed when the content before it changes.
    pub fn takes_out(self) -> bool {
        !matches!(self, Binding::Required | Binding::Free)
    }
}

/// Removes the reasoning whose preceding content differs from when it was made.
pub fn take_out(history: &History, plan: &mut Plan, before: Before<'_>) {
    plan.order();
    let mut gone = Vec::new();
    // Reasoning before a provider's compaction and reasoning after it are bound independently.
    for part in parts(history) {
        let lost = before.lost_from(plan.edits(), &part)..part.end;
        let signed = history.signed().iter().copied();
        gone.extend(signed.filter(|id| lost.contains(id) && !plan.has_edit(*id)));
    }
    for block in gone {
        plan.replace(history, block, PassName::Reasoning, Replacement::Removed, 0);
    }
}

/// The blocks before the provider's compaction, and the others.
fn parts(history: &History) -> [Range<BlockId>; 2] {
    let start = history.start();
    [BlockId(0)..start, start..BlockId(usize::MAX)]
}

/// Signed reasoning in a view whose preceding content differs from when it was made. A provider that binds reasoning
/// refuses the request, or drops these blocks.
pub fn unbound(history: &History, plan: &Plan, sent: Sent<'_>) -> Vec<BlockId> {
    let Sent { log, unknown_from } = sent;
    let shown = history.signed().iter().copied().filter(|block| !plan.has_edit(*block));
    let [compacted, since] =
        parts(history).map(|part| (log.differences(plan.edits(), &part), part));
    let is_unbound = |block: &BlockId| {
        if unknown_from.is_some_and(|from| from <= *block) {
            return true;
        }
        let (differences, part) = if compacted.1.contains(block) { &compacted } else { &since };
        let first = match log.request_at(block.0) {
            Some(request) => differences[request],
            None => first_difference(&[], plan.edits(), part),
        };
        first.is_some_and(|first| first < *block)
    };
    shown.filter(is_unbound).collect()
}
