//! A result that repeats an earlier one becomes a pointer to it: document "ReadTool Improvements", duplicates.
//!
//! The pointer names only what the same view shows in full, never another pointer. A write to the file between the
//! two keeps both: equal content is then news.

use crate::message::{BlockId, History, NameId, ToolUse, UseId, stable_merge_sort};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{Kind, Replacement};
use crate::projection::replacement::texts::duplicate_pointer;
use crate::projection::replacement::worth::is_worth;
use crate::projection::settings::settings;
use crate::projection::view::pass_view::View;
use crate::tokens::estimate_tokens;
use serde::Serialize;
use std::collections::HashMap;

/// Settings of the dedupe pass: it has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", type = "Record<string, never>")
)]
#[serde(deny_unknown_fields, default)]
pub struct DedupePolicy {}

settings!(DedupePolicy {});

impl Pass for DedupePolicy {
    const PUTS: &'static [Kind] = &[Kind::Duplicate];

    fn run(&self, view: &mut View<'_>) {
        let mut by_size: HashMap<(u64, u64, u64), Vec<UseId>> = HashMap::new();
        for (id, block) in results_in_order(view) {
            let tool_use = &view.history[id];
            if !is_comparable(view, id, tool_use) {
                continue;
            }
            let facts = &view.history[block];
            let size = (facts.shown_bytes(), facts.size.utf16, facts.size.lines());
            let alike = by_size.entry(size).or_default();
            // What a pointer names must stay in full; it can still be what others repeat.
            let may_go = view.is_eligible(id, tool_use, 0);
            let original = may_go.then(|| find_original(view, alike, id, block)).flatten();
            match original {
                Some((of, tokens)) => {
                    let replacement = Replacement::Duplicate { of };
                    view.plan.replace(view.history, id, PassName::Dedupe, replacement, tokens);
                }
                None => alike.push(id),
            }
        }
    }

    fn reason(history: &History, edit: &PlannedEdit, _: u32) -> String {
        let id = edit.replacement.names().and_then(|of| history[of].id.as_deref());
        format!("same content as call {}", id.unwrap_or(""))
    }
}

/// Tool uses with results up to the current step, in the order of the results.
fn results_in_order(view: &View<'_>) -> Vec<(UseId, BlockId)> {
    let results = view.answered().filter_map(|(id, one)| Some((id, one.result?))).collect();
    stable_merge_sort(results, |(_, block): &(UseId, BlockId)| block.0 as u64)
}

fn is_comparable(view: &View<'_>, id: UseId, one: &ToolUse) -> bool {
    let is_known =
        one.text_only || one.result.is_some_and(|block| view.history[block].media.count > 0);
    let is_plain = is_known && one.editable && !one.is_error && !one.ephemeral && !one.is_stub;
    is_plain && !view.plan.is_taken(id)
}

/// The newest identical result still shown in full with no write to its files since, and the tokens of the pointer.
fn find_original(
    view: &mut View<'_>,
    alike: &[UseId],
    id: UseId,
    block: BlockId,
) -> Option<(UseId, u64)> {
    let history = view.history;
    let one = &history[id];
    alike.iter().rev().find_map(|of| {
        let original = &history[*of];
        let shown_at = original.result?;
        let written_since =
            |(path, _): &(NameId, _)| view.files.of(*path).changed_between(shown_at, block);
        if one.files.iter().chain(&original.files).any(written_since) {
            return None;
        }
        let pointer_bytes = duplicate_pointer(history, one, original)?.len();
        if !is_worth(history[block].shown_bytes(), pointer_bytes) {
            return None;
        }
        view.has_same_content(*of, id).then(|| (*of, estimate_tokens(pointer_bytes as u64)))
    })
}
