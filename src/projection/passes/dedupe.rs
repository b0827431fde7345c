//! A result that repeats an earlier one becomes a pointer to it: document "ReadTool Improvements", duplicates.
//!
//! The pointer names only what the same view shows in full, never another pointer. A write to the file between the
//! two keeps both: equal content is then news.

use crate::message::{BlockId, History, ToolUse, UseId, stable_merge_sort};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{Kind, Replacement};
use crate::projection::replacement::texts::duplicate_pointer;
use crate::projection::replacement::worth::is_worth;
use crate::projection::settings::settings;
use crate::projection::view::pass_view::View;
use crate::text::Digest;
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
        let mut seen = Seen::default();
        for (id, block) in results_in_order(view) {
            let tool_use = &view.history[id];
            if !is_comparable(view, id, tool_use) {
                continue;
            }
            // What a pointer names must stay in full; it can still be what others repeat.
            let may_go = view.is_eligible(id, tool_use, 0);
            let Some(alike) = seen.alike(view, id, block) else { continue };
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

/// Bytes as shown, UTF-16 units and a checksum: what differs in these is another content, and is not read.
type Size = (u64, u64, u32);

/// Results by what they say, the oldest first. The only one of its size is not read: it stands under its size alone.
#[derive(Default)]
struct Seen(HashMap<(Size, Option<Digest>), Vec<UseId>>);

impl Seen {
    /// The earlier results that say the same; `None` where this is the first of its size.
    fn alike(&mut self, view: &mut View<'_>, id: UseId, block: BlockId) -> Option<&mut Vec<UseId>> {
        let facts = &view.history[block];
        let size = (facts.shown_bytes(), facts.size.utf16, facts.size.print);
        let Some(first) = self.0.get_mut(&(size, None)) else {
            self.0.insert((size, None), vec![id]);
            return None;
        };
        if let Some(first) = first.pop() {
            let digest = view.digest(first)?;
            self.0.insert((size, Some(digest)), vec![first]);
        }
        let digest = view.digest(id)?;
        Some(self.0.entry((size, Some(digest))).or_default())
    }
}

/// The newest of the results that say the same and whose files were not written to since, if those of this one were not
/// either, and the tokens of the pointer.
fn find_original(
    view: &View<'_>,
    alike: &mut Vec<UseId>,
    id: UseId,
    block: BlockId,
) -> Option<(UseId, u64)> {
    let history = view.history;
    let is_current = |shown_at: BlockId, tool_use: &ToolUse| {
        let mut files = tool_use.files.iter();
        files.all(|(path, _)| !view.files.of(*path).changed_between(shown_at, block))
    };
    loop {
        let of = *alike.last()?;
        let original = &history[of];
        let shown_at = original.result?;
        if !is_current(shown_at, original) {
            // Nor is it for any later one.
            alike.pop();
            continue;
        }
        let one = &history[id];
        let pointer_bytes = duplicate_pointer(history, one, original)?.len();
        let is_named =
            is_current(shown_at, one) && is_worth(history[block].shown_bytes(), pointer_bytes);
        return is_named.then(|| (of, estimate_tokens(pointer_bytes as u64)));
    }
}
