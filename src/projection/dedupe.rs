//! A result that repeats an earlier one becomes a pointer to it: document "ReadTool Improvements", duplicates.
//!
//! The pointer names only what the same view shows in full, never another pointer. A write to the file between the
//! two keeps both: equal content is then news.

use super::stub::{duplicate_pointer, is_worth};
use super::{Pass, PassName, Replacement, View};
use crate::message::{BlockId, NameId, Origin, ToolUse, UseId, stable_merge_sort};
use crate::tokens::estimate_tokens;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Settings of the dedupe pass: it has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct DedupePolicy {}

impl Pass for DedupePolicy {
    fn run(&self, view: &mut View<'_>) {
        let mut by_size: HashMap<(u64, u64, u64), Vec<UseId>> = HashMap::new();
        let mut last_write: Vec<Option<BlockId>> = vec![None; view.history.names().len()];
        for (id, block) in results_in_order(view) {
            let one = &view.history[id];
            if is_comparable(view, id, one) {
                let size = view.history[block].size;
                let alike = by_size.entry((size.bytes, size.utf16, size.lines())).or_default();
                // What a pointer names must stay in full; it can still be what others repeat.
                let may_go = !view.plan.is_referred(id);
                let original =
                    may_go.then(|| find_original(view, alike, &last_write, id, block)).flatten();
                match original {
                    Some((of, tokens)) => {
                        let replacement = Replacement::Duplicate { of };
                        view.plan.replace(view.history, id, PassName::Dedupe, replacement, tokens);
                    }
                    None => alike.push(id),
                }
            }
            if matches!(one.origin, Origin::Edit | Origin::Write) && !one.is_error {
                one.files.iter().for_each(|(path, _)| last_write[path.index()] = Some(block));
            }
        }
    }
}

/// Tool uses with results up to the current step, in the order of the results.
fn results_in_order(view: &View<'_>) -> Vec<(UseId, BlockId)> {
    let uses =
        view.history.uses().iter().enumerate().filter(|(_, one)| one.step <= view.current_step);
    let results = uses.filter_map(|(i, one)| Some((UseId(i), one.result?))).collect();
    stable_merge_sort(results, |(_, block): &(UseId, BlockId)| block.0 as u64)
}

fn is_comparable(view: &View<'_>, id: UseId, one: &ToolUse) -> bool {
    let is_plain = one.text_only && one.editable && !one.is_error && !one.ephemeral && !one.is_stub;
    is_plain && !view.plan.is_taken(id)
}

/// The newest identical result still shown in full with no write to its files since, and the tokens of the pointer.
fn find_original(
    view: &mut View<'_>,
    alike: &[UseId],
    last_write: &[Option<BlockId>],
    id: UseId,
    block: BlockId,
) -> Option<(UseId, u64)> {
    let history = view.history;
    let one = &history[id];
    alike.iter().rev().find_map(|of| {
        let original = &history[*of];
        let shown_at = original.result?;
        let written_since = |(path, _): &(NameId, _)| last_write[path.index()] > Some(shown_at);
        if one.files.iter().chain(&original.files).any(written_since) {
            return None;
        }
        let pointer_bytes = duplicate_pointer(history, one, original)?.len();
        if !is_worth(history[block].size, pointer_bytes) {
            return None;
        }
        let same = view.cache.digest(*of, shown_at, view.source)
            == view.cache.digest(id, block, view.source);
        same.then(|| (*of, estimate_tokens(pointer_bytes as u64)))
    })
}
