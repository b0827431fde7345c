//! Replaces a result that repeats an earlier one with a pointer. Source: document "ReadTool Improvements", duplicates.
//!
//! A pointer refers only to a result that the same view shows in full, never to another pointer. If a file was written
//! between the two, both are kept: that the content is equal is then information.

use crate::message::{BlockId, History, ToolUse, UseId, in_order};
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

/// Settings of the dedupe pass. There are none.
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
        let results = comparable_results(view);
        let size = |(_, block): &(UseId, BlockId)| size_key(view.history, *block);
        let by_size = in_order(results.iter().map(size));
        // A result with a unique size is not read.
        for group in by_size.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let digest = |(_, i): &(u64, usize)| Some((view.digest(results[*i].0)?, results[*i]));
            let digested: Vec<_> = group.iter().filter_map(digest).collect();
            let by_content = in_order(digested.iter().map(|(digest, _)| digest.start().into()));
            for alike in by_content.chunk_by(|a, b| digested[a.1].0 == digested[b.1].0) {
                point_back(view, alike.iter().map(|(_, i)| digested[*i].1));
            }
        }
    }

    fn reason(history: &History, edit: &PlannedEdit, _: u32) -> String {
        let id = edit.replacement.names().and_then(|of| history[of].id.as_deref());
        format!("same content as call {}", id.unwrap_or(""))
    }
}

/// Tool uses up to the current step whose results can be compared, sorted by result.
fn comparable_results(view: &View<'_>) -> Vec<(UseId, BlockId)> {
    let results: Vec<_> = view
        .unedited()
        .filter(|(id, one)| is_comparable(view, *id, one))
        .filter_map(|(id, one)| Some((id, one.result?)))
        .collect();
    let order = in_order(results.iter().map(|(_, block)| block.0 as u64));
    order.into_iter().map(|(_, i)| results[i]).collect()
}

fn is_comparable(view: &View<'_>, id: UseId, one: &ToolUse) -> bool {
    let media = one.result.map(|block| view.history[block].media).unwrap_or_default();
    // A blank image could not say which earlier one it repeats.
    let is_known = one.text_only || media.count > 0 && media.takes_text();
    let is_plain = is_known && one.editable && !one.is_error && !one.ephemeral && !one.is_stub;
    is_plain && !view.plan.is_taken(id)
}

/// A key of the size shown and a checksum. Results with different keys have different contents and are not read.
fn size_key(history: &History, block: BlockId) -> u64 {
    let facts = &history[block];
    facts.shown_bytes() << 32 | u64::from(facts.size.print)
}

/// Replaces results with pointers to earlier ones with the same content. `alike` is sorted from oldest to newest.
fn point_back(view: &mut View<'_>, alike: impl Iterator<Item = (UseId, BlockId)>) {
    let mut shown = Vec::new();
    for (id, block) in alike {
        // The target of a pointer must stay in full, but more pointers may refer to it.
        let may_go = view.is_eligible(id, &view.history[id], 0);
        match may_go.then(|| find_original(view, &mut shown, id, block)).flatten() {
            Some((of, tokens)) => {
                let replacement = Replacement::Duplicate { of };
                view.plan.replace(view.history, block, PassName::Dedupe, replacement, tokens);
            }
            None => shown.push(id),
        }
    }
}

/// Returns the newest earlier result with the same content, and the estimated tokens of the pointer to it. `None` if
/// the files of either result were written in between, or if the pointer is not worth it.
fn find_original(
    view: &View<'_>,
    shown: &mut Vec<UseId>,
    id: UseId,
    block: BlockId,
) -> Option<(UseId, u64)> {
    let history = view.history;
    let is_current = |shown_at: BlockId, tool_use: &ToolUse| {
        let mut files = tool_use.files.iter();
        files.all(|(path, _)| !view.files.of(*path).changed_between(shown_at, block))
    };
    loop {
        let of = *shown.last()?;
        let original = &history[of];
        let shown_at = original.result?;
        if !is_current(shown_at, original) {
            // It is not current for any later result either.
            shown.pop();
            continue;
        }
        let one = &history[id];
        let pointer_bytes = duplicate_pointer(history, one, original)?.len();
        let is_named =
            is_current(shown_at, one) && is_worth(history[block].shown_bytes(), pointer_bytes);
        return is_named.then(|| (of, estimate_tokens(pointer_bytes as u64)));
    }
}
