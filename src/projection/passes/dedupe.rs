//! A result that repeats an earlier one becomes a pointer to it: document "ReadTool Improvements", duplicates.
//!
//! The pointer names only what the same view shows in full, never another pointer. A write to the file between the
//! two keeps both: equal content is then news.

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
        // The only one of its size is not read.
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

/// Tool uses with results up to the current step that can be compared, in the order of the results.
fn comparable_results(view: &View<'_>) -> Vec<(UseId, BlockId)> {
    let results: Vec<_> = view
        .answered()
        .filter(|(id, one)| is_comparable(view, *id, one))
        .filter_map(|(id, one)| Some((id, one.result?)))
        .collect();
    let order = in_order(results.iter().map(|(_, block)| block.0 as u64));
    order.into_iter().map(|(_, i)| results[i]).collect()
}

fn is_comparable(view: &View<'_>, id: UseId, one: &ToolUse) -> bool {
    let media = one.result.map(|block| view.history[block].media).unwrap_or_default();
    // A blank picture would not say which earlier one it repeats.
    let is_known = one.text_only || media.count > 0 && media.takes_text();
    let is_plain = is_known && one.editable && !one.is_error && !one.ephemeral && !one.is_stub;
    is_plain && !view.plan.is_taken(id)
}

/// Of bytes as shown and a checksum: what differs in these is another content, and is not read.
fn size_key(history: &History, block: BlockId) -> u64 {
    let facts = &history[block];
    facts.shown_bytes() << 32 | u64::from(facts.size.print)
}

/// Of results that say the same, the oldest first, later ones become pointers to earlier ones.
fn point_back(view: &mut View<'_>, alike: impl Iterator<Item = (UseId, BlockId)>) {
    let mut shown = Vec::new();
    for (id, block) in alike {
        // What a pointer names must stay in full; it can still be what others repeat.
        let may_go = view.is_eligible(id, &view.history[id], 0);
        match may_go.then(|| find_original(view, &mut shown, id, block)).flatten() {
            Some((of, tokens)) => {
                let replacement = Replacement::Duplicate { of };
                view.plan.replace(view.history, id, PassName::Dedupe, replacement, tokens);
            }
            None => shown.push(id),
        }
    }
}

/// The newest of the results that say the same and whose files were not written to since, if those of this one were not
/// either, and the tokens of the pointer.
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
            // Nor is it for any later one.
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
